# Reductions, products and other shapes of arrays.
import numpy as np


#: run int32[3]=1 2 3 -> (int64:6, int64:6, int32:1, int32:3)
#: run uint8[3]=200 100 1 -> (uint64:301, uint64:20000, uint8:1, uint8:200)
#: run float64[3]=1 2 4 -> (float64:7.0, float64:8.0, float64:1.0, float64:4.0)
#: run float64[2]=1 nan -> (float64:nan, float64:nan, float64:nan, float64:nan)
#: run float64[0]= raises ValueError: zero-size array to reduction operation minimum which has no identity
#: run bool[3]=True True False -> (int64:2, int64:0, bool:False, bool:True)
def of_all(a):
    return a.sum(), a.prod(), a.min(), a.max()


#: run float64[2x3]=1 2 3 4 5 6 -> (float64[3]=5.0 7.0 9.0, float64[2x1]=6.0 15.0, float64[2]=2.0 5.0)
#: run float64[0x3]= -> (float64[3]=0.0 0.0 0.0, float64[0x1]=, float64[0]=)
def sums_along(a):
    return a.sum(axis=0), a.sum(axis=1, keepdims=True), a.mean(axis=-1)


#: run int64[2x3]=3 1 2 9 9 8 -> (int64:3, int64[2]=1 2, int64[3]=0 0 0)
def positions(a):
    return np.argmax(a), a.argmin(axis=1), a.argmin(0)


#: run float64[4]=1 2 0 4 -> (bool:True, bool:False, 3, float64:1.75)
def truths(a):
    return np.any(a > 3), np.all(a), np.count_nonzero(a), np.mean(a)


#: run int64[3]=1 2 3; int64[3]=4 5 6 -> (int64:32, int64:32)
#: run int64[3]=1 2 3; int64[2]=4 5 raises ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0
def products(a, b):
    return a @ b, np.dot(a, b)


#: run int64[2x2]=1 2 3 4; int64[2]=5 6 -> (int64[2]=17 39, int64[2]=23 34)
def matrix_and_vector(a, b):
    return a @ b, b @ a


#: run int64[2x3]=1 2 3 4 5 6 -> (int64[3x2]=1 2 3 4 5 6, int64[6]=1 2 3 4 5 6)
def shapes(a):
    return a.reshape(3, -1), a.ravel()


#: run int64[6]=1 2 3 4 5 6 raises ValueError: cannot reshape array of size 6 into shape (4,newaxis)
def does_not_fit(a):
    return np.reshape(a, (4, -1))


#: run int64[2x3]=1 2 3 4 5 6 -> None | int64[2x3]=1 2 9 4 5 6
def write_through_a_view(a):
    a.reshape(-1)[2] = 9


#: run 5 -> (int64[5]=0 1 2 3 4, float64[3]=0.0 0.5 1.0, int64[3]=5 3 1)
def ranges(n):
    return np.arange(n), np.linspace(0, 1, 3), np.arange(n, 0, -2)


#: run 1.5 -> float64[2x2]=1.0 1.5 2.0 3.0
def written_out(x):
    return np.array([[1, x], [2, 2 * x]])
