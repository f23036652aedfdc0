"""Making, reshaping and converting arrays; iteration; any number of axes; no elements at all."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import INTEGERS, case


@case(lambda make: (7, 5), variants=("float64 C",))
@jit
def constructors(n, m):
    a = np.full((n, m), 0.5)
    b = np.arange(m)
    c = np.linspace(-1, 1, n)
    d = np.array([1.0, 2.5, m])
    e = np.array([(1, 2), (3, n)])
    f = np.ones((2, m), np.float32)
    g = np.arange(1.0, 2.0, 0.25)
    a += b
    a *= c[:, np.newaxis]
    f[1] = b
    return a, b, c, d, e, f, g, np.arange(n, 0, -2), np.zeros(0)


@case(lambda make: (make(6, 8),))
@jit
def reshapes(a):
    flat = a.ravel()
    blocks = a.reshape(3, 2, 8)
    b = a.copy().reshape(-1)
    b[::3] = 0
    return flat, blocks.sum(axis=1), b, a.reshape((2, -1))[1], a.T.ravel(), np.ravel(a[::2]), np.reshape(b, (8, 6))


@case(lambda make: (make(5, 4, low=-3, high=3),))
@jit
def conversions(a):
    as_int = a.astype(np.int32)
    return as_int, as_int.astype(np.float64), (a * 2).astype(np.float32), a.astype(np.complex128), (a > 0).astype(int)


@case(lambda make: (make(4, 5, 6),))
@jit
def axes_inserted(a):
    return a[:, None].shape, a[..., np.newaxis].shape, a[None, 0] + a[1], a[1, None, ..., 2] * a[:, 0, None, 0]


@case(lambda make: (make(9),), name="flux_divergence_1d")
@case(lambda make: (make(4, 9),), name="flux_divergence_2d")
@case(lambda make: (make(3, 4, 9),), name="flux_divergence_3d")
@jit
def flux_divergence(u):
    """Along the last axis, whatever comes before."""
    face = 0.5 * (u[..., 1:] ** 2 + u[..., :-1] ** 2)
    out = np.zeros_like(u)
    out[..., 1:-1] = face[..., 1:] - face[..., :-1]
    if u.ndim > 1:
        out[0, ..., 0] = 7
    if u.ndim == 3:
        out[:, -1, 0] = u[:, 0, 0]
    return out


@case(lambda make: (make(4, 5),), name="norm_over_ndindex_2d")
@case(lambda make: (make(3, 4, 2),), name="norm_over_ndindex_3d")
@jit
def norm_over_ndindex(a):
    s = np.float64(0)
    for index in np.ndindex(a.shape):
        s += abs(a[index])
    return s


@case(lambda make: (make(5, 3),))
@jit
def iterate_over_rows(a):
    total = np.zeros(a.shape[1], a.dtype)
    for row in a:
        total += row
        row[0] = 0
    for i, row in enumerate(a):
        for j, x in enumerate(row):
            a[i, j] = x * i - j
    return total


@case(lambda make: (make(6), make(6), make(4)))
@jit
def iterate_together(x, y, z):
    s = np.float64(0)
    for a, b in zip(x, y):
        s += a * b
    for i, (a, b, c) in enumerate(zip(x, y[::-1], z)):
        s -= i * a * b * c
    return s


@case(lambda make: (make(0), make(0, 4)))
@jit
def no_elements(a, b):
    b += 1
    for row in b:
        row[:] = 5
    total = a.sum() + (a * 2).sum() + b.sum()
    return a + 1, a[1:], b.sum(axis=0), b.sum(axis=1), total, a * b[:, 0], np.where(a > 0, a, 1), b.T


@case(lambda make: (make.of(1.5), make(4)))
@jit
def no_axes(scalar, a):
    scalar[...] = scalar * 2
    a *= scalar
    a[...] += 1
    return scalar + 1, scalar[()], a * scalar, scalar.ndim, scalar.size


@case(lambda make: (make.complex(4, 5), make(5)), ulp=16)
@jit
def complex_fields(z, x):
    w = z * (1 + 2j) - x
    w[1:] += 1j * z[:-1]
    return w.real - w.imag, np.abs(w), w.conj(), z[0, 0] * 2, (z * z.conj()).sum(), w[0, 0].real


@case(lambda make: (make.integers(4, 6, low=-9), make.integers(6, low=1)), variants=INTEGERS)
@jit
def integer_fields(a, b):
    return a + b, a - 2, a * b, a // b, a % b, a / b, -a, abs(a), a**2, a & b, a << 2, a > b, ~a


@case(lambda make: (make(5, 6), make(6)), ulp=16)
@jit
def elementwise_functions(a, b):
    c = np.exp(-(a**2)) * np.sin(3 * b) + np.cos(a) * np.tanh(b)
    d = np.floor(4 * a) + np.ceil(b) - np.trunc(3 * a) + np.sign(b)
    return c, d, np.arctan2(a, b), np.log1p(np.abs(a)), np.isfinite(a).all(), np.copysign(a, b), np.rint(5 * a)


@case(lambda make: (make(7),))
@jit
def tuples_of_arrays(a):
    pair = a[:3], a[3:6]
    triple = pair + (a[1:4],)
    total = np.zeros(3, a.dtype)
    for part in triple:
        total += part
    return triple[2], total, len(triple), a.shape + (2,)


@case(lambda make: (make(4, 3),))
@jit
def buffers_from_shapes(a):
    n, m = a.shape
    b = np.empty((*a.shape, 2), a.dtype)
    b[..., 0] = a
    b[..., 1] = -a
    c = np.empty_like(a, dtype=np.float32)
    c.fill(2)
    d = np.zeros(a.shape[::-1], dtype=a.dtype)
    d += a.T
    return b, c, d, np.zeros_like(b[0]), b.shape == (n, m, 2)
