"""Who initialises and finalises MPI, beside mpi4py, in forked processes, and with which library."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from conftest import Launcher

LIBMPI = Path(sys.prefix) / "lib" / "libmpi.so.12"


def test_import_does_not_initialise(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import mpijit
        from mpijit import mpi
        assert not mpi.initialized()
        assert "mpi4py" not in __import__("sys").modules
        """,
    )
    run.check()


ORDERS = {
    "mpi4py first": "from mpi4py import MPI; from mpijit import mpi; assert MPI.Is_initialized()",
    "mpijit first": "from mpijit import mpi; mpi.barrier(); from mpi4py import MPI",
    "imported first": "from mpijit import mpi; from mpi4py import MPI; mpi.barrier()",
    "mpi4py without": "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; from mpijit import mpi",
}


@pytest.mark.parametrize("order", ORDERS)
def test_beside_mpi4py(launch: Launcher, order: str) -> None:
    run = launch(
        2,
        f"""
        import numpy as np
        {ORDERS[order]}
        rank, size = mpi.rank(), mpi.size()
        comm = MPI.COMM_WORLD
        assert (rank, size) == (comm.rank, comm.size)
        got = np.zeros(3)
        if rank == 0:
            mpi.send(np.arange(3.0), 1, 5)
            comm.Recv(got, 1, 6)
        else:
            comm.Recv(got, 0, 5)
            mpi.send(got, 0, 6)
        assert got.tolist() == [0, 1, 2]
        print("done", flush=True)
        """,
    )
    run.check()
    assert run.out.count("done") == 2 and not run.err, run.text


def test_ranks_end_well_whoever_is_first(launch: Launcher) -> None:
    # Finalising too late, after MPI's own exit handlers, made the launcher kill the slower ranks in one run of ten.
    for _ in range(12):
        launch(3, "from mpijit import mpi; mpi.barrier()").check()


@pytest.mark.parametrize("level", ["single", "funneled", "serialized", "multiple"])
def test_thread_level(launch: Launcher, level: str) -> None:
    run = launch(
        None,
        f"""
        from mpijit import mpi
        assert mpi.query_thread() == mpi.THREAD_{level.upper()}
        """,
        env={"MPIJIT_THREAD_LEVEL": level},
    )
    run.check()


def test_unknown_thread_level(launch: Launcher) -> None:
    run = launch(None, "from mpijit import mpi\nmpi.rank()", env={"MPIJIT_THREAD_LEVEL": "many"})
    assert run.code == 1 and "ValueError" in run.err and "MPIJIT_THREAD_LEVEL" in run.err, run.text


def test_level_of_mpi4py_is_kept(launch: Launcher) -> None:
    run = launch(None, "from mpi4py import MPI\nfrom mpijit import mpi\nassert mpi.query_thread() == 3")
    run.check()


@pytest.mark.parametrize("level", ["serialized", "multiple"])
def test_python_threads(launch: Launcher, level: str) -> None:
    """Several threads may use MPI; with multiple they may talk to each other."""
    run = launch(
        None,
        """
        import sys, threading
        import numpy as np
        from mpijit import mpi

        def talk(tag, results):
            for i in range(200):
                got = np.zeros(3)
                request = mpi.isend(np.full(3, float(tag)), 0, tag)
                mpi.recv(got, 0, tag)
                mpi.wait(request)
                assert (got == tag).all()
                assert mpi.allreduce(i) == i if tag == 0 else True
            results.append(tag)

        results = []
        threads = [threading.Thread(target=talk, args=(tag, results)) for tag in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert sorted(results) == [0, 1, 2, 3]
        """,
        env={"MPIJIT_THREAD_LEVEL": level},
    )
    run.check()


def test_threads_of_one_process_wait_for_each_other(launch: Launcher) -> None:
    """Needs THREAD_MULTIPLE: below it a blocking call keeps the others out."""
    run = launch(
        None,
        """
        import threading, time
        import numpy as np
        from mpijit import mpi

        got = np.zeros(1)
        thread = threading.Thread(target=mpi.recv, args=(got,))
        mpi.rank()
        thread.start()
        time.sleep(0.05)
        mpi.send(np.ones(1), 0)
        thread.join()
        assert got[0] == 1
        """,
        env={"MPIJIT_THREAD_LEVEL": "multiple"},
    )
    run.check()


def test_forked_child_cannot_use_it(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import os
        from mpijit import mpi

        mpi.barrier()
        pid = os.fork()
        if pid == 0:
            try:
                mpi.barrier()
            except mpi.Error as error:
                assert "forked" in str(error), error
                raise SystemExit(0)
            raise SystemExit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert mpi.allreduce(1) == 2
        """,
    )
    run.check()


def test_fork_before_initialising(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import os
        from mpijit import mpi

        pid = os.fork()
        if pid == 0:
            raise SystemExit(0)
        os.waitpid(pid, 0)
        assert mpi.allreduce(3) == 3
        """,
    )
    run.check()


def test_named_library(launch: Launcher) -> None:
    code = "import mpijit\nfrom mpijit import _core\nprint(_core.library_path())"
    for variable in ("MPIJIT_LIBMPI", "MPI4PY_LIBMPI"):
        run = launch(None, code, env={variable: str(LIBMPI)}).check()
        assert os.path.samefile(run.out.strip(), LIBMPI)


def test_named_library_is_missing(launch: Launcher) -> None:
    run = launch(None, "import mpijit", env={"MPIJIT_LIBMPI": "/nowhere/libmpi.so.12"})
    assert run.code == 1
    assert "ImportError: mpijit cannot load the MPI library /nowhere/libmpi.so.12" in run.err, run.err


def test_library_of_another_abi(launch: Launcher) -> None:
    other = Path(sys.prefix) / "lib" / "libmpi_abi.so.1"
    if not other.exists():
        pytest.skip("no library of another ABI here")
    run = launch(None, "import mpijit", env={"MPIJIT_LIBMPI": str(other)})
    assert run.code == 1
    assert "is not a library of MPICH's ABI" in run.err and "pip install mpijit[mpich]" in run.err, run.err


def test_no_library(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import ctypes, os.path, sys

        open_library = ctypes.CDLL
        def without_mpi(name, *args, **kwargs):
            if "libmpi" in str(name):
                raise OSError("not found")
            return open_library(name, *args, **kwargs)

        exists = os.path.exists
        os.path.exists = lambda path: "libmpi" not in str(path) and exists(path)
        ctypes.CDLL = without_mpi
        import mpijit
        """,
    )
    assert run.code == 1
    assert "ImportError: mpijit found no MPI library" in run.err and "pip install mpijit[mpich]" in run.err, run.err


def test_second_library_is_refused(launch: Launcher, tmp_path: Path) -> None:
    other = Path(sys.prefix) / "lib" / "libmpi_abi.so.1"
    if not other.exists():
        pytest.skip("no second library here")
    run = launch(
        None,
        f"""
        import ctypes
        from mpijit import mpi

        ctypes.CDLL({str(other)!r})
        try:
            mpi.barrier()
        except RuntimeError as error:
            assert "libmpi.so.12" in str(error) and "libmpi_abi" in str(error), error
        else:
            raise AssertionError("two libraries were accepted")
        """,
    )
    run.check()


def test_other_launcher_is_noticed(launch: Launcher) -> None:
    run = launch(
        None,
        "from mpijit import mpi\nassert mpi.size() == 1",
        env={"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"},
    ).check()
    assert "Open MPI" in run.err and "libmpi.so.12" in run.err, run.err
