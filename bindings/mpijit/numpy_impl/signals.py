"""Convolution, correlation, interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in
from .searching import search


@built_in(np.correlate)
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    return _sliding(a, np.conjugate(v), mode)


@built_in(np.convolve)
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    if v.size > a.size:
        return _sliding(v, a[::-1], mode)
    return _sliding(a, v[::-1], mode)


def _sliding(a: Any, v: Any, mode: Any) -> Any:
    """The dot products of v with the parts of a it lies over, as it slides along."""
    if a.size == 0:
        raise ValueError("a cannot be empty")
    if v.size == 0:
        raise ValueError("v cannot be empty")
    if mode != "full" and mode != "same" and mode != "valid":
        raise ValueError("Use one of 'valid', 'same', or 'full' for convolve/correlate mode")
    longer, shorter = max(a.size, v.size), min(a.size, v.size)
    if mode == "full":
        n, first = longer + shorter - 1, 1 - v.size
    elif mode == "same":
        n = longer
        first = -(shorter // 2) if a.size >= v.size else shorter // 2 - longer + 1
    else:
        n, first = longer - shorter + 1, min(0, a.size - v.size)
    out = np.empty(n, np.result_type(a, v))
    for i in range(n):
        total = out.dtype.type(0)
        for k in range(max(0, -(first + i)), min(v.size, a.size - (first + i))):
            total += out.dtype.type(a[first + i + k]) * out.dtype.type(v[k])
        out[i] = total
    return out


@built_in(np.interp)
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    if xp.size == 0:
        raise ValueError("array of sample points is empty")
    if xp.size != fp.size:
        raise ValueError("fp and xp are not of the same length.")
    low = np.float64(fp[0] if left is None else left)
    high = np.float64(fp[-1] if right is None else right)
    if np.ndim(x) == 0:
        return _interpolated(np.float64(x), xp, fp, low, high)
    else:
        out = np.empty(x.shape)
        for i in np.ndindex(x.shape):
            out[i] = _interpolated(np.float64(x[i]), xp, fp, low, high)
        return out


def _interpolated(x: Any, xp: Any, fp: Any, low: Any, high: Any) -> Any:
    n = xp.size
    if np.isnan(x):
        return x
    j = search(xp, x, True) - 1
    if j < 0:
        return low
    if x > xp[n - 1]:
        return high
    if j == n - 1 or xp[j] == x:
        return np.float64(fp[j])
    x0, x1, y0, y1 = np.float64(xp[j]), np.float64(xp[j + 1]), np.float64(fp[j]), np.float64(fp[j + 1])
    slope = (y1 - y0) / (x1 - x0)
    y = slope * (x - x0) + y0
    if np.isnan(y):
        y = slope * (x - x1) + y1
        if np.isnan(y) and y0 == y1:
            y = y0
    return y
