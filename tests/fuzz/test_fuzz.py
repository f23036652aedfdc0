"""The fuzzer for a minute, and the fuzzer itself: does it find bugs that are there?"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from fuzz.check import Checked, check
from fuzz.reduce import Reducer

FUZZ = Path(__file__).parent
INTERPRETED = os.environ.get("MPIJIT_DISABLE_JIT", "0") not in ("", "0")

pytestmark = [
    pytest.mark.skipif(INTERPRETED, reason="needs the compiler"),
    pytest.mark.timeout(300),
]


def fuzz(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FUZZ), "--failures", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=280)


def test_a_minute(tmp_path: Path) -> None:
    """Kernels of a fixed seed; as many as fit in the time, but always the same ones first."""
    run = fuzz(tmp_path, "--seed", "1", "--time", "60")
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr
    kernels = re.search(r"(\d+) kernels in", run.stdout)
    assert kernels and int(kernels[1]) > 100, run.stdout[-3000:]


@pytest.mark.parametrize("bug", ["promotion", "overlap", "bounds"])
def test_finds_a_seeded_bug(tmp_path: Path, bug: str) -> None:
    """A wrong promotion, a wrong overlap direction, a missed bounds check."""
    if bug == "overlap" and "\nslice store: supported" not in fuzz(tmp_path, "--list").stdout:
        pytest.skip("this compiler has no slice stores")
    run = fuzz(tmp_path, "--seed", "5", "--time", "90", "--stop-after", "1", "--seeded-bug", bug, "--reduce", "0")
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr
    assert list(tmp_path.iterdir())


def test_grammar(tmp_path: Path) -> None:
    """Every construct, run by the reference alone: no kernel is nonsense to Python."""
    run = fuzz(tmp_path, "--seed", "3", "--count", "1500", "--reference-only", "--least", "1", "--reduce", "0")
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr


def test_a_number_makes_the_same_kernel(tmp_path: Path) -> None:
    shown = [fuzz(tmp_path, "--seed", "9", "--first", "17", "--show").stdout for _ in range(2)]
    assert shown[0] == shown[1] and "def f(" in shown[0]


SOURCE = """
@jit
def f(a, i, x):
    print("x", x)
    y = a[i] * 2.0
    if i > 5:
        raise ValueError("far")
    a[0] = y
    return y, x + 1, a[1:2]
"""


def one_kernel(source: str = SOURCE, i: int = 1) -> dict[str, object]:
    view = {"block": 0, "dtype": "f4", "shape": [3], "strides": [4], "offset": 4, "writeable": True}
    block = {"dtype": "f4", "values": ["0.0", "1.5", "2.5", "-1.0", "9.0"]}
    spec = {"memory": [block], "arrays": {"a": view}, "scalars": {"i": str(i), "x": "0.5"}}
    return {"source": source, "names": ["a", "i", "x"], "sets": [spec], "sinks": {}, "captured": []}


def changed(old: str, new: str, i: int = 1) -> Checked:
    """What the comparison says if the compiler had made `new` of `old`."""

    def seed(plain: str, jit: object) -> tuple[str, object]:
        assert old in plain
        return plain.replace(old, new), jit

    return check(one_kernel(i=i), "<one>", lambda f: f, {}, lambda: 0, seed)


def test_no_difference() -> None:
    for i in (1, 7):
        assert changed("a", "a", i).difference is None


@pytest.mark.parametrize(
    ("old", "new", "i", "kind"),
    [
        ("a[i] * 2.0", "np.nextafter(a[i] * np.float32(2), np.float32(9))", 1, "value"),
        ("x + 1, a", "np.float64(x + 1), a", 1, "type"),
        ("a[i] * 2.0", "a[i] * np.float64(2.0)", 1, "type"),
        ("return y, x + 1, a[1:2]", "return y, x + 1, a[1:2].copy()", 1, "value"),
        ("    a[0] = y", "    a[0] = y; a[2] = 0", 1, "memory"),
        ("a[i] * 2.0", "a[min(i, 2)] * 2.0", 7, "exception"),
        ("a[i] * 2.0", "a[i + 1] * 2.0", 7, "message"),
        ("    y = a[i]", "\n    y = a[i]", 7, "line"),
        ('"x", x', '"x", x, ""', 1, "printed"),
    ],
)
def test_what_counts_as_a_difference(old: str, new: str, i: int, kind: str) -> None:
    found = changed(old, new, i).difference
    assert found is not None and found.kind == kind, found


def test_blocks_that_stay() -> None:
    counts = iter((3, 4, 4, 4))
    found = check(one_kernel(), "<one>", lambda f: f, {}, functools.partial(next, counts)).difference
    assert found is not None and found.kind == "leak"


def test_reducer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what the failure needs is left."""
    reducer = Reducer(one_kernel(), "value", "", None, 60)  # type: ignore[arg-type]

    def fails(kernel: dict[str, str]) -> bool:
        return "a[i] * 2.0" in kernel["source"]

    monkeypatch.setattr(reducer, "fails", fails)
    source = reducer.run()["source"]
    assert "a[i] * 2.0" in source and "print" not in source and "raise" not in source, source
