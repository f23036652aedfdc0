"""MPI: the same names in compiled kernels, in kernels run by the interpreter and in plain Python.

Vocabulary, argument order and constants are MPI's, so MPI's documentation applies. The routines come from a table
of the runtime; ``help(mpi.send)`` shows one, ``mpi.pyi`` all of them. The first routine that is called initialises
MPI unless mpi4py did; whoever initialised it finalises it when the process ends.
"""

from __future__ import annotations

from . import _core
from ._core import (
    ANY_SOURCE,
    ANY_TAG,
    BAND,
    BOR,
    BXOR,
    COMM_WORLD,
    IN_PLACE,
    LAND,
    LOR,
    LXOR,
    MAX,
    MIN,
    PROC_NULL,
    PROD,
    REQUEST_NULL,
    SUM,
    UNDEFINED,
    Comm,
    Error,
    InPlace,
    Operator,
    Request,
    Routine,
    Status,
)

__all__ = [
    "ANY_SOURCE",
    "ANY_TAG",
    "BAND",
    "BOR",
    "BXOR",
    "COMM_WORLD",
    "IN_PLACE",
    "LAND",
    "LOR",
    "LXOR",
    "MAX",
    "MIN",
    "PROC_NULL",
    "PROD",
    "REQUEST_NULL",
    "SUM",
    "THREAD_FUNNELED",
    "THREAD_MULTIPLE",
    "THREAD_SERIALIZED",
    "THREAD_SINGLE",
    "UNDEFINED",
    "Comm",
    "Error",
    "InPlace",
    "Operator",
    "Request",
    "Routine",
    "Status",
    "abort",
    "finalized",
    "initialized",
    "processor_name",
    "query_thread",
]

THREAD_SINGLE, THREAD_FUNNELED, THREAD_SERIALIZED, THREAD_MULTIPLE = range(4)
_LEVELS = ("single", "funneled", "serialized", "multiple")

for _routine in _core.routines:
    globals()[_routine.__name__] = _routine
    __all__.append(_routine.__name__)
del _routine


def initialized() -> bool:
    """Whether MPI has been initialised, by anybody. Does not initialise it."""
    return _core.initialized()


def finalized() -> bool:
    """Whether MPI has been finalised. Does not initialise it."""
    return _core.finalized()


def query_thread() -> int:
    """The level of thread support: THREAD_SINGLE, THREAD_FUNNELED, THREAD_SERIALIZED or THREAD_MULTIPLE."""
    _core.begin()
    return _LEVELS.index(_core.thread_level())


def processor_name() -> str:
    """The name of the machine this process runs on."""
    import socket

    return socket.gethostname()


def abort(code: int = 1) -> None:
    """End every process of the job (MPI_Abort on COMM_WORLD); `code` becomes the launcher's exit status."""
    _core.abort(code)
