"""MPI for kernels, interpreted kernels and plain Python.

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

ANY_SOURCE: Final[int]
ANY_TAG: Final[int]
PROC_NULL: Final[int]
UNDEFINED: Final[int]
THREAD_SINGLE: Final[int]
THREAD_FUNNELED: Final[int]
THREAD_SERIALIZED: Final[int]
THREAD_MULTIPLE: Final[int]
COMM_WORLD: Final[Comm]
IN_PLACE: Final[InPlace]
REQUEST_NULL: Final[Request]
SUM: Final[Operator]
PROD: Final[Operator]
MIN: Final[Operator]
MAX: Final[Operator]
LAND: Final[Operator]
LOR: Final[Operator]
LXOR: Final[Operator]
BAND: Final[Operator]
BOR: Final[Operator]
BXOR: Final[Operator]

def rank(comm: Comm = ...) -> int:
    """The rank of this process in comm, 0 <= rank < size.

    Parameters
    ----------
    comm : Comm, default COMM_WORLD
        The communicator.

    Returns
    -------
    int
    """

def size(comm: Comm = ...) -> int:
    """The number of processes in comm.

    Parameters
    ----------
    comm : Comm, default COMM_WORLD
        The communicator.

    Returns
    -------
    int
    """

def wtime() -> float:
    """Seconds of wall-clock time since some point in the past (MPI_Wtime).

    Returns
    -------
    float
    """

def send(data: _Data, dest: int, tag: int = ..., comm: Comm = ...) -> None:
    """Send data, an array of any rank and strides or a scalar, to dest (MPI_Send).

    Elements travel in logical (C) order. dest may be PROC_NULL.

    Parameters
    ----------
    data : array or scalar
        What is sent: an array of any rank and strides, or a number.
    dest : int
        The rank to send to, or PROC_NULL.
    tag : int, default 0
        The message's tag.
    comm : Comm, default COMM_WORLD
        The communicator.
    """

def recv(data: _Array, source: int = ..., tag: int = ..., comm: Comm = ...) -> Status:
    """Receive into the array data (MPI_Recv) and return a Status.

    A shorter message leaves the tail of data untouched; a longer one raises and writes nothing beyond it.

    Parameters
    ----------
    data : array
        Where the data goes; writeable, of any rank and strides.
    source : int, default ANY_SOURCE
        The rank to receive from, ANY_SOURCE or PROC_NULL.
    tag : int, default ANY_TAG
        The tag to receive, or ANY_TAG.
    comm : Comm, default COMM_WORLD
        The communicator.

    Returns
    -------
    Status
        `source`, `tag`, `count` (elements) and `nbytes` of the message.
    """

def sendrecv(
    senddata: _Data,
    dest: int,
    recvdata: _Array,
    source: int = ...,
    sendtag: int = ...,
    recvtag: int = ...,
    comm: Comm = ...,
) -> Status:
    """Send senddata to dest and receive into recvdata from source, in one call (MPI_Sendrecv).

    The two buffers must not share an element; their dtypes may differ. Returns the Status of the receive.

    Parameters
    ----------
    senddata : array or scalar
        What is sent: an array of any rank and strides, or a number.
    dest : int
        The rank to send to, or PROC_NULL.
    recvdata : array
        Where the data goes; writeable, of any rank and strides.
    source : int, default ANY_SOURCE
        The rank to receive from, ANY_SOURCE or PROC_NULL.
    sendtag : int, default 0
        The message's tag.
    recvtag : int, default ANY_TAG
        The tag to receive, or ANY_TAG.
    comm : Comm, default COMM_WORLD
        The communicator.

    Returns
    -------
    Status
        `source`, `tag`, `count` (elements) and `nbytes` of the message.
    """

def isend(data: _Data, dest: int, tag: int = ..., comm: Comm = ...) -> Request:
    """Start sending data to dest (MPI_Isend) and return a Request.

    The request keeps the buffer alive; do not write to it before the request completes.

    Parameters
    ----------
    data : array or scalar
        What is sent: an array of any rank and strides, or a number.
    dest : int
        The rank to send to, or PROC_NULL.
    tag : int, default 0
        The message's tag.
    comm : Comm, default COMM_WORLD
        The communicator.

    Returns
    -------
    Request
        Wait for it with `wait` or `waitall`.
    """

def irecv(data: _Array, source: int = ..., tag: int = ..., comm: Comm = ...) -> Request:
    """Start receiving into the array data (MPI_Irecv) and return a Request.

    The request keeps the buffer alive; do not read it before the request completes.

    Parameters
    ----------
    data : array
        Where the data goes; writeable, of any rank and strides.
    source : int, default ANY_SOURCE
        The rank to receive from, ANY_SOURCE or PROC_NULL.
    tag : int, default ANY_TAG
        The tag to receive, or ANY_TAG.
    comm : Comm, default COMM_WORLD
        The communicator.

    Returns
    -------
    Request
        Wait for it with `wait` or `waitall`.
    """

def wait(request: Request) -> Status:
    """Wait until request completes (MPI_Wait) and return its Status; harmless when it already has.

    Parameters
    ----------
    request : Request
        The request to wait for.

    Returns
    -------
    Status
        `source`, `tag`, `count` (elements) and `nbytes` of the message.
    """

def waitall(requests: Sequence[Request]) -> None:
    """Wait until every request of a tuple completes (MPI_Waitall).

    Parameters
    ----------
    requests : tuple of Request
        The requests to wait for; outside kernels a list will do as well.
    """

def barrier(comm: Comm = ...) -> None:
    """Return when every process of comm has called barrier (MPI_Barrier).

    Parameters
    ----------
    comm : Comm, default COMM_WORLD
        The communicator.
    """

def bcast(data: _Array, root: int = ..., comm: Comm = ...) -> None:
    """Copy the array data of process root into data of every process of comm (MPI_Bcast).

    Parameters
    ----------
    data : array
        Sent by the process `root`, received by the others.
    root : int, default 0
        The rank the data comes from.
    comm : Comm, default COMM_WORLD
        The communicator.
    """

def allreduce(send: _Data | InPlace, recv: _Array | None = None, op: Operator = ..., comm: Comm = ...) -> Any:
    """Combine send over all processes of comm, element by element, with op (MPI_Allreduce).

    A scalar gives a scalar of the same type. An array gives a new array, or fills and returns recv.
    allreduce(u, u) and allreduce(IN_PLACE, u) reduce in place.

    Parameters
    ----------
    send : array, scalar or IN_PLACE
        What is combined; IN_PLACE takes it from `recv`.
    recv : array, default None
        Where the result goes; by default a new array, or for a scalar the returned value.
    op : Operator, default SUM
        How elements are combined: SUM, PROD, MIN, MAX, LAND, LOR, LXOR, BAND, BOR, BXOR.
    comm : Comm, default COMM_WORLD
        The communicator.

    Returns
    -------
    scalar or array
        `recv` if it was given, else a new value like `send`.
    """

def initialized() -> bool: ...
def finalized() -> bool: ...
def query_thread() -> int: ...
def processor_name() -> str: ...
def abort(code: int = 1) -> NoReturn: ...
