"""What examples/hello.py is compared with: the same greeting in plain Python, by NumPy and mpi4py."""

import sys

import numpy as np
from mpi4py import MPI

sys.stdout.reconfigure(line_buffering=True)
world = MPI.COMM_WORLD
token = np.zeros(1)
if world.rank > 0:
    world.Recv(token, world.rank - 1)
print("Hello from rank", world.rank, "of", world.size)
if world.rank < world.size - 1:
    world.Send(token, world.rank + 1)
