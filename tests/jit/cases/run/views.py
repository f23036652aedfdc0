# Ellipsis, new axes, tuples as indices, axes in another order.
import numpy as np


#: run int64[2x2x2]=0 1 2 3 4 5 6 7 -> (int64[2x2]=0 2 4 6, int64[1]=4, int64[2x2x2]=0 1 2 3 4 5 6 7, int64[]=7)
def ellipsis(a):
    return a[..., 0], a[1, ..., 0, ::2], a[...], a[1, 1, ..., 1]


#: run int64[2x2]=0 1 2 3 -> (int64[1x2x2]=0 1 2 3, int64[2x1]=1 3, int64[2x1x1]=0 2)
def new_axes(a):
    return a[None], a[:, np.newaxis, 1], a[..., :1, None]


#: run int64[2x2]=0 1 2 3; (1, 0) -> (int64:2, int64[2]=2 3, int64:3, int64:1)
#: run int64[2x2]=0 1 2 3; (2, 0) raises IndexError: index 2 is out of bounds for axis 0 with size 2
def tuples(a, t):
    return a[t], a[t[:1]], a[t[:1] + (-1,)], a[*t[1:], 1]


#: run int64[2x2]=0 1 2 3; (1, 0) -> None | int64[2x2]=0 1 9 3
def stores(a, t):
    a[t] = 9


#: run int64[2x3]=0 1 2 3 4 5 -> (int64[3x2]=0 3 1 4 2 5, (8, 24), (24, 8), 48, (3, 2))
def transposed(a):
    return a.T, a.T.strides, a.strides, a.nbytes, a.T.shape


#: run int64[1x2x3]=0 1 2 3 4 5 -> (int64[3x1x2]=0 3 1 4 2 5, int64[2x1x3]=0 1 2 3 4 5, int64[2x3x1]=0 1 2 3 4 5)
def reordered(a):
    return a.transpose(2, 0, 1), np.swapaxes(a, 0, -2), np.moveaxis(a, 0, -1)


#: run int64[1x2]=3 4 -> (int64[1x1x2]=3 4, int64[2]=3 4, int64[1x2x1]=3 4)
#: run int64[2x1]=3 4 raises ValueError: cannot select an axis to squeeze out which has size not equal to one
def lengths_of_one(a):
    return np.expand_dims(a, 1), a.squeeze(0), np.expand_dims(a, axis=(-1,))


INNER = slice(1, -1)
CORNER = (..., slice(None, 1))


#: run int64[2x3]=0 1 2 3 4 5; 1 -> (int64[2x1]=1 4, int64[2x1]=0 3, int64[1x3]=3 4 5, int64[3]=2 1 0, 1, None)
#: run int64[1x3]=0 1 2; 9 -> (int64[1x1]=1, int64[1x1]=0, int64[0x3]=, int64[3]=2 1 0, 9, None)
def slice_objects(a, n):
    s = slice(n, None)
    t = (0, slice(None, None, -1))
    return a[:, INNER], a[CORNER], a[s, ...], a[t], s.start, s.stop


#: run int64[3]=1 2 3; 2 -> None | int64[3]=1 2 12
#: run int64[3]=1 2 3; -1 -> None | int64[3]=1 2 12
def slice_store(a, n):
    s = slice(n, None)
    a[s] = a[s] + 9


#: run int64[3x1]=1 2 3; 2 -> (int64[2x3x2]=1 1 2 2 3 3 1 1 2 2 3 3, int64:12)
#: run int64[3x1]=1 2 3; 0 -> (int64[2x3x0]=, int64:0)
#: run int64[2x1]=1 2; 2 raises ValueError: operands could not be broadcast together with remapped shapes
#: run int64[3x1]=1 2 3; -1 raises ValueError: all elements of broadcast shape must be non-negative
def broadcast(a, n):
    b = np.broadcast_to(a, (2, 3, n))
    return b, b[0].sum()
