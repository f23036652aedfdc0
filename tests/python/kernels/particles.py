"""Particles: pair forces, pushes and deposits on grids."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import case


@case(lambda make: (make(9, 3), make(9, low=0.5, high=2.0), 0.1), ulp=256)
@jit
def gravity_by_broadcasting(x, mass, softening):
    dx = x[np.newaxis, :, 0] - x[:, np.newaxis, 0]
    dy = x[np.newaxis, :, 1] - x[:, np.newaxis, 1]
    dz = x[np.newaxis, :, 2] - x[:, np.newaxis, 2]
    r2 = dx**2 + dy**2 + dz**2 + softening**2
    inverse = 1 / (r2 * np.sqrt(r2))
    a = np.empty_like(x)
    a[:, 0] = (dx * inverse) @ mass
    a[:, 1] = (dy * inverse) @ mass
    a[:, 2] = (dz * inverse) @ mass
    return a


@case(lambda make: (make(8, 3), np.zeros((8, 3), make.dtype), make(8, low=0.5, high=2.0), 0.01, 3))
@jit
def gravity_by_loops(x, v, mass, dt, steps):
    n = x.shape[0]
    for _ in range(steps):
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = x[j] - x[i]
                    r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01
                    v[i] += dt * mass[j] / (r2 * np.sqrt(r2)) * d
        x += dt * v


@case(lambda make: (make(10, 2, low=0, high=10), 2.5))
@jit
def lennard_jones(x, cutoff):
    force = np.zeros_like(x)
    energy = np.zeros(len(x), x.dtype)
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            dx, dy = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1]
            r2 = dx * dx + dy * dy
            if r2 > cutoff * cutoff or r2 < 0.5:
                continue
            s2 = 1 / r2
            s6 = s2 * s2 * s2
            strength = 24 * s2 * s6 * (2 * s6 - 1)
            force[i, 0] += strength * dx
            force[i, 1] += strength * dy
            force[j, 0] -= strength * dx
            force[j, 1] -= strength * dy
            energy[i] += 4 * s6 * (s6 - 1)
    return force, energy


@case(lambda make: (make(12), make(12), 0.05, 10, 4.0))
@jit
def leapfrog_oscillators(x, v, dt, steps, k):
    v -= 0.5 * dt * k * x
    for _ in range(steps):
        x += dt * v
        v -= dt * k * x
    v += 0.5 * dt * k * x
    return 0.5 * v**2 + 0.5 * k * x**2


@case(lambda make: (make(11, 3), make(11, low=0.1, high=1.0)), ulp=16)
@jit
def centre_of_mass(x, mass):
    total = mass.sum()
    centre = (x * mass[:, np.newaxis]).sum(axis=0) / total
    return centre, ((x - centre) ** 2 * mass[:, None]).sum()


@case(lambda make: (make(30, low=0, high=7.9), make(30), np.zeros(9, make.dtype)))
@jit
def cloud_in_cell(x, charge, density):
    for p in range(len(x)):
        cell = int(x[p])
        w = x[p] - cell
        density[cell] += charge[p] * (1 - w)
        density[cell + 1] += charge[p] * w


@case(lambda make: (make(14, 2, low=-3, high=3), make(14, 2), 0.7, 1.0))
@jit
def reflect_from_walls(x, v, dt, box):
    x += dt * v
    for p in range(x.shape[0]):
        for d in range(2):
            while x[p, d] < 0 or x[p, d] > box:
                if x[p, d] < 0:
                    x[p, d] = -x[p, d]
                    v[p, d] = -v[p, d]
                else:
                    x[p, d] = 2 * box - x[p, d]
                    v[p, d] *= -1


@case(lambda make: (make(15, 3, low=-9, high=9), 2.5))
@jit
def wrap_into_the_box(x, box):
    image = (x // box).astype(np.int64)
    folded = x % box
    x -= box * np.floor(x / box)
    return image, folded


@case(lambda make: (make(8, 3), make(8, 3), make(8, 3), 0.2))
@jit
def boris_push(v, e, b, dt):
    half = v + 0.5 * dt * e
    t = 0.5 * dt * b
    s = 2 * t / (1 + t[:, 0] ** 2 + t[:, 1] ** 2 + t[:, 2] ** 2)[:, np.newaxis]
    prime = np.empty_like(v)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        prime[:, i] = half[:, i] + half[:, j] * t[:, k] - half[:, k] * t[:, j]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        v[:, i] = half[:, i] + prime[:, j] * s[:, k] - prime[:, k] * s[:, j] + 0.5 * dt * e[:, i]


@case(lambda make: (make(12), make(12), 0.1, 2.0, 8))
@jit
def chain_of_springs(x, v, dt, k, steps):
    force = np.zeros_like(x)
    for _ in range(steps):
        stretch = x[1:] - x[:-1]
        force[:] = 0
        force[:-1] += k * stretch
        force[1:] -= k * stretch
        v += dt * force
        x += dt * v


@case(lambda make: (make(40, 2, low=0, high=4), 4))
@jit
def cell_lists(x, cells):
    counts = np.zeros((cells, cells), np.int64)
    for p in range(len(x)):
        i, j = int(x[p, 0]), int(x[p, 1])
        counts[i, j] += 1
    starts = np.zeros(cells * cells + 1, np.int64)
    for c, count in enumerate(counts.ravel()):
        starts[c + 1] = starts[c] + count
    order = np.empty(len(x), np.int64)
    filled = starts[:-1].copy()
    for p in range(len(x)):
        c = int(x[p, 0]) * cells + int(x[p, 1])
        order[filled[c]] = p
        filled[c] += 1
    return counts, starts, order
