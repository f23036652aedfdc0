"""Solve the two-dimensional heat equation on any number of ranks; the time loop, the halo exchange and the
sum of the heat are inside compiled kernels.

The idea: one kernel does a whole simulation. The plate's rows are dealt out to the ranks, as evenly as they
go. Each rank's array has one more row above and below, the halo, which holds the neighbour's edge row; it is
exchanged at every step by two `sendrecv`. A rank at the border has no neighbour: its partner is `PROC_NULL`,
the message goes nowhere, and its halo row keeps the fixed temperature of the plate's edge.

The problem: a square copper plate, 20 cm wide, its edges held at 20 degrees, starts with hot and cold spots.
Temperature obeys du/dt = alpha (d2u/dx2 + d2u/dy2). Space and time are discretised by the explicit five-point
scheme (forward in time, centred in space, "FTCS"),

    v[i, j] = u[i, j] + r (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4 u[i, j]),    r = alpha dt / dx^2,

which is stable for r <= 1/4, that is dt <= dx^2 / (4 alpha) (K. W. Morton and D. F. Mayers, "Numerical
Solution of Partial Differential Equations", 2nd edition, 2005, chapter 3). It is run at 0.9 of that limit.

Rank 0 compares with the same scheme on the whole plate in NumPy, without MPI: the field must be equal to the
last bit, the total heat to rounding (it is added in another order). The picture is written to heat.png.

    python examples/heat.py
    mpiexec -n 2 python examples/heat.py --n 400 --time 0.6
"""

import argparse
import os

import numpy as np

from mpijit import jit, mpi

INTERPRETED = os.environ.get("MPIJIT_DISABLE_JIT", "0") not in ("", "0")

WIDTH = 0.20  # m, of the square plate
THICKNESS = 1e-3  # m
DIFFUSIVITY = 1.11e-4  # m^2/s, copper at room temperature
HEAT_CAPACITY = 3.45e6  # J/(m^3 K), copper at room temperature
EDGE = 20.0  # degrees Celsius, the fixed temperature of the edges


# ---- the kernels -------------------------------------------------------------------------------------------


@jit
def heat_above(u, level):
    """Return the sum over all ranks of u - level, the halo rows and the fixed edges left out."""
    rows, columns = u.shape
    total = 0.0
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            total += u[i, j] - level
    return mpi.allreduce(total)


@jit
def exchange_halo(u):
    """Fill u's first and last row with the edge rows of the ranks above and below."""
    rank = mpi.rank()
    size = mpi.size()
    above = rank - 1 if rank > 0 else mpi.PROC_NULL
    below = rank + 1 if rank < size - 1 else mpi.PROC_NULL
    mpi.sendrecv(u[1, :], above, u[-1, :], below)
    mpi.sendrecv(u[-2, :], below, u[0, :], above)


@jit
def simulate(u, v, steps, r, level):
    """Take `steps` steps from u, with v to work in; return the field and the heat before and after."""
    rows, columns = u.shape
    before = heat_above(u, level)
    for step in range(steps):
        exchange_halo(u)
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                v[i, j] = u[i, j] + r * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
        u, v = v, u
    return u, before, heat_above(u, level)


# ---- the same on one array, by NumPy -----------------------------------------------------------------------


def simulate_numpy(u, steps, r):
    """Take `steps` steps with whole-array expressions; the operations and their order are the kernel's."""
    u, v = u.copy(), u.copy()
    for step in range(steps):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + r * (
            u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
        )
        u, v = v, u
    return u


# ---- the problem, its decomposition and its picture --------------------------------------------------------


def initial_plate(n):
    """Return the starting temperatures: n x n inner points and the fixed edges round them."""
    position = np.linspace(0.0, 1.0, n + 2)
    y, x = np.meshgrid(position, position, indexing="ij")
    u = np.full((n + 2, n + 2), EDGE)
    radius = np.hypot(x - 0.5, y - 0.5)
    u[(radius > 0.27) & (radius < 0.36)] = 90.0
    for angle, temperature in ((90, 100.0), (210, 100.0), (330, 100.0), (30, 0.0), (150, 0.0), (270, 0.0)):
        centre_x = 0.5 + 0.14 * np.cos(np.radians(angle))
        centre_y = 0.5 - 0.14 * np.sin(np.radians(angle))
        u[np.hypot(x - centre_x, y - centre_y) < 0.065] = temperature
    u[[0, -1], :] = u[:, [0, -1]] = EDGE
    return u


def first_row(rank, size, n):
    """Return the first inner row of a rank; the first n % size ranks have one row more than the others."""
    return rank * (n // size) + min(rank, n % size)


def collect(u, n):
    """Return the whole plate on rank 0, from each rank's rows; None elsewhere."""
    rank, size = mpi.rank(), mpi.size()
    if rank > 0:
        mpi.send(u[1:-1], 0)
        return None
    plate = np.full((n + 2, n + 2), EDGE)
    plate[: len(u) - 1] = u[:-1]
    for other in range(1, size):
        mpi.recv(plate[1 + first_row(other, size, n) : 1 + first_row(other + 1, size, n)], other)
    return plate


def draw(start, end, seconds, size):
    """Write heat.png: the plate before and after, and which rank computed which rows."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("no picture: matplotlib is not installed")
        return

    n = len(start) - 2
    centimetres = 100 * WIDTH
    points = np.linspace(0.0, centimetres, n + 2)
    fig, panels = plt.subplots(1, 2, figsize=(10.6, 5.3), sharey=True, layout="compressed")
    for axes, field, title in zip(panels, (start, end), ("t = 0 s", f"t = {seconds:.2f} s"), strict=True):
        image = axes.pcolormesh(points, points, field, cmap="inferno", vmin=0, vmax=100, rasterized=True)
        for rank in range(size):
            top = centimetres * (first_row(rank, size, n) + 0.5) / (n + 1)
            if rank > 0:
                axes.axhline(top, color="white", linewidth=0.9, linestyle=(0, (6, 4)))
            axes.text(0.3, top + 0.25, f"rank {rank}", color="white", fontsize=9, va="top")
        axes.set(title=title, xlabel="x (cm)", aspect="equal", xlim=(0, centimetres), ylim=(centimetres, 0))
        axes.set_xticks(np.arange(0, centimetres + 1, 5))
        axes.set_yticks(np.arange(0, centimetres + 1, 5))
    panels[0].set_ylabel("y (cm)")
    levels = (10, 30, 40, 50, 60, 70, 80, 90)  # not the edges' 20 degrees, which is almost everywhere
    lines = panels[1].contour(points, points, end, levels=levels, colors="white", linewidths=0.5)
    panels[1].clabel(lines, fontsize=7, fmt="%d °C")
    bar = fig.colorbar(image, ax=panels, shrink=0.86, pad=0.02)
    bar.set_label("temperature (°C)")
    many = f"rows dealt out to {size} ranks" if size > 1 else "one rank"
    fig.suptitle(f"Heat in a copper plate: {n} by {n} points, {many}")
    fig.savefig("heat.png", dpi=150)
    plt.close(fig)
    print("picture: heat.png")


# ---- the program -------------------------------------------------------------------------------------------


def best_of(attempts, function):
    """Return the result of a function and its shortest run in seconds; all ranks start together."""
    shortest = np.inf
    for attempt in range(attempts):
        mpi.barrier()
        start = mpi.wtime()
        result = function()
        shortest = min(shortest, mpi.wtime() - start)
    return result, shortest


def main() -> None:
    """Simulate, compare, time, draw."""
    parser = argparse.ArgumentParser(description="Solve the heat equation on any number of ranks.")
    parser.add_argument("--n", type=int, help="inner points a side (default 400; interpreted 60)")
    parser.add_argument("--time", type=float, default=0.6, help="simulated seconds (default 0.6)")
    options = parser.parse_args()
    n = options.n or (60 if INTERPRETED else 400)

    rank, size = mpi.rank(), mpi.size()
    if n < size:
        raise SystemExit(f"heat.py: {n} rows cannot be dealt out to {size} ranks; give a larger --n")
    dx = WIDTH / (n + 1)
    r = 0.9 * 0.25
    dt = r * dx**2 / DIFFUSIVITY
    steps = max(1, round(options.time / dt))
    if rank == 0:
        print(f"{size} rank{'s' * (size > 1)}, {n} x {n} points, {steps} steps of {1e3 * dt:.3g} ms", end="")
        print(", interpreted (MPIJIT_DISABLE_JIT), hence small" if INTERPRETED and not options.n else "")

    # This rank's rows, with one more above and below.
    plate = initial_plate(n)
    mine = plate[first_row(rank, size, n) : first_row(rank + 1, size, n) + 2]

    mpi.barrier()
    start = mpi.wtime()
    simulate.compile(mine.copy(), mine.copy(), 1, r, EDGE)  # before the clock runs, and on every rank alike
    compiling = mpi.wtime() - start
    (field, before, after), compiled = best_of(3, lambda: simulate(mine.copy(), mine.copy(), steps, r, EDGE))
    serial, sliced = best_of(1, lambda: simulate_numpy(mine, steps, r))
    result = collect(field, n)

    good = True
    if rank == 0:
        joules = HEAT_CAPACITY * THICKNESS * dx**2
        print(f"heat above the edges' temperature: {before * joules:.1f} J, then {after * joules:.1f} J")

        if size > 1:
            serial = simulate_numpy(plate, steps, r)
        total = (serial[1:-1, 1:-1] - EDGE).sum()
        same_field = np.array_equal(result, serial)
        same_total = abs(after - total) <= 1e-12 * np.abs(serial[1:-1, 1:-1] - EDGE).sum()
        good = same_field and same_total
        field_text = "equal to the last bit" if same_field else "DIFFERS"
        total_text = "equal to rounding" if same_total else "DIFFERS"
        print(f"check against the serial solution: field {field_text}, total heat {total_text}")
        how = "interpreted" if INTERPRETED else f"compiled in {1e3 * compiling:.0f} ms, once"
        print(f"time: kernel {compiled:.4f} s, its MPI included ({how})")
        print(f"      NumPy {sliced:.4f} s on the same rows without MPI, ratio {sliced / compiled:.2f}")
        draw(plate, result, steps * dt, size)
    if mpi.allreduce(int(good), op=mpi.MIN) == 0:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
