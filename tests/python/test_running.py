"""While a kernel runs: printing, Ctrl-C, threads, and the buffers of its requests."""

from __future__ import annotations

import gc
import sys
import threading
import weakref

import numpy as np
import pytest
from conftest import Launcher

from mpijit import jit, mpi

pytestmark = pytest.mark.compiled


# ---- printing and signals --------------------------------------------------------------------------------


def test_print_goes_through_sys_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    @jit
    def kernel(x, y, u):
        print("x is", x, y, sep="|", end="!\n")
        print(u, (x, y))
        print()

    u = np.arange(3.0)
    kernel(1, np.float32(0.1), u)
    compiled = capsys.readouterr().out
    kernel.py_func(1, np.float32(0.1), u)
    assert compiled == capsys.readouterr().out


def test_an_error_of_print_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def write(self, text):
            raise OSError("the pipe is broken")

        def flush(self):
            pass

    @jit
    def kernel(x):
        print(x)

    kernel(1)
    monkeypatch.setattr(sys, "stdout", Broken())
    with pytest.raises(OSError, match="the pipe is broken"):
        kernel(1)


def test_kernels_called_while_one_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    @jit
    def inner(x):
        return mpi.allreduce(x) + 1

    @jit
    def outer(x):
        print(x)
        return mpi.allreduce(x)

    seen = []

    class Calls:
        def write(self, text):
            if text.strip():
                seen.append(inner(int(text)))

        def flush(self):
            pass

    monkeypatch.setattr(sys, "stdout", Calls())
    assert outer(5) == 5
    assert seen == [6]


INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from mpijit import jit, mpi

@jit
def spin(u, communicate):
    if communicate:
        mpi.barrier()
    i = 0
    while u[0] == 0.0:
        i += 1
        if i > 1000:
            i = 0
    return i

u = np.zeros(1)
u[0] = 1.0
spin(u, {communicate})
u[0] = 0.0
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
started = time.monotonic()
try:
    spin(u, {communicate})
except KeyboardInterrupt:
    assert time.monotonic() - started < 3
    u[0] = 1.0
    assert spin(u, {communicate}) == 0
    print("interrupted")
"""


@pytest.mark.parametrize("communicate", [True, False])
def test_interrupt(launch: Launcher, communicate: bool) -> None:
    run = launch(None, INTERRUPTED.format(communicate=communicate), timeout=30)
    assert run.out == "interrupted\n", run.text


def test_handlers_of_the_user_run(launch: Launcher) -> None:
    handler = "class Mine(Exception): pass\ndef handler(*_): raise Mine\nsignal.signal(signal.SIGINT, handler)\n"
    code = INTERRUPTED.replace("u = np.zeros(1)", handler + "u = np.zeros(1)")
    code = code.replace("except KeyboardInterrupt", "except Mine")
    run = launch(None, code.format(communicate=True), timeout=30)
    assert run.out == "interrupted\n", run.text


def test_a_stale_interrupt_is_harmless(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import os, signal
        from mpijit import jit

        @jit
        def count(n):
            i = 0
            while i < n:
                i += 1
            return i

        assert count(10) == 10
        try:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000): pass
        except KeyboardInterrupt:
            pass
        assert count(100000) == 100000
        """,
    )
    run.check()


# ---- threads ---------------------------------------------------------------------------------------------


def test_threads_compile_once_and_agree() -> None:
    @jit
    def kernel(u, n):
        s = 0.0
        for i in range(n):
            s += u[i]
        return s

    u = np.arange(100.0)
    results: list[float] = []
    barrier = threading.Barrier(6)

    def work() -> None:
        barrier.wait()
        for _ in range(200):
            results.append(kernel(u, 100))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [4950.0] * 1200
    assert len(kernel.signatures) == 1


# ---- requests --------------------------------------------------------------------------------------------


def test_requests_keep_borrowed_arrays_alive() -> None:
    @jit
    def start(u):
        return mpi.isend(u, 0, 31)

    u = np.full(100_000, 3.0)  # too long to be sent at once
    request = start(u)
    assert type(request) is mpi.Request
    alive = weakref.ref(u)
    del u
    gc.collect()
    assert alive() is not None
    got = np.zeros(100_000)
    assert mpi.recv(got, 0, 31).count == 100_000 and (got == 3).all()
    mpi.wait(request)
    assert alive() is None
