"""Linear algebra written out, with slices, dot products and matrix products."""

from __future__ import annotations

import math

import numpy as np

from mpijit import jit

from . import case

BLAS = 64  # BLAS adds in an order of its own


@case(lambda make: (2.5, make(20), make(20)))
@jit
def axpy(alpha, x, y):
    y += alpha * x


@case(lambda make: (make(6, 8), make(8), make(6)), ulp=BLAS)
@jit
def matrix_vector(a, x, y):
    y[:] = a @ x
    return np.dot(x, x), x @ a.T


@case(lambda make: (make(5, 7), make(7, 6), make(5, 6), 1.5, 0.5), ulp=BLAS)
@jit
def general_product(a, b, c, alpha, beta):
    c[:] = alpha * a @ b + beta * c


@case(lambda make: (make(5, 7), make(7, 4), make(4)), ulp=BLAS)
@jit
def chain_of_products(a, b, x):
    y = a @ (b @ x)
    return (a @ b) @ x - y, y.T @ y


@case(lambda make: (make(8, 8), make(8), 10), ulp=1024)
@jit
def power_iteration(a, x, steps):
    b = a + a.T
    for _ in range(steps):
        y = b @ x
        x = y / np.sqrt(np.dot(y, y))
    return x @ (b @ x)


def laplacian(v):
    out = 2.5 * v
    out[1:] -= v[:-1]
    out[:-1] -= v[1:]
    return out


@case(lambda make: (make(16), 12), ulp=1024)
@jit
def conjugate_gradient(b, steps):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rr = r @ r
    for _ in range(steps):
        q = laplacian(p)
        alpha = rr / (p @ q)
        x += alpha * p
        r -= alpha * q
        new = r @ r
        p = r + new / rr * p
        rr = new
    return x


@case(lambda make: (make(9, low=3, high=4), make(8), make(8), make(9)))
@jit
def thomas(diagonal, lower, upper, rhs):
    n = len(diagonal)
    d, x = diagonal.copy(), rhs.copy()
    for i in range(1, n):
        w = lower[i - 1] / d[i - 1]
        d[i] -= w * upper[i - 1]
        x[i] -= w * x[i - 1]
    x[-1] /= d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / d[i]
    return x


@case(lambda make: (make(7, 7, low=0, high=1),))
@jit
def lu_by_rows(a):
    n = a.shape[0]
    for k in range(n):
        a[k, k] += n
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]


@case(lambda make: (make(7, 7, low=0, high=1),))
@jit
def lu_by_rank_one_updates(a):
    n = len(a)
    for k in range(n):
        a[k, k] += n
    for k in range(n - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, np.newaxis] * a[np.newaxis, k, k + 1 :]


@case(lambda make: (make(6, 6),), ulp=BLAS)
@jit
def cholesky(g):
    n = g.shape[0]
    a = g @ g.T
    for i in range(n):
        a[i, i] += 1
        for j in range(i):
            a[i, j] = (a[i, j] - np.dot(a[i, :j], a[j, :j])) / a[j, j]
        a[i, i] = np.sqrt(a[i, i] - np.dot(a[i, :i], a[i, :i]))
        a[i, i + 1 :] = 0
    return a


@case(lambda make: (make(8, 5),), ulp=256)
@jit
def modified_gram_schmidt(a):
    m, n = a.shape
    q, r = a.copy(), np.zeros((n, n), a.dtype)
    for k in range(n):
        r[k, k] = np.sqrt(np.sum(q[:, k] * q[:, k]))
        q[:, k] /= r[k, k]
        for j in range(k + 1, n):
            r[k, j] = np.sum(q[:, k] * q[:, j])
            q[:, j] -= r[k, j] * q[:, k]
    return q, r


@case(lambda make: (make(6, 6), make(6), 5))
@jit
def jacobi_solver(a, b, sweeps):
    n = len(b)
    x, y = np.zeros_like(b), np.zeros_like(b)
    for _ in range(sweeps):
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= a[i, j] * x[j]
            y[i] = s / (a[i, i] + 8)
        x, y = y, x
    return x


@case(lambda make: (make(6, 6), make(6)), ulp=16)
@jit
def back_substitution(u, b):
    n = len(b)
    x = np.zeros(n, b.dtype)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - u[i, i + 1 :] @ x[i + 1 :]) / (u[i, i] + 3)
    return x


@case(lambda make: (make(3, 4), make(2, 5)))
@jit
def kronecker_product(a, b):
    n, m = a.shape
    p, q = b.shape
    out = np.empty((n * p, m * q), a.dtype)
    for i in range(n):
        for j in range(m):
            out[i * p : (i + 1) * p, j * q : (j + 1) * q] = a[i, j] * b
    return out


@case(lambda make: (make(5, 6), make(7)))
@jit
def outer_product_by_newaxis(a, x):
    return a[:, :, None] * x[None, None, :], x[:, np.newaxis] * x


@case(lambda make: (make(5, 5),), ulp=8)
@jit
def norms(a):
    return np.sqrt(np.sum(a * a)), np.max(np.sum(np.abs(a), axis=0)), np.max(np.sum(np.abs(a), axis=1)), np.abs(a).max()


@case(lambda make: (make(6, 6), 5), ulp=BLAS)
@jit
def matrix_power(a, n):
    result = np.zeros_like(a)
    for i in range(len(a)):
        result[i, i] = 1
    base = a.copy()
    while n > 0:
        if n & 1:
            result = result @ base
        base = base @ base
        n >>= 1
    return result


@case(lambda make: (make(3, 3), make(3), make(3)))
@jit
def small_determinant_and_cross(a, x, y):
    det = (
        a[0, 0] * (a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1])
        - a[0, 1] * (a[1, 0] * a[2, 2] - a[1, 2] * a[2, 0])
        + a[0, 2] * (a[1, 0] * a[2, 1] - a[1, 1] * a[2, 0])
    )
    return det, np.array([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]])


@case(lambda make: (make(7, 4),), ulp=64)
@jit
def householder_column(a):
    v = a[:, 0].copy()
    norm = math.sqrt(float(np.sum(v * v)))
    v[0] += norm if v[0] > 0 else -norm
    scale = 2 / np.sum(v * v)
    for j in range(a.shape[1]):
        a[:, j] -= scale * np.sum(v * a[:, j]) * v


@case(lambda make: (make(7, 7), 1.5))
@jit
def symmetrise_in_place(a, shift):
    a += a.T
    a *= 0.5
    for i in range(a.shape[0]):
        a[i, i] += shift
