"""The MPI routines under one name each: called from plain Python, or inside a kernel (compiled or interpreted)."""

import sys
from types import SimpleNamespace

from mpijit import jit, mpi

MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"


@jit
def barrier():
    mpi.barrier()


@jit
def send(data, dest, tag):
    mpi.send(data, dest, tag)


@jit
def recv(data, source, tag):
    return mpi.recv(data, source, tag)


@jit
def sendrecv(senddata, dest, recvdata, source):
    return mpi.sendrecv(senddata, dest, recvdata, source)


@jit
def isend(data, dest, tag):
    return mpi.isend(data, dest, tag)


@jit
def irecv(data, source, tag):
    return mpi.irecv(data, source, tag)


@jit
def wait(request):
    return mpi.wait(request)


@jit
def waitall(requests):
    mpi.waitall(requests)


@jit
def bcast(data, root):
    mpi.bcast(data, root)


@jit
def allreduce_sum(data):
    return mpi.allreduce(data)


@jit
def allreduce_into(data, recv, op):
    return mpi.allreduce(data, recv, op)


@jit
def allreduce_in_place(data, op):
    return mpi.allreduce(mpi.IN_PLACE, data, op)


KERNELS = SimpleNamespace(**{k: v for k, v in globals().items() if hasattr(v, "py_func")})
PLAIN = SimpleNamespace(
    barrier=mpi.barrier,
    send=mpi.send,
    recv=mpi.recv,
    sendrecv=mpi.sendrecv,
    isend=mpi.isend,
    irecv=mpi.irecv,
    wait=mpi.wait,
    waitall=mpi.waitall,
    bcast=mpi.bcast,
    allreduce_sum=mpi.allreduce,
    allreduce_into=mpi.allreduce,
    allreduce_in_place=lambda data, op: mpi.allreduce(mpi.IN_PLACE, data, op),
)

do = KERNELS if MODE == "kernels" else PLAIN
