"""Rows 32 to 35 and 47: loops, branches and names that may have no value."""

from __future__ import annotations

from mpijit import CompileError, jit

from . import case, f64, i64


@case(3, gives=2)
@case(0, gives=UnboundLocalError)
@jit
def row_32_loop_variable_afterwards(n):
    for i in range(n):
        pass
    return i


@case(f64(1, 2, 3), gives=f64(1, 2, 3)[2])
@case(f64(), gives=UnboundLocalError)
@jit
def row_32_element_afterwards(a):
    for x in a:
        pass
    return x


@case(4, gives=(6, 3))
@jit
def row_33_loop_variable_reassigned(n):
    s = 0
    for i in range(n):
        s += i
        i = 100
        i -= 97
    return s, i


@case(4, gives=(4, 40))
@jit
def row_33_bound_changed_in_the_loop(n):
    turns = 0
    for _ in range(n):
        turns += 1
        n = 40
    return turns, n


@case(0, 10, 0, gives=ValueError)
@case(0, 10, 3, gives=(4, 9))
@case(10, 0, -3, gives=(4, 1))
@case(2**63 - 5, 2**63 - 1, 3, gives=(2, 2**63 - 2))
@case(-(2**63), 2**63 - 1, 2**62, gives=(4, 2**62))
@case(5, 0, 1, gives=(0, -1))
@jit
def row_33_steps(start, stop, step):
    turns, last = 0, -1
    for i in range(start, stop, step):
        turns += 1
        last = i
    return turns, last


@case(True, gives=1)
@case(False, gives=UnboundLocalError)
@jit
def row_34_assigned_on_one_way(c):
    if c:
        x = 1
    return x


@case(0, gives=UnboundLocalError)
@case(3, gives=4)
@jit
def row_34_assigned_in_a_loop(n):
    for i in range(n):
        square = i * i
    return square


@case(f64(1, -1), 0, gives=1)
@case(f64(1, -1), 1, gives=0)
@case(f64(1, -1), 2, gives=0)
@case(f64(1, -1), 100, gives=0)
@jit
def row_35_right_side_is_not_evaluated(a, i):
    if i < len(a) and a[i] > 0:
        return 1
    return 0


def ticks(a):
    a[0] += 1
    return True


@case(i64(0), False, gives=(False, True), after=i64(1))
@case(i64(0), True, gives=(True, True), after=i64(1))
@jit
def row_35_effects_of_the_right_side(a, c):
    return c and ticks(a), c or ticks(a)


@case(f64(1, 2), 7, gives=f64(0)[0])
@case(f64(1, 2), 1, gives=f64(2)[0])
@jit
def row_35_ternary(a, i):
    x = a[i] if i < 2 else a[0] * 0
    return x


@case(1, gives=2.5)
@case(-1, compiled=1.0, interpreted=1)
@jit
def row_47_int_or_float(n):
    if n > 0:
        return 2.5
    return 1


@case(1, compiled=CompileError, interpreted=1, match="[Nn]one")
@jit
def row_47_number_or_none(n):
    if n > 0:
        return 1


@jit
def number_or_none(a, n):
    if n > 0:
        a[0] = n
        return 1


@case(i64(0), 5, gives=5, after=i64(5))
@case(i64(0), -5, gives=-5, after=i64(0))
@jit
def row_47_result_that_is_ignored(a, n):
    number_or_none(a, n)
    return n


@case(i64(0), 5, gives=None, after=i64(5))
@case(i64(0), -5, gives=None, after=i64(0))
@jit
def row_47_early_return(a, n):
    if n < 0:
        return
    a[0] = n
