"""The MPI routines over dtypes and layouts: from plain Python and in kernels, compiled and interpreted.

The cases are programs that loop: one launch checks hundreds.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Launcher

pytestmark = pytest.mark.timeout(180)

MODES = {
    "plain": ("plain", "0"),
    "interpreted": ("kernels", "1"),
    "compiled": ("kernels", "0"),
}


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize(
    "mode", [pytest.param(m, marks=pytest.mark.compiled if m == "compiled" else ()) for m in MODES]
)
@pytest.mark.parametrize("name", ["point_to_point.py", "collectives.py"])
def test_routines(launch: Launcher, program: Callable[[str], Path], name: str, mode: str, ranks: int) -> None:
    word, disabled = MODES[mode]
    run = launch(ranks, program(name), word, env={"MPIJIT_DISABLE_JIT": disabled}, timeout=150).check()
    assert run.out.count("cases") == ranks, run.text


def test_environment(launch: Launcher) -> None:
    run = launch(
        2,
        """
        from mpijit import mpi

        assert not mpi.initialized() and not mpi.finalized()
        rank, size = mpi.rank(), mpi.size()
        assert mpi.initialized() and 0 <= rank < size == 2
        assert mpi.COMM_WORLD.rank == rank and mpi.COMM_WORLD.size == size
        assert mpi.query_thread() == mpi.THREAD_SERIALIZED
        first = mpi.wtime()
        assert isinstance(first, float) and mpi.wtime() >= first
        assert mpi.processor_name()
        """,
    )
    run.check()


def test_requests_are_values(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import gc, weakref
        import numpy as np
        from mpijit import mpi

        # The buffer lives as long as the request needs it, the scalar too.
        big = np.ones(300_000)
        request = mpi.isend(big, 0)
        alive = weakref.ref(big)
        del big
        gc.collect()
        assert alive() is not None
        got = np.empty(300_000)
        other = mpi.irecv(got, 0)
        assert request != other and request == request and len({request, other}) == 2
        mpi.waitall([request, other])
        assert got.sum() == 300_000
        assert alive() is None
        assert mpi.wait(request) == mpi.wait(mpi.REQUEST_NULL)  # twice is harmless
        mpi.waitall((request, other, mpi.REQUEST_NULL))
        mpi.waitall(())

        request = mpi.isend(17, 0)
        got = np.zeros((), np.int64)
        mpi.recv(got)
        mpi.wait(request)
        assert got == 17
        """,
    )
    run.check()


def test_scalars_as_data(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import numpy as np
        from mpijit import mpi

        for value in (True, 3, 2.5, 1 + 2j, np.float32(1.5), np.uint8(7), np.complex64(1j), np.array(4.0)):
            request = mpi.isend(value, 0)
            got = np.zeros((), np.asarray(value).dtype)
            mpi.recv(got)
            mpi.wait(request)
            assert got == value, value
        assert type(mpi.allreduce(True, op=mpi.LOR)) is bool
        assert type(mpi.allreduce(2)) is int
        assert type(mpi.allreduce(2.0)) is float
        assert type(mpi.allreduce(np.float32(2))) is np.float32
        assert type(mpi.allreduce(np.array(2.0))) is np.float64
        assert mpi.allreduce(np.zeros(0)).shape == (0,)
        """,
    )
    run.check()
