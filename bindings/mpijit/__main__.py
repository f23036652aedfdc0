"""``python -m mpijit info``: what this installation consists of, for a report or a first look."""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import textwrap
from collections.abc import Iterator

import numpy as np

import mpijit
from mpijit import _core

_FEATURES = ("sse4.2", "avx", "avx2", "fma", "avx512f", "avx512bw", "avx512vl", "amx-tile")
"""The CPU features that matter for kernels, of the many there are."""

_LAUNCHERS = (
    ("PMI_SIZE", "PMI_RANK", "PMI"),
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM"),
)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m mpijit", description=mpijit.__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("info", help="show versions, the MPI library, the CPU, and what looks wrong")
    parser.parse_args()
    if mpijit.mpi.rank() == 0:
        print(info())


def info() -> str:
    """The text of ``python -m mpijit info``. Initialises MPI."""
    lines = [f"{label + ':':14}{value}" for label, value in _facts()]
    return "\n".join(lines + [f"\nwarning: {text}" for text in warnings()])


def _facts() -> Iterator[tuple[str, str]]:
    compiler = _compiler_versions()
    mpi = mpijit.mpi
    launcher = _launcher()
    version = [line.split(":", 1) for line in _core.library_version().splitlines() if ":" in line]
    named = {key.strip(): value.strip() for key, value in version}
    yield "mpijit", mpijit.__version__
    yield "Python", f"{platform.python_version()} ({platform.platform(terse=True)})"
    yield "NumPy", np.__version__
    yield "LLVM", compiler["llvm"]
    yield "MPI", f"MPICH {named['MPICH Version']}" if "MPICH Version" in named else _core.library_version()
    yield "MPI library", _core.library_path()
    size = mpi.size()
    level = _core.thread_level()
    yield "thread level", level
    yield "ranks", f"{size} ({launcher[0]} launcher, size {launcher[1]})" if launcher else f"{size} (no launcher)"
    yield "cores", f"{cores()} for this process"
    yield "CPU", compiler["cpu"]
    yield "CPU features", _features(compiler["features"])
    yield "GPU driver", _gpu_driver()


def _compiler_versions() -> dict[str, str]:
    try:
        from mpijit import _compiler
    except ImportError as error:
        return {"llvm": f"cannot be loaded: {error}", "cpu": "unknown", "features": ""}
    return _compiler.versions()


def _features(features: str) -> str:
    present = {feature[1:] for feature in features.split(",") if feature.startswith("+")}
    return " ".join(feature for feature in _FEATURES if feature in present) or "none of note"


def _gpu_driver() -> str:
    """The CUDA version that the installed NVIDIA driver supports, or "none"."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "none"
    version = ctypes.c_int()
    if driver.cuDriverGetVersion(ctypes.byref(version)) != 0:
        return "present, but does not answer"
    return f"CUDA {version.value // 1000}.{version.value % 1000 // 10}"


def _launcher() -> tuple[str, int] | None:
    """The launcher that started this process, with the number of ranks it says there are."""
    for size, rank, name in _LAUNCHERS:
        if size in os.environ and rank in os.environ:
            return name, int(os.environ[size])
    return None


def cores() -> int:
    """How many cores this process may run on."""
    return len(os.sched_getaffinity(0))


def ranks_here() -> int:
    """How many ranks the launcher says it started on this machine; all of them when it does not say."""
    local = os.environ.get("MPI_LOCALNRANKS") or os.environ.get("OMPI_COMM_WORLD_LOCAL_SIZE")
    return int(local) if local else mpijit.mpi.size()


def warnings() -> list[str]:
    """What looks wrong, each with what to do about it."""
    found = []
    launcher = _launcher()
    if launcher and launcher[1] > 1 and mpijit.mpi.size() == 1:
        found.append(
            f"a launcher of {launcher[0]} started {launcher[1]} processes, but each is alone in the MPI it uses, "
            f"{_core.library_path()}: launcher and library belong to different MPIs. Use the mpiexec that comes "
            "with that library."
        )
    if ranks_here() > cores():
        found.append(
            f"{ranks_here()} ranks share {cores()} cores on this machine: ranks that wait in MPI take time from "
            "those that compute. Start fewer, or expect it to be slow."
        )
    if _core.thread_level() == "multiple" and os.environ.get("MPIJIT_THREAD_LEVEL") != "multiple":
        found.append(
            "MPI runs at thread level multiple, which makes barrier, bcast and allreduce 2 to 3 times slower on "
            "MPICH. If mpi4py initialised it, set MPI4PY_RC_THREAD_LEVEL=serialized."
        )
    return [textwrap.fill(text, 100, subsequent_indent="  ") for text in found]


if __name__ == "__main__":
    main()
