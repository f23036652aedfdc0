"""What a run prints: failures as files that can be run, and at the end how often each construct was exercised."""

from __future__ import annotations

import pprint
from collections import Counter
from pathlib import Path
from typing import Any

from .arguments import spelled_out
from .rows import Row
from .runner import TESTS, Failure, Results

FILE = '''"""{kind}: {detail}

Kernel {index} of seed {seed}. `J_` and `U_` are annotations for the reference (tests/fuzz/writer.py).
"""

import sys

sys.path.insert(0, {tests!r})
from fuzz.replay import replay

SOURCE = """\\
{source}"""

KERNEL = {kernel}

if __name__ == "__main__":
    replay(SOURCE, KERNEL)
'''


def failing_file(failure: Failure, kernel: dict[str, Any]) -> str:
    """A program that shows the failure."""
    rest = {key: value for key, value in kernel.items() if key != "source"}
    rest["sets"] = [spelled_out(s) for s in rest["sets"]]
    return FILE.format(
        kind=failure.kind,
        detail=failure.detail.strip().replace("\\", "\\\\").replace('"""', "'''"),
        index=failure.index,
        seed=failure.seed,
        tests=str(TESTS),
        source=kernel["source"].replace("\\", "\\\\"),
        kernel=pprint.pformat(rest, width=110, compact=True, sort_dicts=False),
    )


def write_failure(folder: Path, failure: Failure, kernel: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{failure.kind}_{failure.seed}_{failure.index}.py"
    path.write_text(failing_file(failure, kernel))
    return path


def summary(rows: dict[str, Row], supported: list[str], refused: dict[str, str], results: Results, least: int) -> str:
    """The closing report. Constructs that were used less than `least` times are marked."""
    used, counts = results.used, results.counts
    lines = ["", "construct                         kind       uses  kernels"]
    for name in sorted(supported, key=lambda n: (rows[n].kind, n)):
        mark = "" if used[name] >= least else "  <-- seldom"
        lines.append(f"{name:32s}  {rows[name].kind:9s} {used[name]:6d}  {used[f'kernels with {name}']:7d}{mark}")
    exercised: Counter[int] = Counter()
    for name in supported:
        for number in rows[name].table:
            exercised[number] += used[name]
    lines += ["", "trap table, uses per row: " + ", ".join(f"{k}: {exercised[k]}" for k in sorted(exercised))]
    if refused:
        lines += ["", f"{len(refused)} constructs that the installed compiler refuses:"]
        lines.append("  " + ", ".join(sorted(refused)))
    kernels = counts["kernels"]
    rate = kernels / results.seconds if results.seconds else 0
    lines += ["", ", ".join(f"{key}: {value}" for key, value in sorted(counts.items()))]
    speed = f"{kernels} kernels in {results.seconds:.0f} s ({rate:.0f}/s)"
    lines.append(f"{speed}, {len(supported)} constructs, {len(results.failures)} failures")
    return "\n".join(lines)
