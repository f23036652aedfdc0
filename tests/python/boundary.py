"""The runtime's C boundary from Python, for tests of single functions: the library, arrays, random numbers."""

import ctypes
from pathlib import Path

import numpy as np

import mpijit

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()


class Array(ctypes.Structure):
    """``mpijit_array`` of the runtime's header."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("owner", ctypes.c_void_p),
        ("dtype", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    ]

    def __init__(self, array: np.ndarray):
        """Describe `array`, which must outlive this."""
        lengths = (ctypes.c_int64 * array.ndim)(*array.shape)
        steps = (ctypes.c_int64 * array.ndim)(*array.strides)
        super().__init__(array.ctypes.data, lengths, steps, None, DTYPES.index(array.dtype.name), array.ndim, 1)


def load_runtime() -> ctypes.CDLL:
    """Return the runtime library that the package has loaded."""
    (path,) = Path(mpijit.__file__).parent.glob("libmpijit_runtime*")
    library = ctypes.CDLL(str(path))
    library.mpijit_blas_path.restype = ctypes.c_char_p
    return library


def numbers(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return random numbers of any size the dtype allows."""
    if dtype == "bool":
        return rng.random(shape) < 0.3
    if dtype[0] in "iu":
        return rng.integers(-(1 << 62), 1 << 62, shape).astype(dtype)
    parts = rng.standard_normal(shape)
    return (parts + 1j * rng.standard_normal(shape) if dtype[0] == "c" else parts).astype(dtype)
