"""The process in which kernels run: reads commands, a JSON object per line, and answers in the same way.

A crash or an endless loop ends this process and nothing else; the line that says which kernel is next goes out
before that kernel is built. Standard error goes to a file, and a kernel that writes to it (LLVM's verifier does)
counts as a failure.
"""

from __future__ import annotations

import functools
import json
import linecache
import os
import resource
import sys
import traceback
import warnings
from collections import Counter
from typing import Any, TextIO

import numpy as np

from . import rows as table
from .build import build
from .check import Checked, Difference, check
from .rows import PROBE, Row
from .seeded import seed as seeded


def open_channel() -> TextIO:
    """Our own standard output; what else is printed goes to standard error."""
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return channel


class Worker:
    def __init__(self, channel: TextIO) -> None:
        import mpijit

        self.channel = channel
        self.jit = None if os.environ.get("FUZZ_REFERENCE_ONLY") else mpijit.jit
        self.bug = os.environ.get("FUZZ_SEEDED_BUG", "")
        self.extra = {"overload": mpijit.overload} if hasattr(mpijit, "overload") else {}
        self.live_blocks = mpijit._core.live_blocks
        self.rows = table.load()
        self.said = os.fstat(2).st_size
        self.made = 0

    def answer(self, **message: Any) -> None:
        self.channel.write(json.dumps(message) + "\n")
        self.channel.flush()

    # ---- commands ----

    def probe(self) -> None:
        if self.jit is None:
            return self.answer(supported=list(self.rows), refused={})
        supported, refused = [], {}
        for name, row in self.rows.items():
            trouble = self._probe(row)
            if trouble is None:
                supported.append(name)
            else:
                refused[name] = trouble
        self.answer(supported=supported, refused=refused)

    def _probe(self, row: Row) -> str | None:
        from mpijit import CompileError

        name = f"<probe {row.name}>"
        body = "\n".join("    " + line for line in row.probe.split("\n"))
        text = f"{row.prelude}@jit\ndef f({PROBE}):\n{body}\n"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        namespace: dict[str, Any] = {
            "np": np,
            "math": __import__("math"),
            "jit": self.jit,
            "__name__": name,
            **self.extra,
        }
        a = np.ones(4)
        arguments = (a, a.copy(), np.ones((4, 4)), np.ones(4, np.int64), a > 0, np.ones(4, np.uint8), a + 1j, 2, 0.5)
        try:
            exec(compile(text, name, "exec"), namespace)
            namespace["f"].compile(*arguments)
        except CompileError as refusal:
            return refusal.message
        except NameError as missing:  # of what the package does not offer yet
            return str(missing)
        finally:
            del linecache.cache[name]
        return None

    def run(self, seed: int, first: int, count: int, rows: list[str]) -> None:
        usable = [self.rows[name] for name in rows]
        total: Counter[str] = Counter()
        used: Counter[str] = Counter()
        for index in range(first, first + count):
            self.answer(at=index)
            kernel, counts = build(seed, index, usable)
            checked = self.guarded(kernel, f"<kernel {seed}.{index}>")
            used.update(counts)
            used.update({f"kernels with {name}": 1 for name in counts})
            total.update(checked.counts)
            total["kernels"] += 1
            if checked.difference:
                d = checked.difference
                self.answer(failed=kernel, kind=d.kind, detail=d.detail, set=d.at, index=index)
            if index % 50 == 49:
                self.answer(counts=total, used=used)
                total, used = Counter(), Counter()
        self.answer(counts=total, used=used, done=True)

    def check(self, kernel: dict[str, Any]) -> None:
        self.made += 1
        d = self.guarded(kernel, f"<reduced {self.made}>").difference
        self.answer(kind=d.kind if d else None, detail=d.detail if d else "", set=d.at if d else 0)

    def show(self, seed: int, index: int, rows: list[str]) -> None:
        kernel, _ = build(seed, index, [self.rows[name] for name in rows])
        self.answer(kernel=kernel)

    # ---- one kernel ----

    def guarded(self, kernel: dict[str, Any], name: str) -> Checked:
        """Check a kernel; whatever goes wrong becomes a difference."""
        try:
            seed = functools.partial(seeded, self.bug) if self.bug else None
            out = check(kernel, name, self.jit, self.extra, self.live_blocks, seed)
        except Exception as error:
            trace = traceback.format_exc()
            kind = "internal" if "mpijit" in trace or isinstance(error, RuntimeError) else "fuzzer"
            out = Checked(Difference(kind, trace))
        finally:
            linecache.cache.pop(name, None)
        said = os.fstat(2).st_size
        if said > self.said:
            text = os.pread(2, 4000, self.said).decode(errors="replace")
            self.said = said
            if out.difference is None:
                out.difference = Difference("stderr", text)
        return out


def main() -> None:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    worker = Worker(open_channel())
    for line in sys.stdin:
        command = json.loads(line)
        getattr(worker, command.pop("do"))(**command)


if __name__ == "__main__":
    main()
