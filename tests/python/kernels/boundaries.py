"""Boundary conditions: setters made by factories, for any number of leading axes, with what is captured pruned."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import case

# ---- setters of ghost cells, one side of one axis each --------------------------------------------------------


def make_value_setter(value, upper, axis=0, ndim=1, flip=False):
    """Ghost cells such that the face has a value: inhomogeneous ones take arrays."""
    inside, ghost = (-2, -1) if upper else (1, 0)
    half = 2 * value

    if ndim == 1:

        @jit
        def set_ghosts(u):
            u[..., ghost] = half - u[..., inside]

    elif axis == 0:

        @jit
        def set_ghosts(u):
            if flip:
                u[..., ghost, :] = half - u[..., inside, ::-1]
            else:
                u[..., ghost, :] = half - u[..., inside, :]

    else:

        @jit
        def set_ghosts(u):
            u[..., :, ghost] = half - u[..., :, inside]

    return set_ghosts


def make_slope_setter(slope, dx, upper):
    """Ghost cells of the last axis such that the face has a derivative."""
    inside, ghost = (-2, -1) if upper else (1, 0)
    step = dx * slope

    @jit
    def set_ghosts(u):
        if step == 0:
            u[..., ghost] = u[..., inside]
        else:
            u[..., ghost] = u[..., inside] + step

    return set_ghosts


def make_periodic_setter(width):
    @jit
    def set_ghosts(u):
        u[..., :width] = u[..., -2 * width : -width]
        u[..., -width:] = u[..., width : 2 * width]

    return set_ghosts


def make_chain(first, second=None):
    """Both setters, one after the other."""

    @jit
    def both(u):
        first(u)
        if second is not None:
            second(u)

    return both


for ndim in (1, 2, 3):
    shape = (4, 5, 8)[-ndim:]

    def arguments(make, shape=shape):
        return (make(*shape),)

    case(arguments, name=f"value_setter_{ndim}d")(make_value_setter(0.5, upper=True))
    case(arguments, name=f"slope_setter_{ndim}d")(make_slope_setter(0.5, 0.1, upper=False))
    case(arguments, name=f"periodic_setter_{ndim}d")(make_periodic_setter(2))
    case(arguments, name=f"chain_of_setters_{ndim}d")(
        make_chain(make_slope_setter(0, 0.1, upper=False), make_chain(make_value_setter(1.0, upper=True)))
    )

PROFILE = np.linspace(0.0, 1.0, 8)
case(lambda make: (make(3, 7, 8),), name="value_setter_with_profile")(
    make_value_setter(PROFILE, upper=False, axis=0, ndim=2, flip=True)
)
case(lambda make: (make(7, 8),), name="value_setter_of_last_axis")(make_value_setter(0.25, upper=True, axis=1, ndim=2))


# ---- operators on fields with ghost cells ---------------------------------------------------------------------


def make_laplacian(shape, dx, setters):
    """The Laplacian of a field of one or two axes; ghost cells are set by a tuple of kernels."""
    scale = 1 / dx**2
    ndim = len(shape)

    @jit
    def laplacian(full, out):
        for set_ghosts in setters:
            set_ghosts(full)
        if ndim == 1:
            out[:] = (full[:-2] - 2 * full[1:-1] + full[2:]) * scale
        elif ndim == 2:
            n, m = shape
            for i in range(1, n + 1):
                for j in range(1, m + 1):
                    along_x = full[i - 1, j] - 2 * full[i, j] + full[i + 1, j]
                    along_y = full[i, j - 1] - 2 * full[i, j] + full[i, j + 1]
                    out[i - 1, j - 1] = (along_x + along_y) * scale
        else:
            raise NotImplementedError("a Laplacian of three axes")

    return laplacian


case(lambda make: (make(14), make(12)), name="laplacian_with_setters_1d")(
    make_laplacian((12,), 0.5, (make_value_setter(0.0, upper=False), make_slope_setter(1.0, 0.5, upper=True)))
)
case(lambda make: (make(8, 9), make(6, 7)), name="laplacian_with_setters_2d")(
    make_laplacian(
        (6, 7),
        0.5,
        (
            make_value_setter(0.0, False, axis=0, ndim=2),
            make_value_setter(1.0, True, axis=0, ndim=2),
            make_periodic_setter(1),
        ),
    )
)


# ---- whole fields ---------------------------------------------------------------------------------------------


@case(lambda make: (make(6, 7), 2))
@jit
def pad_with_edges(u, width):
    n, m = u.shape
    out = np.empty((n + 2 * width, m + 2 * width), u.dtype)
    out[width:-width, width:-width] = u
    for k in range(width):
        out[k, width:-width] = u[0]
        out[n + width + k, width:-width] = u[-1]
    for k in range(width):
        out[:, k] = out[:, width]
        out[:, m + width + k] = out[:, m + width - 1]
    return out


@case(lambda make: (make(8, 9), "periodic", 0.0))
@case(lambda make: (make(8, 9), "reflect", 0.0), name="fill_halo_reflect")
@case(lambda make: (make(8, 9), "constant", 1.5), name="fill_halo_constant")
@jit
def fill_halo(u, kind, value):
    if kind == "periodic":
        u[0, :], u[-1, :] = u[-2, :], u[1, :]
        u[:, 0], u[:, -1] = u[:, -2], u[:, 1]
    elif kind == "reflect":
        u[0, :], u[-1, :] = u[2, :], u[-3, :]
        u[:, 0], u[:, -1] = u[:, 2], u[:, -3]
    else:
        u[0, :] = u[-1, :] = value
        u[:, 0] = u[:, -1] = value


@case(lambda make: (make(6, 6, 6),))
@jit
def zero_on_all_faces(u):
    u[0] = u[-1] = 0
    u[:, 0] = u[:, -1] = 0
    u[..., 0] = u[..., -1] = 0


@case(lambda make: (make(9), make(9), True))
@case(lambda make: (make(9), make(9), False), name="inflow_outflow_backwards")
@jit
def inflow_outflow(u, velocity, to_the_right):
    faces = 0.5 * (velocity[1:] + velocity[:-1])
    if to_the_right:
        u[0] = 1
        u[-1] = 2 * u[-2] - u[-3]
        return faces * u[:-1]
    u[-1] = 1
    u[0] = 2 * u[1] - u[2]
    return faces * u[1:]
