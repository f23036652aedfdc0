"""Ends the whole job when one of its ranks dies, so that the others do not wait for it for ever.

An uncaught exception is printed first, then the job is aborted. ``sys.exit(n)`` and whatever else ends the process
with a status other than 0 is seen by a handler of the C library's exit (see host.cpp), after Python has shut down.
``MPIJIT_EXCEPTHOOK=0`` switches both off. Exceptions in threads end their thread only, as in plain Python.
"""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType

from . import _core

__all__ = ["install"]

_PAUSE = 0.1
"""Seconds between printing and aborting: without them the launcher may lose what was printed."""


def install() -> None:
    """Install the exception hook and the handler for the end of the process. Called once, at import."""
    wanted = os.environ.get("MPIJIT_EXCEPTHOOK", "1") != "0"
    _core.end_at_exit(wanted)
    if wanted:
        sys.excepthook = _Hook(sys.excepthook)


class _Hook:
    """The exception hook: does what the previous one does, then aborts the job if there is more than one rank."""

    def __init__(self, previous: object) -> None:
        self.previous = previous

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.previous(kind, error, trace)  # type: ignore[operator]
        if sys.flags.interactive or hasattr(sys, "ps1") or _core.job_size() <= 1:
            return
        _flush(sys.stdout)
        _flush(sys.stderr)
        time.sleep(_PAUSE)
        _core.abort(130 if issubclass(kind, KeyboardInterrupt) else 1)


def _flush(stream: object) -> None:
    try:
        stream.flush()  # type: ignore[attr-defined]
    except Exception:  # closed, replaced or broken: the abort must follow all the same
        pass
