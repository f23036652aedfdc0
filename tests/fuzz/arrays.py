"""Rows for array expressions, slice stores, in-place operators and loops over arrays."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .kinds import BINARY, COMPARE, FLOAT, INT, Array, Extent, Scalar, result
from .rows import family, row
from .scalars import TABLE_OF_OPERATOR
from .views import basic_view, view_of
from .writer import EVALUATIONS, Expr, Var, Writer, bounds, integer


def _fit(w: Writer, e: Expr, other: Expr) -> Expr:
    """Weak integers meet arrays mostly as small literals: others may be out of the dtype's range."""
    if e.type == INT and other.type.kind in "iu" and w.chance(0.7):
        value = w.rng.randint(0, 9)
        return Expr(str(value), INT, value)
    return w.fitting(e, other.type)


def pair(w: Writer) -> tuple[Expr, Expr] | None:
    """Two operands that broadcast, at least one of them an array."""
    a = w.array()
    if a is None:
        return None
    b = w.operand(a.type.shape)
    if w.chance(0.02) and w.arrays():  # shapes that may not fit
        v = w.rng.choice(w.arrays())
        b = Expr(v.name, v.type)
    a, b = _fit(w, a, b), _fit(w, b, a)
    return (b, a) if w.chance(0.4) else (a, b)


@family(
    "array",
    "array {}",
    [op for op in BINARY if op != "**"],
    lambda op: f"return {'k' if op in '<<>>&|^' else 'a'} {op} 2",
    weight={"+": 8, "-": 6, "*": 6, "/": 3},
    table={op: (*rows, 3, 14) for op, rows in TABLE_OF_OPERATOR.items()},
    approx=True,
)
def array_binary(w: Writer, op: str) -> Expr | None:
    both = pair(w)
    if both is None:
        return None
    a, b = both
    if op in ("<<", ">>") and b.type.kind in "iu" and w.chance(0.7):
        b = Expr(str(value := w.rng.choice((0, 1, 3, 7))), INT, value)
    if not (isinstance(a.type, Array) or isinstance(b.type, Array)):
        return None
    return w.binary(op, a, b)


@row("array", "array **", "return a ** 2", weight=1.5, table=(8,))
def array_power(w: Writer) -> Expr | None:
    a = w.array()
    if a is None or a.type.kind in "bc" or a.type.ndim == 0:
        return None
    # NumPy computes these exponents of float arrays by multiplication, division and square roots.
    text = w.choice("2", "2", "1", "0.5", "-1", "2.0") if a.type.kind == "f" else w.choice("0", "1", "2", "3", "5")
    if a.type.kind in "iu":
        return w.binary("**", a, Expr(text, INT, 2))
    return w.binary("**", a, Expr(text, FLOAT if "." in text else INT, 2.0))


@family(
    "array", "array unary {}", ["-", "+", "~"], lambda op: f"return {op}k", weight=1, table={"~": (23,), "-": (23,)}
)
def array_unary(w: Writer, op: str) -> Expr | None:
    a = w.array()
    if a is None:
        return None
    t = result({"-": operator.neg, "+": operator.pos, "~": operator.invert}[op], a.type)
    return None if t is None else Expr(f"({op}{a.text})", w.shaped(t, a.type), None, a.ulp)


@row("array", "abs of an array", "return abs(a)", weight=0.8)
def array_abs(w: Writer) -> Expr | None:
    a = w.array()
    if a is None or a.type.kind == "c":
        return None
    return Expr(f"abs({a.text})", a.type, None, a.ulp)


@family("array", "array {}", list(COMPARE), lambda op: f"return a {op} 2", weight=2, table=(59, 60))
def array_compare(w: Writer, op: str) -> Expr | None:
    with w.exact():
        both = pair(w)
    if both is None:
        return None
    a, b = both
    t = result(COMPARE[op], a.type, b.type)
    if t is None or "c" in (a.type.kind, b.type.kind):
        return None
    return Expr(f"({a.text} {op} {b.text})", w.shaped(t, a.type, b.type))


EXACT_UFUNCS = {
    **dict.fromkeys("absolute fabs sign floor ceil trunc rint sqrt square negative positive conj signbit".split(), 1),
    **dict.fromkeys("isnan isinf isfinite logical_not invert reciprocal spacing bitwise_count".split(), 1),
    **dict.fromkeys("add subtract multiply divide true_divide floor_divide remainder mod fmod".split(), 2),
    **dict.fromkeys("minimum maximum fmin fmax copysign nextafter heaviside".split(), 2),
    **dict.fromkeys("logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor".split(), 2),
    **dict.fromkeys("left_shift right_shift gcd lcm less less_equal equal not_equal greater greater_equal".split(), 2),
}
APPROXIMATE_UFUNCS = {
    **dict.fromkeys("exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan".split(), 1),
    **dict.fromkeys("sinh cosh tanh arcsinh arccosh arctanh cbrt deg2rad rad2deg degrees radians".split(), 1),
    **dict.fromkeys("arctan2 hypot power float_power logaddexp logaddexp2".split(), 2),
}
ZERO_SIGN = ("minimum", "maximum", "fmin", "fmax")
INTEGER_UFUNCS = (
    "invert",
    "bitwise_count",
    "left_shift",
    "right_shift",
    "gcd",
    "lcm",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
)


def _probe(function: str, n: int) -> str:
    x = "k" if function in INTEGER_UFUNCS else "a"
    return f"return np.{function}({', '.join([x] * n)})"


def _sign(x: Any) -> Any:
    return 0.5 - (x > 0)


def _ufunc(w: Writer, function: str, n: int, ulp: int) -> Expr | None:
    with w.exact():
        if n == 1:
            a = w.array()
            items = None if a is None else (a,)
        else:
            items = pair(w)
    if items is None or any(e.type.kind == "c" for e in items) or any(e.ulp for e in items):
        return None
    if function == "reciprocal" and items[0].type.kind != "f":
        return None  # of an integer 0 it is undefined
    if function == "copysign":  # the sign of a nan is anyone's
        items = (
            items[0],
            Expr(f"(0.5 - ({items[1].text} > 0))", w.shaped(result(_sign, items[1].type), items[1].type)),
        )
    elif function == "signbit":
        items = (Expr(f"np.where(np.isnan({items[0].text}), 1, {items[0].text})", items[0].type),)
    t = result(getattr(np, function), *(e.type for e in items))
    if t is None:
        return None
    e = Expr(f"np.{function}({', '.join(x.text for x in items)})", w.shaped(t, *(x.type for x in items)), None, ulp)
    if function in ZERO_SIGN and t.kind == "f":
        return Expr(f"({e.text} + 0.0)", e.type)
    return e


@family(
    "array",
    "np.{}",
    EXACT_UFUNCS,
    lambda f: _probe(f, EXACT_UFUNCS[f]),
    weight=5,
    table={
        "minimum": (40,),
        "maximum": (40,),
        "fmin": (40,),
        "fmax": (40,),
        "rint": (41,),
        "sqrt": (44, 45),
        "floor": (45,),
    },
)
def exact_ufunc(w: Writer, function: str) -> Expr | None:
    return _ufunc(w, function, EXACT_UFUNCS[function], 0)


@family(
    "array",
    "np.{}",
    APPROXIMATE_UFUNCS,
    lambda f: _probe(f, APPROXIMATE_UFUNCS[f]),
    weight=5,
    table={"log": (44, 45)},
    approx=True,
)
def approximate_ufunc(w: Writer, function: str) -> Expr | None:
    if not w.approx:
        return None
    e = _ufunc(w, function, APPROXIMATE_UFUNCS[function], 4)
    return None if e is None or e.type.kind != "f" else e


SCALAR_UFUNCS = ("sqrt", "absolute", "floor", "rint", "sign", "square", "isnan", "minimum", "maximum", "copysign")


@family(
    "scalar",
    "np.{} of scalars",
    SCALAR_UFUNCS,
    lambda f: f"return np.{f}({', '.join(['x'] * EXACT_UFUNCS[f])})",
    weight=1.5,
)
def scalar_ufunc(w: Writer, function: str) -> Expr | None:
    items = [w.scalar() for _ in range(EXACT_UFUNCS[function])]
    if any(e.type.kind == "c" for e in items):
        return None
    if function == "copysign":
        items[1] = Expr(f"(0.5 - ({items[1].text} > 0))", result(_sign, items[1].type))
    if len(items) == 2:
        items = [w.fitting(items[0], items[1].type), w.fitting(items[1], items[0].type)]
    t = result(getattr(np, function), *(e.type for e in items))
    if t is None:
        return None
    text = f"np.{function}({', '.join(e.text for e in items)})"
    return Expr(f"({text} + 0.0)" if function in ZERO_SIGN and t.kind == "f" else text, t)


@row("array", "np.where", "return np.where(a > 0, a, b)", weight=2)
def where(w: Writer) -> Expr | None:
    with w.exact():
        both = pair(w)
        if both is None:
            return None
        a, b = both
        shape = a.type.shape if isinstance(a.type, Array) else b.type.shape
        c = w.operand(shape, "b1" if w.chance(0.7) else None)
    if c.type.kind == "c":
        return None
    t = result(np.where, c.type, a.type, b.type)
    return None if t is None else Expr(f"np.where({c.text}, {a.text}, {b.text})", w.shaped(t, c.type, a.type, b.type))


@row("array", "np.clip", "return np.clip(a, 0.0, 1.0)", weight=1.5)
def clip(w: Writer) -> Expr | None:
    with w.exact():
        a = w.array()
        if a is None or a.type.kind in "cb":
            return None
        low = w.rng.randint(0, 3)
        texts = (str(low), str(low + w.rng.randint(0, 5)))
        if a.type.kind == "f" and w.chance(0.6):
            texts = (f"{texts[0]}.5", f"{texts[1]}.5")
        e = w.choice("np.clip({0}, {1}, {2})", "{0}.clip({1}, {2})", "np.clip({0}, {1}, None)").format(a.text, *texts)
    return Expr(f"({e} + 0.0)" if a.type.kind == "f" else e, a.type)


@row("array", "np.round", "return np.round(a)", weight=0.5, table=(41, 42))
def round_(w: Writer) -> Expr | None:
    a = w.array()
    if a is None or a.type.kind in "cb":
        return None
    return Expr(w.choice(f"np.round({a.text})", f"{a.text}.round()"), a.type)


@family("array", "array .{}", ["real", "imag"], lambda p: f"return z.{p}", weight=0.8, wants="complex")
def parts(w: Writer, part: str) -> Expr | None:
    some = w.arrays(lambda v: v.type.kind == "c" and v.type.ndim > 0)
    if not some:
        return None
    e = basic_view(w, w.rng.choice(some))
    return Expr(f"{e.text}.{part}", Array({"c8": "f4", "c16": "f8"}[e.type.dtype], e.type.shape))


# ---- statements --------------------------------------------------------------------------------------------------


def _weight(w: Writer, shape: tuple[Extent, ...]) -> bool:
    """Whether an array statement may stand here: not too deep in loops."""
    return w.turns <= 60


@row("statement", "new array", "y = a + 1\nreturn y", weight=2)
def new_array(w: Writer) -> bool:
    if not _weight(w, ()):
        return False
    with w.exact():
        e = w.array()
    if e is None or e.ulp or e.type.ndim == 0:
        return False
    name = w.fresh("a")
    w.emit(f"{name} = {e.text}")
    w.declare(name, e.type, readonly=w.is_readonly(e), layout="view", aliased=True)
    return True


def _target(w: Writer) -> tuple[Var, Expr] | None:
    """A view to store into."""
    some = w.arrays(lambda v: v.type.ndim > 0 and (not v.readonly or w.chance(0.02)))
    if not some:
        return None
    v = w.rng.choice(some)
    if w.chance(0.4):
        whole = [":"] + [":, :"] * (v.type.ndim > 1) + ["..."] * w.has("Ellipsis")
        return v, Expr(f"{v.name}[{w.rng.choice(whole)}]", v.type)
    return v, basic_view(w, v)


def _overlapping(w: Writer, v: Var, shape: tuple[Extent, ...]) -> Expr | None:
    """Another view of the target itself, or of an array that may share its memory."""
    some = w.arrays(lambda u: u.type.dtype == v.type.dtype and (u is v or u.aliased))
    return view_of(w, w.rng.choice(some), shape) if some else None


def _right(w: Writer, v: Var, t: Array) -> Expr | None:
    """A right side for a store into a view of v."""
    with w.exact():
        e: Expr | None = None
        if w.chance(0.35):
            e = _overlapping(w, v, t.shape)
            if e is not None and w.chance(0.6) and w.has("array +"):
                op = w.choice("+", "*", "-") if t.kind != "b" else "|"
                more = w.operand(t.shape, t.dtype)
                made = w.binary(op, e, more) if t.kind != "c" or op != "*" else None
                e = made or e
        if e is None:
            e = w.operand(t.shape)
    if e.ulp or (e.type.kind == "c" and t.kind != "c"):
        return None
    if integer(t.dtype) and e.type.kind == "f" and not w.chance(0.3):
        return None
    if e.type == INT and e.const is not None and integer(t.dtype):
        low, high = bounds(t.dtype)
        if not low <= e.const <= high:
            return Expr("3", INT, 3)
    if e.type == INT and e.const is None and t.dtype != "i8" and integer(t.dtype):
        return Expr(f"({e.text} % 7)", INT)
    return e


@row("statement", "slice store", "a[1:] = a[:-1] + 1\nreturn a", weight=6, table=(26, 27, 29, 53, 57))
def slice_store(w: Writer) -> bool:
    made = _target(w) if _weight(w, ()) else None
    if made is None:
        return False
    v, target = made
    e = _right(w, v, target.type)
    if e is None:
        return False
    w.emit(f"{target.text} = {e.text}")
    return True


@row("statement", "row swap", "m[0], m[1] = m[1], m[0]\nreturn m", weight=0.5, table=(30,))
def row_swap(w: Writer) -> bool:
    """Rows are views: both become the second one, as in NumPy."""
    some = w.arrays(lambda v: v.type.ndim > 1 and not v.readonly)
    if not some:
        return False
    v = w.rng.choice(some)
    p, q = w.index(v.type.shape[0]), w.index(v.type.shape[0])
    w.emit(f"{v.name}[{p}], {v.name}[{q}] = {v.name}[{q}], {v.name}[{p}]")
    return True


@row("statement", "fill by a slice", "a[1:] = x\nreturn a", weight=1.5, table=(53, 55))
def fill_slice(w: Writer) -> bool:
    made = _target(w) if _weight(w, ()) else None
    if made is None:
        return False
    from .elements import stored

    with w.exact():
        e = stored(w, made[1].type.dtype)
    if e is None:
        return False
    w.emit(f"{made[1].text} = {e.text}")
    return True


@row("statement", "approximate slice store", "a[1:] = a[1:] * 2\nreturn a", weight=2)
def sink_slice(w: Writer) -> bool:
    sinks = w.variables(lambda v: v.sink)
    if not sinks or not _weight(w, ()):
        return False
    v = w.rng.choice(sinks)
    with w.exact(approx=True):
        e = w.array()
    if e is None or not w.fits(e.type, v.type.shape) or e.type.kind == "c":
        return False
    if e.ulp and e.type.dtype == "f4" != v.type.dtype:  # its units are larger than those of what takes it
        return False
    w.emit(f"{v.name}[:] = {e.text}")
    return True


@family(
    "statement",
    "array {}=",
    [*BINARY],
    lambda op: f"{'k' if op in '<<>>&|^' else 'a'}[1:] {op}= 2\nreturn a",
    weight={"+": 10, "-": 6, "*": 6, "/": 3, "**": 0.5},
    table=(28, 29, 31, 54, 57),
)
def array_augmented(w: Writer, op: str) -> bool:
    made = _target(w) if _weight(w, ()) else None
    if made is None:
        return False
    v, target = made
    t: Array = target.type
    if w.chance(0.3):
        target = Expr(v.name, v.type)
        t = v.type
    b: Expr | None = Expr("2", INT, 2) if op in ("**", "<<", ">>") else _right(w, v, t)
    if b is None or (t.kind == "c" and op not in ("+", "-")):
        return False
    b = _fit(w, b, target)
    made_type = result(BINARY[op], t, b.type)
    if made_type is None or not np.can_cast(made_type.dtype, t.dtype, "same_kind"):
        return False
    w.emit(f"{target.text} {op}= {b.text}")
    return True


@row("statement", "for over an array", "for y in a:\n    x += y\nreturn x", weight=1)
def for_array(w: Writer) -> bool:
    some = w.arrays(lambda v: 0 < v.type.ndim < 3 and v.type.shape[0] is not None)
    if not some or w.loops > 2 or w.indent > 5:
        return False
    v = w.rng.choice(some)
    extent = v.type.shape[0]
    if extent is None or w.turns * max(extent) > EVALUATIONS:
        return False
    name = w.fresh("y")
    w.emit(f"for {name} in {v.name}:")
    w.loops += 1
    with w.block(max(extent)):
        if v.type.ndim == 1:
            w.declare(name, Scalar(v.type.dtype))
        else:
            w.declare(name, Array(v.type.dtype, v.type.shape[1:]), readonly=v.readonly, layout="view", aliased=True)
        w.statements(1, 2)
    w.loops -= 1
    return True


LOOPS = {
    "enumerate": ("for p, y in enumerate(a):\n    x += y * p\nreturn x", 1),
    "zip": ("for p, y in zip(a, b):\n    x += y * p\nreturn x", 2),
    "ndindex": ("for p, q in np.ndindex(m.shape):\n    x += m[p, q]\nreturn x", 1),
    "ndenumerate": ("for p, y in np.ndenumerate(a):\n    x += y\nreturn x", 1),
}


@family("statement", "for over {}", LOOPS, lambda f: LOOPS[f][0], weight=2)
def for_iterator(w: Writer, function: str) -> bool:
    some = w.arrays(lambda v: v.type.ndim > 0 and None not in v.type.shape)
    if function in ("enumerate", "zip"):
        some = [v for v in some if v.type.ndim == 1]
    if not some or w.loops > 1 or w.indent > 4:
        return False
    v, u = w.rng.choice(some), w.rng.choice(some)
    turns = 1
    for extent in v.type.shape:
        turns *= max(extent or (0,))
    if w.turns * turns > EVALUATIONS:
        return False
    names = [w.fresh("i") for _ in range(max(v.type.ndim, 2))]
    t = Scalar(v.type.dtype)
    kinds: list[tuple[str, object, Extent]]
    if function == "enumerate":
        head = f"{names[0]}, {names[1]} in enumerate({v.name}{w.choice('', ', 1')})"
        kinds = [(names[0], INT, None), (names[1], t, None)]
    elif function == "zip":
        head = f"{names[0]}, {names[1]} in zip({v.name}, {u.name})"
        kinds = [(names[0], t, None), (names[1], Scalar(u.type.dtype), None)]
    else:
        index = names[: v.type.ndim]
        target = ", ".join(index) + ("," if len(index) == 1 else "")
        kinds = [(n, INT, e) for n, e in zip(index, v.type.shape, strict=True)]
        if function == "ndindex":
            head = f"{target} in np.ndindex({w.choice(v.name + '.shape', '*' + v.name + '.shape')})"
        else:
            value = w.fresh("y")
            head = f"({target}), {value} in np.ndenumerate({v.name})"
            kinds.append((value, t, None))
    w.emit(f"for {head}:")
    w.loops += 1
    with w.block(turns):
        for name, kind, extent in kinds:
            w.declare(name, kind, counter=kind == INT, extent=extent)  # type: ignore[arg-type]
        w.statements(1, 2)
    w.loops -= 1
    return True


assert set(EXACT_UFUNCS).isdisjoint(APPROXIMATE_UFUNCS) and all(
    hasattr(np, f) for f in (*EXACT_UFUNCS, *APPROXIMATE_UFUNCS)
)
