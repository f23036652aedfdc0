"""Rows for NumPy's functions that kernels call as kernels (bindings/mpijit/numpy_impl), and for slices as values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .kinds import Array, Extent, Scalar, result
from .rows import family, row
from .views import SLICES, parse, sliced
from .writer import Expr, Writer

# Of one array. Only what has NumPy's bits whatever the numbers are; which zero a sort puts first is anyone's.
FUNCTIONS = {
    "cumsum": "np.cumsum({0})",
    "cumsum along an axis": "{0}.cumsum(axis=-1)",
    "diff": "np.diff({0})",
    "roll": "np.roll({0}, 2)",
    "roll along an axis": "np.roll({0}, -1, axis=0)",
    "flip": "np.flip({0})",
    "sort": "(np.sort({0}) + 0)",
    "sort along an axis": "(np.sort({0}, axis=0) + 0)",
    "unique": "(np.unique({0}) + 0)",
    "repeat": "np.repeat({0}, 2)",
    "tile": "np.tile({0}, 2)",
    "concatenate": "np.concatenate(({0}, {0}))",
    "stack": "np.stack(({0}, {0}), axis=-1)",
    "outer": "np.outer({0}, {0}.ravel()[:2])",
    "triu": "np.triu({0})",
    "tril": "np.tril({0}, -1)",
    "diag": "np.diag({0}).copy()",
    "pad": "np.pad({0}, (1, 2))",
    "pad by the edge": "np.pad({0}, 1, mode='edge')",
    "isin": "np.isin({0}, {0}.ravel()[:2])",
    "digitize": "np.digitize({0}, np.array([0.5, 1.0, 3.0]))",
    "where of one": "np.where({0} > 0)[0]",
    "nonzero": "{0}.nonzero()[-1]",
    "argwhere": "np.argwhere({0})",
    "ascontiguousarray": "np.ascontiguousarray({0}).copy()",
    "asfortranarray": "np.asfortranarray({0}).copy()",
    "asarray": "np.asarray({0}, dtype=np.complex128)",
    "atleast_2d": "np.atleast_2d({0})",
    "atleast_3d": "np.atleast_3d({0})",
}
SCALARS = {
    "array_equal": "np.array_equal({0}, {0})",
    "searchsorted": "np.searchsorted(np.sort({0}.ravel()), 1)",
    "flatnonzero": "len(np.flatnonzero({0}))",
    "trace": "np.trace({0} != 0)",
}


@functools.cache
def function(text: str) -> Callable[[Any], Any]:
    return eval(f"lambda x: {text.format('x')}", {"np": np})  # type: ignore[no-any-return]


def _call(w: Writer, text: str) -> Expr | None:
    with w.exact():
        e = w.array()
    if e is None or e.ulp or e.type.ndim == 0 or e.type.kind == "c" or w.turns > 60:
        return None
    t = result(function(text), e.type)
    return None if t is None else Expr(text.format(e.text), t)


@family("array", "library {}", FUNCTIONS, lambda f: "return " + FUNCTIONS[f].format("m"), weight=6)
def array_function(w: Writer, name: str) -> Expr | None:
    e = _call(w, FUNCTIONS[name])
    return e if e is not None and isinstance(e.type, Array) else None


@family("scalar", "library {}", SCALARS, lambda f: "return " + SCALARS[f].format("m"), weight=1)
def scalar_function(w: Writer, name: str) -> Expr | None:
    e = _call(w, SCALARS[name])
    return e if e is not None and isinstance(e.type, Scalar) else None


# ---- slices as values ----------------------------------------------------------------------------------------------


def _indices(w: Writer) -> tuple[str, list[str], Array] | None:
    """An array, an index of slice objects, and what the view is."""
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some:
        return None
    v = w.rng.choice(some)
    items: list[str] = []
    extents: list[Extent] = []
    for extent in v.type.shape:
        s = w.rng.choice(SLICES)
        extents.append(sliced(s, extent))
        bounds = parse(s)
        short = bounds.step is None and w.chance(0.7)
        start = "" if short and bounds.start is None else f"{bounds.start}, "
        items.append(
            f"slice({start}{bounds.stop})" if short else f"slice({bounds.start}, {bounds.stop}, {bounds.step})"
        )
    if w.chance(0.3):
        place = w.rng.randint(0, len(items))
        items.insert(place, "...")
        if place + 1 < len(items) and w.chance(0.5):  # it stands for an axis
            extents[place] = v.type.shape[place]
            del items[place + 1]
    return v.name, items, Array(v.type.dtype, tuple(extents))


def _tuple(items: list[str]) -> str:
    return f"({', '.join(items)},)"


@row("array", "slice objects", "return m[slice(1, -1), slice(None, None, 2)]", weight=1, leaf=True, table=(26,))
def slice_objects(w: Writer) -> Expr | None:
    made = _indices(w)
    if made is None:
        return None
    name, items, t = made
    if w.chance(0.4):
        captured = w.fresh("S")
        w.module.append(f"{captured} = {_tuple(items)}\n")
        return Expr(f"{name}[{captured}]", t)
    return Expr(f"{name}[{', '.join(items) if w.chance(0.6) else _tuple(items)}]", t)


@row("statement", "slices in names", "s = slice(1, None), ...\nb = m[s]\nreturn b", weight=1, table=(26,))
def slices_in_names(w: Writer) -> bool:
    made = _indices(w)
    if made is None:
        return False
    name, items, t = made
    held, view = w.fresh("s"), w.fresh("a")
    w.emit(f"{held} = {_tuple(items)}")
    w.emit(f"{view} = {name}[{held}]")
    readonly = next(v.readonly for v in w.arrays() if v.name == name)
    w.declare(view, t, readonly=readonly, layout="view", aliased=True)
    return True


@row(
    "array",
    "slices as arguments",
    "return h(m, slice(1), slice(None, i))",
    weight=0.6,
    leaf=True,
    prelude="@jit\ndef h(p, *q):\n    return p[q]\n\n\n",
)
def slices_as_arguments(w: Writer) -> Expr | None:
    made = None if w.in_helper else _indices(w)
    if made is None:
        return None
    name, items, t = made
    cut = w.fresh("h")
    w.module.append(f"@jit\ndef {cut}(p, *q):\n    return p[q]\n")
    return Expr(f"{cut}({name}, {', '.join(items)})", t)
