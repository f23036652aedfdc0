"""Rows 48 and 63: default arguments, and MPI calls among loads and stores. Row 49 is in test_traps.py."""

from __future__ import annotations

import numpy as np

from mpijit import jit, mpi

from . import case, f64

SCALE = 3


@case(5, gives=15)
@case(5, 2, gives=10)
@case(5, 2.5, gives=12.5)
@jit
def row_48_default_of_the_definition(x, scale=SCALE):
    return x * scale


SCALE = 100  # too late


@jit
def scaled(x, scale=SCALE, shift=0):
    return x * scale + shift


@case(5, gives=(500, 501, 15, 16))
@jit
def row_48_defaults_in_a_call(x):
    return scaled(x), scaled(x, shift=1), scaled(x, 3), scaled(shift=1, x=x, scale=3)


@case(f64(1, 2), gives=f64(1, 2) * 2)
@case(f64(1, 2), None, gives=f64(1, 2) * 2)
@case(f64(1, 2), f64(3, 4), gives=f64(3, 8))
@jit
def row_48_optional_none(a, weights=None):
    if weights is None:
        return a * 2
    return a * weights


@case(f64(1, 2), f64(0, 0), gives=(f64(1)[0], f64(9)[0]), after=(f64(9, 2), f64(9, 2)))
@jit
def row_63_stores_around_a_call(a, b):
    mpi.sendrecv(a, mpi.rank(), b)
    first = b[0]
    a[0] = 9
    mpi.sendrecv(a, mpi.rank(), b)
    return first, b[0]


@case(f64(1, 2, 3), f64(0, 0, 0), after=(f64(2, 4, 6), f64(2, 4, 6)))
@jit
def row_63_slices_around_a_call(a, b):
    a[:] = a * 2
    mpi.sendrecv(a, mpi.rank(), b[::-1])
    b[:] = b[::-1] * 1


@jit
def started(a):
    message = np.zeros(len(a))
    for i in range(len(a)):
        message[i] = a[i] + 1
    return mpi.isend(message, mpi.rank())  # the buffer has no other name from here


@case(f64(1, 2, 3), f64(0, 0, 0), after=(f64(1, 2, 3), f64(2, 3, 4)))
@jit
def row_63_buffers_live_until_the_wait(a, b):
    request = started(a)
    for _ in range(20):
        other = np.ones(len(a))
        other[0] = 5
    mpi.recv(b, mpi.rank())
    mpi.wait(request)
