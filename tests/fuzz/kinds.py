"""Types of the kernel language as the generator sees them: weak and strong scalars, arrays with extents, tuples.

What an operation returns is not written down here: `result` performs it on small values with NumPy itself and looks
at what comes out, so that NEP 50 holds by construction. Knows nothing of how kernels are written.
"""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

SIGNED = ("i1", "i2", "i4", "i8")
UNSIGNED = ("u1", "u2", "u4", "u8")
FLOATS = ("f4", "f8")
COMPLEX = ("c8", "c16")
REAL = ("b1", *SIGNED, *UNSIGNED, *FLOATS)

NAMES = {d: np.dtype(d).name for d in (*REAL, *COMPLEX)}

# An extent of an array: its value in each of the kernel's argument sets, None where the generator lost track.
Extent = tuple[int, ...] | None


@dataclass(frozen=True)
class Scalar:
    """A number. Weak ones are Python's own: bool, int, float or complex."""

    dtype: str
    weak: bool = False

    @property
    def kind(self) -> str:
        return self.dtype[0]


@dataclass(frozen=True)
class Array:
    """An array. `shape` holds what the generator believes of the extents; only its length must be right."""

    dtype: str
    shape: tuple[Extent, ...]

    @property
    def kind(self) -> str:
        return self.dtype[0]

    @property
    def ndim(self) -> int:
        return len(self.shape)


@dataclass(frozen=True)
class Tuple:
    items: tuple[Type, ...]


Type = Scalar | Array | Tuple

BOOL, INT, FLOAT, CPLX = (Scalar(d, weak=True) for d in ("b1", "i8", "f8", "c16"))
WEAK_TEXT = {"b1": "bool", "i8": "int", "f8": "float", "c16": "complex"}


def sample(t: Type) -> Any:
    """A value of the type: one, or an array of ones."""
    if isinstance(t, Tuple):
        return tuple(map(sample, t.items))
    if isinstance(t, Array):
        return np.ones((2,) * t.ndim, t.dtype)
    if t.weak:
        return {"b1": True, "i8": 1, "f8": 1.0, "c16": 1 + 0j}[t.dtype]
    return np.dtype(t.dtype).type(1)


def type_of(value: Any) -> Type | None:
    """The type of a value. float16, which kernels do not have, counts as float32 (row 45)."""
    for python, weak in ((bool, BOOL), (int, INT), (float, FLOAT), (complex, CPLX)):
        if type(value) is python:
            return weak
    if isinstance(value, tuple):
        items = [type_of(item) for item in value]
        return None if None in items else Tuple(tuple(items))  # type: ignore[arg-type]
    if isinstance(value, (np.ndarray, np.generic)):
        dtype = value.dtype.str[1:].replace("f2", "f4")
        if dtype not in NAMES:
            return None
        return Array(dtype, (None,) * value.ndim) if isinstance(value, np.ndarray) else Scalar(dtype)
    return None


def _bare(t: Type) -> Type:
    return Array(t.dtype, (None,) * t.ndim) if isinstance(t, Array) else t


@functools.cache
def _result(function: Callable[..., Any], types: tuple[Type, ...]) -> Type | None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return type_of(function(*map(sample, types)))
        except (TypeError, ValueError, OverflowError, np.exceptions.AxisError):
            return None


def result(function: Callable[..., Any], *types: Type) -> Type | None:
    """The type of ``function(...)`` on values of these types, None where NumPy refuses them. Extents are lost."""
    return _result(function, tuple(map(_bare, types)))


def broadcast(*shapes: tuple[Extent, ...]) -> tuple[Extent, ...] | None:
    """NumPy's rule in every argument set; None where it fails in one. Unknown extents stay unknown."""
    out: list[Extent] = []
    for axis in range(1, max(map(len, shapes), default=0) + 1):
        extents = [s[-axis] for s in shapes if len(s) >= axis]
        if None in extents:
            out.append(None)
            continue
        merged = []
        for values in zip(*extents, strict=True):  # type: ignore[arg-type]
            wide = {v for v in values if v != 1}
            if len(wide) > 1:
                return None
            merged.append(wide.pop() if wide else 1)
        out.append(tuple(merged))
    return tuple(reversed(out))


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
