"""Kernels as people write them (kernels/), compiled, against the same source in CPython and NumPy.

Results, their types and all arguments afterwards must be the same: to the bit, or within the units in the last place
that the kernel's case states. Interpreted, the comparison is of mpijit's interpreted mode with plain Python.
"""

from __future__ import annotations

import warnings
from typing import Any

import kernels
import numpy as np
import pytest
from agreement import same, units_apart

KERNELS = kernels.load(plain=False)
PLAIN = kernels.load(plain=True)
CALLS = [(name, variant) for name, case in KERNELS.items() for variant in case.variants]


def check(got: Any, expected: Any, ulp: int, what: str) -> None:
    """Fail unless a result, or an argument afterwards, is as expected."""
    if isinstance(expected, tuple):
        assert isinstance(got, tuple) and len(got) == len(expected), f"{what} is {got!r}, not {expected!r}"
        for i, (x, y) in enumerate(zip(got, expected, strict=True)):
            check(x, y, ulp, f"{what}[{i}]")
    elif callable(expected):
        return  # a kernel among the arguments
    elif ulp == 0 or np.asarray(expected).dtype.kind not in "fc":
        assert same(got, expected), f"{what} is {got!r}, not {expected!r}"
    else:
        assert type(got) is type(expected), f"{what} is {got!r}, not {expected!r}"
        x, y = np.asarray(got), np.asarray(expected)
        assert (x.dtype, x.shape) == (y.dtype, y.shape), f"{what} is {got!r}, not {expected!r}"
        apart = units_apart(x, y)
        assert apart <= ulp, f"{what} is {apart:.3g} ulp off: {got!r}, not {expected!r}"


@pytest.mark.parametrize("name, variant", CALLS, ids=lambda s: s.replace(" ", "-"))
def test_kernel(name: str, variant: str) -> None:
    case = KERNELS[name]
    args, plain_args, before = case.arguments(variant), PLAIN[name].arguments(variant), case.arguments(variant)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # our own kernels divide by no zero
        expected = PLAIN[name].kernel(*plain_args)
        got = case.kernel(*args)
    check(got, expected, case.tolerance(variant), "the result")
    check(args, plain_args, case.tolerance(variant), "arguments")
    if expected is None:
        assert not all(callable(a) or same(a, b) for a, b in zip(plain_args, before, strict=True)), "does nothing"


def test_there_are_many() -> None:
    assert KERNELS.keys() == PLAIN.keys()
    assert len({case.kernel.__code__ for case in PLAIN.values()}) >= 200
