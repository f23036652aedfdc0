"""Slices and Ellipses as values: in names and tuples, captured, passed between kernels and from Python, returned."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import CompileError, jit

INNER = slice(1, -1)
ALL = slice(None)
BACKWARDS = slice(None, None, -1)
STRONG = slice(np.int32(1), np.int64(5), np.uint8(2))
CORE = (slice(1, -1), slice(1, -1))
FIRST = (0, ...)
NOTHING = slice(3, 2)


def grid(layout: str) -> np.ndarray:
    a = np.arange(42.0).reshape(6, 7)
    return {"C": a, "F": np.asfortranarray(a), "strided": np.repeat(a, 2, axis=1)[:, ::2], "backwards": a[::-1]}[layout]


def interior(a: Any, b: Any) -> Any:
    return a[INNER, INNER], a[CORE], a[INNER], a[BACKWARDS, ALL], a[STRONG], a[NOTHING], a[..., INNER]


def in_names(a: Any, b: Any) -> Any:
    s, t = slice(1, -1), slice(None, None, 2)
    u = s
    b[s] = a[s] * 2
    b[u, t] += a[s, t]
    return a[s, t], a[t][s], s, t


def in_tuples(a: Any, b: Any) -> Any:
    where = (slice(None), 2, Ellipsis)
    corner = (..., slice(0, 2))
    both = (slice(2),) + (slice(None, None, -2),)
    b[where] = 7.0
    return a[where], a[corner], a[both], a[*both], a[(...,)], a[(slice(1, 3), None, ...)]


def axis_by_axis(a: Any, b: Any) -> Any:
    before: Any = ()
    for n in a.shape:
        before = before + (slice(1, n - 1),)
    b[before] = a[before] + 1
    return a[before], before


def computed(a: Any, b: Any) -> Any:
    total = np.zeros(2)
    for i in range(3):
        s = slice(i, i + 3)
        total = total + a[s, s].sum()
        b[s] -= a[s]
    return total


def bounds(a: Any, b: Any) -> Any:
    s = slice(a.shape[0] - 2)
    return s.start, s.stop, s.step, INNER.start, INNER.stop, CORE[1].stop, a[slice(s.stop, None)]


def of_tuples(a: Any, b: Any) -> Any:
    return a.shape[slice(1)], (1, 2, 3, 4)[INNER], (1.5, 2, a.size)[slice(None, None, -1)], a.shape[CORE[0]]


def chosen(a: Any, b: Any) -> Any:
    s = slice(0, 2) if a[0, 0] > b[0, 0] else slice(1, 5)
    if a[0, 1] > 0:
        s = slice(s.start, s.stop + 1)
    return a[s], s is None, s is not None


def cut(x: Any, s: Any, *more: Any) -> Any:
    return x[(s, *more)]


def passed(a: Any, b: Any) -> Any:
    return cut(a, INNER), cut(a, slice(2), slice(1, 3)), cut(a, ..., 0), cut(a, slice(None), slice(-2, None))


def unpacked(a: Any, b: Any) -> Any:
    rows, columns = CORE
    for s in (slice(1), slice(2, 4)):
        b[s] = a[s, ::-1]
    return a[rows], a[:, columns], a[rows, columns]


def made() -> Any:
    return slice(1, None), slice(None)


def from_calls(a: Any, b: Any) -> Any:
    first, _ = made()
    return a[first], a[made()], a[made()[1]]


KERNELS = [
    interior,
    in_names,
    in_tuples,
    axis_by_axis,
    computed,
    bounds,
    of_tuples,
    chosen,
    passed,
    unpacked,
    from_calls,
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.__name__)
@pytest.mark.parametrize("layout", ["C", "F", "strided", "backwards"])
def test_as_numpy(kernel: Callable[..., Any], layout: str) -> None:
    mine, theirs = grid(layout), grid(layout)
    for shape in ((6, 7), (3, 3)):
        a, b, c = mine[: shape[0], : shape[1]], np.ones(shape), np.ones(shape)
        expected = kernel(theirs[: shape[0], : shape[1]], c)
        found = jit(kernel)(a, b)
        assert agree(found, expected), f"{found!r}\nnot\n{expected!r}"
        assert same(b, c)


def agree(found: Any, expected: Any) -> bool:
    if isinstance(expected, slice):
        return isinstance(found, slice) and found == expected
    if isinstance(expected, tuple):
        return isinstance(found, tuple) and len(found) == len(expected) and all(map(agree, found, expected))
    return same(found, expected)


@jit
def take(a: Any, s: Any) -> Any:
    return a[s]


@pytest.mark.parametrize(
    "index",
    [
        *(slice(None), slice(2), slice(1, -1), slice(None, None, -1), slice(4, None, -2), slice(100, 200)),
        *(slice(np.int64(1), np.uint8(4)), (slice(1), 2), (slice(None), slice(2, 4)), ..., (..., 1), (0, ...)),
        *((None, slice(2)), (slice(None), None, slice(1, 2))),
    ],
    ids=str,
)
def test_arguments(index: Any) -> None:
    a = np.arange(12).reshape(3, 4)
    assert same(take(a, index), a[index])
    assert np.shares_memory(take(a, index), a) or take(a, index).size == 0


def test_bounds_are_known_at_run_time() -> None:
    a = np.arange(40)
    known = len(take.signatures) if hasattr(take, "signatures") else 0
    for i in range(30):
        assert same(take(a, slice(i, i + 3)), a[i : i + 3])
    if known:
        assert len(take.signatures) <= known + 1


@pytest.mark.compiled
def test_a_bound_beyond_64_bits() -> None:
    with pytest.raises(OverflowError):
        take(np.arange(3), slice(2**70))


@pytest.mark.compiled
def test_bounds_that_are_no_ints() -> None:
    with pytest.raises(CompileError, match=r"s is a slice whose bounds are not ints"):
        take(np.arange(3), slice(1.5))
    with pytest.raises(CompileError, match="slice's bound"):
        jit(lambda a: a[slice(0.5)])(np.arange(3))


def test_zero_step() -> None:
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        take(np.arange(3), slice(None, None, 0))


def test_a_captured_slice_that_changes() -> None:
    def kernel(a: Any) -> Any:
        return a[window]

    window = slice(1, 3)
    compiled = jit(kernel)
    a = np.arange(6)
    assert same(compiled(a), a[1:3])
    window = slice(2)
    assert same(compiled(a), a[:2])
    window = (slice(2, None),)  # type: ignore[assignment]
    assert same(compiled(a), a[2:])


def test_printed(capsys: pytest.CaptureFixture[str]) -> None:
    @jit
    def show(n: Any) -> None:
        print(slice(n), (slice(None, n, 2), 1))

    show(3)
    assert capsys.readouterr().out == "slice(None, 3, None) (slice(None, 3, 2), 1)\n"


def test_every_kernel_is_tried() -> None:
    kernels = [f for f in globals().values() if inspect.isfunction(f) and f.__module__ == __name__]
    assert {f for f in kernels if list(inspect.signature(f).parameters) == ["a", "b"]} == set(KERNELS)
