# Element access, views, allocation and who owns what.
import numpy as np


#: run float64[4]=1 2 3 4; 0 -> 1.0
#: run float64[4]=1 2 3 4; -1 -> 4.0
#: run float64[4]=1 2 3 4; 4 raises IndexError: index 4 is out of bounds for axis 0 with size 4
#: run float64[4]=1 2 3 4; -5 raises IndexError: index -5 is out of bounds for axis 0 with size 4
def element(a, i):
    return float(a[i])


#: run int32[2x3]=1 2 3 4 5 6; 1; -1 -> int32:6
#: run int32[2x3]=1 2 3 4 5 6; 0; 3 raises IndexError: index 3 is out of bounds for axis 1 with size 3
def element2(a, i, j):
    return a[i, j]


#: run float64[5]=0 0 0 0 0 -> None | float64[5]=0.0 1.0 4.0 9.0 16.0
def squares(a):
    for i in range(len(a)):
        a[i] = i * i


#: run float64[5]=1 2 3 4 5; float64[5]=0 0 0 0 0 -> None | float64[5]=1.0 2.0 3.0 4.0 5.0; float64[5]=0.0 2.0 3.0 4.0 0.0
#: run float64[0]=; float64[0]= -> None | float64[0]=; float64[0]=
def three_point(u, v):
    for i in range(1, len(u) - 1):
        v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3


#: run float64[5]=1 2 3 4 5; 0 -> None | float64[5]=6.0 3.0 5.0 7.0 9.0
def wraps_at_start(u, start):
    last = u[len(u) - 1]
    for i in range(start, len(u)):
        v = u[i - 1]
        u[i - 1] = v
    for i in range(len(u) - 1, 0, -1):
        u[i] = u[i] + u[i - 1]
    u[0] = u[0] + last


#: run float64[4]=1 2 3 4; 6 raises IndexError: index 4 is out of bounds for axis 0 with size 4
#: run float64[4]=1 2 3 4; 4 -> None | float64[4]=2.0 4.0 6.0 8.0
def doubled(a, n):
    for i in range(n):
        a[i] = a[i] * 2


#: run float64[4]=1 2 3 4; 6 -> 10.0
def guarded(a, n):
    s = 0.0
    for i in range(n):
        if i < len(a):
            s += a[i]
    return float(s)


#: run float64[4]=1 2 3 4; 6 -> 3.0
def breaks_first(a, n):
    s = 0.0
    for i in range(n):
        if i == 2:
            break
        s += a[i]
    return float(s)


#: run int64[6]=0 1 2 3 4 5; 1; 100; 1 -> int64[5]=1 2 3 4 5
#: run int64[6]=0 1 2 3 4 5; -100; 2; 1 -> int64[2]=0 1
#: run int64[6]=0 1 2 3 4 5; 2; 1; 1 -> int64[0]=
#: run int64[6]=0 1 2 3 4 5; 5; -7; -2 -> int64[3]=5 3 1
#: run int64[6]=0 1 2 3 4 5; 5; -7; 0 raises ValueError: slice step cannot be zero
def slices(a, start, stop, step):
    return a[start:stop:step]


#: run int64[2x3]=0 1 2 3 4 5 -> (int64[2]=1 4, int64[3]=3 4 5, int64[2x2]=2 1 5 4)
def views(a):
    return a[:, 1], a[1], a[:, :0:-1]


#: run 3 -> (float64[3]=0.0 0.0 0.0, int32[2x3]=1 1 1 1 1 1)
#: run -1 raises ValueError: negative dimensions are not allowed
def makes(n):
    return np.zeros(n), np.ones((2, n), dtype=np.int32)


#: run float64[2]=1 2 -> float64[2]=1.0 2.0
def returns_argument(u):
    return u


#: run float64[2]=1 2; 3 -> float64[2]=3.0 4.0
#: run float64[2]=1 2; 4 -> float64[2]=1.0 2.0
def swap(u, n):
    v = np.zeros_like(u)
    for i in range(len(u)):
        v[i] = u[i] + 2
    for k in range(n):
        u, v = v, u
    return u


#: run True; float64[2]=1 2 -> float64[2]=1.0 2.0
#: run False; float64[2]=1 2 -> float64[2]=0.0 0.0
def either(c, u):
    w = u if c else np.zeros_like(u)
    return w


#: run 3 -> float64[2]=5.0 0.0
def view_of_own(n):
    a = np.zeros(n)
    a[1] = 5
    return a[1:]


#: run 5 -> 4.0
def rebinds(n):
    a = np.zeros(1)
    for i in range(n):
        b = np.ones(i + 1)
        b[0] = a[0] + i - i + 1 if i else 0.0
        a = b
    return float(a[0])


def leaks(a, n):
    b = np.zeros(4)
    c = (a, b)
    if n > 2:
        raise ValueError("half-way")
    return c[1]


#: run 3 raises ValueError: half-way
#: run 2 -> 0.0
def raises_half_way(n):
    a = np.ones(3)
    d = leaks(a[1:], n)
    return float(d[0])


def fresh(n):
    return np.ones(n)


#: run 3 -> (3, 1.0)
def temporaries(n):
    return len(fresh(n)), float(fresh(n)[n - 1])


#: run int8[2]=0 0; 300 raises OverflowError: Python integer
#: run int8[2]=0 0; 7 -> None | int8[2]=7 0
def narrow_store(a, x):
    a[0] = x


#: run int64[2]=0 0; 2.7 -> None | int64[2]=2 0
#: run int64[2]=0 0; nan raises ValueError: cannot convert float NaN to integer
def float_into_int(a, x):
    a[0] = x


#: run float64[3]=1 2 3; float64[3]=4 5 6 -> 32.0
def dot(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return float(s)


def flux(u, i):
    return u[i + 1] - u[i]


#: run float64[4]=1 3 6 10; float64[4]=0 0 0 0 -> None | float64[4]=1.0 3.0 6.0 10.0; float64[4]=2.0 3.0 4.0 0.0
def calls_in_loop(u, out):
    for i in range(len(u) - 1):
        out[i] = flux(u, i)


#: run bool[2]=True False -> (True, False)
def bool_elements(a):
    return bool(a[0]), bool(a[1])


#: run float64[2x2]=1 2 3 4 -> (2, 2, 4, 2, 8)
def attributes(a):
    return a.shape[0], a.shape[1], a.size, a.ndim, a.itemsize
