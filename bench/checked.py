"""Loops with affine indices, which bench/run measures with the checks of indices on and off."""

import numpy as np


def stencil_1d(u, v):
    for i in range(1, len(u) - 1):
        v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]


def stencil_2d(a, b):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def wrap(u, v, n):
    for i in range(n):
        v[i] = u[i - 1] + u[i]


def wrap_2d(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] - a[i - 1, j] - a[i, j - 1]


def shift(u, v, n, k):
    for i in range(n):
        v[i] = u[i - k] + u[i]


def backwards(u, v, n):
    for i in range(n):
        v[i] = u[-i - 1]


def flattened(u, v, n, m):
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i * m + j] = u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]


def flattened_3d(u, v, n, m, depth):
    for i in range(n):
        for j in range(m):
            for k in range(depth):
                v[(i * m + j) * depth + k] = 2.0 * u[(i * m + j) * depth + k]


def periodic(u, v, n):
    for i in range(n):
        v[i] = u[(i + 1) % n] - u[i]


def triangular(a, x, n):
    for i in range(n):
        for j in range(i + 1, n):
            x[i] += a[i, j] * x[j]


def transposed(a, b):
    for i in range(a.shape[1]):
        for j in range(a.shape[0]):
            b.T[i, j] = a.T[i, j] + 1.0


def rows(a, v):
    for row in a:
        for j in range(len(row)):
            v[j] += row[j]


def arguments():
    """Return each kernel with what to call it with."""
    rng = np.random.default_rng(3)
    n, m = 128 * 128, 128
    u, v = rng.random(n), np.zeros(n)
    a, b = rng.random((m, m)), np.zeros((m, m))
    return {
        stencil_1d: (u, v),
        stencil_2d: (a, b),
        wrap: (u, v, n),
        wrap_2d: (a, b),
        shift: (u, v, n, 5),
        backwards: (u, v, n),
        flattened: (u, v, m, m),
        flattened_3d: (u, v, 16, 16, 64),
        periodic: (u, v, n),
        triangular: (a, np.zeros(m), m),
        transposed: (a, b),
        rows: (a, v),
    }
