"""`mpijit.overload`: functions that kernels call in place of the ones they name."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import same

import mpijit
from mpijit import CompileError, _overloads, jit


@pytest.fixture(autouse=True)
def restore() -> Iterator[None]:
    """Forget what a test registers."""
    before = dict(_overloads._registered)
    yield
    _overloads._registered.clear()
    _overloads._registered.update(before)
    _overloads._state["generation"] = object()


# ---- three functions of our own ------------------------------------------------------------------------------


@mpijit.overload(np.unwrap)
def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    out = p.copy()
    limit = period / 2 if discont is None else max(discont, period / 2)
    turns = 0.0
    for i in range(1, p.size):
        step = p[i] - p[i - 1]
        wrapped = (step + period / 2) % period - period / 2
        if wrapped == -period / 2 and step > 0:
            wrapped = period / 2
        if abs(step) >= limit:
            turns += wrapped - step
        out[i] = p[i] + turns
    return out


@mpijit.overload(np.delete)
def delete(arr, obj, axis=None):
    if axis is None and arr.ndim > 1:
        return np.delete(arr.ravel(), obj)
    else:
        k = obj + arr.shape[0] if obj < 0 else obj
        out = np.empty((arr.shape[0] - 1,) + arr.shape[1:], arr.dtype)
        out[:k] = arr[:k]
        out[k:] = arr[k + 1 :]
        return out


@mpijit.overload(np.cov)
def cov(m):
    n = m.shape[-1]
    deviations = m - np.average(m, axis=1)[:, np.newaxis]
    return np.dot(deviations, np.pad(deviations, 0).T) / (n - 1)


def test_defaults_and_keywords() -> None:
    def f(p):
        return np.unwrap(p), np.unwrap(p, 4.0), np.unwrap(p, period=3.0), np.unwrap(period=2.0, p=p)

    p = np.array([0.0, 1.5, 3.2, -2.8, -1.0, 9.0, 2.5, 2.5])
    for found, expected in zip(jit(f)(p), f(p), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
@pytest.mark.parametrize("shape", [(3,), (2,), (2, 3), (2, 1)])
def test_any_number_of_axes(dtype: str, shape: tuple[int, ...]) -> None:
    def f(a, n):
        return np.delete(a, n), np.delete(a, -1), np.delete(a, axis=0, obj=n)

    a = (np.arange(np.prod(shape)) + 1).reshape(shape).astype(dtype)
    assert same(jit(f)(a, 1), f(a, 1))


def test_calls_of_other_overloads() -> None:
    def f(a):
        return np.cov(a)

    a = np.random.default_rng(1).random((3, 9))
    np.testing.assert_allclose(jit(f)(a), f(a), rtol=1e-12)


# ---- what is registered, and when ----------------------------------------------------------------------------


def test_nothing_changes_outside_of_kernels() -> None:
    @mpijit.overload(np.sinc)
    def sinc(x):
        return 17.0

    assert sinc(1.0) == 17.0
    assert np.sinc(0.0) == 1.0
    assert jit(lambda x: np.sinc(x)).py_func(0.0) == 1.0


@pytest.mark.compiled
def test_a_compiled_kernel_sees_what_is_registered_later() -> None:
    @jit
    def f(x):
        return np.sinc(x)

    with pytest.raises(CompileError, match=r"np\.sinc"):
        f(0.5)
    for answer in (1, 2.5, 1):

        @mpijit.overload(np.sinc)
        def sinc(x):
            return answer  # noqa: B023 (each is called before the next is made)

        assert f(0.5) == answer
        assert type(f(0.5)) is type(answer)
    assert len(f._compiled) == 2


@pytest.mark.compiled
def test_it_goes_before_what_the_compiler_knows() -> None:
    @jit
    def f(a):
        return np.sum(a), np.cumsum(a)[-1], a.sum(), np.sin(a[0])

    a = np.arange(3.0)
    assert f(a) == (3.0, 3.0, 3.0, 0.0)

    @mpijit.overload(np.sum)
    @jit
    def total(x):
        return -1

    @mpijit.overload(np.cumsum)
    def running(x):
        return (7, 8)

    @mpijit.overload(np.sin)
    def sine(x):
        return 5

    assert f(a) == (-1, 8, 3.0, 5)
    # not inside mpijit's own implementations: np.var adds with np.sum
    assert jit(lambda a: np.var(a))(a) == np.var(a)


@pytest.mark.compiled
def test_functions_of_other_packages() -> None:
    other = types.ModuleType("other")
    exec("def f(x):\n    return open(x)\nlength = f", vars(other))

    @mpijit.overload(other.f)
    def f(x):
        return x + 1

    @jit
    def kernel(x):
        return other.f(x), other.length(x)

    assert kernel(2) == (3, 3)


@pytest.mark.compiled
def test_passed_as_an_argument() -> None:
    @mpijit.overload(np.sinc)
    def sinc(x):
        return 2 * x

    @jit
    def apply(f, x):
        return f(x)

    assert apply(np.sinc, 4) == 8
    assert same(apply(np.cumsum, np.arange(3)), np.array([0, 1, 3]))

    @mpijit.overload(np.sinc)
    def another(x):
        return 3 * x

    assert apply(np.sinc, 4) == 12


@pytest.mark.compiled
def test_what_a_call_writes_is_known() -> None:
    @mpijit.overload(np.sinc)
    def sinc(x, axis=-1, flag=False):
        if flag:
            return x.no_such_attribute
        elif axis == -1:
            return np.sum(x, axis=axis)
        else:
            return np.sum(x, axis=axis, keepdims=not flag)

    @mpijit.overload(np.i0)
    def halved(n, m=2):
        while n > 1:  # rebound: no literal
            n = n // 2
        return n + m

    @jit
    def f(a):
        return np.sinc(a), np.sinc(a, 0), np.i0(40), np.i0(m=np.i0(7), n=3)

    a = np.ones((2, 3))
    sums, kept, one, another = f(a)
    assert same(sums, a.sum(-1))
    assert same(kept, a.sum(0, keepdims=True))
    assert (one, another) == (3, 4)


@pytest.mark.compiled
def test_an_error_inside_points_at_the_call() -> None:
    @jit
    def f(a):
        b = a + 1
        return np.concatenate((b, b[0]))

    with pytest.raises(ValueError, match="must match exactly") as raised:
        f(np.ones((2, 3)))
    functions = [entry.name for entry in raised.traceback]
    assert functions[-2:] == ["f", "concatenate"]
    assert raised.traceback[-2].lineno == f.py_func.__code__.co_firstlineno + 2


@pytest.mark.compiled
def test_a_refusal_inside_points_at_the_call() -> None:
    @jit
    def f(a, k):
        return 1 + np.cumsum(a, k)

    with pytest.raises(CompileError, match=r"cumsum \(differences\.py:\d+\): an axis must be known") as refused:
        f(np.ones(3), 0)
    assert refused.value.filename == __file__
    assert refused.value.lineno == f.py_func.__code__.co_firstlineno + 2
    assert "1 + np.cumsum(a, k)" in str(refused.value)


@pytest.mark.parametrize("what", [3, np.float64, "np.sum", jit(lambda x: x)])
def test_only_functions_can_be_overloaded(what: Any) -> None:
    with pytest.raises(TypeError, match="overload takes the function"):
        mpijit.overload(what)


@pytest.mark.parametrize("what", [3, np.sum, len, int])
def test_only_python_functions_are_implementations(what: Any) -> None:
    with pytest.raises(TypeError, match="an implementation is a Python function"):
        mpijit.overload(np.sinc)(what)


@pytest.mark.compiled
def test_numpy_impl_is_loaded_for_kernels_that_need_it(tmp_path: Path) -> None:
    program = """
        import sys, numpy as np
        from mpijit import jit
        assert "mpijit.numpy_impl" not in sys.modules
        kernel = jit(lambda a: a * 2 + a.shape[0] + np.sin(a))
        kernel(np.ones(3))
        assert "mpijit.numpy_impl" not in sys.modules
        assert (jit(lambda a: np.cumsum(a))(np.ones(3)) == (1, 2, 3)).all()
    """
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    subprocess.run([sys.executable, str(path)], check=True, timeout=60)
