"""Starts workers, gives them batches, and survives what happens to them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 30.0  # seconds without an answer: the worker hangs
BATCH = 200
LIFE = 1500  # kernels a worker runs before another takes its place: compiled code stays in memory

TESTS = Path(__file__).resolve().parent.parent


class Died(Exception):
    """The worker is gone; `kind` is "crash" or "hang"."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail = kind, detail


class Process:
    """A worker process."""

    def __init__(self, env: dict[str, str] | None = None, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.errors = tempfile.TemporaryFile(mode="w+b")
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": _path()} | (env or {})
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fuzz.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
            start_new_session=True,
        )
        self.selector = selectors.DefaultSelector()
        assert self.process.stdout is not None
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.pending = b""

    def send(self, **command: Any) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(command).encode() + b"\n")
            self.process.stdin.flush()

    def answers(self) -> Iterator[dict[str, Any]]:
        """What the worker says. Raises `Died` when it stops saying anything."""
        assert self.process.stdout is not None
        while True:
            while b"\n" not in self.pending:
                if not self.selector.select(self.patience):
                    self.kill()
                    raise Died("hang", f"no answer in {self.patience} s")
                data = os.read(self.process.stdout.fileno(), 1 << 20)
                if not data:
                    code = self.process.wait()
                    self.errors.seek(0)
                    said = self.errors.read().decode(errors="replace")[-3000:]
                    what = signal.Signals(-code).name if code < 0 else f"exit status {code}"
                    raise Died("crash", f"{what}\n{said}")
                self.pending += data
            line, self.pending = self.pending.split(b"\n", 1)
            yield json.loads(line)

    def ask(self, **command: Any) -> dict[str, Any]:
        self.send(**command)
        return next(self.answers())

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        self.kill()
        for file in (self.process.stdin, self.process.stdout, self.errors):
            with contextlib.suppress(OSError):
                file.close()  # type: ignore[union-attr]
        self.selector.close()


def _path() -> str:
    old = os.environ.get("PYTHONPATH")
    return str(TESTS) + (os.pathsep + old if old else "")


@dataclass
class Failure:
    kernel: dict[str, Any] | None
    kind: str
    detail: str
    seed: int
    index: int
    set: int = 0


@dataclass
class Results:
    counts: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0


def probe(env: dict[str, str] | None = None) -> tuple[list[str], dict[str, str]]:
    """The rows that the installed mpijit supports, and what it says of the others."""
    process = Process(env, patience=120)
    try:
        answer = process.ask(do="probe")
    finally:
        process.close()
    return answer["supported"], answer["refused"]


class Run:
    """All kernels of a seed from `first` on, shared among processes."""

    def __init__(
        self,
        seed: int,
        first: int,
        count: int,
        rows: list[str],
        jobs: int,
        until: float | None,
        env: dict[str, str] | None,
        stop_after: int,
        report: Callable[[Failure], None],
    ) -> None:
        self.seed, self.next, self.end = seed, first, first + count
        self.rows, self.jobs, self.until, self.env = rows, jobs, until, env
        self.stop_after, self.report = stop_after, report
        self.ignored: list[re.Pattern[str]] = []
        self.results = Results()
        self.lock = threading.Lock()

    def __call__(self) -> Results:
        started = time.monotonic()
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.results.seconds = time.monotonic() - started
        return self.results

    def _batch(self) -> range | None:
        with self.lock:
            late = self.until is not None and time.monotonic() > self.until
            if late or self.next >= self.end or len(self.results.failures) >= self.stop_after:
                return None
            batch = range(self.next, min(self.next + BATCH, self.end))
            self.next = batch.stop
            return batch

    def _serve(self) -> None:
        process, ran = Process(self.env), 0
        while (batch := self._batch()) is not None:
            first = batch.start
            while first < batch.stop:
                if ran >= LIFE:
                    process.close()
                    process, ran = Process(self.env), 0
                reached = self._run(process, first, batch.stop)
                ran += reached - first
                if reached < batch.stop or reached == first:
                    process.close()
                    process, ran = Process(self.env), 0
                    reached += reached < batch.stop  # past the one that ended the worker
                first = reached
                if self.until is not None and time.monotonic() > self.until:
                    break
        process.close()

    def _run(self, process: Process, first: int, stop: int) -> int:
        """Run kernels; the number of the one during which the worker died, or `stop`."""
        at = first
        process.send(do="run", seed=self.seed, first=first, count=stop - first, rows=self.rows)
        try:
            for answer in process.answers():
                at = answer.get("at", at)
                if "kind" in answer:
                    self._fail(
                        Failure(
                            answer["failed"],
                            answer["kind"],
                            answer["detail"],
                            self.seed,
                            answer["index"],
                            answer["set"],
                        )
                    )
                if "counts" in answer:
                    with self.lock:
                        self.results.counts.update(answer["counts"])
                        self.results.used.update(answer["used"])
                if answer.get("done") or len(self.results.failures) >= self.stop_after:
                    return stop
                if self.until is not None and time.monotonic() > self.until + 5:
                    return stop
        except Died as end:
            self._fail(Failure(None, end.kind, end.detail, self.seed, at))
        return at

    def _fail(self, failure: Failure) -> None:
        with self.lock:
            if any(pattern.search(f"{failure.kind}: {failure.detail}") for pattern in self.ignored):
                self.results.counts["ignored failures"] += 1
                return
            self.results.failures.append(failure)
        self.report(failure)
