"""Collectives, each dtype in each layout, against NumPy on the data of all ranks."""

import functools

import numpy as np
from data import DTYPES, LAYOUTS, check, make
from routines import MODE, do

from mpijit import mpi

rank, size = mpi.rank(), mpi.size()
done = 0

# Operator, its NumPy counterpart, the kinds of dtypes it combines.
OPERATORS = [
    (mpi.SUM, np.add, "iufc"),
    (mpi.PROD, np.multiply, "iufc"),
    (mpi.MIN, np.minimum, "iuf"),
    (mpi.MAX, np.maximum, "iuf"),
    (mpi.LAND, np.logical_and, "biu"),
    (mpi.LOR, np.logical_or, "biu"),
    (mpi.LXOR, np.logical_xor, "biu"),
    (mpi.BAND, np.bitwise_and, "iu"),
    (mpi.BOR, np.bitwise_or, "iu"),
    (mpi.BXOR, np.bitwise_xor, "iu"),
]


def combined(ufunc, layout, dtype):
    return functools.reduce(ufunc, [make(layout, dtype, r) for r in range(size)]).astype(dtype)


for dtype in DTYPES:
    for layout in LAYOUTS:
        where = dtype, layout
        root = done % size
        data = make(layout, dtype, rank)
        do.bcast(data, root)
        check(data, make(layout, dtype, root), "bcast", *where)

        mine = make(layout, dtype, rank)
        if mine.dtype.kind != "b":
            got = do.allreduce_sum(mine)
            check(np.asarray(got), combined(np.add, layout, dtype), "allreduce", *where)
            assert np.shape(got) == mine.shape and (mine.ndim or isinstance(got, np.generic)), (where, type(got))
        done += 1

    for op, ufunc, kinds in OPERATORS:
        for layout in ("2-d", "block"):
            mine, target = make(layout, dtype, rank), LAYOUTS[layout](dtype)
            if mine.dtype.kind in kinds:
                got = do.allreduce_into(mine, target, op)
                check(target, combined(ufunc, layout, dtype), op, dtype, layout)
                assert got is target
                got = do.allreduce_in_place(mine, op)
                assert got is mine
                check(mine, combined(ufunc, layout, dtype), op, dtype, layout, "in place")
                mine = make(layout, dtype, rank)
                do.allreduce_into(mine, mine, op)
                check(mine, combined(ufunc, layout, dtype), op, dtype, layout, "twice the same array")
            else:
                try:
                    do.allreduce_into(mine, target, op)
                except TypeError as error:
                    assert dtype in str(error) or MODE == "kernels", error
                else:
                    raise AssertionError(f"{op} took {dtype}")
            done += 1

# Scalars keep their type, weakness included.
for value in (3, 2.5, 1 - 2j, *(np.dtype(t).type(3) for t in DTYPES if t != "bool")):
    got = do.allreduce_sum(value)
    assert type(got) is type(value) and got == size * value, (value, type(got), got)

do.barrier()
print(f"rank {rank}: {done} cases", flush=True)
