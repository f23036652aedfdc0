"""Every rank greets from inside a compiled kernel.

The idea: a kernel knows its rank and the number of ranks, prints, and talks to its neighbours. A token goes
from rank to rank, and a rank greets when it holds it; so the greetings come in rank order.

    python examples/hello.py
    mpiexec -n 3 python examples/hello.py --n 2
"""

import argparse
import sys

import numpy as np

from mpijit import jit, mpi


@jit
def greet(times):
    rank = mpi.rank()
    size = mpi.size()
    token = np.zeros(1)
    for turn in range(times):
        # Round by round: rank 0 starts the token, the last rank hands it back.
        if rank > 0 or turn > 0:
            mpi.recv(token, (rank - 1) % size)
        print("Hello from rank", rank, "of", size)
        if rank < size - 1 or turn < times - 1:
            mpi.send(token, (rank + 1) % size)


def main() -> None:
    """Greet as often as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=1, help="greetings per rank")
    options = parser.parse_args()

    # Under a launcher standard output is a pipe, which Python would fill silently until the end.
    sys.stdout.reconfigure(line_buffering=True)
    greet(options.n)


if __name__ == "__main__":
    main()
