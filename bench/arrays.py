"""Stencils as NumPy slice expressions, and reductions: `bench/run arrays`. The same loops, fused: c/arrays.cpp."""

import numpy as np

from mpijit import jit

# Constants of the kernels; bench/run changes them to make the compiler work anew.
MEAN = 0.2
HEAT = 0.125
CURL = 0.7
CENTRE = 4.0


@jit
def jacobi_2d(u, v, steps):
    """Each inner point becomes the mean of itself and its four neighbours; there and back between two arrays."""
    for step in range(steps):
        v[1:-1, 1:-1] = MEAN * (u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1])
        u[1:-1, 1:-1] = MEAN * (v[1:-1, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] + v[2:, 1:-1] + v[:-2, 1:-1])


@jit
def heat_3d(u, v, steps):
    """The heat equation by explicit Euler steps, second differences on each of three axes."""
    for step in range(steps):
        v[1:-1, 1:-1, 1:-1] = (
            HEAT * (u[2:, 1:-1, 1:-1] - 2.0 * u[1:-1, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1])
            + HEAT * (u[1:-1, 2:, 1:-1] - 2.0 * u[1:-1, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1])
            + HEAT * (u[1:-1, 1:-1, 2:] - 2.0 * u[1:-1, 1:-1, 1:-1] + u[1:-1, 1:-1, :-2])
            + u[1:-1, 1:-1, 1:-1]
        )
        u[1:-1, 1:-1, 1:-1] = (
            HEAT * (v[2:, 1:-1, 1:-1] - 2.0 * v[1:-1, 1:-1, 1:-1] + v[:-2, 1:-1, 1:-1])
            + HEAT * (v[1:-1, 2:, 1:-1] - 2.0 * v[1:-1, 1:-1, 1:-1] + v[1:-1, :-2, 1:-1])
            + HEAT * (v[1:-1, 1:-1, 2:] - 2.0 * v[1:-1, 1:-1, 1:-1] + v[1:-1, 1:-1, :-2])
            + v[1:-1, 1:-1, 1:-1]
        )


@jit
def fdtd_2d(ex, ey, hz, steps):
    """Maxwell's equations in the plane on Yee's grid, driven at one edge."""
    for step in range(steps):
        ey[0, :] = step
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= CURL * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


@jit
def distance(a, b, out, steps):
    """The sum of squared differences, added in NumPy's order; each one changes an element."""
    for step in range(steps):
        out[0] = np.sum((a - b) ** 2)
        a[step] = 1.0 / out[0]


@jit
def extremes(a, b, out, steps):
    """The greatest difference and the least element, NaN where there is one; they change an element."""
    for step in range(steps):
        out[0] = np.abs(a - b).max()
        out[1] = a.min()
        a[step] = 0.5 * (out[0] + out[1])


@jit
def diffuse(field, weight, out):
    """Fourth-order horizontal diffusion: a Laplacian, its fluxes, limited where they go up the gradient, their sum."""
    lap = CENTRE * field[1:-1, 1:-1] - (field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2])
    along = lap[1:, 1:-1] - lap[:-1, 1:-1]
    flux_x = np.where(along * (field[2:-1, 2:-2] - field[1:-2, 2:-2]) > 0.0, 0.0, along)
    across = lap[1:-1, 1:] - lap[1:-1, :-1]
    flux_y = np.where(across * (field[2:-2, 2:-1] - field[2:-2, 1:-2]) > 0.0, 0.0, across)
    out[:] = field[2:-2, 2:-2] - weight * (flux_x[1:] - flux_x[:-1] + flux_y[:, 1:] - flux_y[:, :-1])
