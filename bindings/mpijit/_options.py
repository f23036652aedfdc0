"""The options of `jit`: which there are, what they become for the compiler, and which are not yet honoured."""

from __future__ import annotations

import os
import warnings
from typing import Any

from ._errors import MpijitWarning

__all__ = ["check_options", "compiler_options", "interpreted", "say_once"]

KNOWN = ("nopython", "fastmath", "parallel", "cache", "boundscheck", "nogil", "inline", "error_model", "opt", "src")

_FASTMATH = ("fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc")

# Said when an option has a value that changes nothing yet.
_NOT_YET = {
    "nopython": (False, "nopython=False: kernels are always compiled whole; there is no object mode to fall back to"),
    "parallel": (True, "parallel=True is not honoured yet: the kernel runs in one thread"),
    "cache": (True, "cache=True is not honoured yet: kernels are compiled anew in each process"),
    "nogil": (True, "nogil=True is not honoured: the GIL is released by kernels that communicate, and only by those"),
    "inline": ("always", "inline='always' is not needed: LLVM decides, and inlines small kernels"),
    "error_model": ("python", "error_model='python' is not honoured: division by zero gives NumPy's values"),
}

_said: set[str] = set()


def say_once(text: str, stacklevel: int = 3) -> None:
    """Warn with a `MpijitWarning`, but only the first time in this process.

    The warning is attributed to the caller of the caller's caller: the user's line.
    """
    if text not in _said:
        _said.add(text)
        warnings.warn(text, MpijitWarning, stacklevel=stacklevel + 1)


def interpreted() -> bool:
    """Whether kernels are run by the interpreter (``MPIJIT_DISABLE_JIT=1``)."""
    return os.environ.get("MPIJIT_DISABLE_JIT", "0") not in ("", "0")


def check_options(options: dict[str, Any]) -> None:
    """Refuse unknown options and values, and say once which are not honoured."""
    for name in options:
        if name not in KNOWN:
            raise TypeError(f"jit() has no option {name!r}; it has {', '.join(KNOWN)}")
    _check_value(options, "error_model", ("python", "numpy"))
    _check_value(options, "opt", (0, 2, 3))
    _check_value(options, "inline", ("never", "always"))
    _fastmath(options.get("fastmath", False))
    if not isinstance(options.get("src", ""), str):
        raise TypeError(f"src is the text of the function's source, not {options['src']!r}")
    for name, (value, text) in _NOT_YET.items():
        if name in options and options[name] == value:
            say_once(text)


def _check_value(options: dict[str, Any], name: str, values: tuple[Any, ...]) -> None:
    if name in options and options[name] not in values:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, values))}, not {options[name]!r}")


def _fastmath(value: Any) -> str:
    """LLVM's flag names separated by blanks."""
    if isinstance(value, bool) or value is None:
        return "fast" if value else ""
    flags = value.split() if isinstance(value, str) else sorted(value)
    for flag in flags:
        if flag not in _FASTMATH:
            raise ValueError(f"fastmath has no flag {flag!r}; it has {', '.join(_FASTMATH)}")
    return " ".join(flags)


def compiler_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options in the compiler's terms (see jit/compile.h)."""
    return {
        "boundscheck": options.get("boundscheck") is not False,
        "opt": options.get("opt", 2),
        "fastmath": _fastmath(options.get("fastmath", False)),
        "dump": os.environ.get("MPIJIT_DUMP", ""),
        "verify": int(os.environ.get("MPIJIT_VERIFY") or 0),
    }
