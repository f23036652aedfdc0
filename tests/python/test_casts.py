"""Scalars cast to a dtype, by its constructor and by a store: NumPy's values, also where C leaves them open."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_language import agree

from mpijit import jit

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [0.0, -0.5, -1.0, 2.9, 255.9, 300.7, -300.7, 32768.0, 65536.5, -40000.0, 1e10, -1e10, 2.0**31, -(2.0**31) - 1]
FLOATS += [2.0**32 - 1, 2.0**53, 2.0**63, -(2.0**63), 2.0**64 - 2048, 2.0**64, 1e20, -1e20, 1e300, math.inf, -math.inf]
FLOATS += [math.nan]


@jit
def put(a, x):
    a[0] = x


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda t: t.__name__)
def test_floats_stored_in_integers(dtype):
    for value in FLOATS:
        with np.errstate(all="ignore"):
            numbers = [np.float64(value), np.float32(value)]
        if not (dtype is np.uint64 and 2.0**63 <= value < 2.0**64):  # an int beyond int64 on its way
            numbers.append(value)
        for x in numbers:
            agree(put, np.zeros(1, dtype), x)


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda t: t.__name__)
def test_integers_stored_in_integers(dtype):
    for value in (0, 1, -1, 127, 128, 255, 300, 2**15, 2**31, 2**32 + 5, -(2**40), 2**63 - 1):
        agree(put, np.zeros(1, dtype), np.int64(value))
        agree(put, np.zeros(1, dtype), value)


@jit
def constructors(x):
    return np.int8(x), np.int16(x), np.int32(x), np.int64(x)


@jit
def unsigned_constructors(x):
    return np.uint8(x), np.uint16(x), np.uint32(x), np.uint64(x)


@jit
def other_constructors(x):
    return np.float32(x), np.float64(x), np.bool_(x), np.complex64(x)


def test_constructors_of_numpys_scalars():
    with np.errstate(all="ignore"):
        numbers = [kind(x) for x in FLOATS for kind in (np.float64, np.float32)]
    numbers += [np.int64(300), np.int64(-1), np.int64(2**40), np.uint64(2**63), np.int8(-3), np.bool_(True)]
    for x in numbers:
        agree(constructors, x)
        agree(unsigned_constructors, x)
        agree(other_constructors, x)


def test_constructors_of_pythons_numbers():
    for x in (0, -1, 7, 300, 2**40, 2.9, -300.7, 1e20, math.nan, True):
        agree(constructors, x)
        agree(unsigned_constructors, x)
        agree(other_constructors, x)
