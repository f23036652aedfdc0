"""Diagonals, triangles, products of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in, built_in_method


@built_in(np.tri)
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Any:
    out = np.zeros((N, N if M is None else M), dtype)
    for i, j in np.ndindex(out.shape):
        if j <= i + k:
            out[i, j] = 1
    return out


def _square(m: Any) -> Any:
    return m.size, m.size


@built_in(np.tril)
def tril(m: Any, k: Any = 0) -> Any:
    out = np.zeros(_square(m) if m.ndim == 1 else m.shape, m.dtype)
    for i in range(out.shape[-2]):
        for j in range(min(i + k + 1, out.shape[-1])):
            out[..., i, j] = m[..., j] if m.ndim == 1 else m[..., i, j]
    return out


@built_in(np.triu)
def triu(m: Any, k: Any = 0) -> Any:
    out = np.zeros(_square(m) if m.ndim == 1 else m.shape, m.dtype)
    for i in range(out.shape[-2]):
        for j in range(max(i + k, 0), out.shape[-1]):
            out[..., i, j] = m[..., j] if m.ndim == 1 else m[..., i, j]
    return out


@built_in(np.diagonal)
@built_in_method("diagonal")
def diagonal(a: Any, offset: Any = 0) -> Any:
    rows, columns = a.shape
    first = max(-offset, 0)
    n = max(min(rows - first, columns - max(offset, 0)), 0)
    out = np.empty(n, a.dtype)
    for i in range(n):
        out[i] = a[first + i, first + i + offset]
    return out


@built_in(np.diag)
def diag(v: Any, k: Any = 0) -> Any:
    if v.ndim == 1:
        n = v.size + abs(k)
        out = np.zeros((n, n), v.dtype)
        for i in range(v.size):
            out[max(-k, 0) + i, max(k, 0) + i] = v[i]
        return out
    elif v.ndim == 2:
        return diagonal(v, k)
    else:
        raise ValueError("Input must be 1- or 2-d.")


@built_in(np.fill_diagonal)
def fill_diagonal(a: Any, val: Any) -> None:
    for i in range(min(a.shape)):
        a[i, i] = val


@built_in(np.trace)
@built_in_method("trace")
def trace(a: Any, offset: Any = 0) -> Any:
    return np.sum(diagonal(a, offset))


@built_in(np.outer)
def outer(a: Any, b: Any) -> Any:
    return a.ravel()[:, np.newaxis] * b.ravel()


@built_in(np.inner)
def inner(a: Any, b: Any) -> Any:
    if np.ndim(b) < 2:
        return np.dot(a, b)
    return np.dot(a, b.T)


@built_in(np.vdot)
def vdot(a: Any, b: Any) -> Any:
    return np.dot(np.conjugate(a.ravel()), b.ravel())


@built_in(np.kron)
def kron(a: Any, b: Any) -> Any:
    if a.ndim == 1 and b.ndim == 1:
        return (a[:, np.newaxis] * b).reshape(a.size * b.size)
    elif a.ndim == 2 and b.ndim == 2:
        product = a[:, np.newaxis, :, np.newaxis] * b[:, np.newaxis]
        return product.reshape((a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]))


@built_in(np.cross)
def cross(a: Any, b: Any) -> Any:
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 3)")
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out = np.empty(np.shape(x) + (3,), np.result_type(a, b))
    out[..., 0] = x
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


@built_in(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None) -> Any:
    v = x if x.dtype.kind == "f" or x.dtype.kind == "c" else x.astype(np.float64)
    if axis is not None and ord is None:
        return np.sqrt(np.sum(v.real * v.real + v.imag * v.imag if v.dtype.kind == "c" else v * v, axis=axis))
    elif ord is None:
        flat = v.ravel()
        if v.dtype.kind == "c":
            re, im = v.real.ravel(), v.imag.ravel()
            return np.sqrt(np.dot(re, re) + np.dot(im, im))
        else:
            return np.sqrt(np.dot(flat, flat))
    elif x.ndim == 1:
        sizes = np.abs(v)
        if ord == np.inf:
            return np.max(sizes)
        if ord == -np.inf:
            return np.min(sizes)
        if ord == 1:
            return np.sum(sizes)
        return sizes.dtype.type(np.sum(sizes**ord) ** (1 / ord))
    else:
        if ord == 1:
            return np.max(np.sum(np.abs(v), axis=0))
        if ord == np.inf:
            return np.max(np.sum(np.abs(v), axis=1))
        raise NotImplementedError("of matrices there are the norms None, 1 and inf")
