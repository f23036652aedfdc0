"""Rows 1 to 10, 36 to 46 and 59: numbers, Python's own and elements of arrays."""

from __future__ import annotations

import math

import numpy as np

from mpijit import CompileError, jit

from . import case, f32, f64, i8, i32, i64, u8

INT_MIN, INT_MAX = -(2**63), 2**63 - 1


@case(-7, 2, gives=(-4, 1))
@case(7, -2, gives=(-4, -1))
@case(-7, -2, gives=(3, -1))
@case(np.int32(-7), np.int32(2), gives=(np.int32(-4), np.int32(1)))
@jit
def row_01_integer_division_rounds_down(a, b):
    return a // b, a % b


@case(-7, gives=(-1, 1, -4, 1))
@case(9, gives=(1, 1, 4, 1))
@jit
def row_01_by_powers_of_two(a):
    return a // 8, a % 8, a // 2, a % 2


@case(i32(-7, 7, -8, 8), gives=(i32(-4, 3, -4, 4), i32(1, 1, 0, 0), i32(3, -4, 4, -4), i32(-1, -1, 0, 0)))
@jit
def row_01_arrays(a):
    return a // 2, a % 2, a // -2, a % -2


@case(-7.5, 2.0, gives=(-4.0, 0.5))
@case(7.5, -2.0, gives=(-4.0, -0.5))
@case(-0.0, 2.0, gives=(-0.0, 0.0))
@case(0.0, -2.0, gives=(-0.0, -0.0))
@case(-5.0, math.inf, gives=(-1.0, math.inf))
@case(5.0, -math.inf, gives=(-1.0, -math.inf))
@case(np.float32(-7.5), np.float32(2), gives=(np.float32(-4), np.float32(0.5)))
@jit
def row_02_float_division_rounds_down(a, b):
    return a // b, a % b


@case(f64(-7.5, 7.5, -0.0), gives=(f64(-4, 3, -0.0), f64(0.5, 1.5, 0.0)))
@jit
def row_02_arrays(a):
    return a // 2.0, a % 2.0


@case(7, 0, gives=ZeroDivisionError)
@case(0, 0, gives=ZeroDivisionError)
@jit
def row_03_integer_by_zero(a, b):
    return a // b


@case(7, 0, gives=ZeroDivisionError)
@jit
def row_03_remainder_by_zero(a, b):
    return a % b


@case(i64(7), 0, gives=(np.int64(0), np.int64(0)))
@case(i32(7), np.int32(0), gives=(np.int32(0), np.int32(0)))
@jit
def row_03_element_by_zero(a, b):
    return a[0] // b, a[0] % b


@case(i32(7, -7, 0), 0, gives=(i32(0, 0, 0), i32(0, 0, 0)))
@jit
def row_03_array_by_zero(a, b):
    return a // b, a % b


@case(1.0, 0.0, compiled=math.inf, interpreted=ZeroDivisionError)
@case(-1.0, 0.0, compiled=-math.inf, interpreted=ZeroDivisionError)
@case(0.0, 0.0, compiled=math.nan, interpreted=ZeroDivisionError)
@case(7, 0, compiled=math.inf, interpreted=ZeroDivisionError)
@case(np.float64(1), 0.0, gives=np.float64(math.inf))
@jit
def row_04_float_by_zero(a, b):
    return a / b


@case(1.0, 0.0, compiled=(math.inf, math.nan), interpreted=ZeroDivisionError)
@case(np.float64(1), 0.0, gives=(np.float64(math.inf), np.float64(math.nan)))
@jit
def row_04_floor_and_remainder_by_zero(a, b):
    return a // b, a % b


@case(f64(1, -1, 0), f64(0, 0, 0), gives=(np.float64(math.inf), f64(math.inf, -math.inf, math.nan)))
@jit
def row_04_elements_by_zero(a, b):
    return a[0] / b[0], a / b


@case(INT_MIN, -1, compiled=(INT_MIN, 0), interpreted=(2**63, 0))
@case(np.int64(INT_MIN), np.int64(-1), gives=(np.int64(INT_MIN), np.int64(0)))
@case(np.int8(-128), np.int8(-1), gives=(np.int8(-128), np.int8(0)))
@jit
def row_05_most_negative_by_minus_one(a, b):
    return a // b, a % b


@case(i64(INT_MIN, 5), gives=(i64(INT_MIN, -5), i64(0, 0)))
@case(i8(-128, 5), gives=(i8(-128, -5), i8(0, 0)))
@jit
def row_05_arrays(a):
    return a // -1, a % -1


@case(2, gives=(8, 0.5, 1))
@jit
def row_06_powers_with_literals(a):
    return a**3, 2**-1, a**0


@case(2, 3, gives=8)
@case(2, -1, compiled=ValueError, interpreted=0.5)
@case(2.0, -1, gives=0.5)
@case(i64(2, 3), 2, gives=i64(4, 9))
@case(i64(2, 3), -1, gives=ValueError)
@case(i64(2, 3), i64(1, -1), gives=ValueError)
@case(i32(2, 3), i32(3, 2), gives=i32(8, 9))
@jit
def row_06_integer_powers(a, n):
    return a**n


@case(-8.0, 1 / 3, compiled=math.nan, interpreted=(-8.0) ** (1 / 3))
@case(np.float64(-8), 1 / 3, gives=np.float64(math.nan))
@case(f64(-8), 1 / 3, gives=f64(math.nan))
@jit
def row_07_root_of_a_negative(a, n):
    return a**n


@case(f32(4, 9), gives=(f32(16, 81), f32(2, 3), f32(0.25, np.float32(1) / np.float32(9)), f32(1, 1), f32(4, 9)))
@jit
def row_08_float32_powers_of_arrays(a):
    return a**2, a**0.5, a**-1, a**0, a**1


@case(f32(4), gives=(np.float32(16), np.float32(2), np.float32(64)))
@jit
def row_08_float32_powers_of_elements(a):
    return a[0] ** 2, a[0] ** 0.5, a[0] ** 3


@case(-0.0, gives=0.0)
@case(-math.inf, gives=math.inf)
@case(np.float64(-0.0), gives=np.float64(0.0))
@jit
def row_08_half_power_is_no_square_root(a):
    return a**0.5


@case(f64(-0.0, 4.0), gives=f64(-0.0, 2.0))
@jit
def row_08_half_power_of_arrays_is_one(a):
    return a**0.5


@case(2**62, compiled=0, interpreted=2**64)
@case(np.int64(2**62), gives=np.int64(0))
@jit
def row_09_integers_wrap(a):
    return a * 4


@case(i32(2**31 - 1, 1), gives=(np.int32(-(2**31)), i32(-(2**31), 2)))
@jit
def row_09_elements_wrap(a):
    return a[0] + a[1], a + 1


@case(1, compiled=CompileError, interpreted=2**64 + 1)
@jit
def row_09_literal_beyond_64_bits(a):
    return a + 18446744073709551616


@case(1, 64, compiled=0, interpreted=2**64)
@case(3, 63, compiled=INT_MIN, interpreted=3 << 63)
@case(1, -1, gives=ValueError)
@case(np.int64(1), np.int64(64), gives=np.int64(0))
@case(i32(1, 3), 40, gives=i32(0, 0))
@case(u8(1, 255), 4, gives=u8(16, 240))
@jit
def row_10_shift_left(a, n):
    return a << n


@case(5, 64, gives=0)
@case(-5, 64, gives=-1)
@case(-5, 1, gives=-3)
@case(5, -1, gives=ValueError)
@case(i32(5, -5), 40, gives=i32(0, -1))
@jit
def row_10_shift_right(a, n):
    return a >> n


@case(3, 5, gives=(5, 3))
@case(0, 5, gives=(0, 5))
@case(1, 2.5, compiled=(2.5, 1.0), interpreted=(2.5, 1))
@jit
def row_36_and_or_give_an_operand(a, b):
    return a and b, a or b


def counted(calls, x):
    calls[0] += 1
    return x


@case(i64(0), 2, gives=True, after=i64(1))
@case(i64(0), 3, gives=False, after=i64(1))
@case(i64(0), 0, gives=False, after=i64(1))
@jit
def row_37_chained_comparison(calls, x):
    return 1 < counted(calls, x) < 3


@case(2, 1.0, compiled=2.0, interpreted=2)
@case(1, 2.5, gives=2.5)
@case(2, 1, gives=2)
@jit
def row_38_max_of_int_and_float(a, b):
    return max(a, b)


@case(math.nan, 1.0, gives=(math.nan, math.nan))
@case(1.0, math.nan, gives=(1.0, 1.0))
@case(f64(math.nan)[0], f64(1)[0], gives=(np.float64(math.nan), np.float64(math.nan)))
@case(f64(1)[0], f64(math.nan)[0], gives=(np.float64(1), np.float64(1)))
@jit
def row_39_builtin_min_and_max_of_nan(a, b):
    return min(a, b), max(a, b)


@case(
    f64(1, math.nan, 3), f64(math.nan, 2, 2),
    gives=(f64(math.nan, math.nan, 2), f64(math.nan, math.nan, 3), f64(1, 2, 2), f64(1, 2, 3)),
)  # fmt: skip
@jit
def row_40_minimum_and_fmin_of_nan(a, b):
    return np.minimum(a, b), np.maximum(a, b), np.fmin(a, b), np.fmax(a, b)


@case(f64(1, math.nan, 3), gives=(np.float64(math.nan),) * 4)
@case(f64(*[2.0] * 40, math.nan, *[1.0] * 40), gives=(np.float64(math.nan),) * 4)
@case(f64(2, 1, 3), gives=(np.float64(1), np.float64(3), np.float64(1), np.float64(3)))
@jit
def row_40_reductions_of_nan(a):
    return a.min(), a.max(), np.min(a), np.max(a)


@case(f64(1, math.nan, 3, math.nan), gives=(np.int64(1), np.int64(1)))
@jit
def row_40_argmin_finds_the_first_nan(a):
    return a.argmin(), a.argmax()


@case(2.5, gives=2)
@case(3.5, gives=4)
@case(-0.5, gives=0)
@case(np.float64(2.5), gives=2)
@jit
def row_41_round_half_to_even(x):
    return round(x)


@case(f64(0.5, 1.5, 2.5, -0.5), gives=(f64(0, 2, 2, -0.0), f64(0, 2, 2, -0.0)))
@jit
def row_41_rint(a):
    return np.rint(a), np.round(a)


@case(2.675, compiled=CompileError, interpreted=2.67, match="round")
@jit
def row_42_round_to_digits_is_refused(x):
    return round(x, 2)


@case(f64(2.675, 1.234), gives=f64(2.68, 1.23))
@jit
def row_42_numpy_round_to_digits(a):
    return np.round(a, 2)


@case(2.9, gives=2)
@case(-2.9, gives=-2)
@case(np.float32(-2.9), gives=-2)
@case(math.nan, gives=ValueError)
@case(math.inf, gives=OverflowError)
@case(1e20, compiled=OverflowError, interpreted=10**20)
@case(-(2.0**63), gives=INT_MIN)
@jit
def row_43_int_of_a_float(x):
    return int(x)


@case(-2.5, gives=(-3, -2, -2))
@case(math.nan, gives=ValueError)
@case(-math.inf, gives=OverflowError)
@case(1e20, compiled=OverflowError, interpreted=(10**20,) * 3)
@jit
def row_43_floor_ceil_trunc(x):
    return math.floor(x), math.ceil(x), math.trunc(x)


@case(-1.0, compiled=math.nan, interpreted=ValueError)
@case(4.0, gives=2.0)
@jit
def row_44_square_root(x):
    return math.sqrt(x)


@case(0.0, compiled=-math.inf, interpreted=ValueError)
@case(-1.0, compiled=math.nan, interpreted=ValueError)
@jit
def row_44_logarithm(x):
    return math.log(x)


@case(1000.0, compiled=math.inf, interpreted=OverflowError)
@jit
def row_44_exponential(x):
    return math.exp(x)


@case(5, gives=(120, 10, 20, 2, 5, 10))
@case(-5, gives=ValueError)
@jit
def row_44_integer_functions(n):
    return math.factorial(n), math.comb(n, 2), math.perm(n, 2), math.isqrt(n), math.gcd(n, 10), math.lcm(n, 2)


@case(21, compiled=OverflowError, interpreted=math.factorial(21))
@case(20, gives=math.factorial(20))
@jit
def row_44_factorial_beyond_64_bits(n):
    return math.factorial(n)


@case(-12, gives=(4, 24))
@jit
def row_44_gcd_of_a_negative(n):
    return math.gcd(n, 8), math.lcm(n, 8)


@case(f64(4, -1, 0), gives=(f64(2, math.nan, 0), f64(math.log(4), math.nan, -math.inf)))
@jit
def row_44_numpy_gives_the_same(a):
    return np.sqrt(a), np.log(a)


@case(u8(4, 9), compiled=f32(2, 3), interpreted=np.array([2, 3], np.float16))
@jit
def row_45_square_root_of_small_integers(a):
    return np.sqrt(a)


@case(u8(4, 9), gives=(f64(2, 4.5), u8(4, 9), u8(4, 9)))
@jit
def row_45_division_and_floor_of_small_integers(a):
    return a / 2, np.floor(a), np.ceil(a)


@case(f64(), 0.5, compiled=0.0, interpreted=0)
@case(f64(1, 2), 0.5, gives=1.0)
@jit
def row_46_sum_that_begins_as_an_int(a, x):
    s = 0
    for i in range(len(a)):
        s += x
    return s


@case(2**53 + 1, float(2**53), compiled=True, interpreted=False)
@case(i64(2**53 + 1)[0], f64(2**53)[0], gives=np.True_)
@case(i64(2**53 + 1), f64(2**53), gives=np.array([True]))
@case(3, 3.0, gives=True)
@jit
def row_59_int_equal_to_float(a, b):
    return a == b
