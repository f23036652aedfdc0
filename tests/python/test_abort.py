"""When a rank dies, the job ends within 5 seconds with that rank's trace; the others do not hang."""

from __future__ import annotations

import signal
import time

import pytest
from conftest import Launcher, Run

pytestmark = pytest.mark.timeout(60)

LIMIT = 5.0


def ends(run: Run, *texts: str) -> Run:
    assert run.code != 0, run.text
    assert run.seconds < LIMIT, f"{run.seconds} s\n{run.text}"
    for text in texts:
        assert text in run.err, run.text
    return run


@pytest.mark.parametrize("ranks", [2, 3])
def test_raise_in_the_middle(launch: Launcher, ranks: int) -> None:
    run = launch(
        ranks,
        """
        import numpy as np
        from mpijit import mpi

        def inner():
            raise ValueError("the trace of rank 0")

        mpi.barrier()
        if mpi.rank() == 0:
            inner()
        mpi.recv(np.zeros(1), 0, 77)
        """,
    )
    ends(run, "Traceback", "in inner", "ValueError: the trace of rank 0")


def test_raise_before_initialising(launch: Launcher) -> None:
    run = launch(
        3,
        """
        import os
        import mpijit
        from mpijit import mpi

        if os.environ["PMI_RANK"] == "1":
            raise LookupError("rank 1 never initialised")
        mpi.barrier()
        """,
    )
    ends(run, "LookupError: rank 1 never initialised")


def test_raise_when_nobody_initialises(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import os
        import mpijit

        if os.environ["PMI_RANK"] == "1":
            raise LookupError("rank 1 is alone in this")
        """,
    )
    ends(run, "LookupError: rank 1 is alone in this")


@pytest.mark.parametrize("initialise", [True, False])
@pytest.mark.parametrize("how", ["sys.exit(3)", "raise SystemExit(3)", "exit(3)", "sys.exit('a message')"])
def test_exit_with_a_status(launch: Launcher, how: str, initialise: bool) -> None:
    run = launch(
        2,
        f"""
        import os, sys
        from mpijit import mpi

        if {initialise}:
            mpi.barrier()
        if os.environ["PMI_RANK"] == "0":
            {how}
        mpi.barrier()
        """,
    )
    ends(run)
    if "message" in how:
        assert "a message" in run.err
    else:
        assert run.code == 3, run.text


@pytest.mark.parametrize(
    "first", ["from mpi4py import MPI; from mpijit import mpi", "from mpijit import mpi; import mpi4py.MPI"]
)
def test_exit_beside_mpi4py(launch: Launcher, first: str) -> None:
    run = launch(
        2,
        f"""
        import sys
        {first}
        mpi.barrier()
        try:
            sys.exit(4)
        except SystemExit as error:
            assert error.code == 4 and repr(error) == "SystemExit(4)"
        mpi.barrier()
        if mpi.rank() == 0:
            sys.exit(3)
        mpi.barrier()
        """,
    )
    assert ends(run).code == 3, run.text


def test_caught_exits_beside_mpi4py(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import sys
        from mpi4py import MPI
        from mpijit import mpi

        mpi.barrier()
        try:
            sys.exit(3)
        except SystemExit as error:
            kept = error
        def main():
            try:
                sys.exit("no")
            except SystemExit:
                pass
        main()
        if mpi.rank() == 0:
            sys.exit()
        sys.exit(0)
        """,
    )
    run.check()


def test_good_endings_do_not_abort(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import atexit, sys
        from mpijit import mpi

        atexit.register(lambda: print("sum", mpi.allreduce(1), flush=True))  # MPI still works here
        try:
            sys.exit(3)
        except SystemExit:
            pass
        if mpi.rank() == 1:
            sys.exit(0)
        """,
    )
    run.check()
    assert run.out.count("sum 2") == 2


def test_assertion_in_the_runtime(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import numpy as np
        from mpijit import mpi

        if mpi.rank() == 1:
            mpi.send(np.zeros(3), 17)
        mpi.barrier()
        """,
    )
    ends(run, "ValueError: send: dest is 17", "mpi.send(np.zeros(3), 17)")


def test_interrupt_of_the_launcher(launch: Launcher) -> None:
    process = launch.start(
        2,
        """
        import time
        from mpijit import mpi

        mpi.barrier()
        print("ready", flush=True)
        while True:
            time.sleep(0.01)
        """,
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    run = launch.finish(process, 20)
    assert run.code != 0 and run.seconds < LIMIT, run.text


def test_interrupt_of_one_rank(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import os, signal, time
        import numpy as np
        from mpijit import mpi

        mpi.barrier()
        if mpi.rank() == 0:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        mpi.recv(np.zeros(1), 0, 77)
        """,
    )
    ends(run, "KeyboardInterrupt")


def test_previous_hook_is_called(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import sys

        sys.excepthook = lambda kind, error, trace: print("the user's hook:", error, file=sys.stderr)
        from mpijit import mpi

        mpi.barrier()
        if mpi.rank() == 1:
            raise ValueError("seen")
        mpi.barrier()
        """,
    )
    ends(run, "the user's hook: seen")


def test_later_hook_does_not_hang(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import sys
        from mpijit import mpi

        sys.excepthook = lambda kind, error, trace: print("a later hook:", error, file=sys.stderr)
        mpi.barrier()
        if mpi.rank() == 1:
            raise ValueError("seen")
        mpi.barrier()
        """,
    )
    ends(run, "a later hook: seen")


def test_switched_off(launch: Launcher) -> None:
    process = launch.start(
        2,
        """
        import sys
        from mpijit import mpi

        assert sys.excepthook is sys.__excepthook__
        mpi.barrier()
        if mpi.rank() == 1:
            mpi.send(0, 0)
            raise ValueError("alone")
        import numpy as np
        mpi.recv(np.zeros((), int), 1)
        """,
        env={"MPIJIT_EXCEPTHOOK": "0"},
    )
    run = launch.finish(process, 30)
    assert "ValueError: alone" in run.err
    assert "Abort" not in run.err, run.text


def test_one_process_just_ends(launch: Launcher) -> None:
    run = launch(None, "from mpijit import mpi\nmpi.barrier()\nraise SystemExit(4)")
    assert run.code == 4 and not run.err, run.text
    run = launch(None, "from mpijit import mpi\nmpi.barrier()\n1 / 0")
    assert run.code == 1 and "ZeroDivisionError" in run.err and "Abort" not in run.err, run.text


def test_children_do_not_abort_the_job(launch: Launcher) -> None:
    run = launch(
        2,
        """
        import os, subprocess, sys
        from mpijit import mpi

        mpi.barrier()
        child = subprocess.run([sys.executable, "-c", "import mpijit; raise SystemExit(5)"])
        assert child.returncode == 5
        pid = os.fork()
        if pid == 0:
            sys.exit(6)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 6
        pid = os.fork()
        if pid == 0:
            raise ValueError("in the child")
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1
        assert mpi.allreduce(1) == 2
        print("fine", flush=True)
        """,
    )
    run.check()
    assert run.out.count("fine") == 2


def test_trace_is_never_lost(launch: Launcher) -> None:
    """The launcher reads what was printed before the job is aborted."""
    started = time.monotonic()
    for _ in range(8):
        run = launch(2, "from mpijit import mpi\nmpi.barrier()\nif mpi.rank(): raise ValueError('told')\nmpi.barrier()")
        assert "ValueError: told" in run.err, run.text
    assert time.monotonic() - started < 8 * LIMIT
