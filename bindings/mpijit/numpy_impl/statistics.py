"""Variance, averages, median, sums without nan, counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in, built_in_method
from .searching import sort


def _count(a: Any, axis: Any) -> Any:
    return a.size if axis is None else a.shape[axis]


@built_in(np.var)
@built_in_method("var")
def var(a: Any, axis: Any = None, dtype: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    if dtype is not None:
        d = np.dtype(dtype)
    elif a.dtype.kind == "f" or a.dtype.kind == "c":
        d = a.dtype
    else:
        d = np.dtype(np.float64)
    n = _count(a, axis)
    total = np.sum(a, axis=axis, dtype=d, keepdims=True)
    deviations = a - (total / np.int64(n)).astype(d)
    if d.kind == "c":
        squares = deviations.real * deviations.real + deviations.imag * deviations.imag
    else:
        squares = deviations * deviations
    s = np.sum(squares, axis=axis, keepdims=keepdims)
    return (s / np.maximum(np.float64(n - ddof), 0.0)).astype(s.dtype if np.ndim(s) > 0 else squares.dtype)


@built_in(np.std)
@built_in_method("std")
def std(a: Any, axis: Any = None, dtype: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    return np.sqrt(var(a, axis, dtype, ddof, keepdims))


@built_in(np.average)
def average(a: Any, axis: Any = None, weights: Any = None) -> Any:
    if weights is None:
        return np.mean(a, axis=axis)
    else:
        if a.dtype.kind == "f" or a.dtype.kind == "c":
            d = np.result_type(a, weights)
        else:
            d = np.result_type(a, weights, np.float64)
        if axis is None or a.ndim == weights.ndim:
            w = weights.astype(d)
            scale = np.sum(w, axis=axis)
            if np.any(scale == 0):
                raise ZeroDivisionError("Weights sum to zero, can't be normalized")
            return np.sum(a.astype(d) * w, axis=axis) / scale
        else:
            if weights.size != a.shape[axis]:
                raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
            w = weights.astype(d)
            scale = np.sum(w)
            if scale == 0:
                raise ZeroDivisionError("Weights sum to zero, can't be normalized")
            return np.sum(np.moveaxis(a, axis, -1).astype(d) * w, axis=-1) / scale


def _without_nan(a: Any, instead: Any) -> Any:
    if a.dtype.kind == "f" or a.dtype.kind == "c":
        return np.where(np.isnan(a), a.dtype.type(instead), a)
    else:
        return a


@built_in(np.nansum)
def nansum(a: Any, axis: Any = None) -> Any:
    return np.sum(_without_nan(a, 0), axis=axis)


@built_in(np.nanprod)
def nanprod(a: Any, axis: Any = None) -> Any:
    return np.prod(_without_nan(a, 1), axis=axis)


@built_in(np.nanmax)
def nanmax(a: Any, axis: Any = None) -> Any:
    if a.dtype.kind == "f":
        return np.where(np.all(np.isnan(a), axis=axis), np.nan, np.max(_without_nan(a, -np.inf), axis=axis))
    else:
        return np.max(a, axis=axis)


@built_in(np.nanmin)
def nanmin(a: Any, axis: Any = None) -> Any:
    if a.dtype.kind == "f":
        return np.where(np.all(np.isnan(a), axis=axis), np.nan, np.min(_without_nan(a, np.inf), axis=axis))
    else:
        return np.min(a, axis=axis)


@built_in(np.nanmean)
def nanmean(a: Any, axis: Any = None) -> Any:
    if a.dtype.kind == "f" or a.dtype.kind == "c":
        count = np.sum(~np.isnan(a), axis=axis)
        return (np.sum(_without_nan(a, 0), axis=axis) / count).astype(a.dtype)
    else:
        return np.mean(a, axis=axis)


def _middle(values: Any) -> Any:
    """The median of sorted numbers."""
    n = values.size
    if n == 0:
        return values.dtype.type(np.nan)
    if np.isnan(values[n - 1]) or n % 2 == 1:
        return values[n - 1] if np.isnan(values[n - 1]) else values[n // 2]
    return (values[n // 2 - 1] + values[n // 2]) / values.dtype.type(2)


@built_in(np.median)
def median(a: Any, axis: Any = None) -> Any:
    values = a if a.dtype.kind == "f" else a.astype(np.float64)
    if axis is None:
        return _middle(sort(values.ravel()))
    else:
        rows = np.moveaxis(values, axis, -1)
        out = np.empty(rows.shape[:-1], values.dtype)
        for i in np.ndindex(rows.shape[:-1]):
            out[i] = _middle(sort(rows[i]))
        return out if a.ndim > 1 else out[()]


@built_in(np.bincount)
def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    if x.size > 0 and np.min(x) < 0:
        raise ValueError("'list' argument must have no negative elements")
    n = max(int(np.max(x)) + 1 if x.size > 0 else 0, minlength)
    if weights is None:
        counts = np.zeros(n, np.int64)
        for i in range(x.size):
            counts[x[i]] += 1
        return counts
    else:
        if weights.size != x.size:
            raise ValueError("The weights and list don't have the same length.")
        sums = np.zeros(n)
        for i in range(x.size):
            sums[x[i]] += weights[i]
        return sums
