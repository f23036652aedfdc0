"""Values by formulas: ranges, positions, polynomials, choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._overloads import built_in
from .axes import AXES


@built_in(np.logspace)
def logspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0) -> Any:
    return np.power(base, np.linspace(start, stop, num, endpoint))


@built_in(np.indices)
def indices(dimensions: Any, dtype: Any = int) -> Any:
    out = np.empty((len(dimensions), *dimensions), dtype)
    for k in AXES:
        if k < len(dimensions):
            place = ()
            for j in AXES:
                if j < len(dimensions):
                    place = place + (slice(None) if j == k else None,)
            out[k] = np.arange(dimensions[k])[place]
    return out


@built_in(np.polyval)
def polyval(p: Any, x: Any) -> Any:
    d = np.promote_types(p.dtype, np.result_type(x))
    if np.ndim(x) == 0:
        y = d.type(0)
        for k in range(p.size):
            y = y * x + p[k]
        return y
    else:
        ys = np.zeros(x.shape, d)
        for k in range(p.size):
            ys[...] = ys * x + p[k]
        return ys


@built_in(np.select)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    out = default
    for condition, choice in zip(condlist[::-1], choicelist[::-1], strict=True):
        out = np.where(condition, choice, out)
    return out
