"""Schemes in flux form whose formulas are written once for any axis: index helpers, captured constants, passes."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import case

# ---- index helpers: the same formula along another axis -------------------------------------------------------


@jit
def at_1d(field, focus, k):
    return field[focus[0] + k]


@jit
def at_x(field, focus, k):
    return field[focus[0] + k, focus[1]]


@jit
def at_y(field, focus, k):
    return field[focus[0], focus[1] + k]


HELPERS = {(1, 0): at_1d, (2, 0): at_x, (2, 1): at_y}


def make_upwind_flux(at):
    @jit
    def flux(psi, courant, focus):
        c = at(courant, focus, 0)
        return max(c, c * 0) * at(psi, focus, 0) + min(c, c * 0) * at(psi, focus, 1)

    return flux


def make_corrective_velocity(at, iterations, epsilon=1e-9):
    """The antidiffusive velocity; with one iteration there is none, and nothing is compiled for it."""

    @jit
    def velocity(psi, courant, focus):
        if iterations < 2:
            return at(courant, focus, 0)
        left, right = at(psi, focus, 0), at(psi, focus, 1)
        c = at(courant, focus, 0)
        return (abs(c) - c * c) * (right - left) / (abs(right) + abs(left) + epsilon)

    return velocity


def make_advection(ndim, iterations, halo=2, density=None):
    flux_along = tuple(make_upwind_flux(HELPERS[ndim, axis]) for axis in range(ndim))
    velocity_along = tuple(make_corrective_velocity(HELPERS[ndim, axis], iterations) for axis in range(ndim))
    back = HELPERS[ndim, 0]

    @jit
    def advect_1d(psi, courants):
        (c,) = courants
        n = psi.shape[0]
        fluxes, corrected = np.zeros_like(psi), c.copy()
        for turn in range(iterations):
            for i in range(halo - 1, n - halo):
                fluxes[i] = flux_along[0](psi, corrected, (i,))
            for i in range(halo, n - halo):
                change = fluxes[i] - back(fluxes, (i,), -1)
                if density is not None:
                    change /= density
                psi[i] -= change
            if turn + 1 < iterations:
                fresh = np.zeros_like(c)
                for i in range(halo - 1, n - halo):
                    fresh[i] = velocity_along[0](psi, corrected, (i,))
                corrected = fresh

    @jit
    def advect_2d(psi, courants):
        cx, cy = courants
        n, m = psi.shape
        fx, fy = np.zeros_like(psi), np.zeros_like(psi)
        for _ in range(iterations):
            for i in range(halo - 1, n - halo):
                for j in range(halo - 1, m - halo):
                    focus = (i, j)
                    fx[i, j] = flux_along[0](psi, cx, focus)
                    fy[i, j] = flux_along[1](psi, cy, focus)
            for i in range(halo, n - halo):
                for j in range(halo, m - halo):
                    change = fx[i, j] - at_x(fx, (i, j), -1) + fy[i, j] - at_y(fy, (i, j), -1)
                    psi[i, j] -= change if density is None else change / density

    return advect_1d if ndim == 1 else advect_2d


case(lambda make: (make(20, low=0, high=1), (0.5 * make(20),)), name="upwind_flux_form_1d")(make_advection(1, 1))
case(lambda make: (make(20, low=0, high=1), (0.5 * make(20),)), name="corrected_flux_form_1d")(
    make_advection(1, 3, density=1.5)
)
case(lambda make: (make(10, 11, low=0, high=1), (0.3 * make(10, 11), 0.3 * make(10, 11))), name="upwind_flux_form_2d")(
    make_advection(2, 1)
)


# ---- limiters as arguments ------------------------------------------------------------------------------------


@jit
def minmod(a, b):
    return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0 * a)


@jit
def superbee(a, b):
    s = np.sign(a)
    return s * np.maximum(0, np.maximum(np.minimum(2 * np.abs(a), s * b), np.minimum(np.abs(a), 2 * s * b)))


@jit
def centred(a, b):
    return 0.5 * (a + b)


@case(lambda make: (make(24), 0.4, 4, minmod), name="slopes_limited_by_minmod")
@case(lambda make: (make(24), 0.4, 4, superbee), name="slopes_limited_by_superbee")
@case(lambda make: (make(24), 0.4, 4, centred), name="slopes_not_limited")
@jit
def limited_advection(u, c, steps, limiter):
    for _ in range(steps):
        slope = np.zeros_like(u)
        slope[1:-1] = limiter(u[1:-1] - u[:-2], u[2:] - u[1:-1])
        face = c * (u + 0.5 * (1 - c) * slope)
        u[1:] -= face[1:] - face[:-1]
        u[0] = u[-1]


# ---- one sweep per axis, by transposed views ------------------------------------------------------------------


@jit
def sweep(u, c):
    flux = np.where(c > 0, u[:-1], u[1:]) * c
    u[1:-1] -= flux[1:] - flux[:-1]


@case(lambda make: (make(9, 11), make(8, 1), make(10, 1), 3))
@jit
def split_advection(u, cx, cy, steps):
    for n in range(steps):
        if n % 2 == 0:
            sweep(u, 0.4 * cx)
            sweep(u.T, 0.4 * cy)
        else:
            sweep(u.T, 0.4 * cy)
            sweep(u, 0.4 * cx)


# ---- finite volumes with a captured geometry ------------------------------------------------------------------


def make_radial_diffusion(r0, r1, n, exponent):
    """Cylinder or sphere by the exponent of the radius in the areas."""
    edges = np.linspace(r0, r1, n + 1)
    areas = edges * edges if exponent == 2 else edges
    volumes = (edges[1:] ** (exponent + 1) - edges[:-1] ** (exponent + 1)) / (exponent + 1)
    dr = (r1 - r0) / n

    @jit
    def step(u, k, dt):
        flux = np.zeros(n + 1, u.dtype)
        flux[1:-1] = -k * areas[1:-1] * (u[1:] - u[:-1]) / dr
        u -= dt * (flux[1:] - flux[:-1]) / volumes
        return (u * volumes).sum()

    return step


case(lambda make: (make(15), 0.1, 0.01), name="cylinder_diffusion", other_ulp=8)(make_radial_diffusion(0.1, 1.0, 15, 1))
case(lambda make: (make(15), 0.1, 0.01), name="sphere_diffusion", other_ulp=8)(make_radial_diffusion(0.1, 1.0, 15, 2))
