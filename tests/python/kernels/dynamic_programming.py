"""Dynamic programming: tables filled by loops, and row by row with slices."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import INTEGERS, case


@case(lambda make: (make.integers(11, high=3), make.integers(9, high=3)), variants=INTEGERS)
@jit
def edit_distance(a, b):
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), np.int64)
    d[:, 0] = np.arange(n + 1)
    d[0] = np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            change = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + change)
    return d[n, m]


@case(lambda make: (make.integers(12, high=4), make.integers(10, high=4)), variants=INTEGERS)
@jit
def longest_common_subsequence(a, b):
    lengths = np.zeros((len(a) + 1, len(b) + 1), np.int32)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if x == y:
                lengths[i + 1, j + 1] = lengths[i, j] + 1
            else:
                lengths[i + 1, j + 1] = max(lengths[i, j + 1], lengths[i + 1, j])
    return lengths


@case(lambda make: (make.integers(8, low=1, high=9), make.integers(8, high=20), 25), variants=INTEGERS)
@jit
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, np.int64)
    for i in range(len(weights)):
        w = weights[i]
        best[w:] = np.maximum(best[w:], best[:-w] + values[i])
    return best


@case(lambda make: (np.array([1, 5, 7, 11], np.int64), 40), variants=INTEGERS)
@jit
def coin_change(coins, amount):
    fewest = np.full(amount + 1, amount + 1, np.int64)
    ways = np.zeros(amount + 1, np.int64)
    fewest[0], ways[0] = 0, 1
    for coin in coins:
        for total in range(coin, amount + 1):
            fewest[total] = min(fewest[total], fewest[total - coin] + 1)
            ways[total] += ways[total - coin]
    return fewest, ways


@case(lambda make: (make.integers(7, low=2, high=12),), variants=INTEGERS)
@jit
def matrix_chain_order(sizes):
    n = len(sizes) - 1
    cost, split = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = 2**62
            for k in range(i, j):
                c = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if c < cost[i, j]:
                    cost[i, j], split[i, j] = c, k
    return cost, split


@case(lambda make: (make(25),))
@jit
def longest_increasing_subsequence(x):
    n = len(x)
    length, before = np.ones(n, np.int64), np.full(n, -1)
    for i in range(n):
        for j in range(i):
            if x[j] < x[i] and length[j] + 1 > length[i]:
                length[i] = length[j] + 1
                before[i] = j
    at = length.argmax()
    path = np.zeros(length.max(), np.int64)
    for k in range(len(path) - 1, -1, -1):
        path[k] = at
        at = before[at]
    return path


@case(lambda make: (make(6, 5), make(5, 5), make(5)))
@jit
def viterbi(emission, transition, start):
    steps, states = emission.shape
    score = start + emission[0]
    back = np.zeros((steps, states), np.int64)
    for t in range(1, steps):
        total = score[:, np.newaxis] + transition
        back[t] = total.argmax(axis=0)
        score = total.max(axis=0) + emission[t]
    path = np.empty(steps, np.int64)
    path[-1] = score.argmax()
    for t in range(steps - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path, score.max()


@case(lambda make: (make.integers(9, high=4), make.integers(8, high=4), 2, -1), variants=INTEGERS)
@jit
def local_alignment(a, b, match, gap):
    h = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    best, where = 0, (0, 0)
    for i in range(1, h.shape[0]):
        for j in range(1, h.shape[1]):
            diagonal = h[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else -match)
            h[i, j] = max(0, diagonal, h[i - 1, j] + gap, h[i, j - 1] + gap)
            if h[i, j] > best:
                best, where = int(h[i, j]), (i, j)
    return best, where


@case(lambda make: (make(7, 7, low=1, high=9),))
@jit
def floyd_warshall(d):
    for k in range(len(d)):
        d[:] = np.minimum(d, d[:, k, None] + d[k])


@case(lambda make: (make(6, 8, low=0),))
@jit
def cheapest_path_down(cost):
    n, m = cost.shape
    total = cost[0].copy()
    for i in range(1, n):
        best = total.copy()
        best[1:] = np.minimum(best[1:], total[:-1])
        best[:-1] = np.minimum(best[:-1], total[1:])
        total = best + cost[i]
    return total.min(), total.argmin()


@case(lambda make: (30, 6), variants=("int64 C",))
@jit
def partitions_and_binomials(n, k):
    ways = np.zeros(n + 1, np.int64)
    ways[0] = 1
    for part in range(1, n + 1):
        for total in range(part, n + 1):
            ways[total] += ways[total - part]
    row = np.zeros(n + 1, np.int64)
    row[0] = 1
    for _ in range(n):
        row[1:] += row[:-1]
    return ways[n], row[k], row.sum()
