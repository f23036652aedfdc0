"""The code that array statements become: what must be vector code, and what must not be in it."""

import re

import numpy as np
import pytest

from mpijit import jit


@jit
def jacobi(u, v):
    v[1:-1, 1:-1] = 0.25 * (u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1])


@jit
def in_place(u, v):
    u[1:, :] -= 0.5 * (v[1:, :] - v[:-1, :])


@jit
def limited(u, v):
    return np.where(u * v > 0.0, 0.0, u - v)


def code_of(kernel, *arguments):
    kernel.compile(*arguments)
    text = kernel.inspect_llvm()
    return text if isinstance(text, str) else "\n".join(text.values())


@pytest.mark.compiled
# A test of addresses before the loop would fail where the target is read too, and the scalar loop would run.
@pytest.mark.parametrize("kernel", [jacobi, in_place, limited])
def test_statements_are_vector_loops_without_a_test_of_addresses(kernel):
    code = code_of(kernel, np.ones((8, 8)), np.ones((8, 8)))
    assert re.search(r"store <\d+ x double>", code)
    assert "vector.memcheck" not in code
