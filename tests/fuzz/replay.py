"""Runs one kernel from a failing file and prints what differs."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from .check import Text, check


def replay(source: str, kernel: dict[str, Any]) -> None:
    """Check a kernel and exit with status 1 if it fails."""
    import mpijit

    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    kernel = {**kernel, "source": source}
    print(Text(kernel, "<kernel>").plain)
    extra = {"overload": mpijit.overload} if hasattr(mpijit, "overload") else {}
    difference = check(kernel, "<kernel>", mpijit.jit, extra, mpijit._core.live_blocks).difference
    if difference is None:
        print("no difference")
        return
    print(f"{difference.kind} (argument set {difference.at}): {difference.detail}")
    sys.exit(1)
