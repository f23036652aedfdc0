"""Which functions kernels call in place of those that they name: `overload` and the built-in ones of numpy_impl.

Only the table. What an implementation means is the compiler's business (it is a function like any other that a
kernel calls), and where names are looked up is `_source`'s, which asks `find` and `method` here.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

__all__ = ["built_in", "built_in_method", "find", "guard", "is_implementation", "method", "overload"]

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Table = dict[int, tuple[Any, FunctionType]]

BUILT_IN = "mpijit.numpy_impl"
METHODS = frozenset("argsort cumprod cumsum diagonal nonzero repeat searchsorted sort std trace var".split())
"""The methods of arrays that numpy_impl implements: known here so that other kernels need not import it."""

_registered: _Table = {}  # by the identity of the function named, which is kept alive
_built_in: _Table = {}
_methods: dict[str, FunctionType] = {}
_state: dict[str, object] = {"generation": object()}  # a new one with each registration


def overload(function: Callable[..., Any], /) -> Callable[[_Function], _Function]:
    """Have kernels call the decorated function where they name `function`.

    The decorated function, the implementation, is written in the language of kernels, and called as any function that
    a kernel calls: compiled for the types of the arguments, with its defaults and keywords. Outside of compiled kernels
    nothing changes: plain Python and interpreted kernels call `function` itself, so both must mean the same.

    Ints from -64 to 64, bools, and tuples of these, that a kernel writes in the call, and such defaults, are known when
    the implementation is compiled, unless it rebinds the parameter: ``axis == 0`` is decided then, and
    ``np.sum(a, axis=axis)`` possible.

    The last registration counts. Kernels that are compiled already see it at their next call. It goes before what the
    compiler itself knows of `function`, and methods of arrays stay what they are: ``overload(np.sum)`` says nothing
    of ``a.sum()``. Where an implementation names `function`, it calls itself.

    Parameters
    ----------
    function
        Any function, of NumPy or of another package, ufuncs and functions written in C included; not a class.

    Returns
    -------
    decorator
        It takes a Python function, or a kernel, and returns it as it is.

    Raises
    ------
    TypeError
        `function` is a class, a kernel or not callable, or what is decorated is not a Python function.

    Examples
    --------
    >>> @mpijit.overload(np.sinc)
    ... def sinc(x):
    ...     y = np.pi * np.where(x == 0, 1e-20, x)
    ...     return np.sin(y) / y
    """
    if isinstance(function, type) or not callable(function) or hasattr(function, "py_func"):
        raise TypeError(f"overload takes the function that kernels name, not {function!r}")

    def decorate(implementation: _Function) -> _Function:
        _registered[id(function)] = function, _python_function(implementation)
        _state["generation"] = object()
        return implementation

    return decorate


def _python_function(implementation: Any) -> FunctionType:
    plain = getattr(implementation, "py_func", implementation)
    if not isinstance(plain, FunctionType):
        raise TypeError(f"an implementation is a Python function, not {implementation!r}")
    return plain


def built_in(function: Callable[..., Any]) -> Callable[[FunctionType], FunctionType]:
    """`overload` for numpy_impl: any registration by the user goes before it."""

    def decorate(implementation: FunctionType) -> FunctionType:
        _built_in[id(function)] = function, implementation
        return implementation

    return decorate


def built_in_method(name: str) -> Callable[[FunctionType], FunctionType]:
    """The same for a method of arrays, one of `METHODS`; the array is the first parameter."""

    def decorate(implementation: FunctionType) -> FunctionType:
        _methods[name] = implementation
        return implementation

    return decorate


def find(function: Any, namer: FunctionType) -> FunctionType | None:
    """The implementation of a function that `namer` names; None when it has none of its own.

    NumPy's functions inside numpy_impl are always the compiler's or numpy_impl's own.
    """
    if not _is_built_in(namer) and id(function) in _registered:
        return _registered[id(function)][1]
    module = getattr(function, "__module__", None) or ""
    if module.partition(".")[0] != "numpy" or isinstance(function, (type, np.ufunc)):
        return None
    _import_built_in()
    return _built_in[id(function)][1] if id(function) in _built_in else None


def method(name: str) -> FunctionType | None:
    """The implementation of a method of arrays; None when there is none in numpy_impl."""
    if name not in METHODS:
        return None
    _import_built_in()
    return _methods[name]


def is_implementation(function: FunctionType) -> bool:
    """Whether a function stands for another, or helps to: it is told the axes and flags that its callers write."""
    return _is_built_in(function) or any(function is known for _, known in _registered.values())


def guard() -> tuple[dict[str, object], str, object]:
    """What holds as long as nothing is registered: a guard as `_source` has them."""
    return _state, "generation", _state["generation"]


def _is_built_in(function: FunctionType) -> bool:
    return (function.__module__ or "").startswith(BUILT_IN)


def _import_built_in() -> None:
    from . import numpy_impl  # noqa: F401  (fills the tables; only kernels that name NumPy's functions need it)
