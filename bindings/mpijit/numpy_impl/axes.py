"""What the other files share about axes."""

from __future__ import annotations

from typing import Any

AXES = (0, 1, 2, 3, 4, 5, 6, 7)  # run over where the language unrolls loops over tuples only


def with_length(shape: Any, axis: Any, n: Any) -> Any:
    """The shape with another length along an axis."""
    out = ()
    for k in AXES:
        if k < len(shape):
            out = out + ((n,) if k == axis or k == axis + len(shape) else (shape[k],))
    return out


def is_axis(k: Any, axis: Any, ndim: Any) -> Any:
    return axis is None or k == axis or k == axis + ndim
