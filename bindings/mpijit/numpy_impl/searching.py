"""Positions of elements, binary search, sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in, built_in_method
from .axes import AXES


@built_in(np.nonzero)
@built_in_method("nonzero")
def nonzero(a: Any) -> Any:
    n = np.count_nonzero(a)
    out = ()
    for k in AXES:
        if k < a.ndim:
            out = out + (np.empty(n, np.int64),)
    at = 0
    for i in np.ndindex(a.shape):
        if a[i]:
            for k in AXES:
                if k < a.ndim:
                    out[k][at] = i[k]
            at += 1
    return out


@built_in(np.flatnonzero)
def flatnonzero(a: Any) -> Any:
    return nonzero(a.ravel())[0]


@built_in(np.argwhere)
def argwhere(a: Any) -> Any:
    out = np.empty((np.count_nonzero(a), a.ndim), np.int64)
    at = 0
    for i in np.ndindex(a.shape):
        if a[i]:
            for k in AXES:
                if k < a.ndim:
                    out[at, k] = i[k]
            at += 1
    return out


def comes_before(x: Any, y: Any) -> Any:
    """Whether x comes before y when sorted: numbers, then nan."""
    return x < y or (y != y and x == x)


def search(a: Any, v: Any, right: Any) -> Any:
    low, high = 0, a.size
    while low < high:
        middle = (low + high) // 2
        x = np.promote_types(a.dtype, np.result_type(v)).type(a[middle])
        if (not comes_before(v, x)) if right else comes_before(x, v):
            low = middle + 1
        else:
            high = middle
    return low


@built_in(np.searchsorted)
@built_in_method("searchsorted")
def searchsorted(a: Any, v: Any, side: Any = "left") -> Any:
    if side != "left" and side != "right":
        raise ValueError("search side must be 'left' or 'right'")
    d = np.promote_types(a.dtype, np.result_type(v))
    if np.ndim(v) == 0:
        return np.int64(search(a, d.type(v), side == "right"))
    else:
        out = np.empty(v.shape, np.int64)
        for i in np.ndindex(v.shape):
            out[i] = search(a, d.type(v[i]), side == "right")
        return out


@built_in(np.digitize)
def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    n = bins.size
    rises, falls = True, True
    for k in range(n - 1):
        rises = rises and bins[k] <= bins[k + 1]
        falls = falls and bins[k] >= bins[k + 1]
    if not rises and not falls:
        raise ValueError("bins must be monotonically increasing or decreasing")
    d = np.result_type(x, bins)
    out = np.empty(np.shape(x), np.int64)
    for i in np.ndindex(np.shape(x)):
        v = d.type(x if np.ndim(x) == 0 else x[i])
        out[i] = search(bins, v, not right) if rises else n - search(bins[::-1], v, not right)
    return out if np.ndim(x) > 0 else out[()]


def _merge_sort(values: Any, order: Any) -> None:
    """Sort `order`, numbers of elements, by the values of the elements; equal ones stay as they stand."""
    n = order.size
    spare = np.empty_like(order)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, stop = min(start + width, n), min(start + 2 * width, n)
            i, j = start, middle
            for k in range(start, stop):
                if i < middle and (j >= stop or not comes_before(values[order[j]], values[order[i]])):
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
        order[:] = spare
        width *= 2


@built_in(np.argsort)
@built_in_method("argsort")
def argsort(a: Any, axis: Any = -1, kind: Any = None, stable: Any = None) -> Any:
    if axis is None:
        return argsort(a.ravel(), 0)
    out = np.empty(a.shape, np.int64)
    rows, orders = np.moveaxis(a, axis, -1), np.moveaxis(out, axis, -1)
    for i in np.ndindex(rows.shape[:-1]):
        order = np.arange(rows.shape[-1])
        _merge_sort(rows[i], order)
        orders[i][:] = order
    return out


def _sort_values(values: Any) -> None:
    """Sort contiguous values: short runs by insertion, then merged; equal ones stay as they stand."""
    n = values.size
    width = 16
    for start in range(0, n, width):
        for k in range(start + 1, min(start + width, n)):
            x = values[k]
            j = k
            while j > start and comes_before(x, values[j - 1]):
                values[j] = values[j - 1]
                j -= 1
            values[j] = x
    spare = np.empty_like(values)
    while width < n:
        for start in range(0, n, 2 * width):
            middle, stop = min(start + width, n), min(start + 2 * width, n)
            i, j, k = start, middle, start
            while i < middle and j < stop:
                x, y = values[i], values[j]
                if comes_before(y, x):
                    spare[k] = y
                    j += 1
                else:
                    spare[k] = x
                    i += 1
                k += 1
            spare[k : k + middle - i] = values[i:middle]
            k += middle - i
            spare[k:stop] = values[j:stop]
        values[:] = spare
        width *= 2


@built_in_method("sort")
def sort_in_place(a: Any, axis: Any = -1, kind: Any = None, stable: Any = None) -> None:
    rows = np.moveaxis(a, axis, -1)
    for i in np.ndindex(rows.shape[:-1]):
        values = rows[i].copy()
        _sort_values(values)
        rows[i][:] = values


@built_in(np.sort)
def sort(a: Any, axis: Any = -1, kind: Any = None, stable: Any = None) -> Any:
    if axis is None:
        return sort(a.ravel(), 0)
    out = a.copy()
    sort_in_place(out, axis)
    return out
