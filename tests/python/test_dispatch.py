"""Calls of compiled kernels from Python: which arguments are taken, how, what is refused, what comes back."""

from __future__ import annotations

import math
import types
from collections import namedtuple
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mpijit import CompileError, _core, jit, mpi

pytestmark = pytest.mark.compiled


@jit
def same(x):
    return x


@jit
def pair(x, y):
    return x, y


DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()


# ---- what goes in comes out ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -1, 2**63 - 1, -(2**63), 1.5, -0.0, math.inf, True, False, None])
def test_python_values_stay_python_values(value: Any) -> None:
    got = same(value)
    assert type(got) is type(value) and repr(got) == repr(value)


def test_nan() -> None:
    assert math.isnan(same(math.nan))


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_scalars_stay_numpy_scalars(dtype: str) -> None:
    kind = np.dtype(dtype)
    for value in {0, 1, *([np.iinfo(kind).min, np.iinfo(kind).max] if kind.kind in "iu" else [])}:
        got = same(kind.type(value))
        assert type(got) is kind.type and got == value


def test_other_classes_of_the_same_size() -> None:
    assert same(np.longlong(-5)) == -5 and same(np.ulonglong(2**64 - 1)) == 2**64 - 1
    u = np.arange(3, dtype=np.longlong)
    assert same(u) is u


@pytest.mark.parametrize("dtype", [*DTYPES, "complex64", "complex128"])
def test_arrays_come_back_as_they_are(dtype: str) -> None:
    for array in (
        np.zeros(5, dtype),
        np.zeros((3, 4), dtype),
        np.zeros((3, 4), dtype, order="F"),
        np.zeros((6, 4), dtype)[::2, 1:3],
        np.zeros(5, dtype)[::-1],
        np.zeros((), dtype),
        np.zeros((3, 0), dtype),
        np.zeros((1, 1), dtype)[::3],
        np.broadcast_to(np.zeros(1, dtype), (4,)),
    ):
        assert same(array) is array


def test_tuples() -> None:
    u, v = np.zeros(3), np.zeros((2, 2), np.float32)
    got = same((1, (u, 2.5), v, None, ()))
    assert got[0] == 1 and got[1][0] is u and got[1][1] == 2.5 and got[2] is v and got[3:] == (None, ())


def test_handles() -> None:
    assert same(mpi.REQUEST_NULL) == mpi.REQUEST_NULL
    status = mpi.recv(np.zeros(1), mpi.PROC_NULL)
    assert same(status) == status and type(same(status)) is mpi.Status


# ---- types -----------------------------------------------------------------------------------------------


def test_type_texts() -> None:
    readonly = np.zeros(3)
    readonly.flags.writeable = False
    for value, text in [
        (1, "int"),
        (1.0, "float"),
        (True, "bool"),
        (None, "none"),
        (np.float32(1), "float32"),
        (np.bool_(1), _core.type_text(np.bool_(1))),
        (np.zeros(3), "float64[::1]"),
        (np.zeros((3, 4), np.int32), "int32[:, ::1]"),
        (np.zeros((3, 4), np.int32).T, "int32[:, :]"),
        (np.zeros((3, 4))[:, 1], "float64[:]"),
        (np.zeros(()), _core.type_text(np.zeros(()))),
        (readonly, "const float64[::1]"),
        ((1, np.zeros(3)), "(int, float64[::1])"),
        ((), "()"),
        (mpi.SUM, "operator"),
        (mpi.COMM_WORLD, "comm"),
        (mpi.REQUEST_NULL, "request"),
    ]:
        assert _core.type_text(value) == text
        assert _core.canonical_type(text) == text
    assert _core.canonical_type("float64[ : ,::1 ]") in ("float64[:, ::1]", None)
    assert _core.canonical_type("nonsense") is None


def test_one_specialisation_per_type() -> None:
    @jit
    def kernel(x):
        return x

    for value in (1, 2, 1.5, np.float32(1), np.zeros(3), np.ones(7), np.zeros((2, 2)), np.zeros((2, 2)).T, 5):
        kernel(value)
    assert kernel.signatures == [
        "(int,)",
        "(float,)",
        "(float32,)",
        "(float64[::1],)",
        "(float64[:, ::1],)",
    ] or len(kernel.signatures) == 5 + (not np.zeros((2, 2)).T.flags.c_contiguous)


class Colour(IntEnum):
    RED = 1


class Unusual:
    pass


class Arrayish:
    def __array__(self, dtype=None, copy=None):
        return np.zeros(3)


Point = namedtuple("Point", "x y")

REFUSED = {
    "list": ([1.0], "argument x is a list", "np.array(x)"),
    "dict": ({}, "a dict", ""),
    "set": ({1}, "a set", ""),
    "str": ("\ud800", "a str that is not valid Unicode", ""),
    "bytes": (b"abc", "bytes", "np.frombuffer"),
    "range": (range(3), "a range", ""),
    "method": ({}.get, "a function", "a kernel"),
    "class": (Unusual, "a class", ""),
    "exception": (ValueError, "a class", ""),
    "dtype": (np.dtype("f8,f8"), "a dtype", "float64"),
    "enum": (Colour.RED, "an enum member", "x.value"),
    "namedtuple": (Point(1, 2), "a Point, a subclass of tuple", "tuple(x)"),
    "fraction": (Fraction(1, 2), "class Fraction", ""),
    "object": (Unusual(), "an object of class Unusual", ""),
    "arrayish": (Arrayish(), "class Arrayish", "np.asarray(x)"),
    "module": (math, "class module", ""),
    "float16": (np.float16(1), "float16 scalar", ""),
    "long double": (np.longdouble(1), "scalar", ""),
    "date": (np.datetime64("2020"), "datetime64", ""),
    "object array": (np.array([None]), "Python objects", "astype"),
    "byte order": (np.zeros(2, ">f8"), "other byte order", "newbyteorder"),
    "float16 array": (np.zeros(2, np.float16), "dtype float16", "float32"),
    "long double array": (np.zeros(2, np.longdouble), "of dtype", "float64"),
    "string array": (np.array(["a"]), "dtype <U1", ""),
    "structured": (np.zeros(2, "f8,i4"), "structured dtype", "x['f0']"),
    "dates": (np.zeros(2, "M8[s]"), "datetime64", ""),
    "unaligned": (np.zeros(17, np.uint8)[1:].view(np.float64), "not aligned", "x.copy()"),
    "masked": (np.ma.zeros(3), "MaskedArray, a subclass of ndarray", "np.asarray(x)"),
    "recarray": (np.zeros(3).view(np.recarray), "a subclass of ndarray", "np.asarray(x)"),
    "behind a function": ((abs, [3]), r"argument x[1] is a list", ""),
    "in a tuple": ((1, (2, [3])), r"argument x[1][1] is a list", ""),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_arguments(case: str) -> None:
    value, what, hint = REFUSED[case]
    with pytest.raises(CompileError) as caught:
        same(value)
    text = str(caught.value)
    assert what in text and hint in text and "same" in text, text
    assert caught.value.filename == __file__ and caught.value.lineno == same.py_func.__code__.co_firstlineno
    assert isinstance(caught.value, TypeError) and len(text.splitlines()) <= 8


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**30])
def test_huge_integers(value: int) -> None:
    same(1)
    with pytest.raises(OverflowError, match="64 bits"):
        same(value)
    with pytest.raises(OverflowError):
        pair((1, value), 2)


# ---- how arguments are given -----------------------------------------------------------------------------


@jit
def many(a, b, /, c, d=4, *, e=5, f):
    return a, b, c, d, e, f


@jit
def plain(a, b, c=3, d=4):
    return a, b, c, d


def test_keywords_and_defaults() -> None:
    assert plain(1, 2) == (1, 2, 3, 4)
    assert plain(1, b=5, d=6) == (1, 5, 3, 6)
    assert plain(d=1, c=2, b=3, a=4) == (4, 3, 2, 1)
    options = {"c": 7}
    assert plain(*(1, 2), **options) == (1, 2, 7, 4)


def test_defaults_are_those_of_the_definition() -> None:
    default = 3

    @jit
    def kernel(x, y=default, z=None):
        return x, y, z

    default = 4
    assert kernel(1) == (1, 3, None)
    assert kernel(1, z=2) == (1, 3, 2)


WRONG_CALLS = [
    ((), {}),
    ((1,), {}),
    ((1, 2, 3), {}),
    ((1, 2, 3, 4, 5), {"f": 1}),
    ((1, 2, 3), {"f": 1, "g": 2}),
    ((1, 2, 3), {"f": 1, "c": 2}),
    ((1,), {"b": 1, "c": 2, "f": 3}),
]


@pytest.mark.parametrize("args, kwargs", WRONG_CALLS)
def test_wrong_calls_get_python_words(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as ours:
        many(*args, **kwargs)
    with pytest.raises(TypeError) as pythons:
        many.py_func(*args, **kwargs)
    assert str(ours.value) == str(pythons.value)


def test_keywords_parameter_is_refused() -> None:
    @jit
    def kernel(x, **options):
        return x

    with pytest.raises(CompileError, match="keywords"):
        kernel(1)


def test_kernels_as_methods() -> None:
    class Solver:
        scale = staticmethod(jit(lambda x: 2 * x))

        @jit
        def step(self, x):
            return x + 1

    assert Solver.scale(3) == 6
    assert isinstance(Solver().step, types.MethodType)
    with pytest.raises(CompileError, match=r"argument self is an object of class .*Solver"):
        Solver().step(1)
