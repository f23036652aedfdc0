"""Arrays of every dtype and layout for the programs of these tests."""

import numpy as np

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()

# Each makes an empty array of 12 elements (except where the name says otherwise) in some layout.
LAYOUTS = {
    "1-d": lambda t: np.empty(12, t),
    "2-d": lambda t: np.empty((3, 4), t),
    "fortran": lambda t: np.empty((3, 4), t, order="F"),
    "column": lambda t: np.empty((12, 5), t)[:, 2],
    "block": lambda t: np.empty((7, 9), t)[2:5, 1:9:2],
    "reversed": lambda t: np.empty(12, t)[::-1],
    "3-d permuted": lambda t: np.empty((2, 3, 2), t).transpose(2, 0, 1),
    "3-d with an axis of 1": lambda t: np.empty((3, 1, 4), t),
    "one element": lambda t: np.empty(5, t)[3:4],
    "0-d": lambda t: np.empty((), t),
    "empty": lambda t: np.empty((3, 0), t),
}


def values(dtype: str, size: int, seed: int) -> np.ndarray:
    """`size` values that differ from seed to seed; small, so that sums are exact and products fit."""
    i = np.arange(size) + 7 * seed
    if dtype == "bool":
        return i % 3 == 0
    if dtype.startswith("complex"):
        return (i % 5 + 1j * (i % 3)).astype(dtype)
    if dtype.startswith("int"):
        return (i % 5 - 2).astype(dtype)
    if dtype.startswith("uint"):  # the top bit is set in some: MAX must not take them as negative
        top = np.array(np.iinfo(dtype).max, dtype) - (i % 3).astype(dtype)
        return np.where(i % 4 == 0, top, (i % 5).astype(dtype))
    return (i % 9 / 4).astype(dtype)


def make(layout: str, dtype: str, seed: int) -> np.ndarray:
    """An array of that layout, filled in logical order."""
    array = LAYOUTS[layout](dtype)
    array[...] = values(dtype, array.size, seed).reshape(array.shape)
    return array


def flat(array: np.ndarray) -> np.ndarray:
    """The elements in logical order, contiguous."""
    return np.ascontiguousarray(array).reshape(-1)


def check(got: np.ndarray, expected: np.ndarray, *where: object) -> None:
    """Fail unless both hold the same elements of the same dtype in the same order."""
    assert got.dtype == expected.dtype, (where, got.dtype, expected.dtype)
    np.testing.assert_array_equal(flat(got), flat(expected), err_msg=str(where))
