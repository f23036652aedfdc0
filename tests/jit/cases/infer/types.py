# Result types of scalar expressions: NumPy 2's rules, row by row of the contract.
import math

import numpy as np

from mpijit import mpi

WEAK = 3
STRONG = np.float32(2)


#: infer (int, int) -> int
#: infer (int, float) -> float
#: infer (bool, bool) -> int
#: infer (float32, float) -> float32
#: infer (float32, int) -> float32
#: infer (int32, float) -> float64
#: infer (int32, int32) -> int32
#: infer (uint8, uint8) -> uint8
#: infer (uint8, int) -> uint8
#: infer (float32, float64) -> float64
#: infer (float32, int32) -> float64
#: infer (float32, int16) -> float32
#: infer (int64, uint64) -> float64
#: infer (uint64, int) -> uint64
#: infer (bool, float32) -> float32
def add(a, b):
    return a + b


#: infer (int, int) -> float
#: infer (int32, int32) -> float64
#: infer (float32, int) -> float32
#: infer (uint8, uint8) -> float64
def divide(a, b):
    return a / b


#: infer (int) -> int
#: infer (float) -> float
#: infer (float32) -> float32
#: infer (int8) -> int8
def power(a):
    return a**2


#: infer (int) -> float
def negative_power(a):
    return a**-1


#: infer (float32[:]) -> float32
def accumulate(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


#: infer (int) -> float
def join_in_loop(n):
    s = 0
    for i in range(n):
        s += 0.5
    return s


#: infer (float32) -> float
def of_math(x):
    return math.sqrt(x)


#: infer (float) -> (int, float32, float)
def captured(x):
    return WEAK, STRONG, x * WEAK


#: infer (int) -> int
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def odd(n):
    return False if n == 0 else even(n - 1)


#: infer (int) -> bool
def even(n):
    return True if n == 0 else odd(n - 1)


#: infer (float64[:, ::1]) -> float64[::1]
def row_of_c(a):
    return a[1]


#: infer (float64[:, ::1]) -> float64[:]
def column_of_c(a):
    return a[:, 1]


#: infer (float64[:, ::1]) -> float64[:, ::1]
def rows_of_c(a):
    return a[1:-1]


#: infer (float64[:, ::1]) -> float64[:, :]
def inner_of_c(a):
    return a[1:-1, 1:-1]


#: infer (const float64[:]) -> const float64[:]
def view_of_readonly(a):
    return a[1:]


#: infer (float64[:, ::1]) -> (int, int)
def shape(a):
    return a.shape


#: infer (none) -> int
#: infer (int) -> float
def pruned(x):
    if x is None:
        return 1
    return x + 0.5


#: infer (float64[::1]) -> (status, request, float64[::1], float)
def of_mpi(a):
    s = mpi.recv(a)
    r = mpi.isend(a, 0)
    return s, r, mpi.allreduce(a), mpi.allreduce(mpi.wtime())


#: ir (float64[::1])
#| for i in range(0, dim(a, 0), 1)
#|   s = s + a[i]
#| return s
def ir_of_loop(a):
    s = np.float64(0)
    for i in range(len(a)):
        s += a[i]
    return s


#: infer (float64[:, :, ::1]) -> (float64[:, :], float64[:, :, :, ::1], float64[:, ::1], float64[])
def contiguity_of_views(a):
    return a[..., 0], a[:, None], a[1:, ..., :][0], a[0, 0, ..., 0]


#: ir (float64[:, ::1], float64[::1])
#| for $t1 in range(0, dim(a, 0), 1)
#| row = a[!$t1, :]
#| in range(0, dim(row, 0), 1)
#| x = row[!$t
def items_need_no_checks(a, b):
    for row in a:
        for x in row:
            b[0] = x


#: ir (float64[:, :], float64[:, :])
#| for $t1 in range(0, dim(a, 0), 1)
#| for $t2 in range(0, dim(a, 1), 1)
#| i = $t1
#| j = $t2
#| break 2
def indices_are_nested_loops(a, b):
    for i, j in np.ndindex(a.shape):
        if i == j:
            break
        b[i, j] = a[i, j]


#: ir (float64[:])
#| once
#| d = 0
#| once
#| d = 1
#| break
def continue_leaves_a_turn(a):
    for d in (0, 1):
        if a[d] > 0:
            continue
        a[d] = 1.0
