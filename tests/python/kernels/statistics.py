"""Statistics and reductions."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import INTEGERS, case

SUMS = 8  # of what is not contiguous: NumPy adds in another order


@case(lambda make: (make(200),), other_ulp=SUMS)
@jit
def two_pass_variance(x):
    mean = x.mean()
    return mean, ((x - mean) ** 2).sum() / (x.size - 1)


@case(lambda make: (make(40),))
@jit
def running_variance(x):
    mean = m2 = x[0] * 0
    for n in range(len(x)):
        delta = x[n] - mean
        mean += delta / (n + 1)
        m2 += delta * (x[n] - mean)
    return mean, m2 / len(x)


@case(lambda make: (make(30, 5),), ulp=64)
@jit
def covariance_matrix(x):
    centred = x - x.mean(axis=0)
    return centred.T @ centred / (x.shape[0] - 1)


@case(lambda make: (make(12, 7),), other_ulp=SUMS)
@jit
def standard_scores(x):
    mean = np.mean(x, axis=0)
    centred = x - mean
    return centred / np.sqrt(np.mean(centred * centred, axis=0))


@case(lambda make: (make(9, 6),), other_ulp=SUMS)
@jit
def normalise_rows(x):
    x -= x.min(axis=1, keepdims=True)
    x /= x.max(axis=1, keepdims=True)
    return x.sum(axis=1, keepdims=True)


@case(lambda make: (make(8, 6),), ulp=32)
@jit
def softmax(x):
    e = np.exp(x - np.max(x, axis=1)[:, np.newaxis])
    return e / np.sum(e, axis=1)[:, np.newaxis]


@case(lambda make: (make(50),), ulp=16)
@jit
def log_of_sum_of_exponentials(x):
    largest = x.max()
    return largest + np.log(np.exp(x - largest).sum())


@case(lambda make: (make(31), make(31)), ulp=4, other_ulp=16)
@jit
def linear_regression(x, y):
    dx, dy = x - x.mean(), y - y.mean()
    slope = (dx * dy).sum() / (dx * dx).sum()
    correlation = (dx * dy).sum() / np.sqrt((dx * dx).sum() * (dy * dy).sum())
    return slope, y.mean() - slope * x.mean(), correlation


@case(lambda make: (make(60), 5), other_ulp=SUMS)
@jit
def moving_average(x, width):
    out = np.empty(len(x) - width + 1, x.dtype)
    s = x[:width].sum()
    out[0] = s / width
    for i in range(1, len(out)):
        s += x[i + width - 1] - x[i - 1]
        out[i] = s / width
    return out


@case(lambda make: (make(64), 6), other_ulp=SUMS)
@jit
def autocorrelation(x, lags):
    x = x - x.mean()
    out = np.zeros(lags, x.dtype)
    for k in range(lags):
        out[k] = (x[: len(x) - k] * x[k:]).sum()
    return out / out[0]


@case(lambda make: (make(11, 7),))
@jit
def extrema_and_where(x):
    flat = x.argmax()
    return x.argmin(axis=0), x.argmax(axis=1), flat, x.min(), x.max(axis=0), divmod(int(flat), x.shape[1])


@case(lambda make: (make.integers(50, high=7),), variants=INTEGERS)
@jit
def mode(x):
    counts = np.zeros(int(x.max()) + 1, np.int64)
    for value in x:
        counts[value] += 1
    return counts.argmax(), counts.max(), counts.sum() == x.size


@case(lambda make: (make(40, low=0.1, high=2.0), make(40, low=0.1, high=2.0)), other_ulp=SUMS)
@jit
def weighted_moments(x, w):
    total = w.sum()
    first = (w * x).sum() / total
    second = (w * (x - first) ** 2).sum() / total
    return first, second, (w * (x - first) * (x - first) * (x - first)).sum() / total / (second * np.sqrt(second))


@case(lambda make: (make(6, 5, 4),), other_ulp=SUMS)
@jit
def sums_along_each_axis(x):
    return x.sum(axis=0), x.sum(axis=1), x.sum(axis=2), x.sum(axis=-1, keepdims=True), x.prod(axis=0), np.sum(x)


@case(lambda make: (make(30), 0.0), other_ulp=SUMS)
@jit
def conditional_sums(x, limit):
    positive = np.sum(np.where(x > limit, x, 0.0))
    count = np.sum(x > limit)
    return positive, count, np.any(x > 0.99), np.all(x < 2), bool((x > limit).any()) and not (x < -1).any()


@case(lambda make: (make(45),))
@jit
def running_extrema(x):
    lowest, highest = np.empty_like(x), np.empty_like(x)
    low = high = x[0]
    for i, value in enumerate(x):
        low, high = min(low, value), max(high, value)
        lowest[i], highest[i] = low, high
    return lowest, highest


@case(lambda make: (make(20, low=0.1, high=1.0),), ulp=16)
@jit
def entropy(weights):
    p = weights / weights.sum()
    return -(p * np.log(p)).sum(), np.exp(np.mean(np.log(weights)))


@case(lambda make: (make.integers(30, low=-5, high=6), make.integers(30, low=1, high=6)), variants=INTEGERS)
@jit
def integer_reductions(x, w):
    return x.sum(), x.prod(), x.mean(), (x * w).sum(), x.min() + w.max(), (x // w).sum(), (x % w).max()


@case(lambda make: (make(9, 5), make(4, 5), 5), ulp=4)
@jit
def k_means(points, centres, rounds):
    labels = np.zeros(len(points), np.int64)
    for _ in range(rounds):
        for i in range(len(points)):
            labels[i] = ((centres - points[i]) ** 2).sum(axis=1).argmin()
        for k in range(len(centres)):
            count = np.sum(labels == k)
            if count > 0:
                chosen = (labels == k)[:, np.newaxis]
                centres[k] = np.where(chosen, points, 0).sum(axis=0) / count
    return labels


@case(lambda make: (make(40),))
@jit
def sort_by_insertion_and_rank(x):
    ranks = np.zeros(len(x), np.int64)
    for i in range(len(x)):
        ranks[i] = np.sum(x < x[i])
    for i in range(1, len(x)):
        value, j = x[i], i
        while j > 0 and x[j - 1] > value:
            x[j] = x[j - 1]
            j -= 1
        x[j] = value
    return ranks, (x[len(x) // 2 - 1] + x[len(x) // 2]) / 2
