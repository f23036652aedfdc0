"""The runtime's products of matrices against NumPy's, bit by bit: same BLAS, same routine, same copies.

They are called through the C boundary, so that a difference is the runtime's and not a kernel's.
"""

import ctypes
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mpijit

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
LENGTHS = (0, 1, 1, 2, 3, 5, 8, 17, 33, 64, 130)


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


@pytest.fixture(scope="module")
def runtime() -> ctypes.CDLL:
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


def operand(rng: np.random.Generator, choose: random.Random, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return an array of `shape` in some layout: whole, transposed, sliced, reversed, broadcast."""

    def make(*lengths: int) -> np.ndarray:
        return numbers(rng, lengths, dtype)

    if len(shape) == 1:
        (n,) = shape
        layouts = [
            lambda: make(n),
            lambda: make(2 * n)[::2],
            lambda: make(n)[::-1],
            lambda: make(n, 3)[:, 1],
            lambda: np.broadcast_to(make(1), (n,)),
        ]
    else:
        m, n = shape
        layouts = [
            lambda: make(m, n),
            lambda: make(n, m).T,
            lambda: make(m, n + 3)[:, 1:-2],
            lambda: make(n, m + 2).T[:m],
            lambda: make(2 * m, 2 * n)[::2, ::2],
            lambda: make(m, n)[::-1],
            lambda: make(m, n)[:, ::-1],
            lambda: make(n, m)[::-1, ::-1].T,
            lambda: make(3 * n, 2 * m)[::3, ::2].T,
            lambda: np.broadcast_to(make(n), (m, n)),
            lambda: np.broadcast_to(make(m, 1), (m, n)),
        ]
    return choose.choice(layouts)()


@pytest.mark.parametrize(("name", "numpys"), [("mpijit_matmul", np.matmul), ("mpijit_dot", np.dot)])
def test_the_same_bits_as_numpy(runtime: ctypes.CDLL, name: str, numpys: Callable):
    """Any dtype, one or two dimensions, any layout; a matrix and its own transpose among them."""
    assert "openblas" in runtime.mpijit_blas_path().decode()
    rng, choose = np.random.default_rng(4), random.Random(4)
    for _ in range(3000):
        dtype = choose.choice(DTYPES if choose.random() < 0.3 else DTYPES[-4:])
        m, n, p = (choose.choice(LENGTHS) for _ in range(3))
        a = operand(rng, choose, choose.choice([(n,), (m, n)]), dtype)
        b = operand(rng, choose, choose.choice([(n,), (n, p)]), dtype)
        if a.ndim == 2 and choose.random() < 0.1:
            b = a.T
        with np.errstate(all="ignore"):
            expected = np.asarray(numpys(a, b))
        result = np.empty(expected.shape, dtype)
        status = getattr(runtime, name)(None, *(ctypes.byref(Array(x)) for x in (a, b, result)))
        assert status == 0
        assert result.tobytes() == expected.tobytes(), (dtype, a.shape, a.strides, b.shape, b.strides)
