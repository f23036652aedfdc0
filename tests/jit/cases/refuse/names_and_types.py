# Refusals: names, captured values and types.
import math

import numpy as np

from mpijit import mpi

settings = {"n": 3}


#: refuse () +1:12 the name missing is not defined
def unknown_name():
    return missing  # noqa: F821


#: refuse () +1:9 x is used before anything is assigned
def never_bound():
    y = x  # noqa: F821
    x = 1
    return y


#: refuse () +1:12 a dict cannot be used
def captured():
    return settings


#: refuse () +1:12 the integer 18446744073709551616 does not fit
def big():
    return 18446744073709551616


#: refuse () +1:9 abs
def not_a_value():
    x = abs + 1
    return x


#: refuse () +1:12 module math has nothing called nothing
def module_attribute():
    return math.nothing


def apply(f, x):
    return x


#: refuse (complex, float) +1:12 the operator < does not take complex numbers, here complex
#: refuse (float, complex64) +1:12 the operator < does not take complex numbers, here complex64
def complex_order(a, b):
    return a < b


#: refuse (complex128) +1:12 int does not take complex numbers, here complex128
def complex_to_int(z):
    return int(z)


#: refuse (complex) +1:21 math.sin does not take complex numbers, here complex
def complex_math(z):
    return math.sin(z)


#: refuse (complex, complex) +1:12 max does not take complex numbers
def complex_max(a, b):
    return max(a, b)


#: refuse (complex, int) +1:12 the operator // does not take complex and int
def complex_floor(a, b):
    return a // b


#: refuse (complex128) +1:12 the operator ~ does not take a complex128
def complex_invert(z):
    return ~z


#: refuse (float, complex64) +1:23 complex's imag does not take complex numbers, here complex64
def complex_imag(a, b):
    return complex(a, b)


#: refuse (float64[:], complex) +1:5 complex cannot be stored into float64
#: refuse (int8[:], complex64) +1:5 complex64 cannot be stored into int8
def complex_store(a, z):
    a[0] = z


#: refuse (complex64) +1:12 complex64 cannot be stored into float32
def complex_to_float32(z):
    return np.float32(z)


#: refuse ((int, int)) +1:12 the operator - does not take a (int, int)
def operand(t):
    return -t


#: refuse (float, int) +1:12 the operator & does not take float and int
def operator_types(a, b):
    return a & b


#: refuse (bool[:]) +1:12 the operator - does not take NumPy bools
def bool_subtract(a):
    return a[0] - a[1]


#: refuse (uint8[:]) +1:19 300 does not fit in uint8
def literal_range(a):
    return a[0] + 300


#: refuse (float64[:]) +1:8 an array has no truth value
def array_truth(a):
    if a:
        return 1
    return 0


#: refuse (int) +1:12 `is` compares with None only
def identity(a):
    return a is 3  # noqa: F632


#: refuse (bool, float64[:]) +5:12 x is float64[:] on one way to this place and int on another
def join_types(c, a):
    if c:
        x = a
    else:
        x = 1
    return x


#: refuse (bool, float64[:]) +1:12 the two sides are float64[:] and int
def arm_types(c, a):
    return a if c else 1


#: refuse (bool) +3:5 this returns none, but the function also returns int
def return_types(c):
    if c:
        return 1
    return None


#: refuse (float64[:], float) +1:14 an index must be an integer, not float
def integer_wanted(a, x):
    return a[x]


#: refuse () +1:24 "float128" is not a dtype
def unknown_dtype():
    return np.zeros(3, "float128")


#: refuse (float) +1:12 sorted is not supported
def unknown_function(x):
    return sorted(x)


#: refuse (int) +1:12 int cannot be called
def not_callable(x):
    return x()


def one(a):
    return a


#: refuse (int) +1:12 one takes 1 arguments, but 2 were given
def argument_count(a):
    return one(a, a)


#: refuse (float) +1:12 math.sqrt takes 1 argument here
def call_arguments(x):
    return math.sqrt(x, x)


#: refuse (int) +1:16 one has no parameter b
def unknown_keyword(a):
    return one(b=a)


#: refuse (int) +1:19 one gets its argument a twice
def repeated(a):
    return one(a, a=a)


#: refuse () +1:12 one needs its argument a
def missing_argument():
    return one()


#: refuse (float) +1:12 round(x, n) is not supported
def round_digits(x):
    return round(x, 2)


#: refuse (int) +1:12 int has no length
def no_length(n):
    return len(n)


#: refuse (int) +1:14 recv's data must be an array, not int
def mpi_argument(n):
    mpi.recv(n)


#: refuse (float64[:], int64[:]) +1:5 allreduce combines float64 into int64
def mpi_dtypes(a, b):
    mpi.allreduce(a, b)


#: refuse (bool[:]) +1:5 mpi.SUM does not combine bools
def operator_bool(a):
    mpi.allreduce(a)


#: refuse (complex64[:]) +1:5 mpi.MAX does not combine complex64
def operator_dtype(a):
    mpi.allreduce(a, op=mpi.MAX)


#: refuse (int) +1:12 int has no attribute numerator
def attribute(n):
    return n.numerator


#: refuse (complex) +1:12 complex has no attribute conj
def conj_of_pythons(z):
    return z.conj()


#: refuse (int) +1:12 int cannot be indexed
def not_subscriptable(n):
    return n[0]


#: refuse (float64[:]) +1:14 an array with 1 axes is indexed with 2
def too_many(a):
    return a[0, 1]


#: refuse (float64[:], float64[:]) +1:14 indexing with an array
def index_kind(a, b):
    return a[b]


#: refuse (float64[:, :]) +1:19 an index can have one Ellipsis only
def two_ellipses(a):
    return a[..., ...]


#: refuse (float64[:, :], (int, int)) +1:14 indexing with a tuple among others
def index_tuple(a, p):
    return a[p, 0]


#: refuse (float64[:, :], int) +1:14 indexing with a starred int
def index_starred(a, n):
    return a[*n, 0]


#: refuse (float64[:, :], (int, int, int)) +1:14 an array with 2 axes is indexed with 3
def too_many_items(a, p):
    return a[p]


#: refuse ((int, int), int) +1:14 a slice of a tuple needs bounds that are known
def tuple_slice(t, n):
    return t[n:]


#: refuse ((int, int)) +1:14 slice step cannot be zero
def tuple_slice_step(t):
    return t[::0]


#: refuse ((int, int), int) +1:12 a tuple can be multiplied only by an integer that is known
def tuple_repeat(t, n):
    return t * n


#: refuse ((int, int)) +1:12 this tuple would have more than 256 items
def tuple_long(t):
    return t * 129


#: refuse (float64[:]) +1:12 sum takes a tuple, not float64[:]
def sum_array(a):
    return sum(a)


#: refuse (float64[:, :], int) +1:30 an axis must be known when compiling
def axis_value(a, n):
    return np.swapaxes(a, 0, n)


#: refuse (float64[:, :]) +1:30 axis 2 is out of bounds for an array with 2 axes
def axis_range(a):
    return np.swapaxes(a, 0, 2)


#: refuse (float64[:, :]) +1:24 axis -2 is named twice
def axis_twice(a):
    return a.transpose(0, -2)


#: refuse (float64[:, :]) +1:28 1 axes are named, and 2 are wanted
def axes_count(a):
    return np.transpose(a, (0,))


#: refuse (float64[:, :]) +1:12 squeeze without axis= is not supported
def squeeze_all(a):
    return a.squeeze()


#: refuse ((int, int)) +1:12 index 2 is out of range for a tuple of 2
def tuple_index(t):
    return t[2]


#: refuse ((int, float), int) +1:12 (int, float) needs a constant index
def tuple_run_time(t, k):
    return t[k]


#: refuse ((int, int)) +1:5 (int, int) cannot be changed
def tuple_store(t):
    t[0] = 1


#: refuse ((int, int)) +1:15 3 names, but 2 values
def unpack_count(t):
    a, b, c = t
    return a


#: refuse (int) +1:12 int cannot be unpacked
def unpack_type(n):
    a, b = n
    return a


def marked(a, /, b, *, c):
    return a + b + c


#: refuse (int) +1:12 marked takes 2 arguments, but 3 were given
def keyword_only_by_position(a):
    return marked(a, a, a)


#: refuse (int) +1:29 marked has no parameter a
def position_only_by_name(a):
    return marked(b=1, c=2, a=a)


#: refuse (int) +1:12 marked needs its argument c
def keyword_only_missing(a):
    return marked(a, 1)


#: refuse (float64[:, :]) +1:12 an array of 2 axes does not broadcast to 1
def broadcast_axes(a):
    return np.broadcast_to(a, 3)


#: refuse (float64[:], float) +1:20 a slice's bound must be an integer, not float
def slice_bound(a, x):
    return a[slice(x)]


#: refuse (float64[:], int, bool) +2:9 the two sides are slice(int, int, none) and slice(none, int, none)
def slices_joined(a, n, c):
    s = slice(n)
    s = slice(n, n) if c else s
    return a[s]
