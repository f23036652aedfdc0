"""Interpreted mode: pdb stops inside a kernel, steps over MPI, and shows what is there."""

from __future__ import annotations

from conftest import Launcher

PROGRAM = """\
import numpy as np
from mpijit import jit, mpi


@jit
def total(u):
    s = 0.0
    for i in range(u.size):
        s += u[i]
    everywhere = mpi.allreduce(s)
    return everywhere


print("result", total(np.arange(4.0)))
"""


def drive(launch: Launcher, *commands: str) -> str:
    path = launch.folder / "debugged.py"
    path.write_text(PROGRAM)
    code = f"import pdb, sys\nsys.argv[:] = ['pdb', {str(path)!r}]\npdb.main()"
    words = "\n".join([*commands, "q", ""])
    run = launch(None, code, env={"MPIJIT_DISABLE_JIT": "1"}, stdin=words)
    return run.text


def test_break_inside_a_kernel(launch: Launcher) -> None:
    text = drive(launch, "b 9", "c", "p i, s, u.shape", "c", "p i, s", "cl 1", "c")
    assert "debugged.py(9)total()" in text, text
    assert "-> s += u[i]" in text
    assert "(0, 0.0, (4,))" in text and "(1, np.float64(0.0))" in text
    assert "result 6.0" in text


def test_step_into_a_kernel_and_over_mpi(launch: Launcher) -> None:
    text = drive(launch, "b 14", "c", "s", "s", "b 10", "c", "s", "p everywhere", "c")
    assert "--Call--" in text and "debugged.py(7)total()" in text, text
    # Stepping at the allreduce does not enter the package: the next stop is the kernel's next line.
    assert "debugged.py(11)total()" in text and "6.0" in text
    assert "mpijit/" not in text.replace("site-packages", "").replace(str(launch.folder), ""), text


def test_traceback_of_an_interpreted_kernel(launch: Launcher) -> None:
    run = launch(
        None,
        """
        import numpy as np
        from mpijit import jit

        @jit
        def kernel(u):
            return u[7]

        kernel(np.zeros(3))
        """,
        env={"MPIJIT_DISABLE_JIT": "1"},
    )
    assert run.code == 1
    assert "line 7, in kernel" in run.err and "return u[7]" in run.err, run.err


def test_the_rest_of_a_kernel_when_interpreted(launch: Launcher) -> None:
    run = launch(
        None,
        """
        from mpijit import jit

        @jit("float64(float64)")
        def kernel(x, y=2):
            return x * y

        kernel.compile("float", "int")
        assert kernel(3.0) == 6.0 and kernel(y=3, x=1) == 3
        assert kernel.signatures == []
        for inspect in (kernel.inspect_ir, kernel.inspect_llvm, kernel.inspect_asm):
            try:
                inspect()
            except RuntimeError as error:
                assert "MPIJIT_DISABLE_JIT" in str(error)
            else:
                raise AssertionError
        """,
        env={"MPIJIT_DISABLE_JIT": "1"},
    )
    run.check()
