# What for loops run over, unpacking, tuples.
import numpy as np


#: run float64[2x3]=1 2 3 4 5 6 -> (float64:21.0, float64:6.0)
def rows(a):
    s = np.float64(0)
    for row in a:
        for x in row:
            s += x
    return s, x


#: run float64[0]= raises UnboundLocalError: cannot access local variable 'x'
#: run float64[2]=1 2 -> float64:2.0
def last(a):
    for x in a:
        pass
    return x


#: run int64[3]=1 2 3 -> (3, int64:6) | int64[3]=3 3 3
def shrinks(a):
    n = 0
    s = np.int64(0)
    for x in a:  # the array it began with, whatever the name stands for
        a[:2][0] = 3
        b = a
        a = b[1:]
        n += 1
        s += x
    return n, s


#: run 0 -> (102.0, True)
def items_of_types(n):
    s = n * 1.0
    for x in (1, 2.5, True):
        if x == 2.5:
            continue
        s += x
    else:
        s += 100
    return s, x


#: run 1 -> 1
#: run 2 -> 20
#: run 7 -> 7007
def tuple_break(n):
    for x in (1, 2, 3):
        for y in (10, 20):
            if x * y == 20 * n - 10:
                break
            if y == 20:
                return n * 10 if n == 2 else n * 1001
        else:
            return -1
        if n == 1:
            break
    return x


#: run 3; 4 -> (12, 2, 3)
#: run 0; 4 raises UnboundLocalError: cannot access local variable 'i'
#: run -1; 4 raises ValueError: negative dimensions are not allowed
def ndindex(n, m):
    count = 0
    for i, j in np.ndindex(n, m):
        count += 1
    return count, i, j


#: run float64[2x3]=1 2 3 4 5 6 -> (1, 1) | float64[2x3]=2.0 0.0 6.0 8.0 5.0 6.0
def ndindex_break(a):
    for i, j in np.ndindex(a.shape):
        if i == 1 and j == 1:
            break
        if j == 1:
            a[i, j] = 0.0
            continue
        a[i, j] *= 2.0
    else:
        a[0, 0] = 99.0
    return i, j


#: run float64[2x2]=1 2 3 4 -> None | float64[2x2]=2.0 4.0 6.0 8.0
def ndindex_tuple(a):
    for at in np.ndindex(a.shape):
        a[at] = a[at] * 2.0


#: run int32[2x2]=1 2 3 4 -> 76
def ndenumerate(a):
    s = 0
    for k, ((i, j), x) in enumerate(np.ndenumerate(a)):
        s += int(x) * (i * 10 + j) + k - k
    return s


#: run float64[4]=1 2 3 4 -> 46.0
def enumerates(a):
    s = 0.0
    for k, x in enumerate(a, 3):
        s += k * x
    for k, i in enumerate(range(10, 0, -3), start=-1):
        s += k * i
    return float(s)


#: run float64[3]=1 2 3; float64[2]=10 20 -> 50.0
def zips(a, b):
    s = 0.0
    for x, y in zip(a, b):
        s += x * y
    return float(s)


#: run float64[2]=1 2; 5 -> (2, float64:2.0, True)
#: run float64[2]=1 2; 2 -> (2, float64:2.0, False)
#: run float64[4]=1 2 3 4; 5 -> (3, float64:3.0, True)
#: run float64[0]=; 5 raises UnboundLocalError: cannot access local variable 'x'
def zip_of_tuple(a, n):
    done = False
    for x, y in zip((1, 2, 3), a):
        if x == n:
            break
        if x == 1:
            continue
    else:
        done = True
    return x, y, done


#: run float64[3]=1 2 3 -> 123321.0
def backwards(a):
    s = 0.0
    for x in (1, 2, 3):
        s = s * 10 + x
    for x in reversed(a):
        s = s * 10 + x
    return float(s)


#: run 3; 20; 5 -> 18.0
#: run 20; 3; -4 -> 4.0
#: run 20; 20; 4 -> 0.0
#: run 20; 3; 0 raises ValueError: range() arg 3 must not be zero
def backwards_range(a, b, c):
    s = 0.0
    for i in reversed(range(a, b, c)):
        if s == 0.0:
            s = i * 1.0
    return s


#: run float64[2]=1 2 -> (float64:2.0, float64:1.0)
#: run float64[3]=1 2 3 raises ValueError: too many values to unpack (expected 2)
#: run float64[1]=1 raises ValueError: not enough values to unpack (expected 2, got 1)
def unpacks(a):
    x, y = a
    return y, x


#: run (1, 2, 3) -> (((2, 3), (3, 2, 1), (1, 3)), (1, 2, 3, 4, 5), (1, 2, 3, 1, 2, 3), True, 16)
def tuples(t):
    return (t[1:], t[::-1], t[:9:2]), t + (4, 5), 2 * t, 3 in t, sum(t, 10)


#: run 1 -> 112
#: run 8 -> 12
#: run 9 -> 103
def else_of_the_inner_continues(n):
    r = 0
    for i in (1, 2, 3):
        for j in (1, 4):
            if i * j == n:
                break
        else:
            r += 1
            continue
        r += 10
        if i == 2:
            r += 1
            break
    else:
        r += 100
    return r


#: run 2 -> 3313
#: run 7 -> 3333
def continues_through_a_tuple(n):
    r = 0
    for i in range(4):
        for j in (0, 1):
            if i == n:
                break
        else:
            r = r * 10 + 3
            if i < n:
                continue
            break
        r = r * 10 + 1
    while r < 1000:
        for j in (0, 1):
            if j == n:
                break
        else:
            r = r * 10 + 1 + (r % 2)
            continue
        r += 1
    return r


#: run float64[2]=1 2; float64[2]=3 4 -> float64:1011.0
#: run float64[2]=1 2; float64[1]=3 raises ValueError: zip() argument 2 is shorter than argument 1
#: run float64[1]=1; float64[2]=3 4 raises ValueError: zip() argument 2 is longer than argument 1
#: run float64[0]=; float64[0]= -> float64:1000.0
def zip_strict(a, b):
    n = 0.0
    for x, y in zip(a, b, strict=True):
        n += x * y
    else:
        n += 1000
    return n


#: run float64[2]=3 4 -> float64:11.0
#: run float64[3]=3 4 5 raises ValueError: zip() argument 2 is shorter than argument 1
#: run float64[1]=3 raises ValueError: zip() argument 2 is longer than argument 1
def zip_strict_with_a_tuple(a):
    n = 0.0
    for x, y in zip(a, (1, 2), strict=True):
        n += x * y
    return n


#: run float64[3]=3 4 5; 1 -> float64:3.0
#: run float64[3]=3 4 5; 7 raises ValueError: zip() argument 3 is shorter than arguments 1-2
def zip_strict_left_early(a, stop):
    n = 0.0
    for k, x, y in zip(range(4), a[::-1], a[1:], strict=True):
        if k == stop:
            break
        n += x * y / y - 2
    return n
