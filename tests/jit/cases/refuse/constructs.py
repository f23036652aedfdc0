# Refusals: constructs that kernels do not have. Places are lines below the def and columns.
import math

import numpy as np

import mpijit
from mpijit import mpi


#: refuse () +1:9 a list is not supported
def list_display():
    x = [1, 2]
    return x


#: refuse () +1:9 a list comprehension is not supported
def comprehension():
    x = [i for i in range(3)]
    return x


#: refuse () +1:5 a try statement is not supported
def try_statement():
    try:
        return 1
    except ValueError:
        return 2


#: refuse () +1:9 a dict is not supported
def dict_display():
    x = {1: 2}
    return x


#: refuse () +1:5 a nested function is not supported
def nested():
    def g():
        return 1

    return g()


#: refuse (int) +0:27 the parameter **options is not supported
def star_star_parameter(**options):
    return 1


#: refuse (int) +1:16 a star argument must be a tuple, not int
#: refuse (float64[:]) +1:16 a star argument must be a tuple, not float64[:]
def star_call(t):
    return max(*t)


#: refuse (int) +1:16 keyword arguments from a dict
def star_keywords(t):
    return two(**t)


#: refuse (int) +2:41 a lambda in a kernel cannot use the local name scale
def lambda_of_a_run_time_value(x):
    scale = 2 * x
    return called(lambda value: value * scale, x)


#: refuse (int) +5:33 a lambda in a kernel cannot use the local name f
def lambda_of_a_rebound_name(x):
    if x > 3:
        f = abs
    else:
        f = abs
    return called(lambda value: f(value), x)


#: refuse (int) +1:33 a lambda in a kernel cannot use the local name x
def lambda_of_a_parameter(x):
    return called(lambda y: y + x, x)


#: refuse (int) +5:12 f is builtins.abs on one way
def functions_that_do_not_join(x):
    if x > 0:
        f = abs
    else:
        f = float
    return f(x)


#: refuse (int) +1:13 the two sides are builtins.abs and builtins.float
def arms_that_do_not_join(x):
    return (abs if x > 0 else float)(x)


#: refuse () +1:5 a function, class or module cannot be returned
def returned_function():
    return called


#: refuse () +1:5 a function, class or module cannot be returned
def returned_in_a_tuple():
    return (1, called)


#: refuse () +1:5 a function, class or module cannot be returned
def returned_between_kernels():
    return returned_function()(1)


#: refuse (int) +1:12 the function called is not a value
def function_in_arithmetic(x):
    return called + x


#: refuse (<function "math.sin">) +1:12 math.sin is not a value a kernel can compute with
def function_parameter_in_arithmetic(f):
    return f + 1


#: refuse ("periodic") +1:12 the operator + does not take a str
def string_parameter_in_arithmetic(mode):
    return mode + 1


def called(f, x):
    return f(x)


#: refuse (int) +1:24 `:=` may not stand
def walrus(a):
    return (a > 0 and (b := a) > 1) or b > 2


def two(a, b):
    return a + b


#: refuse (int) +2:14 mpijit.prange is not compiled yet
def parallel(n):
    s = 0
    for i in mpijit.prange(n):
        s += i
    return s


#: refuse (int) +1:14 a for loop in a kernel does not run over int
def for_int(n):
    for x in n:
        pass


#: refuse (float64[]) +1:14 iteration over a 0-d array: float64[]
def for_scalar_array(a):
    for x in a:
        pass


#: refuse (float64[]) +1:12 iteration over a 0-d array
def unpack_scalar_array(a):
    x, y = a
    return x


#: refuse (float64[:]) +1:14 this cannot be gone through backwards
def reversed_enumerate(a):
    for x in reversed(enumerate(a)):
        pass


#: refuse (float64[:]) +1:24 zip of an iterable of several axes is not supported
def zip_ndindex(a):
    for x, i in zip(a, np.ndindex(2, 3)):
        pass


#: refuse (float64[:]) +1:18 zip of a zip of a tuple and something else is not
def zip_zip(a):
    for x in zip(zip((1, 2), a), a):
        pass


#: refuse (int) +1:9 int cannot be unpacked
def for_target(n):
    for i, j in range(n):
        pass


#: refuse (float64[:]) +1:9 enumerate(...) is supported only
def enumerate_value(a):
    e = enumerate(a)
    return e


#: refuse (int) +1:9 np.ndindex(...) is supported only
def ndindex_value(n):
    e = np.ndindex(n)
    return e


#: refuse ((int, int, int)) +1:12 a starred target is not supported
def starred_loop_target(t):
    for x, *y in enumerate(t):
        pass


#: refuse ((int, int, int)) +1:8 a starred target is not supported
def starred_target(t):
    x, *y = t
    return x


#: refuse (int) +1:9 range(...) is supported only
def range_value(n):
    r = range(n)
    return r


#: refuse (int) +1:9 print(...) must stand
def print_value(n):
    x = print(n)
    return x


#: refuse (str) +1:22 this text must be a constant
def message(s):
    raise ValueError(s)


#: refuse () +1:11 raise needs one of Python's
def raise_class():
    raise 3


#: refuse () +1:9 an exception can be made in a raise
def exception_value():
    e = ValueError("no")
    return e


#: refuse () +1:5 a function, class or module cannot be returned
def return_function():
    return abs


#: refuse () +0:1 a kernel cannot return a communicator or an operator
def return_handle():
    return 1, mpi.SUM


#: refuse (float64[:]) +1:5 the attribute shape cannot be assigned
def attribute_store(a):
    a.shape = (1, 2)


#: refuse (int32[:]) +1:5 the result is float64, which an in-place operator does not store into int32
def in_place_kind(a):
    a /= 2


#: refuse (float64[:], complex128[:]) +1:5 complex128 cannot be stored into float64
def complex_to_real(a, z):
    a[:] = z


#: refuse (float64[:]) +1:21 math.sin does not take an array
def math_of_an_array(a):
    return math.sin(a)


#: refuse (float64[:]) +1:12 the array attribute or method sort is not supported in kernels
def array_method(a):
    return a.sort()


#: refuse (float64[:]) +1:12 np.median is not supported in kernels
def numpy_function(a):
    return np.median(a)


#: refuse (float64[:], int) +1:24 this must be known at compile time: an int for the decimals
def decimals(a, n):
    return np.round(a, n)


#: refuse (float64[:], bool) +1:31 this must be known at compile time: True or False
def keep(a, b):
    return np.sum(a, keepdims=b)


#: refuse (float) +1:30 np.array takes numbers nested equally deep and long
def ragged(x):
    return np.array([[x, x], [x]])


#: refuse () +1:12 mpi.processor_name cannot be called
def mpi_function():
    return mpi.processor_name()
