"""The table of constructs. A construct is one row: a function that writes it, with what the fuzzer must know of it.

`probe` is the body of a tiny kernel in which the construct appears (see `PROBE`); a compiler that refuses it with
CompileError does not have the construct, and no kernel will use it. Rows register themselves when their module is
imported; what they write with is in `writer`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

# Arguments of every probe: a, b float64 (4,); m float64 (4, 4); k int64 (4,); t bool (4,); u uint8 (4,);
# z complex128 (4,); i = 2; x = 0.5.
PROBE = "a, b, m, k, t, u, z, i, x"

KINDS = ("scalar", "array", "statement")


@dataclass(frozen=True)
class Row:
    """A construct.

    Attributes
    ----------
    name : str
        What the report calls it.
    kind : str
        "scalar": ``make(writer)`` returns an expression whose value is a scalar; "array": one whose value is an
        array; "statement": it emits statements and returns whether it did. None or False: not possible here.
    make : callable
        Writes the construct.
    probe, prelude : str
        The body of the probe kernel, and module text before it.
    weight : float
        How often it is picked among the rows of its kind.
    table : tuple of int
        The rows of the language's trap table that it exercises.
    leaf : bool
        Whether it needs no further expressions, and can so end the recursion.
    approx : bool
        Whether it knows what to do with approximate operands; the others never see one.
    wants : str
        What a kernel that is to contain it should have: "complex" or "0-d" arrays, a "tuple".
    """

    name: str
    kind: str
    make: Callable[[Any], Any]
    probe: str
    prelude: str = ""
    weight: float = 1.0
    table: tuple[int, ...] = ()
    leaf: bool = False
    approx: bool = False
    wants: str = ""


ROWS: dict[str, Row] = {}


def _register(row: Row) -> None:
    assert row.name not in ROWS and row.kind in KINDS, row.name
    ROWS[row.name] = row


def row(kind: str, name: str, probe: str, **rest: Any) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register the decorated function as a row."""

    def decorate(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
        _register(Row(name, kind, make, probe, **rest))
        return make

    return decorate


def family(
    kind: str, name: str, members: Iterable[str], probe: Callable[[str], str], **rest: Any
) -> Callable[[Callable[[Any, str], Any]], Callable[[Any, str], Any]]:
    """Register one row per member of a family; the decorated function is given the member as well.

    `name` and the text that `probe` returns are per member; a dict as `table` or `weight` is looked up by member.
    """
    members = list(members)

    def of(value: Any, member: str, default: Any) -> Any:
        return value.get(member, default) if isinstance(value, dict) else value

    def decorate(make: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
        for member in members:
            options = dict(rest)
            options["table"] = of(rest.get("table", ()), member, ())
            options["weight"] = of(rest.get("weight", 1.0), member, 1.0) / len(members) ** 0.5
            writes = functools.partial(_member, make, member)
            _register(Row(name.format(member), kind, writes, probe(member), **options))
        return make

    return decorate


def _member(make: Callable[[Any, str], Any], member: str, writer: Any) -> Any:
    return make(writer, member)


def load() -> dict[str, Row]:
    """Import the modules that hold rows and return the table."""
    from . import (  # noqa: F401
        arrays,
        control,
        creation,
        elements,
        functions,
        library,
        reductions,
        scalars,
        tuples,
        views,
    )

    return ROWS
