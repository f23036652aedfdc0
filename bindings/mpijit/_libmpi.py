"""Opens the process's one MPI library before anything that links against it.

The runtime library asks for ``libmpi.so.12``, the name of MPICH's ABI, and carries no path. The loader takes a
library of that name that is already open, so the choice is made here.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator

__all__ = ["SONAME", "load"]

SONAME = "libmpi.so.12"

_PREFIX_HINT = "Install one with `pip install mpijit[mpich]`, or name the file in MPIJIT_LIBMPI."


def load() -> None:
    """Open the MPI library that this process shall use.

    In this order: one that the process has loaded already (mpi4py's); the file named by ``MPIJIT_LIBMPI`` or
    ``MPI4PY_LIBMPI``; the Python environment's; the loader's.

    Raises
    ------
    ImportError
        There is none, or the one named is not of MPICH's ABI.
    """
    if _loaded():
        return
    for variable in ("MPIJIT_LIBMPI", "MPI4PY_LIBMPI"):
        named = os.environ.get(variable)
        if named:
            _open_named(variable, named)
            return
    for path in _environment():
        if os.path.exists(path):
            _open(path)
            return
    try:
        ctypes.CDLL(SONAME)
    except OSError:
        raise ImportError(f"mpijit found no MPI library: there is no {SONAME} here. {_PREFIX_HINT}") from None


def _loaded() -> bool:
    with open("/proc/self/maps", "rb") as maps:
        return b"/" + SONAME.encode() in maps.read()


def _open(path: str) -> None:
    try:
        ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"mpijit cannot load the MPI library {path}: {error}") from None


def _open_named(variable: str, path: str) -> None:
    """Open the library of an environment variable and make sure that it answers to our name."""
    _open(os.path.abspath(path) if os.sep in path else path)
    try:
        # Finds what is open by its name, and nothing else.
        ctypes.CDLL(SONAME, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        raise ImportError(
            f"{variable}={path} is not a library of MPICH's ABI (it is not called {SONAME}), which this build "
            f"of mpijit needs. {_PREFIX_HINT}"
        ) from None


def _environment() -> Iterator[str]:
    """Where the package ``mpich`` may have put the library, the likeliest place first."""
    yield os.path.join(sys.prefix, "lib", SONAME)
    # Beside site-packages, for `pip install --user` and `--target`.
    here = os.path.dirname(os.path.abspath(__file__))
    for up in range(1, 5):
        yield os.path.join(os.path.normpath(os.path.join(here, *[os.pardir] * up)), "lib", SONAME)
    yield from _installed()


def _installed() -> Iterator[str]:
    import importlib.metadata  # slow, and rarely needed

    try:
        files = importlib.metadata.files("mpich") or []
    except importlib.metadata.PackageNotFoundError:
        return
    for file in files:
        if file.name == SONAME:
            yield os.path.realpath(os.fspath(file.locate()))
