"""Rows for reductions over all elements and over one axis, and for products of vectors and matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kinds import NAMES, Array, Scalar, result
from .rows import family, row
from .writer import Expr, Writer

REDUCTIONS = ("sum", "prod", "min", "max", "mean", "any", "all", "argmin", "argmax")
TABLE: dict[str, tuple[int, ...]] = {
    "sum": (22, 50, 51, 52),
    "prod": (50, 51),
    "min": (40, 50),
    "max": (40, 50),
    "mean": (50, 51, 52),
    "argmin": (50,),
    "argmax": (50,),
}


def _operand(w: Writer, function: str, axis: bool) -> Expr | None:
    """What to reduce. Sums of floats keep NumPy's order only in the layouts that the language lists: elsewhere the
    elements are made small whole numbers, whose sum is exact in any order."""
    with w.exact():
        e = w.array()
    if e is None or e.ulp or e.type.kind == "c":
        return None
    if function in ("sum", "mean", "prod") and e.type.kind == "f" and not _ordered(w, e, axis):
        if not w.has("np.clip", "np.rint"):
            return None
        limit = "1.0" if function == "prod" else "99.0"
        return Expr(f"np.clip(np.rint({e.text}), -{limit}, {limit})", e.type)
    if function == "mean" and e.type.kind in "iu" and not _ordered(w, e, axis):
        return Expr(f"({e.text} % 100)", e.type)  # they are added as floats
    return e


def _ordered(w: Writer, e: Expr, axis: bool) -> bool:
    """Whether the sum's order is promised: a C-contiguous array by its name, along the first or last axis."""
    if axis and e.type.ndim > 2:
        return False
    some = w.arrays(lambda v: v.name == e.text and v.layout == "C" and not v.aliased)
    return bool(some)


def _finish(function: str, text: str, t: Any) -> Expr:
    if function in ("min", "max") and t.kind == "f":
        return Expr(f"({text} + 0.0)", t)
    return Expr(text, t)


@family("scalar", "{} over all", REDUCTIONS, lambda f: f"return a.{f}()", weight=4, table=TABLE)
def over_all(w: Writer, function: str) -> Expr | None:
    if w.turns > 100:
        return None
    e = _operand(w, function, axis=False)
    if e is None:
        return None
    dtype = ""
    types: list[Any] = [e.type]
    call: Callable[[Any], Any] = getattr(np, function)
    if function in ("sum", "prod") and w.chance(0.15) and w.has(f"{function} with dtype"):
        # Whole numbers added or multiplied as floats must be exact: NumPy takes them in the order of memory.
        exact = function == "sum" and e.type.dtype not in ("i8", "u8")
        name = "float64" if e.type.kind == "f" else w.choice("float64", "int64") if exact else "int64"
        dtype = f"dtype=np.{name}"
        w.use(f"{function} with dtype")
        call = lambda x: getattr(np, function)(x, dtype=name)  # noqa: E731
    t = result(call, *types)
    if not isinstance(t, Scalar):
        return None
    text = (
        f"{e.text}.{function}({dtype})" if w.chance(0.6) else f"np.{function}({e.text}{', ' + dtype if dtype else ''})"
    )
    return _finish(function, text, t)


@family(
    "scalar", "{} with dtype", ["sum", "prod"], lambda f: f"return k.{f}(dtype=np.float64)", weight=0.3, table=(51,)
)
def with_dtype(w: Writer, function: str) -> Expr | None:
    e = _operand(w, function, axis=False)
    if e is None or e.type.kind not in "iub" or w.turns > 100:
        return None
    exact = function == "sum" and e.type.dtype not in ("i8", "u8")
    dtype = w.choice("f8", "i8", "i4") if exact else w.choice("i8", "i4")
    return (
        Expr(f"{e.text}.{function}(dtype=np.{NAMES[dtype]})", Scalar(dtype))
        if dtype != "i4"
        else Expr(f"np.{function}({e.text}, dtype=np.int32)", Scalar("i4"))
    )


@family(
    "array",
    "{} over an axis",
    REDUCTIONS,
    lambda f: f"return m.{f}(axis=0)",
    weight=4,
    table=TABLE,
)
def over_axis(w: Writer, function: str) -> Expr | None:
    e = _operand(w, function, axis=True)
    if e is None or e.type.ndim < 2 or w.turns > 60:
        return None
    return _reduce(w, function, e, keep=False)


@family("array", "{} with keepdims", REDUCTIONS, lambda f: f"return m.{f}(axis=1, keepdims=True)", weight=2)
def keepdims(w: Writer, function: str) -> Expr | None:
    e = _operand(w, function, axis=True)
    if e is None or e.type.ndim < 1 or w.turns > 60:
        return None
    return _reduce(w, function, e, keep=True)


def _reduce(w: Writer, function: str, e: Expr, keep: bool) -> Expr | None:
    t: Array = e.type
    axis = w.rng.randrange(-t.ndim, t.ndim)
    made = result(lambda x: getattr(np, function)(x, axis=axis, keepdims=keep), t)
    if not isinstance(made, Array):
        return None
    at = axis % t.ndim
    shape = list(t.shape)
    shape[at : at + 1] = [(1,) * len(w.extents[0])] if keep else []
    options = f"axis={axis}" if keep or w.chance(0.8) else str(axis)
    options += ", keepdims=True" if keep else ""
    text = f"{e.text}.{function}({options})" if w.chance(0.6) else f"np.{function}({e.text}, {options})"
    return _finish(function, text, Array(made.dtype, tuple(shape)))


# What is added as it is computed, of two arrays of one shape.
TERMS: dict[str, Callable[[Any, Any], Any]] = {
    "({a} * {b})": lambda a, b: a * b,
    "({a} - {b})": lambda a, b: a - b,
    "(({a} - {b}) * ({a} - {b}))": lambda a, b: (a - b) * (a - b),
    "({a} * 0.1 + {b})": lambda a, b: a * 0.1 + b,
    "(-{a})": lambda a, b: -a,
    "({a}[1:] - {a}[:-1])": lambda a, b: a[1:] - a[:-1],
    "({a}[::-1] * {b})": lambda a, b: a[::-1] * b,
}


def _terms(w: Writer) -> Expr | None:
    """An expression of C-contiguous arrays: the order in which NumPy adds its elements is that of its indices."""
    some = w.arrays(lambda v: v.layout == "C" and not v.aliased and v.type.kind in "fiu" and v.type.ndim in (1, 2))
    if not some:
        return None
    v = w.rng.choice(some)
    known = None not in v.type.shape
    other = w.rng.choice([u for u in some if u is v or (known and u.type.shape == v.type.shape)])
    text = w.choice(*TERMS)
    t = result(TERMS[text], v.type, other.type)
    if not isinstance(t, Array) or t.kind != "f":
        return None
    shape = ((None, *v.type.shape[1:]) if "[1:]" in text else v.type.shape) if known else v.type.shape
    return Expr(text.format(a=v.name, b=other.name), Array(t.dtype, shape))


@row("scalar", "sum of computed terms", "return (a * a).sum()", weight=2, table=(52,))
def sum_of_terms(w: Writer) -> Expr | None:
    e = _terms(w)
    if e is None or w.turns > 100:
        return None
    function = w.choice("sum", "sum", "mean")
    t = result(getattr(np, function), e.type)
    return Expr(w.choice(f"{e.text}.{function}()", f"np.{function}({e.text})"), t) if isinstance(t, Scalar) else None


@row("array", "sums of computed terms over an axis", "return (m * m).sum(axis=-1)", weight=2, table=(52,))
def sums_of_terms(w: Writer) -> Expr | None:
    e = _terms(w)
    if e is None or e.type.ndim != 2 or w.turns > 60:
        return None
    return _reduce(w, w.choice("sum", "mean"), e, keep=w.chance(0.3))


@row("scalar", "1-d axis", "return a.sum(axis=0)", weight=0.3)
def one_axis(w: Writer) -> Expr | None:
    function = w.choice("sum", "max", "any")
    e = _operand(w, function, axis=True)
    if e is None or e.type.ndim != 1 or w.turns > 100:
        return None
    t = result(getattr(np, function), e.type)
    return (
        _finish(function, f"{e.text}.{function}({w.choice('axis=0', 'axis=-1', '0')})", t)
        if isinstance(t, Scalar)
        else None
    )


# ---- products ----------------------------------------------------------------------------------------------------


def _factor(w: Writer, ndim: int, dtype: str | None = None) -> Expr | None:
    """A vector or matrix whose elements are small whole numbers: products are exact in any order of summing."""
    some = w.arrays(lambda v: v.type.ndim == ndim and v.type.kind in "iuf" and dtype in (None, v.type.dtype))
    if not some:
        return None
    v = w.rng.choice(some)
    e = Expr(v.name, v.type)
    if w.chance(0.3) and w.has(".T") and ndim == 2:
        e = Expr(f"{v.name}.T", Array(v.type.dtype, tuple(reversed(v.type.shape))))
    elif w.chance(0.3):
        e = Expr(f"{v.name}[{w.choice('::-1', '::2', ':')}]", Array(v.type.dtype, (None, *v.type.shape[1:])))
    if e.type.kind == "f":
        return Expr(f"np.clip(np.rint(np.where(np.isfinite({e.text}), {e.text}, 1.0)), -99.0, 99.0)", e.type)
    return e


WHOLE = ("np.clip", "np.rint", "np.where", "np.isfinite")


@row("scalar", "vector @ vector", "return a @ b", weight=0.7, table=(58,))
def vector_vector(w: Writer) -> Expr | None:
    a, b = _factor(w, 1), _factor(w, 1)
    if a is None or b is None or not w.has(*WHOLE) or w.turns > 60:
        return None
    t = result(np.dot, a.type, b.type)
    return Expr(w.choice(f"({a.text} @ {b.text})", f"np.dot({a.text}, {b.text})", f"{a.text}.dot({b.text})"), t)


@row("array", "matrix @", "return m @ m", weight=1.5, table=(58,))
def matrix(w: Writer) -> Expr | None:
    p, q = w.choice((2, 2), (2, 1), (1, 2))
    a, b = _factor(w, p), _factor(w, q)
    if a is None or b is None or not w.has(*WHOLE) or w.turns > 20:
        return None
    t = result(np.dot, a.type, b.type)
    if not isinstance(t, Array):
        return None
    shape = (*a.type.shape[:-1], *(b.type.shape[1:] if q == 2 else ()))
    return Expr(w.choice(f"({a.text} @ {b.text})", f"np.dot({a.text}, {b.text})"), Array(t.dtype, shape))
