"""The decorator: compiling ahead, looking inside, signatures and options."""

from __future__ import annotations

import numpy as np
import pytest

from mpijit import CompileError, Kernel, MpijitWarning, jit, njit, prange

pytestmark = pytest.mark.compiled


@jit
def same(x):
    return x


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
    for wrong in (3, len, object(), [1]):
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
