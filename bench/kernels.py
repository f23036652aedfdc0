"""The kernels that bench/run measures. Loops are inside, so that the call from Python does not count."""

from mpijit import jit, mpi

# Constants of the specialisation, to compare mpi.rank() and mpi.size() with.
RANK = 0
SIZE = 1

# A constant of the stencil; bench/run changes it to make the compiler work anew.
WEIGHT = 0.25


@jit
def wtime(n):
    total = 0.0
    for k in range(n):
        total += mpi.wtime()
    return total


@jit
def barrier(n):
    for k in range(n):
        mpi.barrier()


@jit
def bcast(n, a):
    for k in range(n):
        mpi.bcast(a)


@jit
def allreduce(n, x):
    for k in range(n):
        x = mpi.allreduce(x)
    return x


@jit
def sendrecv(n, a, b):
    for k in range(n):
        mpi.sendrecv(a, 0, b, 0)


@jit
def exchange(n, a, b):
    for k in range(n):
        receiving = mpi.irecv(b, 0)
        sending = mpi.isend(a, 0)
        mpi.waitall((receiving, sending))


@jit
def exchange_column(n, a, b):
    for k in range(n):
        receiving = mpi.irecv(b[:, 1], 0)
        sending = mpi.isend(a[:, 1], 0)
        mpi.waitall((receiving, sending))


@jit
def add_world(n, a, b):
    for k in range(n):
        for i in range(len(a)):
            b[i] = a[i] + mpi.rank() + mpi.size()


@jit
def add_constants(n, a, b):
    for k in range(n):
        for i in range(len(a)):
            b[i] = a[i] + RANK + SIZE


@jit
def five_point(u, v, sweeps):
    rows, columns = u.shape
    for sweep in range(sweeps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                v[i, j] = WEIGHT * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


@jit
def flux(left, right, courant):
    """Return the donor-cell flux through a wall (upwind: Courant, Isaacson and Rees 1952)."""
    return max(courant, 0.0) * left + min(courant, 0.0) * right


@jit
def advect_by_flux(psi, out, courant, steps):
    for step in range(steps):
        for i in range(1, len(psi) - 1):
            out[i] = psi[i] - (flux(psi[i], psi[i + 1], courant[i]) - flux(psi[i - 1], psi[i], courant[i - 1]))


@jit
def advect_by_hand(psi, out, courant, steps):
    for step in range(steps):
        for i in range(1, len(psi) - 1):
            out[i] = psi[i] - (
                (max(courant[i], 0.0) * psi[i] + min(courant[i], 0.0) * psi[i + 1])
                - (max(courant[i - 1], 0.0) * psi[i - 1] + min(courant[i - 1], 0.0) * psi[i])
            )


@jit
def nothing(a, b, c, d):
    pass
