"""Stencils as slice expressions and as loops."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import INTEGERS, case


@case(lambda make: (make(30), make(30), 6))
@jit
def jacobi_1d(a, b, steps):
    for _ in range(steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3


@case(lambda make: (make(12, 15), make(12, 15), 4))
@jit
def jacobi_2d(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
        a, b = b, a
    return a


@case(lambda make: (make(7, 8, 9), 0.1, 3))
@jit
def heat_3d(u, c, steps):
    v = u.copy()
    for _ in range(steps):
        inner = u[1:-1, 1:-1, 1:-1]
        v[1:-1, 1:-1, 1:-1] = inner + c * (
            (u[2:, 1:-1, 1:-1] - 2 * inner + u[:-2, 1:-1, 1:-1])
            + (u[1:-1, 2:, 1:-1] - 2 * inner + u[1:-1, :-2, 1:-1])
            + (u[1:-1, 1:-1, 2:] - 2 * inner + u[1:-1, 1:-1, :-2])
        )
        u, v = v, u
    return u


@case(lambda make: (make(10, 11),))
@jit
def nine_point(u):
    edges = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    corners = u[:-2, :-2] + u[:-2, 2:] + u[2:, :-2] + u[2:, 2:]
    return (4 * edges + corners - 20 * u[1:-1, 1:-1]) / 6


@case(lambda make: (make(24), make(24), 0.25))
@jit
def second_derivative_of_fourth_order(u, d2u, dx):
    d2u[2:-2] = (-u[:-4] + 16 * u[1:-3] - 30 * u[2:-2] + 16 * u[3:-1] - u[4:]) / (12 * dx**2)
    d2u[:2] = 0
    d2u[-2:] = 0.0


@case(lambda make: (make(9, 9), 5))
@jit
def gauss_seidel_sweeps(u, sweeps):
    n, m = u.shape
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) * 0.25


@case(lambda make: (make(8, 12, 12), make(8, 12, 12), make(8, 8, 8)))
@jit
def limited_horizontal_diffusion(field, out, coefficient):
    laplacian = 4.0 * field[:, 1:-1, 1:-1] - (
        field[:, 2:, 1:-1] + field[:, :-2, 1:-1] + field[:, 1:-1, 2:] + field[:, 1:-1, :-2]
    )
    flux = laplacian[:, 1:, 1:-1] - laplacian[:, :-1, 1:-1]
    along_x = np.where(flux * (field[:, 2:-1, 2:-2] - field[:, 1:-2, 2:-2]) > 0, 0, flux)
    flux = laplacian[:, 1:-1, 1:] - laplacian[:, 1:-1, :-1]
    along_y = np.where(flux * (field[:, 2:-2, 2:-1] - field[:, 2:-2, 1:-2]) > 0, 0, flux)
    out[:, 2:-2, 2:-2] = field[:, 2:-2, 2:-2] - coefficient * (
        along_x[:, 1:, :] - along_x[:, :-1, :] + along_y[:, :, 1:] - along_y[:, :, :-1]
    )


@case(lambda make: (make(10, 12), make(10, 12), make(10, 12), 4))
@jit
def fdtd_2d(ex, ey, hz, steps):
    for t in range(steps):
        ey[0, :] = t
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


@case(lambda make: (make(11, 11), 0.2))
@jit
def biharmonic(u, h):
    lap = np.zeros_like(u)
    lap[1:-1, 1:-1] = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]) / h**2
    return (lap[2:, 1:-1] + lap[:-2, 1:-1] + lap[1:-1, 2:] + lap[1:-1, :-2] - 4 * lap[1:-1, 1:-1]) / h**2


@case(lambda make: (make(9, 10), make(9, 10), make(9, 10), 0.1, 0.3))
@jit
def curl_divergence(u, v, w, dx, dy):
    dv_dx = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dx)
    du_dy = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dy)
    w[1:-1, 1:-1] = dv_dx - du_dy
    return (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dx) + (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dy)


@case(lambda make: (make.integers(12, 12, high=2), 3), variants=INTEGERS)
@jit
def game_of_life(world, generations):
    n, m = world.shape
    padded = np.zeros((n + 2, m + 2), world.dtype)
    for _ in range(generations):
        padded[1:-1, 1:-1] = world
        neighbours = np.zeros_like(world)
        for di in range(3):
            for dj in range(3):
                if di != 1 or dj != 1:
                    neighbours += padded[di : di + n, dj : dj + m]
        world[:] = np.where(world == 1, (neighbours == 2) | (neighbours == 3), neighbours == 3)


@case(lambda make: (make(13, 9), make(13, 9, low=0.5, high=1.5)))
@jit
def variable_coefficient_diffusion(u, k):
    face_x = 0.5 * (k[1:, :] + k[:-1, :]) * (u[1:, :] - u[:-1, :])
    face_y = 0.5 * (k[:, 1:] + k[:, :-1]) * (u[:, 1:] - u[:, :-1])
    out = np.zeros_like(u)
    out[1:-1, 1:-1] = face_x[1:, 1:-1] - face_x[:-1, 1:-1] + face_y[1:-1, 1:] - face_y[1:-1, :-1]
    return out


@case(lambda make: (make(17), 3))
@jit
def wide_window(a, radius):
    n = a.shape[0]
    out = np.zeros(n - 2 * radius, a.dtype)
    for k in range(-radius, radius + 1):
        out += a[radius + k : n - radius + k] * (1.0 / (1 + abs(k)))
    return out


@case(lambda make: (make(6, 8, 10),))
@jit
def restrict_to_every_second_point(fine):
    pairs = fine[::2] + fine[1::2]
    pairs = pairs[:, ::2] + pairs[:, 1::2]
    return 0.125 * (pairs[:, :, ::2] + pairs[:, :, 1::2])


@case(lambda make: (make(5, 6), make(9, 11)))
@jit
def prolongate_bilinear(coarse, fine):
    fine[::2, ::2] = coarse
    fine[1::2, ::2] = 0.5 * (coarse[:-1, :] + coarse[1:, :])
    fine[:, 1::2] = 0.5 * (fine[:, :-1:2] + fine[:, 2::2])
