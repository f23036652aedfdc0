"""Rows for calls: helper kernels, defaults, keywords, closures, factories, kernels as arguments, captured values."""

from __future__ import annotations

from typing import Any

from .kinds import BINARY, FLOAT, INT, REAL, Array, Scalar, Tuple, result
from .rows import row
from .writer import Expr, Var, Writer

JITTED = "@jit\ndef h(p, q=2.0):\n    return p + q\n\n\n"


def sub_writer(w: Writer, parameters: list[tuple[str, Any]]) -> Writer:
    """A writer for a helper: the same module, names and counts, variables of its own."""
    inner = Writer.__new__(Writer)
    inner.__dict__.update(w.__dict__)
    inner.lines, inner.scopes, inner.indent, inner.fuel = [], [[]], 1, 10
    inner.loops, inner.in_helper, inner.returns = 0, True, None
    inner.turns = w.turns
    for name, t in parameters:
        inner.declare(name, t, aliased=True, layout="view")
    return inner


def close(w: Writer, inner: Writer, head: str, decorated: bool) -> None:
    """Put a helper's text into the module."""
    w.names = inner.names
    text = ("@jit\n" if decorated else "") + head + "\n" + "\n".join(inner.lines) + "\n"
    w.module.append(text)


def helper(w: Writer, types: list[Any], extra: str = "") -> tuple[str, Any] | None:
    """Write a helper that takes values of these types and returns a scalar; its name and that scalar's type."""
    if w.in_helper or len(w.helpers) > 5:
        return None
    names = [w.fresh("p") for _ in types]
    name = w.fresh("h")
    inner = sub_writer(w, list(zip(names, types, strict=True)))
    with inner.exact():
        inner.statements(0, 2)
        e = inner.scalar()
    inner.emit(f"return {e.text}")
    close(w, inner, f"def {name}({', '.join(names)}{extra}):", w.chance(0.7))
    w.helpers.append((name, types, e.type))
    return name, e.type


def scalar_helper(w: Writer, count: int | None = None) -> tuple[str, list[Any], Any] | None:
    """A helper that takes scalars only, `count` of them: one that is there, or a new one."""
    some = [h for h in w.helpers if all(isinstance(t, Scalar) for t in h[1]) and count in (None, len(h[1]))]
    if not some:
        types = [w.choice(INT, FLOAT)] * (count or 1)
        made = helper(w, types)
        return None if made is None else (made[0], types, made[1])
    return w.rng.choice(some)  # type: ignore[no-any-return]


def _argument_types(w: Writer) -> list[Any]:
    types: list[Any] = []
    arrays = w.arrays(lambda v: v.type.ndim > 0 and not v.readonly)
    for _ in range(w.rng.randint(1, 3)):
        if arrays and w.chance(0.35):
            types.append(w.rng.choice(arrays).type)
        else:
            types.append(w.choice(INT, FLOAT, FLOAT, Scalar(w.rng.choice(REAL))))
    return types


def _argument(w: Writer, t: Any) -> str | None:
    if isinstance(t, Scalar):
        return w.scalar(t).text
    # A store into a read-only array never returns, which prunes what comes after it: now and then only.
    read_only = w.chance(0.04)
    some = w.arrays(lambda v: v.type.dtype == t.dtype and v.type.ndim == t.ndim and (read_only or not v.readonly))
    return w.rng.choice(some).name if some else None


@row("scalar", "call of a helper", "return h(x, 1.0)", prelude=JITTED, weight=1.2)
def call(w: Writer) -> Expr | None:
    if w.helpers and w.chance(0.6):
        name, types, t = w.rng.choice(w.helpers)
    else:
        types = _argument_types(w)
        made = helper(w, types)
        if made is None:
            return None
        name, t = made
    if w.in_helper:
        return None
    with w.exact():
        arguments = [_argument(w, x) for x in types]
    if None in arguments:
        return None
    return Expr(f"{name}({', '.join(arguments)})", t)  # type: ignore[arg-type]


@row("scalar", "keywords and defaults", "return h(q=x, p=1.0) + h(x)", prelude=JITTED, weight=0.6, table=(48,))
def keywords(w: Writer) -> Expr | None:
    if w.in_helper:
        return None
    p, q, r = w.fresh("p"), w.fresh("p"), w.fresh("p")
    name = w.fresh("h")
    first = w.choice(INT, FLOAT)
    default = w.literal(w.choice(INT, FLOAT))
    inner = sub_writer(w, [(p, first), (q, default.type), (r, FLOAT)])
    with inner.exact():
        e = inner.scalar()
    inner.emit(f"return {e.text}")
    close(w, inner, f"def {name}({p}, {q}={default.text}, *, {r}=1.5):", True)
    with w.exact():
        a, b, c = w.scalar(first).text, w.scalar(default.type).text, w.leaf(FLOAT).text
    # In the order of the parameters: out of it, expressions are refused.
    return Expr(
        w.choice(f"{name}({a})", f"{name}({a}, {b})", f"{name}({p}={a}, {q}={b})", f"{name}({a}, {r}={c})"), e.type
    )


@row(
    "scalar",
    "optional None",
    "return h(x) + h(x, x)",
    weight=0.6,
    prelude=("@jit\ndef h(p, q=None):\n    if q is None:\n        return p\n    return p + q\n\n\n"),
)
def optional(w: Writer) -> Expr | None:
    if w.in_helper:
        return None
    name, op = w.fresh("h"), w.choice("+", "-", "*")
    w.module.append(f"@jit\ndef {name}(p, q=None):\n    if q is None:\n        return p\n    return p {op} q\n")
    with w.exact():
        a, b = w.scalar(), w.scalar()
    if w.chance(0.5):
        return Expr(w.choice(f"{name}({a.text})", f"{name}({a.text}, None)"), a.type)
    a, b = w.fitting(a, b.type), w.fitting(b, a.type)
    t = result(BINARY[op], a.type, b.type)
    if t is None or (t.kind == "c" and op == "*"):
        return None
    return Expr(f"{name}({a.text}, {w.choice('', 'q=')}{b.text})", t)


@row(
    "scalar",
    "string argument",
    'return h(x, "up")',
    weight=0.5,
    prelude=('@jit\ndef h(p, mode):\n    if mode == "up":\n        return p + 1\n    return p - 1\n\n\n'),
)
def string(w: Writer) -> Expr | None:
    if w.in_helper:
        return None
    name = w.fresh("h")
    w.module.append(
        f'@jit\ndef {name}(p, mode="up"):\n    if mode == "up":\n        return p\n'
        f'    elif mode != "down":\n        return int(p)\n    return float(p)\n'
    )
    with w.exact():
        a = w.scalar(FLOAT)
    text, t = w.choice(("up", a.type), ("down", FLOAT), ("other", INT))
    value = f"({a.text} if abs({a.text}) < 1e9 else 1.0)"
    return Expr(f'{name}({value}, "{text}")', t)


@row(
    "scalar",
    "recursion",
    "return h(i)",
    weight=0.4,
    prelude=("@jit\ndef h(p):\n    if p < 1:\n        return 0\n    return p + h(p - 1)\n\n\n"),
)
def recursion(w: Writer) -> Expr | None:
    if w.in_helper or w.turns > 300:
        return None
    name = w.fresh("h")
    with w.exact():
        a = w.scalar(INT)
        step = w.choice("p + {0}(p - 1)", "p * 3 - {0}(p - 2)", "{0}(p - 1) + {0}(p - 2)", "1 + {0}(p // 2)")
    w.module.append(
        f"@jit\ndef {name}(p):\n    if p < 1:\n        return {w.choice(0, 1, 7)}\n    return {step.format(name)}\n"
    )
    return Expr(f"{name}({a.text} % 7)", INT)


@row("scalar", "captured scalar", "return C0 + x", prelude="C0 = 2.5\n", weight=1, leaf=True, table=(49,))
def captured(w: Writer) -> Expr:
    name = w.fresh("C")
    t = w.choice(INT, FLOAT)
    value = w.literal(t)
    w.module.append(f"{name} = {value.text}\n")
    return Expr(name, t, value.const)


@row(
    "scalar",
    "captured NumPy scalar",
    "return C0 + x",
    prelude="C0 = np.float32(2.5)\n",
    weight=0.5,
    leaf=True,
    table=(49, 16),
)
def captured_strong(w: Writer) -> Expr:
    from .kinds import NAMES

    name, dtype = w.fresh("C"), w.rng.choice(REAL)
    w.module.append(f"{name} = np.{NAMES[dtype]}({w.rng.randint(0, 5)})\n")
    return Expr(name, Scalar(dtype))


@row("scalar", "captured tuple", "return C0[1] + x", prelude="C0 = (2, 2.5)\n", weight=0.5, leaf=True)
def captured_tuple(w: Writer) -> Expr:
    name = w.fresh("C")
    items = [w.literal(w.choice(INT, FLOAT)) for _ in range(3)]
    w.module.append(f"{name} = ({', '.join(e.text for e in items)})\n")
    e = w.rng.choice(items)
    return Expr(f"{name}[{items.index(e)}]", e.type, e.const)


FACTORY = "def make(c):\n    @jit\n    def inner(p):\n        return p * c\n    return inner\n\n\nh = make(2.5)\n"


@row("scalar", "factory", "return h(x)", prelude=FACTORY, weight=0.6, table=(49,))
def factory(w: Writer) -> Expr | None:
    """A kernel that a function makes, which holds a number."""
    if w.in_helper:
        return None
    make, name, op = w.fresh("make"), w.fresh("h"), w.choice("+", "-", "*")
    value = w.literal(w.choice(INT, FLOAT))
    decorator = w.choice("    @jit\n", "    @jit\n", "")
    w.module.append(
        f"def {make}(c):\n{decorator}    def inner(p):\n        return p {op} c\n\n"
        f"    return inner\n\n\n{name} = {make}({value.text})\n"
    )
    with w.exact():
        a = w.scalar()
    value = w.fitting(value, a.type)
    t = result(BINARY[op], a.type, value.type)
    if t is None or t.kind == "c" or f"({value.text})" not in w.module[-1]:
        return None
    return Expr(f"{name}({a.text})", t)


@row(
    "scalar",
    "closure over a kernel",
    "return h2(x)",
    weight=0.5,
    prelude=JITTED
    + ("def make(g):\n    @jit\n    def inner(p):\n        return g(p) + 1\n    return inner\n\n\nh2 = make(h)\n"),
)
def closure(w: Writer) -> Expr | None:
    held = None if w.in_helper else scalar_helper(w, 1)
    if held is None:
        return None
    name, types, t = held
    make, made = w.fresh("make"), w.fresh("h")
    w.module.append(
        f"def {make}(g):\n    @jit\n    def inner(p):\n        return g(p)\n\n"
        f"    return inner\n\n\n{made} = {make}({name})\n"
    )
    with w.exact():
        return Expr(f"{made}({w.scalar(types[0]).text})", t)


@row(
    "scalar",
    "kernel as an argument",
    "return h2(h, x)",
    weight=0.7,
    prelude=JITTED + ("@jit\ndef h2(g, p):\n    return g(p, 1.0)\n\n\n"),
)
def argument(w: Writer) -> Expr | None:
    made = None if w.in_helper else scalar_helper(w)
    if made is None:
        return None
    name, types, t = made
    outer = w.fresh("h")
    names = [f"p{k}" for k in range(len(types))]
    w.module.append(f"@jit\ndef {outer}(g, {', '.join(names)}):\n    return g({', '.join(names)})\n")
    with w.exact():
        return Expr(f"{outer}({name}, {', '.join(w.scalar(x).text for x in types)})", t)


@row(
    "scalar",
    "kernels in a tuple",
    "return h2[0](x) + h2[1](x)",
    weight=0.4,
    prelude=JITTED + "h2 = (h, h)\n",
)
def kernels_in_tuple(w: Writer) -> Expr | None:
    made = None if w.in_helper else scalar_helper(w)
    if made is None:
        return None
    name, types, t = made
    held = w.fresh("F")
    w.module.append(f"{held} = ({name}, {w.rng.choice(w.helpers)[0]})\n")
    with w.exact():
        return Expr(f"{held}[0]({', '.join(w.scalar(x).text for x in types)})", t)


@row("scalar", "star-call", "p = (x, 1.0)\nreturn h(*p)", prelude=JITTED, weight=0.6, wants="tuple")
def star_call(w: Writer) -> Expr | None:
    some = [v for v in w.variables(lambda v: isinstance(v.type, Tuple)) if len(v.type.items) < 4]
    if w.in_helper or not some:
        return None
    v: Var = w.rng.choice(some)
    made = helper(w, list(v.type.items))
    return None if made is None else Expr(f"{made[0]}(*{v.name})", made[1])


@row(
    "scalar",
    "star parameter",
    "return h(x, x, 1.0)",
    weight=0.5,
    prelude="@jit\ndef h(*p):\n    return p[0] + len(p)\n\n\n",
)
def star_parameter(w: Writer) -> Expr | None:
    if w.in_helper:
        return None
    name = w.fresh("h")
    with w.exact():
        items = [w.scalar() for _ in range(w.rng.randint(1, 3))]
    t = result(BINARY["+"], items[0].type, INT)
    if t is None:
        return None
    w.module.append(f"@jit\ndef {name}(*p):\n    return p[0] + len(p)\n")
    return Expr(f"{name}({', '.join(e.text for e in items)})", t)


@row("scalar", "lambda", "return h(x)", prelude="h = lambda p: p * p\n", weight=0.6)
def lambda_(w: Writer) -> Expr | None:
    if w.in_helper:
        return None
    name, p = w.fresh("h"), w.fresh("p")
    t = w.choice(INT, FLOAT)
    inner = sub_writer(w, [(p, t)])
    with inner.exact():
        e = inner.scalar()
    w.names = inner.names
    w.module.append(f"{name} = {w.choice('lambda {0}: {1}', 'jit(lambda {0}: {1})').format(p, e.text)}\n")
    with w.exact():
        return Expr(f"{name}({w.scalar(t).text})", e.type)


@row(
    "statement",
    "call that stores",
    "h(a, x)\nreturn a[0]",
    weight=0.8,
    prelude="@jit\ndef h(p, q):\n    p[0] = q\n\n\n",
)
def storing_call(w: Writer) -> bool:
    some = w.arrays(lambda v: v.type.ndim > 0 and not v.readonly)
    if w.in_helper or not some:
        return False
    v = w.rng.choice(some)
    name, p, q = w.fresh("h"), w.fresh("p"), w.fresh("p")
    t = w.choice(INT, FLOAT)
    from .elements import store

    inner = sub_writer(w, [(p, Array(v.type.dtype, v.type.shape)), (q, t)])
    inner.statements(0, 1)
    if not any(store(inner) for _ in range(3)):
        return False
    close(w, inner, f"def {name}({p}, {q}):", w.chance(0.7))
    with w.exact():
        w.emit(f"{name}({v.name}, {w.scalar(t).text})")
    return True


@row(
    "statement",
    "call that returns a tuple",
    "p, q = h(x)\nreturn p",
    weight=0.5,
    prelude="@jit\ndef h(p):\n    return p, 2 * p\n\n\n",
)
def tuple_call(w: Writer) -> bool:
    if w.in_helper:
        return False
    name, p = w.fresh("h"), w.fresh("p")
    t = w.choice(INT, FLOAT)
    inner = sub_writer(w, [(p, t)])
    with inner.exact():
        items = [inner.scalar(), inner.scalar()]
    inner.emit(f"return {items[0].text}, {items[1].text}")
    close(w, inner, f"def {name}({p}):", True)
    names = w.fresh(), w.fresh()
    with w.exact():
        w.emit(f"{names[0]}, {names[1]} = {name}({w.scalar(t).text})")
    for n, e in zip(names, items, strict=True):
        w.declare(n, e.type)
    return True


@row(
    "statement",
    "call that returns a view",
    "b = h(a)\nreturn b",
    weight=0.5,
    prelude="@jit\ndef h(p):\n    return p[1:]\n\n\n",
)
def view_call(w: Writer) -> bool:
    some = w.arrays(lambda v: v.type.ndim > 0)
    if w.in_helper or not some:
        return False
    from .views import SLICES, sliced

    v, text = w.rng.choice(some), w.rng.choice(SLICES)
    name, made = w.fresh("h"), w.fresh("a")
    w.module.append(f"@jit\ndef {name}(p):\n    return p[{text}]\n")
    w.emit(f"{made} = {name}({v.name})")
    t = Array(v.type.dtype, (sliced(text, v.type.shape[0]), *v.type.shape[1:]))
    w.declare(made, t, readonly=v.readonly, layout="view", aliased=True)
    return True


@row(
    "statement",
    "nested raise",
    "b = np.zeros(4)\nh(x)\nreturn b[0]",
    weight=0.4,
    prelude=('@jit\ndef h(p):\n    if p > 9:\n        raise ValueError("p")\n\n\n'),
)
def nested_raise(w: Writer) -> bool:
    """A helper that raises while its callers hold arrays of their own."""
    if w.in_helper:
        return False
    name = w.fresh("h")
    w.module.append(
        f"@jit\ndef {name}(p, q):\n    held = np.zeros(5)\n    if p > q:\n"
        f"        raise ValueError('deep')\n    return held[1:]\n"
    )
    with w.exact():
        made = w.fresh("a")
        w.emit(f"{made} = {name}({w.scalar(FLOAT).text}, {w.scalar(FLOAT).text})")
    w.declare(made, Array("f8", ((4,) * len(w.extents[0]),)), aliased=True)
    return True


@row("array", "captured array", "return G0[0] + x", prelude="G0 = np.zeros(4)\n", weight=0.7, leaf=True, table=(49,))
def captured_array(w: Writer) -> Expr | None:
    if len(w.captured) > 1:
        return None
    name, dtype = w.fresh("G"), w.rng.choice(REAL)
    shape = w.choice((4,), (3, 5))
    t = Array(dtype, tuple((n,) * len(w.extents[0]) for n in shape))
    w.captured.append((name, dtype, shape))
    w.scopes[0].append(Var(name, t))
    return Expr(name, t)


@row(
    "array",
    "overload",
    "return np.flipud(m)",
    weight=0.3,
    prelude=("@overload(np.flipud)\ndef flipud(p):\n    return p[::-1]\n\n\n"),
)
def overloaded(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim > 1)
    if not some:
        return None
    text = "@overload(np.flipud)\ndef flipud(p):\n    return p[::-1]\n"
    if text not in w.module:
        w.module.insert(0, text)
    v = w.rng.choice(some)
    return Expr(f"np.flipud({v.name})", v.type)
