"""Writes NumPy's promotion table for test_types.cpp: ``python promotions.py DTYPES_INC OUT``.

Lines are ``a b result`` in the text form of types/type.h, for all pairs of the dtypes in the table, of a dtype
with a Python scalar, and of two Python scalars.
"""

import re
import sys

import numpy as np

WEAK = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}


def spelled(dtype):
    return "bool_" if dtype == np.bool_ else dtype.name


def main(table, out):
    with open(table) as file:
        names = re.findall(r"^DTYPE\(\w+, (\w+),", file.read(), re.M)
    dtypes = [np.dtype(name) for name in names]
    lines = [f"{spelled(a)} {spelled(b)} {spelled(np.promote_types(a, b))}" for a in dtypes for b in dtypes]
    for dtype in dtypes:
        lines += [f"{spelled(dtype)} {name} {spelled(np.result_type(dtype, w))}" for name, w in WEAK.items()]
    for name, x in WEAK.items():
        weak = {np.dtype(type(w)): n for n, w in WEAK.items()}
        lines += [f"{name} {other} {weak[np.result_type(x, y)]}" for other, y in WEAK.items()]
    with open(out, "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
