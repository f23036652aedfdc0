"""Every function of numpy_impl against NumPy's: values, dtypes and shapes, over dtypes, layouts and shapes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import jit

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
    (lambda a: np.ediff1d(a), SIGNED, ALL),
    (lambda a: np.outer(a, a), DTYPES, BOTH),
    (lambda a: np.outer(a, a[:2] * 2), SIGNED, VECTORS),
    (lambda a: np.roll(a, 2), DTYPES, ALL),
    (lambda a: np.roll(a, -3), DTYPES, ALL),
    (lambda a: np.roll(a, 1, axis=-1), DTYPES, ALL),
    (lambda a: np.roll(a, shift=5, axis=0), DTYPES, ALL),
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
    (lambda a: np.meshgrid(a, a[1:]), DTYPES, VECTORS),
    (lambda a: np.meshgrid(a, a[1:], indexing="ij"), REAL, VECTORS),
    (lambda a: np.meshgrid(a, a[1:], a[::2]), FLOATS, LONG),
    (lambda a: np.meshgrid(a, a[1:], a[::2], indexing="ij"), FLOATS, LONG),
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
    (lambda a: np.bincount(a), ["int32", "uint8"], VECTORS),
    (lambda a: np.bincount(a, minlength=50), ["int32", "uint8"], VECTORS),
    (lambda a: np.bincount(a, a * 0.1), ["int32"], LONG),
    (lambda a: np.array_equal(a, a.copy()), DTYPES, ALL),
    (lambda a: np.array_equal(a, a[:2]), DTYPES, VECTORS),
    (lambda a: np.array_equal(a, a.T), DTYPES, MATRICES),
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
