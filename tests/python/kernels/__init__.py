"""Kernels as people write them, by field, and the arguments to call them with. ``test_kernels.py`` runs them.

Each file is loaded twice, once with `mpijit.jit` and once with a `jit` that returns its function: the second is plain
Python with NumPy from end to end, kernels that call kernels included. Knows nothing of how results are compared.

To add a kernel: write it in the file of its field, and above it ``@case(lambda make: (its, arguments))``.
"""

from __future__ import annotations

import importlib.util
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import mpijit

REALS = ("float64 C", "float32 F", "float64 strided")
INTEGERS = ("int64 C", "int32 strided")


class Make:
    """Makes the arguments of one variant of a call: of its dtype, in its memory layout, the same every time."""

    def __init__(self, name: str, variant: str) -> None:
        dtype, self.layout = variant.split()
        self.dtype = np.dtype(dtype)
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))

    def __call__(self, *shape: int, low: float = -1.0, high: float = 1.0) -> np.ndarray:
        """Random numbers of the variant's dtype."""
        return self.of(self.rng.uniform(low, high, shape))

    def integers(self, *shape: int, low: int = 0, high: int = 10) -> np.ndarray:
        """Random integers below ``high``."""
        dtype = self.dtype if self.dtype.kind in "iu" else np.int64
        return self.of(self.rng.integers(low, high, shape), dtype)

    def complex(self, *shape: int) -> np.ndarray:
        """Random complex numbers in the square around 0, of twice the variant's width."""
        re, im = self.rng.uniform(-1, 1, (2, *shape))
        return self.of(re + 1j * im, np.result_type(self.dtype, np.complex64))

    def of(self, values: Any, dtype: Any = None) -> np.ndarray:
        """An array of these values in the variant's layout."""
        a = np.array(values, self.dtype if dtype is None else dtype)
        if self.layout == "F":
            return np.asfortranarray(a)
        if self.layout == "strided" and a.ndim:  # every second element along each axis, the first axis backwards
            wide = np.zeros([2 * n for n in a.shape], a.dtype)
            view = wide[tuple(slice(None, None, 2) for _ in a.shape)]
            view[::-1][...] = a
            return view[::-1]
        return a


@dataclass(frozen=True, eq=False)
class Case:
    """A kernel with its arguments, and how far its results may be from NumPy's.

    ``ulp`` counts units in the last place of the largest number of a result; 0 means the same bits. It is
    ``other_ulp`` in all layouts but C, where the order of a sum's additions may be another one than NumPy's.
    """

    name: str
    kernel: Any
    make: Callable[[Make], tuple[Any, ...]]
    variants: tuple[str, ...]
    ulp: int
    other_ulp: int

    def arguments(self, variant: str) -> tuple[Any, ...]:
        """New arguments, the same each time. (A deep copy would lose strides, and what overlaps.)"""
        return self.make(Make(self.name, variant))

    def tolerance(self, variant: str) -> int:
        return self.ulp if variant.endswith(" C") else self.other_ulp


_loading: dict[str, Case] = {}


def case(
    make: Callable[[Make], tuple[Any, ...]],
    *,
    variants: tuple[str, ...] = REALS,
    ulp: int = 0,
    other_ulp: int | None = None,
    name: str | None = None,
) -> Callable[[Any], Any]:
    """Add a kernel with its arguments, as a decorator."""

    def add(kernel: Any) -> Any:
        known = name or kernel.__name__
        assert known not in _loading, f"two kernels are called {known}"
        _loading[known] = Case(known, kernel, make, variants, ulp, ulp if other_ulp is None else other_ulp)
        return kernel

    return add


def load(*, plain: bool) -> dict[str, Case]:
    """All kernels by name; plain: as they are without mpijit."""
    _loading.clear()
    decorator = mpijit.jit
    if plain:
        mpijit.jit = _no_jit
    try:
        for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
            name = f"{__name__}.{path.stem}{'_plain' if plain else ''}"
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec is not None and spec.loader is not None
            module = sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
    finally:
        mpijit.jit = decorator
    return dict(_loading)


def _no_jit(function: Any = None, **options: Any) -> Any:
    return _no_jit if function is None else function
