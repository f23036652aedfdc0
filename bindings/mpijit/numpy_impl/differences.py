"""Running sums and products, differences, gradients, integrals."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in, built_in_method
from .axes import with_length
from .shapes import concatenate


def _accumulate(a: Any, out: Any, multiply: Any) -> None:
    for i in np.ndindex(a.shape[:-1]):
        row, to = a[i], out[i]
        if row.size > 0:
            last = out.dtype.type(row[0])
            to[0] = last
            for k in range(1, row.size):
                x = out.dtype.type(row[k])
                last = last * x if multiply else last + x
                to[k] = last


def _accumulated(a: Any, axis: Any, dtype: Any, multiply: Any) -> Any:
    if axis is None:
        return _accumulated(a.ravel(), 0, dtype, multiply)
    if dtype is not None:
        d = dtype
    elif a.dtype.kind == "b" or a.dtype.kind == "i":
        d = np.int64
    elif a.dtype.kind == "u":
        d = np.uint64
    else:
        d = a.dtype
    out = np.empty(a.shape, d)
    _accumulate(np.moveaxis(a, axis, -1), np.moveaxis(out, axis, -1), multiply)
    return out


@built_in(np.cumsum)
@built_in_method("cumsum")
def cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return _accumulated(a, axis, dtype, False)


@built_in(np.cumprod)
@built_in_method("cumprod")
def cumprod(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return _accumulated(a, axis, dtype, True)


def difference(a: Any, axis: Any) -> Any:
    v = np.moveaxis(a, axis, -1)
    if a.dtype.kind == "b":
        w = v[..., 1:] != v[..., :-1]
    else:
        w = v[..., 1:] - v[..., :-1]
    return np.moveaxis(w, -1, axis)


@built_in(np.diff)
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    elif prepend is not None or append is not None:
        parts = (a,)
        if prepend is not None:
            parts = (_edge(prepend, a, axis), *parts)
        if append is not None:
            parts = (*parts, _edge(append, a, axis))
        return diff(concatenate(parts, axis), n, axis)
    elif n == 0:
        return a
    else:
        if n < 0:
            raise ValueError("order must be non-negative")
        out = difference(a, axis)
        for _ in range(n - 1):
            out = difference(out, axis)
        return out


def _edge(x: Any, a: Any, axis: Any) -> Any:
    """A number becomes a row for the end of an axis."""
    return np.full(with_length(a.shape, axis, 1), x) if np.ndim(x) == 0 else x


@built_in(np.ediff1d)
def ediff1d(ary: Any) -> Any:
    return difference(ary.ravel(), 0)


@built_in(np.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    v = np.moveaxis(y, axis, -1)
    if x is None:
        areas = dx * (v[..., 1:] + v[..., :-1]) / 2.0
    elif x.ndim == 1:
        areas = difference(x, 0) * (v[..., 1:] + v[..., :-1]) / 2.0
    else:
        areas = difference(np.moveaxis(x, axis, -1), -1) * (v[..., 1:] + v[..., :-1]) / 2.0
    return np.sum(areas, axis=-1)


@built_in(np.gradient)
def gradient(f: Any, *varargs: Any, axis: Any = None) -> Any:
    if axis is not None:
        return _gradient(f, axis, varargs)
    elif f.ndim == 1:
        return _gradient(f, 0, varargs)
    elif len(varargs) == 2:
        return _gradient(f, 0, varargs[:1]), _gradient(f, 1, varargs[1:])
    else:
        return _gradient(f, 0, varargs), _gradient(f, 1, varargs)


def _gradient(f: Any, axis: Any, spacing: Any) -> Any:
    if f.dtype.kind == "f" or f.dtype.kind == "c":
        d = f.dtype
    else:
        d = np.float64
    if f.shape[axis] < 2:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    out = np.empty(f.shape, d)
    g, to = np.moveaxis(f.astype(d), axis, -1), np.moveaxis(out, axis, -1)
    if len(spacing) == 0:
        _uniform_gradient(g, to, 1.0)
    elif np.ndim(spacing[0]) == 0:
        _uniform_gradient(g, to, spacing[0])
    else:
        x = spacing[0]
        if x.size != f.shape[axis]:
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")
        steps = x[1:] - x[:-1]
        if np.all(steps == steps[0]):
            _uniform_gradient(g, to, steps[0])
        else:
            before, behind = steps[:-1], steps[1:]
            a = -behind / (before * (before + behind))
            b = (behind - before) / (before * behind)
            c = before / (behind * (before + behind))
            to[..., 1:-1] = a * g[..., :-2] + b * g[..., 1:-1] + c * g[..., 2:]
            to[..., 0] = (g[..., 1] - g[..., 0]) / steps[0]
            to[..., -1] = (g[..., -1] - g[..., -2]) / steps[-1]
    return out


def _uniform_gradient(g: Any, to: Any, h: Any) -> None:
    to[..., 1:-1] = (g[..., 2:] - g[..., :-2]) / (2.0 * h)
    to[..., 0] = (g[..., 1] - g[..., 0]) / h
    to[..., -1] = (g[..., -1] - g[..., -2]) / h
