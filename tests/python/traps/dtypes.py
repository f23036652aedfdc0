"""Rows 11 to 23, 53 to 56, 58, 60 and 62: dtypes of results and of stores."""

from __future__ import annotations

import numpy as np

from mpijit import CompileError, jit

from . import b1, case, f32, f64, i8, i16, i32, i64, u8, u32, u64


@case(i32(2**31 - 1), i32(1), gives=(np.int32(-(2**31)), i32(-(2**31))))
@jit
def row_11_int32_stays(a, b):
    return a[0] + b[0], a + b


@case(u8(200), u8(100), gives=(np.uint8(44), u8(44)))
@jit
def row_12_uint8_stays(a, b):
    return a[0] + b[0], a + b


@case(u8(7, 255), gives=(u8(8, 0), np.uint8(0)))
@jit
def row_13_uint8_and_a_literal(a):
    return a + 1, a[1] + 1


@case(u8(7), compiled=CompileError, interpreted=OverflowError, match="300")
@jit
def row_14_literal_that_does_not_fit(a):
    return a + 300


@case(u8(7), 300, gives=OverflowError)
@case(u8(7), -1, gives=OverflowError)
@case(u8(7), 255, gives=u8(6))
@jit
def row_14_value_that_does_not_fit(a, n):
    return a + n


@case(f32(0.1, 3), gives=(f32(0.1, 3) * np.float32(2), f32(0.1)[0] * np.float32(2)))
@jit
def row_15_float32_and_a_literal(a):
    return a * 2.0, a[0] * 2.0


@case(f32(0.1), np.float64(2), gives=(f64(np.float32(0.1)) * 2, f64(np.float32(0.1))[0] * 2))
@jit
def row_16_float32_and_a_float64(a, x):
    return a * x, a[0] * x


@case(f32(0.5), gives=f64(1))
@jit
def row_16_float32_and_a_constructed_float64(a):
    return a * np.float64(2)


@case(f32(0.5), i32(2), gives=(f64(2.5), np.float64(2.5)))
@case(f32(0.5), i64(2), gives=(f64(2.5), np.float64(2.5)))
@case(f32(0.5), i16(2), gives=(f32(2.5), np.float32(2.5)))
@case(f32(0.5), u8(2), gives=(f32(2.5), np.float32(2.5)))
@case(i8(-1), u8(255), gives=(i16(254), np.int16(254)))
@case(i32(-1), u32(1), gives=(i64(0), np.int64(0)))
@case(i8(-1), u64(1), gives=(f64(0), np.float64(0)))
@case(b1(True), i8(1), gives=(i8(2), np.int8(2)))
@jit
def row_17_promotion(a, b):
    return a + b, a[0] + b[0]


@case(i64(-1), u64(2**63), gives=(f64(2.0**63), np.float64(2.0**63)))
@jit
def row_18_int64_and_uint64(a, b):
    return a + b, a[0] + b[0]


@case(u64(0, 2**63), gives=(u64(1, 2**63 + 1), u64(2**64 - 1, 2**63 - 1), np.uint64(1), np.uint64(2**64 - 1)))
@jit
def row_19_uint64_and_a_literal(a):
    return a + 1, a - 1, a[0] + 1, a[0] - 1


@case(f32(0.1, 0.2, 0.3), gives=(np.float32(0.1) + np.float32(0.2)) + np.float32(0.3))
@case(f32(), compiled=np.float32(0), interpreted=0.0)
@jit
def row_20_sum_of_float32_elements(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


@case(f32(0.1, 0.2), gives=np.float64(np.float32(0.1)) + np.float64(np.float32(0.2)))
@jit
def row_20_sum_in_float64(a):
    s = np.float64(0)
    for x in a:
        s += x
    return s


@case(f32(0.1, 0.1, 0.1), gives=np.float32(0.1) * np.float32(2))
@jit
def row_21_range_variable_times_float32(a):
    s = a[0]
    for i in range(3):
        s = a[i] * i
    return s


@case(f32(0, 0, 0), gives=f32(0, 0.1, 0.2))
@jit
def row_21_range_variable_times_a_view(a):
    step = np.full(1, 0.1, np.float32)
    for i in range(3):
        a[i : i + 1] = step * i
    return a


@case(True, gives=(2, 0, 2))
@jit
def row_22_python_bools(a):
    return a + True, a - True, a * 2


@case(b1(True, True, False), b1(True, False, False), gives=(b1(True, True, False), i64(2, 2, 0), np.int64(2), np.True_))
@jit
def row_22_bool_arrays(a, b):
    return a + b, a * 2, a.sum(), a[0] + b[0]


@case(b1(True), b1(False), gives=TypeError)
@jit
def row_22_bool_arrays_minus(a, b):
    return a - b


@case(b1(True), b1(False), gives=TypeError)
@jit
def row_22_bool_elements_minus(a, b):
    return a[0] - b[0]


@case(True, gives=(-2, -1))
@case(False, gives=(-1, 0))
@jit
def row_23_python_bools(a):
    return ~a, -a


@case(b1(True, False), gives=(b1(False, True), np.False_))
@jit
def row_23_bool_arrays(a):
    return ~a, ~a[0]


@case(b1(True, False), gives=TypeError)
@jit
def row_23_minus_a_bool_array(a):
    return -a


@case(i64(0, 0), 2.7, after=i64(2, 0))
@case(i32(0, 0), -2.7, after=i32(-2, 0))
@case(i32(0, 0), np.float32(9.9), after=i32(9, 0))
@case(f32(0, 0), 0.1, after=f32(0.1, 0))
@case(b1(False, False), 0.5, after=b1(True, False))
@jit
def row_53_element_takes_any_number(a, x):
    a[0] = x


@case(i32(0, 0), f64(2.7, -2.7), after=i32(2, -2))
@case(i8(0, 0), i64(300, -1), after=i8(44, -1))
@case(f32(0, 0), f64(0.1, 2.0), after=f32(0.1, 2.0))
@jit
def row_53_slice_takes_any_array(a, b):
    a[:] = b


@case(i64(1, 2), gives=TypeError)
@jit
def row_54_float_into_an_int_array(a):
    a += 0.5


@case(i64(1, 2), gives=TypeError)
@jit
def row_54_true_division_of_an_int_array(a):
    a /= 2


@case(i32(1, 2), i64(1, 2), after=i32(2, 4))
@case(f32(1, 2), f64(0.5, 0.5), after=f32(1.5, 2.5))
@case(f32(1, 2), 0.5, after=f32(1.5, 2.5))
@case(f64(1, 2), i32(1, 1), after=f64(2, 3))
@case(i32(1, 2), f32(1, 1), gives=TypeError)
@case(u8(1, 2), i8(1, 1), gives=TypeError)
@jit
def row_54_same_kind(a, b):
    a += b


@case(u8(0), compiled=CompileError, interpreted=OverflowError, match="300")
@jit
def row_55_literal_beyond_the_element(a):
    a[0] = 300


@case(u8(0, 0), 300, gives=OverflowError)
@case(u8(0, 0), -1, gives=OverflowError)
@case(u8(0, 0), 255, after=u8(255, 0))
@case(i8(0, 0), 128, gives=OverflowError)
@case(u8(0, 0), np.int64(300), after=u8(44, 0))
@jit
def row_55_value_beyond_the_element(a, n):
    a[0] = n


@case(u8(0, 0), 300, gives=OverflowError)
@case(u8(0, 0), 200, after=u8(200, 200))
@jit
def row_55_value_beyond_a_slice(a, n):
    a[:] = n


@case(f64(0, 0), np.array([1 + 2j, 3]), compiled=CompileError, interpreted=None, match="complex")
@jit
def row_56_complex_into_a_float_array(a, b):
    a[:] = b


@case(i64(1, 2, 3, 4).reshape(2, 2), i64(5, 6), gives=i64(17, 39))
@case(f32(1, 2, 3, 4).reshape(2, 2), f64(5, 6), gives=f64(17, 39))
@case(f32(1, 2, 3, 4).reshape(2, 2), f32(5, 6), gives=f32(17, 39))
@case(i8(100, 1, 0, 1).reshape(2, 2), i8(2, 1), gives=i8(-55, 1))
@case(i64(1, 2, 3, 4).reshape(2, 2), i64(1, 0, 0, 2).reshape(2, 2), gives=i64(1, 4, 3, 8).reshape(2, 2))
@case(f64(1, 2), f32(3, 4), gives=np.float64(11))
@jit
def row_58_matrix_products(a, b):
    return a @ b


@case(u64(0, 2**64 - 1), gives=(b1(True, True), np.True_, b1(False, False)))
@case(u8(0, 255), gives=(b1(True, True), np.True_, b1(False, False)))
@jit
def row_60_unsigned_above_minus_one(a):
    return a > -1, a[0] > -1, a == -1


@case(u8(0, 255), gives=(b1(True, True), np.True_, b1(True, True), b1(False, False)))
@jit
def row_60_literals_beyond_the_dtype(a):
    return a > -300, a[0] > -300, a < 300, a == 256


@case(i64(-1, 2), u64(2**63, 1), gives=(b1(True, False), np.True_, b1(False, False)))
@jit
def row_60_int64_with_uint64(a, b):
    return a < b, a[0] < b[0], a == b


@case(f32(0.1), gives=np.float32(0.1))
@case(i8(5), gives=np.int8(5))
@case(f64(0.1), gives=np.float64(0.1))
@case(b1(True), gives=np.True_)
@jit
def row_62_elements_keep_their_type(a):
    return a[0]


@case(0.1, gives=0.1)
@case(5, gives=5)
@case(True, gives=True)
@case(np.float32(0.1), gives=np.float32(0.1))
@jit
def row_62_arguments_keep_their_type(x):
    return x


@case(f32(1, 2), gives=(np.float32(3), np.float32(1.5)))
@jit
def row_62_reductions_keep_their_type(a):
    return a.sum(), a.mean()
