"""A JIT compiler for Python/NumPy kernels that call MPI.

>>> import numpy as np
>>> from mpijit import jit, mpi
>>>
>>> @jit
... def mean(u):
...     s = 0.0
...     for i in range(u.size):
...         s += u[i]
...     return mpi.allreduce(s) / mpi.allreduce(u.size)

Importing this package loads neither LLVM, which the first compilation does, nor initialises MPI, which its first
use does.
"""

from __future__ import annotations

from . import _libmpi

_libmpi.load()  # before anything that links against it

from . import _abort, mpi  # noqa: E402
from ._errors import CompileError, MpijitWarning  # noqa: E402
from ._jit import Kernel, jit, njit, prange  # noqa: E402
from ._overloads import overload  # noqa: E402

__version__ = "0.1.0"
__all__ = ["CompileError", "Kernel", "MpijitWarning", "__version__", "jit", "mpi", "njit", "overload", "prange"]

_abort.install()
