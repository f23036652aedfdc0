"""What is taken out of loops must not show: ends of loops, guards and remainders, against CPython.

Loops are cut, tested before they begin and run unchecked; whatever the numbers are, a kernel must raise what `py_func`
raises and leave the arrays as that leaves them.
"""

from __future__ import annotations

import linecache
import random
import textwrap
from typing import Any

import numpy as np
import pytest
from agreement import same

from mpijit import jit


def kernel(source: str) -> Any:
    """The function `f` that the source defines, as a kernel whose text `inspect` finds."""
    name = f"<bounds {len(linecache.cache)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), namespace)  # our own text
    return jit(namespace["f"])


def outcome(function: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the call returns or raises, and the arrays afterwards; equal arguments stay one array."""
    copies = {id(a): a.copy() for a in arguments if isinstance(a, np.ndarray)}
    taken = [copies.get(id(a), a) for a in arguments]
    try:
        result = function(*taken)
    except (IndexError, ZeroDivisionError) as error:
        result = (type(error).__name__, str(error))
    return (result, *copies.values())


def check(f: Any, *arguments: Any) -> tuple[Any, ...]:
    expected = outcome(f.py_func, arguments)
    got = outcome(f, arguments)
    shown = f"{arguments}\n{got}\n{expected}"
    assert type(got[0]) is type(expected[0]) and got[0] == expected[0], shown
    assert all(map(same, got[1:], expected[1:])), shown
    return got


def line(n: int) -> np.ndarray:
    return np.arange(1.0, n + 1)


# ---- as people write them ----------------------------------------------------------------------------------

ENDS = [-(2**63) + 1, -3, -1, 0, 1, 2, 3, 5, 6, 7, 12]  # of loops over arrays of 6


def periodic(u, v, n):
    for i in range(n):
        v[i] = u[(i - 1) % n] + 10 * u[(i + 1) % n]


def shifted(u, v, n, k):
    for i in range(n):
        v[i] = u[(i + k) % n] + 10 * u[(i - k) % n]


def wrapped_by_length(u, v, n):
    for i in range(n):
        v[i] = u[(i + 2) % len(u)] + u[(n - i) % len(u)]


def guarded(u, v, n):
    for i in range(n):
        s = u[i]
        if i > 0:
            s += 10 * u[i - 1]
        if i < n - 1:
            s += 100 * u[i + 1]
        v[i] = s


def guarded_too_far(u, v, n):
    for i in range(n):
        v[i] = 1.0
        if i + 1 <= n:
            v[i] = u[i + 1]


def guarded_by_equality(u, v, n):
    for i in range(n):
        v[i] = (0.0 if i == 0 else u[i - 1]) + (0.0 if i == n - 1 else u[i + 1])


def skipped(u, v, n):
    for i in range(n):
        if i == 0 or i >= n - 1:
            continue
        v[i] = u[i - 1] + u[i + 1]


def wrapped_by_hand(u, v, n):
    for i in range(n):
        before = i - 1
        if before < 0:
            before = n - 1
        after = i + 1
        if after == n:
            after = 0
        v[i] = u[before] + 10 * u[after]


def guard_and_else(u, v, n):
    for i in range(n):
        if 0 < i and i < n - 1:
            v[i] = u[i - 1] + u[i + 1]
        else:
            v[i] = -u[i]
    else:
        v[0] += 100.0


def backwards(u, v, n):
    for i in range(n - 1, -1, -1):
        if i < n - 1:
            v[i] = v[i + 1] + u[i]
        v[(i + 1) % n] += 1.0


def second_cell(u, v, n):
    for i in range(0, n, 2):
        if i + 1 < n:
            v[i] = u[i + 1]
        v[(i + 2) % n] += 1.0


def leaves(u, v, n):
    for i in range(n):
        if i == 3:
            break
        v[i] = u[(i + 1) % n] + u[i + 2]


def changes_the_end(u, v, n):
    m = n
    for i in range(n):
        if i < m - 1:
            v[i] = u[i + 1]
        m -= 1
        v[(i + 1) % (n + 1)] += 1.0


def changes_the_counter(u, v, n):
    for i in range(n):
        i += 1
        if i < n:
            v[i] = u[i - 1] + u[(i + 1) % n]


def counter_afterwards(u, v, n):
    i = -7
    for i in range(n):
        if i < n - 1:
            v[i] = u[i + 1]
    return i


def ends_apart(u, v, n):
    for i in range(n):
        if i < n - 70:
            v[i] = u[i + 1]
        if i > 3:
            v[i] += u[i - 4]


def divides_first(u, v, n):
    for i in range(n):
        v[i] = 12 // (3 - i) + u[(i + 1) % n]


def counts_by_hand(u, v, n):
    i = 0
    while i < n - 1:
        if i > 0:
            v[i] = u[i - 1] + u[i + 1]
        v[(i + 1) % n] += 1.0
        i += 1
    else:
        v[0] -= 1.0
    return i


def counts_down_by_hand(u, v, n):
    i = n
    while 0 <= i - 1 and 2 < i:
        v[i - 1] = u[i - 1]
        i -= 1
    while i > -2:
        v[i] += u[i] + 10 * u[i - 1]
        i = i - 1
    return i


def leaves_by_hand(u, v, n):
    i = -2
    while n > i:
        if u[i] == 4.0:
            break
        j = i
        while j < i + 2:
            v[j] += u[j]
            j += 1
        i += 1
    return i


CELLS = [
    counts_by_hand,
    counts_down_by_hand,
    leaves_by_hand,
    periodic,
    wrapped_by_length,
    guarded,
    guarded_too_far,
    guarded_by_equality,
    skipped,
    wrapped_by_hand,
    guard_and_else,
    backwards,
    second_cell,
    leaves,
    changes_the_end,
    changes_the_counter,
    counter_afterwards,
    ends_apart,
    divides_first,
]


@pytest.mark.parametrize("function", CELLS)
def test_cells_and_their_neighbours(function: Any) -> None:
    f = jit(function)
    for n in ENDS:
        check(f, line(6), np.zeros(6), n)
        check(f, line(6), np.zeros(4), n)
        check(f, line(5)[::-1], np.zeros(12)[::2], n)
    one = line(6)
    check(f, one, one, 6)
    check(f, line(0), np.zeros(0), 0)


def test_shifts_of_any_size() -> None:
    f = jit(shifted)
    for n in ENDS:
        for k in [-(2**62), -13, -6, -1, 0, 1, 2, 5, 6, 7, 2**62]:
            check(f, line(6), np.zeros(6), n, k)


def periodic_plane(a, b):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            b[i, j] = a[(i - 1) % n, j] + 10 * a[(i + 1) % n, j] + 100 * a[i, (j - 1) % m] + 1000 * a[i, (j + 1) % m]


def guarded_plane(a, b):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            s = a[i, j]
            if i > 0:
                s += 10 * a[i - 1, j]
            if i < n - 1:
                s += 100 * a[i + 1, j]
            if j > 0 and i != 1:
                s += 1000 * a[i, j - 1]
            if not j >= m - 1:
                s += 10000 * a[i, j + 1]
            b[i, j] = s


def triangle(a, b):
    for i in range(a.shape[0]):
        for j in range(i + 1):
            if j < i:
                b[i, j] = a[i, j + 1]
            b[j, i] += a[j, (i + 1) % a.shape[1]]


@pytest.mark.parametrize("function", [periodic_plane, guarded_plane, triangle])
def test_planes(function: Any) -> None:
    f = jit(function)
    for shape in [(0, 3), (3, 0), (1, 1), (1, 4), (2, 2), (4, 5), (5, 5)]:
        a = line(shape[0] * shape[1]).reshape(shape)
        check(f, a, np.zeros(shape))
        check(f, np.asfortranarray(a), np.zeros(shape)[::-1])
        check(f, a, np.zeros((shape[0], max(shape[1] - 1, 0))))


def far(u, first, last, step):
    s = 0.0
    for i in range(first, last, step):
        s = 10 * s + u[i - first]
    return float(s)


def by_steps(u, n, step):
    s = 0.0
    for i in range(n):
        s = 10 * s + u[i * step]
        u[(i + step) % n] += 1.0
    return float(s)


def test_numbers_next_to_the_largest() -> None:
    f, g = jit(far), jit(by_steps)
    for first in [2**63 - 8, 2**63 - 4, -(2**63)]:
        for step in [1, 2, 3, 2**62]:
            check(f, line(6), first, min(first + 7, 2**63 - 1), step)
    check(f, line(6), 2**63 - 1, 2**63 - 6, -1)
    for step in [-2, -1, 0, 1, 2, 3, 2**60, -(2**60)]:
        for n in [0, 1, 3, 6]:
            check(g, line(6), n, step)


def gather(x, at, y):
    for k in range(len(at)):
        y[k] = x[at[k]]


def scatter(x, at, y):
    for k in range(len(at)):
        y[at[k]] += x[k]
        at[(k + 1) % len(at)] = k


def rows_of_sparse(data, col, ptr, x, y, n):
    for i in range(n):
        s = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            s += data[k] * x[col[k]]
        y[i] = s


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_indices_out_of_arrays(dtype: type) -> None:
    f, g = jit(gather), jit(scatter)
    for at in [[], [0, 5, 2], [1, 6, 0], [4, 4, 4, 200], [1, 2, 3, 4, 5, 0]]:
        index = np.array(at).astype(dtype)
        check(f, line(6), index, np.zeros(4))
        check(g, line(6), index, np.zeros(6))


def test_sparse_rows() -> None:
    f = jit(rows_of_sparse)
    good = [0, 2, 2, 5]
    for col in [[0, 1, 2, 0, 1], [0, 1, 3, 0, 1], [-1, -3, -4, 0, 0], [0, 1]]:
        for ptr in [good, [0, 2, 9, 9], [-1, 1, 2, 2], [3, 1, 0, 5], [2**63 - 1, -(2**63), 0, 1], [0, 1]]:
            for n in [0, 1, 3, 4]:
                check(f, line(5), np.array(col), np.array(ptr), line(3), np.zeros(3), n)
    index = np.array([0, 1, 2, 3, 4])
    check(jit(scatter), line(5), index, index)


# ---- made up -----------------------------------------------------------------------------------------------


class Opponent:
    """Makes up a kernel of nested loops, mostly of the kind that is cut and tested."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.counters: list[str] = []
        self.by_hand: list[bool] = []  # of the loops around: a while that counts
        body = "".join(self.loop(0) for _ in range(self.random.randint(1, 2)))
        self.source = f"def f(u, v, idx, n, m):\n    x = 0\n{textwrap.indent(body, '    ')}    return x\n"

    def pick(self, *of: str) -> str:
        return self.random.choice(of)

    def few(self) -> int:
        return self.random.choice([0, 0, 1, 1, 1, 2, 3])

    def number(self) -> str:
        return self.pick("n", "n", "n", "m", "len(u)", "len(v)", "n - 1", "n + 1", "n // 2", "x", "6")

    def counter(self) -> str:
        return self.random.choice(self.counters + self.counters[-1:] * 2)

    def index(self) -> str:
        c, k = self.counter(), self.few()
        return self.pick(
            f"{c}",
            f"{c} + {k}",
            f"{c} - {k}",
            f"{c} - m",
            f"-{c} - {k}",
            f"({c} + {k}) % n",
            f"({c} - {k}) % n",
            f"({c} + m) % n",
            f"({c} + {k}) % {self.number()}",
            f"(n - {k} - {c}) % n",
            f"n - {k} - {c}",
            f"{c} * 2 % n",
            f"{c} // 2",
            f"{c} * m + {self.counter()}",
            f"idx[{c}]",
            f"idx[({c} + {k}) % len(idx)]",
            "x",
        )

    def condition(self) -> str:
        c, k = self.counter(), self.few()
        op = self.pick("<", "<=", ">", ">=", "==", "!=")
        simple = self.pick(
            f"{c} {op} {k}",
            f"{c} {op} n - {k}",
            f"{c} + {k} {op} n",
            f"n - {k} {op} {c}",
            f"{c} {op} m",
            f"u[{self.index()}] > 3.0",
        )
        if self.random.random() < 0.3:
            simple += f" {self.pick('and', 'or')} {self.condition()}"
        return simple if self.random.random() < 0.9 else f"not ({simple})"

    def loop(self, depth: int) -> str:
        name = "ijk"[depth]
        ends = self.pick("n", "n", "n", "m", "n - 1", "1, n", "1, n - 1", "len(u)", "0, n, 2", "n - 1, -1, -1", "m, n")
        if self.counters and self.random.random() < 0.4:
            ends = self.pick(f"{self.counters[-1]}", f"{self.counters[-1]} + 1", f"{self.counters[-1]}, n")
        by_hand = self.random.random() < 0.15
        self.by_hand.append(by_hand)
        self.counters.append(name)
        body = "".join(self.statement(depth) for _ in range(self.random.randint(1, 3)))
        self.counters.pop()
        self.by_hand.pop()
        if by_hand:
            start, stop = self.few(), self.number()
            return f"{name} = {start}\nwhile {name} < {stop}:\n{textwrap.indent(body, '    ')}    {name} += 1\n"
        text = f"for {name} in range({ends}):\n{textwrap.indent(body, '    ')}"
        return text + (f"else:\n    v[{self.few()}] += 0.5\n" if self.random.random() < 0.1 else "")

    def statement(self, depth: int) -> str:
        value = self.pick(f"u[{self.index()}]", f"u[{self.index()}] + v[{self.index()}]", f"{self.counter()} + 0.25")
        store = f"v[{self.index()}] = {value}\n"
        kind = self.random.random()
        if kind < 0.4:
            return store
        if kind < 0.6:
            text = f"if {self.condition()}:\n    {store}"
            return text + (f"else:\n    v[{self.index()}] -= 1.0\n" if self.random.random() < 0.3 else "")
        if kind < 0.75:
            wrong = self.pick("x == n", "x < 0", "x >= n")
            return f"x = int({self.index()})\nif {wrong}:\n    x = {self.few()}\nv[x] += 2.0\n"
        if kind < 0.8:
            leave = "break" if self.by_hand[-1] else self.pick("continue", "continue", "break")
            return f"if {self.condition()}:\n    {leave}\n"
        if kind < 0.83:
            return self.pick(f"idx[{self.index()}] = {self.few()}\n", "m -= 1\n", f"v[0] = 6 // ({self.index()} - 2)\n")
        return self.loop(depth + 1) if depth < 2 else store


def arguments(source: random.Random) -> tuple[Any, ...]:
    """Arrays that fit the ends more often than not; one array twice now and then."""
    n = source.choice([-1, 0, 1, 2, 3, 5, 6, 6, 6, 7])
    u = line(source.choice([n, n, 6, 7, 9, 2]) if n > 0 else 6)
    v = u if source.random() < 0.1 else np.zeros(source.choice([len(u), 6, 7, 12]))
    index = np.array([source.randrange(-1, len(u) + (source.random() < 0.2)) for _ in range(source.choice([n, 6, 8]))])
    return u, v, index.astype(np.int64), n, source.choice([-2, 0, 1, 1, 2, 3, n])


@pytest.mark.parametrize("seed", range(100))
def test_made_up(seed: int) -> None:
    opponent = Opponent(seed)
    f = kernel(opponent.source)
    source = random.Random(seed)
    for _ in range(40):
        try:
            check(f, *arguments(source))
        except AssertionError as difference:
            raise AssertionError(f"{opponent.source}\n{difference}") from None
