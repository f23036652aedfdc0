"""Rows that make arrays: filled ones, copies, conversions, ranges."""

from __future__ import annotations

import numpy as np

from .kinds import NAMES, REAL, Array, Scalar, result
from .rows import family, row
from .writer import Expr, Writer, integer


def _dtype(w: Writer) -> tuple[str, str]:
    """A dtype argument and the dtype that it means."""
    if w.chance(0.3):
        return "", "f8"
    dtype = w.rng.choice(REAL)
    name = NAMES[dtype].replace("bool", "bool_")
    return w.choice(f", np.{name}", f", dtype=np.{name}", f', "{NAMES[dtype]}"'), dtype


def _shape(w: Writer) -> tuple[str, tuple[tuple[int, ...] | None, ...]]:
    """The text of a shape and its extents."""
    some = w.arrays(lambda v: v.type.ndim > 0)
    sets = len(w.extents[0])
    n = w.rng.randint(0, 5)
    options: list[tuple[str, tuple[tuple[int, ...] | None, ...]]] = [
        (str(n), ((n,) * sets,)),
        (f"(2, {n})", ((2,) * sets, (n,) * sets)),
    ]
    if some:
        v = w.rng.choice(some)
        options += [(f"{v.name}.shape", v.type.shape)] * 3
        options += [(f"len({v.name})", v.type.shape[:1]), (f"({v.name}.shape[0], 3)", (v.type.shape[0], (3,) * sets))]
    return w.choice(*options)


@family("array", "np.{}", ["zeros", "ones"], lambda f: f"return np.{f}((3, i), np.int32)", weight=1.5, leaf=True)
def filled(w: Writer, function: str) -> Expr:
    text, shape = _shape(w)
    argument, dtype = _dtype(w)
    return Expr(f"np.{function}({text}{argument})", Array(dtype, shape))


@family("array", "np.{}_like", ["zeros", "ones"], lambda f: f"return np.{f}_like(a)", weight=1, leaf=True)
def filled_like(w: Writer, function: str) -> Expr | None:
    some = w.arrays()
    if not some:
        return None
    v = w.rng.choice(some)
    argument, dtype = _dtype(w) if w.chance(0.3) else ("", v.type.dtype)
    if not argument:
        dtype = v.type.dtype
    return Expr(f"np.{function}_like({v.name}{argument})", Array(dtype, v.type.shape))


@row("statement", "np.empty", "y = np.empty(4)\nfor p in range(4):\n    y[p] = x\nreturn y", weight=0.7)
def empty(w: Writer) -> bool:
    """Filled at once, element by element: what was in the memory must not show."""
    some = w.arrays(lambda v: v.type.ndim == 1 and v.type.shape[0] is not None and v.type.kind in "iuf")
    if not some or w.turns > 20:
        return False
    v = w.rng.choice(some)
    name, counter = w.fresh("a"), w.fresh("i")
    made = w.choice(
        f"np.empty({v.name}.shape, {v.name}.dtype)",
        f"np.empty_like({v.name})",
        f"np.ndarray({v.name}.shape, np.{NAMES[v.type.dtype]})" if w.has("np.ndarray") else f"np.empty_like({v.name})",
        f"np.empty(len({v.name}), dtype=np.{NAMES[v.type.dtype]})",
    )
    w.emit(f"{name} = {made}")
    w.emit(f"for {counter} in range(len({v.name})):")
    w.emit(f"    {name}[{counter}] = {v.name}[{counter}]")
    w.declare(name, v.type)
    return True


@row("statement", "np.ndarray", "y = np.ndarray((4,), np.float64)\ny[0] = x\nreturn y[0]", weight=0.2)
def ndarray(w: Writer) -> bool:
    name, n = w.fresh("a"), w.rng.randint(1, 3)
    if w.turns > 20:
        return False
    w.emit(f"{name} = np.ndarray(({n}, 2), np.float64)")
    w.emit(f"for {name}k in range({n}):")
    w.emit(f"    {name}[{name}k, 0] = {name}k")
    w.emit(f"    {name}[{name}k, 1] = 0.5")
    w.declare(name, Array("f8", ((n,) * len(w.extents[0]), (2,) * len(w.extents[0]))))
    return True


@row("array", "np.full", "return np.full(4, x)", weight=1)
def full(w: Writer) -> Expr | None:
    text, shape = _shape(w)
    with w.exact():
        e = w.scalar()
    if e.type.kind == "c":
        return None
    t = result(lambda x: np.full(1, x), e.type)
    if t is None:
        return None
    if w.chance(0.3) and e.type.kind == "f":
        return Expr(f"np.full({text}, {e.text}, {w.choice('np.float32', 'dtype=np.float32')})", Array("f4", shape))
    return Expr(f"np.full({text}, {e.text})", Array(t.dtype, shape))


@row("array", "np.full_like", "return np.full_like(a, x)", weight=0.5)
def full_like(w: Writer) -> Expr | None:
    some = w.arrays()
    if not some:
        return None
    v = w.rng.choice(some)
    if v.type.kind == "c":
        return None
    with w.exact():
        e = w.scalar(Scalar(v.type.dtype))
    return Expr(f"np.full_like({v.name}, {e.text})", v.type)


@row("array", "np.array of a list", "return np.array([x, 1.0, 2.0])", weight=1)
def array_of_list(w: Writer) -> Expr | None:
    sets = len(w.extents[0])
    with w.exact():
        first = w.scalar()
        if first.type.kind == "c":
            return None
        rows = w.rng.randint(1, 3)
        items = [first] + [w.scalar(first.type) for _ in range(rows)]
    t = result(lambda x: np.array([x, x]), first.type)
    if t is None:
        return None
    texts = ", ".join(e.text for e in items)
    argument, dtype = "", t.dtype
    if first.type.kind in "fb" and w.chance(0.3):
        argument, dtype = ", dtype=np.float32", "f4"
    if w.chance(0.2):
        return Expr(f"np.array([[{texts}], [{texts}]]{argument})", Array(dtype, ((2,) * sets, (len(items),) * sets)))
    inner = w.choice(f"[{texts}]", f"({texts},)")
    return Expr(f"np.array({inner}{argument})", Array(dtype, ((len(items),) * sets,)))


@row("array", "np.arange", "return np.arange(i)", weight=1)
def arange(w: Writer) -> Expr:
    sets = len(w.extents[0])
    some = w.arrays(lambda v: v.type.ndim > 0)
    if some and w.chance(0.5):
        v = w.rng.choice(some)
        more, dtype = w.choice(("", "i8"), (", dtype=np.float64", "f8"), (", dtype=np.int32", "i4"))
        return Expr(f"np.arange(len({v.name}){more})", Array(dtype, v.type.shape[:1]))
    n = w.rng.randint(0, 6)
    text, dtype, count = w.choice(
        (f"{n}", "i8", n),
        (f"1, {n}", "i8", max(n - 1, 0)),
        (f"{n}, -1, -1", "i8", n + 1),
        (f"0, {n}, 2", "i8", (n + 1) // 2),
        (f"0.0, {n}.0", "f8", n),
        (f"0.0, {n}.0, 0.5", "f8", 2 * n),
    )
    return Expr(f"np.arange({text})", Array(dtype, ((count,) * sets,)))


@row("array", "np.linspace", "return np.linspace(0.0, 1.0, 5)", weight=0.7)
def linspace(w: Writer) -> Expr:
    sets, n = len(w.extents[0]), w.rng.randint(1, 7)
    with w.exact():
        a, b = w.choice("0.0", "1", "-2.5"), w.choice("1.0", "3", "10.5")
    return Expr(f"np.linspace({a}, {b}, {n}{w.choice('', ', endpoint=False')})", Array("f8", ((n,) * sets,)))


@row("array", "copy", "return a.copy()", weight=1.5)
def copy(w: Writer) -> Expr | None:
    e = w.array()
    return None if e is None else Expr(w.choice(f"{e.text}.copy()", f"np.copy({e.text})"), e.type, None, e.ulp)


@row("array", "astype", "return a.astype(np.int32)", weight=1.5, table=(53,))
def astype(w: Writer) -> Expr | None:
    with w.exact():
        e = w.array()
    if e is None or e.ulp or (e.type.kind == "c"):
        return None
    dtype = w.rng.choice(REAL)
    if integer(dtype) and e.type.kind == "f" and w.chance(0.7):
        return None
    return Expr(
        f"{e.text}.astype({w.choice('np.{}', 'np.{}').format(NAMES[dtype].replace('bool', 'bool_'))})",
        Array(dtype, e.type.shape),
    )


@row("statement", "fill", "a.fill(x)\nreturn a", weight=0.7)
def fill(w: Writer) -> bool:
    some = w.arrays(lambda v: not v.readonly)
    if not some or w.turns > 60:
        return False
    v = w.rng.choice(some)
    if v.type.kind == "c":
        return False
    from .elements import stored

    with w.exact():
        e = stored(w, v.type.dtype)
    if e is None:
        return False
    w.emit(f"{v.name}.fill({e.text})")
    return True


@family("array", "np.{}", ["asarray", "ascontiguousarray"], lambda f: f"return np.{f}(a)", weight=0.3)
def as_array(w: Writer, function: str) -> Expr | None:
    e = w.array()
    if e is None or e.type.ndim == 0:
        return None
    copied = ".copy()" if function == "ascontiguousarray" else ""  # NumPy's may be the array itself
    return Expr(f"np.{function}({e.text}){copied}", e.type, None, e.ulp)


@row("array", "np.eye", "return np.eye(3)", weight=0.2, leaf=True)
def eye(w: Writer) -> Expr:
    sets, n = len(w.extents[0]), w.rng.randint(0, 4)
    return Expr(w.choice(f"np.eye({n})", f"np.identity({n})"), Array("f8", ((n,) * sets, (n,) * sets)))
