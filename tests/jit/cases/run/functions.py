# Functions as values, star-arguments, keyword arguments, what is pruned before typing.
import math

import numpy as np


def apply(f, x):
    return f(x)


def twice(f, x):
    return f(f(x))


def double(x):
    return 2 * x


def increment(x):
    return x + 1


#: run 3 -> (6, 4, 12, 8)
def kernels_as_arguments(x):
    return apply(double, x), apply(increment, x), twice(double, x), apply(double, increment(x))


#: run 4.0 -> (2.0, 4.0, 4, -4.0)
def library_functions_as_arguments(x):
    return apply(math.sqrt, x), apply(abs, -x), apply(int, x), apply(math.floor, -x) * 1.0


#: run 5 -> (10, 6, 11)
def bound_to_local_names(x):
    f = double
    g = f
    h = increment
    return g(x), h(x), h(f(x))


#: run 5; 0 -> 10
#: run 5; 3 -> 5
def bound_on_one_way(x, n):
    if n < 1:
        f = double
    else:
        return x
    return f(x)


#: run 5; 3 -> 10
#: run 5; 0 raises UnboundLocalError: cannot access local variable 'f'
def bound_perhaps(x, n):
    for i in range(n):
        f = double
    return f(x)


STEPS = (double, increment, (increment, math.sqrt))


#: run 8 -> (16, 9, 9, 3.0)
def captured_tuple_of_kernels(x):
    return STEPS[0](x), STEPS[1](x), STEPS[2][0](x), STEPS[-1][1](9)


#: run 8 -> (16, 9, 2)
def tuple_of_kernels(x):
    fs = (double, x, increment)
    f, y, g = fs
    return fs[0](y), g(fs[1]), len((f, g))


def run_all(fs, x):
    return fs[1](fs[0](x))


#: run 3 -> (7, 8)
def tuple_of_kernels_as_argument(x):
    return run_all((double, increment), x), run_all((increment, double), x)


def compose(f, g, x):
    return f(g(x))


#: run 3 -> (9, 64, 512, 6)
def lambdas(x):
    square = lambda v: v * v  # noqa: E731
    return square(x), twice(square, x - 1) * 4, compose(square, square, x) + 431, (lambda a, b: a + b)(x, x)


#: run 3 -> (12, 13)
def lambdas_of_known_names(x):
    return with_known(double, x), with_known(lambda v: double(v) + 0, x) + 1


def with_known(f, x):
    g = increment
    return apply(lambda v: apply(lambda w: f(w), v) * 2 if g(0) == 1 else v, x)


#: run 7 -> 28
def recursion_through_an_argument(n):
    return summed(increment, n - 1)


def summed(f, n):
    if n < 0:
        return 0
    return f(n) + summed(f, n - 1)


def kind(mode, x):
    if mode == "double":
        return 2 * x
    elif mode == "nothing":
        return x.nothing
    return unknown_name(x)  # noqa: F821


#: run 3 -> 6
def strings_select(x):
    mode = "double"
    return kind(mode, x)


#: run 1 -> ('a', 'ab', True, False, 2)
#: run 0 -> ('b', 'ab', True, False, 2)
def strings(x):
    s = "a" if x else "b"
    t = "ab"
    return s, t, t == "ab", t != "ab", len(t)


def name_of(mode):
    return "x" if mode is None else "y"


#: run 3 -> (3, 'y')
def string_results_are_known(x):
    name = name_of(2)
    if name_of(2) == "x":
        x = undefined  # noqa: F821
    return x, name


#: run 1; None -> 1
#: run 1; 5 -> 6
#: run 1; 2.5 -> 3.5
def optional(x, y):
    return x if y is None else x + y


#: run 1 -> (1, 3, 5)
def optional_between_kernels(x):
    return with_optional(x), with_optional(x, 2), with_optional(x, other=4)


def with_optional(x, other=None):
    if other is not None:
        x = x + other
    return x


#: run float64[2]=1 2 -> 1
#: run float64[1x2]=1 2 -> 2
#: run float64[1x1x1]=1 -> 0
def by_rank(a):
    if a.ndim == 1:
        return int(a[0])
    elif a.ndim == 2:
        return int(a[0, 1])
    return 0


#: run float64[2]=1 2 -> 'double'
#: run float32[2]=1 2 -> 'single'
#: run int64[2]=1 2 -> 'other'
def by_dtype(a):
    if a.dtype == np.float64:
        return "double"
    return "single" if a.dtype == np.float32 else "other"


DEBUG = False
LEVEL = 2


#: run 5 -> (5, 1, 5, 2, 3)
def captured_flags(x):
    if DEBUG:
        print(missing_module.attribute[x])  # noqa: F821
    a = x if not DEBUG else missing  # noqa: F821
    b = 1 if DEBUG or LEVEL > 1 else missing  # noqa: F821
    c = DEBUG and missing or x  # noqa: F821
    d = 3 if (LEVEL, DEBUG) == (2, False) and LEVEL in (1, 2) else 4
    while DEBUG:
        with x:
            pass
    if not DEBUG or missing:  # noqa: F821
        return a, b, c, LEVEL, d
    return [x for x in missing]  # noqa: F821


#: run (1, 2, 3) -> 3
#: run (1,) -> -1
def by_length(t):
    if len(t) > 1:
        return t[2]
    return -1


#: run (2, 3) -> (23, 32, 5, 3)
def star_calls(t):
    return pair(*t), pair(b=t[0], a=t[1]), added(*t), max(*t)


#: run (2, 3) -> (23, 23, 42)
def star_calls_of_constants(t):
    return pair(*(2, 3)), pair(*DIGITS), pair(4, *(2,))


DIGITS = (2, 3)


def pair(a, b):
    return 10 * a + b


def added(*values):
    if len(values) == 0:
        return 0
    if len(values) == 1:
        return values[0]
    return values[0] + values[1]


#: run 3 -> (0, 3, 3.5, 103, 306, 1030)
def star_parameters(x):
    return added(), added(x), added(x, 0.5), mixed(x), mixed(x, 1, 2, scale=3), mixed(x, 10, scale=0, start=1000)


def mixed(x, *more, scale=1, start=100):
    out = scale * start
    if len(more) > 0:
        out += x * more[-1] if scale else 1000 + more[0] + 20
    else:
        out += x
    return out


#: run () -> 0
#: run (4,) -> 4
#: run (1, 2.5) -> 3.5
def handed_on(*args):
    return added(*args)


def noted(log, k):
    log[int(log[0])] = k
    log[0] += 1
    return k


#: run int64[8]=1 0 0 0 0 0 0 0 -> 123 | int64[8]=4 2 1 3 0 0 0 0
def keywords_in_call_order(log):
    return digits(b=noted(log, 2), a=noted(log, 1), c=noted(log, 3))


#: run int64[8]=1 0 0 0 0 0 0 0 -> 123 | int64[8]=4 3 2 1 0 0 0 0
def keywords_backwards(log):
    return digits(c=noted(log, 3), b=noted(log, 2), a=noted(log, 1))


def digits(a, b, c, d=0):
    return 100 * a + 10 * b + c + d


#: run int64[8]=1 0 0 0 0 0 0 0 -> (123, 2) | int64[8]=3 2 1 0 0 0 0 0
def keywords_of_arrays(log):
    made = first_of(b=np.zeros(noted(log, 2)), a=np.ones(noted(log, 1)))
    return digits(1, c=3, b=2), made


def first_of(a, b):
    return int(a[0]) + len(b) - 1


#: run 5 raises ZeroDivisionError: integer
def keywords_raise_in_call_order(x):
    return digits(c=x // 0, b=2, a=failing(x))


def failing(x):
    if x == 5:
        raise ValueError("evaluated second")
    return x


#: run 2; "half" -> 1.0
#: run 2; "none" -> 2.0
def string_argument(x, mode):
    if mode == "half":
        return x / 2
    return x * 1.0


#: run "x" -> (1, True)
#: run "y" -> (1, True)
#: run "z" -> (2, False)
def string_in_a_tuple(mode):
    known = ("x", "y")
    if mode in ("x", "y"):
        out = 1
    else:
        out = len(known)
    if mode not in known and mode in known:
        out = undefined  # noqa: F821
    return out, mode in known


ALPHA = 0.5
ORDER = 7
FLAG = True


#: run 1 -> (1, 2, 3)
def captured_numbers(x):
    a = 1 if ALPHA < 1 else undefined  # noqa: F821
    b = 2 if ORDER % 2 == 1 and ORDER // 2 == 3 and -ORDER // 2 == -4 and -ORDER % 4 == 1 else undefined  # noqa: F821
    if FLAG == False or ALPHA == "half" or ORDER == None:  # noqa: E711, E712
        return undefined  # noqa: F821
    return a, b, 3


def named(log):
    log[0] += 1
    return "name"


def nothing(log):
    log[0] += 10


#: run int64[1]=0 -> (1, 2, 3) | int64[1]=23
def known_results_are_still_computed(log):
    a = 1 if named(log) == "name" else 0
    b = 2 if nothing(log) is None else 0
    c = 0 if nothing(log) else 3 if named(log) else 0
    if not named(log):
        c = 0
    return a, b, c


def number_or_nothing(n):
    if n > 2:
        return n


#: run 1 -> 2
#: run 5 -> 6
def result_that_nobody_takes(n):
    number_or_nothing(n)
    return n + 1


def fails(n):
    raise KeyError("never")


#: run 1 raises KeyError: never
#: run 0 -> ((1, 2), 2.5)
def arm_that_never_ends(n):
    t = fails(n) if n else (1, 2)
    x = 2.5 if n == 0 else fails(n)
    return t, x
