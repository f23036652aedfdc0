"""Writes one kernel: keeps its variables, their types and extents, and picks rows of the table until it is full.

The text is annotated Python. Two functions in it are not part of the language and vanish from the kernel that is
compiled: ``J_(x, "weak f8")``, where the reference converts x to the type that values join to, and ``U_(x, n)``, a
returned value that may differ by n units in the last place. Everything random comes from the generator it is given.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from .kinds import BINARY, BOOL, FLOAT, INT, NAMES, SIGNED, UNSIGNED, Array, Extent, Scalar, Tuple, Type, broadcast
from .kinds import result as result_of
from .rows import Row

EVALUATIONS = 3000  # at most so many times may a statement run: the reference is slow


@dataclass(frozen=True)
class Expr:
    """An expression: atomic text, its type, its value where that is a compile-time constant, and its tolerance."""

    text: str
    type: Any
    const: int | float | bool | None = None
    ulp: int = 0


@dataclass
class Var:
    """A variable that expressions may use. `counter`: what a loop or index needs unchanged, so never assigned."""

    name: str
    type: Any
    counter: bool = False
    extent: Extent = None  # of a loop variable: it is below this
    readonly: bool = False
    sink: bool = False  # an array that is only written, and compared within a tolerance
    layout: str = "C"
    aliased: bool = False


class Table:
    """The rows this kernel may use, with weights of its own: some of them it uses much, some hardly ever."""

    def __init__(self, rng: random.Random, rows: Sequence[Row]) -> None:
        self.by_kind: dict[tuple[str, bool], tuple[list[Row], list[float]]] = {}
        for kind in ("scalar", "array", "statement"):
            for leaf in (False, True):
                some = [r for r in rows if r.kind == kind and (r.leaf or not leaf)]
                weights = [r.weight * rng.choice((0.1, 1, 1, 6)) for r in some]
                self.by_kind[kind, leaf] = some, list(accumulate(weights))

    def pick(self, rng: random.Random, kind: str, leaf: bool) -> Row:
        rows, weights = self.by_kind[kind, leaf]
        return rng.choices(rows, cum_weights=weights)[0]


class Writer:
    def __init__(self, rng: random.Random, rows: Sequence[Row], extents: list[tuple[int, ...]], style: str) -> None:
        self.rng = rng
        self.rows = {r.name for r in rows}
        self.table = Table(rng, rows)
        self.extents = extents
        self.style = style
        self.used: Counter[str] = Counter()
        self.module: list[str] = []  # text before the kernel
        self.lines: list[str] = []
        self.scopes: list[list[Var]] = [[]]
        self.indent = 1
        self.fuel = 40  # expressions that may still branch
        self.turns = 1  # how often the present place runs, at most
        self.loops = 0
        self.names = 0
        self.approx = False  # whether the expression being written may be approximate
        self.captured: list[Any] = []  # arrays that the module holds
        self.helpers: list[Any] = []
        self.in_helper = False
        self.returns: list[str] | None = None
        self.approximate: list[str] = []  # values that only the result holds

    # ---- small things ----

    def has(self, *rows: str) -> bool:
        """Whether the compiler has these constructs."""
        return self.rows.issuperset(rows)

    def use(self, name: str) -> None:
        """Count a construct that is written as part of another."""
        self.used[name] += 1

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def choice(self, *options: Any) -> Any:
        return self.rng.choice(options)

    def fresh(self, prefix: str = "v") -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    @contextmanager
    def block(self, turns: int = 1) -> Iterator[None]:
        """An indented block with a scope of its own, run `turns` times for each time its surroundings run."""
        self.indent += 1
        self.scopes.append([])
        before, self.turns = self.turns, self.turns * max(turns, 1)
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.emit("pass")
        self.turns = before
        self.scopes.pop()
        self.indent -= 1

    @contextmanager
    def exact(self, approx: bool = False) -> Iterator[None]:
        """What is written inside is exact, or may be approximate."""
        before, self.approx = self.approx, approx
        yield
        self.approx = before

    # ---- variables ----

    def declare(self, name: str, type: Type, **rest: Any) -> Var:
        var = Var(name, type, **rest)
        self.scopes[-1].append(var)
        return var

    def variables(self, test: Callable[[Var], bool]) -> list[Var]:
        return [v for scope in self.scopes for v in scope if test(v)]

    def is_readonly(self, e: Expr) -> bool:
        """Whether an array may be a view of something that must not be stored into, or is taken for one: compiled,
        a copy that reshape makes of a read-only array is read-only too."""
        if "broadcast_to" in e.text:
            return True
        return ("reshape" in e.text or "ravel" in e.text) and bool(self.arrays(lambda v: v.readonly))

    def arrays(self, test: Callable[[Var], bool] = lambda v: True) -> list[Var]:
        return self.variables(lambda v: isinstance(v.type, Array) and not v.sink and test(v))

    def scalars(self, test: Callable[[Var], bool] = lambda v: True) -> list[Var]:
        return self.variables(lambda v: isinstance(v.type, Scalar) and test(v))

    # ---- expressions ----

    def literal(self, t: Scalar) -> Expr:
        """A literal of a weak type."""
        rng = self.rng
        if t == BOOL:
            value: Any = rng.random() < 0.5
        elif t == INT:
            value = (
                rng.choice((0, 1, 2, 3, 4, 5, 7)) if rng.random() < 0.93 else rng.choice((64, 255, 300, 2**31, 2**62))
            )
        elif t == FLOAT:
            value = rng.choice((0.0, 0.5, 1.0, 1.5, 2.0, 0.1, 3.25, 100.0, 1e-3))
        else:
            value = rng.choice((1j, 2j, 0.5j))
        return Expr(repr(value), t, value)

    def scalar(self, want: Scalar | None = None) -> Expr:
        """An expression with a scalar value, of the wanted type if there is one."""
        with self.exact(self.approx and (want is None or want.kind == "f")):
            for _ in range(4):
                leaf = self.fuel <= 0 or self.rng.random() < 0.35
                e = self.write(self.table.pick(self.rng, "scalar", leaf))
                if e is not None and not (e.ulp and want is None and not self.approx):
                    return e if want is None else self.convert(e, want)
            return self.leaf(want)

    def write(self, row: Row) -> Any:
        """Write one row; None or False when it does not apply here."""
        self.fuel -= 1
        with self.exact(self.approx and row.approx):
            made = row.make(self)
        if made is None or made is False:
            return None
        self.used[row.name] += 1
        return made

    def leaf(self, want: Scalar | None = None) -> Expr:
        """A variable or a literal."""
        if want is None:
            want = self.rng.choice((INT, FLOAT))
        some = self.scalars(lambda v: v.type == want)
        if some and self.chance(0.7):
            return Expr(self.rng.choice(some).name, want)
        if want.weak:
            return self.literal(want)
        small = self.rng.randint(0, 9)
        return Expr(f"np.{NAMES[want.dtype]}({small})", want)

    def convert(self, e: Expr, want: Scalar) -> Expr:
        """Convert a scalar explicitly, in a way that does not depend on undefined casts."""
        have = e.type
        if have == want:
            return e
        if have.kind == "c" and want.kind != "c":
            e = Expr(f"{e.text}.real", Scalar({"c8": "f4", "c16": "f8"}[have.dtype]), None, e.ulp)
            if have.weak:
                e = replace(e, type=FLOAT)
            return self.convert(e, want)
        if want == BOOL:
            return Expr(f"bool({e.text})", want)
        if want == FLOAT:
            return Expr(f"float({e.text})", want, None, e.ulp)
        if want == INT:
            if have.kind == "f" and self.chance(0.8):  # mostly within range
                return Expr(f"(int({e.text}) if abs({e.text}) < 1e6 else {self.rng.randint(0, 5)})", want)
            return Expr(f"int({e.text})", want)
        if want.weak:
            return self.literal(want)
        name = NAMES[want.dtype]
        if want.kind in "iu" and (have.kind == "f" or have.weak):
            return Expr(f"np.{name}({self.convert(e, INT).text} % {self.rng.choice((3, 11, 100))})", want)
        return Expr(f"np.{name}({e.text})", want, None, e.ulp)

    def binary(self, op: str, a: Expr, b: Expr) -> Expr | None:
        """``a op b`` of scalars, arrays or both; None when the language refuses the types or a literal."""
        a, b = self.fitting(a, b.type), self.fitting(b, a.type)
        t = result_of(BINARY[op], a.type, b.type)
        if t is None or ((a.ulp or b.ulp) and op not in ("*", "/")):
            return None
        ulp = a.ulp + b.ulp + 2 if a.ulp or b.ulp else 0
        if t.kind == "c" and op not in ("+", "-"):  # NumPy's own products differ between machines
            ulp = max(ulp, 8)
        if ulp and not self.approx:
            return None
        return Expr(f"({a.text} {op} {b.text})", self.shaped(t, a.type, b.type), folded(op, a, b), ulp)

    def shaped(self, t: Any, *types: Any) -> Any:
        """The result type with the extents that its operands broadcast to."""
        if not isinstance(t, Array):
            return t
        shapes = [x.shape for x in types if isinstance(x, Array)]
        shape = broadcast(*shapes)
        return Array(t.dtype, shape if shape is not None and len(shape) == t.ndim else (None,) * t.ndim)

    def fitting(self, e: Expr, other: Any) -> Expr:
        """A constant that does not fit the dtype it meets would refuse the kernel; another one instead."""
        if e.const is None or isinstance(e.const, float) or not isinstance(e.type, Scalar):
            return e
        if e.type != INT or getattr(other, "weak", False) or other.kind not in "iu":
            return e
        low, high = bounds(other.dtype)
        if low <= e.const <= high:
            return e
        value = self.rng.randint(0, 7)
        return Expr(str(value), INT, value)

    def condition(self) -> Expr:
        """A scalar to branch on: any kind, mostly a comparison."""
        with self.exact():
            if self.fuel > 0 and self.chance(0.75):
                names = [
                    n for n in ("compare <", "compare >", "compare ==", "and", "or", "not", "chained") if self.has(n)
                ]
                from .rows import ROWS

                e = self.write(ROWS[self.rng.choice(names)])
                if e is not None and isinstance(e.type, Scalar):
                    return e
            return self.scalar()

    def run_time_condition(self) -> Expr | None:
        """A condition that the compiler cannot know: where it decides between types, both sides count."""
        some = [v.name for v in self.scalars(lambda v: v.type.kind in "iuf")] or [
            f"{v.name}.size" for v in self.arrays()
        ]
        if not some:
            return None
        return Expr(f"({self.rng.choice(some)} {self.choice('<', '>', '!=')} {self.rng.randint(0, 3)})", BOOL)

    # ---- indices ----

    def index(self, extent: Extent) -> str:
        """An integer index for an axis of this extent: mostly within it."""
        rng = self.rng
        counters = self.scalars(lambda v: v.counter and v.type == INT)
        exact = [v for v in counters if v.extent is not None and extent is not None and leq(v.extent, extent)]
        if exact and self.chance(0.65):
            name = rng.choice(exact).name
            return (
                name + rng.choice((" + 1", " * 2", " + 2"))
                if self.chance(0.06)
                else name + rng.choice(("",) * 6 + (" - 1", " // 2"))
            )
        low = max(min(extent), 1) if extent else 2
        if self.chance(0.87):
            return str(rng.randint(-low, low - 1))
        if counters and self.chance(0.4):
            name = rng.choice(counters).name
            shift = rng.choice(("", " + 1", " - 1", " - 2", " // 2", " % 2", " % 3"))
            return f"{name}{shift}"
        if self.chance(0.3):
            some = self.scalars(lambda v: v.type.kind in "iu" and v.type.dtype != "u8")
            if some:
                return f"{rng.choice(some).name}{rng.choice((' % 3', ' % 5', '', ' & 3'))}"
        return str(rng.choice((0, 0, 1, -1, -1, -2, 3, -3)))

    def element(self, var: Var) -> Expr:
        """``a[i, j]``, checked."""
        t: Array = var.type
        return Expr(f"{var.name}[{', '.join(self.index(e) for e in t.shape) or '()'}]", Scalar(t.dtype))

    # ---- arrays ----

    def array(self) -> Expr | None:
        """An expression whose value is an array of any type and shape; None where there is none."""
        for _ in range(4):
            leaf = self.fuel <= 0 or self.rng.random() < 0.3
            e = self.write(self.table.pick(self.rng, "array", leaf))
            if e is not None and isinstance(e.type, Array):  # operations on 0-d arrays give scalars
                return e
        some = self.arrays()
        if not some:
            return None
        v = self.rng.choice(some)
        return Expr(v.name, v.type)

    def operand(self, shape: tuple[Extent, ...], dtype: str | None = None) -> Expr:
        """An array or a scalar that broadcasts to a shape, of a dtype if one is given."""
        from .views import view_of

        rng = self.rng
        if self.fuel > 0 and rng.random() < 0.5:
            e = self.array()
            if e is not None and self.fits(e.type, shape) and dtype in (None, e.type.dtype):
                return e
        some = self.arrays(lambda v: dtype in (None, v.type.dtype))
        for v in rng.sample(some, min(len(some), 3)):
            e = view_of(self, v, shape)
            if e is not None:
                return e
        if dtype is None:
            return self.scalar()
        return self.scalar(Scalar(dtype))

    @staticmethod
    def fits(t: Any, shape: tuple[Extent, ...]) -> bool:
        """Whether a value of type t certainly broadcasts to the shape."""
        if not isinstance(t, Array):
            return True
        if t.ndim > len(shape) or None in t.shape or None in shape:
            return False
        return broadcast(t.shape, shape) == tuple(shape)

    # ---- statements ----

    def statement(self) -> None:
        for _ in range(4):
            if self.write(self.table.pick(self.rng, "statement", False)):
                return
        self.emit("pass")

    def statements(self, low: int, high: int) -> None:
        for _ in range(self.rng.randint(low, high)):
            self.statement()


def folded(op: str, a: Expr, b: Expr) -> int | None:
    """The value of an operation on integer constants, which the compiler may know too."""
    if a.const is None or b.const is None or a.type != INT or b.type != INT or op in ("/", "**", "<<", ">>"):
        return None
    if op in ("//", "%") and b.const == 0:
        return None
    value = int(BINARY[op](a.const, b.const))
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def leq(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


def bounds(dtype: str) -> tuple[int, int]:
    """The least and the greatest integer of a dtype."""
    bits = 8 * int(dtype[1:])
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype in SIGNED else (0, (1 << bits) - 1)


def integer(dtype: str) -> bool:
    return dtype in SIGNED or dtype in UNSIGNED


__all__ = ["Expr", "Table", "Tuple", "Var", "Writer", "bounds", "integer", "leq"]
