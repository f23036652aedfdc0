"""Arrays as sets: which values they have, and which are in others."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in
from .searching import argsort, comes_before, search, sort


@built_in(np.unique)
def unique(ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False) -> Any:
    if return_index or return_inverse or return_counts:
        return _unique_with(ar, return_index, return_inverse, return_counts)
    ordered = sort(ar, None)
    found = 0
    for k in range(ordered.size):
        if k == 0 or comes_before(ordered[found - 1], ordered[k]):
            ordered[found] = ordered[k]
            found += 1
    return ordered[:found].copy()


def _unique_with(ar: Any, return_index: Any, return_inverse: Any, return_counts: Any) -> Any:
    flat = ar.ravel()
    n = flat.size
    order = argsort(flat, 0)
    starts, inverse = np.empty(n + 1, np.int64), np.empty(n, np.int64)  # starts: of the runs of equal values
    found = 0
    for k in range(n):
        if k == 0 or comes_before(flat[order[k - 1]], flat[order[k]]):
            starts[found] = k
            found += 1
        inverse[order[k]] = found - 1
    starts[found] = n
    values = np.empty(found, ar.dtype)
    first, counts = np.empty(found, np.int64), np.empty(found, np.int64)
    for k in range(found):
        first[k] = order[starts[k]]
        values[k] = flat[first[k]]
        counts[k] = starts[k + 1] - starts[k]
    out = (values,)
    if return_index:
        out = out + (first,)
    if return_inverse:
        out = out + (inverse.reshape(ar.shape),)
    if return_counts:
        out = out + (counts,)
    return out


@built_in(np.isin)
def isin(element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False) -> Any:
    wanted = sort(np.asarray(test_elements), None)
    d = np.result_type(element, wanted)
    out = np.empty(element.shape, np.bool_)
    for i in np.ndindex(element.shape):
        x = d.type(element[i])
        k = search(wanted, x, False)
        found = k < wanted.size and d.type(wanted[k]) == x
        out[i] = found != invert
    return out


@built_in(np.union1d)
def union1d(ar1: Any, ar2: Any) -> Any:
    return unique(np.concatenate((ar1, ar2), axis=None))


@built_in(np.intersect1d)
def intersect1d(ar1: Any, ar2: Any) -> Any:
    return _those_of(unique(ar1), unique(ar2), True, np.result_type(ar1, ar2))


@built_in(np.setdiff1d)
def setdiff1d(ar1: Any, ar2: Any) -> Any:
    return _those_of(unique(ar1), unique(ar2), False, ar1.dtype)


def _those_of(values: Any, others: Any, contained: Any, dtype: Any) -> Any:
    """The values that the others have, or have not."""
    picked = isin(values, others, False, not contained)
    out = np.empty(np.count_nonzero(picked), dtype)
    at = 0
    for k in range(values.size):
        if picked[k]:
            out[at] = values[k]
            at += 1
    return out
