"""The package as a thing: its import, its files, its stubs, what it says of itself, pickling."""

from __future__ import annotations

import copy
import importlib.metadata
import importlib.util
import inspect
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import Launcher

import mpijit
from mpijit import _core, _stubs, jit, mpi

PACKAGE = Path(mpijit.__file__).parent


def test_import_is_light(launch: Launcher) -> None:
    """No LLVM, no MPI session, nothing slow; a little dearer than opening the MPI library, which mpi4py does too."""
    run = launch(
        None,
        """
        import sys, time
        import numpy, ctypes
        with open("/proc/self/maps") as maps:
            assert "libLLVM" not in maps.read()
        started = time.perf_counter()
        ctypes.CDLL(sys.argv[1])
        middle = time.perf_counter()
        import mpijit
        ended = time.perf_counter()
        with open("/proc/self/maps") as maps:
            text = maps.read()
        assert "libLLVM" not in text and "libmpijit_runtime" in text
        assert not mpijit.mpi.initialized()
        for module in ("mpijit._compiler", "mpijit._source", "mpi4py", "importlib.metadata", "dataclasses"):
            assert module not in sys.modules, module
        print(middle - started, ended - middle)
        """,
        str(Path(sys.prefix) / "lib" / "libmpi.so.12"),
    ).check()
    library, package = map(float, run.out.split())
    assert package < max(0.05, 2 * library), f"libmpi {library} s, mpijit {package} s"


def test_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", mpijit.__version__)
    try:
        assert importlib.metadata.version("mpijit") == mpijit.__version__
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("not installed by pip")


def test_libraries_carry_no_path_to_mpi() -> None:
    if not shutil.which("readelf"):
        pytest.skip("no readelf")
    if not importlib.util.find_spec("mpijit") or "site-packages" not in str(PACKAGE):
        pytest.skip("not installed by pip")
    for file in PACKAGE.glob("*.so"):
        text = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True, timeout=20).stdout
        paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", text)
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
        if file.name.startswith("libmpijit_runtime"):
            assert paths == [] and "libmpi.so.12" in needed
        else:
            assert paths == ["$ORIGIN"], (file, paths)
        assert ("libLLVM" in "".join(needed)) == file.name.startswith("_compiler"), (file, needed)


def test_stubs_match_the_table() -> None:
    assert (PACKAGE / "mpi.pyi").read_text() == _stubs.text(), (
        "regenerate it: python -m mpijit._stubs > bindings/mpijit/mpi.pyi"
    )
    assert (PACKAGE / "py.typed").exists()


def test_stub_of_core_is_complete() -> None:
    text = (PACKAGE / "_core.pyi").read_text()
    for name in dir(_core):
        if not name.startswith("__"):
            assert re.search(rf"\b{name}\b", text), name


def test_every_public_name_is_documented_and_exported() -> None:
    for routine in _core.routines:
        assert getattr(mpi, routine.__name__) is routine
        assert routine.__name__ in mpi.__all__
        assert routine.__module__ == "mpijit.mpi"
        text = inspect.getdoc(routine)
        assert text and all(name in text for name, _, _ in routine.parameters)
        assert list(inspect.signature(routine).parameters) == [name for name, _, _ in routine.parameters]
    for name in mpijit.__all__:
        assert hasattr(mpijit, name)
    assert inspect.signature(mpi.send).parameters["comm"].default is mpi.COMM_WORLD
    assert inspect.isroutine(mpi.send)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_of_mpi_names(protocol: int) -> None:
    for value in (mpi.SUM, mpi.COMM_WORLD, mpi.IN_PLACE, mpi.REQUEST_NULL, mpi.send, mpi.Status, mpi.Error):
        assert pickle.loads(pickle.dumps(value, protocol)) is value
        assert copy.copy(value) is value and copy.deepcopy(value) is value
    status = mpi.recv(np.zeros(1), mpi.PROC_NULL)
    assert pickle.loads(pickle.dumps(status, protocol)) == status


def test_requests_are_not_pickled() -> None:
    request = mpi.isend(1, 0)
    mpi.recv(np.zeros((), int))
    mpi.wait(request)
    with pytest.raises(TypeError, match="cannot pickle a Request"):
        pickle.dumps(request)


@jit
def module_kernel(x):
    """Its documentation."""
    return x


class Holder:
    @jit
    def method(self, x):
        return x


def test_kernels_are_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(module_kernel)) is module_kernel
    assert pickle.loads(pickle.dumps(Holder.method)) is Holder.method
    assert copy.copy(module_kernel) is module_kernel and copy.deepcopy(module_kernel) is module_kernel


def test_local_kernels_say_that_they_cannot_be_pickled() -> None:
    @jit
    def local(x):
        return x

    with pytest.raises((pickle.PicklingError, AttributeError), match="local"):
        pickle.dumps(local)


def test_cloudpickle(launch: Launcher) -> None:
    pytest.importorskip("cloudpickle")
    run = launch(
        None,
        """
        import cloudpickle, subprocess, sys
        from mpijit import jit

        @jit
        def kernel(x):
            return x

        code = "import pickle, sys; k = pickle.loads(sys.stdin.buffer.read()); print(k.py_func(7), type(k).__name__)"
        data = cloudpickle.dumps(kernel)
        done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True)
        assert done.stdout == b"7 Kernel\\n", done
        """,
    )
    run.check()


def test_kernel_looks_like_its_function() -> None:
    function = module_kernel.py_func
    assert module_kernel.__name__ == "module_kernel"
    assert module_kernel.__doc__ == "Its documentation."
    assert module_kernel.__module__ == __name__
    assert module_kernel.__wrapped__ is function
    assert inspect.signature(module_kernel) == inspect.signature(function)
    assert repr(module_kernel) == f"<kernel {__name__}.module_kernel>"


def info(launch: Launcher, ranks: int | None, **env: str | None) -> str:
    run = launch(
        ranks, "import runpy, sys\nsys.argv[1:] = ['info']\nrunpy.run_module('mpijit', run_name='__main__')", env=env
    )
    return run.check().out


def test_info(launch: Launcher) -> None:
    text = info(launch, None)
    rows = dict(re.findall(r"^([\w ]+):\s+(.*)$", text, re.MULTILINE))
    assert rows["mpijit"] == mpijit.__version__
    assert rows["NumPy"] == np.__version__
    assert rows["MPI"].startswith("MPICH ")
    assert os.path.exists(rows["MPI library"])
    assert rows["thread level"] == "serialized"
    assert rows["ranks"] == "1 (no launcher)"
    assert {"LLVM", "CPU", "CPU features", "GPU driver", "cores", "Python"} <= set(rows)


@pytest.mark.compiled
def test_info_about_the_compiler(launch: Launcher) -> None:
    rows = dict(re.findall(r"^([\w ]+):\s+(.*)$", info(launch, None), re.MULTILINE))
    assert re.fullmatch(r"19\.\d+\.\d+", rows["LLVM"])
    assert rows["CPU"] and "sse4.2" in rows["CPU features"]


def test_info_on_ranks_speaks_once(launch: Launcher) -> None:
    text = info(launch, 2)
    assert text.count("mpijit:") == 1 and "2 (PMI launcher, size 2)" in text


def test_info_warns(launch: Launcher) -> None:
    text = info(launch, None, OMPI_COMM_WORLD_SIZE="4", OMPI_COMM_WORLD_RANK="0")
    assert "warning: a launcher of Open MPI" in text
    text = info(launch, None, MPI_LOCALNRANKS="4096")
    assert "warning: 4096 ranks share" in text


def test_command_line(launch: Launcher) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mpijit", "--help"], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0 and "info" in done.stdout
