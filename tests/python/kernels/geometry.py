"""Geometry: polygons, distances, rotations, rays."""

from __future__ import annotations

import math

import numpy as np

from mpijit import jit

from . import case


@case(lambda make: (make(9, 2),), ulp=8)
@jit
def polygon_area_and_perimeter(p):
    x, y = p[:, 0], p[:, 1]
    area = 0.5 * (np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]) + x[-1] * y[0] - x[0] * y[-1])
    sides = np.sqrt((x[1:] - x[:-1]) ** 2 + (y[1:] - y[:-1]) ** 2)
    return area, sides.sum() + np.sqrt((x[0] - x[-1]) ** 2 + (y[0] - y[-1]) ** 2)


@case(lambda make: (make(8, 2), make(20, 2)))
@jit
def points_in_polygon(polygon, points):
    inside = np.zeros(len(points), np.bool_)
    for k, point in enumerate(points):
        x, y = point
        j = len(polygon) - 1
        for i in range(len(polygon)):
            (xi, yi), (xj, yj) = polygon[i], polygon[j]
            if (yi > y) != (yj > y) and x < (xj - xi) * (y - yi) / (yj - yi) + xi:
                inside[k] = not inside[k]
            j = i
    return inside


@case(lambda make: (make(7, 3), make(9, 3)))
@jit
def pairwise_distances(a, b):
    d = a[:, None, :] - b[None, :, :]
    return np.sqrt(d[..., 0] ** 2 + d[..., 1] ** 2 + d[..., 2] ** 2)


@case(lambda make: (make(7, 3), make(9, 3)), ulp=4)
@jit
def nearest_neighbours(a, b):
    nearest = np.empty(len(a), np.int64)
    distance = np.empty(len(a), a.dtype)
    for i, point in enumerate(a):
        squares = ((b - point) ** 2).sum(axis=1)
        nearest[i] = np.argmin(squares)
        distance[i] = math.sqrt(squares[nearest[i]])
    return nearest, distance


@case(lambda make: (make(10, 2), 0.3), ulp=8)
@jit
def rotate(points, angle):
    c, s = math.cos(angle), math.sin(angle)
    x, y = points.T
    x_new = c * x - s * y
    y[:] = s * x + c * y
    x[:] = x_new


@case(lambda make: (make(8, 3, 3),))
@jit
def triangle_normals(triangles):
    a = triangles[:, 1] - triangles[:, 0]
    b = triangles[:, 2] - triangles[:, 0]
    n = np.empty_like(a)
    n[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    n[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    n[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    length = np.sqrt(n[:, 0] * n[:, 0] + n[:, 1] * n[:, 1] + n[:, 2] * n[:, 2])
    n /= length[:, np.newaxis]
    return n, 0.5 * length


@case(lambda make: (make(12, 3),))
@jit
def bounding_box(points):
    low, high = points.min(axis=0), points.max(axis=0)
    return low, high, 0.5 * (low + high), (high - low).max(), (high - low).argmax()


@case(lambda make: (make(14, 2),))
@jit
def gift_wrapping(points):
    """The convex hull, walking from point to point."""
    hull = np.full(len(points), -1, np.int64)
    current = points[:, 0].argmin()
    count = 0
    while count < len(points):
        hull[count] = current
        count += 1
        following = (current + 1) % len(points)
        for i in range(len(points)):
            ax, ay = points[following] - points[current]
            bx, by = points[i] - points[current]
            if ax * by - ay * bx < 0:
                following = i
        current = following
        if current == hull[0]:
            break
    return hull, count


@case(lambda make: (make(6, 3), make(6, 3), (0.1, -0.2, 0.3), 0.9))
@jit
def rays_and_a_sphere(origins, directions, centre, radius):
    t = np.full(len(origins), -1.0)
    for i in range(len(origins)):
        b, c, a = np.float64(0), np.float64(-radius * radius), np.float64(0)
        for k in range(3):
            o = origins[i, k] - centre[k]
            a += directions[i, k] * directions[i, k]
            b += 2 * o * directions[i, k]
            c += o * o
        discriminant = b * b - 4 * a * c
        if discriminant >= 0:
            t[i] = (-b - math.sqrt(discriminant)) / (2 * a)
    return t


@case(lambda make: (make.of([[-1, -1], [1, -0.9], [0, 1.2]]), make(11, 2)))
@jit
def barycentric(triangle, points):
    a, b, c = triangle
    det = (b[1] - c[1]) * (a[0] - c[0]) + (c[0] - b[0]) * (a[1] - c[1])
    u = ((b[1] - c[1]) * (points[:, 0] - c[0]) + (c[0] - b[0]) * (points[:, 1] - c[1])) / det
    v = ((c[1] - a[1]) * (points[:, 0] - c[0]) + (a[0] - c[0]) * (points[:, 1] - c[1])) / det
    w = 1 - u - v
    return u, v, w, (u >= 0) & (v >= 0) & (w >= 0)


@case(lambda make: (make(5, 4), make(5, 4)))
@jit
def quaternion_products(p, q):
    out = np.empty_like(p)
    for i in range(len(p)):
        a, b, c, d = p[i]
        e, f, g, h = q[i]
        out[i, 0] = a * e - b * f - c * g - d * h
        out[i, 1] = a * f + b * e + c * h - d * g
        out[i, 2] = a * g - b * h + c * e + d * f
        out[i, 3] = a * h + b * g - c * f + d * e
    return out


@case(lambda make: (make.complex(9), 1.5 - 0.5j), ulp=16)
@jit
def moebius_map(z, a):
    w = (z - a) / (1 - a.conjugate() * z)
    return w, np.abs(w), (w * w.conj()).real, w.imag > 0
