"""Loops as people write them, which bench/run measures with the checks of indices on and off."""

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


def periodic_2d(a, b):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            b[i, j] = a[(i - 1) % n, j] + a[(i + 1) % n, j] + a[i, (j - 1) % m] + a[i, (j + 1) % m] - 4.0 * a[i, j]


def guarded(u, v, n):
    for i in range(n):
        left = 0.0
        right = 0.0
        if i > 0:
            left = u[i - 1]
        if i < n - 1:
            right = u[i + 1]
        v[i] = left + right - 2.0 * u[i]


def guarded_2d(a, b):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            s = a[i, j]
            if i > 0:
                s += a[i - 1, j]
            if i < n - 1:
                s += a[i + 1, j]
            if j > 0:
                s += a[i, j - 1]
            if j < m - 1:
                s += a[i, j + 1]
            b[i, j] = s


def by_hand(u, v, n):
    i = 1
    while i < n - 1:
        v[i] = u[i - 1] + u[i + 1]
        i += 1


def clamped(u, v, n):
    for i in range(n):
        v[i] = u[max(i - 1, 0)] + u[min(i + 1, n - 1)]


def red_black(a):
    for color in range(2):
        for i in range(1, a.shape[0] - 1):
            for j in range(1 + (i + color) % 2, a.shape[1] - 1, 2):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def convolve(u, w, v):
    n, k = len(u), len(w)
    h = k // 2
    for i in range(h, n - h):
        s = 0.0
        for j in range(k):
            s += w[j] * u[i + j - h]
        v[i] = s


def convolve_2d(a, w, b):
    h = w.shape[0] // 2
    g = w.shape[1] // 2
    for i in range(h, a.shape[0] - h):
        for j in range(g, a.shape[1] - g):
            s = 0.0
            for p in range(w.shape[0]):
                for q in range(w.shape[1]):
                    s += w[p, q] * a[i + p - h, j + q - g]
            b[i, j] = s


def lu(given, a, n):
    for i in range(n):
        for j in range(n):
            a[i, j] = given[i, j]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k] = f
            for j in range(k + 1, n):
                a[i, j] -= f * a[k, j]


def triangular_solve(a, b, x, n):
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= a[i, j] * x[j]
        x[i] = s / a[i, i]


def triangular_columns(a, x, n):
    for i in range(n):
        x[i] = 1.0
    for j in range(n):
        for i in range(j + 1, n):
            x[i] -= a[j, i] * x[j]


def particles(p, f, n):
    for i in range(n):
        for j in range(i + 1, n):
            r = 0.01
            for k in range(3):
                d = p[i, k] - p[j, k]
                r += d * d
            for k in range(3):
                g = (p[i, k] - p[j, k]) / r
                f[i, k] += g
                f[j, k] -= g


def flat_particles(p, v, n, dim, dt):
    for i in range(n):
        for k in range(dim):
            p[i * dim + k] += dt * v[i * dim + k]


def shortest_paths(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]


def sparse_rows(data, col, ptr, x, y, n):
    for i in range(n):
        s = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            s += data[k] * x[col[k]]
        y[i] = s


def gather(x, col, y, n):
    for k in range(n):
        y[k] = x[col[k]]


def histogram(x, h, bins):
    for i in range(len(x)):
        h[int(x[i] * bins)] += 1


def bisection(x, y, q, out):
    for k in range(len(q)):
        lo = 0
        hi = len(x) - 1
        while hi - lo > 1:
            mid = (lo + hi) // 2
            if x[mid] <= q[k]:
                lo = mid
            else:
                hi = mid
        out[k] = y[lo] + (y[hi] - y[lo]) * (q[k] - x[lo]) / (x[hi] - x[lo])


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
        periodic_2d: (a, b),
        guarded: (u, v, n),
        guarded_2d: (a, b),
        clamped: (u, v, n),
        by_hand: (u, v, n),
        red_black: (a.copy(),),
        convolve: (u, rng.random(5), v),
        convolve_2d: (a, rng.random((3, 3)), b),
        lu: (rng.random((64, 64)) + 64 * np.eye(64), np.zeros((64, 64)), 64),
        triangular_solve: (np.eye(m) + a, u, v, m),
        triangular_columns: (a / m, np.ones(m), m),
        particles: (rng.random((100, 3)), np.zeros((100, 3)), 100),
        flat_particles: (u.copy(), v, 5000, 3, 0.1),
        shortest_paths: (rng.random((48, 48)),),
        sparse_rows: (rng.random(10000), rng.integers(0, n, 10000), np.arange(0, 10001, 5), u, v, 2000),
        gather: (u, rng.integers(0, n, 10000), v, 10000),
        histogram: (u, np.zeros(64, np.int64), 64),
        bisection: (np.sort(u[:1000]), u[:1000], rng.random(2000), np.zeros(2000)),
    }
