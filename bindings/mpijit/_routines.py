"""Documentation and signatures of the MPI functions, from the rows of the table (runtime: routines.inc)."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["ANNOTATIONS", "RESULTS", "docstring", "signature"]

_KINDS = {
    "In": ("array or scalar", "What is sent: an array of any rank and strides, or a number."),
    "InOrSelf": ("array, scalar or IN_PLACE", "What is combined; IN_PLACE takes it from `recv`."),
    "Out": ("array", "Where the data goes; writeable, of any rank and strides."),
    "InOut": ("array", "Sent by the process `root`, received by the others."),
    "Dest": ("int", "The rank to send to, or PROC_NULL."),
    "Source": ("int", "The rank to receive from, ANY_SOURCE or PROC_NULL."),
    "Root": ("int", "The rank the data comes from."),
    "SendTag": ("int", "The message's tag."),
    "RecvTag": ("int", "The tag to receive, or ANY_TAG."),
    "Op": ("Operator", "How elements are combined: SUM, PROD, MIN, MAX, LAND, LOR, LXOR, BAND, BOR, BXOR."),
    "Comm": ("Comm", "The communicator."),
    "Request": ("Request", "The request to wait for."),
    "Requests": ("tuple of Request", "The requests to wait for; outside kernels a list will do as well."),
}

ANNOTATIONS = {
    "In": "_Data",
    "InOrSelf": "_Data | InPlace",
    "Out": "_Array",
    "InOut": "_Array",
    "Dest": "int",
    "Source": "int",
    "Root": "int",
    "SendTag": "int",
    "RecvTag": "int",
    "Op": "Operator",
    "Comm": "Comm",
    "Request": "Request",
    "Requests": "Sequence[Request]",
}
"""The annotation of each kind of parameter in mpi.pyi."""

RESULTS = {"None": "None", "Int": "int", "Float": "float", "Status": "Status", "Request": "Request", "Reduced": "Any"}
"""The annotation of each kind of result in mpi.pyi."""

_RETURNS = {
    "Int": "int",
    "Float": "float",
    "Status": "Status\n    `source`, `tag`, `count` (elements) and `nbytes` of the message.",
    "Request": "Request\n    Wait for it with `wait` or `waitall`.",
    "Reduced": "scalar or array\n    `recv` if it was given, else a new value like `send`.",
}

_TARGET = {"recv": "Where the result goes; by default a new array, or for a scalar the returned value."}


def docstring(routine: Any) -> str:
    """The NumPy-style docstring of a routine."""
    parts = [routine.summary]
    if routine.parameters:
        lines = ["Parameters", "----------"]
        for name, kind, default in routine.parameters:
            type_, text = _KINDS[kind]
            optional = f", default {default}" if default is not None else ""
            lines += [f"{name} : {type_}{optional}", f"    {_TARGET.get(name, text)}"]
        parts.append("\n".join(lines))
    if routine.result in _RETURNS:
        parts.append("Returns\n-------\n" + _RETURNS[routine.result])
    return "\n\n".join(parts) + "\n"


def signature(routine: Any) -> inspect.Signature:
    """The signature of a routine, for `inspect.signature` and for help."""
    from . import mpi

    def value(spelling: str | None) -> Any:
        if spelling is None:
            return inspect.Parameter.empty
        return {"None": None, "0": 0}[spelling] if spelling in ("None", "0") else getattr(mpi, spelling)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [inspect.Parameter(name, kind, default=value(default)) for name, _, default in routine.parameters]
    )
