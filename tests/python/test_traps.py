"""The trap table: every row's kernels (traps/) give what the table says, compiled and interpreted."""

from __future__ import annotations

import copy
import re
import sys
import traceback
import warnings

import numpy as np
import pytest
import traps
from agreement import same
from conftest import is_interpreted

from mpijit import MpijitWarning, jit

ROWS = range(1, 64)
CASES = traps.load()

# Rows, or parts of them, that wait for what they need.
LATER = {
    61: "reads and writes through integer arrays are not there yet",
}
PARTLY = {
    9: "trapping on overflow waits for the debug mode",
    28: "`out=` is not there yet",
    51: "cumsum is not there yet",
    52: "several axes at once are not there yet",
}
ELSEWHERE = {49}  # rows that are tests of their own below


def name(c: traps.Case) -> str:
    return f"{c.kernel.__name__}-{[other for other in CASES if other.kernel is c.kernel].index(c) + 1}"


@pytest.mark.parametrize("c", CASES, ids=name)
def test_row(c: traps.Case) -> None:
    expected = c.interpreted if is_interpreted() else c.compiled
    args = copy.deepcopy(c.args)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's, which compiled code does not give
        if isinstance(expected, type):
            with pytest.raises(expected) as info:
                c.kernel(*args)
            assert is_interpreted() or re.search(c.match, str(info.value)), info.value
            assert "supported in kernels yet" not in str(info.value), "no answer, only a feature that is missing"
            if not hasattr(info.value, "lineno"):  # of a refusal, which has its place in its text
                files = [frame.filename for frame in traceback.extract_tb(info.tb)]
                assert c.kernel.py_func.__code__.co_filename in files, "the kernel is not in the traceback"
            return
        got = c.kernel(*args)
    assert expected is traps.ANY or same(got, expected), f"{got!r}, not {expected!r}"
    for argument, afterwards in zip(args, c.after, strict=False):
        assert same(argument, afterwards), f"{argument!r} afterwards, not {afterwards!r}"


def test_every_case_can_fail() -> None:
    for c in CASES:
        assert c.after or (c.compiled is not traps.ANY and c.interpreted is not traps.ANY), name(c)


def test_every_row_is_here_or_said_to_come() -> None:
    here = {c.row for c in CASES} | ELSEWHERE
    assert here | set(LATER) == set(ROWS)
    assert not here & set(LATER), "no longer to come"
    assert set(PARTLY) <= here


# ---- rows that a call alone does not show ------------------------------------------------------------------


@pytest.mark.compiled
def test_row_18_is_said_once(no_said_warnings: None) -> None:
    @jit
    def mixed(a, b):
        return a[0] + b[0]

    args = np.zeros(1, np.int64), np.zeros(1, np.uint64)
    with pytest.warns(MpijitWarning, match="float64"):
        mixed(*args)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mixed(*args)


def test_row_48_defaults_are_evaluated_once() -> None:
    start = 2

    @jit
    def f(x, n=start):
        return x + n

    assert f(1) == 3
    start = 10
    assert f(1) == 3


FACTOR = 2
TABLE = np.array([1.0, 2.0, 3.0])


@jit
def uses_global(x):
    return x * FACTOR


@jit
def uses_array(i):
    TABLE[0] += 1
    return TABLE[i]


@jit
def uses_array_whole(a):
    return a * TABLE


def test_row_49_changed_globals_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[__name__]
    for value in (2, 5, 2.5, np.float32(0.5), 2):
        monkeypatch.setattr(module, "FACTOR", value)
        assert same(uses_global(3), 3 * value)


def plus(x, shift):
    return x + shift


def minus(x, shift):
    return x - shift


def test_row_49_changed_closures_are_seen() -> None:
    shift, helper = 1, plus

    @jit
    def f(x):
        return helper(x, shift) * shift

    assert f(1) == 2
    shift = 10
    assert f(1) == 110
    helper = minus
    assert f(1) == -90


def test_row_49_captured_arrays_are_read_and_written_at_run_time(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[__name__]
    table = np.array([1.0, 2.0, 3.0])
    monkeypatch.setattr(module, "TABLE", table)
    assert same(uses_array(1), np.float64(2))
    assert table[0] == 2
    table[:] = [5, 6, 7]
    assert same(uses_array(0), np.float64(6))
    assert same(uses_array_whole(np.ones(3)), table)
    monkeypatch.setattr(module, "TABLE", np.array([7, 8], np.int32))
    assert same(uses_array(1), np.int32(8))
    with pytest.raises(IndexError):
        uses_array(2)
