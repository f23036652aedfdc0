"""Point to point against mpi4py, each dtype in each layout: round a ring, each direction by either side."""

import numpy as np
from data import DTYPES, LAYOUTS, check, flat, make
from mpi4py import MPI
from routines import do

from mpijit import mpi

comm = MPI.COMM_WORLD
rank, size = mpi.rank(), mpi.size()
assert (rank, size) == (comm.rank, comm.size)
right, left = (rank + 1) % size, (rank - 1) % size
done = 0

for dtype in DTYPES:
    for layout in LAYOUTS:
        where = dtype, layout
        mine, theirs = make(layout, dtype, rank), make(layout, dtype, left)

        # We send, mpi4py receives.
        got = np.empty(theirs.size, dtype)
        other = comm.Irecv(got, left, 1)
        do.send(mine, right, 1)
        other.Wait()
        check(got, theirs, "send", *where)

        # mpi4py sends, we receive.
        target = LAYOUTS[layout](dtype)
        other = comm.Isend(flat(mine), right, 2)
        status = do.recv(target, left, 2)
        other.Wait()
        check(target, theirs, "recv", *where)
        assert status == (left, 2, theirs.size, theirs.nbytes), (where, status)

        # Both at once, ours with ours.
        target = LAYOUTS[layout](dtype)
        status = do.sendrecv(mine, right, target, left)
        check(target, theirs, "sendrecv", *where)
        assert status == (left, 0, theirs.size, theirs.nbytes), (where, status)

        # Nonblocking, waited for one by one and together.
        target = LAYOUTS[layout](dtype)
        requests = do.irecv(target, left, 3), do.isend(mine, right, 3)
        if done % 2:
            do.waitall(requests)
        else:
            status = do.wait(requests[0])
            assert status == (left, 3, theirs.size, theirs.nbytes), (where, status)
            do.wait(requests[1])
        check(target, theirs, "isend, irecv", *where)

        # From one layout to another.
        if mine.ndim == 2 and mine.size:
            target = np.empty((mine.shape[0], 2 * mine.shape[1]), dtype, order="F")[:, ::2]
            do.sendrecv(mine, right, target, left)
            check(target, theirs, "other layout", *where)
        done += 1

# A short message leaves the tail alone.
for target in (np.full(9, -1.0), np.full((9, 2), -1.0)[:, 1]):
    other = comm.Isend(np.arange(4.0), right, 4)
    status = do.recv(target, mpi.ANY_SOURCE, mpi.ANY_TAG)
    other.Wait()
    assert status == (left, 4, 4, 32), status
    check(target, np.array([0, 1, 2, 3, -1, -1, -1, -1, -1.0]), "short message")

# Nobody there.
target = np.full(3, 5.0)
do.send(target, mpi.PROC_NULL, 0)
status = do.recv(target, mpi.PROC_NULL, 0)
assert status.source == mpi.PROC_NULL and status.count == 0, status
check(target, np.full(3, 5.0), "PROC_NULL")

# The halo exchange of interleaved columns.
field = np.full((5, 4), float(rank))
do.sendrecv(field[:, 1], right, field[:, 0], left)
check(field[:, 0], np.full(5, float(left)), "column halo")

do.barrier()
print(f"rank {rank}: {done} cases", flush=True)
