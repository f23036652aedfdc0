"""Rows for tuples: building, unpacking, indices, membership, concatenation, comparison, iteration."""

from __future__ import annotations

from .kinds import BOOL, INT, Scalar, Tuple
from .rows import row
from .writer import EVALUATIONS, Expr, Var, Writer


def _tuples(w: Writer) -> list[Var]:
    return w.variables(lambda v: isinstance(v.type, Tuple))


@row("statement", "new tuple", "p = (x, i)\nreturn p[0]", weight=1)
def new_tuple(w: Writer) -> bool:
    with w.exact():
        first = w.scalar()
        same = w.chance(0.6)
        items = [first] + [w.scalar(first.type if same else None) for _ in range(w.rng.randint(1, 3))]
    name = w.fresh("t")
    w.emit(f"{name} = ({', '.join(e.text for e in items)})")
    w.declare(name, Tuple(tuple(e.type for e in items)))
    return True


@row("statement", "unpack a tuple", "p, q = (x, i)\nreturn p", weight=0.7, wants="tuple")
def unpack(w: Writer) -> bool:
    some = _tuples(w)
    if not some:
        return False
    v = w.rng.choice(some)
    names = [w.fresh() for _ in v.type.items]
    w.emit(f"{', '.join(names)} = {v.name}")
    for name, t in zip(names, v.type.items, strict=True):
        w.declare(name, t)
    return True


@row("scalar", "tuple item", "p = (x, i)\nreturn p[1]", weight=0.8, leaf=True, wants="tuple")
def item(w: Writer) -> Expr | None:
    some = _tuples(w)
    if not some:
        return None
    v = w.rng.choice(some)
    k = w.rng.randrange(-len(v.type.items), len(v.type.items))
    return Expr(f"{v.name}[{k}]", v.type.items[k])


@row("scalar", "tuple run-time item", "p = (x, 2.0)\nreturn p[i % 2]", weight=0.5, wants="tuple")
def run_time_item(w: Writer) -> Expr | None:
    some = [v for v in _tuples(w) if len(set(v.type.items)) == 1]
    if not some:
        return None
    v = w.rng.choice(some)
    with w.exact():
        i = w.scalar(INT)
    if i.const is not None:  # an index that is known to be out of range refuses the kernel
        return None
    return Expr(f"{v.name}[{i.text} % {len(v.type.items) + w.chance(0.1)}]", v.type.items[0])


@row("scalar", "in tuple", "return i in (1, 2, i)", weight=0.6)
def member(w: Writer) -> Expr:
    with w.exact():
        x = w.scalar()
        items = [w.scalar(x.type if w.chance(0.7) else None) for _ in range(w.rng.randint(1, 3))]
    if any(e.type.kind == "c" for e in (x, *items)):
        return Expr("True", BOOL)
    return Expr(f"({x.text} {w.choice('in', 'not in')} ({', '.join(e.text for e in items)},))", BOOL)


@row("scalar", "len of a tuple", "p = (x, i)\nreturn len(p)", weight=0.2, leaf=True, wants="tuple")
def length(w: Writer) -> Expr | None:
    some = _tuples(w)
    return Expr(f"len({w.rng.choice(some).name})", INT) if some else None


@row("scalar", "compare tuples", "return (x, i) == (0.5, 2)", weight=0.4, wants="tuple")
def compare(w: Writer) -> Expr | None:
    some = _tuples(w)
    if not some:
        return None
    v = w.rng.choice(some)
    with w.exact():
        items = [w.scalar(t).text for t in v.type.items]
    return Expr(f"({v.name} {w.choice('==', '!=')} ({', '.join(items)},))", BOOL)


@row("statement", "concatenate tuples", "p = (x,) + (i, 2)\nreturn p[2]", weight=0.5, wants="tuple")
def concatenate(w: Writer) -> bool:
    some = [v for v in _tuples(w) if len(v.type.items) < 6]
    if not some:
        return False
    v = w.rng.choice(some)
    with w.exact():
        e = w.scalar()
    name = w.fresh("t")
    if w.chance(0.5):
        w.emit(f"{name} = {v.name} + ({e.text},)")
        w.declare(name, Tuple((*v.type.items, e.type)))
    else:
        w.emit(f"{name} = ({e.text},) + {v.name}")
        w.declare(name, Tuple((e.type, *v.type.items)))
    return True


@row("statement", "slice of a tuple", "p = (x, i, 2)[1:]\nreturn p[0]", weight=0.3, wants="tuple")
def slice_of_tuple(w: Writer) -> bool:
    some = [v for v in _tuples(w) if len(v.type.items) > 1]
    if not some:
        return False
    v = w.rng.choice(some)
    text, items = w.choice(("1:", v.type.items[1:]), (":-1", v.type.items[:-1]), ("::-1", v.type.items[::-1]))
    name = w.fresh("t")
    w.emit(f"{name} = {v.name}[{text}]")
    w.declare(name, Tuple(items))
    return True


@row("statement", "for over a tuple", "for y in (1.0, x, 2.0):\n    x += y\nreturn x", weight=1)
def for_tuple(w: Writer) -> bool:
    if w.loops > 2 or w.indent > 5 or w.turns * 4 > EVALUATIONS:
        return False
    with w.exact():
        first = w.scalar()
        items = [first.text] + [w.scalar(first.type).text for _ in range(w.rng.randint(0, 3))]
    name = w.fresh("y")
    w.emit(f"for {name} in ({', '.join(items)},):")
    w.loops += 1
    with w.block(len(items)):
        w.declare(name, first.type)
        w.statements(1, 2)
    w.loops -= 1
    return True


@row("statement", "for over the shape", "for y in m.shape:\n    i += y\nreturn i", weight=0.4)
def for_shape(w: Writer) -> bool:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some or w.turns * 4 > EVALUATIONS or w.indent > 5:
        return False
    v = w.rng.choice(some)
    name = w.fresh("y")
    w.emit(f"for {name} in {v.name}.shape:")
    w.loops += 1
    with w.block(v.type.ndim):
        w.declare(name, INT)
        w.statements(1, 2)
    w.loops -= 1
    return True


@row("statement", "unpack the shape", "p, q = m.shape\nreturn p", weight=0.5)
def unpack_shape(w: Writer) -> bool:
    some = w.arrays(lambda v: v.type.ndim > 1)
    if not some:
        return False
    v = w.rng.choice(some)
    names = [w.fresh("n") for _ in v.type.shape]
    w.emit(f"{', '.join(names)} = {v.name}.shape")
    for name, extent in zip(names, v.type.shape, strict=True):
        w.declare(name, INT, counter=True)
    return True


@row("statement", "unpack an array", "p, q, r, s = a\nreturn p", weight=0.3)
def unpack_array(w: Writer) -> bool:
    some = w.arrays(lambda v: v.type.ndim == 1)
    if not some:
        return False
    v = w.rng.choice(some)
    names = [w.fresh() for _ in range(3)]
    w.emit(f"{', '.join(names)} = {v.name}[{w.choice(':3', '-3:', '1:4')}]")
    for name in names:
        w.declare(name, Scalar(v.type.dtype))
    return True


@row("scalar", "shape as a tuple", "return a.shape == b.shape", weight=0.3)
def shapes(w: Writer) -> Expr | None:
    some = w.arrays()
    if not some:
        return None
    a, b = w.rng.choice(some).name, w.rng.choice(some).name
    return Expr(f"({a}.shape {w.choice('==', '!=')} {b}.shape)", BOOL)
