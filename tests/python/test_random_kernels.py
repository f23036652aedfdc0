"""Random kernels, compiled and interpreted: nests, guarded and wrapping accesses, swaps, views, aliasing arguments.

Arrays are float64 and integers stay small, so that nothing differs on purpose (docs/differences.md) but a division of
Python's own numbers by zero. A failure prints the kernel; its number reproduces it.
"""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mpijit import CompileError, jit

pytestmark = [pytest.mark.compiled, pytest.mark.timeout(120)]

KERNELS = 40  # per seed
NAMES = {"n": "int", "m": "int", "x": "float", "s": "float"}


class Writer:
    """Writes one kernel. Every choice comes from the generator it is given."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.depth = 1

    def pick(self, *choices: Callable[[], str] | str) -> str:
        choice = self.rng.choice(choices)
        return choice if isinstance(choice, str) else choice()

    def index(self) -> str:
        def near() -> str:
            return f"{self.rng.choice(self.loops)} + {self.rng.randint(-2, 2)}"

        def scaled() -> str:
            return f"{self.rng.choice(self.loops)} {self.pick('*', '//', '%')} {self.rng.randint(1, 3)}"

        if not self.loops:
            return self.pick(str(self.rng.randint(-2, 3)), "n", "m % 5")
        return self.pick(near, near, near, scaled, str(self.rng.randint(-2, 3)), "m % 5")

    def element(self) -> str:
        return self.pick(f"a[{self.index()}]", f"b[{self.index()}]", f"c[{self.index()}, {self.index()}]")

    def value(self, depth: int = 0) -> str:
        if depth > 2:
            return self.pick(self.element, *NAMES, *self.loops)

        def operation() -> str:
            return f"({self.value(depth + 1)} {self.pick('+', '-', '*', '/')} {self.value(depth + 1)})"

        def conditional() -> str:
            return f"({self.value(depth + 1)} if {self.condition()} else {self.value(depth + 1)})"

        def extremum() -> str:
            return f"{self.pick('min', 'max')}({self.element()}, {self.element()})"

        return self.pick(operation, operation, self.element, self.element, conditional, extremum, *NAMES, *self.loops)

    def condition(self, depth: int = 0) -> str:
        simple = f"{self.value(2)} {self.pick('<', '<=', '==', '!=', '>')} {self.value(2)}"
        if depth == 0 and self.rng.random() < 0.3:
            return f"({simple} {self.pick('and', 'or')} {self.condition(1)})"
        return simple

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def block(self) -> None:
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            self.statement()
        self.depth -= 1

    def loop(self) -> None:
        variable = "ijk"[len(self.loops)]
        start, stop = self.pick("", "1, ", "-1, "), self.pick("len(a)", "len(b) - 1", "n", "c.shape[1] - 2", "5")
        bounds = self.pick(f"{start}{stop}", f"{start or '0, '}{stop}, 2", f"{stop}, 0, -1")
        self.emit(f"for {variable} in range({bounds}):")
        self.loops.append(variable)
        self.block()
        if self.rng.random() < 0.15:
            self.emit(f"    if {self.condition()}:")
            self.emit(f"        {self.pick('break', 'continue')}")
        self.loops.pop()

    def statement(self) -> None:
        kind = self.rng.random()
        if kind < 0.35:
            self.emit(f"{self.element()} {self.pick('=', '=', '+=', '-=')} {self.value()}")
        elif kind < 0.45:
            self.emit(self.pick("m = n + 1", "m = len(b) - n", f"x = {self.value()}", f"s += {self.value()}"))
        elif kind < 0.75 and self.depth < 5 and len(self.loops) < 3:
            self.loop()
        elif kind < 0.9 and self.depth < 5:
            self.emit(f"if {self.condition()}:")
            self.block()
            if self.rng.random() < 0.5:
                self.emit("else:")
                self.block()
        else:
            self.emit(self.pick("a, b = b, a", "a = a[1:]", "b = b[::-1]", "a = np.zeros_like(a)", "b = a"))

    def kernel(self) -> str:
        self.lines = ["def f(a, b, c, n, x):", "    m = 3", "    s = 1.5"]
        self.block_at_top(3)
        return "import numpy as np\n\n\n" + "\n".join([*self.lines, "    return m, x, s, a, b", ""])

    def block_at_top(self, statements: int) -> None:
        for _ in range(statements):
            self.statement()


def arguments(rng: random.Random) -> Callable[[], tuple[Any, ...]]:
    """A function that makes the same arguments each time; the arrays may share memory."""
    shared, strided, turned = rng.random() < 0.5, rng.choice([1, 2]), rng.random() < 0.4
    first, second, third = (rng.randint(0, 12) for _ in range(3))
    length, n = rng.choice([0, 1, 6, 12, 12]), rng.randint(0, 7)

    def make() -> tuple[Any, ...]:
        base = np.arange(240.0) / 4
        a = base[first : first + length]
        b = (base if shared else base.copy())[second : second + 12 * strided : strided]
        c = (base if shared else base.copy())[third : third + 144].reshape(12, 12)
        return a, b, c.T if turned else c, n, 0.5

    return make


def outcome(function: Any, make: Callable[[], tuple[Any, ...]]) -> tuple[str, Any, tuple[Any, ...]]:
    args = make()
    try:
        with np.errstate(all="ignore"):
            return "value", function(*args), args
    except CompileError:
        raise
    except Exception as error:
        return "raises", type(error), args


def same(a: Any, b: Any) -> bool:
    """Equal as numbers: where an int and a float join, the compiled value is the float."""
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and np.array_equal(a, b, equal_nan=True)
    return a is b or a == b or (a != a and b != b)


@pytest.mark.parametrize("seed", range(12))
def test_random_kernels(seed: int) -> None:
    compared = 0
    for number in range(KERNELS):
        rng = random.Random(1000 * seed + number)
        source = Writer(rng).kernel()
        make = arguments(rng)
        name = f"<random kernel {seed}.{number}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        namespace: dict[str, Any] = {}
        exec(compile(source, name, "exec"), namespace)
        try:
            got = outcome(jit(namespace["f"]), make)
        except CompileError as refusal:  # a loop variable read where no way binds it, nothing else
            assert "is used before anything is assigned" in str(refusal), f"{source}\n{refusal}"
            continue
        want = outcome(namespace["f"], make)
        if want[1] is ZeroDivisionError:  # Python's own numbers; inf or nan when compiled
            continue
        assert got[0] == want[0] and same(got[1], want[1]) and same(got[2], want[2]), (
            f"{name}\n{source}\ncompiled {got}\ninterpreted {want}"
        )
        compared += 1
    assert compared > KERNELS // 2
