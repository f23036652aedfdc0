"""Kernels that take, hold, make and pass on kernels; optional arguments; arguments spread from tuples."""

from __future__ import annotations

import linecache
import math

import numpy as np

from mpijit import jit

from . import case

# ---- kernels as arguments -------------------------------------------------------------------------------------


@jit
def decay(t, y):
    return -0.5 * y


@jit
def oscillate(t, y):
    out = np.empty_like(y)
    out[::2] = y[1::2]
    out[1::2] = -y[::2] + 0.1 * t
    return out


@case(lambda make: (decay, make(6), 0.1, 5))
@case(lambda make: (oscillate, make(6), 0.1, 5), name="runge_kutta_4_oscillator")
@jit
def runge_kutta_4(rhs, y, dt, steps):
    t = 0.0
    for _ in range(steps):
        k1 = rhs(t, y)
        k2 = rhs(t + dt / 2, y + dt / 2 * k1)
        k3 = rhs(t + dt / 2, y + dt / 2 * k2)
        k4 = rhs(t + dt, y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += dt
    return y


def cubic(x, a, b):
    return x * x * x - a * x - b


def cubic_slope(x, a, b):
    return 3 * x * x - a


@case(lambda make: (cubic, cubic_slope, 2.0, (1.5, 0.5), 20), variants=("float64 C",))
@jit
def newton(f, slope, x, parameters, limit):
    for turn in range(limit):
        step = f(x, *parameters) / slope(x, *parameters)
        x -= step
        if abs(step) < 1e-12:
            break
    return x, turn


@case(lambda make: (lambda x: 1 / (1 + x * x), 0.0, 1.0, 16), variants=("float64 C",))
@jit
def simpson(f, a, b, n):
    h = (b - a) / n
    s = f(a) + f(b)
    for i in range(1, n):
        s += (4 if i % 2 else 2) * f(a + i * h)
    return s * h / 3


@case(lambda make: (cubic, -3.0, 3.0, 40), variants=("float64 C",))
@jit
def bisect(f, low, high, turns):
    for _ in range(turns):
        middle = 0.5 * (low + high)
        if (f(middle, 1.0, 2.0) > 0) == (f(high, 1.0, 2.0) > 0):
            high = middle
        else:
            low = middle
    return low, high


def square(x):
    return x * x


def halve(x):
    return x / 2


@case(lambda make: ((square, halve, np.sqrt), make(4, 5, low=0.5, high=2)))
@jit
def pipeline(stages, x):
    for stage in stages:
        x = stage(x)
    return x


@case(lambda make: (np.add, make(4, 3), make(3)))
@case(lambda make: (np.maximum, make(4, 3), make(3)), name="combine_rows_maximum")
@jit
def combine_rows(operation, a, b):
    out = np.empty_like(a)
    for i in range(len(a)):
        out[i] = operation(a[i], b)
    return out


# ---- factories ------------------------------------------------------------------------------------------------


def make_diffusion(n, length, diffusivity, *, source=None, bounded=False):
    """A step of diffusion on a grid: constants are captured, what is not wanted is pruned."""
    dx = length / n
    rate = diffusivity / dx**2
    x = np.linspace(0, length, n)

    @jit
    def step(u, dt):
        new = u.copy()
        new[1:-1] += dt * rate * (u[2:] - 2 * u[1:-1] + u[:-2])
        if source is not None:
            new += dt * source(x, u)
        if bounded:
            new = np.minimum(np.maximum(new, 0), 1)
        return new

    return step


def make_time_loop(step, steps, dt, observer=None):
    @jit
    def run(u):
        for n in range(steps):
            u = step(u, dt)
            if observer is not None:
                observer(n, u)
        return u

    return run


@jit
def growth(x, u):
    return u * (1 - u) + 0.1 * x


@jit
def clamp_ends(n, u):
    u[0] = n
    u[-1] = -n


case(lambda make: (make(16), 0.01), name="diffusion_step")(make_diffusion(16, 2.0, 0.3))
case(lambda make: (make(16), 0.01), name="diffusion_step_bounded", variants=("float64 C", "float64 strided"))(
    make_diffusion(16, 2.0, 0.3, source=growth, bounded=True)
)
case(lambda make: (make(12),), name="time_loop")(make_time_loop(make_diffusion(12, 1.0, 0.1), 6, 0.02))
case(lambda make: (make(12),), name="time_loop_observed")(
    make_time_loop(make_diffusion(12, 1.0, 0.1, bounded=True), 4, 0.02, observer=clamp_ends)
)


def make_adams_bashforth(rhs, dt):
    @jit
    def run(y, steps):
        old = rhs(0.0, y)
        y = y + dt * old
        for n in range(1, steps):
            new = rhs(n * dt, y)
            y = y + dt * (1.5 * new - 0.5 * old)
            old = new
        return y

    return run


case(lambda make: (make(8), 6), name="adams_bashforth")(make_adams_bashforth(oscillate, 0.05))


def make_swapping_loop(kernel):
    @jit
    def loop(a, b, steps):
        for _ in range(steps):
            kernel(a, b)
            a, b = b, a
        return a, b

    return loop


@jit
def smooth(a, b):
    b[1:-1, 1:-1] = 0.25 * (a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])


case(lambda make: (make(8, 9), np.zeros((8, 9), make.dtype), 3), name="buffer_swap_odd")(make_swapping_loop(smooth))
case(lambda make: (make(8, 9), make(8, 9), 4), name="buffer_swap_even")(make_swapping_loop(smooth))


def make_polynomial(*coefficients):
    """Source text made for the coefficients, as generators of code do."""
    body = "0.0"
    for c in coefficients:
        body = f"({body}) * x + {c!r}"
    text = f"def polynomial(x):\n    return {body}\n"
    name = f"<polynomial {coefficients}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict = {}
    exec(compile(text, name, "exec"), space)
    return jit(space["polynomial"])


case(lambda make: (make(3, 4),), name="generated_polynomial")(make_polynomial(1.5, 0.0, -2.0, 0.25))


# ---- spread, default, keyword and optional arguments ----------------------------------------------------------


@jit
def add_all(first, *others):
    total = first * 1
    for other in others:
        total += other
    return total


@case(lambda make: ((make(5), make(5), make(5)), make(5)))
@jit
def spread_arguments(parts, extra):
    return add_all(*parts), add_all(extra, *parts[1:]), add_all(*parts, extra)


@case(lambda make: (make(6), make(6)))
@case(lambda make: (make(6), make(6), None, make(6)), name="weighted_step_with_source")
@case(lambda make: (make(6), make(6), make(6), None), name="weighted_step_with_weights")
@jit
def weighted_step(u, du, weights=None, source=None, dt=0.1):
    change = du * dt
    if weights is not None:
        change *= weights
    if source is None:
        u += change
    else:
        u += change + dt * source
    return change if weights is None else change / 2


@jit
def blur(u, *, width=1, scale=1.0):
    out = u.copy()
    out[width:-width] = scale * (u[: -2 * width] + u[2 * width :]) / 2
    return out


@case(lambda make: (make(12),))
@jit
def keyword_arguments(u):
    return blur(u), blur(u, width=2), blur(u, scale=0.5, width=3)


@case(lambda make: (make(5, 6), (1, 2), (0.5, 0.25)))
@jit
def offsets_from_tuples(u, offsets, weights):
    out = u[:, 2:-2] * 1
    for k, w in zip(offsets, weights):
        out += w * (u[:, 2 + k : u.shape[1] - 2 + k] + u[:, 2 - k : u.shape[1] - 2 - k])
    return out


@jit
def hypotenuse(a, b):
    return math.sqrt(a * a + b * b)


@jit
def angle(a, b):
    return math.atan2(b, a)


@case(lambda make: (make(7, 2),), ulp=4)
@jit
def to_polar(points):
    for i, (x, y) in enumerate(points):
        points[i] = hypotenuse(x, y), angle(x, y)


@case(lambda make: (12,), variants=("float64 C",))
@jit
def recursion(n):
    if n < 2:
        return n
    return recursion(n - 1) + recursion(n - 2)
