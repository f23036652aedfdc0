"""Arguments of kernels: arrays of every layout, some of which share memory, described as plain data.

A set of arguments is a dict: ``memory`` lists blocks of bytes (dtype, count, how to fill them, a seed; or the values
themselves), ``arrays`` maps names to views of them, ``scalars`` names to texts. So a set can be printed, shrunk and
built as often as needed.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

Spec = dict[str, Any]

FLAVOURS = ("small", "small", "ordinary", "special")


def fill(dtype: str, count: int, flavour: str, seed: int) -> np.ndarray:
    """Values for a block: small round numbers, ordinary ones, or the ends of the range, nan and signed zeros."""
    rng = np.random.Generator(np.random.PCG64(seed))
    d = np.dtype(dtype)
    if d.kind == "b":
        return rng.integers(0, 2, count).astype(bool)
    if d.kind == "c":
        real = fill("f8", 2 * count, "small" if flavour == "special" else flavour, seed)
        return real.view("c16").astype(d)
    if d.kind == "f":
        small = rng.integers(-32, 33, count) / 4.0
        if flavour == "small":
            return small.astype(d)
        out = rng.normal(size=count) * 10.0 ** rng.integers(-2, 3, count)
        if flavour == "special":
            info = np.finfo(d)
            special = [
                0.0,
                -0.0,
                np.inf,
                -np.inf,
                np.nan,
                1.0,
                -1.0,
                float(info.max),
                float(info.tiny),
                5e-324,
                0.5,
                2.5,
                1e10,
            ]
            out = np.where(rng.random(count) < 0.5, rng.choice(special, count), out)
        with np.errstate(all="ignore"):
            return out.astype(d)
    info = np.iinfo(d)
    if flavour == "small":
        return rng.integers(max(info.min, -8), 9, count).astype(d)
    out = rng.integers(info.min, info.max, count, dtype=d, endpoint=True)
    if flavour == "special":
        ends = np.array([0, 1, info.min, info.max, info.max - 1, 2, 3], dtype=d)
        out = np.where(rng.random(count) < 0.5, rng.choice(ends, count), out)
    return out.astype(d)


def strides_of(rng: random.Random, shape: tuple[int, ...], layout: str) -> list[int]:
    """Strides in elements."""
    order = list(range(len(shape)))
    if layout == "F":
        order.reverse()
    elif layout in ("strided", "negative"):
        rng.shuffle(order)
    step = rng.choice((1, 2, 3)) if layout in ("strided", "negative") and shape else 1
    strides = [0] * len(shape)
    for axis in reversed(order):
        strides[axis] = step
        step *= max(shape[axis], 1)
        if layout in ("strided", "negative") and rng.random() < 0.3:
            step += 1
    if layout == "negative" and shape:
        for axis in rng.sample(range(len(shape)), rng.randint(1, len(shape))):
            strides[axis] = -strides[axis]
    if layout == "zero" and shape:
        strides[rng.randrange(len(shape))] = 0
    return strides


def place(rng: random.Random, arrays: list[Spec], groups: dict[int, list[int]], flavour: str) -> Spec:
    """Lay arrays (name, dtype, shape, layout, writeable) into memory; a group shares one block, shifted at random."""
    memory: list[Spec] = []
    views: dict[str, Spec] = {}
    for members in groups.values():
        spans = []
        for k in members:
            a = arrays[k]
            strides = strides_of(rng, a["shape"], a["layout"])
            reach = [(n - 1) * s for n, s in zip(a["shape"], strides, strict=True) if n > 0]
            low, high = sum(r for r in reach if r < 0), sum(r for r in reach if r > 0)
            shift = rng.choice((0, 0, 1, 1, 2, 3, 5)) if len(members) > 1 else 0
            spans.append((k, strides, -low + shift, high - low + shift + 1))
        dtype = arrays[members[0]]["dtype"]
        count = max(span[3] for span in spans) + 2
        memory.append({"dtype": dtype, "count": count, "flavour": flavour, "seed": rng.randrange(1 << 30)})
        size = np.dtype(dtype).itemsize
        for k, strides, start, _ in spans:
            a = arrays[k]
            views[a["name"]] = {
                "block": len(memory) - 1,
                "dtype": a["dtype"],
                "shape": list(a["shape"]),
                "strides": [s * size for s in strides],
                "offset": start * size,
                "writeable": a["writeable"],
            }
    return {"memory": memory, "arrays": {a["name"]: views[a["name"]] for a in arrays}}


class Arguments:
    """A set of arguments, built anew."""

    def __init__(self, spec: Spec) -> None:
        self.blocks = []
        for block in spec["memory"]:
            if "values" in block:
                values = np.array([_number(v, block["dtype"]) for v in block["values"]], block["dtype"])
            else:
                values = fill(block["dtype"], block["count"], block["flavour"], block["seed"])
            self.blocks.append(values)
        self.arrays = {}
        for name, view in spec["arrays"].items():
            made = np.ndarray(
                tuple(view["shape"]), view["dtype"], self.blocks[view["block"]], view["offset"], tuple(view["strides"])
            )
            made.flags.writeable = view["writeable"]
            self.arrays[name] = made
        self.scalars = {
            name: eval(text, {"np": np, "nan": np.nan, "inf": np.inf}) for name, text in spec["scalars"].items()
        }

    def values(self, names: list[str]) -> list[Any]:
        return [self.arrays[n] if n in self.arrays else self.scalars[n] for n in names]

    def locate(self, array: np.ndarray) -> tuple[int, int] | None:
        """The block that an array lies in, and its distance from the block's start."""
        address = array.__array_interface__["data"][0]
        for k, block in enumerate(self.blocks):
            start = block.__array_interface__["data"][0]
            if start <= address < start + max(block.nbytes, 1) and np.may_share_memory(block, array):
                return k, address - start
        return None


def _number(value: Any, dtype: str) -> Any:
    return complex(value) if dtype[0] == "c" else float(value) if dtype[0] == "f" else value


def spelled_out(spec: Spec) -> Spec:
    """The set with the values of its blocks in place of how to make them."""
    out = dict(spec)
    out["memory"] = []
    for block in spec["memory"]:
        if "values" not in block:
            values = fill(block["dtype"], block["count"], block["flavour"], block["seed"])
            kind = block["dtype"][0]
            block = {"dtype": block["dtype"], "values": [repr(v) if kind in "fc" else v for v in values.tolist()]}
        out["memory"].append(block)
    return out
