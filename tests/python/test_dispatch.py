"""Calls of compiled kernels from Python: which arguments are taken, how, what is refused, what comes back."""

from __future__ import annotations

import gc
import math
import sys
import threading
import traceback
import types
import weakref
from collections import namedtuple
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from conftest import Launcher

from mpijit import CompileError, Kernel, MpijitWarning, _core, jit, mpi, njit, prange

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
    "str": ("abc", "a str", ""),
    "bytes": (b"abc", "bytes", "np.frombuffer"),
    "complex": (1j, "a complex number", ""),
    "complex scalar": (np.complex64(1j), "complex64 scalar", ""),
    "range": (range(3), "a range", ""),
    "function": (lambda: 0, "a function", "global"),
    "kernel": (same, "a function", "global"),
    "class": (Unusual, "a class", ""),
    "dtype": (np.float64, "a dtype", ""),
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


# ---- captured names --------------------------------------------------------------------------------------

FACTOR = 2


@jit
def scaled(x):
    return FACTOR * x


def helper(x):
    return x + 1


@jit
def with_helper(x):
    return helper(x)


def test_rebound_globals_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[__name__]
    assert scaled(5) == 10
    for value in (3, 2.5, True, np.float32(0.5), 3, 2):
        monkeypatch.setattr(module, "FACTOR", value)
        assert scaled(5) == value * 5 and type(scaled(5)) is type(value * 5)
    for value in range(100, 130):
        monkeypatch.setattr(module, "FACTOR", value)
        assert scaled(5) == 5 * value
    monkeypatch.setattr(module, "FACTOR", 2)
    assert scaled(5) == 10


def test_equal_values_do_not_compile_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[__name__]
    monkeypatch.setattr(module, "FACTOR", (1 << 40) + 1)
    scaled(1)
    program = scaled._program()
    monkeypatch.setattr(module, "FACTOR", int("1099511627777"))
    assert scaled._program() is program
    monkeypatch.setattr(module, "FACTOR", 0.0)
    scaled(1)
    monkeypatch.setattr(module, "FACTOR", -0.0)
    assert math.copysign(1, scaled(1.0)) == -1


def test_rebound_helpers_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert with_helper(1) == 2
    monkeypatch.setattr(sys.modules[__name__], "helper", lambda x: x + 10)
    assert with_helper(1) == 11
    monkeypatch.undo()
    assert with_helper(1) == 2


def test_shadowed_builtins_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    @jit
    def largest(x, y):
        return max(x, y)

    assert largest(1, 2) == 2
    monkeypatch.setattr(sys.modules[__name__], "max", min, raising=False)
    assert largest(1, 2) == 1
    monkeypatch.undo()
    assert largest(1, 2) == 2


def test_closures() -> None:
    def make(n):
        @jit
        def add(x):
            return x + n

        def rebind(m):
            nonlocal n
            n = m

        return add, rebind

    first, rebind = make(1)
    second, _ = make(10)
    assert (first(1), second(1)) == (2, 11)
    rebind(5)
    assert (first(1), second(1)) == (6, 11)


def test_kernels_are_collected() -> None:
    def make():
        big = 17

        @jit
        def kernel(x):
            return x + big

        kernel.itself = kernel
        kernel(1)
        return weakref.ref(kernel)

    reference = make()
    gc.collect()
    assert reference() is None


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


# ---- printing and signals --------------------------------------------------------------------------------


def test_print_goes_through_sys_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    @jit
    def kernel(x, y, u):
        print("x is", x, y, sep="|", end="!\n")
        print(u, (x, y))
        print()

    u = np.arange(3.0)
    kernel(1, np.float32(0.1), u)
    compiled = capsys.readouterr().out
    kernel.py_func(1, np.float32(0.1), u)
    assert compiled == capsys.readouterr().out


def test_an_error_of_print_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def write(self, text):
            raise OSError("the pipe is broken")

        def flush(self):
            pass

    @jit
    def kernel(x):
        print(x)

    kernel(1)
    monkeypatch.setattr(sys, "stdout", Broken())
    with pytest.raises(OSError, match="the pipe is broken"):
        kernel(1)


def test_kernels_called_while_one_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    @jit
    def inner(x):
        return mpi.allreduce(x) + 1

    @jit
    def outer(x):
        print(x)
        return mpi.allreduce(x)

    seen = []

    class Calls:
        def write(self, text):
            if text.strip():
                seen.append(inner(int(text)))

        def flush(self):
            pass

    monkeypatch.setattr(sys, "stdout", Calls())
    assert outer(5) == 5
    assert seen == [6]


INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from mpijit import jit, mpi

@jit
def spin(u, communicate):
    if communicate:
        mpi.barrier()
    i = 0
    while u[0] == 0.0:
        i += 1
        if i > 1000:
            i = 0
    return i

u = np.zeros(1)
u[0] = 1.0
spin(u, {communicate})
u[0] = 0.0
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
started = time.monotonic()
try:
    spin(u, {communicate})
except KeyboardInterrupt:
    assert time.monotonic() - started < 3
    u[0] = 1.0
    assert spin(u, {communicate}) == 0
    print("interrupted")
"""


@pytest.mark.parametrize("communicate", [True, False])
def test_interrupt(launch: Launcher, communicate: bool) -> None:
    run = launch(None, INTERRUPTED.format(communicate=communicate), timeout=30)
    assert run.out == "interrupted\n", run.text


def test_handlers_of_the_user_run(launch: Launcher) -> None:
    handler = "class Mine(Exception): pass\ndef handler(*_): raise Mine\nsignal.signal(signal.SIGINT, handler)\n"
    code = INTERRUPTED.replace("u = np.zeros(1)", handler + "u = np.zeros(1)")
    code = code.replace("except KeyboardInterrupt", "except Mine")
    run = launch(None, code.format(communicate=True), timeout=30)
    assert run.out == "interrupted\n", run.text


def test_a_stale_interrupt_is_harmless(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import os, signal
        from mpijit import jit

        @jit
        def count(n):
            i = 0
            while i < n:
                i += 1
            return i

        assert count(10) == 10
        try:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000): pass
        except KeyboardInterrupt:
            pass
        assert count(100000) == 100000
        """,
    )
    run.check()


# ---- threads ---------------------------------------------------------------------------------------------


def test_threads_compile_once_and_agree() -> None:
    @jit
    def kernel(u, n):
        s = 0.0
        for i in range(n):
            s += u[i]
        return s

    u = np.arange(100.0)
    results: list[float] = []
    barrier = threading.Barrier(6)

    def work() -> None:
        barrier.wait()
        for _ in range(200):
            results.append(kernel(u, 100))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [4950.0] * 1200
    assert len(kernel.signatures) == 1


# ---- requests --------------------------------------------------------------------------------------------


def test_requests_keep_borrowed_arrays_alive() -> None:
    @jit
    def start(u):
        return mpi.isend(u, 0, 31)

    u = np.full(100_000, 3.0)  # too long to be sent at once
    request = start(u)
    assert type(request) is mpi.Request
    alive = weakref.ref(u)
    del u
    gc.collect()
    assert alive() is not None
    got = np.zeros(100_000)
    assert mpi.recv(got, 0, 31).count == 100_000 and (got == 3).all()
    mpi.wait(request)
    assert alive() is None


# ---- compile, inspect, options ---------------------------------------------------------------------------


def test_compile_ahead(capsys: pytest.CaptureFixture[str]) -> None:
    @jit
    def kernel(u, n=3):
        print("it ran")
        return u[0] * n

    kernel.compile("float64[::1]", "int")
    kernel.compile(np.zeros(3, np.float32))
    kernel.compile("int32[:]", 2.5)
    assert kernel.signatures == ["(float64[::1], int)", "(float32[::1], int)", "(int32[:], float)"]
    assert not capsys.readouterr().out
    with pytest.raises(ValueError, match="not a type"):
        kernel.compile("floaty", 1)
    with pytest.raises(TypeError, match="takes 2 arguments"):
        kernel.compile()
    with pytest.raises(CompileError, match="a list"):
        kernel.compile([1], 2)


def test_inspect() -> None:
    @jit
    def kernel(x):
        return x + 1

    assert kernel.inspect_llvm() == {}
    kernel(1)
    kernel(1.5)
    for inspect in (kernel.inspect_ir, kernel.inspect_llvm, kernel.inspect_asm):
        texts = inspect()
        assert list(texts) == kernel.signatures == ["(int,)", "(float,)"]
        assert all(texts.values())
        assert inspect("(float,)") == inspect(("float",)) == texts["(float,)"]
    assert "define" in kernel.inspect_llvm("int") and "fadd" in kernel.inspect_llvm("float")


def test_explicit_signatures() -> None:
    @jit("float64(float64[:, :], int64)", nopython=True)
    def kernel(u, n):
        return u[0, 0] * n

    assert kernel.signatures == ["(float64[:, ::1], int)", "(float64[:, :], int)"]
    assert kernel(np.ones((2, 2)), 3) == 3.0
    assert len(kernel.signatures) == 2

    @njit(["f8(f8)", "i8(i8)"])
    def both(x):
        return x

    assert both.signatures == ["(float,)", "(int,)"]
    with pytest.raises(ValueError, match="not a type"):
        jit("float64(strange)")(lambda x: x)


def test_numba_options_are_accepted(no_said_warnings: None) -> None:
    with pytest.warns(MpijitWarning) as said:

        @jit(nopython=True, fastmath=True, parallel=True, cache=True, boundscheck=False, nogil=True, inline="always")
        def kernel(x):
            return x + 1.0

    assert {str(w.message).partition("=")[0] for w in said} == {"parallel", "cache", "nogil", "inline"}
    assert all(w.filename == __file__ for w in said)
    assert kernel(1.0) == 2.0


def test_warnings_are_said_once(no_said_warnings: None, recwarn: pytest.WarningsRecorder) -> None:
    for _ in range(2):
        jit(cache=True)(lambda x: x)
    assert len(recwarn) == 1


def test_wrong_options() -> None:
    with pytest.raises(TypeError, match=r"no option 'paralel'.*parallel"):
        jit(paralel=True)
    with pytest.raises(ValueError, match="opt must be one of"):
        jit(opt=7)
    with pytest.raises(ValueError, match="fastmath has no flag 'quick'"):
        jit(fastmath={"quick"})
    for wrong in (3, len, Unusual(), [1]):
        with pytest.raises(TypeError, match="jit takes a Python function"):
            jit(wrong)
    with pytest.raises(TypeError, match="jit takes a Python function"):
        jit()(len)


def test_boundscheck_and_opt() -> None:
    def element(u, i):
        return u[i]

    checked, unchecked = jit(element), jit(boundscheck=False)(element)
    u = np.arange(6.0)[:3]
    assert unchecked(u, 5) == 5.0
    with pytest.raises(IndexError):
        checked(u, 5)
    for level in (0, 2, 3):
        assert jit(opt=level)(element)(u, 1) == 1.0


def test_decorating_a_kernel_again() -> None:
    again = jit(same)
    assert isinstance(again, Kernel) and again.py_func is same.py_func and again is not same


def test_prange_is_range() -> None:
    assert list(prange(3)) == [0, 1, 2] and prange(1, 9, 2) == range(1, 9, 2)


def test_call_is_cheap() -> None:
    """A loose limit: the ratio is measured in bench/."""
    import timeit

    @jit
    def kernel(a, b, c, d):
        return None

    def empty(a, b, c, d):
        return None

    u = np.zeros((4, 4))
    kernel(u, u, u, u)
    ours, pythons = (min(timeit.repeat(lambda f=f: f(u, u, u, u), number=20000, repeat=5)) for f in (kernel, empty))
    assert (ours - pythons) / 20000 < 1e-6
