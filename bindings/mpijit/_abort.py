"""Ends the whole job when one of its ranks dies, so that the others do not wait for it for ever.

An uncaught exception is printed first, then the job is aborted. ``sys.exit(n)`` and whatever else ends the process
with a status other than 0 is seen by a handler of the C library's exit (see host.cpp), after Python has shut down.
Where mpi4py is loaded that is too late, as its own clean-up finalises MPI and waits for the others: there, an uncaught
`sys.exit` is noticed before. (``raise SystemExit(n)`` beside mpi4py is not: use ``python -m mpi4py``.)

``MPIJIT_EXCEPTHOOK=0`` switches all of this off. Exceptions in threads end their thread only, as in plain Python.
"""

from __future__ import annotations

import atexit
import os
import sys
import time
from types import TracebackType
from typing import Any, NoReturn

from . import _core

__all__ = ["install"]

_PAUSE = 0.1
"""Seconds between printing and aborting: without them the launcher may lose what was printed."""


def install() -> None:
    """Install the hooks. Called once, at import."""
    wanted = os.environ.get("MPIJIT_EXCEPTHOOK", "1") != "0"
    _core.end_at_exit(wanted)
    if wanted:
        sys.excepthook = _Hook(sys.excepthook)
        if _core.job_size() > 1:
            sys.exit = _exit
            atexit.register(_abort_after_exit)


def _abort(code: int) -> None:
    """Abort the job, with what was printed on its way to the launcher."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # closed, replaced or broken: the abort must follow all the same
            pass
    time.sleep(_PAUSE)
    _core.abort(code)


class _Hook:
    """The exception hook: does what the previous one does, then aborts the job if there is more than one rank."""

    def __init__(self, previous: Any) -> None:
        self.previous = previous

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.previous(kind, error, trace)
        interactive = sys.flags.interactive or hasattr(sys, "ps1")
        if not interactive and _core.job_size() > 1:
            _abort(130 if issubclass(kind, KeyboardInterrupt) else 1)


class _Exit(SystemExit):
    """A SystemExit that notices when nobody caught it: then the interpreter drops it, below all Python code."""

    uncaught: int = 0

    def __del__(self) -> None:
        try:
            sys._getframe(1)
        except ValueError:
            _Exit.uncaught = self.code & 0xFF if isinstance(self.code, int) else int(self.code is not None)


_Exit.__name__ = _Exit.__qualname__ = "SystemExit"
_Exit.__module__ = "builtins"


def _exit(status: Any = None, /) -> NoReturn:
    raise _Exit(status)


_exit.__name__ = _exit.__qualname__ = "exit"
_exit.__doc__ = sys.exit.__doc__


def _abort_after_exit() -> None:
    if _Exit.uncaught and "mpi4py.MPI" in sys.modules and _core.job_size() > 1:
        _abort(_Exit.uncaught)
