"""Variance, averages, medians and quantiles, sums without nan, counts and histograms."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in, built_in_method
from .searching import search, sort


def _count(a: Any, axis: Any) -> Any:
    if axis is None:
        return a.size
    elif np.ndim(axis) == 0:
        return a.shape[axis]
    else:
        n = 1
        for k in axis:
            n = n * a.shape[k]
        return n


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


@built_in(np.nanvar)
def nanvar(a: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    if a.dtype.kind == "f":
        count = np.sum(~np.isnan(a), axis=axis, keepdims=True)
        mean = (np.sum(_without_nan(a, 0), axis=axis, keepdims=True) / count).astype(a.dtype)
        deviations = np.where(np.isnan(a), a.dtype.type(0), a - mean)
        s = np.sum(deviations * deviations, axis=axis, keepdims=keepdims)
        n = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims) - ddof
        return np.where(n > 0, s / n, np.nan).astype(a.dtype)
    else:
        return var(a, axis, None, ddof, keepdims)


@built_in(np.nanstd)
def nanstd(a: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    return np.sqrt(nanvar(a, axis, ddof, keepdims))


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


@built_in(np.percentile)
def percentile(a: Any, q: Any, axis: Any = None) -> Any:
    if np.any(q < 0) or np.any(q > 100):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return quantile(a, q / 100, axis)


@built_in(np.quantile)
def quantile(a: Any, q: Any, axis: Any = None) -> Any:
    if np.any(q < 0) or np.any(q > 1):
        raise ValueError("Quantiles must be in the range [0, 1]")
    if axis is None:
        return quantile(a.ravel(), q, 0)
    rows = np.moveaxis(a, axis, -1)
    d = np.result_type(a, q, 1.0)
    if np.ndim(q) == 0:
        out = np.empty(rows.shape[:-1], d)
        for i in np.ndindex(rows.shape[:-1]):
            out[i] = _between(sort(rows[i]), q, d)
    else:
        out = np.empty(q.shape + rows.shape[:-1], d)
        for i in np.ndindex(rows.shape[:-1]):
            values = sort(rows[i])
            for j in np.ndindex(q.shape):
                out[j + i] = _between(values, q[j], d)
    return out if out.ndim > 0 else out[()]


def _between(values: Any, q: Any, d: Any) -> Any:
    """The value that a fraction q of the sorted numbers lies below."""
    last = values.size - 1
    if last < 0 or np.isnan(values[last]):
        return d.type(np.nan)
    at = last * float(q)
    k = int(at)
    low, high = d.type(values[k]), d.type(values[min(k + 1, last)])
    part = d.type(at - k)
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


@built_in(np.histogram)
def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = False, weights: Any = None) -> Any:
    flat = a.ravel()
    d = a.dtype if a.dtype.kind == "f" else np.dtype(np.float64)
    if np.ndim(bins) == 0:
        if range is not None:
            edges = _even(float(range[0]), float(range[1]), bins, d)
        elif flat.size > 0:
            edges = _even(d.type(np.min(flat)), d.type(np.max(flat)), bins, d)
        else:
            edges = _even(0.0, 1.0, bins, d)
    else:
        edges = bins
    counts = np.zeros(edges.size - 1, np.int64 if weights is None else weights.dtype)
    for k in np.ndindex(flat.shape):
        i = _bin(d.type(flat[k]), edges, np.ndim(bins) == 0)
        if i >= 0:
            counts[i] += 1 if weights is None else weights.ravel()[k]
    if density:
        return counts / (edges[1:] - edges[:-1]) / np.sum(counts), edges
    return counts, edges


def _even(low: Any, high: Any, bins: Any, d: Any) -> Any:
    if low > high:
        raise ValueError("max must be larger than min in range parameter.")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1, dtype=d)


def _bin(x: Any, edges: Any, even: Any) -> Any:
    """The number of the bin that x falls into, the last one with its upper edge; -1: none."""
    n = edges.size - 1
    if not (edges[0] <= x <= edges[n]):
        return -1
    if even:
        i = min(int((x - edges[0]) / (edges[n] - edges[0]) * n), n - 1)
        if x < edges[i]:
            i -= 1
        elif x >= edges[i + 1] and i != n - 1:
            i += 1
        return i
    return min(search(edges, x, True) - 1, n - 1)


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
