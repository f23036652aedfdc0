"""Reductions of expressions: no array of the terms is made, and the bits are NumPy's all the same.

Each kernel against its plain function, over lengths around those where the order of adding changes (8, 128 and the
blocks that terms come in), over dtypes, layouts and axes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import jit

LENGTHS = (0, 1, 2, 7, 8, 9, 15, 16, 127, 128, 129, 130, 1000, 1023, 1024, 1025, 2047, 2050, 8191, 8192, 8193, 10**6)
DTYPES = ("float32", "float64", "complex64", "complex128")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with np.errstate(all="ignore"), np.testing.suppress_warnings() as quiet:
        quiet.filter(RuntimeWarning)
        yield


def numbers(seed: int, shape: int | tuple[int, ...], dtype: str) -> np.ndarray:
    """Return numbers of very different size, so that the order of adding shows in every sum."""
    rng = np.random.default_rng(seed)

    def real() -> np.ndarray:
        return rng.uniform(-1, 1, shape) * 10.0 ** rng.integers(-3, 4, shape)

    return (real() + 1j * real() if dtype[0] == "c" else real()).astype(dtype)


def agree(kernel: Any, *args: Any) -> None:
    """Assert that the compiled kernel and the plain function give the same bits."""
    ours, theirs = kernel(*args), kernel.py_func(*args)
    assert same(ours, theirs), (ours, theirs, [(a.shape, a.strides) for a in args if isinstance(a, np.ndarray)])


# ---- sums over all elements ------------------------------------------------------------------------------------------


@jit
def real_sums(a, b):
    return (a * b).sum(), np.sum((a - b) ** 2), np.mean(np.abs(a)), (a + 1).mean(), np.sum(-a)


@jit
def complex_sums(a, b):
    return (a + b).sum(), np.sum(a - b), np.mean(-a), (a + 1).mean(), np.sum(a.real - a.imag), np.mean(a.real * b.imag)


def kernel_for(dtype: str) -> Any:
    return complex_sums if dtype[0] == "c" else real_sums


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", LENGTHS)
def test_lengths(n: int, dtype: str) -> None:
    agree(kernel_for(dtype), numbers(1, n, dtype), numbers(2, n, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [0, 1, 9, 129, 1025, 8193])
def test_strided_vectors(n: int, dtype: str) -> None:
    whole = numbers(3, 3 * n + 2, dtype)
    a, b = whole[: 2 * n : 2], whole[::-1][:n]
    every = (a, b, whole[:n], np.broadcast_to(whole[:1], n), whole.reshape(-1)[1 : 3 * n + 1 : 3])
    for x in every:
        for y in every:
            agree(kernel_for(dtype), x, y)


SHAPES = ((3, 5), (1, 7), (7, 1), (1, 1), (40, 1), (5, 128), (9, 129), (2, 1025), (700, 3), (33, 64), (0, 4), (4, 0))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_matrices(shape: tuple[int, int], dtype: str) -> None:
    whole = numbers(4, (2 * shape[0] + 2, 2 * shape[1] + 2), dtype)
    inner = whole[1 : shape[0] + 1, 1 : shape[1] + 1]
    every = (inner.copy(), inner, whole[1:-1:2, : shape[1]], whole[1:-1, 1:-1][::2, ::-2], inner[:1], inner[:, :1])
    for x in every[:4]:
        for y in every:
            if 0 not in y.shape or 0 in x.shape:
                agree(kernel_for(dtype), x, y)


@jit
def of_broadcast(row, column):
    return (row * column).sum(), np.mean(row - column), (row + column).sum(axis=-1), np.sum(row * column, axis=1)


@pytest.mark.parametrize("dtype", DTYPES[:2])
@pytest.mark.parametrize(("rows", "columns"), [(3, 5), (1, 300), (300, 1), (17, 129), (0, 5), (5, 0)])
def test_broadcast_operands(rows: int, columns: int, dtype: str) -> None:
    a = numbers(5, (1, columns), dtype)
    agree(of_broadcast, a, numbers(6, (rows, 1), dtype))
    agree(of_broadcast, a[0], numbers(6, (rows, 1), dtype))
    agree(of_broadcast, numbers(7, (rows, columns), dtype), numbers(6, (rows, 1), dtype))


# ---- along axes ------------------------------------------------------------------------------------------------------


@jit
def along_axes(a, b):
    return (
        (a - b).sum(axis=-1),
        np.sum(a + b, axis=(1, 2)),
        (a - b).mean(axis=2, keepdims=True),
        np.mean(a + 1, axis=(1, 2), keepdims=True),
        np.sum(a - 1, axis=(0, 1, 2), keepdims=True),
        (a - b).sum(axis=0),
        np.mean(a + b, axis=1),
        np.sum(a + b, axis=(0, 2)),
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape",
    [(2, 3, 4), (3, 1, 130), (1, 5, 1), (2, 9, 129), (4, 300, 1), (2, 2, 2050), (0, 2, 3), (2, 0, 3), (2, 3, 0)],
)
def test_axes(shape: tuple[int, int, int], dtype: str) -> None:
    whole = numbers(8, tuple(n + 2 for n in shape), dtype)
    inner = whole[1:-1, 1:-1, 1:-1]
    for a in (inner, inner.copy()):
        others = (inner.copy(), whole[2:, :-2, 2:], inner[:1], inner[0]) if 0 not in shape else ()
        for b in (a, *others):
            agree(along_axes, a, b)


# ---- what is added as another dtype, and what is counted -------------------------------------------------------------


@jit
def of_integers(k, x):
    return (k + k).mean(), np.sum(k * 2, dtype=np.float64), (k * x).sum(), np.mean(k - x), (k > 3).sum(), (k * k).sum()


@jit
def of_truths(k):
    return (k > 3).mean(), np.mean(k > 3), (k != 0).mean(dtype=np.float32), np.mean(k[:1] > 3)


@jit
def of_truth_axes(k):
    return (k > 3).mean(axis=0), np.mean(k > 3, axis=1, keepdims=True), (k < 3).sum(axis=1), (k > 0).mean(axis=1)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16"])
@pytest.mark.parametrize("n", [0, 1, 9, 130, 8193, 50_000])
def test_casts(n: int, dtype: str) -> None:
    k = np.random.default_rng(n).integers(0, 100, n).astype(dtype)
    agree(of_integers, k, numbers(9, n, "float64"))
    agree(of_truths, k)
    agree(of_truth_axes, k[: n // 3 * 3].reshape(3, -1))


@jit
def of_positions(n, x):
    return np.arange(n).mean(), (np.arange(n) * x).sum(), np.linspace(0.0, x, n).sum(), np.full(n, x).mean()


@pytest.mark.parametrize("n", [1, 9, 1023, 1025, 5000])
def test_computed_from_the_position(n: int) -> None:
    agree(of_positions, n, 0.1)


def test_negative_zeros() -> None:
    for n in (1, 7, 8, 130, 1025):
        for dtype in ("float32", "float64"):
            a = np.full(n, -0.0, dtype)
            agree(real_sums, a, np.ones(n, dtype))
            agree(of_broadcast, a[None], np.ones((3, 1), dtype))


# ---- what is read twice, and what raises -----------------------------------------------------------------------------


@jit
def overlapping(a):
    d = (a[1:] - a[:-1]).sum()
    a[1:] = a[:-1] * (a * a).sum()
    a[:] = a - np.mean(a + a[::-1])
    return d, (a[::2] * a[::2]).sum(), np.sum((a - a.mean()) ** 2)


@pytest.mark.parametrize("n", [2, 10, 129, 4096])
def test_overlapping_inputs(n: int) -> None:
    a, b = numbers(10, n, "float64"), numbers(10, n, "float64")
    assert same(overlapping(a), overlapping.py_func(b))
    assert same(a, b)


@jit
def mean_of_call(a):
    return np.mean(a * inner_mean(a)) + np.mean(a[1:] - inner_mean(a)) / inner_mean(a)


@jit
def inner_mean(a):
    return np.mean(a + 1)


@jit
def named(a, b):
    product = a * b
    total = product.sum()
    for _ in range(2):
        error = np.abs(a - b)
        total += error.mean() + error.max()
    return total


@jit
def one_reader(a):
    deviations = a[1:] - a[:-1]
    squares = deviations * deviations
    total = squares.sum()
    rows = a * a
    return total, np.mean(rows)


def test_named_terms() -> None:
    for n in (1, 9, 130, 1026):
        agree(one_reader, numbers(15, n, "float64"))
        agree(one_reader, numbers(16, n, "float32")[::-1])


def test_means_within_means() -> None:
    a = numbers(11, 777, "float64")
    agree(mean_of_call, a)
    agree(named, a, a[::-1])


@jit
def shapes_that_differ(a, b):
    return (a * b).sum()


@jit
def rows_that_differ(a, b):
    return np.mean(a * b, axis=-1)


@jit
def beyond_the_dtype(k, n):
    return ((k + n) * 0.5).sum()


@jit
def beyond_the_dtype_in_rows(k, n):
    return ((k + n) * 0.5).sum(axis=-1)


@jit
def negative_powers(k, m):
    return ((k**m) * 0.5).sum()


@jit
def negative_powers_in_rows(k, m):
    return ((k**m) * 0.5).sum(axis=-1)


@jit
def any_of_powers(k, m):
    return np.any(k**m > 0)


def last_is_negative(*shape: int) -> np.ndarray:
    m = np.ones(shape, np.int64)
    m[..., -1] = -1
    return m


RAISING: list[tuple[Callable[..., Any], tuple[Any, ...], type[Exception], str]] = [
    (shapes_that_differ, (np.ones(3), np.ones(4)), ValueError, "could not be broadcast"),
    (shapes_that_differ, (np.ones((2, 3)), np.ones((3, 2))), ValueError, "could not be broadcast"),
    (rows_that_differ, (np.ones((2, 3)), np.ones((3, 2))), ValueError, "could not be broadcast"),
    (beyond_the_dtype, (np.ones(3, np.int8), 300), OverflowError, "out of bounds for int8"),
    (beyond_the_dtype, (np.ones(0, np.int8), 300), OverflowError, "out of bounds for int8"),
    (beyond_the_dtype_in_rows, (np.ones((2, 3), np.int8), 300), OverflowError, "out of bounds for int8"),
    (negative_powers, (np.ones(2000, np.int64), last_is_negative(2000)), ValueError, "negative integer powers"),
    (negative_powers_in_rows, (np.ones((3, 4), np.int64), last_is_negative(3, 4)), ValueError, "negative integer"),
    (any_of_powers, (np.ones(4000, np.int64), last_is_negative(4000)), ValueError, "negative integer powers"),
]


@pytest.mark.parametrize(("kernel", "args", "error", "message"), RAISING)
def test_what_raises(kernel: Any, args: tuple[Any, ...], error: type[Exception], message: str) -> None:
    for function in (kernel, kernel.py_func):
        with pytest.raises(error, match=message):
            function(*args)


# ---- least and greatest ----------------------------------------------------------------------------------------------


@jit
def extremes(a, b):
    return a.min(), np.max(a), np.abs(a - b).max(), (a * b).min(), np.argmin(a), np.argmax(a + b)


@jit
def row_extremes(a, b):
    return a.min(axis=-1), np.max(a, axis=1), (a - b).max(axis=-1), a.min(axis=0), (a + b).max(axis=0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 31, 32, 33, 127, 128, 129, 130, 1000, 8191, 8193])
def test_extremes(n: int, dtype: str) -> None:
    a, b = numbers(12, n, dtype), numbers(13, n, dtype)
    agree(extremes, a, b)
    agree(extremes, a[::-1], b)
    agree(row_extremes, np.stack([a, b, a + b]), np.stack([b, b, a]))
    agree(row_extremes, np.stack([a, b, a + b]).T, np.stack([b, b, a]).T)
    for value in (np.nan, np.inf, -np.inf):
        for place in {0, n // 3, n // 2, n - 1}:
            c = a.copy()
            c[place] = value
            agree(extremes, c, b)
            agree(row_extremes, np.stack([a, c, b]), np.stack([b, b, a]))
            agree(row_extremes, np.stack([a, c, b]).T, np.stack([b, b, a]).T)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_in_every_place(dtype: str) -> None:
    for n in (5, 40, 70):
        for place in range(n):
            a = numbers(14, n, dtype)
            a[place] = np.nan
            assert np.isnan(extremes(a, a)[:4]).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, -np.nan, 1e-40])
def test_all_alike(value: float, dtype: str) -> None:
    for n in (1, 8, 100):
        a = np.full(n, value, dtype)
        agree(extremes, a, np.ones(n, dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_zeros_of_either_sign(dtype: str) -> None:
    # Which zero comes back is not specified.
    a = np.array([0.0, -0.0] * 20, dtype)
    for x in (a, a[::-1], a[1:], a[:1], a[1:2]):
        assert extremes(x, x)[:4] == (0, 0, 0, 0)


# ---- any and all -----------------------------------------------------------------------------------------------------


@jit
def truths(a, b):
    return (a > b).any(), (a <= b).all(), np.any(a), np.all(a), np.any(a != a), np.all(a == a)


@jit
def truths_in_rows(a, b):
    return (a > b).any(axis=-1), (a <= b).all(axis=0), np.any(a, axis=0), np.all(a, axis=1, keepdims=True)


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("n", [0, 1, 9, 1023, 1024, 1025, 5000])
def test_truths(n: int, dtype: str) -> None:
    for fill in (0, 1):
        a = np.full(n, fill, dtype)
        b = np.full(n, fill, dtype)
        if dtype == "complex128":
            a, b = a.real, b.imag
        for place in [None, *sorted({0, n // 2, 1023, 1024, n - 1} & set(range(n)))]:
            c = a.copy()
            if place is not None:
                c[place] = not fill
            agree(truths, c, b)
            agree(truths, b, c[::-1])
            agree(truths_in_rows, np.stack([a, c]), np.stack([b, b]))


@jit
def truths_of_matrices(a, b):
    return (a > b).any(), (a >= b).all(), np.any(np.isnan(a)), np.all(np.isfinite(a))


@pytest.mark.parametrize("shape", [(3, 5), (40, 40), (2, 3000), (3000, 2), (0, 3), (3, 0)], ids=str)
def test_truths_of_matrices(shape: tuple[int, int]) -> None:
    whole = np.zeros((shape[0] + 2, shape[1] + 2))
    inner = whole[1:-1, 1:-1]
    for place in (None, 0, inner.size // 2, inner.size - 1):
        if place is not None and inner.size:
            inner.flat[place] = np.nan if place else 1.0
        for a in (inner, inner.copy(), inner.T, inner[::-1]):
            agree(truths_of_matrices, a, np.zeros_like(a))
            agree(truths_of_matrices, a, np.zeros(a.shape[1:]))
        whole[:] = 0


# ---- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opt", [0, 3])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_levels(dtype: str, opt: int) -> None:
    at = jit(opt=opt)
    for n in (1, 9, 130, 1025):
        a, b = numbers(17, n, dtype), numbers(18, n, dtype)
        for function in (real_sums, extremes, truths):
            agree(at(function.py_func), a, b[::-1])
        for function in (row_extremes, truths_in_rows):
            agree(at(function.py_func), np.stack([a, b, a + b]), np.stack([b, b, a]))
        agree(at(along_axes.py_func), a[None, None], b[None, None])


def test_fastmath() -> None:
    relaxed = jit(fastmath=True)
    a, b = np.linspace(1, 2, 1000), np.linspace(2, 1, 1000)
    for function in (real_sums, extremes):
        assert np.allclose(relaxed(function.py_func)(a, b), function.py_func(a, b), rtol=1e-12)
