# Scalar arithmetic, conversions and math, at the values where languages differ.
import math

import numpy as np

N = 5


#: run -7; 2 -> (-4, 1)
#: run 7; -2 -> (-4, -1)
#: run 7; 2 -> (3, 1)
#: run -9223372036854775808; -1 -> (-9223372036854775808, 0)
#: run 1; 0 raises ZeroDivisionError:
#: run 7.5; -2.0 -> (-4.0, -0.5)
#: run -0.0; 2.0 -> (-0.0, 0.0)
#: run int8:-7; int8:2 -> (int8:-4, int8:1)
#: run int32:7; int32:0 -> (int32:0, int32:0)
#: run int8:-128; int8:-1 -> (int8:-128, int8:0)
#: run uint8:7; uint8:2 -> (uint8:3, uint8:1)
def floor_mod(a, b):
    return a // b, a % b


#: run 3; 2 -> 1.5
#: run 1.0; 0.0 -> inf
#: run float32:1.0; float32:3.0 -> float32:0.3333333432674408
def divide(a, b):
    return a / b


#: run 2; 10 -> 1024
#: run 2; -1 raises ValueError: Integers to negative integer powers
#: run 2.0; -1 -> 0.5
#: run -3; 3 -> -27
#: run int8:2; int8:7 -> int8:-128
def power(a, b):
    return a**b


#: run 1; 3 -> (8, 0)
#: run 1; 64 -> (0, 0)
#: run -8; 70 -> (0, -1)
#: run 5; -1 raises ValueError: negative shift count
def shifts(a, n):
    return a << n, a >> n


#: run 9223372036854775807 -> -9223372036854775808
def wraps(a):
    return a + 1


#: run 2.9 -> (2, 3)
#: run -2.9 -> (-2, -3)
#: run 2.5 -> (2, 2)
#: run 3.5 -> (3, 4)
#: run nan raises ValueError: cannot convert float NaN to integer
#: run 1e20 raises OverflowError:
#: run inf raises OverflowError: cannot convert float infinity to integer
def to_int(x):
    return int(x), round(x)


#: run 2.5 -> (2, 3, 2)
#: run -2.5 -> (-3, -2, -2)
def floors(x):
    return math.floor(x), math.ceil(x), math.trunc(x)


#: run 6; 4 -> (2, 12, 15, 360)
#: run -6; 4 raises ValueError:
def integers(a, b):
    return math.gcd(a, b), math.lcm(a, b), math.comb(a, b), math.perm(a, b)


#: run 20 -> 2432902008176640000
#: run 21 raises OverflowError:
#: run -1 raises ValueError:
def factorial(n):
    return math.factorial(n)


#: run nan; 1.0 -> (nan, nan)
#: run 1.0; nan -> (1.0, 1.0)
#: run 2; 1 -> (1, 2)
#: run -0.0; 0.0 -> (-0.0, -0.0)
def extrema(a, b):
    return min(a, b), max(a, b)


#: run 1; 2; 3 -> True
#: run 1; 3; 3 -> False
def chained(a, x, b):
    return a < x < b


#: run 0; 5 -> 5
#: run 3; 5 -> 3
def or_value(a, b):
    return a or b


#: run True -> (-2, -1, 2)
def bools(a):
    return ~a, -a, a + a


#: run uint64:18446744073709551615; -1 -> (True, False)
#: run uint64:0; 0 -> (False, True)
def exact_compare(a, b):
    return bool(a > b), bool(a == b)


#: run uint8:200 -> uint8:44
def u8_wraps(a):
    return a + np.uint8(100)


#: run uint8:200; 100 -> uint8:44
#: run uint8:200; 300 raises OverflowError: Python integer
def weak_meets_u8(a, b):
    return a + b


#: run 3 -> 8
def with_default(a):
    return a + inner()


def inner(b=N):
    return helper(b)


#: run 2 -> 217
def markers(a):
    return marked(a, 1, c=5)


def marked(a, /, b, *, c, d=2):
    return a * 100 + b * 10 + c + d


#: run 3.5; 2.0 -> (-0.5, 1.5)
def remainders(a, b):
    return math.remainder(a, b), math.fmod(a, b)


def helper(x, y=0):
    return x + y


#: run 0 raises AssertionError: must be positive
#: run 2 -> 2
def asserts(n):
    assert n > 0, "must be positive"
    return n


#: run 0 raises ValueError: no zero
#: run 1 -> 1
def raises(n):
    if n == 0:
        raise ValueError("no zero")
    return n


#: run -3 -> 3
#: run -2.5 -> 2.5
#: run int8:-128 -> int8:-128
def absolute(x):
    return abs(x)


#: run 2.0; 3.0 -> (2.0, 0.6931471805599453, 8.0, True)
def of_math(a, b):
    return math.sqrt(a * a), math.log(a), math.pow(a, b), math.isfinite(a)


#: run 10 -> 55
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


#: run 1 raises RecursionError:
def forever(n):
    return forever(n + 1) + 1
