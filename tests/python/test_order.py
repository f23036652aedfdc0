"""What raises first, and what has happened by then: compiled as in CPython.

A case is a kernel and a function that makes its arguments; both runs get their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import jit

Case = tuple[Any, Callable[[], tuple[Any, ...]]]
CASES: list[Case] = []


def case(make: Callable[[], tuple[Any, ...]]) -> Callable[[Any], Any]:
    def add(kernel: Any) -> Any:
        CASES.append((kernel, make))
        return kernel

    return add


def outcome(f: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        with np.errstate(all="ignore"):
            result = f(*args)
    except Exception as error:
        return type(error), str(error) if isinstance(error, (IndexError, ZeroDivisionError)) else "", *args
    return "value", result, *args


def frozen(*items: float) -> np.ndarray:
    a = np.array(items)
    a.flags.writeable = False
    return a


# ---- elements: the right side, the target, the index, its range, and only then the conversion -----------------


@case(lambda: (np.zeros(3, np.uint8), 1, 300))
@case(lambda: (np.zeros(3, np.uint8), 9, 300))
@case(lambda: (np.zeros(3, np.int16), 9, 70000))
@case(lambda: (np.zeros(3, np.int32), -4, math.nan))
@case(lambda: (np.zeros(3, np.int64), 2, math.nan))
@case(lambda: (np.zeros(3, np.int8), 9, np.float64(1e9)))
@case(lambda: (np.zeros(3, np.int8), 5, np.uint64(2**63)))
@jit
def element(a, i, x):
    a[i] = x


@case(lambda: (np.zeros(3, np.uint64), 9))
@case(lambda: (np.zeros(3, np.uint64), 1))
@jit
def element_of_negative(a, i):
    a[i] = ~7


@case(lambda: (np.zeros((2, 2), np.uint8), np.zeros(3), 0))
@case(lambda: (np.zeros((2, 2), np.uint8), np.zeros(3), 7))
@jit
def element_of_call(a, log, i):
    a[i, touch(log, 1)] = touch(log, 300)


@case(lambda: (np.zeros(4, np.uint8), 5))
@jit
def elements_in_loop(a, n):
    for i in range(n):
        a[i] = 64 * i
    a[0] = 64 * n


def touch(log, n):
    log[0] += 1
    log[1] = n
    return n


# ---- a weak operand meets a narrow one after both are there ---------------------------------------------------


@case(lambda: (np.zeros(3), 2**31 - 1))
@case(lambda: (np.zeros(3), 7))
@jit
def weak_on_the_left(log, i):
    return i * np.uint16(touch(log, 5)), i ** np.uint16(touch(log, 6))


@case(lambda: (np.zeros(2, np.uint8), 300, 5))
@case(lambda: (np.zeros(2, np.uint8), 300, 1))
@case(lambda: (np.zeros(2, np.uint8), 30, 1))
@jit
def weak_and_an_element(a, n, i):
    return n - a[i]


# ---- read-only arrays ----------------------------------------------------------------------------------------


def write(p):
    p[0] = 1
    return 1.5


@case(lambda: (frozen(1, 2),))
@case(lambda: (np.zeros(3),))
@jit
def operand_before_write(b):
    return math.fmod(b[2], write(b))


@case(lambda: (frozen(1, 2), np.zeros(3), 7))
@case(lambda: (frozen(1, 2), np.zeros(3), 1))
@jit
def target_after_write(a, b, i):
    b[i] /= 1.0 - write(a)


@case(lambda: (np.zeros(3), frozen(1), True))
@case(lambda: (np.zeros(3), frozen(1), False))
@jit
def one_arm_writes(a, b, c):
    a[1] += (1 not in (bool(write(b)),)) if c else 1
    a[2] = write(b) if c else 2.5
    return float(write(a))


@case(lambda: (frozen(1), np.zeros(3), 300))
@jit
def index_before_read_only(a, log, i):
    a[touch(log, i)] = touch(log, 7)


@case(lambda: (frozen(1), np.zeros(3), 300))
@jit
def bounds_before_read_only(a, log, i):
    a[touch(log, i) : touch(log, 3)] = touch(log, 7)


@case(lambda: (frozen(1, 2), 300))
@jit
def slice_of_read_only(a, n):
    a[n, ...] = n


@case(lambda: (frozen(1, 2), 3))
@jit
def read_only_in_place(a, n):
    a += n
    return a.sum() + n


# ---- calls that never return ---------------------------------------------------------------------------------


def fail(n):
    raise KeyError("never")


@case(lambda: (np.zeros(3), 1))
@jit
def left_operand(log, n):
    return touch(log, n) + fail(n)


@case(lambda: (np.zeros(3), 9))
@case(lambda: (np.zeros(3), 1))
@jit
def argument_before(log, n):
    return math.hypot(log[n], fail(touch(log, n)))


@case(lambda: (np.zeros(3), 1))
@case(lambda: (np.zeros(3), 0))
@jit
def arms_of_every_type(a, n):
    t = fail(n) if n else (1, 2)
    u = a if n == 0 else fail(n)
    return t, u, "x" if n == 0 else fail(n), fail(1) if n > 5 else None


@case(lambda: (np.zeros(3), 0))
@jit
def both_arms(log, n):
    x = fail(touch(log, 1)) if n else fail(touch(log, 2))
    return x


@case(lambda: (np.zeros(3), 0))
@case(lambda: (np.zeros(3), 1))
@jit
def short_circuit(log, n):
    x = n and fail(n)
    y = n or touch(log, 5)
    return x, y


@case(lambda: (np.zeros(3), 0))
@case(lambda: (np.zeros(3), 1))
@case(lambda: (np.zeros(3), 5))
@jit
def paths_that_end(a, n):
    if n == 1:
        return fail(n)
    x = a
    for i in range(3):
        if i == n:
            x = fail(i)
        a[i] = i
    return x, (lambda k: k + 1)(n)


@case(lambda: (np.zeros(3), 0))
@case(lambda: (np.zeros(3), 3))
@jit
def condition_that_never_ends(log, n):
    while n > 0:
        log[n - 1] = n
        n -= 1
    if touch(log, n) and (lambda k: fail(k))(n):
        log[2] = 9
    return log.sum()


@case(lambda: (np.zeros(3),))
@jit
def store_of_nothing(log):
    log[touch(log, 1)] = fail(1)


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda k: f"{CASES[k][0].py_func.__name__}-{k}")
def test_order(number: int) -> None:
    kernel, make = CASES[number]
    compiled, plain = outcome(kernel, make()), outcome(kernel.py_func, make())
    assert same(compiled, plain), f"compiled {compiled}, interpreted {plain}"


# ---- which array comes back ----------------------------------------------------------------------------------


@jit
def second(a, b):
    return b


@jit
def tail(a):
    return a[1:]


def test_returned_arrays_are_as_writeable_as_before() -> None:
    a = np.zeros(3)
    read_only = a[:]
    read_only.flags.writeable = False
    assert second(read_only, a) is a
    assert second(a, read_only) is read_only
    assert not tail(read_only).flags.writeable
    assert tail(a).flags.writeable
