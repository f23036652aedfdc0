"""Says what a value is that a kernel or an MPI function does not take, and what to pass instead."""

from __future__ import annotations

import enum
from typing import Any, NoReturn

import numpy as np

from . import _core

__all__ = ["refuse_data", "refuse_target", "trouble"]

_PLAIN = {
    list: ("a list", "pass a NumPy array, np.array({name}), or a tuple"),
    dict: ("a dict", "pass its values as arguments of their own"),
    set: ("a set", "pass a NumPy array or a tuple"),
    bytes: ("bytes", "pass np.frombuffer({name}, dtype=np.uint8)"),
    bytearray: ("a bytearray", "pass np.frombuffer({name}, dtype=np.uint8)"),
    range: ("a range", "pass its bounds"),
    slice: ("a slice whose bounds are not ints", "pass ints and None, as in slice(1, None)"),
    str: ("a str that is not valid Unicode", "pass one that can be encoded"),
}

_DTYPES = "bool, int8 to int64, uint8 to uint64, float32, float64, complex64 and complex128"


def trouble(name: str, value: Any) -> tuple[str, str]:
    """What is wrong with the argument `name`, and what to pass instead.

    For a tuple the first item that kernels refuse is named, as ``p[1]``.
    """
    if type(value) is tuple:
        for i, item in enumerate(value):
            if _core.type_text(item) is None:
                return trouble(f"{name}[{i}]", item)
    what, instead = _what(value)
    return f"{name} is {what}", instead.format(name=name)


def _what(value: Any) -> tuple[str, str]:
    kind = type(value)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(value, np.ndarray):
        return _what_array(value)
    if isinstance(value, np.generic):
        return f"a NumPy {value.dtype} scalar", f"the dtypes of kernels are {_DTYPES}"
    if isinstance(value, np.dtype) or (kind is type and issubclass(value, np.generic)):
        return "a dtype that kernels do not know", f"the dtypes of kernels are {_DTYPES}"
    if isinstance(value, enum.Enum):
        return f"an enum member, {value}", "pass {name}.value"
    for plain in (bool, int, float, complex, tuple, str):
        if isinstance(value, plain):
            return f"a {kind.__qualname__}, a subclass of {plain.__name__}", f"pass {plain.__name__}({{name}})"
    if callable(value):
        what = f"a class, {value.__qualname__}" if isinstance(value, type) else "a function"
        return what, "pass a Python function with its source, a kernel, or a function of math, NumPy or the builtins"
    if hasattr(value, "__array__"):
        return f"an object of class {kind.__qualname__}", "pass np.asarray({name})"
    return f"an object of class {kind.__qualname__}", "pass arrays, numbers, tuples or None"


def _what_array(array: np.ndarray[Any, Any]) -> tuple[str, str]:
    kind, dtype = type(array), array.dtype
    if kind is not np.ndarray:
        return f"a {kind.__module__}.{kind.__qualname__}, a subclass of ndarray", "pass np.asarray({name})"
    if dtype.names:
        return "an array of a structured dtype", "pass its fields as arrays, {name}['" + dtype.names[0] + "']"
    if dtype == object:
        return "an array of Python objects", "pass an array of numbers, {name}.astype(np.float64)"
    if dtype.kind in "biufc" and not dtype.isnative:
        return "an array in the other byte order", "pass {name}.astype({name}.dtype.newbyteorder('='))"
    if _core.type_text(np.empty(0, dtype)) is None:
        return f"an array of dtype {dtype}", f"the dtypes of kernels are {_DTYPES}"
    if not array.flags.aligned:
        return "an array that is not aligned in memory", "pass {name}.copy()"
    return f"an array of dtype {dtype}", "it cannot be used here"


def refuse_data(routine: str, name: str, value: Any) -> NoReturn:
    """Raise the TypeError of an MPI function for data to be read."""
    what, instead = _PLAIN_DATA.get(type(value)) or _what(value)
    raise TypeError(f"{routine}: {name} is {what}; {instead.format(name=name)}")


def refuse_target(routine: str, name: str, value: Any) -> NoReturn:
    """Raise the TypeError of an MPI function for an array to be written."""
    if isinstance(value, (bool, int, float, complex, np.generic)):
        raise TypeError(f"{routine}: {name} is {_scalar(value)}; it must be an array, which is written in place")
    if type(value) is np.ndarray and not value.flags.writeable:
        raise TypeError(f"{routine}: {name} is a read-only array; it must be writeable")
    refuse_data(routine, name, value)


def _scalar(value: Any) -> str:
    return f"a NumPy {value.dtype} scalar" if isinstance(value, np.generic) else f"a Python {type(value).__name__}"


_PLAIN_DATA = {
    list: ("a list", "pass np.array({name})"),
    tuple: ("a tuple", "pass np.array({name})"),
    type(None): ("None", "pass an array or a number"),
    str: ("a str", "pass np.frombuffer({name}.encode(), dtype=np.uint8)"),
    dict: ("a dict", "pass arrays or numbers"),
}
