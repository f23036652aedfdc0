"""Rows for elements of arrays, read and written, and for the attributes of arrays."""

from __future__ import annotations

from .kinds import BINARY, BOOL, FLOAT, INT, Array, Scalar, result
from .rows import family, row
from .writer import EVALUATIONS, Expr, Var, Writer, bounds, integer


@row("scalar", "element", "return a[0] + m[1, 2]", weight=6, table=(11, 12, 24, 25), leaf=True)
def element(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 0)
    return w.element(w.rng.choice(some)) if some else None


@row("scalar", "element of a row", "return m[0][1]", weight=0.7, leaf=True, table=(24, 25))
def element_of_row(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 1)
    if not some:
        return None
    v = w.rng.choice(some)
    t: Array = v.type
    return Expr(v.name + "".join(f"[{w.index(e)}]" for e in t.shape), Scalar(t.dtype))


@row("scalar", "element by an element", "return a[k[0]]", weight=0.4, table=(24, 25))
def element_by_element(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim == 1)
    indices = w.arrays(lambda v: v.type.ndim > 0 and v.type.kind in "iu" and v.type.dtype != "u8")
    if not some or not indices:
        return None
    v, i = w.rng.choice(some), w.element(w.rng.choice(indices))
    limit = w.choice("", " % 3", " % 5")
    return Expr(f"{v.name}[{i.text}{limit}]", Scalar(v.type.dtype))


@row("scalar", "0-d element", "return np.zeros(())[()]", weight=0.4, leaf=True, wants="0-d")
def zero_d(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim == 0)
    if not some:
        return None
    v = w.rng.choice(some)
    return Expr(f"{v.name}[()]", Scalar(v.type.dtype))


@family("scalar", ".{}", ["size", "ndim", "itemsize"], lambda n: f"return a.{n}", weight=0.5, leaf=True)
def attribute(w: Writer, name: str) -> Expr | None:
    some = w.arrays()
    return Expr(f"{w.rng.choice(some).name}.{name}", INT) if some else None


@row("scalar", ".shape", "return a.shape[0]", weight=1, leaf=True)
def shape(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some:
        return None
    v = w.rng.choice(some)
    axis = w.rng.randrange(-v.type.ndim, v.type.ndim)
    return Expr(f"{v.name}.shape[{axis}]", INT)


@row("scalar", ".shape[d]", "return m.shape[i % 2]", weight=0.3, leaf=True)
def shape_at(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 1)
    ints = w.scalars(lambda v: v.type == INT)
    if not some or not ints:
        return None
    v = w.rng.choice(some)
    return Expr(f"{v.name}.shape[{w.rng.choice(ints).name} % {v.type.ndim}]", INT)


@row("scalar", ".strides", "return a.strides[0]", weight=0.2, leaf=True)
def strides(w: Writer) -> Expr | None:
    # The stride of an axis with one item, or of an array with none, says nothing.
    long = lambda v: all(extent and min(extent) > 1 for extent in v.type.shape)  # noqa: E731
    some = w.arrays(lambda v: v.type.ndim > 0 and not v.aliased and long(v))
    if not some:
        return None
    return Expr(f"{w.rng.choice(some).name}.strides[0]", INT)


@row("scalar", "len", "return len(a)", weight=1, leaf=True)
def length(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 0)
    return Expr(f"len({w.rng.choice(some).name})", INT) if some else None


# ---- stores ------------------------------------------------------------------------------------------------------


def target(w: Writer) -> Var | None:
    """An array to store into: now and then a read-only one."""
    some = w.arrays(lambda v: v.type.ndim > 0 and (not v.readonly or w.chance(0.03)))
    return w.rng.choice(some) if some else None


def stored(w: Writer, dtype: str) -> Expr | None:
    """A value for an element: mostly one that a cast to the dtype defines."""
    e = w.scalar()
    if e.type.kind == "c" and dtype[0] != "c":
        return None
    if e.const is not None and e.type == INT and integer(dtype):
        low, high = bounds(dtype)
        if not low <= e.const <= high:
            return Expr("7", INT, 7)
    if not integer(dtype) or w.chance(0.15):
        return e
    if e.type.kind == "f":
        return w.convert(e, Scalar(dtype))
    if e.type == INT and dtype != "i8" and e.const is None:
        return Expr(f"({e.text} % {w.choice(5, 100)})", INT)
    return e


@row("statement", "element store", "a[0] = x\nm[0, i] = 2\nreturn x", weight=6, table=(24, 25, 53, 55))
def store(w: Writer) -> bool:
    v = target(w)
    if v is None:
        return False
    with w.exact():
        e = stored(w, v.type.dtype)
    if e is None:
        return False
    w.emit(f"{w.element(v).text} = {e.text}")
    return True


@row("statement", "approximate store", "a[0] = x\nreturn x", weight=1.5)
def sink_store(w: Writer) -> bool:
    sinks = w.variables(lambda v: v.sink)
    if not sinks:
        return False
    v = w.rng.choice(sinks)
    with w.exact(approx=True):
        e = w.scalar(FLOAT)
    place = ", ".join(w.index(x) for x in v.type.shape)
    w.emit(f"{v.name}[{place}] = {e.text}")
    return True


@family(
    "statement",
    "element {}=",
    [op for op in BINARY if op != "**"],
    lambda op: ("k" if op in "<<>>&|^" else "a") + f"[0] {op}= 2\nreturn x",
    weight={"+": 6, "-": 3, "*": 3, "/": 2},
    table=(24, 25, 53),
)
def augmented(w: Writer, op: str) -> bool:
    v = target(w)
    if v is None:
        return False
    t = Scalar(v.type.dtype)
    with w.exact():
        b = w.scalar()
    if op in ("<<", ">>"):
        b = Expr(str(w.rng.randint(0, 70)), INT, 1)
    if (b.type.kind == "c" and t.kind != "c") or (t.kind == "c" and op not in ("+", "-")):
        return False
    b = w.fitting(b, t)
    made = result(BINARY[op], t, b.type)
    if made is None or (made.kind == "f" and t.kind in "iu" and w.chance(0.8)) or (made.kind == "c" and t.kind != "c"):
        return False
    w.emit(f"{w.element(v).text} {op}= {b.text}")
    return True


@row("statement", "element swap", "a[0], a[1] = a[1], a[0]\nreturn x", weight=0.7)
def swap(w: Writer) -> bool:
    v = target(w)
    if v is None or v.readonly:
        return False
    p, q = w.element(v).text, w.element(v).text
    w.emit(f"{p}, {q} = {q}, {p}")
    return True


NEIGHBOURS = {
    "(p + 1) % n": "{a}[{p}] = {a}[({p} + {k}) % {n}]",
    "(p - 1) % n": "{a}[{p}] = {a}[({p} - {k}) % {n}]",
    "if p < n - 1": "if {p} < {n} - {k}:\n    {a}[{p}] = {a}[{p} + {k}]",
    "continue at n - 1": "if {p} == {n} - 1:\n    continue\n{a}[{p}] = {a}[{p} + 1]",
    "0 after n - 1": "{q} = {p} + {k}\nif {q} >= {n}:\n    {q} = 0\n{a}[{p}] = {a}[{q}]",
    "n - 1 before 0": "{a}[{p}] = {a}[{n} - 1 if {p} == 0 else {p} - {k}]",
}


def moved(how: str, **names: str) -> list[str]:
    """A loop in which the elements of a 1-d array become those next to them."""
    body = NEIGHBOURS[how].format(**names)
    return ["for {p} in range({n}):".format(**names), *("    " + line for line in body.splitlines())]


@family(
    "statement",
    "neighbour {}",
    NEIGHBOURS,
    lambda how: "\n".join([*moved(how, a="a", n="len(a)", p="p", q="q", k="1"), "return x"]),
)
def neighbour(w: Writer, how: str) -> bool:
    """What is cut next to the ends of a loop."""
    some = w.arrays(lambda v: v.type.ndim == 1 and v.type.shape[0] is not None and not v.readonly)
    if not some:
        return False
    v = w.rng.choice(some)
    if w.turns * max(*v.type.shape[0], 7) > EVALUATIONS:
        return False
    n, ints = f"len({v.name})", w.scalars(lambda v: v.type == INT)
    if ints and w.chance(0.2):
        n = w.fresh("n")
        w.emit(f"{n} = {w.rng.choice(ints).name} % 7")
    k = w.choice("1", "1", "1", "2", "3")
    for line in moved(how, a=v.name, n=n, p=w.fresh("i"), q=w.fresh("i"), k=k):
        w.emit(line)
    return True


@row("statement", "0-d store", "d = np.zeros(())\nd[()] = x\nreturn x", weight=0.3, wants="0-d")
def store_zero_d(w: Writer) -> bool:
    some = w.arrays(lambda v: v.type.ndim == 0 and not v.readonly)
    if not some:
        return False
    v = w.rng.choice(some)
    with w.exact():
        e = stored(w, v.type.dtype)
    if e is None:
        return False
    w.emit(f"{v.name}[()] = {e.text}")
    return True


@row("scalar", "in shape", "return i in a.shape", weight=0.2)
def in_shape(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some:
        return None
    with w.exact():
        return Expr(f"({w.scalar(INT).text} {w.choice('in', 'not in')} {w.rng.choice(some).name}.shape)", BOOL)
