"""Kernels against CPython and NumPy: the same function compiled and as `py_func`.

Values, their types, arrays changed in place and exceptions must agree. Where the language differs on purpose
(docs/differences.md) the expected value is stated.
"""

from __future__ import annotations

import copy
import itertools
import math
from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import jit

DTYPES = [
    np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float32, np.float64,
]  # fmt: skip

GLOBAL = 3


def outcome(f: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a call does: its value or exception, and its arguments afterwards."""
    args = copy.deepcopy(args)
    try:
        with np.errstate(all="ignore"):
            return "value", f(*args), args
    except Exception as error:  # compared by class
        return "raises", type(error), args


def agree(kernel: Any, *args: Any) -> None:
    """The compiled kernel does what CPython does."""
    compiled = outcome(kernel, args)
    interpreted = outcome(kernel.py_func, args)
    assert same(compiled, interpreted), f"compiled {compiled}, interpreted {interpreted}"


# ---- element arithmetic over all dtypes --------------------------------------------------------------------


@jit
def add(a, b):
    return a[0] + b[0]


@jit
def sub(a, b):
    return a[0] - b[0]


@jit
def mul(a, b):
    return a[0] * b[0]


@jit
def div(a, b):
    return a[0] / b[0]


@jit
def floordiv(a, b):
    return a[0] // b[0]


@jit
def mod(a, b):
    return a[0] % b[0]


@jit
def less(a, b):
    return a[0] < b[0]


@jit
def equal(a, b):
    return a[0] == b[0]


SAMPLES = {
    "b": [0, 1],
    "i": [-128, -7, -1, 0, 1, 2, 127],
    "u": [0, 1, 2, 7, 255],
    "f": [-2.5, -0.0, 0.0, 0.5, 3.0, np.nan, np.inf],
}


@pytest.mark.parametrize("kernel", [add, sub, mul, div, floordiv, mod, less, equal], ids=lambda k: k.__name__)
@pytest.mark.parametrize("p", DTYPES, ids=lambda d: np.dtype(d).name)
def test_elements(kernel: Any, p: Any) -> None:
    for q in DTYPES:
        kinds = np.dtype(p).kind + np.dtype(q).kind
        if kernel is sub and kinds == "bb":
            continue  # a compile-time error, tested with the refusals
        for x, y in itertools.product(SAMPLES[kinds[0]], SAMPLES[kinds[1]]):
            agree(kernel, np.array([x], p), np.array([y], q))


@jit
def add_weak(a, x):
    return a[0] + x


@jit
def times_weak(a, x):
    return a[0] * x


@pytest.mark.parametrize("p", DTYPES, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("kernel", [add_weak, times_weak], ids=lambda k: k.__name__)
def test_weak_scalars(kernel: Any, p: Any) -> None:
    for x in SAMPLES[np.dtype(p).kind]:
        for y in (True, 2, -1, 300, 0.1):
            agree(kernel, np.array([x], p), y)


@jit
def power_of(a, n):
    return a[0] ** n


@pytest.mark.parametrize("p", DTYPES[1:], ids=lambda d: np.dtype(d).name)
def test_power(p: Any) -> None:
    for x in (0, 1, 2, 3):
        for n in (0, 1, 2, 5):
            agree(power_of, np.array([x], p), n)


@jit
def store(a, x):
    a[1] = x


@pytest.mark.parametrize("p", DTYPES, ids=lambda d: np.dtype(d).name)
def test_stores(p: Any) -> None:
    strong = (np.float32(1.5), np.float32(300.5), np.int8(-3), np.int64(300), np.uint64(2**63), np.uint64(7))
    for x in (True, 0, 5, -1, 300, 2.75, -2.75, math.nan, 1e20, *strong):
        agree(store, np.zeros(3, p), x)


# ---- scalars -----------------------------------------------------------------------------------------------


@jit
def many(a, b):
    ordered = a < b, a <= b, a == b, a != b, a > b, a >= b
    return a + b, a - b, a * b, -a, +a, abs(a), ordered, not a, min(a, b), max(a, b)


@pytest.mark.parametrize("a, b", itertools.product([3, -4, 0, 2.5, -0.0, np.nan], repeat=2))
def test_python_numbers(a: Any, b: Any) -> None:
    if type(a) is type(b):  # min and max of an int and a float give the joined type
        agree(many, a, b)


@jit
def integers(a, b):
    return a // b, a % b, divmod(a, b), a & b, a | b, a ^ b, ~a


@pytest.mark.parametrize("a, b", itertools.product([7, -7, 2, -2, 0, 2**62, -(2**63)], repeat=2))
def test_python_integers(a: int, b: int) -> None:
    agree(integers, a, b)


@jit
def joins(c):
    x = 1
    if c > 0:
        x = 2.5
    return x


@pytest.mark.compiled
def test_joined_type() -> None:
    assert same(joins(1), 2.5)
    assert same(joins(-1), 1.0)  # the joined type


@jit
def with_defaults(a, b=2, c=GLOBAL):
    return a * 100 + b * 10 + c


def test_keywords() -> None:
    for f in (with_defaults, with_defaults.py_func):
        assert f(1) == 123
        assert f(1, 5) == 153
        assert f(1, c=7) == 127
        assert f(c=1, b=2, a=3) == 321
        for wrong in ((), (1, 2, 3, 4)):
            with pytest.raises(TypeError):
                f(*wrong)
        with pytest.raises(TypeError):
            f(1, d=2)


# ---- arrays ------------------------------------------------------------------------------------------------


@jit
def stencil(u, v, c):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = u[i, j] + c * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])


def layouts(shape: tuple[int, ...], dtype: Any = np.float64) -> dict[str, np.ndarray]:
    """The same values in several memory layouts."""
    rng = np.random.default_rng(7)
    a = rng.random(shape).astype(dtype)
    wide = np.zeros(tuple(2 * n for n in shape), dtype)
    wide[tuple(slice(None, None, 2) for _ in shape)] = a
    return {
        "C": a,
        "F": np.asfortranarray(a),
        "strided": wide[tuple(slice(None, None, 2) for _ in shape)],
        "reversed": np.ascontiguousarray(a[tuple(slice(None, None, -1) for _ in shape)])[
            tuple(slice(None, None, -1) for _ in shape)
        ],
    }


@pytest.mark.parametrize("shape", [(5, 7), (2, 2), (1, 9), (0, 3), (3, 3), (64, 33)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_stencil_layouts(shape: tuple[int, int], dtype: Any) -> None:
    for u in layouts(shape, dtype).values():
        for v in layouts(shape, dtype).values():
            got, want = v.copy(order="K"), v.copy(order="K")
            stencil(u, got, 0.1)
            stencil.py_func(u, want, 0.1)
            assert np.array_equal(got, want)


def test_overlapping_arguments() -> None:
    for _ in range(2):
        a = np.arange(60.0).reshape(6, 10)
        b = a.copy()
        stencil(a, a, 0.1)
        stencil.py_func(b, b, 0.1)
        assert np.array_equal(a, b)
    a, b = np.arange(60.0), np.arange(60.0)
    stencil(a[:50].reshape(5, 10), a[10:].reshape(5, 10), 0.1)
    stencil.py_func(b[:50].reshape(5, 10), b[10:].reshape(5, 10), 0.1)
    assert np.array_equal(a, b)


@jit
def triangular(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i, a.shape[1]):
            s += a[i, j] * a[j - i, i]
    return s


@jit
def negative_start(a):
    s = np.float64(0)  # a weak 0.0 would be returned as it is when the loop never runs
    for i in range(a.shape[0]):
        s += a[i - 1] * a[-i]
    return s


@jit
def gather(a, index):
    s = 0.0
    for i in range(len(index)):
        s += a[index[i]]
    return s


@jit
def effects_before_error(a, n):
    for i in range(n):
        a[i] = i + 1
    return a[0]


@jit
def downwards(a):
    for i in range(len(a) - 2, -1, -1):
        a[i] += a[i + 1]


@jit
def changes_index(a):
    s = np.float64(0)
    for i in range(len(a)):
        if i % 2 == 0:
            i = i - 3
        s += a[i]
    return s


@jit
def rebinds_in_loop(a, b):
    for _ in range(3):
        for i in range(len(a)):
            a[i] = b[i] * 2 + i
        a, b = b, a
    return a, b


def test_indexing() -> None:
    a = np.arange(1.0, 8.0)
    agree(triangular, np.arange(16.0).reshape(4, 4))
    agree(triangular, np.arange(20.0).reshape(4, 5))
    for f in (negative_start, changes_index, downwards):
        for n in (0, 1, 2, 7):
            agree(f, a[:n].copy())
    agree(gather, a, np.array([0, -1, 6, -7]))
    agree(gather, a, np.array([0, 7]))
    agree(gather, a, np.array([-8]))
    agree(gather, a, np.array([3], np.uint8))
    for n in (0, 7, 8, 100):
        agree(effects_before_error, a, n)
    agree(rebinds_in_loop, a, np.ones(7))


@jit
def views(a, i, j, k):
    return a[i:j:k], a[j:i], a[i:], a[:j], a[::k], a[i]


def test_views() -> None:
    a = np.arange(24).reshape(6, 4)
    for i, j, k in itertools.product([-9, -2, 0, 1, 5], [-20, -1, 0, 3, 100], [-3, -1, 1, 2]):
        agree(views, a, i, j, k)
        agree(views, a[::-1, ::2], i, j, k)
    agree(views, a, 0, 1, 0)


@jit
def identity(a):
    return a


@jit
def tail(a):
    return a[1:]


def test_returned_arrays_share_memory() -> None:
    a = np.arange(5.0)
    assert identity(a) is a
    b = tail(a)
    b[0] = 99
    assert a[1] == 99
    assert b.base is a or b.base is a.base


@jit
def scratch(n):
    a = np.zeros(n)
    b = np.ones_like(a)
    for i in range(n):
        a[i] = i
    a, b = b, a
    return b[1:], a


def test_new_arrays() -> None:
    for n in (1, 5):
        agree(scratch, n)
    agree(scratch, -1)


# ---- bindings that change ----------------------------------------------------------------------------------

FACTOR = 2


@jit
def uses_global(x):
    return x * FACTOR


def test_changed_global(monkeypatch: pytest.MonkeyPatch) -> None:
    assert uses_global(3) == 6
    monkeypatch.setitem(globals(), "FACTOR", 5)
    assert uses_global(3) == 15
    monkeypatch.setitem(globals(), "FACTOR", 2.5)
    assert uses_global(3) == 7.5


def test_changed_closure() -> None:
    n = 1

    @jit
    def f(x):
        return x + n

    assert f(1) == 2
    n = 10
    assert f(1) == 11


def helper(x):
    return x + 1


@jit
def uses_helper(x):
    return helper(x) * 2


def test_changed_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    assert uses_helper(1) == 4

    def other(x):
        return x + 10

    monkeypatch.setitem(globals(), "helper", other)
    assert uses_helper(1) == 22


# ---- print -------------------------------------------------------------------------------------------------


@jit
def prints(i, x, c, a):
    print("int", i, "float", x, c, None)
    print(a[0], a, (i, x), a[1:].shape, sep=" | ", end="!\n")
    print()
    for k in range(2):
        print(k, end="")
    print("text", (1, 2.5, a[1]), GLOBAL)


def test_print(capsys: pytest.CaptureFixture[str]) -> None:
    args = (3, 0.1, True, np.array([1.5, 2.5], np.float32))
    prints.py_func(*args)
    want = capsys.readouterr().out
    prints(*args)
    assert capsys.readouterr().out == want


@pytest.mark.parametrize("x", [0.0, -0.0, 1e16, 1e-5, 123456789.123, 1e22, np.inf, np.nan, 5e-324])
def test_print_floats(x: float, capsys: pytest.CaptureFixture[str]) -> None:
    @jit
    def show(x):
        print(x)

    show(x)
    assert capsys.readouterr().out == f"{x}\n"
