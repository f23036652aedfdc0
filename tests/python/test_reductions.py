"""Reductions in kernels against NumPy's: nothing to reduce, and nothing to reduce over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import jit


@jit
def extrema_along_rows(a):
    return a.max(0), a.min(0), a.argmax(0), a.argmin(0)


@jit
def extrema_along_columns(a):
    return a.max(1), a.min(1), a.argmax(1), a.argmin(1)


@jit
def of_no_axes(a):
    x = a[0, ...]
    return (
        np.sum(x),
        x.sum(dtype=np.int8),
        np.mean(x),
        np.argmin(x),
        x.argmax(),
        np.ptp(x),
        x.prod(dtype="float32"),
        x.max(),
    )


@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (2, 0), (2, 3)], ids=str)
@pytest.mark.parametrize("kernel", [extrema_along_rows, extrema_along_columns], ids=["rows", "columns"])
def test_extrema_of_empty_arrays(kernel: Any, shape: tuple[int, int]) -> None:
    a = np.ones(shape)
    try:
        expected = kernel.py_func(a)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)):
            kernel(a)
    else:
        assert same(kernel(a), expected)


@pytest.mark.parametrize("x", [3.5, np.float32(300.5), np.int16(-300), np.uint64(7), np.inf], ids=repr)
def test_no_axes(x: Any) -> None:
    a = np.array([x])
    with np.errstate(all="ignore"):
        assert same(of_no_axes(a), of_no_axes.py_func(a))


@jit
def over_no_axis(x):
    return np.sum(x, axis=()), np.mean(x, axis=()), np.prod(x, axis=()), np.any(x, axis=())


@jit
def of_all(x):
    return np.sum(x), np.mean(x), np.prod(x), np.any(x)


@pytest.mark.parametrize("x", [-0.0, np.float32(-0.0), complex(-0.0, -0.0), True, np.uint8(7), np.int16(-3)], ids=repr)
def test_of_one_element(x: Any) -> None:
    for given in (x, np.array(x), np.array([x]), np.array([[x]])):
        assert same(of_all(given), of_all.py_func(given))
    assert same(over_no_axis(np.array([x, x])), over_no_axis.py_func(np.array([x, x])))
