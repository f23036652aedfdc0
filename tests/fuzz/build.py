"""Builds a kernel from a number: its parameters, their layouts and overlaps, its text. No state but the number."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from .arguments import FLAVOURS, place
from .kinds import BOOL, COMPLEX, FLOAT, FLOATS, INT, NAMES, REAL, SIGNED, UNSIGNED, Array, Scalar
from .rows import ROWS, Row
from .writer import Expr, Writer

SETS = 4  # argument sets of a kernel
LAYOUTS = ("C", "C", "C", "F", "strided", "strided", "negative", "zero")


def extents(rng: random.Random, style: str) -> list[tuple[int, ...]]:
    """Three lengths, each with a value in every argument set."""
    sizes: tuple[int, ...] = (3, 4, 5, 6, 8)
    if style == "arrays":
        sizes = (3, 4, 6, 8, 17, 33, 40) if rng.random() < 0.85 else (128, 130, 300, 1000)
    made = []
    for _ in range(3):
        n = [rng.choice(sizes) for _ in range(SETS)]
        if rng.random() < 0.14:
            n[rng.randrange(SETS)] = rng.choice((0, 1, 1))
        made.append(tuple(n))
    return made


def parameters(
    rng: random.Random, w: Writer, style: str, focus: list[Row], palette: list[str]
) -> tuple[list[dict[str, Any]], dict[int, list[int]]]:
    """Array parameters and which of them share memory."""
    n, m, k = w.extents
    one = (1,) * SETS
    if style == "arrays" and max(n) > 100:
        shapes: list[tuple[tuple[int, ...], ...]] = [(n,), (n,), (n,), ((3,) * SETS, n)]
    else:
        shapes = [(n,), (n,), (n,), (m,), (n, m), (n, m), (m, n), (n, n), (one, m), ()]
        if max(n) * max(m) * max(k) <= 600:
            shapes.append((n, m, k))
    arrays: list[dict[str, Any]] = []
    for name in "abcd"[: rng.randint(2, 4)]:
        shape = () if any(r.wants == "0-d" for r in focus) and name == "b" else rng.choice(shapes)
        layout = rng.choice(LAYOUTS)
        writeable = layout != "zero" and rng.random() > 0.06
        arrays.append(
            {"name": name, "dtype": rng.choice(palette), "shape": shape, "layout": layout, "writeable": writeable}
        )
    if any(r.wants == "complex" for r in focus):
        arrays[0]["dtype"] = rng.choice(COMPLEX)
        arrays[0]["shape"] = arrays[0]["shape"] or (n,)
    groups = {k: [k] for k in range(len(arrays))}
    if rng.random() < 0.45:
        first, second = rng.sample(range(len(arrays)), 2)
        arrays[second]["dtype"] = arrays[first]["dtype"]
        if rng.random() < 0.6:
            arrays[second]["shape"] = arrays[first]["shape"]
        groups[first].append(second)
        del groups[second]
    shared = {k for members in groups.values() if len(members) > 1 for k in members}
    for index, a in enumerate(arrays):
        w.declare(
            a["name"],
            Array(a["dtype"], a["shape"]),
            readonly=not a["writeable"],
            layout=a["layout"],
            aliased=index in shared,
        )
    if rng.random() < 0.4:
        shape = rng.choice([s for s in shapes if s])
        arrays.append(
            {
                "name": "s",
                "dtype": rng.choice(FLOATS),
                "shape": shape,
                "layout": rng.choice(("C", "strided")),
                "writeable": True,
            }
        )
        groups[len(arrays) - 1] = [len(arrays) - 1]
        w.declare("s", Array(arrays[-1]["dtype"], shape), sink=True)
    return arrays, groups


def number(rng: random.Random, t: Scalar) -> str:
    """The text of a value for a scalar parameter."""
    if t.kind == "b":
        value = str(rng.random() < 0.5)
    elif t.kind in "iu":
        low = 0 if t.kind == "u" else -4
        value = str(rng.randint(low, 9))
        if rng.random() < 0.08:
            value = rng.choice(("127", "100")) if t.dtype[1] == "1" else "30000" if t.dtype[1] == "2" else "2147483647"
        if t == INT and rng.random() < 0.04:
            value = rng.choice(("9223372036854775807", "-9223372036854775808", "4611686018427387904"))
    elif t.kind == "c":
        value = rng.choice(("1j", "(2+1j)", "-0.5j"))
    else:
        value = rng.choice(("0.5", "1.0", "-1.5", "2.25", "0.1", "100.0", "0.0", "3.0"))
        if rng.random() < 0.1:
            value = rng.choice(("nan", "inf", "-inf", "-0.0", "1e300" if t.dtype == "f8" else "1e30", "1e-310"))
    return value if t.weak else f"np.{NAMES[t.dtype]}({value})"


def palette_of(rng: random.Random, complex_numbers: bool, surely: bool) -> list[str]:
    """The dtypes of a kernel: few, so that arrays of one dtype meet."""
    some = ["f8", rng.choice(FLOATS), rng.choice(REAL), rng.choice((*SIGNED, *UNSIGNED))]
    if surely or (complex_numbers and rng.random() < 0.12):
        some += [rng.choice(COMPLEX)] * 2
    return some[rng.choice((0, 0, 1, 2)) :]


def build(seed: int, index: int, rows: list[Row]) -> tuple[dict[str, Any], Counter[str]]:
    """The kernel of a number, and how often each row occurs in it. `rows` are those that the compiler supports."""
    rng = random.Random(f"{seed}:{index}")
    style = rng.choice(("loops", "loops", "arrays", "arrays", "mixed"))
    if not any(r.name == "array +" for r in rows):
        style = rng.choice(("loops", "mixed"))
    focus = [rows[index % len(rows)], rng.choice(rows)]  # every row has its turn
    if rng.random() < 0.25:  # approximate results have few places of their own
        focus.append(rng.choice([r for r in rows if r.approx]))
    kept = [r for r in rows if r in focus or r.leaf or r.kind == "scalar" or rng.random() < 0.8]
    w = Writer(rng, kept, extents(rng, style), style)
    w.rows = {r.name for r in rows}
    flavour = rng.choice(FLAVOURS)
    arrays, groups = parameters(
        rng, w, style, focus, palette_of(rng, "complex real" in w.rows, any(r.wants == "complex" for r in focus))
    )
    scalars = {"i": INT, "n": INT, "x": FLOAT}
    if rng.random() < 0.3:
        scalars["p"] = BOOL
    if rng.random() < 0.5:
        scalars["q"] = Scalar(rng.choice(REAL))
    for name, t in scalars.items():
        w.declare(name, t)
    _body(w, focus)
    sinks = {a["name"]: 16 for a in arrays if a["name"] == "s"}
    sets = []
    for at in range(SETS):
        concrete = [{**a, "shape": tuple(e[at] for e in a["shape"])} for a in arrays]
        spec = place(rng, concrete, groups, flavour)
        spec["scalars"] = {name: number(rng, t) for name, t in scalars.items()}
        if rng.random() < 0.7:
            spec["scalars"]["n"] = str(w.extents[0][at])
        sets.append(spec)
    names = [a["name"] for a in arrays] + list(scalars)
    head = "\n".join(w.module)
    source = f"{head}\n@jit\ndef f({', '.join(names)}):\n" + "\n".join(w.lines) + "\n"
    kernel = {"source": source, "names": names, "sets": sets, "sinks": sinks, "captured": w.captured}
    return kernel | compiled_how(index), w.used


def compiled_how(index: int) -> dict[str, int]:
    """How a kernel is compiled: a quarter without LLVM's passes, a few with all of them (slow); checked after each of
    LLVM's passes (slow too), or after the last one."""
    opt = 3 if index % 64 == 0 else 0 if index % 4 == 1 else 2
    return {"opt": opt, "verify": 2 if index % 16 == 2 else 1}


def _body(w: Writer, focus: list[Row]) -> None:
    rng = w.rng
    w.emit(f"v0 = {w.literal(w.choice(INT, FLOAT)).text}")
    w.declare("v0", INT if "." not in w.lines[-1] else FLOAT)
    returned = [v.name for v in w.scopes[0] if isinstance(v.type, Scalar) and not v.counter][:3]
    if rng.random() < 0.3 and not any(r.approx for r in focus):
        w.returns = [*returned, *([v.name for v in w.arrays()][:1])]
    w.statements(1, 3)
    for row in focus:
        for _ in range(6):
            if w.used[row.name]:
                break
            w.fuel = max(w.fuel, 12)
            _prepare(w, row)
            _focus(w, row)
    w.fuel = max(w.fuel, 10)
    w.statements(1, 3)
    if w.returns is not None:
        w.emit(f"return {', '.join(w.returns)}")
        return
    results = [v.name for v in w.scopes[0] if isinstance(v.type, Scalar) and not v.counter][-4:]
    results += w.approximate
    if rng.random() < 0.5 and w.arrays():
        results.append(rng.choice(w.arrays()).name)
    w.fuel = max(w.fuel, 6)
    if rng.random() < 0.5:
        with w.exact(approx=True):
            e: Expr = w.scalar(FLOAT)
        results.append(f"U_({e.text}, {e.ulp + 2})" if e.ulp else e.text)
    if w.has("array +") and rng.random() < 0.25:
        with w.exact(approx=True):
            made = w.array()
        if made is not None:
            results.append(f"U_({made.text}, {made.ulp + 2})" if made.ulp else made.text)
    w.emit(f"return {', '.join(results)}" + ("," if len(results) == 1 else ""))


def _prepare(w: Writer, row: Row) -> None:
    if row.wants == "tuple":
        w.write(ROWS["new tuple"])


def _focus(w: Writer, row: Row) -> None:
    """Write a statement in which the row occurs, where there is one."""
    if row.kind == "statement":
        w.write(row)
        return
    with w.exact(approx=row.approx):
        e = w.write(row)
    if e is None or (row.kind == "array" and getattr(e.type, "ndim", 0) == 0 and not isinstance(e.type, Scalar)):
        return
    name = w.fresh()
    if not e.ulp:
        w.emit(f"{name} = {e.text}")
        if isinstance(e.type, Scalar):
            w.declare(name, e.type)
        else:
            w.declare(name, e.type, readonly=w.is_readonly(e), layout="view", aliased=True)
        return
    w.emit(f"{name} = {e.text}")  # nothing but the result may use it
    w.approximate.append(f"U_({name}, {e.ulp + 2})")
