"""Partial differential equations: advection, diffusion, waves, reactions."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import case


@case(lambda make: (make(25), 0.4, 6))
@jit
def upwind_advection(u, courant, steps):
    for _ in range(steps):
        u[1:] -= courant * (u[1:] - u[:-1])
        u[0] = u[-1]


@case(lambda make: (make(25), make(25, low=0.2, high=0.8), 0.5, 6))
@jit
def upwind_with_either_sign(u, speed, c, steps):
    new = np.empty_like(u)
    for _ in range(steps):
        left = u[1:-1] - u[:-2]
        right = u[2:] - u[1:-1]
        v = speed[1:-1] - 0.5
        new[1:-1] = u[1:-1] - c * (np.maximum(v, 0) * left + np.minimum(v, 0) * right)
        new[0], new[-1] = u[0], u[-1]
        u, new = new, u
    return u


@case(lambda make: (make(24), 0.4, 5))
@jit
def lax_friedrichs(u, c, steps):
    n = len(u)
    for _ in range(steps):
        u[1 : n - 1] = 0.5 * (u[2:] + u[: n - 2]) - 0.5 * c * (u[2:] - u[: n - 2])
        u[0] = u[n - 2]
        u[n - 1] = u[1]


@case(lambda make: (make(24), 0.3, 5))
@jit
def lax_wendroff(u, c, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] - c / 2 * (u[2:] - u[:-2]) + c**2 / 2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0], u[-1] = u[-2], u[1]


@case(lambda make: (make(20), 0.8, 4))
@jit
def crank_nicolson(u, r, steps):
    n = len(u) - 2
    c = np.empty(n, u.dtype)
    d = np.empty(n, u.dtype)
    for _ in range(steps):
        d[:] = r / 2 * u[:-2] + (1 - r) * u[1:-1] + r / 2 * u[2:]
        d[0] += r / 2 * u[0]
        d[-1] += r / 2 * u[-1]
        c[0] = -r / 2 / (1 + r)
        d[0] /= 1 + r
        for i in range(1, n):
            w = 1 + r + r / 2 * c[i - 1]
            c[i] = -r / 2 / w
            d[i] = (d[i] + r / 2 * d[i - 1]) / w
        u[n] = d[n - 1]
        for i in range(n - 2, -1, -1):
            u[i + 1] = d[i] - c[i] * u[i + 2]


@case(lambda make: (make(8, 9), make(8, 9), 0.1, 0.2, 4))
@jit
def alternating_directions(u, source, dt, k, steps):
    """Explicit along one axis at a time."""
    for _ in range(steps):
        u[1:-1, :] += k * dt * (u[2:, :] - 2 * u[1:-1, :] + u[:-2, :])
        u[:, 1:-1] += k * dt * (u[:, 2:] - 2 * u[:, 1:-1] + u[:, :-2])
        u += dt * source


@case(lambda make: (make(30), make(30), 0.5, 8))
@jit
def wave_1d(u, previous, c2, steps):
    following = np.zeros_like(u)
    for _ in range(steps):
        following[1:-1] = 2 * u[1:-1] - previous[1:-1] + c2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        previous, u, following = u, following, previous
    return u, previous


@case(lambda make: (make(10, 12), make(10, 12), 0.2, 0.01, 5))
@jit
def damped_wave_2d(u, velocity, c2, damping, steps):
    for _ in range(steps):
        velocity[1:-1, 1:-1] += c2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        velocity *= 1 - damping
        u += velocity


@case(lambda make: (make(26), 0.1, 0.05, 5))
@jit
def burgers(u, dt, viscosity, steps):
    dx = 2.0 / (u.size - 1)
    for _ in range(steps):
        old = u.copy()
        u[1:-1] = (
            old[1:-1]
            - dt * 0.05 * old[1:-1] / dx * (old[1:-1] - old[:-2])
            + viscosity * dt * 0.05 / dx**2 * (old[2:] - 2 * old[1:-1] + old[:-2])
        )


@case(lambda make: (make(9, 10), make(9, 10), 0.02, 0.3, 4))
@jit
def burgers_2d(u, v, dt, nu, steps):
    for _ in range(steps):
        un, vn = u.copy(), v.copy()
        for w, wn in ((u, un), (v, vn)):
            w[1:-1, 1:-1] = (
                wn[1:-1, 1:-1]
                - dt * un[1:-1, 1:-1] * (wn[1:-1, 1:-1] - wn[:-2, 1:-1])
                - dt * vn[1:-1, 1:-1] * (wn[1:-1, 1:-1] - wn[1:-1, :-2])
                + nu * dt * (wn[2:, 1:-1] + wn[:-2, 1:-1] + wn[1:-1, 2:] + wn[1:-1, :-2] - 4 * wn[1:-1, 1:-1])
            )


@case(lambda make: (make(11, 12, low=0.9, high=1.1), make(11, 12), make(11, 12), 0.05, 9.81, 4))
@jit
def shallow_water(h, u, v, dt, g, steps):
    for _ in range(steps):
        u[1:-1, :] -= dt * g * (h[2:, :] - h[:-2, :]) / 2
        v[:, 1:-1] -= dt * g * (h[:, 2:] - h[:, :-2]) / 2
        u[0, :] = u[-1, :] = 0
        v[:, 0] = v[:, -1] = 0
        hu, hv = h * u, h * v
        h[1:-1, 1:-1] -= dt * ((hu[2:, 1:-1] - hu[:-2, 1:-1]) / 2 + (hv[1:-1, 2:] - hv[1:-1, :-2]) / 2)


@case(lambda make: (make(3, 20, low=0.5, high=1.5), 1.4, 0.02, 4))
@jit
def euler_with_rusanov_fluxes(state, gamma, c, steps):
    for _ in range(steps):
        rho, momentum, energy = state
        u = momentum / rho
        p = (gamma - 1) * (energy - 0.5 * rho * u**2 + 1)
        speed = np.abs(u) + np.sqrt(gamma * np.abs(p) / rho)
        flux = np.empty_like(state)
        flux[0] = momentum
        flux[1] = momentum * u + p
        flux[2] = (energy + p) * u
        largest = np.maximum(speed[1:], speed[:-1])
        face = 0.5 * (flux[:, 1:] + flux[:, :-1]) - 0.5 * largest * (state[:, 1:] - state[:, :-1])
        state[:, 1:-1] -= c * (face[:, 1:] - face[:, :-1])


@case(lambda make: (make(22), 0.001, 0.2, 5))
@jit
def korteweg_de_vries(u, dt, dx, steps):
    n = len(u)
    old, new = u.copy(), np.empty_like(u)
    for _ in range(steps):
        for i in range(n):
            # u[i - 1] and u[i - 2] wrap around by themselves
            right, right2 = u[(i + 1) % n], u[(i + 2) % n]
            steepening = (right + u[i] + u[i - 1]) * (right - u[i - 1]) / (3 * dx)
            dispersion = (right2 - 2 * right + 2 * u[i - 1] - u[i - 2]) / (2 * dx * dx * dx)
            new[i] = old[i] - 2 * dt * steepening - dt * 0.02 * dispersion
        old, u, new = u, new, old
    return u


@case(lambda make: (make(10, 10, low=0), make(10, 10, low=0), (0.16, 0.08), 0.035, 0.06, 4))
@jit
def gray_scott(u, v, rates, feed, kill, steps):
    du, dv = rates
    for _ in range(steps):
        inner_u, inner_v = u[1:-1, 1:-1], v[1:-1, 1:-1]
        lap_u = u[:-2, 1:-1] + u[1:-1, :-2] - 4 * inner_u + u[1:-1, 2:] + u[2:, 1:-1]
        lap_v = v[:-2, 1:-1] + v[1:-1, :-2] - 4 * inner_v + v[1:-1, 2:] + v[2:, 1:-1]
        uvv = inner_u * inner_v * inner_v
        inner_u += du * lap_u - uvv + feed * (1 - inner_u)
        inner_v += dv * lap_v + uvv - (feed + kill) * inner_v


@case(lambda make: (make(21), 0.05, 0.02, 6), ulp=8)
@jit
def allen_cahn(phi, dt, eps2, steps):
    for _ in range(steps):
        lap = phi[2:] - 2 * phi[1:-1] + phi[:-2]
        phi[1:-1] += dt * (eps2 * lap + phi[1:-1] - phi[1:-1] ** 3)
        phi[0], phi[-1] = phi[1], phi[-2]


@case(lambda make: (make(9, 8), make(9, 8), 1.5, 4))
@jit
def red_black_relaxation(u, f, omega, sweeps):
    n, m = u.shape
    residual = u[0, 0] * 0
    for sweep in range(sweeps):
        residual = u[0, 0] * 0
        for colour in range(2):
            for i in range(1, n - 1):
                for j in range(1 + (i + colour) % 2, m - 1, 2):
                    r = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j] - f[i, j]
                    u[i, j] += omega * r / 4
                    residual += abs(r)
        if residual < 1e-3:
            break
    return residual, sweep


@case(lambda make: (make.complex(20), make(20), 0.01, 4), ulp=64)
@jit
def schroedinger(psi, potential, dt, steps):
    for _ in range(steps):
        lap = np.zeros_like(psi)
        lap[1:-1] = psi[2:] - 2 * psi[1:-1] + psi[:-2]
        psi += dt * 1j * (0.5 * lap - potential * psi)
    return np.sum(psi.real**2 + psi.imag**2)


@case(lambda make: (make(3, 24, low=0.2, high=0.8), 0.8, 5))
@jit
def lattice_boltzmann_d1q3(f, omega, steps):
    for _ in range(steps):
        rho = f[0] + f[1] + f[2]
        u = (f[1] - f[2]) / rho
        f[0] += omega * (rho * (2 / 3) * (1 - 1.5 * u**2) - f[0])
        f[1] += omega * (rho / 6 * (1 + 3 * u + 3 * u**2) - f[1])
        f[2] += omega * (rho / 6 * (1 - 3 * u + 3 * u**2) - f[2])
        last, first = f[1, -1], f[2, 0]
        f[1, 1:] = f[1, :-1]
        f[2, :-1] = f[2, 1:]
        f[1, 0], f[2, -1] = last, first


@case(lambda make: (make(12, 10), make(12, 10), 0.1, 6, 1e-6))
@jit
def poisson_until_converged(p, b, dx, limit, tolerance):
    change, turns = b[0, 0] * 0 + 1, 0
    while change > tolerance and turns < limit:
        old = p.copy()
        p[1:-1, 1:-1] = (old[1:-1, 2:] + old[1:-1, :-2] + old[2:, 1:-1] + old[:-2, 1:-1] - dx**2 * b[1:-1, 1:-1]) / 4
        p[:, -1] = 0
        p[:, 0] = p[:, 1]
        p[0, :] = p[1, :]
        change = np.max(np.abs(p - old))
        turns += 1
    return change, turns


@case(lambda make: (make(7, 16), make(7, 16), 0.1))
@jit
def implicit_vertical_diffusion(column, k, dt):
    """Thomas along the last axis, all columns at once."""
    nz = column.shape[1]
    c, d = np.zeros_like(column), np.zeros_like(column)
    kk = np.abs(k) * dt
    c[:, 0] = -kk[:, 0] / (1 + kk[:, 0])
    d[:, 0] = column[:, 0] / (1 + kk[:, 0])
    for z in range(1, nz):
        below = kk[:, z - 1]
        above = kk[:, z] if z < nz - 1 else np.zeros_like(below)
        w = 1 + below + above + below * c[:, z - 1]
        c[:, z] = -above / w
        d[:, z] = (column[:, z] + below * d[:, z - 1]) / w
    column[:, -1] = d[:, -1]
    for z in range(nz - 2, -1, -1):
        column[:, z] = d[:, z] - c[:, z] * column[:, z + 1]
