# What is known of dtypes, shapes and numbers of axes when a kernel is compiled.
import numpy as np


#: run float32[2]=1 2 -> (1, 2, 3, 4)
#: run float64[2]=1 2 -> (0, 2, 3, 8)
#: run complex64[2]=1 2 -> (0, 0, 5, 8)
def of_an_array(a):
    one = 1 if a.dtype == np.float32 else 0
    two = 2 if np.issubdtype(a.dtype, np.floating) else 0
    three = 3 if a.dtype.kind == "f" else 5 if a.dtype.kind == "c" else undefined  # noqa: F821
    return one, two, three, a.dtype.itemsize


#: run int8[1]=1; float32[1]=1 -> (True, True, True, True, True)
#: run int32[1]=1; float32[1]=1 -> (False, False, True, True, True)
def promoted(a, b):
    return (
        np.result_type(a, b) == np.float32,
        np.promote_types(a.dtype, b.dtype) == np.dtype("float32"),
        np.result_type(1.5, b, 2) == np.float32,
        np.result_type(True, 3) == np.int64,
        np.result_type(a.dtype, np.complex64).kind == "c",
    )


#: run float64[2x3]=1 2 3 4 5 6; 2.5 -> (2, 0, 3, 6, 1, float64:7.0)
def of_anything(a, x):
    if len(np.shape(x)) != 0:
        return undefined  # noqa: F821
    return np.ndim(a), np.ndim(x), np.shape(a)[1], np.size(a), np.size(x), a.dtype.type(7)


#: run float64[3]=1 2 3 -> 3
def no_lengths_left(a):
    b = a + 1
    n = 0
    for i in np.ndindex(b.shape[:-1]):
        n += b[i].size
    return n


#: run -> (0.10000000149011612, float64:0.10000000149011612, float32:0.10000000149011612)
def literals_of_single_precision():
    return float(np.float32(0.1)), np.float64(np.float32(0.1)), np.complex64(0.1).real + 0.0
