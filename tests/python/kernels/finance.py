"""Finance: prices, lattices, schedules."""

from __future__ import annotations

import math

import numpy as np

from mpijit import jit

from . import case


@case(lambda make: (100.0, 95.0, 0.03, 0.2, 1.0, 25), variants=("float64 C",), ulp=64)
@jit
def binomial_put(spot, strike, rate, volatility, maturity, steps):
    dt = maturity / steps
    up = math.exp(volatility * math.sqrt(dt))
    down = 1 / up
    p = (math.exp(rate * dt) - down) / (up - down)
    discount = math.exp(-rate * dt)
    price = spot * down**steps * (up / down) ** np.arange(steps + 1)
    value = np.maximum(strike - price, 0)
    for n in range(steps - 1, -1, -1):
        price = price[: n + 1] / down
        value = discount * (p * value[1:] + (1 - p) * value[:-1])
        value = np.maximum(value, strike - price)
    return value[0]


def normal_distribution(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2.0)))


@case(lambda make: (make(20, low=80, high=120), make(20, low=80, high=120), 0.02, 0.3, 1.5), ulp=64)
@jit
def black_scholes(spot, strike, rate, sigma, t):
    call, put = np.empty_like(spot), np.empty_like(spot)
    for i in range(len(spot)):
        d1 = (math.log(spot[i] / strike[i]) + (rate + 0.5 * sigma**2) * t) / (sigma * math.sqrt(t))
        d2 = d1 - sigma * math.sqrt(t)
        discounted = strike[i] * math.exp(-rate * t)
        call[i] = spot[i] * normal_distribution(d1) - discounted * normal_distribution(d2)
        put[i] = discounted * normal_distribution(-d2) - spot[i] * normal_distribution(-d1)
    return call, put


@case(lambda make: (make(30), 0.2))
@jit
def exponential_average(x, alpha):
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return out


@case(lambda make: (make(50, low=10, high=20),))
@jit
def largest_drawdown(prices):
    peak, worst, start, end, high = prices[0], prices[0] * 0, 0, 0, 0
    for i, price in enumerate(prices):
        if price > peak:
            peak, high = price, i
        fall = (peak - price) / peak
        if fall > worst:
            worst, start, end = fall, high, i
    return worst, start, end


@case(lambda make: (make(30, 4, low=9, high=11), make(4, low=0, high=1)), ulp=64)
@jit
def portfolio_risk(prices, weights):
    returns = prices[1:] / prices[:-1] - 1
    excess = returns - returns.mean(axis=0)
    covariance = excess.T @ excess / (len(returns) - 1)
    weights = weights / weights.sum()
    risk = np.sqrt(weights @ covariance @ weights)
    return risk, (returns @ weights).mean()


@case(lambda make: (make(12, low=1, high=9), 40.0, 1e-6), ulp=1024)
@jit
def internal_rate_of_return(cash, price, tolerance):
    rate = cash[0] * 0 + 0.1
    for turn in range(50):
        value, slope = -price + cash[0] * 0, cash[0] * 0
        for k in range(len(cash)):
            factor = 1 / (1 + rate)
            power = factor
            for _ in range(k):
                power *= factor
            value += cash[k] * power
            slope -= (k + 1) * cash[k] * power * factor
        step = value / slope
        rate -= step
        if abs(step) < tolerance or turn > 48:
            break
    return rate


@case(lambda make: (1000.0, 0.01, 24), variants=("float64 C",), ulp=16)
@jit
def amortisation_schedule(principal, rate, months):
    payment = principal * rate / (1 - (1 + rate) ** (-months * 1.0))
    schedule = np.zeros((months, 3))
    balance = principal
    for row in schedule:
        row[0] = balance * rate
        row[1] = payment - row[0]
        balance -= row[1]
        row[2] = balance
    return schedule


@case(lambda make: (make(9, low=0.01, high=0.05), 3.0, 100.0), ulp=32)
@jit
def bond_price_and_duration(rates, coupon, face):
    years = np.arange(1, len(rates) + 1)
    cash = np.full(len(rates), coupon)
    cash[-1] += face
    present = cash / (1 + rates) ** years
    return present.sum(), (years * present).sum() / present.sum()
