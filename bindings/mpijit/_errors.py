"""The exceptions and warnings of the package, apart from `mpi.Error`, which the runtime raises."""

from __future__ import annotations

__all__ = ["CompileError", "MpijitWarning"]


class CompileError(TypeError):
    """A kernel contains, or was given, something that kernels cannot do.

    Attributes
    ----------
    message : str
        The sentence alone. ``str(error)`` has the place in the source, a caret and a hint as well.
    filename : str or None
    lineno : int or None
    offset : int or None
        Where in the source: file, line and column, both counted from 1.
    """

    def __init__(
        self,
        text: str,
        *,
        message: str | None = None,
        filename: str | None = None,
        lineno: int | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(text)
        self.message = text if message is None else message
        self.filename = filename
        self.lineno = lineno
        self.offset = offset


CompileError.__module__ = "mpijit"


class MpijitWarning(UserWarning):
    """Something works, but perhaps not as its writer expects; said once per process."""


MpijitWarning.__module__ = "mpijit"
