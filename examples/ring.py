"""Pass arrays round a ring of ranks with nonblocking messages, and add them up on the way.

The idea: requests are values. A kernel starts a send and a receive, may work meanwhile, and completes both
with `waitall`. Every rank puts one array into the ring. At each of `size` steps it sends the array it holds
to the right and receives its left neighbour's; meanwhile it adds the one it holds to its sum. In the end
every array has been everywhere and is back home, and every rank holds the same sum.

    python examples/ring.py
    mpiexec -n 3 python examples/ring.py --n 100000
"""

import argparse
import os

import numpy as np

from mpijit import jit, mpi

INTERPRETED = os.environ.get("MPIJIT_DISABLE_JIT", "0") not in ("", "0")


@jit
def add(total, part):
    for i in range(len(total)):
        total[i] += part[i]


@jit
def round_the_ring(token, total):
    rank = mpi.rank()
    size = mpi.size()
    right = (rank + 1) % size
    left = (rank - 1) % size
    incoming = np.empty_like(token)
    for step in range(size):
        receiving = mpi.irecv(incoming, left, step)
        sending = mpi.isend(token, right, step)
        add(total, token)  # reading an array that is being sent is fine; writing to it is not
        mpi.waitall((receiving, sending))
        token, incoming = incoming, token
    return token


def main() -> None:
    """Run the ring and check what every rank holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, help="elements per array (default 1000000; interpreted 1000)")
    options = parser.parse_args()
    n = options.n or (1000 if INTERPRETED else 1_000_000)

    rank, size = mpi.rank(), mpi.size()
    if rank == 0:
        print(f"{size} rank{'s' * (size > 1)}, arrays of {n} numbers", end="")
        print(", interpreted (MPIJIT_DISABLE_JIT), hence short" if INTERPRETED and not options.n else "")

    # Rank r puts in r + 1 times 0, 1, 2, ...; the factors 1 to size add up to size (size + 1) / 2. Whole
    # numbers, so the sums are exact in whatever order they are made.
    mine = (rank + 1) * np.arange(float(n))
    total = np.zeros(n)
    start = mpi.wtime()
    home = round_the_ring(mine, total)
    seconds = mpi.wtime() - start

    right_sum = np.array_equal(total, size * (size + 1) // 2 * np.arange(float(n)))
    came_home = np.array_equal(home, (rank + 1) * np.arange(float(n)))
    everywhere = mpi.allreduce(int(right_sum and came_home), op=mpi.MIN)
    if rank == 0:
        print("check: every rank holds the sum, and its own array again:", "yes" if everywhere else "NO")
        print(f"time: {1e3 * seconds:.1f} ms, compilation included")
    if not everywhere:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
