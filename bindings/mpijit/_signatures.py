"""Signatures as Numba users write them, ``"float64(float64[:, :], int64)"``, in the text form of our types."""

from __future__ import annotations

import re

from . import _core

__all__ = ["normalise", "parse_signature", "split_types"]

_NAMES = {
    "b1": "bool", "bool_": "bool", "boolean": "bool",
    "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "int_": "int64", "intp": "int64", "long_": "int64",
    "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64", "uint": "uint64", "uintp": "uint64",
    "f4": "float32", "f8": "float64", "float_": "float32", "double": "float64",
    "c8": "complex64", "c16": "complex128",
    "void": "none", "none": "none", "None": "none",
}  # fmt: skip

# In a Numba signature these are what Python's own numbers are passed as.
_WEAK = {"float64": "float", "int64": "int", "bool": "bool"}


def normalise(text: str) -> str:
    """A type's text in its one spelling; a ValueError if it is none."""
    found = _core.canonical_type(text)
    if found is None:
        raise ValueError(f"{text!r} is not a type; types are written like 'float64[:, ::1]', 'int', 'float32'")
    return found


def parse_signature(text: str) -> tuple[str | None, tuple[str, ...]]:
    """The result type, None if not given, and the parameter types of a signature.

    ``float64``, ``int64`` and ``boolean`` alone mean Python's float, int and bool. ``[::1, :]``, Fortran order, is
    an array of any strides here.
    """
    text = text.strip()
    result: str | None = None
    match = re.fullmatch(r"([^()]+)\((.*)\)", text, re.DOTALL)
    if match:
        result, text = _type(match[1]), match[2]
    return result, tuple(_type(part) for part in split_types(text))


def split_types(text: str) -> list[str]:
    """The types of a list with commas, which may stand in parentheses."""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in (part.strip() for part in parts) if part]


def _type(text: str) -> str:
    text = text.strip()
    match = re.fullmatch(r"(const\s+)?(\w+)\s*(\[.*\])?", text)
    if not match:
        return normalise(text)
    const, name, axes = match[1] or "", _NAMES.get(match[2], match[2]), match[3] or ""
    if not axes:
        return normalise(_WEAK.get(name, name))
    if re.fullmatch(r"\[\s*::1(\s*,\s*:)+\s*\]", axes):
        axes = axes.replace("::1", ":")
    return normalise(const + name + axes)
