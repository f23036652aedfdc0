"""Rows 24 to 31 and 57: indices, slices, views, and statements that read what they write."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import case, f64, i64


def table(*shape):
    return np.arange(float(np.prod(shape))).reshape(shape)


@case(f64(1, 2, 3), -1, gives=(f64(3)[0], f64(3)[0]))
@case(f64(1, 2, 3), -3, gives=(f64(3)[0], f64(1)[0]))
@case(f64(1, 2, 3), 1, gives=(f64(3)[0], f64(2)[0]))
@jit
def row_24_negative_index(a, i):
    return a[-1], a[i]


@case(table(3, 4), gives=table(3, 4)[-1] + table(3, 4)[0])
@jit
def row_24_negative_index_of_a_row(a):
    return a[-1] + a[-3]


@case(f64(1, 2, 3, 4), after=f64(0, 2, 3, 5))
@jit
def row_24_negative_index_in_a_nest(a):
    for i in range(-1, 1):
        a[i] += i * 2 + 1 if i < 0 else -1
    a[-1] += 2


@case(f64(1, 2, 3), 5, gives=IndexError, match=r"5.*axis 0.*size 3")
@case(f64(1, 2, 3), 3, gives=IndexError, match=r"3.*axis 0.*size 3")
@case(f64(1, 2, 3), -4, gives=IndexError, match=r"-4.*axis 0.*size 3")
@case(f64(1, 2, 3), 2, gives=f64(3)[0])
@jit
def row_25_index_out_of_range(a, i):
    return a[i]


@case(table(3, 4), 1, 4, gives=IndexError, match=r"4.*axis 1.*size 4")
@case(table(3, 4), 3, 0, gives=IndexError, match=r"3.*axis 0.*size 3")
@jit
def row_25_store_out_of_range(a, i, j):
    a[i, j] = 9


@case(table(3, 4), 3, gives=IndexError, match=r"3.*axis 0.*size 3")
@case(table(3, 4), -4, gives=IndexError, match=r"-4.*axis 0.*size 3")
@jit
def row_25_row_out_of_range(a, i):
    return a[i] * 2


@case(f64(1, 2, 3), 5, gives=IndexError, match=r"3.*axis 0.*size 3")
@case(f64(1, 2, 3), 3, gives=6.0)
@jit
def row_25_loop_that_runs_too_far(a, n):
    s = 0.0
    for i in range(n):
        s = float(s + a[i])
    return s


@case(f64(0, 1, 2, 3, 4), gives=(f64(1, 2, 3, 4), f64(0, 1), f64(), f64(4, 3, 2, 1, 0), f64(1, 2, 3), f64(4, 2, 0)))
@case(f64(0), gives=(f64(), f64(0), f64(), f64(0), f64(), f64(0)))
@case(f64(), gives=(f64(),) * 6)
@jit
def row_26_slices_are_clamped(a):
    return a[1:100], a[-100:2], a[2:1], a[5::-1], a[1:-1], a[::-2]


@case(f64(0, 1, 2, 3, 4), 100, -100, -2, gives=f64(4, 2, 0))
@case(f64(0, 1, 2, 3, 4), -3, 2**62, 2**62, gives=f64(2))
@case(f64(0, 1, 2, 3, 4), 0, 5, 0, gives=ValueError)
@case(f64(0, 1, 2, 3, 4), -1, -6, -1, gives=f64(4, 3, 2, 1, 0))
@jit
def row_26_slices_with_values(a, i, j, k):
    return a[i:j:k]


@case(f64(0, 1, 2, 3, 4), after=f64(9, 9, 9, 3, 4))
@jit
def row_26_clamped_target(a):
    a[-100:3] = 9
    a[4:2] = 7


@case(f64(0, 1, 2, 3), after=f64(0, 0, 1, 2))
@jit
def row_27_shift_right(a):
    a[1:] = a[:-1]


@case(f64(0, 1, 2, 3), after=f64(1, 2, 3, 3))
@jit
def row_27_shift_left(a):
    a[:-1] = a[1:]


@case(f64(0, 1, 2, 3, 4), after=f64(4, 3, 2, 1, 0))
@jit
def row_27_reverse(a):
    a[:] = a[::-1]


@case(table(3, 3), after=table(3, 3).T.copy())
@jit
def row_27_transpose(a):
    a[:] = a.T


@case(f64(0, 1, 2, 3, 4, 5), 2, after=f64(0, 1, 0, 1, 2, 3))
@case(f64(0, 1, 2, 3, 4, 5), 1, after=f64(0, 0, 1, 2, 3, 4))
@case(f64(0, 1, 2, 3, 4, 5), 6, after=f64(0, 1, 2, 3, 4, 5))
@jit
def row_27_shift_by_a_value(a, k):
    a[k:] = a[: len(a) - k]


@case(f64(1, 2, 3, 4), after=f64(1, 3, 4, 4))
@jit
def row_27_reads_both_neighbours(a):
    a[1:-1] = (a[:-2] + a[2:]) / 2 + (a[1:-1] - a[:-2])


@case(f64(0, 1, 2, 3, 4, 5), after=f64(0, 1, 3, 5, 7, 9))
@jit
def row_28_add_the_left_neighbour(a):
    a[1:] += a[:-1]


@case(f64(0, 1, 2, 3, 4, 5), after=f64(1, 3, 5, 7, 9, 5))
@jit
def row_28_add_the_right_neighbour(a):
    a[:-1] += a[1:]


@case(f64(1, 2, 3, 4), after=f64(5, 5, 5, 5))
@jit
def row_28_add_the_reverse(a):
    a += a[::-1]


@case(
    table(2, 4), after=table(2, 4) * np.array([[1.0], [0.0]]) + np.array([[0.0] * 4, table(2, 4)[1] - table(2, 4)[0]])
)
@jit
def row_28_rows(a):
    a[1:] -= a[:-1]


@case(f64(1, 2, 3, 4), after=f64(1, 4, 6, 8))
@jit
def row_28_scaled_by_an_element_of_itself(a):
    a[1:] *= a[1]


@case(table(3, 3), after=table(3, 3) + table(3, 3).T)
@case(table(40, 40), after=table(40, 40) + table(40, 40).T)
@jit
def row_29_add_the_transpose(a):
    a += a.T


@case(table(2, 3), after=np.array([[3.0, 4, 5], [3, 4, 5]]))
@jit
def row_30_swapped_rows_are_views(a):
    a[0], a[1] = a[1], a[0]


@case(f64(1, 2), after=f64(2, 1))
@jit
def row_30_swapped_elements_are_values(a):
    a[0], a[1] = a[1], a[0]


@case(f64(1, 2), gives=f64(2, 3), after=f64(1, 2))
@jit
def row_31_rebinding(a):
    b = a
    b = b + 1
    return b


@case(f64(1, 2), gives=f64(2, 3), after=f64(2, 3))
@jit
def row_31_in_place(a):
    b = a
    b += 1
    return b


@case(table(2, 3), after=np.array([[0.0, 10, 2], [3, 10, 5]]))
@jit
def row_31_views(a):
    column = a[:, 1]
    column[:] = 10


@case(f64(1, 2, 3), f64(1, 2, 3, 4), gives=ValueError, match=r"\(3,\).*\(4,\)")
@case(table(2, 3), f64(1, 2), gives=ValueError, match=r"\(2, ?3\).*\(2,\)")
@case(f64(1, 2, 3), f64(5), gives=f64(6, 7, 8))
@jit
def row_57_operands_of_other_shapes(a, b):
    return a + b


@case(f64(1, 2, 3), f64(1, 2, 3, 4), gives=ValueError, match=r"\(4,\).*\(3,\)|\(3,\).*\(4,\)")
@case(f64(1, 2, 3), table(1, 3), after=f64(0, 1, 2))
@jit
def row_57_store_of_another_shape(a, b):
    a[:] = b


@case(f64(1), f64(1, 2, 3), gives=ValueError, match=r"\(1,\).*\(3,\)|\(3,\).*\(1,\)")
@jit
def row_57_in_place_operand_does_not_grow_the_target(a, b):
    a += b


@case(table(2, 3), table(2, 3), gives=ValueError)
@case(table(2, 3), f64(1, 2), gives=ValueError)
@case(f64(1, 2, 3), f64(1, 2), gives=ValueError)
@case(table(2, 3), f64(1, 2, 3), gives=f64(8, 26))
@jit
def row_57_matrix_product(a, b):
    return a @ b


@case(i64(1, 2, 3), 2, gives=ValueError)
@case(i64(1, 2, 3), 3, gives=(np.int64(1), np.int64(2), np.int64(3)))
@jit
def row_57_unpacking(a, n):
    x, y, z = a[:n]
    return x, y, z
