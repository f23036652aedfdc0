"""The runtime's products of matrices against NumPy's, bit by bit: same BLAS, same routine, same copies.

They are called through the C boundary, so that a difference is the runtime's and not a kernel's.
"""

import ctypes
import random
from collections.abc import Callable

import numpy as np
import pytest
from boundary import DTYPES, Array, load_runtime, numbers

LENGTHS = (0, 1, 1, 2, 3, 5, 8, 17, 33, 64, 130)


@pytest.fixture(scope="module")
def runtime() -> ctypes.CDLL:
    """Return the runtime library."""
    return load_runtime()


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
