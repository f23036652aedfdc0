"""Images: filters, masks, conversions; unsigned bytes among them."""

from __future__ import annotations

import numpy as np

from mpijit import jit

from . import INTEGERS, case

BYTES = ("uint8 C", "uint8 strided")


@case(lambda make: (make(11, 13, low=0),))
@jit
def box_blur(image):
    out = np.zeros_like(image)
    n, m = image.shape
    for di in range(-1, 2):
        for dj in range(-1, 2):
            out[1:-1, 1:-1] += image[1 + di : n - 1 + di, 1 + dj : m - 1 + dj]
    out /= 9
    return out


@case(lambda make: (make(10, 12, low=0),), ulp=4)
@jit
def sobel_edges(image):
    dx = (image[2:, 2:] + 2 * image[1:-1, 2:] + image[:-2, 2:]) - (
        image[2:, :-2] + 2 * image[1:-1, :-2] + image[:-2, :-2]
    )
    dy = (image[2:, 2:] + 2 * image[2:, 1:-1] + image[2:, :-2]) - (
        image[:-2, 2:] + 2 * image[:-2, 1:-1] + image[:-2, :-2]
    )
    return np.hypot(dx, dy), dx > dy


@case(lambda make: (make.of(make.rng.integers(0, 2, (9, 10)), np.bool_),), variants=("uint8 C", "uint8 strided"))
@jit
def erode_and_dilate(mask):
    eroded, dilated = mask.copy(), mask.copy()
    eroded[1:-1, 1:-1] = mask[1:-1, 1:-1] & mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
    dilated[1:-1, 1:-1] |= mask[:-2, 1:-1] | mask[2:, 1:-1] | mask[1:-1, :-2] | mask[1:-1, 2:]
    return eroded, dilated & ~mask


@case(lambda make: (make.integers(9, 8, high=256), 40, 200), variants=BYTES)
@jit
def stretch_contrast(image, low, high):
    clipped = np.clip(image, low, high)
    return ((clipped - low) / (high - low) * 255).astype(np.uint8)


@case(lambda make: (make.integers(7, 9, 3, high=256),), variants=BYTES)
@jit
def luminance(rgb):
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    return np.round(0.299 * r + 0.587 * g + 0.114 * b).astype(np.uint8)


@case(lambda make: (make.integers(8, 8, high=256), make.integers(8, 8, high=256)), variants=BYTES)
@jit
def byte_arithmetic(a, b):
    return a + b, a - b, a ^ b, a >> 2, (a & 15) << 4, a // 16, np.maximum(a, b) - np.minimum(a, b), 255 - a


@case(lambda make: (make.integers(8, 9, high=256),), variants=BYTES)
@jit
def histogram_and_cumulative(image):
    counts = np.zeros(256, np.int64)
    for row in image:
        for value in row:
            counts[value] += 1
    total = 0
    below = np.zeros(256)
    for i, count in enumerate(counts):
        total += int(count)
        below[i] = total / image.size
    return counts, below


@case(lambda make: (make(10, 10, low=0), 0.45), ulp=8)
@jit
def gamma_correction(image, gamma):
    return np.where(image <= 0.0031308, 12.92 * image, 1.055 * image**gamma - 0.055)


@case(lambda make: (make(7, 9),))
@jit
def flips_and_turns(image):
    left_right, upside_down = image[:, ::-1], image[::-1]
    turned = image.T[::-1]
    return left_right.copy(), upside_down.copy(), turned.copy(), (left_right + image)[::2, ::-3]


@case(lambda make: (make(8, 10),))
@jit
def halve_by_averaging(image):
    return (image[::2, ::2] + image[1::2, ::2] + image[::2, 1::2] + image[1::2, 1::2]) / 4


@case(lambda make: (make(6, 7), 11, 13))
@jit
def resize_bilinear(image, rows, columns):
    n, m = image.shape
    out = np.empty((rows, columns), image.dtype)
    for i in range(rows):
        y = i * (n - 1) / (rows - 1)
        i0 = min(int(y), n - 2)
        fy = y - i0
        for j in range(columns):
            x = j * (m - 1) / (columns - 1)
            j0 = min(int(x), m - 2)
            fx = x - j0
            top = image[i0, j0] * (1 - fx) + image[i0, j0 + 1] * fx
            bottom = image[i0 + 1, j0] * (1 - fx) + image[i0 + 1, j0 + 1] * fx
            out[i, j] = top * (1 - fy) + bottom * fy
    return out


@case(lambda make: (make(8, 9),))
@jit
def median_of_three_by_three(image):
    out = image.copy()
    window = np.empty(9, image.dtype)
    for i in range(1, image.shape[0] - 1):
        for j in range(1, image.shape[1] - 1):
            window[:] = image[i - 1 : i + 2, j - 1 : j + 2].ravel()
            for k in range(1, 9):
                x = window[k]
                at = k - 1
                while at >= 0 and window[at] > x:
                    window[at + 1] = window[at]
                    at -= 1
                window[at + 1] = x
            out[i, j] = window[4]
    return out


@case(lambda make: (make.integers(8, 9),), variants=INTEGERS)
@jit
def integral_image(image):
    n, m = image.shape
    table = np.zeros((n + 1, m + 1), np.int64)
    for i in range(n):
        row = 0
        for j in range(m):
            row += int(image[i, j])
            table[i + 1, j + 1] = table[i, j + 1] + row
    return table, table[4:, 4:] - table[:-4, 4:] - table[4:, :-4] + table[:-4, :-4]


@case(lambda make: (make(9, 11, low=0),))
@jit
def dither_by_error_diffusion(image):
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            old = image[y, x]
            new = 1.0 if old > 0.5 else 0.0
            image[y, x] = new
            error = old - new
            if x + 1 < image.shape[1]:
                image[y, x + 1] += error * 7 / 16
            if y + 1 < image.shape[0]:
                if x > 0:
                    image[y + 1, x - 1] += error * 3 / 16
                image[y + 1, x] += error * 5 / 16
                if x + 1 < image.shape[1]:
                    image[y + 1, x + 1] += error * 1 / 16


@case(lambda make: (make(6, 7, 3, low=0), make(6, 7, 4, low=0)))
@jit
def blend_over(background, layer):
    alpha = layer[:, :, 3:]
    background *= 1 - alpha
    background += alpha * layer[:, :, :3]


@case(lambda make: (-2.0, 0.5, -1.2, 1.2, 14, 11, 20), ulp=0, variants=("float64 C",))
@jit
def mandelbrot(x0, x1, y0, y1, nx, ny, limit):
    counts = np.zeros((ny, nx), np.int32)
    for j, y in enumerate(np.linspace(y0, y1, ny)):
        for i, x in enumerate(np.linspace(x0, x1, nx)):
            c = complex(x, y)
            z = 0j
            for k in range(limit):
                if z.real * z.real + z.imag * z.imag > 4:
                    break
                z = z * z + c
                counts[j, i] = k
    return counts


@case(lambda make: (make(9, 9), make(3, 3)))
@jit
def correlate_2d(image, weights):
    n, m = image.shape
    p, q = weights.shape
    out = np.zeros((n - p + 1, m - q + 1), image.dtype)
    for i, j in np.ndindex(p, q):
        out += weights[i, j] * image[i : n - p + 1 + i, j : m - q + 1 + j]
    return out
