# MPI from compiled code on one rank: to itself, and collectives of one.
import numpy as np

from mpijit import mpi


#: run -> (0, 1, True)
def environment():
    t = mpi.wtime()
    return mpi.rank(), mpi.size(), mpi.wtime() >= t


#: run 3 -> 3
#: run 2.5 -> 2.5
#: run float32:1.5 -> float32:1.5
def reduce_scalar(x):
    return mpi.allreduce(x)


#: run float64[3]=1 2 3 -> float64[3]=1.0 2.0 3.0
def reduce_array(a):
    return mpi.allreduce(a, op=mpi.MAX)


#: run int32[2]=1 2; int32[2]=0 0 -> int32[2]=1 2 | int32[2]=1 2; int32[2]=1 2
def reduce_into(a, b):
    return mpi.allreduce(a, b)


#: run float64[2]=1 2 -> float64[2]=1.0 2.0
def reduce_in_place(a):
    mpi.allreduce(mpi.IN_PLACE, a)
    mpi.allreduce(a, a)
    return a


#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0 -> (0, 7, 2, 16) | float64[4]=1.0 2.0 3.0 4.0; float64[4]=1.0 0.0 3.0 0.0
def strided_to_itself(a, b):
    s = mpi.sendrecv(a[::2], 0, b[::2], 0, 7, 7)
    return s.source, s.tag, s.count, s.nbytes


#: run float64[3]=1 2 3 -> float64[3]=1.0 2.0 3.0
def requests(a):
    b = np.empty_like(a)
    pair = (mpi.isend(a, 0, 1), mpi.irecv(b, 0, 1))
    mpi.waitall(pair)
    mpi.waitall(pair)  # harmless
    return b


#: run 5 -> 5
def scalar_to_itself(x):
    b = np.zeros(1, dtype=np.int64)
    r = mpi.irecv(b)
    mpi.send(x, 0)
    mpi.wait(r)
    mpi.barrier()
    mpi.bcast(b)
    return int(b[0])


#: run float64[2]=1 2 -> 1
def nobody(a):
    mpi.send(a, mpi.PROC_NULL)
    s = mpi.recv(a, mpi.PROC_NULL)
    return 1 if s.source == mpi.PROC_NULL and s.count == 0 else 0


#: run float64[2]=1 2; 5 raises ValueError: send: dest is 5
def bad_rank(a, dest):
    mpi.send(a, dest)


#: run float64[3]=1 2 3 raises Error: recv: Message truncated
def too_long(a):
    mpi.isend(a, 0)
    mpi.recv(np.zeros(2), 0)


#: run float64[3]=1 2 3 raises ValueError: sendrecv: senddata and recvdata share memory
def overlapping(a):
    mpi.sendrecv(a[1:], 0, a[:2], 0)


#: run 20 -> 20.0
def requests_own_their_buffers(n):
    total = 0.0
    for i in range(n):
        b = np.ones(1000)
        r = mpi.irecv(b, 0)
        b = np.ones(1000)
        mpi.send(b, 0)
        mpi.wait(r)
        total += b[i]
    return float(total)
