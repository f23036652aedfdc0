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
