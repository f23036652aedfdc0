"""Basic indexing: rows for views of arrays, and `view_of`, which finds a view with the extents that are needed."""

from __future__ import annotations

from functools import cache

from .kinds import INT, Array, Extent
from .rows import family, row
from .writer import Expr, Var, Writer

SLICES = (
    *(":", "::-1", "1:", ":-1", "1:-1", "2:", ":-2", "2:-2", "::2", "1::2", "::-2", "-2::-1", "-1:0:-1", ":3", "-3:"),
    *("3:", "1:3", "0:1", "1:2", "-1:", "::3", "5::-1", "1:100", "-100:2", "2:1", "0:0", "-2:-100:-1"),
)


def parse(text: str) -> slice:
    return slice(*(int(part) if part else None for part in text.split(":")))


def sliced(text: str, extent: Extent) -> Extent:
    """The extent that a slice leaves of an axis."""
    if extent is None:
        return None
    return tuple(len(range(n)[parse(text)]) for n in extent)


@cache
def slices_to(have: tuple[int, ...], want: tuple[int, ...]) -> tuple[str, ...]:
    """The slices that make the wanted extent of an axis."""
    return tuple(s for s in SLICES if sliced(s, have) == want)


def view_of(w: Writer, v: Var, shape: tuple[Extent, ...]) -> Expr | None:
    """A view of an array that broadcasts to the shape; None if none was found."""
    t: Array = v.type
    rng = w.rng
    if None in t.shape or None in shape:
        return None
    for _ in range(5):
        transposed = t.ndim > 1 and rng.random() < 0.25 and w.has(".T")
        axes = list(reversed(t.shape)) if transposed else list(t.shape)
        count = min(len(axes), len(shape))
        if rng.random() < 0.3 and count:
            count -= 1
        kept = sorted(rng.sample(range(len(axes)), count))
        ones = rng.random() < 0.2 and w.has("newaxis")
        wanted = list(shape[len(shape) - count :])
        if ones and count < len(shape):
            wanted = list(shape[len(shape) - count - 1 : -1])
        items, extents = [], []
        for axis, extent in enumerate(axes):
            if axis not in kept:
                items.append(w.index(extent))
                continue
            need = wanted[len(extents)]
            assert extent is not None and need is not None
            options = slices_to(extent, need)
            if not options or rng.random() < 0.1:
                options = slices_to(extent, (1,) * len(extent))
            if not options:
                break
            items.append(":" if ":" in options and rng.random() < 0.4 else rng.choice(options))
            extents.append(need if items[-1] in slices_to(extent, need) else (1,) * len(extent))
        else:
            if ones and count < len(shape):
                items.append("np.newaxis" if rng.random() < 0.7 else "None")
                extents.append((1,) * len(shape[0] or ()))
                w.use("newaxis")
            text = v.name
            if transposed:
                text += ".T"
                w.use(".T")
            if not count and not ones:
                return None  # a scalar
            if any(item != ":" for item in items) or (items and rng.random() < 0.2):
                text += f"[{', '.join(items)}]"
            return Expr(text, Array(t.dtype, tuple(extents)))
    return None


def basic_view(w: Writer, v: Var) -> Expr:
    """A view by slices and integers, whatever its shape; at least one axis stays."""
    t: Array = v.type
    rng = w.rng
    items: list[str] = []
    extents: list[Extent] = []
    kept = rng.randrange(t.ndim)
    for axis, extent in enumerate(t.shape):
        if axis != kept and rng.random() < 0.35:
            items.append(w.index(extent))
            continue
        text = rng.choice(SLICES)
        if rng.random() < 0.2:
            text = run_time_slice(w)
            extents.append(None)
        else:
            extents.append(sliced(text, extent))
        items.append(text)
    while len(items) > 1 and items[-1] == ":" and rng.random() < 0.7:
        items.pop()
    return Expr(f"{v.name}[{', '.join(items)}]", Array(t.dtype, tuple(extents)))


def run_time_slice(w: Writer) -> str:
    """Bounds that are known at run time only."""
    ints = w.scalars(lambda v: v.type == INT)
    if not ints:
        return "1:"
    i, j = w.rng.choice(ints).name, w.rng.choice(ints).name
    return w.choice(f"{i}:", f":{i}", f"{i}:{j}", f"-{i}:", f"{i}::-1", f"{i} % 3:{j}:2", f":-{i}")


@row("array", "name of an array", "return a", weight=3, leaf=True)
def array_name(w: Writer) -> Expr | None:
    some = w.arrays()
    if not some:
        return None
    v = w.rng.choice(some)
    return Expr(v.name, v.type)


@row("array", "slices", "return m[1:-1, ::-1]", weight=4, leaf=True, table=(26,))
def slices(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 0)
    return basic_view(w, w.rng.choice(some)) if some else None


@row("array", "sub-array", "return m[i]", weight=1, leaf=True, table=(30,))
def sub_array(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 1)
    if not some:
        return None
    v = w.rng.choice(some)
    return Expr(f"{v.name}[{w.index(v.type.shape[0])}]", Array(v.type.dtype, v.type.shape[1:]))


@row("array", "slice of a slice", "return a[1:][::-1]", weight=0.7, leaf=True, table=(26,))
def slice_of_slice(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some:
        return None
    v = w.rng.choice(some)
    first, second = w.rng.choice(SLICES), w.rng.choice(SLICES)
    extent = sliced(second, sliced(first, v.type.shape[0]))
    return Expr(f"{v.name}[{first}][{second}]", Array(v.type.dtype, (extent, *v.type.shape[1:])))


@row("array", "Ellipsis", "return m[..., 1]", weight=1.5, leaf=True)
def ellipsis(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some:
        return None
    v = w.rng.choice(some)
    t: Array = v.type
    before = w.rng.randint(0, t.ndim)
    after = w.rng.randint(0, t.ndim - before)
    items: list[str] = []
    extents: list[Extent] = []
    for axis, extent in enumerate(t.shape):
        if before <= axis < t.ndim - after:
            extents.append(extent)
        elif w.chance(0.5):
            items.append(w.index(extent))
            continue
        else:
            items.append(w.rng.choice(SLICES))
            extents.append(sliced(items[-1], extent))
    place = [*items[:before], "...", *items[before:]]
    return Expr(f"{v.name}[{', '.join(place)}]", Array(t.dtype, tuple(extents)))


@row("array", "newaxis", "return a[:, np.newaxis]", weight=1, leaf=True)
def newaxis(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some:
        return None
    v = w.rng.choice(some)
    one = (1,) * len(w.extents[0])
    name = w.choice("np.newaxis", "None")
    text, extents = w.choice(
        (f"[{name}]", (one, *v.type.shape)),
        (f"[:, {name}]", (v.type.shape[0], one, *v.type.shape[1:])),
        (f"[{name}, ...]", (one, *v.type.shape)),
        (f"[..., {name}]", (*v.type.shape, one)),
    )
    return Expr(v.name + text, Array(v.type.dtype, extents))


@row("array", ".T", "return m.T", weight=1, leaf=True)
def transposed(w: Writer) -> Expr | None:
    some = w.arrays()
    if not some:
        return None
    v = w.rng.choice(some)
    return Expr(f"{v.name}.T", Array(v.type.dtype, tuple(reversed(v.type.shape))))


@row("statement", "name a view", "b = a[1:]\nb[0] = 1.0\nreturn b", weight=2, table=(31,))
def name_view(w: Writer) -> bool:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some:
        return False
    v = w.rng.choice(some)
    e = basic_view(w, v)
    name = w.fresh("a")
    w.emit(f"{name} = {e.text}")
    w.declare(name, e.type, readonly=v.readonly, layout="view", aliased=True)
    return True


@row("statement", "name an array", "b = a\nreturn b", weight=0.4, table=(31,))
def name_array(w: Writer) -> bool:
    some = w.arrays()
    if not some:
        return False
    v = w.rng.choice(some)
    name = w.fresh("a")
    w.emit(f"{name} = {v.name}")
    w.declare(name, v.type, readonly=v.readonly, layout=v.layout, aliased=True)
    return True


@row("statement", "swap arrays", "a, b = b, a\nreturn a", weight=0.6, table=(31,))
def swap_arrays(w: Writer) -> bool:
    some = w.arrays()
    pairs = [
        (p, q)
        for p in some
        for q in some
        if p is not q and p.type.dtype == q.type.dtype and p.type.ndim == q.type.ndim and p.readonly == q.readonly
    ]
    if not pairs:
        return False
    p, q = w.rng.choice(pairs)
    w.emit(f"{p.name}, {q.name} = {q.name}, {p.name}")
    for v in (p, q):
        v.layout, v.aliased = "view", True
    p.type, q.type = q.type, p.type
    return True


@row("statement", "rebind to a view", "for y in range(2):\n    a = a[1:]\nreturn a", weight=0.8, table=(31,))
def rebind(w: Writer) -> bool:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if not some:
        return False
    v = w.rng.choice(some)
    text = w.rng.choice(SLICES)
    w.emit(f"{v.name} = {v.name}[{text}]")
    v.type = Array(v.type.dtype, (None, *v.type.shape[1:]))
    v.layout, v.aliased = "view", True
    return True


REARRANGED = {
    "transpose": "m",
    "ravel": "m",
    "reshape": "m, (2, 8)",
    "expand_dims": "m, 0",
    "swapaxes": "m, 0, 1",
    "broadcast_to": "a, (3, 4)",
    "atleast_1d": "m",
}


@family("array", "np.{}", REARRANGED, lambda f: f"return np.{f}({REARRANGED[f]})", weight=1.5)
def rearranged(w: Writer, function: str) -> Expr | None:
    e = w.array()
    if e is None or e.ulp:
        return None
    t: Array = e.type
    one = (1,) * len(w.extents[0])
    method = w.chance(0.5) and function not in ("expand_dims", "broadcast_to", "atleast_1d")
    call = (
        (lambda *more: f"{e.text}.{function}({', '.join(more)})")
        if method
        else (lambda *more: f"np.{function}({', '.join((e.text, *more))})")
    )
    flat: Extent = None
    if None not in t.shape:
        flat = one
        for extent in t.shape:
            flat = tuple(x * y for x, y in zip(flat, extent or (), strict=True))
    if function == "transpose":
        return Expr(call(), Array(t.dtype, tuple(reversed(t.shape))))
    if function == "ravel":
        return Expr(call(), Array(t.dtype, (flat,)))
    if function == "reshape":
        sizes, extents = w.choice(
            ("-1", (flat,)), ("(-1, 1)", (flat, one)), ("(1, -1)", (one, flat)), ("(2, -1)", ((2,) * len(one), None))
        )
        return Expr(call(sizes), Array(t.dtype, extents))
    if function == "expand_dims":
        axis = w.rng.randint(0, t.ndim)
        return Expr(call(str(axis)), Array(t.dtype, (*t.shape[:axis], one, *t.shape[axis:])))
    if function == "swapaxes":
        if t.ndim < 2:
            return None
        p, q = w.rng.randrange(t.ndim), w.rng.randrange(t.ndim)
        shape = list(t.shape)
        shape[p], shape[q] = shape[q], shape[p]
        return Expr(call(str(p), str(q)), Array(t.dtype, tuple(shape)))
    if function == "broadcast_to":
        return Expr(call(f"(3,) + {e.text}.shape"), Array(t.dtype, ((3,) * len(one), *t.shape)))
    if function == "atleast_1d":
        return Expr(call(), Array(t.dtype, t.shape or (one,)))
    return None
