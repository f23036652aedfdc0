"""Statements that read through one view what they write through another: always as if the right side came first."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import INTEGERS, case


@case(lambda make: (make(20),))
@jit
def shifts(a):
    a[1:] = a[:-1]
    a[:-3] = a[3:]
    a[::2] = a[1::2]
    a[:] = a[::-1]
    a[2:7] = a[6:1:-1]


@case(lambda make: (make(20),))
@jit
def in_place_with_neighbours(a):
    a[1:] += a[:-1]
    a[:-1] -= 0.5 * a[1:]
    a[1:-1] *= a[2:] - a[:-2]
    a += a[::-1]


@case(lambda make: (make(7, 7),))
@jit
def transposed(a):
    a += a.T
    a[:] = a.T * 2 - a
    a[1:, :] -= a[:, 1:].T
    a[::2] = a[:, ::2].T


@case(lambda make: (make(9, 9), 2, -1))
@jit
def shifted_by_values(a, di, dj):
    n, m = a.shape
    a[2 : n - 2, 2 : m - 2] = a[2 + di : n - 2 + di, 2 + dj : m - 2 + dj] + a[2:-2, 2:-2]


def overlapping(make):
    memory = make(30)
    return memory[:20], memory[5:25], memory[10:30]


@case(overlapping)
@jit
def arguments_that_overlap(a, b, c):
    a[:] = b + c
    c += a * 0.5
    b[1:-1] = (a[:-2] + c[2:]) / 2


@case(overlapping)
@jit
def loops_on_arguments_that_overlap(a, b, c):
    for i in range(len(a)):
        c[i] = a[i] + b[i]
    for i in range(1, len(a) - 1):
        b[i] = 0.5 * (a[i - 1] + c[i + 1])


@case(lambda make: (make(8, 5),))
@jit
def rows_and_their_view(a):
    row = a[3]
    a -= row
    a[2:] += a[3]
    a *= a[0, 0] + 2
    a[:, 1:] = a[:, :1]


@case(lambda make: (make(12),))
@jit
def swapped_halves(a):
    n = len(a) // 2
    left, right = a[:n], a[n:]
    left[:], right[:] = right.copy(), left.copy()
    a[:n], a[n:] = a[n:], a[:n]


@case(lambda make: (make.integers(16, low=-9),), variants=INTEGERS)
@jit
def integers_in_place(a):
    a[1:] ^= a[:-1]
    a[:-1] |= a[1:] & 7
    a >>= 1
    a[2:] += a[:-2]
    a //= 2
    a %= 5


@case(lambda make: (make(6, 6), make(6)))
@jit
def broadcast_from_a_part_of_itself(a, b):
    a[:] = a[2]
    a[1:] += a[:, 0][1:, np.newaxis]
    b[:] = b[0]
    b += b[-1:]
