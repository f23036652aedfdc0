"""The reference: the same kernel under CPython and NumPy, with weak scalars as the language defines them.

`reference` rewrites a kernel so that each operation of Python's own numbers goes through a function of this module,
which gives the value that compiled code must give: integers wrap at 64 bits, floats divide by zero as IEEE 754 says,
`math` has no domain errors. NumPy's values are left to NumPy. This and `J_` are the list at the end of the language's
design, and nothing else is changed.
"""

from __future__ import annotations

import ast
import ctypes
import math
import operator
from typing import Any

import numpy as np

WEAK = (bool, int, float)


class Undefined(BaseException):
    """The kernel did something that C leaves undefined: nothing can be compared."""


class Approximate:
    """A returned value with a tolerance."""

    def __init__(self, value: Any, ulp: int) -> None:
        self.value, self.ulp = value, ulp


def wrap(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def weak(a: Any, b: Any) -> bool:
    return type(a) in WEAK and type(b) in WEAK


def _wrapping(function: Any) -> Any:
    def operation(a: Any, b: Any) -> Any:
        made = function(a, b)
        return wrap(made) if type(made) is int else made

    return operation


add, sub, mul = _wrapping(operator.add), _wrapping(operator.sub), _wrapping(operator.mul)
bit_and, bit_or, bit_xor = operator.and_, operator.or_, operator.xor


def div(a: Any, b: Any) -> Any:
    return float(np.float64(a) / np.float64(b)) if weak(a, b) else a / b


def floordiv(a: Any, b: Any) -> Any:
    if not weak(a, b):
        return a // b
    if float in (type(a), type(b)):
        return float(np.float64(a) // np.float64(b))
    return wrap(int(a) // int(b))


def mod(a: Any, b: Any) -> Any:
    if not weak(a, b):
        return a % b
    if float in (type(a), type(b)):
        return float(np.float64(a) % np.float64(b))
    return int(a) % int(b)


def power(a: Any, b: Any) -> Any:
    if not weak(a, b):
        return a**b
    if float in (type(a), type(b)):
        return float(np.float64(a) ** np.float64(b))
    if b < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    return wrap(pow(int(a), int(b), 1 << 64))


def literal_power(a: Any, b: int) -> Any:
    """``a ** -n`` with a literal exponent."""
    return float(np.float64(a) ** np.float64(b)) if type(a) in WEAK else a**b


def shift_left(a: Any, b: Any) -> Any:
    if not weak(a, b):
        return a << b
    return 0 if b > 63 else wrap(int(a) << int(b))


def shift_right(a: Any, b: Any) -> Any:
    if not weak(a, b):
        return a >> b
    return int(a) >> min(int(b), 63)


def negative(a: Any) -> Any:
    made = -a
    return wrap(made) if type(made) is int else made


def absolute(a: Any) -> Any:
    made = abs(a)
    return wrap(made) if type(made) is int else made


def compare(op: Any) -> Any:
    def operation(a: Any, b: Any) -> Any:
        if type(a) in WEAK and type(b) in WEAK and float in (type(a), type(b)):
            return op(float(a), float(b))
        return op(a, b)

    return operation


def member(x: Any, items: tuple[Any, ...]) -> bool:
    return any(bool(compare(operator.eq)(x, item)) for item in items)


def not_member(x: Any, items: tuple[Any, ...]) -> bool:
    return not member(x, items)


def _to_int(function: Any) -> Any:
    def convert(x: Any) -> int:
        made = function(x)
        if not isinstance(x, (float, np.floating, np.uint64)):
            return wrap(int(made))
        if not -(1 << 63) <= made < 1 << 63:
            raise OverflowError
        return int(made)

    return convert


def division(a: Any, b: Any) -> Any:
    return (floordiv(a, b), mod(a, b)) if weak(a, b) else divmod(a, b)


def minimum(*items: Any) -> Any:
    values = items[0] if len(items) == 1 else items
    best = values[0]
    for v in values[1:]:
        best = v if compare(operator.lt)(v, best) else best
    return best


def maximum(*items: Any) -> Any:
    values = items[0] if len(items) == 1 else items
    best = values[0]
    for v in values[1:]:
        best = v if compare(operator.gt)(v, best) else best
    return best


def join(value: Any, to: str) -> Any:
    """`J_`: a value becomes what it joins to."""
    if isinstance(value, (np.ndarray, tuple)):
        raise NameError("J_ is for scalars")  # a reducer's slip, never the generator's
    if to.startswith("weak"):
        return {"f8": float, "i8": int, "b1": bool}[to[5:]](value)
    return np.dtype(to).type(value)


# ---- stores and conversions that C may leave undefined ------------------------------------------------------------


def defined(value: Any, dtype: np.dtype) -> None:
    """Raise where NumPy casts a float to an integer that cannot hold it. Python's own floats raise by themselves."""
    if dtype.kind not in "iu" or not isinstance(value, (np.ndarray, np.generic)) or value.dtype.kind != "f":
        return
    info = np.iinfo(dtype)
    whole = np.trunc(np.asarray(value, np.float64))
    if not np.all((whole >= float(info.min)) & (whole < float(info.max) + (dtype.itemsize < 8))):
        raise Undefined


def store(value: Any, target: Any, index: Any) -> None:
    if isinstance(target, np.ndarray) and not (type(value) is np.float64 and target.dtype.kind == "i"):
        defined(value, target.dtype)  # a float64 is a Python float, which raises, but not for unsigned dtypes
    if isinstance(value, np.ndarray):
        # The right side counts as evaluated first. NumPy forgets that where two overlapping views of one axis have
        # different strides: a = x[2:7]; a[:] = x[1::3].
        value = value.copy()
    target[index] = value


def update(target: Any, index: Any, op: Any, in_place: Any, value: Any) -> None:
    old = target[index]
    if isinstance(old, np.ndarray):
        target[index] = in_place(old, value())
    else:
        store(op(old, value()), target, index)


def update_name(old: Any, op: Any, in_place: Any, value: Any) -> Any:
    return in_place(old, value) if isinstance(old, np.ndarray) else op(old, value)


def astype(array: Any, dtype: Any, *rest: Any) -> Any:
    defined(array, np.dtype(dtype))
    return array.astype(dtype, *rest)


def fill(array: Any, value: Any) -> None:
    if not (type(value) is np.float64 and array.dtype.kind == "i"):
        defined(value, array.dtype)
    array.fill(value)


# ---- stand-ins for modules ----------------------------------------------------------------------------------------


class Math:
    """`math` with IEEE 754's answers where Python's raises."""

    def __init__(self) -> None:
        for name in dir(math):
            value = getattr(math, name)
            setattr(self, name, self._quiet(name, value) if callable(value) else value)
        # CPython's own gamma and lgamma are less exact than the C library's.
        library = ctypes.CDLL(None)
        for name, symbol in (("gamma", "tgamma"), ("lgamma", "lgamma")):
            function = getattr(library, symbol)
            function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
            setattr(self, name, function)
        for name in ("floor", "ceil", "trunc"):
            setattr(self, name, _to_int(getattr(math, name)))
        for name in ("factorial", "comb", "perm", "lcm", "gcd"):
            setattr(self, name, self._whole(getattr(math, name)))

    @staticmethod
    def _whole(function: Any) -> Any:
        def call(*args: Any) -> int:
            made = function(*args)
            if made >= 1 << 63:
                raise OverflowError
            return int(made)

        return call

    @staticmethod
    def _quiet(name: str, function: Any) -> Any:
        if name in ("isqrt", "factorial", "comb", "perm"):
            return function

        def call(*args: Any) -> Any:
            try:
                return function(*args)
            except (ValueError, OverflowError):
                return ieee(name, *map(float, args))

        return call


NUMPY_NAME = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
}


def ieee(name: str, x: float, *more: float) -> float:
    """What the C function returns where Python's raises."""
    if name == "pow":
        return float(np.float64(x) ** np.float64(more[0]))
    if name == "remainder":
        return math.nan
    if name == "ldexp":
        return float(np.ldexp(x, int(more[0])))
    if name == "log" and more:
        return float(np.log(np.float64(x)) / np.log(np.float64(more[0])))
    return float(getattr(np, NUMPY_NAME.get(name, name))(np.float64(x), *more))


class Numpy:
    """`numpy`, whose functions of 8-bit integers give float32 where NumPy's give float16 (row 45)."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name not in self._made:
            value = getattr(np, name)
            if isinstance(value, np.ufunc) and any("e" in t.split("->")[1] for t in value.types):
                value = self._ufunc(value)
            elif isinstance(value, type) and issubclass(value, np.integer):
                value = Integer(value)
            self._made[name] = value
        return self._made[name]

    @staticmethod
    def _ufunc(function: np.ufunc) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            made = function(*args, **options)
            if getattr(made, "dtype", None) == np.float16:
                made = function(*args, dtype=np.float32, **options)
            return made

        return call


class Integer:
    """``np.int32`` as a function and as a dtype."""

    def __init__(self, kind: Any) -> None:
        self.kind, self.dtype = kind, np.dtype(kind)

    def __call__(self, value: Any = 0) -> Any:
        defined(value, self.dtype)
        return self.kind(value)

    def __eq__(self, other: object) -> bool:
        return bool(self.dtype == other)

    __hash__ = None  # type: ignore[assignment]


BINARY: dict[type[ast.operator], tuple[str, Any, Any]] = {
    ast.Add: ("add", add, operator.iadd),
    ast.Sub: ("sub", sub, operator.isub),
    ast.Mult: ("mul", mul, operator.imul),
    ast.Div: ("div", div, operator.itruediv),
    ast.FloorDiv: ("floordiv", floordiv, operator.ifloordiv),
    ast.Mod: ("mod", mod, operator.imod),
    ast.MatMult: ("matmul", operator.matmul, operator.imatmul),
    ast.Pow: ("pow", power, operator.ipow),
    ast.LShift: ("lshift", shift_left, operator.ilshift),
    ast.RShift: ("rshift", shift_right, operator.irshift),
    ast.BitAnd: ("and", bit_and, operator.iand),
    ast.BitOr: ("or", bit_or, operator.ior),
    ast.BitXor: ("xor", bit_xor, operator.ixor),
}
COMPARE: dict[type[ast.cmpop], tuple[str, Any]] = {
    ast.Lt: ("lt", compare(operator.lt)),
    ast.LtE: ("le", compare(operator.le)),
    ast.Eq: ("eq", compare(operator.eq)),
    ast.NotEq: ("ne", compare(operator.ne)),
    ast.Gt: ("gt", compare(operator.gt)),
    ast.GtE: ("ge", compare(operator.ge)),
    ast.In: ("in", member),
    ast.NotIn: ("not_in", not_member),
}
CALLS = {
    "abs": absolute,
    "int": _to_int(int),
    "round": _to_int(round),
    "pow": power,
    "divmod": division,
    "min": minimum,
    "max": maximum,
    "J_": join,
    "U_": Approximate,
}

NAMESPACE: dict[str, Any] = {
    "math": Math(),
    "np": Numpy(),
    "jit": lambda function: function,
    "overload": lambda name: lambda function: function,
    "_store": store,
    "_update": update,
    "_update_name": update_name,
    "_neg": negative,
    "_literal_pow": literal_power,
    "_astype": astype,
    "_fill": fill,
    **{f"_{name}": function for name, function, _ in BINARY.values()},
    **{f"_i{name}": function for name, _, function in BINARY.values()},
    **{f"_{name}": function for name, function in COMPARE.values()},
    **{f"_call_{name}": function for name, function in CALLS.items()},
}


def _name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def _call(text: str, *args: ast.expr) -> ast.Call:
    return ast.Call(_name(text), list(args), [])


def _later(e: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), e)


class _Reference(ast.NodeTransformer):
    def __init__(self) -> None:
        self.temporaries = 0

    def temporary(self) -> str:
        self.temporaries += 1
        return f"_t{self.temporaries}"

    def visit(self, node: ast.AST) -> Any:
        made = super().visit(node)
        for one in made if isinstance(made, list) else [made]:
            if isinstance(one, ast.AST) and isinstance(node, (ast.expr, ast.stmt)):
                ast.copy_location(one, node)
        return made

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        right = node.right
        if isinstance(node.op, ast.Pow) and isinstance(right, ast.UnaryOp) and isinstance(right.op, ast.USub):
            if isinstance(right.operand, ast.Constant):
                return _call("_literal_pow", self.visit(node.left), right)
        self.generic_visit(node)
        return _call(f"_{BINARY[type(node.op)][0]}", node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            return _call("_neg", node.operand)
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return self._compared(node.ops[0], node.left, node.comparators[0])
        tests, left = [], node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            name = self.temporary()
            named = ast.NamedExpr(ast.Name(name, ast.Store()), right)
            tests.append(self._compared(op, left, named))
            left = _name(name)
        return ast.BoolOp(ast.And(), tests)

    @staticmethod
    def _compared(op: ast.cmpop, a: ast.expr, b: ast.expr) -> ast.expr:
        return _call(f"_{COMPARE[type(op)][0]}", a, b) if type(op) in COMPARE else ast.Compare(a, [op], [b])

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in CALLS:
            node.func = _name(f"_call_{node.func.id}")
        elif isinstance(node.func, ast.Attribute) and node.func.attr in ("astype", "fill"):
            return ast.Call(_name(f"_{node.func.attr}"), [node.func.value, *node.args], node.keywords)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        if len(node.targets) > 1:
            return node
        target = node.targets[0]
        if isinstance(target, ast.Subscript):
            return ast.Expr(self._stored(node.value, target))
        if isinstance(target, ast.Tuple) and any(isinstance(t, ast.Subscript) for t in target.elts):
            names = [self.temporary() for _ in target.elts]
            out: list[ast.stmt] = [
                ast.Assign([ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())], node.value)
            ]
            for name, t in zip(names, target.elts, strict=True):
                value = _name(name)
                stored = isinstance(t, ast.Subscript)
                out.append(ast.Expr(self._stored(value, t)) if stored else ast.Assign([t], value))  # type: ignore[arg-type]
            return out
        return node

    @staticmethod
    def _index(e: ast.expr) -> ast.expr:
        """An index as a value: slices in it become slice objects."""

        def part(x: ast.expr) -> ast.expr:
            if isinstance(x, ast.Slice):
                return _call("slice", *(y or ast.Constant(None) for y in (x.lower, x.upper, x.step)))
            return x

        return ast.Tuple([part(x) for x in e.elts], ast.Load()) if isinstance(e, ast.Tuple) else part(e)

    def _stored(self, value: ast.expr, target: ast.Subscript) -> ast.Call:
        return _call("_store", value, target.value, self._index(target.slice))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        name = BINARY[type(node.op)][0]
        functions = _name(f"_{name}"), _name(f"_i{name}")
        if isinstance(node.target, ast.Subscript):
            target = node.target
            return ast.Expr(_call("_update", target.value, self._index(target.slice), *functions, _later(node.value)))
        assert isinstance(node.target, ast.Name)
        old = _name(node.target.id)
        return ast.Assign([node.target], _call("_update_name", old, *functions, node.value))


def reference(tree: ast.Module) -> ast.Module:
    """The tree, rewritten in place."""
    return ast.fix_missing_locations(_Reference().visit(tree))


def plain(annotated: str, tree: ast.Module) -> str:
    """The kernel's text without annotations, each statement on the line where it was."""
    cuts: list[tuple[int, int, int, str]] = []  # line, from, to, what stands there instead
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("J_", "U_"):
            value = node.args[0]
            assert node.end_col_offset is not None and value.end_col_offset is not None
            cuts.append((node.lineno, node.col_offset, value.col_offset, "("))
            cuts.append((node.lineno, value.end_col_offset, node.end_col_offset, ")"))
    lines = annotated.split("\n")
    for number, start, end, text in sorted(cuts, reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:start] + text + line[end:]
    return "\n".join(lines)
