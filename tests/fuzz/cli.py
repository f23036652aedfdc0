"""The command line."""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from . import rows as table
from .reduce import Reducer, skeleton
from .report import summary, write_failure
from .runner import Died, Failure, Process, Run, probe
from .seeded import BUGS


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tests/fuzz", description="Random kernels, compiled and by CPython.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first kernel")
    parser.add_argument("--count", type=int, default=1000, help="how many kernels")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="stop starting kernels after that long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--stop-after", type=int, default=20, metavar="N", help="stop after N failures")
    parser.add_argument("--require-all", action="store_true", help="a construct that the compiler refuses is an error")
    parser.add_argument(
        "--least", type=int, default=0, metavar="N", help="a construct used less than N times is an error"
    )
    parser.add_argument(
        "--reduce", type=float, default=20.0, metavar="SECONDS", help="to shrink a failure; 0: not at all"
    )
    parser.add_argument(
        "--failures", type=Path, default=Path("fuzz-failures"), metavar="FOLDER", help="where failing kernels go"
    )
    parser.add_argument(
        "--ignore", action="append", default=[], metavar="REGEX", help="failures to count but not report"
    )
    parser.add_argument(
        "--seeded-bug", choices=BUGS, help="put a bug into what is compiled; finding none is then the failure"
    )
    parser.add_argument(
        "--reference-only", action="store_true", help="run all constructs by the reference: checks the grammar"
    )
    parser.add_argument("--list", action="store_true", help="print the constructs, with what the compiler says of each")
    parser.add_argument("--show", action="store_true", help="print the text of kernel --first and stop")
    return parser


def open_failures() -> list[str]:
    """What is found already and not yet mended: a regular expression per line."""
    lines = (Path(__file__).parent / "open.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def fetch(failure: Failure, rows: list[str]) -> Failure:
    """A crashed worker could not send its kernel: build it again."""
    if failure.kernel is None:
        process = Process()
        try:
            failure.kernel = process.ask(do="show", seed=failure.seed, index=failure.index, rows=rows)["kernel"]
        except Died as end:
            failure.detail += f"\nand building it anew: {end}"
        finally:
            process.close()
    return failure


def main(argv: list[str] | None = None) -> int:
    options = arguments().parse_args(argv)
    if options.reference_only:
        os.environ["FUZZ_REFERENCE_ONLY"] = "1"  # workers inherit it
    if options.seeded_bug:
        os.environ["FUZZ_SEEDED_BUG"] = options.seeded_bug
    all_rows = table.load()
    supported, refused = probe()
    if options.list:
        print("\n".join(f"{name}: {refused.get(name, 'supported')}" for name in all_rows))
        return 0
    if options.show:
        shown = fetch(Failure(None, "show", "", options.seed, options.first), supported)
        print(shown.kernel["source"] if shown.kernel else shown.detail)
        return 0
    lock = threading.Lock()
    seen: Counter[str] = Counter()

    def report(failure: Failure) -> None:
        fetch(failure, supported)
        with lock:
            print(
                f"\n{failure.kind}: kernel {failure.index} of seed {failure.seed}: {failure.detail.strip()[:600]}",
                flush=True,
            )
        if failure.kernel is None:
            return
        kernel = failure.kernel
        alike = skeleton(failure.kind, failure.detail)
        seen[alike] += 1
        if options.reduce and seen[alike] <= 3:
            reducer = Reducer(kernel, failure.kind, failure.detail, None, options.reduce)
            kernel = reducer.run()
            failure.detail = reducer.detail
        path = write_failure(options.failures, failure, kernel)
        if seen[alike] > 3:
            return
        with lock:
            print(f"  {path}\n" + "".join(f"  | {line}\n" for line in kernel["source"].splitlines()), flush=True)

    until = time.monotonic() + options.time if options.time else None
    count = options.count if not options.time else max(options.count, 10_000_000)
    run = Run(options.seed, options.first, count, supported, options.jobs, until, None, options.stop_after, report)
    run.ignored = [re.compile(text, re.DOTALL) for text in [*options.ignore, *open_failures()]]
    results = run()
    print(summary(all_rows, supported, refused, results, options.least))
    few = [name for name in supported if results.used[name] < options.least]
    if few:
        print(f"used less than {options.least} times: {', '.join(few)}", file=sys.stderr)
    if options.seeded_bug:
        return 0 if results.failures else 1
    missing = options.require_all and refused
    return 1 if results.failures or missing or few else 0
