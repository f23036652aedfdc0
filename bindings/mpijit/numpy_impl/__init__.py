"""Functions of NumPy, written in the language of kernels, that the compiler does not know by itself.

Each stands for the function in its decorator when a kernel names that. Never called by Python: interpreted kernels call
NumPy. What a kernel writes for an axis or a flag is known when these are compiled (see `mpijit.overload`), so an `if`
on it, on a dtype or on a number of axes chooses then. Results have NumPy's values and dtypes; what NumPy gives as a
read-only view is a copy here, and nothing warns.

Loaded when the first kernel that names a function of NumPy is compiled. To add one: a function in the file of its
topic, a row in ``tests/python/test_numpy_impl.py``, and ``ci/tables --write``.
"""

from . import comparing, differences, matrices, searching, sets, shapes, signals, statistics, values

__all__ = ["comparing", "differences", "matrices", "searching", "sets", "shapes", "signals", "statistics", "values"]
