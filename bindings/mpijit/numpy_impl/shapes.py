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


@built_in(np.rot90)
def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    if k % 4 == 0:
        return m
    elif k % 4 == 1:
        return np.swapaxes(flip(m, axes[1]), axes[0], axes[1])
    elif k % 4 == 2:
        return flip(flip(m, axes[0]), axes[1])
    else:
        return flip(np.swapaxes(m, axes[0], axes[1]), axes[1])


@built_in(np.take)
def take(a: Any, indices: Any, axis: Any = None) -> Any:
    if axis is None:
        return take(a.ravel(), indices, 0)
    rows = np.moveaxis(a, axis, 0)
    if np.ndim(indices) == 0:
        return rows[indices] if rows.ndim == 1 else rows[indices].copy()
    elif indices.ndim == 1:
        out = np.empty(with_length(a.shape, axis, indices.size), a.dtype)
        to = np.moveaxis(out, axis, 0)
        for k in range(indices.size):
            to[k] = rows[indices[k]]
        return out
    else:
        if axis != 0:
            raise NotImplementedError("of indices in more than one axis np.take is along axis 0 only")
        return take(a, indices.ravel(), 0).reshape(indices.shape + a.shape[1:])


@built_in(np.roll)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    if axis is None:
        return _rolled(a.ravel(), shift, 0).reshape(a.shape)
    elif np.ndim(axis) == 0:
        return _rolled(a, shift, axis)
    else:
        out = a.copy()
        for k in AXES:
            if k < len(axis):
                out = _rolled(out, shift if np.ndim(shift) == 0 else shift[k], axis[k])
        return out


def _rolled(a: Any, shift: Any, axis: Any) -> Any:
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
    if np.ndim(reps) == 0:
        return tile(A, (reps,))
    else:
        times, shape = reps, A.shape
        for k in AXES:
            if k < A.ndim - len(reps):
                times = (1,) + times
            if k < len(reps) - A.ndim:
                shape = (1,) + shape
        # Each axis as two: how often, and what.
        parts, doubled, tiled = (), (), ()
        for k in AXES:
            if k < len(shape):
                parts = parts + (1, shape[k])
                doubled = doubled + (times[k], shape[k])
                tiled = tiled + (times[k] * shape[k],)
        out = np.empty(doubled, A.dtype)
        out[...] = A.reshape(parts)
        return out.reshape(tiled)


@built_in(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0) -> Any:
    if mode != "constant" and mode != "edge" and mode != "wrap" and mode != "reflect" and mode != "symmetric":
        raise ValueError("mode must be 'constant', 'edge', 'wrap', 'reflect' or 'symmetric'")
    shape, inside = (), ()
    for k in AXES:
        if k < array.ndim:
            before, behind = _pair(pad_width, k)
            if before < 0 or behind < 0:
                raise ValueError("index can't contain negative values")
            shape = shape + (before + array.shape[k] + behind,)
            inside = inside + (slice(before, before + array.shape[k]),)
    out = np.empty(shape, array.dtype)
    out[inside] = array
    for k in AXES:
        if k < array.ndim:
            to = np.moveaxis(out, k, 0)
            before, behind = _pair(pad_width, k)
            if mode == "constant":
                first, last = _pair(constant_values, k)
                to[:before] = first
                to[len(to) - behind :] = last
            elif before + behind > 0:
                _extend(to, before, array.shape[k], mode)
    return out


def _pair(widths: Any, k: Any) -> Any:
    """What stands for axis k: one for all, a pair for all, or a pair for each."""
    if np.ndim(widths) == 0:
        return widths, widths
    elif np.ndim(widths) == 1:
        return (widths[0], widths[1]) if len(widths) == 2 else (widths[0], widths[0])
    else:
        return widths[k if len(widths) > 1 else 0]


def _extend(to: Any, before: Any, n: Any, mode: Any) -> None:
    """Continue the n rows from `before` on to both ends."""
    if n == 0:
        raise ValueError("can't extend empty axis using modes other than 'constant' or 'empty'")
    for i in range(len(to)):
        k = i - before
        if k < 0 or k >= n:
            if mode == "edge" or n == 1:
                k = 0 if k < 0 else n - 1
            elif mode == "wrap":
                k = k % n
            elif mode == "symmetric":
                k = min(k % (2 * n), 2 * n - 1 - k % (2 * n))
            else:
                k = min(k % (2 * n - 2), 2 * n - 2 - k % (2 * n - 2))
            to[i] = to[before + k]


@built_in(np.meshgrid)
def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    if indexing != "xy" and indexing != "ij":
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    # With "xy" the first two change places.
    shape = ()
    for k in AXES:
        if k < len(xi):
            if indexing == "xy" and len(xi) > 1 and k < 2:
                shape = shape + (xi[0 if k == 1 else 1].size,)
            else:
                shape = shape + (xi[k].size,)
    out = ()
    for k in AXES:
        if k < len(xi):
            place = ()
            for j in AXES:
                if j < len(xi):
                    if indexing == "xy" and len(xi) > 1 and k < 2 and j < 2:
                        place = place + (None if j == k else slice(None),)
                    else:
                        place = place + (slice(None) if j == k else None,)
            along = xi[k].ravel()[place]
            grid = along if sparse else np.broadcast_to(along, shape)
            out = out + (grid.copy() if copy else grid,)
    return out
