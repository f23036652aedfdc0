"""What wrong calls of MPI functions get: an exception before MPI is entered, in words that name the argument."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import Launcher

from mpijit import mpi

u = np.zeros(4)
readonly = np.zeros(4)
readonly.flags.writeable = False

# The call, the exception, what its text must hold.
WRONG = {
    "rank too large": (lambda: mpi.send(u, 5), ValueError, "dest is 5"),
    "negative rank": (lambda: mpi.send(u, -7), ValueError, "dest is -7"),
    "source": (lambda: mpi.recv(u, 9), ValueError, "source is 9"),
    "root": (lambda: mpi.bcast(u, 1), ValueError, "root is 1"),
    "negative tag": (lambda: mpi.send(u, 0, -3), ValueError, "tag is -3"),
    "rank is a float": (lambda: mpi.send(u, 0.0), TypeError, "dest must be an integer, not 0.0"),
    "tag is None": (lambda: mpi.send(u, 0, None), TypeError, "tag must be an integer"),
    "huge tag": (lambda: mpi.send(u, 0, 2**70), OverflowError, "int"),
    "list": (lambda: mpi.send([1.0], 0), TypeError, "data is a list"),
    "None": (lambda: mpi.send(None, 0), TypeError, "data is None"),
    "huge int": (lambda: mpi.send(2**70, 0), OverflowError, "data is an int beyond 64 bits"),
    "object array": (lambda: mpi.send(np.array([None]), 0), TypeError, "array of Python objects"),
    "byte order": (lambda: mpi.send(np.zeros(2, ">f8"), 0), TypeError, "other byte order"),
    "float16": (lambda: mpi.send(np.zeros(2, np.float16), 0), TypeError, "float16"),
    "long double": (lambda: mpi.allreduce(np.longdouble(1)), TypeError, "scalar"),
    "masked array": (lambda: mpi.send(np.ma.zeros(3), 0), TypeError, "subclass of ndarray"),
    "matrix": (lambda: mpi.recv(np.asmatrix(np.zeros((2, 2))), 0), TypeError, "subclass of ndarray"),
    "structured": (lambda: mpi.send(np.zeros(2, "f8,i4"), 0), TypeError, "structured dtype"),
    "dates": (lambda: mpi.send(np.zeros(2, "M8[s]"), 0), TypeError, "datetime64"),
    "unaligned": (
        lambda: mpi.send(np.zeros(17, np.uint8)[1:].view(np.float64), 0),
        TypeError,
        "not aligned",
    ),
    "receive into a scalar": (lambda: mpi.recv(3.0), TypeError, "must be an array"),
    "receive into a NumPy scalar": (lambda: mpi.irecv(np.float32(3)), TypeError, "must be an array"),
    "receive into read-only": (lambda: mpi.recv(readonly), TypeError, "read-only"),
    "bcast of read-only": (lambda: mpi.bcast(readonly), TypeError, "read-only"),
    "stride 0": (lambda: mpi.recv(np.lib.stride_tricks.as_strided(u, (4,), (0,))), ValueError, "overlap"),
    "overlap": (lambda: mpi.sendrecv(u[:3], 0, u[1:], 0), ValueError, "share memory"),
    "allreduce dtypes": (lambda: mpi.allreduce(u, np.zeros(4, np.float32)), TypeError, "float32"),
    "allreduce sizes": (lambda: mpi.allreduce(u, np.zeros(5)), ValueError, "5"),
    "allreduce overlap": (lambda: mpi.allreduce(u[:3], u[1:]), ValueError, "share memory"),
    "SUM of bool": (lambda: mpi.allreduce(True), TypeError, "bool"),
    "MAX of complex": (lambda: mpi.allreduce(np.zeros(2, complex), op=mpi.MAX), TypeError, "complex128"),
    "operator": (lambda: mpi.allreduce(u, op=0), TypeError, "op must be an operator such as SUM"),
    "communicator": (lambda: mpi.barrier(0), TypeError, "comm must be a communicator such as COMM_WORLD"),
    "in place without recv": (lambda: mpi.allreduce(mpi.IN_PLACE), TypeError, "pass the array to reduce as recv"),
    "wait for a number": (lambda: mpi.wait(0), TypeError, "request must be a request"),
    "waitall of one": (lambda: mpi.waitall(mpi.REQUEST_NULL), TypeError, "tuple or list of requests"),
    "waitall of numbers": (lambda: mpi.waitall((1,)), TypeError, r"requests\[0\] must be a request"),
    "too few": (lambda: mpi.send(u), TypeError, r"send\(\) missing a required argument: 'dest'"),
    "too many": (lambda: mpi.wtime(1), TypeError, r"wtime\(\) takes 0 positional arguments but 1 was given"),
    "unknown keyword": (lambda: mpi.send(u, rank=0), TypeError, "unexpected keyword argument 'rank'"),
    "given twice": (lambda: mpi.send(u, 0, dest=0), TypeError, "multiple values for argument 'dest'"),
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of np.matrix
@pytest.mark.parametrize("case", WRONG)
def test_refused(case: str) -> None:
    call, error, text = WRONG[case]
    with pytest.raises(error, match=text):
        call()


def test_nothing_was_sent() -> None:
    """The refused calls above left no message behind, and the right ones still work."""
    request = mpi.irecv(u)
    mpi.send(np.arange(4.0), 0)
    assert mpi.wait(request).count == 4
    assert u.tolist() == [0, 1, 2, 3]


def test_arguments_by_keyword() -> None:
    request = mpi.isend(tag=4, dest=0, data=3.0, comm=mpi.COMM_WORLD)
    got = np.zeros(())
    assert mpi.recv(got, tag=4, source=0).tag == 4
    mpi.wait(request=request)


def test_integers_of_any_class() -> None:
    request = mpi.isend(1.0, np.int32(0), np.uint8(7))
    assert mpi.recv(np.zeros(1), mpi.ANY_SOURCE, np.int64(7)).tag == 7
    mpi.wait(request)


def test_message_too_long() -> None:
    for target in (np.full(9, -1.0)[:3], np.full((9, 2), -1.0)[:3, 0]):
        request = mpi.isend(np.arange(5.0), 0)
        with pytest.raises(mpi.Error) as caught:
            mpi.recv(target)
        mpi.wait(request)
        error = caught.value
        assert error.routine == "recv"
        assert error.mpi_class > 0
        assert error.error_string
        assert isinstance(error, RuntimeError)
        base = target.base
        assert base is not None and (np.delete(base.reshape(-1), np.s_[:6]) == -1).all()


def test_error_names_the_callers_line(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import numpy as np
        from mpijit import mpi

        def exchange(u):
            return mpi.send(u, 3)

        exchange(np.zeros(3))
        """,
    )
    assert run.code == 1
    assert "line 6, in exchange" in run.err and "return mpi.send(u, 3)" in run.err, run.err
    assert "ValueError: send: dest is 3" in run.err


def test_unwaited_requests_are_reported(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import numpy as np
        from mpijit import mpi

        def forget():
            mpi.irecv(np.zeros(3))

        forget()
        """,
    )
    assert run.code == 0
    assert "never waited for" in run.err and "program0.py:6" in run.err, run.err


def test_after_finalise(launch: Launcher) -> None:
    run = launch(
        None,
        """
        from mpi4py import MPI
        from mpijit import mpi

        mpi.barrier()
        MPI.Finalize()
        for call in (mpi.barrier, mpi.rank, lambda: mpi.COMM_WORLD.size, lambda: mpi.allreduce(1)):
            try:
                call()
            except mpi.Error as error:
                assert "finalised" in str(error), error
            else:
                raise AssertionError("no error")
        """,
    )
    run.check()
