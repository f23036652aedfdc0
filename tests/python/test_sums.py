"""The runtime's sums against NumPy's, bit by bit: any layout, any axes, any dtype to add in.

They are called through the C boundary, so that a difference is the runtime's and not a kernel's.
"""

import ctypes
import random

import numpy as np
import pytest
from boundary import DTYPES, Array, load_runtime, numbers

# What a sum may be asked to be added as, besides NumPy's own choice.
WIDER = {
    "f": ["float32", "float64", "complex64", "complex128"],
    "c": ["complex64", "complex128"],
    "i": ["int64", "float32", "float64", "complex128"],
}


@pytest.fixture(scope="module")
def runtime() -> ctypes.CDLL:
    """Return the runtime library."""
    return load_runtime()


def array(rng: np.random.Generator, choose: random.Random, dtype: str) -> np.ndarray:
    """Return numbers of very different size in a random layout: sliced, stepped, reversed, transposed, broadcast."""
    size = choose.choice([20, 200, 3000, 20000, 100000])
    ndim = choose.choice([1, 1, 2, 2, 2, 3, 3, 4])
    top = max(2, int(size ** (1 / ndim)))
    shape = [choose.choice([1, 2, 3, choose.randint(1, top), choose.randint(1, top), 2 * top]) for _ in range(ndim)]
    if choose.random() < 0.3:  # a long axis, beyond NumPy's buffer
        shape[choose.randrange(ndim)] = 3 * size // max(1, int(np.prod(shape)) // 4) + 1
    if choose.random() < 0.03:
        shape[choose.randrange(ndim)] = 0
    steps = [choose.choice([1, 1, 1, 1, 2, -1, -2]) for _ in shape]
    roomy = (choose.choice([n, n, n + 2]) * abs(step) for n, step in zip(shape, steps, strict=True))
    whole = numbers(rng, tuple(roomy), dtype)
    if dtype[0] in "fc":
        whole = (whole * 10.0 ** rng.integers(-3, 4, whole.shape)).astype(dtype)
    view = whole[tuple(slice(None, None, step) for step in steps)][tuple(slice(n) for n in shape)]
    if choose.random() < 0.05:
        view = np.broadcast_to(view[:1], view.shape)
    return view.transpose(choose.sample(range(ndim), ndim)) if choose.random() < 0.5 else view


def same_bits(runtime: ctypes.CDLL, a: np.ndarray, axis: int | tuple[int, ...] | None, dtype: str | None):
    """Assert that the runtime sums `a` as NumPy does."""
    with np.errstate(all="ignore"):
        expected = np.asarray(np.sum(a, axis, dtype=dtype))
    result = np.empty(expected.shape, expected.dtype)
    axes = range(a.ndim) if axis is None else np.atleast_1d(axis)
    mask = sum(1 << int(k) for k in axes)
    runtime.mpijit_sum(ctypes.byref(Array(a)), ctypes.c_int64(mask), ctypes.byref(Array(result)))
    case = (a.dtype.name, expected.dtype.name, a.shape, a.strides, axis)
    assert result.tobytes() == np.ascontiguousarray(expected).tobytes(), case


def test_random_arrays(runtime: ctypes.CDLL):
    """Any dtype, one to four dimensions, none to all axes."""
    rng, choose = np.random.default_rng(4), random.Random(4)
    for _ in range(1500):
        dtype = choose.choice(DTYPES if choose.random() < 0.3 else DTYPES[-4:])
        a = array(rng, choose, dtype)
        axes = [None, *(tuple(sorted(choose.sample(range(a.ndim), k))) for k in range(a.ndim + 1))]
        wider = choose.choice(WIDER.get(a.dtype.kind, WIDER["i"])) if choose.random() < 0.3 else None
        same_bits(runtime, a, choose.choice(axes), wider)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int32"])
@pytest.mark.parametrize("columns", [1, 7, 128, 129, 4095, 4096, 4097, 8191, 8192, 8193, 20000])
def test_lengths_around_the_buffer(runtime: ctypes.CDLL, dtype: str, columns: int):
    """Rows about as long as what NumPy packs at once, of views that cannot be flattened, cast and not."""
    rng = np.random.default_rng(columns)
    whole = numbers(rng, (3, 5, columns + 2), "float64") * 1e3
    a = (whole + 1j * whole[::-1] if dtype[0] == "c" else whole).astype(dtype)
    wider = "complex128" if dtype[0] == "c" else "float64"
    for view in (a, a[:, 1:-1, 1:-1], a[:, 1:-1, 1:-1].T, a[::-1, :, :-2], a[0], a[0, 0, ::-1]):
        for axis in (None, *range(view.ndim)):
            same_bits(runtime, view, axis, None)
            same_bits(runtime, view, axis, wider)


def test_nothing_and_negative_zero(runtime: ctypes.CDLL):
    """A sum starts at 0.0, so that neither no term nor many of -0.0 give -0.0."""
    for a in (np.zeros(0), np.zeros((3, 0)), np.zeros((0, 3)), -np.zeros(5), -np.zeros((300, 3)), np.array(-0.0)):
        for axis in (None, *range(a.ndim)):
            same_bits(runtime, a, axis, None)
