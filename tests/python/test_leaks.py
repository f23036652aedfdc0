"""Nothing is left behind when a kernel raises half-way: blocks are counted, over many calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mpijit import _core, jit


@jit
def inner(a: Any, i: int) -> Any:
    b = a * 2 + 1
    c = b.copy()
    b[1:] += c[:-1]  # through a temporary where the operands meet
    c = np.where(b > 3, b, c).reshape(2, -1)
    if i < 0:
        raise ValueError("asked for")
    return c[0] + a[i]  # IndexError for an index that is too large


@jit
def nested(a: Any, i: int) -> Any:
    kept = (a + 1, np.zeros_like(a))
    total = 0.0
    for row in a.reshape(-1, 2):
        held = row * kept[0][:2]
        total += (inner(a, i) @ np.ones(a.size // 2)) + held.sum()
    return total


@jit
def mismatched(a: Any, i: int) -> Any:
    b = np.sqrt(a)
    return (b + 1) * (b[i:] - inner(a, 0)[:1]) * np.ones(i + 1)


@jit
def negative_power(n: Any, i: int) -> Any:
    m = n + 1
    return (m ** (n - i)) * m


@jit
def summed_powers(n: Any, i: int) -> Any:
    m = (n + 1).reshape(2, -1)
    total = ((m ** (n.reshape(2, -1) - i)) * 0.5 + np.sqrt(n[:1] + 1.0)).sum(axis=-1)
    return total + np.mean(m * 0.5) + np.any(m ** (m - i) > 1)


@jit
def in_place(a: Any, i: int) -> Any:
    b = a + 1
    b[:-1] = b[1:] * np.ones(i)
    return b


CASES: list[tuple[Callable[..., Any], Any, int, type[Exception]]] = [
    (nested, np.arange(8.0), 99, IndexError),
    (nested, np.arange(8.0), -1, ValueError),
    (mismatched, np.arange(8.0), 3, ValueError),
    (negative_power, np.arange(8), 9, ValueError),
    (summed_powers, np.arange(8), 7, ValueError),
    (summed_powers, np.arange(7), 0, ValueError),
    (in_place, np.arange(8.0), 3, ValueError),
]


@pytest.mark.parametrize("kernel, a, i, error", CASES)
def test_a_kernel_that_raises_leaves_nothing(
    kernel: Callable[..., Any], a: Any, i: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        kernel(a, i)
    before = _core.live_blocks()
    for _ in range(400):
        with pytest.raises(error):
            kernel(a, i)
    assert _core.live_blocks() == before
