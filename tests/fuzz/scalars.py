"""Rows that write scalar expressions: Python's operators and builtins, `math`, conversions by dtype."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .kinds import BINARY, BOOL, COMPARE, COMPLEX, FLOAT, FLOATS, INT, NAMES, REAL, Scalar, Tuple, result
from .rows import family, row
from .writer import Expr, Writer

TABLE_OF_OPERATOR = {
    "+": (9, 11, 12, 13, 15, 16, 17, 18, 19, 22),
    "-": (9, 11, 12, 19, 22),
    "*": (9, 11, 12, 15, 16, 21, 22),
    "/": (4, 15, 45),
    "//": (1, 2, 3, 4, 5),
    "%": (1, 2, 3, 4, 5),
    "**": (6, 7, 8),
    "<<": (10,),
    ">>": (10,),
}


@row("scalar", "literal int", "return 3", weight=1.5, leaf=True)
def literal_int(w: Writer) -> Expr:
    return w.literal(INT)


@row("scalar", "literal float", "return 0.5", weight=1.5, leaf=True)
def literal_float(w: Writer) -> Expr:
    return w.literal(FLOAT)


@row("scalar", "literal bool", "return True", weight=0.3, leaf=True)
def literal_bool(w: Writer) -> Expr:
    return w.literal(BOOL)


@row("scalar", "name", "return x", weight=4, leaf=True)
def name(w: Writer) -> Expr | None:
    some = w.scalars()
    if not some:
        return None
    v = w.rng.choice(some)
    return Expr(v.name, v.type)


@row("scalar", "np constant", "return np.pi", weight=0.3, leaf=True)
def np_constant(w: Writer) -> Expr:
    return Expr(w.choice("np.pi", "np.e", "np.inf", "np.nan", "math.pi", "math.inf", "math.tau"), FLOAT)


@family(
    "scalar",
    "scalar {}",
    [op for op in BINARY if op != "**"],
    lambda op: f"return i {op} 2",
    weight={"+": 4, "-": 4, "*": 4, "/": 2, "//": 2, "%": 2},
    table=TABLE_OF_OPERATOR,
    approx=True,
)
def scalar_binary(w: Writer, op: str) -> Expr | None:
    a, b = w.scalar(), w.scalar()
    if op in ("<<", ">>") and b.const is not None and w.chance(0.7):
        b = Expr(str(w.rng.choice((0, 1, 3, 31, 63, 64, 65))), INT, 1)
    if op in ("//", "%") and b.type.weak and a.type.weak and b.type.kind != "f" and w.chance(0.8):
        b = Expr(repr(value := w.rng.choice((1, 2, 3, 5, -3, -1))), INT, value)
    if op in "<<>>&|^" and "f" in (a.type.kind, b.type.kind):
        a, b = w.convert(a, INT), w.convert(b, INT)
    return w.binary(op, a, b)


@row("scalar", "scalar **", "return i ** 2", weight=1, table=(6, 7, 8), approx=True)
def scalar_power(w: Writer) -> Expr | None:
    with w.exact():
        a = w.scalar()
    exponents = ["0", "1", "2", "3"]
    if a.type.kind == "f" and w.approx:
        exponents += ["0.5", "-1", "-2", "1.5", "-0.5", "7"]
    if a.type == INT and w.approx and w.chance(0.2):
        return Expr(f"({a.text} ** -1)", FLOAT, None, 4)
    if a.type.kind == "f" and not w.approx:
        exponents = ["1", "2"]
        if a.type.weak and w.chance(0.5):
            return None
    if a.type.kind == "b":
        return None
    text = w.rng.choice(exponents)
    if a.type.kind in "iu" and w.chance(0.3):
        with w.exact():
            b = w.scalar()
        if b.type.kind not in "iu":
            return None
        b = Expr(f"({b.text} % {w.choice(4, 7)})", INT if b.type.weak else b.type)
        if result(operator.mod, b.type, INT) != b.type:
            return None
        return w.binary("**", a, b)
    e = w.binary("**", a, Expr(text, FLOAT if "." in text else INT, 1))
    return None if e is None else Expr(e.text, e.type, None, 4 if a.type.kind == "f" else 0)


@family("scalar", "unary {}", ["-", "+", "~"], lambda op: f"return {op} i", table={"~": (23,), "-": (23,)}, approx=True)
def unary(w: Writer, op: str) -> Expr | None:
    a = w.scalar()
    if op == "~" and a.ulp:
        return None
    function = {"-": operator.neg, "+": operator.pos, "~": operator.invert}[op]
    if op == "~" and a.type.kind == "f":
        a = w.convert(a, INT)
    t = result(function, a.type)
    if t is None:
        return None
    const = None
    if a.const is not None and a.type in (INT, BOOL):
        const = {"-": -int(a.const), "+": int(a.const), "~": ~int(a.const)}[op]
    return Expr(f"({op}{a.text})", t, const, a.ulp)


@family(
    "scalar",
    "compare {}",
    list(COMPARE),
    lambda op: f"return x {op} 2",
    table=(59, 60),
    weight=2,
)
def compare(w: Writer, op: str) -> Expr | None:
    with w.exact():
        a, b = w.scalar(), w.scalar()
    if op not in ("==", "!=") and "c" in (a.type.kind, b.type.kind):  # which kernels do not order
        return None
    t = result(COMPARE[op], a.type, b.type)
    return None if t is None else Expr(f"({a.text} {op} {b.text})", t)


@row("scalar", "chained", "return 1 < x < 3", table=(37,))
def chained(w: Writer) -> Expr | None:
    with w.exact():
        items = [w.scalar() for _ in range(3)]
    if any(e.type.kind == "c" for e in items):
        return None
    ops = [w.rng.choice(list(COMPARE)) for _ in range(2)]
    kinds = [result(COMPARE[op], a.type, b.type) for op, a, b in zip(ops, items, items[1:], strict=False)]
    if kinds[0] != kinds[1]:  # a join, see `joined`
        return None
    return Expr(f"({items[0].text} {ops[0]} {items[1].text} {ops[1]} {items[2].text})", kinds[0])


@family("scalar", "{}", ["and", "or"], lambda op: f"return x > 1 {op} i > 2", table=(35, 36))
def logical(w: Writer, op: str) -> Expr:
    with w.exact():
        a = _small(w.scalar())
        b = _small(w.scalar(a.type))
    return Expr(
        f"({a.text} {op} {b.text})", a.type, b.const if a.const is None or bool(a.const) == (op == "and") else a.const
    )


def _small(e: Expr) -> Expr:
    """A constant that fits every dtype: one that a folded branch leaves is checked as a literal is."""
    return Expr("5", INT, 5) if e.type == INT and e.const is not None and not 0 <= e.const <= 100 else e


@row("scalar", "guarded access", "return i < len(a) and a[i] > 0", table=(35, 25))
def guarded(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.ndim == 1 and v.type.kind != "c")
    ints = w.scalars(lambda v: v.type == INT)
    if not some or not ints:
        return None
    a, i = w.rng.choice(some).name, w.rng.choice(ints).name
    test = f"-len({a}) <= {i} < len({a})"
    if w.chance(0.5):
        return Expr(f"bool({test} and {a}[{i}] > 0)", BOOL)
    return Expr(f"bool(not ({test}) or {a}[{i}] > 0)", BOOL)


@row("scalar", "not", "return not x", weight=0.5)
def negation(w: Writer) -> Expr:
    return Expr(f"(not {w.condition().text})", BOOL)


@row("scalar", "ternary", "return x if i else 0.5", weight=1, approx=True)
def ternary(w: Writer) -> Expr:
    c = w.condition()
    a = _small(w.scalar())
    b = _small(w.scalar(a.type))
    const = b.const if a.const is None else a.const
    return Expr(f"({a.text} if {c.text} else {b.text})", a.type, const, max(a.ulp, b.ulp))


@row("scalar", "joined ternary", "return x if i else 1", weight=0.7, table=(20, 36, 46))
def joined(w: Writer) -> Expr | None:
    """Sides of two types: both become what they join to."""
    c = w.run_time_condition()
    if c is None:
        return None
    with w.exact():
        a, b = w.scalar(), w.scalar()
    t = join(a.type, b.type)
    if t is None or a.type == b.type:
        return None
    mark = '"' + ("weak " if t.weak else "") + t.dtype + '"'
    return Expr(f"J_({a.text} if {c.text} else {b.text}, {mark})", t)


def join(a: Any, b: Any) -> Any:
    """What two scalar types join to: NumPy's promotion, weak with weak staying weak."""
    if a == b:
        return a
    if "u8" in (a.dtype, b.dtype) and (a.weak or b.weak):
        return None  # a negative weak integer would have to become unsigned
    for t, other in ((a, b), (b, a)):
        if t == INT and not other.weak and other.kind in "iu":
            return None  # its value may not fit
    if a.weak and b.weak:
        order = [BOOL, INT, FLOAT]
        return max(a, b, key=order.index) if a in order and b in order else None
    t = result(np.add, a, b)
    if t is not None and a.kind == b.kind == "b":
        return Scalar("b1")
    return t


@row("scalar", "joined max", "return max(i, x)", weight=0.3, table=(38,))
def joined_max(w: Writer) -> Expr | None:
    with w.exact():
        a, b = w.scalar(INT), w.scalar(FLOAT)
    if w.chance(0.5):
        a, b = b, a
    return Expr(f'(J_({w.choice("min", "max")}({a.text}, {b.text}), "weak f8") + 0.0)', FLOAT)


@family("scalar", "{}", ["min", "max"], lambda f: f"return {f}(x, x, 1.0)", table=(39,))
def extremum(w: Writer, function: str) -> Expr | None:
    a = w.scalar()
    if a.type.kind == "c":
        return None
    items = [a.text] + [w.scalar(a.type).text for _ in range(w.rng.randint(1, 2))]
    text = f"{function}({', '.join(items)})"
    if w.has("min of a tuple") and w.chance(0.2):
        w.use("min of a tuple")
        text = f"{function}(({', '.join(items)}))"
    return Expr(f"({text} + 0.0)" if a.type.kind == "f" else text, a.type)


@row("scalar", "min of a tuple", "return min((x, 1.0))", weight=0.05)
def extremum_of_tuple(w: Writer) -> None:
    return None  # written by `extremum`


@row("scalar", "abs", "return abs(x)", approx=True)
def absolute(w: Writer) -> Expr | None:
    a = w.scalar()
    t = result(abs, a.type)
    return None if t is None or a.type.kind == "c" else Expr(f"abs({a.text})", t, None, a.ulp)


@row("scalar", "int()", "return int(x)", table=(43,))
def to_int(w: Writer) -> Expr | None:
    with w.exact():
        a = w.scalar()
    return None if a.type.kind == "c" else w.convert(a, INT)


@row("scalar", "int() of any float", "return int(x)", table=(43,), weight=0.3)
def to_int_any(w: Writer) -> Expr:
    with w.exact():
        return Expr(f"int({w.scalar(FLOAT).text})", INT)


@row("scalar", "float()", "return float(i)", approx=True)
def to_float(w: Writer) -> Expr:
    return w.convert(w.scalar(), FLOAT)


@row("scalar", "bool()", "return bool(x)", weight=0.5)
def to_bool(w: Writer) -> Expr:
    with w.exact():
        return Expr(f"bool({w.scalar().text})", BOOL)


@row("scalar", "round", "return round(x)", table=(41, 43), weight=0.5)
def rounded(w: Writer) -> Expr | None:
    with w.exact():
        a = w.scalar()
    if a.type.kind == "c" or a.type.kind == "b":
        return None
    return Expr(f"round({a.text})", INT)


@row("scalar", "pow", "return pow(i, 2)", weight=0.3, table=(6,))
def power(w: Writer) -> Expr | None:
    a = w.scalar()
    return None if a.type.kind not in "iu" else Expr(f"pow({a.text}, {w.choice(1, 2, 3)})", a.type)


@row("scalar", "divmod", "return divmod(i, 2)[0]", weight=0.5, table=(1, 2, 3, 5))
def division(w: Writer) -> Expr | None:
    a, b = w.scalar(), w.scalar()
    a, b = w.fitting(a, b.type), w.fitting(b, a.type)
    t = result(divmod, a.type, b.type)
    if not isinstance(t, Tuple) or "c" in (a.type.kind, b.type.kind):
        return None
    return Expr(f"divmod({a.text}, {b.text})[{w.choice(0, 1)}]", t.items[0])


@family(
    "scalar",
    "np.{}()",
    [NAMES[d] for d in REAL],
    lambda d: f"return np.{d}(3)",
    weight=2,
    table=(11, 12, 16),
    approx=True,
)
def cast(w: Writer, name: str) -> Expr | None:
    dtype = next(d for d in NAMES if NAMES[d] == name)
    e = w.convert(w.scalar(), Scalar(dtype))
    return e if e.type == Scalar(dtype) else None


# ---- math --------------------------------------------------------------------------------------------------------

EXACT_MATH = {"sqrt": 1, "fabs": 1, "copysign": 2, "fmod": 2, "remainder": 2, "nextafter": 2}
TRANSCENDENTAL = {
    **dict.fromkeys("exp exp2 expm1 log2 log10 log1p log sin cos tan asin acos atan sinh cosh tanh".split(), 1),
    **dict.fromkeys("asinh acosh atanh erf erfc gamma lgamma cbrt degrees radians".split(), 1),
    **dict.fromkeys("atan2 hypot pow".split(), 2),
}
INTEGER_MATH = {"gcd": 2, "lcm": 2, "isqrt": 1, "factorial": 1, "comb": 2, "perm": 2}


def _arguments(n: int) -> str:
    return ", ".join(["x"] * n)


def _operands(w: Writer, n: int) -> list[Expr]:
    """Weak floats, now and then another type."""
    with w.exact():
        return [w.scalar(FLOAT) if w.chance(0.8) else w.scalar() for _ in range(n)]


@family(
    "scalar", "math.{}", EXACT_MATH, lambda f: f"return math.{f}({_arguments(EXACT_MATH[f])})", table={"sqrt": (44,)}
)
def exact_math(w: Writer, function: str) -> Expr | None:
    items = _operands(w, EXACT_MATH[function])
    if any(e.type.kind == "c" for e in items):
        return None
    if function == "copysign":  # the sign of a nan is anyone's
        items[1] = Expr(f"(0.5 - ({items[1].text} > 0))", FLOAT)
    return Expr(f"math.{function}({', '.join(e.text for e in items)})", FLOAT)


@family(
    "scalar",
    "math.{}",
    TRANSCENDENTAL,
    lambda f: f"return math.{f}({_arguments(TRANSCENDENTAL[f])})",
    weight=1.5,
    table={"log": (44,), "exp": (44,)},
    approx=True,
)
def transcendental(w: Writer, function: str) -> Expr | None:
    if not w.approx:
        return None
    items = _operands(w, TRANSCENDENTAL[function])
    if any(e.type.kind == "c" for e in items):
        return None
    return Expr(f"math.{function}({', '.join(e.text for e in items)})", FLOAT, None, 4)


@family("scalar", "math.{}", ["floor", "ceil", "trunc"], lambda f: f"return math.{f}(x)", table=(43,))
def whole_math(w: Writer, function: str) -> Expr | None:
    e = _operands(w, 1)[0]
    if e.type.dtype in ("i8", "u8") and not e.type.weak:
        return None  # CPython rounds them to a float first
    if e.type.kind in "cb" or (function == "trunc" and e.type not in (FLOAT, Scalar("f8"))):
        return None  # NumPy's other numbers have no __trunc__
    if e.type.kind == "f" and w.chance(0.8):
        return Expr(f"(math.{function}({e.text}) if abs({e.text}) < 1e9 else 0)", INT)
    return Expr(f"math.{function}({e.text})", INT)


@family("scalar", "math.{}", ["isnan", "isinf", "isfinite"], lambda f: f"return math.{f}(x)", weight=0.6)
def classify(w: Writer, function: str) -> Expr | None:
    e = _operands(w, 1)[0]
    return None if e.type.kind == "c" else Expr(f"math.{function}({e.text})", BOOL)


@family(
    "scalar",
    "math.{}",
    INTEGER_MATH,
    lambda f: f"return math.{f}({', '.join(['i'] * INTEGER_MATH[f])})",
    weight=0.8,
    table=dict.fromkeys(INTEGER_MATH, (44,)),
)
def integer_math(w: Writer, function: str) -> Expr:
    with w.exact():
        items = [w.scalar(INT) for _ in range(INTEGER_MATH[function])]
    texts = [e.text if function in ("gcd", "lcm") else f"({e.text} % {w.choice(9, 19, 30)})" for e in items]
    return Expr(f"math.{function}({', '.join(texts)})", INT)


@row("scalar", "math.ldexp", "return math.ldexp(x, i)", weight=0.3)
def ldexp(w: Writer) -> Expr:
    with w.exact():
        return Expr(f"math.ldexp({w.scalar(FLOAT).text}, ({w.scalar(INT).text} % 40) - 20)", FLOAT)


@row("scalar", "math.log(x, base)", "return math.log(x, 2.0)", weight=0.2, table=(44,), approx=True)
def log_base(w: Writer) -> Expr | None:
    if not w.approx:
        return None
    with w.exact():
        return Expr(f"math.log({w.scalar(FLOAT).text}, {w.choice(2.0, 10.0, 3)})", FLOAT, None, 8)


# ---- complex -----------------------------------------------------------------------------------------------------


@row("scalar", "literal complex", "return 2j", weight=0.2, leaf=True)
def literal_complex(w: Writer) -> Expr:
    return Expr(w.choice("1j", "2j", "0.5j"), Scalar("c16", weak=True))


@family("scalar", "complex {}", ["real", "imag"], lambda f: f"return z[0].{f}", weight=0.3, wants="complex")
def complex_part(w: Writer, part: str) -> Expr | None:
    some = w.arrays(lambda v: v.type.dtype in COMPLEX)
    if not some:
        return None
    e = w.element(w.rng.choice(some))
    return Expr(f"{e.text}.{part}", Scalar(FLOATS[e.type.dtype == "c16"]))


@row("scalar", "complex abs", "return abs(z[0])", weight=0.3, approx=True, wants="complex")
def complex_abs(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.dtype in COMPLEX)
    if not some or not w.approx:
        return None
    e = w.element(w.rng.choice(some))
    return Expr(f"abs({e.text})", Scalar(FLOATS[e.type.dtype == "c16"]), None, 4)


@row("scalar", "conj of a scalar", "return np.conj(z[0])", weight=0.2, wants="complex")
def conjugate(w: Writer) -> Expr | None:
    some = w.arrays(lambda v: v.type.dtype in COMPLEX)
    if not some:
        return None
    e = w.element(w.rng.choice(some))
    return Expr(f"np.conj({e.text})", e.type)
