"""Rows 50 to 52: sums, means and the like; their dtypes, empty arrays and the order of additions."""

from __future__ import annotations

import math

import numpy as np

from mpijit import jit

from . import b1, case, f32, f64, i8, i32, i64, u8

rng = np.random.default_rng(52)
TENTHS = np.full(1_000_000, 0.1, np.float32)
NOISE = rng.standard_normal(100_003).astype(np.float32)
WEIGHTS = rng.standard_normal(100_003).astype(np.float32)
COUNTS = rng.integers(-(2**31), 2**31, 20_011).astype(np.int32)
FIELD = rng.standard_normal((301, 257))


@case(f64(), gives=(np.float64(0), np.float64(1), np.True_, np.False_))
@case(i32(), gives=(np.int64(0), np.int64(1), np.True_, np.False_))
@jit
def row_50_empty_sum_and_product(a):
    return a.sum(), a.prod(), np.all(a), np.any(a)


@case(f64(), gives=ValueError)
@case(np.zeros((0, 3)), gives=ValueError)
@case(f64(1), gives=np.float64(1))
@jit
def row_50_empty_minimum(a):
    return a.min()


@case(f64(), gives=ValueError)
@case(f64(2, 5, 5), gives=np.int64(1))
@jit
def row_50_empty_argmax(a):
    return a.argmax()


@case(f64(), gives=np.float64(math.nan))
@case(f32(), gives=np.float32(math.nan))
@case(i32(), gives=np.float64(math.nan))
@jit
def row_50_empty_mean(a):
    return a.mean()


@case(np.zeros((0, 3)), gives=(f64(0, 0, 0), f64()))
@case(np.zeros((2, 0)), gives=(f64(), f64(0, 0)))
@jit
def row_50_empty_along_an_axis(a):
    return a.sum(axis=0), a.sum(axis=1)


@case(np.zeros((0, 3)), gives=ValueError)
@case(np.zeros((3, 0)), gives=f64())
@jit
def row_50_empty_maximum_along_an_axis(a):
    return a.max(axis=0)


@case(i32(2**31 - 1, 1), gives=(np.int64(2**31), np.int64(2**31 - 1), np.float64(2**30)))
@case(u8(200, 100), gives=(np.uint64(300), np.uint64(20000), np.float64(150)))
@case(i8(100, 100), gives=(np.int64(200), np.int64(10000), np.float64(100)))
@case(f32(0.5, 0.25), gives=(np.float32(0.75), np.float32(0.125), np.float32(0.375)))
@case(b1(True, True), gives=(np.int64(2), np.int64(1), np.float64(1)))
@jit
def row_51_dtypes_of_sum_product_mean(a):
    return a.sum(), a.prod(), a.mean()


@case(i8(3, -4), gives=(np.int8(-4), np.int8(3), np.int64(1), np.True_))
@case(f32(3, 0), gives=(np.float32(0), np.float32(3), np.int64(1), np.False_))
@jit
def row_51_dtypes_of_min_max_argmin_all(a):
    return a.min(), a.max(), a.argmin(), a.all()


@case(i32(1, 2, 3, 4).reshape(2, 2), gives=(i64(4, 6), i64(3, 7), f64(2, 3)))
@jit
def row_51_dtypes_along_an_axis(a):
    return a.sum(axis=0), a.sum(axis=1), a.mean(axis=0)


@case(u8(200, 100), gives=(np.uint8(44), np.float32(300)))
@jit
def row_51_dtype_that_is_asked_for(a):
    return a.sum(dtype=np.uint8), a.sum(dtype=np.float32)


@case(TENTHS, gives=np.add.reduce(TENTHS))
@case(NOISE, gives=np.add.reduce(NOISE))
@case(NOISE[:1000], gives=np.add.reduce(NOISE[:1000]))
@case(NOISE[:7], gives=np.add.reduce(NOISE[:7]))
@case(NOISE[:129], gives=np.add.reduce(NOISE[:129]))
@jit
def row_52_pairwise_sum(a):
    return a.sum()


@case(TENTHS, gives=True)
@jit
def row_52_pairwise_sum_is_accurate(a):
    return bool(abs(a.sum() - 100000.0) < 0.5)


@case(NOISE, gives=np.add.reduce(NOISE[::3]))
@jit
def row_52_strided_sum(a):
    return a[::3].sum()


@case(NOISE, WEIGHTS, gives=np.add.reduce(NOISE * WEIGHTS))
@jit
def row_52_sum_of_products(a, b):
    return (a * b).sum()


@case(FIELD, gives=(np.add.reduce(FIELD, axis=0), np.add.reduce(FIELD, axis=1), np.add.reduce(FIELD.ravel())))
@jit
def row_52_sums_along_axes(a):
    return a.sum(axis=0), a.sum(axis=1), a.sum()


@case(FIELD, gives=np.add.reduce((FIELD * 2 + 1).ravel()))
@jit
def row_52_sum_of_an_expression(a):
    return np.sum(a * 2 + 1)


@case(NOISE, gives=np.add.reduce(NOISE) / np.float32(len(NOISE)))
@case(COUNTS, gives=np.add.reduce(COUNTS, dtype=np.float64) / len(COUNTS))
@jit
def row_52_mean(a):
    return a.mean()
