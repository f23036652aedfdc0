"""Where compilers of Python usually go wrong: a numbered table of traps, a kernel or more for each row.

A kernel is called ``row_NN_...`` after its row. `case` states one call of it and what must come of that: the value with
its type, the arguments afterwards, or the exception. That is the same compiled and interpreted, but for what
docs/differences.md lists; there both are stated. ``test_traps.py`` runs the calls and holds the list of the rows.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

MODULES = ["scalars", "dtypes", "control", "views", "reductions", "functions"]

ANY = type("Any", (), {"__repr__": lambda self: "anything"})()  # not looked at


@dataclass(frozen=True, eq=False)
class Case:
    """One call of a kernel. What it gives is a value, or the class of an exception."""

    kernel: Any
    args: tuple[Any, ...]
    compiled: Any
    interpreted: Any
    after: tuple[Any, ...]
    match: str

    @property
    def row(self) -> int:
        return int(self.kernel.__name__.split("_")[1])


cases: list[Case] = []


def case(
    *args: Any, gives: Any = ANY, compiled: Any = ANY, interpreted: Any = ANY, after: Any = ANY, match: str = ""
) -> Callable[[Any], Any]:
    """Add a call to the table, as a decorator of the kernel.

    Parameters
    ----------
    *args
        The arguments, copied for each call.
    gives : object or class of an exception
        What comes of it; ``compiled`` and ``interpreted`` where they differ on purpose.
    after : array or tuple of arrays
        The first argument, or the first few, when it has returned.
    match : str
        A pattern in the exception's text, compiled; where one is raised interpreted it may have words of its own.
    """
    expected = after if isinstance(after, tuple) else () if after is ANY else (after,)
    in_compiled = gives if compiled is ANY else compiled
    in_interpreted = gives if interpreted is ANY else interpreted

    def add(kernel: Any) -> Any:
        made = Case(kernel, args, in_compiled, in_interpreted, expected, match)
        cases.insert(0, made)  # decorators run from below
        return kernel

    return add


def load() -> list[Case]:
    """All cases, in the order of the rows; those of a kernel as they stand in the source."""
    for name in MODULES:
        importlib.import_module(f"{__name__}.{name}")
    return sorted(cases, key=lambda c: (c.row, c.kernel.__name__))


def _vector(dtype: Any) -> Callable[..., np.ndarray]:
    return lambda *values: np.array(values, dtype)


u8, u32, u64 = _vector(np.uint8), _vector(np.uint32), _vector(np.uint64)
i8, i16, i32, i64 = _vector(np.int8), _vector(np.int16), _vector(np.int32), _vector(np.int64)
f32, f64, b1 = _vector(np.float32), _vector(np.float64), _vector(np.bool_)
