# Whole arrays: element-wise expressions, slice stores, in-place operators, and what they do with overlapping memory.
import numpy as np


#: run float64[3]=1 2 3; float64[3]=10 20 30 -> float64[3]=12.0 24.0 36.0
#: run float64[2x3]=1 2 3 4 5 6; float64[3]=10 20 30 -> float64[2x3]=12.0 24.0 36.0 18.0 30.0 42.0
#: run float64[3x1]=1 2 3; float64[2]=10 20 -> float64[3x2]=12.0 22.0 14.0 24.0 16.0 26.0
#: run float64[0]=; float64[1]=4 -> float64[0]=
#: run float64[3]=1 2 3; float64[2]=1 2 raises ValueError: operands could not be broadcast together with shapes (3,) (2,)
def doubled_plus(a, b):
    return a * 2 + b


#: run uint8[3]=1 2 250; 5 -> uint8[3]=6 7 255
#: run uint8[3]=1 2 251; 5 -> uint8[3]=6 7 0
#: run uint8[0]=; 300 raises OverflowError: Python integer 300 out of bounds for uint8
#: run float32[2]=1 2; 3 -> float32[2]=4.0 5.0
def plus_weak(a, n):
    return a + n


#: run float64[5]=0 1 4 9 16 -> None | float64[5]=0.0 2.0 5.0 10.0 16.0
#: run float64[2]=5 6 -> None | float64[2]=5.0 6.0
#: run float64[0]= -> None | float64[0]=
def smooth(u):
    u[1:-1] = 0.5 * (u[2:] + u[:-2])


#: run int64[6]=0 1 2 3 4 5 -> None | int64[6]=0 1 3 5 7 9
#: run int64[0]= -> None | int64[0]=
def shifted_sum(a):
    a[1:] += a[:-1]


#: run int64[6]=0 1 2 3 4 5 -> None | int64[6]=1 3 5 7 9 5
def shifted_sum_ahead(a):
    a[:-1] += a[1:]


#: run int64[5]=0 1 2 3 4 -> None | int64[5]=4 3 2 1 0
def turned_round(a):
    a[:] = a[::-1]


#: run float64[2x3]=1 2 3 4 5 6 -> None | float64[2x3]=1.0 2.0 3.0 3.0 4.0 5.0
#: run float64[1x3]=1 2 3 raises IndexError: index 1 is out of bounds for axis 0 with size 1
def row_from_row(a):
    a[1] = a[0] + 2


#: run float64[4]=1 2 3 4; float64[3]=5 6 7 -> None | float64[4]=5.0 6.0 7.0 4.0; float64[3]=5.0 6.0 7.0
#: run float64[4]=1 2 3 4; float64[1]=5 -> None | float64[4]=5.0 5.0 5.0 4.0; float64[1]=5.0
#: run float64[4]=1 2 3 4; float64[2]=5 6 raises ValueError: could not broadcast input array from shape (2,) into shape (3,)
#: run float64[4]=1 2 3 4; float64[1x3]=5 6 7 -> None | float64[4]=5.0 6.0 7.0 4.0; float64[1x3]=5.0 6.0 7.0
def store_slice(a, b):
    a[:3] = b


#: run float64[3]=1 2 3; float64[3]=1 2 3 -> None | float64[3]=2.0 4.0 6.0; float64[3]=1.0 2.0 3.0
#: run float64[3]=1 2 3; float64[1x3]=1 2 3 raises ValueError: non-broadcastable output operand with shape (3,) doesn't match the broadcast shape (1,3)
def add_to(a, b):
    a += b


#: run int32[3]=1 2 3; 2.9 -> None | int32[3]=2 2 2
#: run int32[3]=1 2 3; 7 -> None | int32[3]=7 7 7
def fill(a, x):
    a[:] = x


#: run float64[4]=1 2 3 4 -> bool[4]=False False True True
def above(a):
    return a > 2


#: run int8[3]=2 3 4; int8[3]=3 -1 2 raises ValueError: Integers to negative integer powers are not allowed.
#: run int8[2]=2 3; int8[2]=3 2 -> int8[2]=8 9
def powers(a, n):
    return a**n


#: run 3; 2.5 -> float64[3]=2.5 2.5 2.5
#: run -1; 2.5 raises ValueError: negative dimensions are not allowed
def filled(n, x):
    return np.full(n, x)


#: run float64[2x2]=1 2 3 4 -> float64[2x2]=-1.0 -2.0 -3.0 -4.0
def negated(a):
    return -a


# ---- arrays that one other expression reads -----------------------------------------------------------------


#: run float64[5]=0 1 4 9 16 -> float64[3]=2.0 6.0 10.0
#: run float64[1]=7 -> float64[0]=
def middle_of_differences(u):
    ahead = u[1:-1] - u[:-2]
    behind = u[2:] - u[1:-1]
    sums = ahead + behind
    return sums - 2 * 1.0


#: run float64[3]=1 2 3 -> None | float64[3]=2.0 6.0 12.0
def made_before_the_store(u):
    squares = u * u
    u[:] = squares + u


#: run float64[4]=1 2 3 4 -> None | float64[4]=1.0 1.0 1.0 4.0
def stored_over_its_leaves(u):
    steps = u[1:-1] - u[:-2]
    u[1:-1] = steps * 1


#: run float64[3]=1 2 3 -> float64[3]=12.0 6.0 9.0
def changed_after_it_was_made(u):
    tripled = u * 3
    u[0] = 9.0
    return tripled + u * np.array([1.0, 0.0, 0.0])


#: run float64[3]=1 2 3; float64[3]=4 5 6 -> float64[3]=6.0 9.0 12.0
def rebound_after_it_was_made(u, v):
    doubled = u * 2
    u = v
    return doubled + u


#: run float64[3]=1 2 3; float64[2]=4 5 raises ValueError: operands could not be broadcast together with shapes (3,) (2,)
def made_of_what_does_not_fit(u, v):
    wrong = u * v
    return wrong + 1
#: run float64[2x2]=1 2 3 4; 5 -> None | float64[2x2]=3.0 5.0 7.0 5.0
#: run int8[1x2]=1 2; 5 -> None | int8[1x2]=3 5
#: run int8[1x2]=1 2; 300 raises OverflowError: Python integer 300 out of bounds for int8
#: run float64[1x3]=1 2 3; 5 raises ValueError: could not broadcast input array from shape (2,) into shape (3,)
def tuples_stored_in_rows(a, n):
    for i in range(a.shape[0]):
        a[i] = a[i, 0] + a[i, 1], n


#: run float64[2x2]=1 2 3 4 -> None | float64[2x2]=4.0 3.0 2.0 1.0
def nested_tuple_stored(a):
    a[:, ::-1] = (a[1, 0], a[1, 1]), (a[0, 0], a[0, 1])


#: run float64[3]=-0 9 4; 0.5 -> float64[3]=-0.0 3.0 2.0
#: run float32[3]=-0 9 4; 0.5 -> float32[3]=-0.0 3.0 2.0
#: run int64[2]=4 9; 0.5 -> float64[2]=2.0 3.0
#: run float64[3]=-0 -inf 4; 1.5 -> float64[3]=0.0 inf 8.0
def power_known_when_run(a, p):
    return a**p


#: run float64[3]=-0 inf 4 -> (float64[3]=-0.0 inf 2.0, float64[3]=-inf 0.0 0.25, float64[3]=0.0 inf 16.0)
def powers_that_are_functions(a):
    return a**0.5, a**-1, a**2


#: run bool[2]=True False -> int8[2]=1 0
def square_of_bools(a):
    return np.positive(np.square(a))


#: run int8[2]=1 2; 300; True -> int8[2]=1 2
#: run int8[2]=1 2; 300; False -> int8[2]=44 44
#: run float32[2]=1 2; 300; False -> float32[2]=300.0 300.0
def where_casts(a, n, c):
    return np.where(c, a, n)
