"""Indexing, iteration and axes against CPython and NumPy, over layouts: C and Fortran order, strided, reversed, empty.

The kernels are generated: each index expression and each loop becomes one, compiled and compared with its `py_func`.
"""

from __future__ import annotations

import linecache
import re
import textwrap
from typing import Any

import numpy as np
import pytest

from mpijit import jit


def kernel(source: str, **names: Any) -> Any:
    """The function that the source defines, as a kernel whose text `inspect` finds."""
    name = f"<indexing {len(linecache.cache)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np, "N": None, "E": ..., "ROW": (1,), "LAST": (..., -1), **names}
    exec(compile(source, name, "exec"), namespace)  # our own text
    return jit(namespace["f"])


def blocks(text: str) -> dict[str, str]:
    """Pieces of source by the comment in front of each."""
    parts = re.split(r"^# (.*)\n", text.strip("\n") + "\n", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def indented(block: str) -> str:
    return textwrap.indent(block, "    ").strip()


def layouts(shape: tuple[int, ...]) -> list[np.ndarray]:
    """Arrays of a shape with the same values, one for each way to lie in memory."""
    size = int(np.prod(shape))
    c = np.arange(size, dtype=np.float64).reshape(shape)
    if not shape:
        return [c]
    wide = np.zeros([2 * n + 1 for n in shape])
    strided = wide[tuple(slice(1, None, 2) for _ in shape)]
    strided[...] = c
    backwards = np.zeros(shape)[tuple(slice(None, None, -1) for _ in shape)]
    backwards[...] = c
    return [c, np.asfortranarray(c), strided, backwards]


def same(a: Any, b: Any) -> bool:
    """Equal in type, dtype, shape and values; arrays lie alike where more than one element decides about it."""
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        alike = all(s == t for n, s, t in zip(a.shape, a.strides, b.strides, strict=True) if n > 1 and a.size)
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b) and alike
    return type(a) is type(b) and bool(a == b)


def compare(f: Any, *args: Any) -> None:
    # Not copied for the call: a copy has another layout.
    compiled, interpreted = [], []
    for run, into in ((f, compiled), (f.py_func, interpreted)):
        before = [x.copy() if isinstance(x, np.ndarray) else x for x in args]
        try:
            into += ["value", run(*args)]
        except Exception as error:
            into += ["raises", (type(error), str(error))]
        into.append(tuple(x.copy() if isinstance(x, np.ndarray) else x for x in args))
        for x, old in zip(args, before, strict=True):
            if isinstance(x, np.ndarray):
                x[...] = old
    if compiled[0] == "raises" and compiled[1][0] is IndexError:  # NumPy's words depend on its version
        compiled[1], interpreted[1] = compiled[1][:1], interpreted[1][:1]
    assert compiled[0] == interpreted[0] and same(tuple(compiled[1:]), tuple(interpreted[1:])), (
        f"compiled {compiled}, interpreted {interpreted}"
    )


INDICES = [
    "...", "..., 0", "0, ...", "1, ..., ::2", "..., 1, 0", "..., N", "N", "N, N, ..., N", ":, N", "N, 1", "1, N",
    "N, ..., 0", "-1, ..., -1", "..., ::-1", "::-1, ..., ::-2", ":0", "5:, ...", "..., 1:1", "t", "u", "u[::-1]",
    "u[1:]", "u[:1] + t", "*t", "*u", "*t, ...", "..., *t", "0, *t", "t + (N,)", "(..., 1)", "(0,) * 2", "ROW",
    "LAST", "E", "E, 0", "()", "t[:0]", "1, 2, 3, ...", "0, 0, 0", "0, 0, 0, ...", "2, ...", "..., 7", "-4, ...",
    "N, 9", "np.newaxis, ..., 0, np.newaxis",
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES)
def test_index(index: str) -> None:
    f = kernel(f"def f(a, t, u):\n    return a[{index}]\n")
    for shape in [(2, 3, 4), (3, 1, 2), (2, 0, 3)]:
        for a in layouts(shape):
            compare(f, a, (1,), (1, 0))


@pytest.mark.parametrize("index", ["()", "...", "N", "..., N", "N, ..., N", "E", "t[:0]"])
def test_index_of_no_axes(index: str) -> None:
    f = kernel(f"def f(a, t):\n    return a[{index}]\n")
    for a in layouts(()):
        compare(f, a, (1,))


@pytest.mark.parametrize("index", ["t", "u + t", "*u, 2", "t * 3", "u[::-1] + (-1,)", "1, *t, *t", "(*u, i)"])
def test_store(index: str) -> None:
    f = kernel(f"def f(a, t, u, i):\n    a[{index}] = 7\n    a[{index}] += 2\n    return a[{index}]\n")
    for a in layouts((2, 3, 4)):
        for i in (0, 3, 4):
            if index == "t":
                compare(f, a[0, 0], (1,), (1, 0), i)
            else:
                compare(f, a, (1,), (1, 0), i)


ATTRIBUTES = [
    "a.T", "a.shape", "a.nbytes, a.itemsize, a.size, a.ndim", "a.T.shape", "a.T.T", "a.transpose()",
    "a.transpose(None)", "a.transpose(1, 2, 0)", "a.transpose((2, 0, 1))", "a.transpose((-1, 0, 1))",
    "np.transpose(a)", "np.transpose(a, (1, 0, 2))", "np.transpose(a, axes=(0, 1, 2))", "a.swapaxes(0, 2)",
    "np.swapaxes(a, -1, axis2=1)", "np.moveaxis(a, 0, -1)", "np.moveaxis(a, 2, 0)",
    "np.moveaxis(a, (0, 1), (-1, -2))", "np.moveaxis(a, (2, 0), (0, 2))", "np.expand_dims(a, 0)",
    "np.expand_dims(a, -1)", "np.expand_dims(a, (0, 2, -1))", "a[:, None].squeeze(1)",
    "np.squeeze(a[None, :, None], (0, 2))", "np.squeeze(a, axis=1)", "a.squeeze(-2)", "a.T[0]", "a.T[..., ::-1][1:]",
    "a.swapaxes(0, 1)[0, ..., None]", "a.T[1, 0, 1]",
]  # fmt: skip


@pytest.mark.parametrize("expression", ATTRIBUTES)
def test_axes(expression: str) -> None:
    f = kernel(f"def f(a):\n    return {expression}\n")
    for shape in [(2, 3, 4), (3, 1, 2), (2, 0, 3)]:
        for a in layouts(shape):
            compare(f, a)


def test_strides() -> None:
    f = kernel("def f(a):\n    return a.strides, a.T.strides, a[::-1, 1].strides, a[..., ::2].strides\n")
    for a in layouts((2, 3, 4)):
        compare(f, a)
    g = kernel("def f(a):\n    return a.strides, a.T, a.T.shape\n")
    for a in [*layouts(()), *layouts((3,))]:
        compare(g, a)


LOOPS = blocks("""
# array
for x in a:
    r += weight(x)
# nested
for row in a:
    for x in row:
        r = r * 0.5 + x
# enumerate
for k, x in enumerate(a):
    r += k * weight(x)
# enumerate from
for k, x in enumerate(a, n):
    r += k * weight(x)
# enumerate whole
for p in enumerate(a, start=2):
    r += p[0] * weight(p[1])
# enumerate range
for k, i in enumerate(range(n, -n, -2), -1):
    r += k * 10 + i
# zip
for x, y in zip(a, b):
    r += weight(x) * weight(y)
# zip range
for i, x in zip(range(1, 9, n), a):
    r += i * weight(x)
# zip three
for i, (j, x), y in zip(range(n), enumerate(a), b):
    r += i * j + weight(x) - weight(y)
# zip one
for (x,) in zip(a):
    r += weight(x)
# zip tuple
for i, x in zip((1, 2.5, n), a):
    if i == n:
        continue
    r += i * weight(x)
# zip tuples
for i, j in zip((1, 2, 3), (4, 5.5)):
    r += i * j
# zip nothing
for x in zip():
    r += 1
# reversed
for x in reversed(a):
    r = r * 0.5 + weight(x)
# reversed range
for i in reversed(range(n)):
    r = r * 0.5 + i
# reversed step
for i in reversed(range(20, n, -3)):
    r = r * 0.5 + i
# reversed tuple
for i in reversed((n, 2, 2.5)):
    r = r * 0.5 + i
# tuple
for i in (1, 2.5, n, True):
    if i == 2.5:
        continue
    r = r * 2 + i
# list
for i in [1, n]:
    r = r * 2 + i
# tuple of tuples
for i, (j, k) in ((1, (2, 3)), (n, (5, 6.5))):
    r = r * 2 + i * j - k
# tuple of arrays
for x in (a, b):
    for y in x:
        r += weight(y)
# empty tuple
for i in ():
    r += 1
else:
    r -= 1
# ndindex
for i, j in np.ndindex(n, 3):
    if j == 1:
        continue
    r = r * 0.5 + i * 10 + j
# ndindex shape
for i in np.ndindex(a.shape):
    r = r * 0.5 + a[i] * i[0]
# ndindex tuple
for i in np.ndindex(a.shape[:1] + (2,)):
    r = r * 0.5 + i[0] - i[1]
# ndindex one
for (i,) in np.ndindex(n):
    r = r * 0.5 + i
# ndindex of what changes
for i, j in np.ndindex(2, len(a)):
    r += i + 10.0 * j
    a, b = b, a
# ndindex none
for i in np.ndindex(()):
    r += 1 + len(i)
# enumerate ndindex
for k, (i, j) in enumerate(np.ndindex(3, n)):
    r = r * 0.5 + k * i - j
# ndenumerate
for i, x in np.ndenumerate(a):
    r = r * 0.5 + x * i[0]
# ndindex break
for i, j in np.ndindex(4, n):
    if i * j == 2:
        break
    r += i + j
else:
    r = -r - 1
# tuple break
for i in (1, 2, 3):
    for j in (1, 4):
        if i * j == n:
            break
    else:
        r += 1
        continue
    r += 10
    if i == 2:
        break
else:
    r += 100
# zip tuple else
for i, x in zip((1, 2, 3), a):
    if i == n:
        break
    r += weight(x)
else:
    r -= 1
# rebound
for a in a:
    r += weight(a)
    break
# return
for x in a:
    for i in (1, 2, 3):
        if i == n:
            return weight(x) + i
# store targets
for a[0, 0], k in zip((5.0, 6.0), range(9)):
    r += a[0, 0] * k
# unpack
x, y, z = a
r = weight(x) + 2 * weight(y) - weight(z)
# unpack row
for x, y in a:
    r += x * y
# unpack swap
x, y = a[0, :2]
a[0, :2][0], a[0, :2][1] = y, x
r = x - y
""")

ONE_AXIS = {"enumerate whole"}
TWO_AXES = {"nested", "unpack row", "store targets", "unpack swap"}


def weight_of_element(x):
    return x + 0.25


def weight_of_row(row):
    return row[0] + 2.0 * row[-1]


@pytest.mark.parametrize("name", LOOPS)
def test_loop(name: str) -> None:
    for ndim, weight in ((1, weight_of_element), (2, weight_of_row)):
        if name in (TWO_AXES if ndim == 1 else ONE_AXIS):
            continue
        f = kernel(
            f"def f(a, b, n):\n    r = np.float64(n)\n    {indented(LOOPS[name])}\n    return r\n", weight=weight
        )
        for length in (0, 1, 3):
            shape = (length, 2)[:ndim]
            for a, b in zip(layouts(shape), layouts((2, 2)[:ndim]), strict=True):
                for n in (1, 2, 3):
                    if name != "return" or length:
                        compare(f, a, b, n)


@pytest.mark.parametrize("name", ["ndindex", "ndindex break", "enumerate ndindex", "ndindex one"])
def test_ndindex_of_no_or_negative_length(name: str) -> None:
    f = kernel(f"def f(a, b, n):\n    r = np.float64(n)\n    {indented(LOOPS[name])}\n    return r\n")
    for n in (0, -1):
        compare(f, np.zeros(3), np.zeros(2), n)


def test_loop_variables_afterwards() -> None:
    f = kernel("def f(a):\n    x = 7.5\n    for x in a:\n        pass\n    return x\n")
    g = kernel("def f(n):\n    i = j = 7\n    for i, j in np.ndindex(n, n - 1):\n        pass\n    return i, j\n")
    h = kernel("def f(n):\n    if n:\n        for i in (1, 2):\n            pass\n    return i + 1\n")
    for length in (1, 3):
        compare(f, np.arange(length) + 0.5)
    assert f(np.zeros(0)) == 7.5
    for n in (1, 3):
        compare(g, n)
    for n in (0, 1):
        compare(h, n)


def test_what_is_run_over_is_looked_at_once() -> None:
    f = kernel("def f(a):\n    n = 0\n    for x in a:\n        a = a[1:]\n        n += 1\n    return n, a\n")
    g = kernel("def f(t, n):\n    r = 0\n    for i in range(n):\n        for t in (t, n):\n            n += 1\n"
               "            r += t\n    return r, t, n\n")  # fmt: skip
    compare(f, layouts((4, 2))[2])
    compare(g, 2, 3)


TUPLES = [
    "t[1:]", "t[::-1]", "t[-2:]", "t[:-5:-1]", "t[5:1]", "t[::2]", "t[9:0:-3]", "t[:0]", "t + u", "u + (n,) + t",
    "t * 2", "0 * t", "-1 * t", "() + u", "(t + u)[2]", "t[1:] + t[:1]", "(*t, *u)", "n in t", "n not in t",
    "2 in (1, 2, n)", "sum(t)", "sum(u, n)", "sum(())", "sum((n,), 2.5)", "min(t)", "max(t + (n,))", "len(t + u)",
    "(t, u)[1][::-1]", "('a' in ('b', 'a')), ('a' in ('b',))", "t[n - n]", "(t * 2)[n]", "t[::-1][n]",
]  # fmt: skip


@pytest.mark.parametrize("expression", TUPLES)
def test_tuples(expression: str) -> None:
    f = kernel(f"def f(t, u, n):\n    return {expression}\n")
    compare(f, (3, 1, 2), (2.5, True), 2)
    compare(f, (3, 1, 2), (2.5, True), 1)


def test_tuples_evaluate_once_and_in_order() -> None:
    f = kernel(
        "def f(a):\n    t = (n(a), n(a))[::-1] + (n(a),) * 2\n    u = (n(a), 5) * 0\n"
        "    return t, u, a[n(a), n(a) - 4], sum((n(a), n(a)), n(a)), a\n",
        n=count,
    )
    compare(f, np.zeros((9, 3), dtype=np.int64))


def count(a):
    a[0, 0] += 1
    return int(a[0, 0])


# ---- checks ------------------------------------------------------------------------------------------------

PROVEN = blocks("""
# array
for x in a:
    b[0] = x
# rows
for row in a2:
    for x in row:
        b[0] = x
# enumerate
for i, x in enumerate(a):
    a[i] = x
# ndindex
for i, j in np.ndindex(a2.shape):
    a2[i, j] = 1
# ndindex tuple
for i in np.ndindex(a2.shape):
    a2[i] = 1
# ndindex break
for i, j in np.ndindex(a2.shape):
    if i > j:
        break
    a2[i, j] = 1
# ndindex other
for i, j in np.ndindex(n, n):
    a2[i, j] = 1
# offsets
for i in range(1, len(a) - 1):
    for d in (-1, 0, 1):
        if n == d:
            continue
        a[i + d] = 1
# zip
for x, y in zip(a, b):
    s = x + y
""")


@pytest.mark.compiled
@pytest.mark.parametrize("name", PROVEN)
def test_accesses_are_proven(name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs over an array needs no check in the loop: none, or one before it."""
    monkeypatch.setenv("MPIJIT_DUMP", "ir")
    f = kernel(f"def f(a, a2, b, n):\n    s = 0.0\n    {indented(PROVEN[name])}\n    return s\n")
    a, a2, b = np.ones(5), np.ones((4, 3)), np.ones(2)
    f(a, a2, b, 2)
    text = capfd.readouterr().err
    fast = text.partition("    fast\n")[2].partition("    cold\n")[0] or text
    accesses = re.findall(r"\b(?:a|a2|row|b)\[([^\]]*)\]", fast.replace("b[0]", ""))
    assert accesses and all(index.startswith(("!", ":")) for access in accesses for index in access.split(", ")), text


@pytest.mark.parametrize("x", [3, 2.5, True, 1j, np.float32(3), np.array(4)], ids=repr)
def test_shapes_of_a_number(x: Any) -> None:
    f = kernel("def f(x):\n    return np.reshape(x, (-1, 1)), np.ravel(x), np.reshape(x, 1)\n")
    compare(f, x)
