"""Integrate 4 / (1 + x^2) over [0, 1], which is pi, again and again, with an allreduce each time.

The idea: what it costs to leave compiled code for each MPI call. The same sums are made twice:

- *inside*: one kernel does all repetitions, MPI calls included;
- *outside*: Python does the repetitions; each calls a kernel for the rank's part of the sum, comes back, and
  calls allreduce from Python (mpi4py's `Allreduce` on NumPy buffers where it is installed, else mpijit's).

The sum is the midpoint rule for f(x) = 4 / (1 + x^2): pi = sum over i of h f(x_i) with h = 1 / n and
x_i = (i + 1/2) h. Its error is h^2 / 24 |f'(1) - f'(0)| = h^2 / 12 in leading order (Euler and Maclaurin; see
Davis and Rabinowitz, "Methods of Numerical Integration", 2nd edition, 1984). Rank r takes the terms r,
r + size, r + 2 size, ...

    python examples/pi.py
    mpiexec -n 2 python examples/pi.py --n 1000 --repetitions 10000
"""

import argparse
import math
import os

import numpy as np

from mpijit import jit, mpi

try:
    import mpi4py
except ImportError:
    mpi4py = None

INTERPRETED = os.environ.get("MPIJIT_DISABLE_JIT", "0") not in ("", "0")


@jit
def part_of_pi(n, rank, size):
    h = 1.0 / n
    total = 0.0
    for i in range(rank, n, size):
        x = (i + 0.5) * h
        total += 4.0 / (1.0 + x * x)
    return total * h


@jit
def inside(n, repetitions):
    rank = mpi.rank()
    size = mpi.size()
    worst = 0.0
    for repetition in range(repetitions):
        value = mpi.allreduce(part_of_pi(n, rank, size))
        worst = max(worst, abs(value - math.pi))
    return worst


def outside(n, repetitions):
    """Do what `inside` does, the loop and the allreduce in Python."""
    rank, size = mpi.rank(), mpi.size()
    if mpi4py is not None:
        from mpi4py import MPI

        allreduce = MPI.COMM_WORLD.Allreduce
    else:
        allreduce = mpi.allreduce
    part, value = np.empty(1), np.empty(1)
    worst = 0.0
    for repetition in range(repetitions):
        part[0] = part_of_pi(n, rank, size)
        allreduce(part, value)
        worst = max(worst, abs(float(value[0]) - math.pi))
    return worst


def timed(function, n, repetitions):
    """Return the worst error and the seconds of the slowest rank, best of three."""
    best = math.inf
    for attempt in range(3):
        mpi.barrier()
        start = mpi.wtime()
        worst = function(n, repetitions)
        best = min(best, mpi.allreduce(mpi.wtime() - start, op=mpi.MAX))
    return worst, best


def main() -> None:
    """Time both ways and check the value."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, help="terms of the sum (default 500; interpreted 100)")
    parser.add_argument("--repetitions", type=int, help="sums (default: half a second's, at most 10000)")
    options = parser.parse_args()
    n = options.n or (100 if INTERPRETED else 500)

    if mpi4py is not None:
        mpi4py.rc.thread_level = "serialized"  # mpijit's level too, so both sides pay the same

    inside(n, 1)  # compiles
    outside(n, 1)
    repetitions = options.repetitions
    if repetitions is None:
        # Where ranks share cores an allreduce waits for the scheduler: a trial says how many to afford.
        _, seconds = timed(inside, n, 10)
        repetitions = min(10_000, max(10, int(0.5 * 10 / seconds)))

    rank, size = mpi.rank(), mpi.size()
    if rank == 0:
        print(f"{size} rank{'s' * (size > 1)}, {repetitions} sums of {n} terms", end="")
        print(", interpreted (MPIJIT_DISABLE_JIT), hence few" if INTERPRETED and not options.n else "")

    error_inside, time_inside = timed(inside, n, repetitions)
    error_outside, time_outside = timed(outside, n, repetitions)

    # The method's error, doubled, and the rounding of n terms.
    bound = 2 / (12 * n * n) + n * np.finfo(float).eps * math.pi
    right = error_inside <= bound and error_outside <= bound
    if rank == 0:
        other = "mpi4py" if mpi4py is not None else "mpijit, called from Python"
        print(f"check: |value - pi| = {error_inside:.1e}, at most {bound:.1e}:", "yes" if right else "NO")
        for name, seconds in (("inside one kernel", time_inside), (f"outside, {other}", time_outside)):
            print(f"{name + ':':40}{seconds:8.4f} s {1e6 * seconds / repetitions:8.2f} us a sum")
        print(f"{'ratio outside / inside:':40}{time_outside / time_inside:8.2f}")
    if not right:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
