"""Launching programs: on ranks under the environment's own mpiexec, or alone, always with a time limit."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

MPIEXEC = Path(sys.executable).parent / "mpiexec"
PROGRAMS = Path(__file__).parent / "programs"


@dataclass
class Run:
    """A finished program."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def text(self) -> str:
        return self.out + self.err

    def check(self) -> Run:
        """Fail unless the program ended well."""
        assert self.code == 0, f"exit status {self.code}\n{self.text}"
        return self


def descendants(pid: int) -> list[int]:
    """The processes that a process started, directly or not."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(stat.read_text().rsplit(")", 1)[1].split()[1])
            parents.setdefault(parent, []).append(int(stat.parent.name))
    found = [pid]
    for known in found:
        found += parents.get(known, [])
    return found[1:]


@dataclass
class Launcher:
    """Starts programs in a folder of the test's own and kills what is left of them."""

    folder: Path

    def start(
        self,
        ranks: int | None,
        program: str | Path,
        *words: str,
        env: dict[str, str | None] | None = None,
        stdin: int | None = subprocess.DEVNULL,
    ) -> subprocess.Popen[str]:
        """Start a file, or source text, on so many ranks; None: without a launcher."""
        if not isinstance(program, Path):
            path = self.folder / f"program{len(list(self.folder.glob('program*.py')))}.py"
            path.write_text(textwrap.dedent(program))
            program = path
        command = [sys.executable, str(program), *words]
        if ranks is not None:
            command = [str(MPIEXEC), "-n", str(ranks), *command]
        # Unbuffered output of two ranks is mixed in the middle of lines.
        changes = {"PYTHONUNBUFFERED": None} | (env or {})
        environment = {k: v for k, v in (os.environ | changes).items() if v is not None}
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finish(self, process: subprocess.Popen[str], timeout: float, text: str | None = None) -> Run:
        """Wait for a program; kill it and all it started when it takes too long."""
        started = time.monotonic()
        try:
            out, err = process.communicate(text, timeout=timeout)
        except subprocess.TimeoutExpired:
            for pid in [process.pid, *descendants(process.pid)]:  # ranks are in process groups of their own
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            out, err = process.communicate()
            pytest.fail(f"no end after {timeout} s\n{out}{err}")
        return Run(process.returncode, out, err, time.monotonic() - started)

    def __call__(
        self,
        ranks: int | None,
        program: str | Path,
        *words: str,
        env: dict[str, str | None] | None = None,
        timeout: float = 60,
        stdin: str | None = None,
    ) -> Run:
        """Run a program to its end."""
        pipe = subprocess.DEVNULL if stdin is None else subprocess.PIPE
        return self.finish(self.start(ranks, program, *words, env=env, stdin=pipe), timeout, stdin)


@pytest.fixture
def launch(tmp_path: Path) -> Launcher:
    """``launch(ranks, program, *words, env=, timeout=, stdin=) -> Run``."""
    return Launcher(tmp_path)


@pytest.fixture
def program() -> Callable[[str], Path]:
    """The path of a program in ``programs/``."""
    return PROGRAMS.__truediv__


@pytest.fixture
def no_said_warnings() -> Iterator[None]:
    """Let what is said once per process be said again."""
    from mpijit import _options

    saved = set(_options._said)
    _options._said.clear()
    yield
    _options._said.clear()
    _options._said.update(saved)


def is_interpreted() -> bool:
    """Whether this session runs kernels by the interpreter."""
    return os.environ.get("MPIJIT_DISABLE_JIT", "0") not in ("", "0")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests marked ``compiled`` when the session is interpreted."""
    if is_interpreted():
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(pytest.mark.skip(reason="needs the compiler"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "compiled: needs the compiler")
