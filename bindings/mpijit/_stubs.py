"""Writes ``mpi.pyi`` from the table of MPI routines: ``python -m mpijit._stubs > bindings/mpijit/mpi.pyi``."""

from __future__ import annotations

import textwrap

from . import _core
from ._routines import ANNOTATIONS, RESULTS, docstring

__all__ = ["text"]

_HEAD = '''"""MPI for kernels, interpreted kernels and plain Python.

Made from the runtime's table by ``python -m mpijit._stubs``; do not edit.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

_Array = npt.NDArray[Any]
_Data = npt.NDArray[Any] | np.generic | complex

class Request:
    """A started communication; wait for it with `wait` or `waitall`."""

    @property
    def handle(self) -> int: ...

class Comm:
    """A communicator."""

    @property
    def handle(self) -> int: ...
    @property
    def rank(self) -> int: ...
    @property
    def size(self) -> int: ...

class Operator:
    """A reduction operator of MPI."""

    @property
    def handle(self) -> int: ...

class InPlace:
    """The class of IN_PLACE."""

class Status(NamedTuple):
    """What a receive or a wait says of its message."""

    source: int
    tag: int
    count: int  # type: ignore[assignment]
    nbytes: int

class Error(RuntimeError):
    """MPI failed, or a handle was null, freed or finalised."""

    routine: str | None
    mpi_class: int
    error_string: str

class Routine:
    """An MPI function, callable from kernels and from Python."""

    __name__: str
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

'''

_TAIL = """def initialized() -> bool: ...
def finalized() -> bool: ...
def query_thread() -> int: ...
def processor_name() -> str: ...
def abort(code: int = 1) -> NoReturn: ...
"""

_INTEGERS = (
    "ANY_SOURCE",
    "ANY_TAG",
    "PROC_NULL",
    "UNDEFINED",
    "THREAD_SINGLE",
    "THREAD_FUNNELED",
    "THREAD_SERIALIZED",
    "THREAD_MULTIPLE",
)


def text() -> str:
    """The text of ``mpi.pyi``."""
    lines = [f"{name}: Final[int]" for name in _INTEGERS]
    lines += ["COMM_WORLD: Final[Comm]", "IN_PLACE: Final[InPlace]", "REQUEST_NULL: Final[Request]"]
    lines += [f"{name}: Final[Operator]" for name, value in vars(_core).items() if type(value) is _core.Operator]
    return _HEAD + "\n".join(lines) + "\n\n" + "".join(map(_function, _core.routines)) + _TAIL


def _function(routine: _core.Routine) -> str:
    parameters = []
    for name, kind, default in routine.parameters:
        annotation = ANNOTATIONS[kind]
        if default is None:
            parameters.append(f"{name}: {annotation}")
        elif default == "None":
            parameters.append(f"{name}: {annotation} | None = None")
        else:
            parameters.append(f"{name}: {annotation} = ...")
    head = f"def {routine.__name__}({', '.join(parameters)}) -> {RESULTS[routine.result]}:"
    if len(head) > 110:
        inner = "".join(f"    {parameter},\n" for parameter in parameters)
        head = f"def {routine.__name__}(\n{inner}) -> {RESULTS[routine.result]}:"
    document = textwrap.indent('"""' + docstring(routine) + '"""', "    ", lambda line: bool(line.strip()))
    return f"{head}\n{document}\n\n"


if __name__ == "__main__":
    print(text(), end="")
