"""When two results are the same: what tests of kernels compare with. Knows nothing of kernels or pytest."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np


def same(a: Any, b: Any) -> bool:
    """Equal in type, dtype and bits (any nan equals any nan)."""
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray)
            and a.dtype == b.dtype
            and a.shape == b.shape
            and all(map(_same_number, a.ravel().tolist(), b.ravel().tolist()))
        )
    return type(a) is type(b) and _same_number(a, b)


def _same_number(a: Any, b: Any) -> bool:
    if isinstance(a, (complex, np.complexfloating)):
        if cmath.isnan(a) or cmath.isnan(b):
            return cmath.isnan(a) and cmath.isnan(b)
        return _same_number(a.real, b.real) and _same_number(a.imag, b.imag)
    if isinstance(a, (float, np.floating)):
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return bool(a == b)


def units_apart(a: np.ndarray, b: np.ndarray) -> float:
    """How far arrays are from one another, in units in the last place of the largest number in either.

    Zero if and only if they are equal; infinite where one has a nan, or an infinity, that the other has not.
    """
    finite = np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True) or not np.isfinite(a[finite]).all():
        return math.inf
    if not finite.any():
        return 0.0
    largest = max(np.abs(a[finite]).max(), np.abs(b[finite]).max())
    return float(np.abs(a[finite] - b[finite]).max() / np.spacing(largest))
