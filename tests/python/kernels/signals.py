"""Signals: filters, transforms, interpolation, quadrature."""

from __future__ import annotations

import math

import numpy as np

from mpijit import jit

from . import INTEGERS, case


@case(lambda make: (make(40), make(5)))
@jit
def convolve_full(x, h):
    out = np.zeros(len(x) + len(h) - 1, x.dtype)
    for k in range(len(h)):
        out[k : k + len(x)] += h[k] * x
    return out


@case(lambda make: (make(40), (0.2, 0.3, 0.1), (-0.4, 0.1)))
@jit
def biquad(x, b, a):
    y = np.zeros_like(x)
    b0, b1, b2 = b
    a1, a2 = a
    for n in range(2, len(x)):
        y[n] = b0 * x[n] + b1 * x[n - 1] + b2 * x[n - 2] - a1 * y[n - 1] - a2 * y[n - 2]
    return y


@case(lambda make: (make.complex(12),), ulp=256)
@jit
def discrete_fourier_transform(x):
    n = len(x)
    k = np.arange(n)
    angles = -2 * np.pi * (k[:, np.newaxis] * k % n) / n
    return ((np.cos(angles) + 1j * np.sin(angles)) * x).sum(axis=1)


@case(lambda make: (make.complex(16),), variants=("float64 C", "float64 strided"), ulp=256)
@jit
def fast_fourier_transform(x):
    n = len(x)
    out = x.copy()
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            out[i], out[j] = out[j], out[i]
    half = 1
    while half < n:
        angle = -math.pi / half
        for start in range(0, n, 2 * half):
            for k in range(half):
                w = complex(math.cos(angle * k), math.sin(angle * k))
                even, odd = out[start + k], w * out[start + half + k]
                out[start + k] = even + odd
                out[start + half + k] = even - odd
        half *= 2
    return out


@case(lambda make: (make(32), 0.19), ulp=1024)
@jit
def goertzel(x, frequency):
    c = 2 * math.cos(2 * math.pi * frequency)
    s1 = s2 = x[0] * 0
    for sample in x:
        s1, s2 = sample + c * s1 - s2, s1
    return s1 * s1 + s2 * s2 - c * s1 * s2


@case(lambda make: (make(33),), ulp=16)
@jit
def windowed(x):
    n = np.arange(len(x))
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * n / (len(x) - 1))
    return x * hann.astype(x.dtype), np.sqrt(np.mean(x * x))


@case(lambda make: (make(32), 3))
@jit
def haar_wavelet(x, levels):
    n = len(x)
    for _ in range(levels):
        average = (x[:n:2] + x[1:n:2]) / 2
        detail = (x[:n:2] - x[1:n:2]) / 2
        x[: n // 2] = average
        x[n // 2 : n] = detail
        n //= 2


@case(lambda make: (make(30), make(7)), other_ulp=8)
@jit
def match_template(x, template):
    scores = np.empty(len(x) - len(template) + 1, x.dtype)
    for i in range(len(scores)):
        piece = x[i : i + len(template)]
        scores[i] = np.sum((piece - template) ** 2)
    return scores, scores.argmin()


@case(lambda make: (make(40),))
@jit
def zero_crossings(x):
    changes = x[1:] * x[:-1] < 0
    first = -1
    for i in range(len(changes)):
        if changes[i]:
            first = i
            break
    else:
        first = len(x)
    return np.sum(changes), first


@case(lambda make: (make(21), make(21, low=0.1, high=0.3)), other_ulp=8)
@jit
def quadrature(y, dx):
    trapezoids = np.sum((y[1:] + y[:-1]) * dx[1:]) / 2
    simpson = (y[0] + 4 * y[1:-1:2].sum() + 2 * y[2:-1:2].sum() + y[-1]) * 0.1 / 3
    running = np.zeros_like(y)
    for i in range(1, len(y)):
        running[i] = running[i - 1] + (y[i] + y[i - 1]) * dx[i] / 2
    return trapezoids, simpson, running


@case(lambda make: (make(10, low=0, high=0.1), make(15, low=0, high=1), make(10)))
@jit
def interpolate_by_bisection(steps, wanted, values):
    knots = np.zeros_like(steps)
    for i in range(1, len(steps)):
        knots[i] = knots[i - 1] + steps[i] + 0.01
    out = np.empty_like(wanted)
    for k, x in enumerate(wanted):
        low, high = 0, len(knots) - 1
        while high - low > 1:
            middle = (low + high) // 2
            if knots[middle] <= x:
                low = middle
            else:
                high = middle
        w = (x - knots[low]) / (knots[high] - knots[low])
        out[k] = (1 - w) * values[low] + w * values[high]
    return out


@case(lambda make: ((0.5, -1.0, 0.25, 2.0), make(4, 5)))
@jit
def horner(coefficients, x):
    result = np.zeros_like(x)
    for c in coefficients:
        result = result * x + c
    return result


@case(lambda make: (make(24, low=0, high=9), 3), other_ulp=8)
@jit
def resample(x, factor):
    n = len(x) // factor
    means = x[: n * factor].reshape(n, factor).sum(axis=1) / factor
    repeated = np.empty(n * factor, x.dtype)
    repeated.reshape(n, factor)[:] = means[:, np.newaxis]
    return means, repeated, x[::factor], (x - repeated).astype(np.float32)


@case(lambda make: (make.integers(20, high=100),), variants=INTEGERS)
@jit
def delta_and_gray_code(x):
    gray = x ^ (x >> 1)
    delta = x.copy()
    delta[1:] -= x[:-1]
    decoded = delta.copy()
    for i in range(1, len(decoded)):
        decoded[i] += decoded[i - 1]
    return gray, delta, (decoded == x).all(), (gray & 1).sum()


@case(lambda make: (make(24),), ulp=64)
@jit
def cosine_transform(x):
    n = x.shape[0]
    out = np.zeros_like(x)
    for k in range(n):
        s = np.float64(0)
        for i in range(n):
            s += x[i] * math.cos(math.pi * k * (2 * i + 1) / (2 * n))
        out[k] = s
    return out
