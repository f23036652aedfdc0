"""Ufuncs at the ends of their dtypes: compiled as NumPy's, of arrays and of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import jit


@jit
def spacing(x):
    return np.spacing(x)


@jit
def bitwise_count(x):
    return np.bitwise_count(x)


@jit
def divisors(x, y):
    return np.gcd(x, y), np.lcm(x, y)


@jit
def square(x):
    return np.square(x)


@jit
def degrees_and_radians(x):
    return np.degrees(x), np.rad2deg(x), np.radians(x), np.deg2rad(x)


def check(kernel: Any, x: Any) -> None:
    with np.errstate(all="ignore"):
        for given in (x, *x) if isinstance(x, np.ndarray) else (x,):
            got, wanted = kernel(given), kernel.py_func(given)
            assert same(got, wanted), f"{got!r} instead of {wanted!r} of {given!r}"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_spacing_of_floats(dtype: str) -> None:
    info = np.finfo(dtype)
    ends = [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, info.max, -info.max, info.tiny, -info.smallest_subnormal]
    check(spacing, np.array(ends, dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_angles(dtype: str) -> None:
    check(degrees_and_radians, np.array([0.5, -1, 3.25, 180, 1e6, np.inf, np.nan], dtype))


@pytest.mark.parametrize("dtype", ["int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_spacing_of_integers(dtype: str) -> None:
    check(spacing, np.array([0, 1, 2, 100, np.iinfo(dtype).max], dtype))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_of_integers(dtype: str) -> None:
    info = np.iinfo(dtype)
    x = np.array([0, 1, 2, 100, info.min, info.max, info.max - 1, info.min // 2], dtype)
    check(bitwise_count, x)
    check(square, x)


INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("other", [*INTEGERS, "bool", int])
def test_divisors(dtype: str, other: Any) -> None:
    if other is not int and np.promote_types(dtype, other).kind == "f":
        return  # floats have no divisors
    info = np.iinfo(dtype)
    x = np.array([0, 1, 2, 12, 90, info.min, info.max, info.min // 2, info.max - 1, 33], dtype)
    # Python's numbers must fit the dtype.
    ys: Any = [y for y in (0, 1, 12, -18, 105) if y >= info.min] if other is int else x.astype(other)
    for given, y in [(x, ys[0]), (x[:0], ys[1]), *((x, y) for y in ys), *zip(x, ys, strict=False)]:
        assert same(divisors(given, y), divisors.py_func(given, y)), (given, y)
    if other is not int:
        assert same(divisors(x[::2], ys[::2]), divisors.py_func(x[::2], ys[::2]))


@pytest.mark.parametrize("x", [0, 5, -7, True, False, -(2**63), np.array([True, False])], ids=repr)
def test_of_python_numbers_and_bools(x: Any) -> None:
    check(bitwise_count, x)
    check(square, x)


@jit
def floats_of_two(x, y):
    return np.hypot(x, y), np.nextafter(x, y), np.copysign(x, y), np.heaviside(x, y), np.logaddexp(x, y)


# NumPy's float16, of two dtypes of one byte, is float32 here.
DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]


@pytest.mark.compiled
@pytest.mark.parametrize("second", DTYPES)
@pytest.mark.parametrize("first", DTYPES)
def test_floats_of_two_dtypes(first: str, second: str) -> None:
    x, y = np.dtype(first).type(3), np.dtype(second).type(4)
    wanted = [np.promote_types(r.dtype, np.float32) for r in floats_of_two.py_func(x, y)]
    assert [r.dtype for r in floats_of_two(x, y)] == wanted
    assert [r.dtype for r in floats_of_two(np.array([x]), y)] == wanted
