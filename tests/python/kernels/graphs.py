"""Graphs: loops over compressed rows, traversals, shortest paths."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import Make, case

WEIGHTS = ("float64 C", "float32 strided")


def csr(make: Make, n: int = 10, of_row: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row starts, columns and weights of a random graph."""
    starts = np.arange(0, n * of_row + 1, of_row)
    return make.of(starts, np.int64), make.integers(n * of_row, high=n), make(n * of_row, low=0.5, high=2)


@case(lambda make: (*csr(make), make(10)), variants=WEIGHTS)
@jit
def sparse_matrix_vector(starts, columns, weights, x):
    y = np.zeros(len(starts) - 1, x.dtype)
    for row in range(len(y)):
        for k in range(starts[row], starts[row + 1]):
            y[row] += weights[k] * x[columns[k]]
    return y


@case(lambda make: (*csr(make), make(10)), variants=WEIGHTS)
@jit
def sparse_transposed_product(starts, columns, weights, x):
    y = np.zeros_like(x)
    for row in range(x.shape[0]):
        begin, end = starts[row], starts[row + 1]
        for column, weight in zip(columns[begin:end], weights[begin:end], strict=True):
            y[column] += weight * x[row]
    return y


@case(lambda make: (*csr(make, 14, 2)[:2], 0), variants=WEIGHTS)
@jit
def breadth_first_levels(starts, columns, source):
    n = len(starts) - 1
    level = np.full(n, -1)
    queue = np.empty(n, np.int64)
    head, tail = 0, 1
    queue[0], level[source] = source, 0
    while head < tail:
        node = queue[head]
        head += 1
        for k in range(starts[node], starts[node + 1]):
            other = columns[k]
            if level[other] < 0:
                level[other] = level[node] + 1
                queue[tail] = other
                tail += 1
    return level, queue[:tail]


@case(lambda make: (*csr(make)[:2], 0.85, 8), variants=WEIGHTS, ulp=4)
@jit
def page_rank(starts, columns, damping, rounds):
    n = len(starts) - 1
    rank = np.full(n, 1 / n)
    for _ in range(rounds):
        new = np.full_like(rank, (1 - damping) / n)
        for node in range(n):
            share = damping * rank[node] / (starts[node + 1] - starts[node])
            for k in range(starts[node], starts[node + 1]):
                new[columns[k]] += share
        rank, new = new, rank
    return rank


@case(lambda make: (make.integers(12, high=15), make.integers(12, high=15), 15), variants=WEIGHTS)
@jit
def connected_components(a, b, n):
    parent = np.arange(n)
    for i, j in zip(a, b):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        while parent[j] != j:
            parent[j] = parent[parent[j]]
            j = parent[j]
        parent[max(i, j)] = min(i, j)
    count = 0
    for i in range(n):
        if parent[i] == i:
            count += 1
    return parent, count


@case(lambda make: (*csr(make), 0), variants=WEIGHTS)
@jit
def bellman_ford(starts, columns, weights, source):
    n = len(starts) - 1
    distance = np.full(n, np.inf, weights.dtype)
    distance[source] = 0
    for turn in range(n):
        changed = False
        for node in range(n):
            for k in range(starts[node], starts[node + 1]):
                through = distance[node] + weights[k]
                if through < distance[columns[k]]:
                    distance[columns[k]] = through
                    changed = True
        if not changed:
            break
    return distance, turn


@case(lambda make: (make(9, 9, low=0, high=1), 0))
@jit
def dijkstra_dense(weights, source):
    n = weights.shape[0]
    distance = np.full(n, np.inf, weights.dtype)
    distance[source] = 0
    done = np.zeros(n, bool)
    for _ in range(n):
        node = np.where(done, np.inf, distance).argmin()
        done[node] = True
        distance[:] = np.minimum(distance, distance[node] + weights[node])
    return distance


@case(lambda make: (make.integers(9, 9, high=2),), variants=("int64 C", "int32 strided"))
@jit
def triangles(adjacency):
    symmetric = adjacency | adjacency.T
    count = 0
    for i in range(len(symmetric)):
        for j in range(i + 1, len(symmetric)):
            if symmetric[i, j]:
                count += int(np.sum(symmetric[i, j + 1 :] & symmetric[j, j + 1 :]))
    return count, symmetric.sum(axis=0), symmetric.sum()


@case(lambda make: (make.integers(9, 9, high=2),), variants=("int64 C", "int32 F"))
@jit
def greedy_colouring(adjacency):
    n = len(adjacency)
    colour = np.full(n, -1, np.int64)
    used = np.zeros(n, np.bool_)
    for i in range(n):
        used.fill(False)
        for j in range(n):
            if (adjacency[i, j] or adjacency[j, i]) and colour[j] >= 0:
                used[colour[j]] = True
        c = 0
        while used[c]:
            c += 1
        colour[i] = c
    return colour
