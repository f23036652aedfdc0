"""Arrays put together, repeated, turned around."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in, built_in_method
from .axes import AXES, is_axis, with_length


@built_in(np.concatenate)
def concatenate(arrays: Any, axis: Any = 0, dtype: Any = None) -> Any:
    if len(arrays) == 0:
        raise ValueError("need at least one array to concatenate")
    d = np.result_type(*arrays) if dtype is None else dtype
    if axis is None:
        n = 0
        for a in arrays:
            n += a.size
        flat = np.empty(n, d)
        at = 0
        for a in arrays:
            flat[at : at + a.size] = a.ravel()
            at += a.size
        return flat
    else:
        n = 0
        for a in arrays:
            if a.ndim != arrays[0].ndim:
                raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
            else:
                for k in AXES:
                    if k < a.ndim and not is_axis(k, axis, a.ndim):
                        if a.shape[k] != arrays[0].shape[k]:
                            raise ValueError(
                                "all the input array dimensions except for the concatenation axis must match exactly"
                            )
            n += np.moveaxis(a, axis, 0).shape[0]
        out = np.empty(with_length(arrays[0].shape, axis, n), d)
        to = np.moveaxis(out, axis, 0)
        at = 0
        for a in arrays:
            to[at : at + a.shape[axis]] = np.moveaxis(a, axis, 0)
            at += a.shape[axis]
        return out


@built_in(np.stack)
def stack(arrays: Any, axis: Any = 0, dtype: Any = None) -> Any:
    if len(arrays) == 0:
        raise ValueError("need at least one array to stack")
    expanded = ()
    for a in arrays:
        expanded = expanded + (np.expand_dims(a, axis),)
    return concatenate(expanded, axis, dtype)


@built_in(np.hstack)
def hstack(tup: Any, dtype: Any = None) -> Any:
    if len(tup) > 0 and tup[0].ndim > 1:
        return concatenate(tup, 1, dtype)
    return concatenate(tup, 0, dtype)


@built_in(np.vstack)
def vstack(tup: Any, dtype: Any = None) -> Any:
    rows = ()
    for a in tup:
        rows = rows + (a[np.newaxis] if a.ndim == 1 else a,)
    return concatenate(rows, 0, dtype)


@built_in(np.column_stack)
def column_stack(tup: Any) -> Any:
    columns = ()
    for a in tup:
        columns = columns + (a[:, np.newaxis] if a.ndim == 1 else a,)
    return concatenate(columns, 1)


@built_in(np.append)
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    return concatenate((arr, values), axis)


@built_in(np.flip)
def flip(m: Any, axis: Any = None) -> Any:
    v = m
    for k in AXES:
        if k < m.ndim and is_axis(k, axis, m.ndim):
            v = np.moveaxis(np.moveaxis(v, k, 0)[::-1], 0, k)
    return v


@built_in(np.flipud)
def flipud(m: Any) -> Any:
    if m.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return m[::-1]


@built_in(np.fliplr)
def fliplr(m: Any) -> Any:
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return m[:, ::-1]


@built_in(np.roll)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    out = np.empty_like(a)
    source, to = np.moveaxis(a, axis, 0), np.moveaxis(out, axis, 0)
    n = len(source)
    if n > 0:
        k = shift % n
        to[k:] = source[: n - k]
        to[:k] = source[n - k :]
    return out


@built_in(np.repeat)
@built_in_method("repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    if axis is None:
        return repeat(a.ravel(), repeats, 0)
    source = np.moveaxis(a, axis, 0)
    n = len(source)
    if np.ndim(repeats) == 0:
        out = np.empty(with_length(a.shape, axis, n * repeats), a.dtype)
        to = np.moveaxis(out, axis, 0)
        for i in range(n):
            to[i * repeats : (i + 1) * repeats] = source[i]
        return out
    else:
        if len(repeats) != n:
            raise ValueError("operands could not be broadcast together")
        if np.any(repeats < 0):
            raise ValueError("repeats may not contain negative values.")
        out = np.empty(with_length(a.shape, axis, int(np.sum(repeats))), a.dtype)
        to = np.moveaxis(out, axis, 0)
        at = 0
        for i in range(n):
            m = int(repeats[i])
            to[at : at + m] = source[i]
            at += m
        return out


@built_in(np.tile)
def tile(A: Any, reps: Any) -> Any:
    if np.ndim(reps) > 0:
        if len(reps) == 1:
            return tile(A, reps[0])
        else:
            rows, columns = reps
            row = tile(A[np.newaxis] if A.ndim == 1 else A, columns)
            return tile(row.T, rows).T
    else:
        n = A.shape[-1]
        out = np.empty(with_length(A.shape, -1, n * reps), A.dtype)
        for k in range(reps):
            out[..., k * n : (k + 1) * n] = A
        return out


@built_in(np.meshgrid)
def meshgrid(*xi: Any, indexing: Any = "xy") -> Any:
    if indexing != "xy" and indexing != "ij":
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    if len(xi) == 1:
        return (xi[0].copy(),)
    elif len(xi) == 2:
        x, y = xi
        if indexing == "xy":
            shape = (y.size, x.size)
            first, second = np.empty(shape, x.dtype), np.empty(shape, y.dtype)
            first[:] = x
            second[:] = y[:, np.newaxis]
        else:
            shape = (x.size, y.size)
            first, second = np.empty(shape, x.dtype), np.empty(shape, y.dtype)
            first[:] = x[:, np.newaxis]
            second[:] = y
        return first, second
    else:
        x, y, z = xi
        shape = (y.size, x.size, z.size) if indexing == "xy" else (x.size, y.size, z.size)
        first, second, third = np.empty(shape, x.dtype), np.empty(shape, y.dtype), np.empty(shape, z.dtype)
        if indexing == "xy":
            first[:] = x[:, np.newaxis]
            second[:] = y[:, np.newaxis, np.newaxis]
        else:
            first[:] = x[:, np.newaxis, np.newaxis]
            second[:] = y[:, np.newaxis]
        third[:] = z
        return first, second, third
