"""The fuzzer for a minute, and the fuzzer itself: does it find bugs that are there?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
    run = fuzz(tmp_path, "--seed", "3", "--count", "600", "--reference-only", "--least", "1", "--reduce", "0")
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr


def test_a_number_makes_the_same_kernel(tmp_path: Path) -> None:
    shown = [fuzz(tmp_path, "--seed", "9", "--first", "17", "--show").stdout for _ in range(2)]
    assert shown[0] == shown[1] and "def f(" in shown[0]
