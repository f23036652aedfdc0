"""Equality of arrays and closeness of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in
from .axes import AXES


@built_in(np.array_equal)
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    if a1.ndim != a2.ndim:
        return False
    else:
        for k in AXES:
            if k < a1.ndim:
                if a1.shape[k] != a2.shape[k]:
                    return False
        if equal_nan:
            return bool(np.all((a1 == a2) | ((a1 != a1) & (a2 != a2))))
        else:
            return bool(np.all(a1 == a2))


@built_in(np.isclose)
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    y = b + np.result_type(b, 1.0).type(0)
    near = ((np.abs(a - y) <= atol + rtol * np.abs(y)) & np.isfinite(y)) | (a == y)
    if equal_nan:
        return near | (np.isnan(a + y) & np.isnan(y) & (a != a))
    else:
        return near


@built_in(np.allclose)
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    return bool(np.all(isclose(a, b, rtol, atol, equal_nan)))


@built_in(np.nan_to_num)
def nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    d = np.result_type(x)
    if d.kind == "f":
        largest = 1.7976931348623157e308 if d == np.float64 else 3.4028234663852886e38
        high = largest if posinf is None else posinf
        low = -largest if neginf is None else neginf
        return np.where(np.isnan(x), nan, np.where(x == np.inf, high, np.where(x == -np.inf, low, x)))
    else:
        return x.copy()
