"""Every function of numpy_impl against NumPy's: values, dtypes and shapes, over dtypes, layouts and shapes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import CompileError, jit

pytestmark = pytest.mark.filterwarnings("ignore")

REAL = ["bool", "int32", "uint8", "float32", "float64"]
DTYPES = ["bool", "int32", "complex128", "float32", "float64"]
SIGNED = ["int32", "float32", "float64", "complex128"]
FLOATS = ["float32", "float64"]


def numbers(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Some numbers, few of them twice."""
    rng = np.random.default_rng(len(shape) * 7 + sum(shape))
    values = rng.integers(0, 40, shape) / (1 if dtype[0] in "biu" else 8)
    if dtype == "bool":
        return values > 15
    return (values + 1j * rng.integers(-9, 9, shape) if dtype[0] == "c" else values).astype(dtype)


def layouts(a: np.ndarray) -> Iterator[np.ndarray]:
    """The array contiguous, in Fortran's order, and as every other element of a larger one, backwards."""
    yield a
    if a.ndim > 1:
        yield np.asfortranarray(a)
    wide = np.repeat(a, 2, axis=-1)
    yield wide[..., ::-2][..., ::-1]
    yield a[::-1]


VECTORS: list[tuple[int, ...]] = [(7,), (1,), (2,), (0,), (40,)]
LONG: list[tuple[int, ...]] = [(7,), (2,), (40,)]
MATRICES: list[tuple[int, ...]] = [(3, 4), (4, 4), (5, 2), (1, 3)]
BOTH = VECTORS + MATRICES
ALL = [*BOTH, (0, 3), (3, 0), (2, 3, 4)]

# What is called, of which dtypes, of which shapes. Each is a kernel of one array.
EXACT: list[tuple[Callable[[Any], Any], list[str], list[tuple[int, ...]]]] = [
    (lambda a: np.cumsum(a), DTYPES, ALL),
    (lambda a: a.cumsum(), DTYPES, ALL),
    (lambda a: np.cumsum(a, axis=-1), DTYPES, ALL),
    (lambda a: a.cumsum(0), DTYPES, ALL),
    (lambda a: np.cumsum(a, dtype=np.float64), REAL, BOTH),
    (lambda a: np.cumsum(-a), SIGNED, VECTORS),
    (lambda a: np.cumprod(a), DTYPES, ALL),
    (lambda a: a.cumprod(axis=0), DTYPES, MATRICES),
    (lambda a: np.diff(a), DTYPES, ALL),
    (lambda a: np.diff(a, 2), DTYPES, ALL),
    (lambda a: np.diff(a, axis=0), DTYPES, ALL),
    (lambda a: np.diff(a, n=0), REAL, VECTORS),
    (lambda a: np.diff(a, prepend=0), SIGNED, BOTH),
    (lambda a: np.diff(a, axis=0, append=a[:1]), REAL, BOTH),
    (lambda a: np.diff(a, prepend=a[..., :1], append=7), SIGNED, VECTORS),
    (lambda a: np.ediff1d(a), SIGNED, ALL),
    (lambda a: np.outer(a, a), DTYPES, BOTH),
    (lambda a: np.outer(a, a[:2] * 2), SIGNED, VECTORS),
    (lambda a: np.rot90(a), DTYPES, MATRICES),
    (lambda a: np.rot90(a, 2), REAL, MATRICES),
    (lambda a: np.rot90(a, -1, (1, 0)), REAL, MATRICES),
    (lambda a: np.rot90(a, k=len(a), axes=(1, 0)), FLOATS, MATRICES),
    (lambda a: np.take(a, 1), DTYPES, BOTH),
    (lambda a: np.take(a, np.array([0, -1, 1, 1])), DTYPES, [*LONG, (0,), (1,), *MATRICES]),
    (lambda a: np.take(a, np.arange(2), axis=-1), REAL, MATRICES),
    (lambda a: np.take(a, np.array([[0, 1], [1, -2]]), 0), REAL, MATRICES),
    (lambda a: np.roll(a, 2), DTYPES, ALL),
    (lambda a: np.roll(a, -3), DTYPES, ALL),
    (lambda a: np.roll(a, 1, axis=-1), DTYPES, ALL),
    (lambda a: np.roll(a, shift=5, axis=0), DTYPES, ALL),
    (lambda a: np.roll(a, (1, -2), (0, 1)), DTYPES, MATRICES),
    (lambda a: np.roll(a, 1, axis=(0, -1)), REAL, MATRICES),
    (lambda a: np.flip(a), DTYPES, ALL),
    (lambda a: np.flip(a, 0), DTYPES, ALL),
    (lambda a: np.flip(a, axis=-1), DTYPES, ALL),
    (lambda a: np.flipud(a), DTYPES, ALL),
    (lambda a: np.fliplr(a), DTYPES, MATRICES),
    (lambda a: np.concatenate((a, a)), DTYPES, ALL),
    (lambda a: np.concatenate([a, a * 2.5, a[:1]]), DTYPES, BOTH),
    (lambda a: np.concatenate((a, a), axis=-1), DTYPES, ALL),
    (lambda a: np.concatenate((a, a[0]), axis=None), DTYPES, MATRICES),
    (lambda a: np.concatenate((a, a), dtype=np.complex64), REAL, VECTORS),
    (lambda a: np.stack((a, a)), DTYPES, BOTH),
    (lambda a: np.stack([a, a + a], axis=-1), SIGNED, BOTH),
    (lambda a: np.stack((a, a, a), 1), REAL, BOTH),
    (lambda a: np.hstack((a, a)), DTYPES, BOTH),
    (lambda a: np.vstack((a, a)), DTYPES, BOTH),
    (lambda a: np.vstack((a, a[0])), DTYPES, MATRICES),
    (lambda a: np.column_stack((a, a)), DTYPES, BOTH),
    (lambda a: np.append(a, a), DTYPES, BOTH),
    (lambda a: np.append(a, a, axis=0), DTYPES, BOTH),
    (lambda a: np.repeat(a, 3), DTYPES, ALL),
    (lambda a: a.repeat(2, axis=0), DTYPES, ALL),
    (lambda a: np.repeat(a, 0, axis=-1), DTYPES, BOTH),
    (lambda a: np.repeat(a, np.arange(len(a)), axis=0), REAL, BOTH),
    (lambda a: np.tile(a, 3), DTYPES, BOTH),
    (lambda a: np.tile(a, (2, 3)), REAL, BOTH),
    (lambda a: np.tile(a, (2,)), FLOATS, BOTH),
    (lambda a: np.tile(a, (2, 1, 3)), DTYPES, ALL),
    (lambda a: np.tile(a, (0, 2)), FLOATS, ALL),
    (lambda a: np.pad(a, 2), DTYPES, ALL),
    (lambda a: np.pad(a, (1, 3), constant_values=7), REAL, BOTH),
    (lambda a: np.pad(a, ((1, 0), (0, 2)), "constant", constant_values=(1, 2)), DTYPES, MATRICES),
    (lambda a: np.pad(a, ((2, 3),), mode="edge"), DTYPES, ALL),
    (lambda a: np.pad(a, (3, 9), mode="wrap"), REAL, BOTH),
    (lambda a: np.pad(a, 5, mode="reflect"), REAL, BOTH),
    (lambda a: np.pad(a, ((0, 1), (9, 0)), mode="symmetric"), FLOATS, MATRICES),
    (lambda a: np.pad(a, 0, "edge"), FLOATS, BOTH),
    (lambda a: np.pad(a, (0, -1)), FLOATS, VECTORS),
    (lambda a: np.meshgrid(a, a[1:]), DTYPES, VECTORS),
    (lambda a: np.meshgrid(a, a[1:], indexing="ij"), REAL, VECTORS),
    (lambda a: np.meshgrid(a, a[1:], a[::2]), FLOATS, LONG),
    (lambda a: np.meshgrid(a, a[1:], a[::2], indexing="ij"), FLOATS, LONG),
    (lambda a: np.meshgrid(a, a[1:], a[:2], sparse=True), FLOATS, VECTORS),
    (lambda a: np.meshgrid(a[:2], a[1:3], a[:3], a[:1]), FLOATS, VECTORS),
    (lambda a: np.meshgrid(a, a[::2], copy=False, indexing="ij"), REAL, VECTORS),
    (lambda a: np.indices((3, len(a))), FLOATS, BOTH),
    (lambda a: np.indices(a.shape, dtype=np.float32), FLOATS, ALL),
    (lambda a: np.polyval(a, 2.5), SIGNED, LONG),
    (lambda a: np.polyval(np.array([1, -2, 3]), a), SIGNED, ALL),
    (lambda a: np.select([a > 3, a > 1], [a * 2, -a]), REAL[1:], ALL),
    (lambda a: np.select((a > 3,), (a,), default=2.5), REAL, ALL),
    (lambda a: np.tri(len(a)), FLOATS, BOTH),
    (lambda a: np.tri(len(a), 5, -1, dtype=np.int8), FLOATS, BOTH),
    (lambda a: np.tril(a), DTYPES, ALL),
    (lambda a: np.triu(a), DTYPES, ALL),
    (lambda a: np.tril(a, -1), REAL, ALL),
    (lambda a: np.triu(a, k=-1), REAL, ALL),
    (lambda a: np.triu(a, 2), REAL, ALL),
    (lambda a: np.diag(a), DTYPES, BOTH),
    (lambda a: np.diag(a, 1), DTYPES, BOTH),
    (lambda a: np.diag(a, k=-2), REAL, BOTH),
    (lambda a: np.diagonal(a, -1), DTYPES, MATRICES),
    (lambda a: a.diagonal(), DTYPES, MATRICES),
    (lambda a: np.trace(a), DTYPES, MATRICES),
    (lambda a: a.trace(1), DTYPES, MATRICES),
    (lambda a: np.kron(a, a), DTYPES, BOTH),
    (lambda a: np.cross(a[..., :3], 2 * a[..., 1:4]), SIGNED, [(4,), (5, 4), (2, 2, 4)]),
    (lambda a: np.trapezoid(a), REAL[1:], LONG),
    (lambda a: np.trapezoid(a, dx=0.5), FLOATS, LONG),
    (lambda a: np.trapezoid(a, np.sqrt(a)), FLOATS, LONG),
    (lambda a: np.gradient(a), REAL[1:], LONG),
    (lambda a: np.gradient(a, 0.3), SIGNED, LONG),
    (lambda a: np.gradient(a, np.arange(len(a)) ** 2.0), FLOATS, LONG),
    (lambda a: np.gradient(a, 2.0, axis=0), FLOATS, [(3, 4), (5, 2)]),
    (lambda a: np.gradient(a, 2.0, 0.5), FLOATS, [(3, 4), (5, 2)]),
    (lambda a: np.gradient(a), FLOATS, [(3, 4), (5, 2)]),
    (lambda a: np.nansum(np.where(a == 2, np.nan, a)), FLOATS, ALL),
    (lambda a: np.nansum(a, axis=0), DTYPES, ALL),
    (lambda a: np.nanprod(np.where(a > 2, np.nan, a), axis=-1), FLOATS, BOTH),
    (lambda a: np.nanmax(np.where(a > 3, np.nan, a), axis=0), FLOATS, MATRICES),
    (lambda a: np.nanmin(np.where(a > 3, np.nan, a)), FLOATS, LONG),
    (lambda a: np.nanmax(a), REAL[1:], LONG),
    (lambda a: np.nanmin(a, axis=-1), REAL[1:], MATRICES),
    (lambda a: np.nanmean(np.where(a > 3, np.nan, a)), FLOATS, LONG),
    (lambda a: np.nanmean(a, axis=0), REAL[1:], MATRICES),
    (lambda a: np.average(a), DTYPES, LONG),
    (lambda a: np.average(a, axis=0), REAL, MATRICES),
    (lambda a: np.average(a, weights=a + 1), REAL[1:], LONG),
    (lambda a: np.average(a, 0, np.arange(len(a)) + 1.0), FLOATS, LONG),
    (lambda a: np.median(a), REAL, ALL),
    (lambda a: np.median(a, axis=0), REAL, BOTH),
    (lambda a: np.median(a, -1), FLOATS, MATRICES),
    (lambda a: np.percentile(a, 30), REAL[1:], LONG),
    (lambda a: np.percentile(a, 75.5, axis=0), REAL[1:], MATRICES + LONG),
    (lambda a: np.percentile(a, np.array([0.0, 12.5, 50.0, 100.0]), axis=-1), REAL[1:], MATRICES),
    (lambda a: np.percentile(np.where(a > 3, np.nan, a), 40, 0), FLOATS, MATRICES),
    (lambda a: np.percentile(a, 101), FLOATS, LONG),
    (lambda a: np.quantile(a, 0.9), REAL[1:], LONG + MATRICES),
    (lambda a: np.quantile(a, np.array([[0.1, 0.5]])), FLOATS, MATRICES),
    (lambda a: np.quantile(a, 1), FLOATS, LONG),
    (lambda a: np.quantile(a, -0.5), FLOATS, LONG),
    (lambda a: np.histogram(a), REAL[1:], ALL),
    (lambda a: np.histogram(a, 4, (1, 20)), REAL[1:], ALL),
    (lambda a: np.histogram(a, bins=5, density=True), REAL[1:], LONG),
    (lambda a: np.histogram(a, np.array([0.0, 1.5, 4.0, 30.0])), REAL[1:], ALL),
    (lambda a: np.histogram(a, 3, weights=a * 2), FLOATS, LONG + MATRICES),
    (lambda a: np.histogram(a, 3, (5.0, 1.0)), FLOATS, LONG),
    (lambda a: np.bincount(a), ["int32", "uint8"], VECTORS),
    (lambda a: np.bincount(a, minlength=50), ["int32", "uint8"], VECTORS),
    (lambda a: np.bincount(a, a * 0.1), ["int32"], LONG),
    (lambda a: np.array_equal(a, a.copy()), DTYPES, ALL),
    (lambda a: np.array_equal(a, a[:2]), DTYPES, VECTORS),
    (lambda a: np.array_equal(a, a.T), DTYPES, MATRICES),
    (lambda a: np.array_equal(np.where(a > 3, np.nan, a), np.where(a > 3, np.nan, a), equal_nan=True), FLOATS, ALL),
    (lambda a: np.isclose(a, a * 1.00001), SIGNED, ALL),
    (lambda a: np.isclose(a, np.where(a > 2, np.nan, a), equal_nan=True), FLOATS, ALL),
    (lambda a: np.isclose(np.inf / a, np.inf / a), FLOATS, ALL),
    (lambda a: np.isclose(a, 2.0, atol=0.3), REAL, ALL),
    (lambda a: np.allclose(a, a + 1e-9), DTYPES, ALL),
    (lambda a: np.allclose(a, a + 1), SIGNED, ALL),
    (lambda a: np.nan_to_num(-1 / a), FLOATS, ALL),
    (lambda a: np.nan_to_num(1 / (a - 2), posinf=7.0, neginf=-7.0, nan=1.5), FLOATS, ALL),
    (lambda a: np.nan_to_num(a), REAL, ALL),
    (lambda a: np.nonzero(a > 2), REAL, ALL),
    (lambda a: a.nonzero(), DTYPES, ALL),
    (lambda a: np.flatnonzero(a), DTYPES, ALL),
    (lambda a: np.argwhere(a), DTYPES, ALL),
    (lambda a: np.where(a > 2), REAL, ALL),
    (lambda a: a[np.where(a > 1)[0][0]], REAL[1:], VECTORS),
    (lambda a: np.unique(a), REAL, ALL),
    (lambda a: np.unique(a, return_counts=True), REAL, ALL),
    (lambda a: np.unique(a, return_index=True, return_inverse=True, return_counts=True), REAL, ALL),
    (lambda a: np.unique(a, True, True), FLOATS, MATRICES),
    (lambda a: np.unique(np.where(a > 3, np.nan, -a), return_counts=True), FLOATS, ALL),
    (lambda a: np.isin(a, a[:2]), REAL, ALL),
    (lambda a: np.isin(a, np.array([3.0, 1.0, np.nan])), REAL, ALL),
    (lambda a: np.isin(a, [1, 2, 30]), REAL, BOTH),
    (lambda a: np.isin(a, a[1:], invert=True), REAL, BOTH),
    (lambda a: np.union1d(a, a * 2), REAL[1:], BOTH),
    (lambda a: np.intersect1d(a, a * 2), REAL[1:], BOTH),
    (lambda a: np.setdiff1d(a, a[:2]), REAL[1:], VECTORS),
    (lambda a: np.digitize(a, np.array([1.0, 2.5, 7.0])), REAL, ALL),
    (lambda a: np.digitize(a, np.array([20, 10, 5]), right=True), REAL, ALL),
    (lambda a: np.digitize(a, a), FLOATS, VECTORS),
    (lambda a: np.digitize(2.5, np.sort(a)), FLOATS, LONG),
    (lambda a: np.searchsorted(np.sort(a), 2), REAL[1:], VECTORS),
    (lambda a: np.searchsorted(np.sort(a), a, side="right"), REAL[1:], VECTORS),
    (lambda a: np.sort(a).searchsorted(a * 0.7, "left"), FLOATS, VECTORS),
    (lambda a: np.sort(a), REAL, ALL),
    (lambda a: np.sort(a, axis=0), REAL, ALL),
    (lambda a: np.sort(a, axis=None), REAL, ALL),
    (lambda a: np.sort(np.where(a > 3, np.nan, a)), FLOATS, ALL),
    (lambda a: np.argsort(a, kind="stable"), REAL, ALL),
    (lambda a: a.argsort(axis=0, kind="stable"), REAL, ALL),
    (lambda a: np.interp(a, np.arange(9.0) / 2, np.sqrt(np.arange(9.0))), REAL, ALL),
    (lambda a: np.interp(a, np.arange(3.0), np.arange(3.0), left=-1.0, right=9.5), FLOATS, BOTH),
    (lambda a: np.interp(1.25, np.arange(3.0), np.arange(3.0) ** 2), FLOATS, LONG),
    (lambda a: np.convolve(a, a[:3]), ["int32", "uint8"], LONG),
    (lambda a: np.convolve(a[:2], a, mode="same"), ["int32", "uint8"], LONG),
    (lambda a: np.convolve(a, a[:2], "valid"), ["int32", "uint8"], LONG),
    (lambda a: np.correlate(a, a[:4]), ["int32", "uint8"], LONG),
    (lambda a: np.correlate(a[:4], a, "same"), ["int32"], LONG),
    (lambda a: np.correlate(a[:3], a, "full"), ["int32"], LONG),
    (lambda a: np.inner(a, a), ["int32", "uint8"], BOTH),
    (lambda a: np.vdot(a, a), ["int32", "uint8"], BOTH),
]

# The same where NumPy adds in another order, or leaves it to a library.
CLOSE: list[tuple[Callable[[Any], Any], list[str], list[tuple[int, ...]]]] = [
    (lambda a: np.var(a), DTYPES, ALL),
    (lambda a: np.std(a, ddof=1), DTYPES, ALL),
    (lambda a: a.std(), DTYPES, ALL),
    (lambda a: a.var(axis=0), DTYPES, ALL),
    (lambda a: np.std(a, axis=-1, keepdims=True), DTYPES, ALL),
    (lambda a: np.var(a, dtype=np.float64, ddof=2), REAL, BOTH),
    (lambda a: np.std(a, axis=(0, 1)), FLOATS, MATRICES),
    (lambda a: a.var((0, -1), keepdims=True), FLOATS, [(2, 3, 4)]),
    (lambda a: np.nanvar(np.where(a > 9, np.nan, a)), FLOATS, ALL),
    (lambda a: np.nanstd(np.where(a > 9, np.nan, a), axis=0, ddof=1), FLOATS, MATRICES),
    (lambda a: np.nanstd(a, axis=-1, keepdims=True), REAL, MATRICES),
    (lambda a: np.logspace(0, a[0] / 10), FLOATS, VECTORS),
    (lambda a: np.logspace(a[0], 3, num=5, base=2.0, endpoint=False), REAL, LONG),
    (lambda a: np.trapezoid(a, axis=0), FLOATS, MATRICES),
    (lambda a: np.trapezoid(a, a * 2, axis=0), FLOATS, MATRICES),
    (lambda a: np.trapezoid(a, dx=0.1), SIGNED, BOTH),
    (lambda a: np.average(a, axis=-1, weights=np.arange(a.shape[1]) + 1), REAL, MATRICES),
    (lambda a: np.convolve(a, a[:3]), SIGNED, LONG),
    (lambda a: np.convolve(a[:3], a, "same"), SIGNED, LONG),
    (lambda a: np.correlate(a, a[:4], "full"), SIGNED, LONG),
    (lambda a: np.inner(a, a), SIGNED, BOTH),
    (lambda a: np.vdot(a, a), SIGNED, BOTH),
    (lambda a: np.linalg.norm(a), DTYPES, ALL),
    (lambda a: np.linalg.norm(a, axis=-1), DTYPES, BOTH),
    (lambda a: np.linalg.norm(a, np.inf), SIGNED, MATRICES + LONG),
    (lambda a: np.linalg.norm(a, ord=1), SIGNED, MATRICES + LONG),
    (lambda a: np.linalg.norm(a, 3), FLOATS, LONG),
]


def text(kernel: Callable[[Any], Any]) -> str:
    """A lambda as it stands above."""
    return inspect.getsource(kernel).strip().removeprefix("(lambda a: ").rsplit(", ", 2)[0]


def check(kernel: Callable[[Any], Any], dtypes: list[str], shapes: list[tuple[int, ...]], agree: Callable) -> None:
    """Compare the kernel with itself interpreted. Where NumPy raises, so must it."""
    compiled = jit(kernel)
    assert compiled.py_func is kernel
    for dtype in dtypes:
        for shape in shapes:
            if len(shape) > 2 and dtype != dtypes[-1]:
                continue  # each number of axes is compiled anew: one dtype is enough
            for a in layouts(numbers(shape, dtype)):
                case = f"{text(kernel)} of {dtype}{list(shape)}, strides {a.strides}"
                before = a.copy()
                try:
                    expected = kernel(a)
                except (ValueError, IndexError, ZeroDivisionError) as error:
                    with pytest.raises(type(error)):
                        compiled(a)
                    continue
                found = compiled(a)
                assert agree(found, expected), f"{case}:\n{found!r}\nnot\n{expected!r}"
                assert same(a, before), case


def close(found: Any, expected: Any) -> bool:
    """Equal but for rounding; the same dtype and shape."""
    if np.result_type(found) != np.result_type(expected) or np.shape(found) != np.shape(expected):
        return False
    single = np.result_type(expected) in (np.float32, np.complex64)
    return np.allclose(found, expected, rtol=1e-5 if single else 1e-12, atol=1e-6 if single else 1e-12, equal_nan=True)


@pytest.mark.parametrize(("kernel", "dtypes", "shapes"), EXACT, ids=[text(row[0]) for row in EXACT])
def test_as_numpy(kernel: Callable[[Any], Any], dtypes: list[str], shapes: list[tuple[int, ...]]) -> None:
    check(kernel, dtypes, shapes, same)


@pytest.mark.parametrize(("kernel", "dtypes", "shapes"), CLOSE, ids=[text(row[0]) for row in CLOSE])
def test_as_numpy_but_for_rounding(
    kernel: Callable[[Any], Any], dtypes: list[str], shapes: list[tuple[int, ...]]
) -> None:
    check(kernel, dtypes, shapes, close)


def test_fill_diagonal() -> None:
    def kernel(a: Any) -> None:
        np.fill_diagonal(a, 7)

    for shape in MATRICES:
        a, b = numbers(shape, "int32"), numbers(shape, "int32")
        jit(kernel)(a)
        kernel(b)
        assert same(a, b)


where = np.where


def test_where_by_another_name() -> None:
    def kernel(a: Any) -> Any:
        return where(a > 1), where(a > 1, a, 0)

    assert same(jit(kernel)(np.arange(4)), kernel(np.arange(4)))


GIVEN: list[tuple[Callable[[Any], Any], list[str], list[tuple[int, ...]]]] = [
    (lambda a: np.asarray(a), DTYPES, ALL),
    (lambda a: np.asarray(a, dtype=np.complex64), DTYPES, ALL),
    (lambda a: np.asarray((1, 2.5)), FLOATS, LONG),
    (lambda a: np.ascontiguousarray(a), DTYPES, [*ALL, ()]),
    (lambda a: np.ascontiguousarray(a.T, np.float64), REAL, ALL),
    (lambda a: np.asfortranarray(a), DTYPES, [*ALL, ()]),
    (lambda a: np.asfortranarray(a[..., :1]), DTYPES, ALL),
    (lambda a: np.atleast_1d(a), DTYPES, [*ALL, ()]),
    (lambda a: np.atleast_2d(a), DTYPES, [*ALL, ()]),
    (lambda a: np.atleast_3d(a), DTYPES, [*ALL, ()]),
    (lambda a: np.atleast_2d(2.5), FLOATS, LONG),
    (lambda a: np.broadcast_to(a, (3,) + a.shape), DTYPES, [*ALL, ()]),
    (lambda a: np.broadcast_to(a[..., :1], (2, *a.shape)), DTYPES, ALL),
    (lambda a: np.broadcast_to(a, (2, 7)), DTYPES, VECTORS),
    (lambda a: np.broadcast_to(a, 7), DTYPES, [*VECTORS, ()]),
    (lambda a: np.broadcast_to(a.T, (a.size, a.size)) + 1, REAL, VECTORS),
]


@pytest.mark.parametrize(("kernel", "dtypes", "shapes"), GIVEN, ids=[text(row[0]) for row in GIVEN])
def test_views_and_copies(kernel: Callable[[Any], Any], dtypes: list[str], shapes: list[tuple[int, ...]]) -> None:
    """What is no copy in NumPy shares memory here too, where the type of the array says enough."""
    compiled = jit(kernel)
    for dtype in dtypes:
        for shape in shapes:
            given = numbers(shape, dtype)
            for a in layouts(given) if shape else [np.array(given)]:
                try:
                    expected = kernel(a)
                except ValueError:
                    with pytest.raises(ValueError, match="broadcast"):
                        compiled(a)
                    continue
                found = compiled(a)
                assert same(found, expected)
                if a.size and a.shape != expected.shape:
                    assert found.flags.writeable == expected.flags.writeable
                if "fortran" in text(kernel):
                    assert found.flags.f_contiguous
                if "ascontiguous" in text(kernel):
                    assert found.flags.c_contiguous
                if a.flags.c_contiguous and "fortran" not in text(kernel) and "a.T" not in text(kernel) and a.size:
                    assert np.shares_memory(found, a) == np.shares_memory(expected, a)


@pytest.mark.compiled
def test_what_to_write_instead() -> None:
    for kernel, instead in (
        (lambda a: np.einsum("ii", a), "write loops, or @"),
        (lambda a: np.split(a, 2), r"slices, a\[:n\] and a\[n:\]"),
        (lambda a: np.percentile(a, 3, method="nearest"), "method"),
        (lambda a: np.gcd(a, 2), "np.gcd"),
        (lambda a: np.broadcast_to(2.0, 3), "np.broadcast_to"),
    ):
        with pytest.raises(CompileError, match=instead):
            jit(kernel)(np.ones(4))
