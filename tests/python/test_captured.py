"""Captured names: a rebound global or closure variable is seen, and nothing is compiled in vain."""

from __future__ import annotations

import gc
import math
import sys
import weakref

import numpy as np
import pytest

from mpijit import jit

pytestmark = pytest.mark.compiled


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
