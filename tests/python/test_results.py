"""What compiled kernels give back: who owns the memory, and which exceptions with which traceback."""

from __future__ import annotations

import gc
import sys
import traceback
import weakref
from typing import Any

import numpy as np
import pytest

from mpijit import CompileError, _core, jit

pytestmark = pytest.mark.compiled


@jit
def same(x):
    return x


# ---- results ---------------------------------------------------------------------------------------------


def test_views_of_arguments_keep_them_alive() -> None:
    @jit
    def tail(u):
        return u[1:]

    u = np.arange(5.0)
    view = tail(u)
    assert view.base is u and view.tolist() == [1, 2, 3, 4]
    view[0] = 9
    assert u[1] == 9
    alive = weakref.ref(u)
    del u
    gc.collect()
    assert alive() is not None
    del view
    assert alive() is None


def test_a_view_of_a_part_has_the_part_as_base() -> None:
    @jit
    def last(x):
        return x[1][::-1]

    u, v = np.zeros(3), np.arange(4.0)
    got = last((u, v))
    assert got.base is v and got.tolist() == [3, 2, 1, 0]


def test_read_only_arguments() -> None:
    u = np.zeros(4)
    u.flags.writeable = False

    @jit
    def tail(u):
        return u[1:]

    assert same(u) is u
    assert not tail(u).flags.writeable

    @jit
    def store(u):
        u[0] = 1.0

    with pytest.raises((ValueError, CompileError), match="read-only"):
        store(u)
    assert u[0] == 0


def test_new_arrays_own_their_memory() -> None:
    @jit
    def fresh(n):
        u = np.zeros(n)
        v = np.ones((n, 2), np.float32)
        return u, u[1:], v

    before = _core.live_blocks()
    u, tail, v = fresh(4)
    assert _core.live_blocks() == before + 2
    u[2] = 7
    assert tail[1] == 7 and v.dtype == np.float32 and v.shape == (4, 2) and u.flags.writeable
    del u, v
    assert tail[1] == 7 and _core.live_blocks() == before + 1
    del tail
    assert _core.live_blocks() == before
    with pytest.raises(ValueError):
        fresh(-1)
    assert _core.live_blocks() == before


def test_no_references_are_lost() -> None:
    u = np.zeros(3)
    args = (u, (u, 1.5), 2**40, np.float32(2))
    for value in args:
        same(value)
    counts = [sys.getrefcount(value) for value in (*args, same, None)]
    for _ in range(100):
        for value in args:
            same(value)
        with pytest.raises(TypeError):
            same()
    after = [sys.getrefcount(value) for value in (*args, same, None)]
    assert all(abs(a - b) < 20 for a, b in zip(counts, after, strict=True)), (counts, after)


# ---- errors ----------------------------------------------------------------------------------------------


def test_traceback_shows_the_kernels_lines() -> None:
    @jit
    def inner(u, i):
        return u[i]  # the failing line

    @jit
    def outer(u, i):
        return inner(u, i) + 1  # its caller

    u = np.zeros(3)
    assert outer(u, 2) == 1
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3") as caught:
        outer(u, 7)
    text = "".join(traceback.format_exception(caught.value))
    assert text.index("its caller") < text.index("the failing line"), text
    assert "in outer" in text and "in inner" in text and __file__ in text
    assert outer(u, 1) == 1  # and it still works


def test_raise_with_and_without_a_message() -> None:
    @jit
    def kernel(x):
        if x == 0:
            raise ValueError
        if x == 1:
            raise KeyError("the key")
        assert x > 2
        assert x > 3, "the message"

    for x, error, args in [
        (0, ValueError, ()),
        (1, KeyError, ("the key",)),
        (2, AssertionError, ()),
        (3, AssertionError, ("the message",)),
    ]:
        with pytest.raises(error) as caught:
            kernel(x)
        assert caught.value.args == args
    assert kernel(4) is None


def test_compile_errors_have_a_place() -> None:
    @jit
    def kernel(x):
        y = {}
        return y

    with pytest.raises(CompileError) as caught:
        kernel(1)
    error = caught.value
    assert error.filename == __file__
    assert error.lineno == kernel.py_func.__code__.co_firstlineno + 2
    assert error.offset == 13
    assert "y = {}" in str(error) and "^" in str(error) and error.message in str(error)
    assert len(str(error).splitlines()) <= 8


def test_source_that_cannot_be_had() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x):\n    return x", namespace)
    with pytest.raises(CompileError, match="source"):
        jit(namespace["f"])(1)
