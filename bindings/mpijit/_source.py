"""From a Python function to the program text that the compiler reads (see jit/syntax/read.h).

The only place that knows CPython's ``ast`` and how captured values look; it knows nothing of types or code
generation. A file of its own without relative imports: the C++ tests flatten their cases with
``python _source.py FILE OUT`` before the package exists.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import contextlib
import functools
import inspect
import itertools
import linecache
import os
import sys
import types
import warnings
from json.encoder import encode_basestring_ascii as quote
from typing import Any, NamedTuple

import numpy as np

__all__ = ["MISSING", "SOURCE_ATTRIBUTE", "Guard", "Program", "SourceError", "flatten", "flatten_file", "program_text"]


class SourceError(TypeError):
    """The source of a function cannot be had, or is not the one that was loaded."""


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: Any = _Missing()
"""The value of a guard whose name must stay unbound, such as a global that would hide a builtin."""

Guard = tuple[Any, "str | None", Any]
"""What a captured name was bound to: ``(dict, key, value)`` or ``(cell, None, value)``.

The text is valid as long as every guard's name is still bound to its value, or still unbound where the
value is `MISSING`. Attributes of numpy, math, cmath, operator, builtins and mpijit are taken to be constant.
"""


class Program(NamedTuple):
    """A function and all it can reach, flattened."""

    text: str
    guards: list[Guard]
    arrays: list[tuple[str, Any]]
    """The captured arrays with their types, by the numbers they have in the text."""
    passed: list[str]
    """The values passed along, as constants of the text."""


SOURCE_ATTRIBUTE = "__mpijit_source__"
"""The attribute of a function that holds the text it was compiled from, if one was given."""

_CONSTANT_MODULES = {"builtins", "cmath", "math", "mpijit", "numpy", "operator"}
_MAX_FUNCTIONS = 256
_MAX_TUPLE_DEPTH = 50
_MAX_DEPTH = 1000
_SCALAR_TYPES = frozenset(np.sctypeDict.values())
_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
_FUTURE = __future__.annotations.compiler_flag  # the only one that newer Pythons do not imply


# ------------------------------------------------------------------------------------------
# Where is the function's source?


@functools.lru_cache(maxsize=8)
def _parse(source: str, filename: str, flags: int) -> tuple[list[types.CodeType], list[ast.AST]]:
    """Every code object and every function or lambda node of a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the user has seen the warnings of this source
        flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # notebooks
        tree = compile(source, filename, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        codes = [compile(tree, filename, "exec", flags, dont_inherit=True)]
    for code in codes:
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return codes, [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.Lambda))]


def _same_constant(a: Any, b: Any) -> bool:
    if isinstance(a, types.CodeType) and isinstance(b, types.CodeType):
        return _same_code(a, b)
    if isinstance(a, frozenset):
        return bool(a == b)
    return type(a) is type(b) and repr(a) == repr(b)  # repr tells 1 from 1.0 inside tuples, and 0.0 from -0.0


def _same_code(a: types.CodeType, b: types.CodeType) -> bool:
    names = ("co_name", "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars")
    return (
        all(getattr(a, n) == getattr(b, n) for n in names)
        and len(a.co_consts) == len(b.co_consts)
        and all(map(_same_constant, a.co_consts, b.co_consts))
    )


def _same_place(a: types.CodeType, b: types.CodeType) -> bool:
    return a.co_qualname == b.co_qualname and a.co_firstlineno == b.co_firstlineno


def _candidates(code: types.CodeType, codes: list[types.CodeType]) -> list[types.CodeType]:
    """The code objects of the source that may be `code`, the likeliest first."""
    if any(name.startswith("@py") for name in code.co_names):
        # pytest has rewritten the assert statements of this file: there is no code to compare.
        return [c for c in codes if _same_place(c, code)]
    same = [c for c in codes if _same_code(c, code)]
    positions = list(code.co_positions())

    def unlikeliness(c: types.CodeType) -> tuple[bool, bool, int]:
        moved = abs(c.co_firstlineno - code.co_firstlineno)
        return list(c.co_positions()) != positions, c.co_qualname != code.co_qualname, moved

    return sorted(same, key=unlikeliness)


def _extent(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _is_node_of(node: Any, code: types.CodeType) -> bool:
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    if code.co_name != "<lambda>" or node.lineno != code.co_firstlineno:
        return False
    names = [a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
    if list(code.co_varnames[: len(names)]) != names:
        return False
    # Every instruction lies in the lambda's body; those that set up the frame have no width.
    line, column, end_line, end_column = _extent(node.body)
    return all(
        (line, column) <= (p[0], p[2]) and (p[1], p[3]) <= (end_line, end_column)
        for p in code.co_positions()
        if None not in p and (p[0], p[2]) != (p[1], p[3])
    )


def _file_text(function: types.FunctionType) -> str:
    """The file, cell or example that the function comes from; empty when there is none."""
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    if not lines:
        try:
            lines = inspect.findsource(function)[0]  # knows the prompt of Python 3.13
        except (OSError, IndexError, TypeError):
            return ""
    return "".join(lines)


def _locate(function: types.FunctionType, given: str = "") -> tuple[Any, list[str]]:
    """The node of a function and the lines of its file. given: the text to look in instead of the file's.

    The whole file is parsed: that makes spans those of the file, finds lambdas, and compiles closures,
    methods and ``from __future__`` as Python did, so that code objects can be compared.
    """
    code = function.__code__
    name, place = function.__qualname__, f"{code.co_filename}:{code.co_firstlineno}"
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise SourceError(f"{name} at {place} is an async function; write a plain one")
    source = given or _file_text(function)
    if not source:
        raise SourceError(
            f"the source of {name} at {place} is not available; define it in a file or a notebook cell, "
            "or give the text that it was compiled from, as jit(src=...) or in linecache.cache"
        )
    try:
        codes, nodes = _parse(source, code.co_filename, code.co_flags & _FUTURE)
    except RecursionError:
        raise SourceError(f"the file of {name} at {place} has an expression that is nested too deep") from None
    except (SyntaxError, ValueError):
        codes, nodes = [], []
    for candidate in _candidates(code, codes):
        found = [n for n in nodes if _is_node_of(n, candidate)]
        if found:  # of nested lambdas the inner one is the smaller
            return max(found, key=lambda n: _extent(n)[:2]), source.split("\n")
    if given:
        raise SourceError(f"the text given as src holds no function that compiles to {name}")
    raise SourceError(
        f"the source of {name} at {place} has changed since it was loaded; reload its module or restart Python"
    )


# ------------------------------------------------------------------------------------------
# From tree to lines


def _operator(node: Any) -> str:
    return type(node.op).__name__


# For each kind its fields in the order of jit/syntax/nodes.inc and what makes its text. A list becomes a
# Block, None an Empty. The arguments of FunctionDef and Lambda and the value of Constant are special.
_KINDS: dict[type, tuple[tuple[str, ...], Any]] = {
    ast.Return: (("value",), None),
    ast.Assign: (("targets", "value"), None),
    ast.AugAssign: (("target", "value"), _operator),
    ast.AnnAssign: (("target", "value"), None),
    ast.For: (("target", "iter", "body", "orelse"), None),
    ast.While: (("test", "body", "orelse"), None),
    ast.If: (("test", "body", "orelse"), None),
    ast.Raise: (("exc",), None),
    ast.Assert: (("test", "msg"), None),
    ast.Expr: (("value",), None),
    ast.Pass: ((), None),
    ast.Break: ((), None),
    ast.Continue: ((), None),
    ast.BoolOp: (("values",), _operator),
    ast.NamedExpr: (("target", "value"), None),
    ast.BinOp: (("left", "right"), _operator),
    ast.UnaryOp: (("operand",), _operator),
    ast.IfExp: (("test", "body", "orelse"), None),
    ast.Compare: (("left", "comparators"), lambda n: " ".join(type(op).__name__ for op in n.ops)),
    ast.Call: (("func", "args", "keywords"), None),
    ast.Attribute: (("value",), lambda n: n.attr),
    ast.Subscript: (("value", "slice"), None),
    ast.Starred: (("value",), None),
    ast.Name: ((), lambda n: n.id),
    ast.List: (("elts",), None),
    ast.Tuple: (("elts",), None),
    ast.Slice: (("lower", "upper", "step"), None),
    ast.arg: ((), lambda n: n.arg),
    ast.keyword: (("value",), lambda n: n.arg or ""),
}

# What else Python has, in the user's words. By name: not every version has every class.
_UNSUPPORTED = {
    "AsyncFor": "async for",
    "AsyncFunctionDef": "an async function",
    "AsyncWith": "async with",
    "Await": "await",
    "ClassDef": "a class",
    "Delete": "del",
    "Dict": "a dict",
    "DictComp": "a dict comprehension",
    "FormattedValue": "an f-string",
    "FunctionDef": "a nested function",
    "GeneratorExp": "a generator expression",
    "Global": "global",
    "Import": "import",
    "ImportFrom": "import",
    "JoinedStr": "an f-string",
    "Lambda": "a lambda with default arguments",
    "ListComp": "a list comprehension",
    "Match": "a match statement",
    "Nonlocal": "nonlocal",
    "Raise": "raise ... from",
    "Set": "a set",
    "SetComp": "a set comprehension",
    "TemplateStr": "a t-string",
    "Try": "a try statement",
    "TryStar": "a try statement",
    "TypeAlias": "a type statement",
    "With": "a with statement",
    "Yield": "yield",
    "YieldFrom": "yield from",
}


def _names(a: ast.arguments) -> set[str]:
    variadic = [arg for arg in (a.vararg, a.kwarg) if arg]
    return {arg.arg for arg in [*a.posonlyargs, *a.args, *a.kwonlyargs, *variadic]}


def _has_defaults(a: ast.arguments) -> bool:
    return bool(a.defaults or any(a.kw_defaults))


def _parameters(a: ast.arguments) -> list[Any]:
    """The parameters as arg nodes, with "/" and "*" where Python has them."""

    def starred(stars: str, arg: ast.arg) -> ast.arg:
        return ast.copy_location(ast.arg(stars + arg.arg), arg)

    out: list[Any] = list(a.posonlyargs)
    out += ['arg 0:0-0:0 0 "/"'] if out else []
    out += a.args
    out += [starred("*", a.vararg)] if a.vararg else ['arg 0:0-0:0 0 "*"'] if a.kwonlyargs else []
    out += a.kwonlyargs
    out += [starred("**", a.kwarg)] if a.kwarg else []
    return out


_UP = object()  # on the stack of _Tree: all children of a node are done


class _Tree:
    """The lines of one function's tree, and the free names in it with their chains of attributes."""

    def __init__(self, root: Any, lines: list[str]) -> None:
        self.lines: list[str] = []
        self._root = root
        self._bound = _names(root.args)
        self._used: dict[tuple[str, ...], None] = {}  # an ordered set
        self.methods: dict[str, None] = {}  # names called as attributes, likewise
        self._seen: set[int] = set()  # nodes inside a chain or bound by a lambda: not free by themselves
        numbered = enumerate(lines[root.lineno - 1 : root.end_lineno], root.lineno)
        self._wide = {n: line.encode() for n, line in numbered if not line.isascii()}
        self._walk()

    def free_names(self) -> list[tuple[str, ...]]:
        """Each chain once, in the order of appearance."""
        return [chain for chain in self._used if chain[0] not in self._bound]

    def _walk(self) -> None:
        # Pre-order with a stack of its own: a long sum nests deeper than Python's recursion limit. It holds
        # nodes, lists (a Block), None (Empty) and finished lines.
        depth, stack = 0, [self._root]
        while stack:
            item = stack.pop()
            if item is _UP:
                depth -= 1
            elif item is None:
                self.lines.append("Empty 0:0-0:0 0")
            elif type(item) is str:
                self.lines.append(item)
            else:
                if type(item) is list:
                    self.lines.append(f"Block 0:0-0:0 {len(item)}")
                    children = item
                else:
                    children = self._node(item)
                if children:
                    depth += 1
                    if depth > _MAX_DEPTH:
                        line = getattr(item, "lineno", self._root.lineno)
                        raise SourceError(f"the expression in line {line} is nested too deep")
                    stack.append(_UP)
                    stack += reversed(children)

    def _node(self, node: Any) -> list[Any]:
        """Write the node's line; its children."""
        kind = type(node)
        name, span = kind.__name__, self._span(node)
        row = _KINDS.get(kind)
        if kind is ast.Constant:
            self.lines.append(f"Constant {span} 0 {_literal(node.value)}")
            return []
        if node is self._root or (kind is ast.Lambda and not _has_defaults(node.args)):
            text = " " + quote(node.name) if kind is ast.FunctionDef else ""
            self.lines.append(f"{name} {span} 2{text}")
            if node is not self._root:
                own, inside = _names(node.args), ast.walk(node.body)
                self._seen |= {id(n) for n in inside if isinstance(n, ast.Name) and n.id in own}
            return [_parameters(node.args), node.body]
        if row is None or (kind is ast.Raise and not _is_none(node.cause)):
            self.lines.append(f"Unsupported {span} 0 {quote(_UNSUPPORTED.get(name, name))}")
            return []
        fields, text_of = row
        text = " " + quote(text_of(node)) if text_of else ""
        self.lines.append(f"{name} {span} {len(fields)}{text}")
        if kind is ast.Call:
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called == "where" and len(node.args) == 1:  # np.where(c) is np.nonzero(c)
                self.methods["nonzero"] = None
            elif isinstance(node.func, ast.Attribute):
                self.methods[called] = None
        if kind is ast.Name:
            self._use(node, node, (node.id,))
        elif kind is ast.Attribute:
            names, root = [node.attr], node.value
            while isinstance(root, ast.Attribute):
                names.append(root.attr)
                root = root.value
            if isinstance(root, ast.Name):
                self._use(node, root, (root.id, *reversed(names)))
        return [getattr(node, field) for field in fields]

    def _use(self, node: Any, root: ast.Name, chain: tuple[str, ...]) -> None:
        if id(node) in self._seen or id(root) in self._seen:
            return
        if isinstance(root.ctx, ast.Load):
            self._used[chain] = None
        else:
            self._bound.add(root.id)
        while node is not root:
            node = node.value
            self._seen.add(id(node))

    def _span(self, n: Any) -> str:
        # ast counts columns in bytes and from 0
        start, end = n.col_offset, n.end_col_offset
        if self._wide:
            if n.lineno in self._wide:
                start = len(self._wide[n.lineno][:start].decode())
            if n.end_lineno in self._wide:
                end = len(self._wide[n.end_lineno][:end].decode())
        return f"{n.lineno}:{start + 1}-{n.end_lineno}:{end + 1}"


def _is_none(cause: Any) -> bool:
    return cause is None or (isinstance(cause, ast.Constant) and cause.value is None)


# ------------------------------------------------------------------------------------------
# Constants

_THINGS: dict[type, str] = {
    bytes: "a bytes object",
    dict: "a dict",
    frozenset: "a frozenset",
    list: "a list",
    range: "a range",
    set: "a set",
    types.MethodType: "a bound method",
}


def _unsupported(what: str) -> str:
    return "unsupported " + quote(what)


def _literal(value: Any) -> str:
    """A value that Python's grammar can write, in the text form of read.h."""
    kind = type(value)
    if value is None:
        return "none"
    if value is ...:
        return "ellipsis"
    if kind is bool:
        return f"bool {value}"
    if kind is int:
        if -(2**63) <= value < 2**63:
            return f"int {value}"
        if value.bit_length() < 4096:  # Python refuses to print those much longer
            return f'big "{value}"'
        return _unsupported("an integer of thousands of digits")
    if kind is float:
        return f"float {value!r}"
    if kind is complex:
        return f"complex {value.real!r} {value.imag!r}"
    if kind is str:
        return "str " + quote(value)
    return _unsupported(_THINGS.get(kind, f"an object of class {kind.__name__}"))


def _slice(value: slice) -> str:
    bounds = [value.start, value.stop, value.step]
    texts = [_literal(bound.item() if isinstance(bound, np.integer) else bound) for bound in bounds]
    if all(text == "none" or text.startswith("int ") for text in texts):
        return " ".join(["slice", *texts])
    return _unsupported("a slice whose bounds are not ints")


def _numpy_scalar(value: np.generic) -> str:
    dtype = value.dtype
    if dtype.kind in "biu" or dtype.name in ("float16", "float32", "float64", "complex64", "complex128"):
        return f"scalar {dtype.name} {_literal(value.item())}"
    return _unsupported(f"a NumPy {dtype.name} scalar")


def _dtype(dtype: np.dtype[Any]) -> str:
    if dtype.isnative and dtype.names is None and dtype.subdtype is None:
        return "dtype " + quote(dtype.name)
    return _unsupported(f"the dtype {dtype}")


_ARRAY_DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
)


def _array_type(array: Any) -> str:
    """The type of an array as text (see jit/types/type.h); empty when kernels do not take it."""
    dtype, flags = array.dtype, array.flags
    if dtype.name not in _ARRAY_DTYPES or not dtype.isnative or not flags.aligned:
        return ""
    axes = [":"] * array.ndim
    if axes and flags.c_contiguous:
        axes[-1] = "::1"
    return f"{'' if flags.writeable else 'const '}{dtype.name}[{', '.join(axes)}]"


def _is_constant(module: str) -> bool:
    return module.partition(".")[0] in _CONSTANT_MODULES


def _canonical_name(value: Any) -> str | None:
    """The public dotted name of a function or class of builtins, math, cmath, operator, numpy or mpijit."""
    name, module = getattr(value, "__name__", None), getattr(value, "__module__", None) or "numpy"
    if not isinstance(name, str) or not isinstance(module, str) or module.startswith("mpijit.numpy_impl"):
        return None  # a helper of numpy_impl is a function like the user's
    module = "operator" if module == "_operator" else module
    public = ".".join(itertools.takewhile(lambda part: not part.startswith("_"), module.split(".")))
    for home in (public, "numpy", "mpijit.mpi", "mpijit"):
        if _is_constant(home) and home in sys.modules and vars(sys.modules[home]).get(name) is value:
            return f"{home}.{name}"
    return None


class _Flattener:
    """Collects a kernel and every function it can reach. overloads: the module `_overloads`, or None for none."""

    def __init__(self, overloads: Any = None) -> None:
        self._overloads = overloads
        self._namer: Any = None  # the function whose captured names are being resolved
        self.functions: list[tuple[types.FunctionType, Any, list[str]]] = []
        self.guards: dict[tuple[int, str | None], Guard] = {}
        self.arrays: list[tuple[str, Any]] = []
        self._index: dict[int, int] = {}
        self._texts: dict[tuple[str, int], str] = {}  # given as src, by file name and globals
        self._numbers: dict[int, int] = {}  # of the arrays

    def index(self, function: types.FunctionType) -> int:
        self._namer = self._namer or function
        known = self._index.get(id(function))
        if known is None:
            self.functions.append((function, *self._locate(function)))
            known = self._index[id(function)] = len(self.functions) - 1
        return known

    def _locate(self, function: types.FunctionType) -> tuple[Any, list[str]]:
        family = function.__code__.co_filename, id(function.__globals__)
        text = vars(function).get(SOURCE_ATTRIBUTE)
        if text is not None:
            self._texts[family] = text
            return _locate(function, text)
        if family in self._texts:  # a helper from the same generated text
            with contextlib.suppress(SourceError):
                return _locate(function, self._texts[family])
        return _locate(function)

    def text(self) -> str:
        out = ["mpijit-program 1"]
        for function, node, lines in self.functions:  # grows meanwhile
            self._function(function, node, lines, out)
        out.append("")
        return "\n".join(out)

    def _function(self, function: types.FunctionType, node: Any, lines: list[str], out: list[str]) -> None:
        name, file = quote(function.__qualname__), quote(function.__code__.co_filename)
        source = quote("\n".join(lines[node.lineno - 1 : node.end_lineno]))
        self._namer = function
        out.append(f"function {name} {file} {node.lineno} {source}")
        if self._overloads and self._overloads.is_implementation(function):
            out.append("literals")
        for value in _defaults(function):
            absent = _unsupported("a parameter without a default")
            out.append("default " + (absent if value is MISSING else self.constant(value)))
        tree = _Tree(node, lines)
        captured: dict[str, Any] = {}
        for chain in tree.free_names():
            self._resolve(function, chain, captured)
        out += [f"capture {quote(name)} {self.constant(value)}" for name, value in captured.items()]
        if self._overloads:
            methods = ((name, self._overloads.method(name)) for name in tree.methods)
            out += [f"capture {quote('.' + name)} {self._helper(method)}" for name, method in methods if method]
        out += tree.lines

    def _guard(self, namespace: Any, name: str | None, value: Any) -> None:
        self.guards.setdefault((id(namespace), name), (namespace, name, value))

    def _look_up(self, function: types.FunctionType, name: str) -> Any:
        code = function.__code__
        if name.startswith("__") and not name.endswith("__"):  # private names in a class
            owner = code.co_qualname.split(".")[-2:-1]
            name = f"_{owner[0].lstrip('_')}{name}" if owner and owner[0] != "<locals>" else name
        if name in code.co_freevars:
            cell = (function.__closure__ or ())[code.co_freevars.index(name)]
            try:
                value = cell.cell_contents
            except ValueError:  # not assigned yet
                value = MISSING
            self._guard(cell, None, value)
            return value
        value = function.__globals__.get(name, MISSING)
        self._guard(function.__globals__, name, value)
        if value is MISSING:
            value = function.__builtins__.get(name, MISSING)  # type: ignore[attr-defined]
        return value

    def _resolve(self, function: types.FunctionType, chain: tuple[str, ...], captured: dict[str, Any]) -> None:
        """What the first names of a chain are bound to: through modules, up to the first other value."""
        value, used = self._look_up(function, chain[0]), 1
        if value is MISSING:
            return
        while used < len(chain) and isinstance(value, types.ModuleType):
            attribute = getattr(value, chain[used], MISSING)
            if not _is_constant(value.__name__):
                self._guard(vars(value), chain[used], vars(value).get(chain[used], MISSING))
            if attribute is MISSING:
                break
            value, used = attribute, used + 1
        captured[".".join(chain[:used])] = value

    def constant(self, value: Any, depth: int = 0) -> str:
        """Any captured value in the text form of read.h; what kernels cannot use is refused when used."""
        kind = type(value)
        if kind is tuple:
            if depth == _MAX_TUPLE_DEPTH:
                return _unsupported("a tuple nested too deep")
            return " ".join([f"tuple {len(value)}", *(self.constant(item, depth + 1) for item in value)])
        if kind is slice:
            return _slice(value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            return _numpy_scalar(value)
        if isinstance(value, np.dtype):
            return _dtype(value)
        if isinstance(value, type):
            return _class(value)
        if isinstance(value, types.ModuleType):
            return "module " + quote(value.__name__)
        handle = getattr(kind, "_mpijit_kind", None)
        if isinstance(handle, str):
            return f"handle {handle} {int(value.handle)}"
        if callable(value):
            return self._callable(value)
        return _literal(value)

    def _array(self, value: Any) -> str:
        if type(value) is not np.ndarray:
            return _unsupported(f"an array of class {type(value).__name__}")
        text = _array_type(value)
        if not text:
            return _unsupported(f"an array of dtype {value.dtype}")
        number = self._numbers.setdefault(id(value), len(self.arrays))
        if number == len(self.arrays):
            self.arrays.append((text, value))
        return f"array {number} {quote(text)}"

    def _callable(self, value: Any) -> str:
        if self._overloads:
            self._guard(*self._overloads.guard())
            implementation = self._overloads.find(value, self._namer)
            if implementation:
                return self._helper(implementation)
        name = _canonical_name(value)
        if name:
            return "function " + quote(name)
        function = value if isinstance(value, types.FunctionType) else getattr(value, "py_func", None)
        if isinstance(function, types.FunctionType):
            return self._helper(function)
        if isinstance(value, (types.BuiltinFunctionType, np.ufunc)):
            return _unsupported(f"the function {value.__name__}")
        return _literal(value)

    def _helper(self, function: types.FunctionType) -> str:
        # A branch that is never taken may name anything, so what cannot be a kernel is not followed: a
        # plotting function would bring in its whole package.
        code, name = function.__code__, f"the function {function.__qualname__}"
        file = code.co_filename
        if id(function) in self._index:
            return f"kernel {self._index[id(function)]}"
        if file.startswith(_STANDARD_LIBRARY) and "site-packages" not in file:
            return _unsupported(f"{name} of the standard library")
        if code.co_flags & inspect.CO_VARKEYWORDS:
            return _unsupported(f"{name}, which takes **keywords")
        if code.co_flags & inspect.CO_GENERATOR:
            return _unsupported(f"{name}, a generator")
        if len(self.functions) == _MAX_FUNCTIONS:
            return _unsupported(f"{name}, one of more than {_MAX_FUNCTIONS} that this kernel can reach")
        try:
            return f"kernel {self.index(function)}"
        except SourceError as error:
            return _unsupported(f"{name}: {error}")


def _class(value: type) -> str:
    if issubclass(value, BaseException):
        if getattr(builtins, value.__name__, None) is value:
            return "exception " + quote(value.__name__)
        return _unsupported(f"the exception class {value.__name__}")
    if value in _SCALAR_TYPES:
        return _dtype(np.dtype(value))
    name = _canonical_name(value)
    return "function " + quote(name) if name else _unsupported(f"the class {value.__name__}")


def _defaults(function: types.FunctionType) -> list[Any]:
    """The default values from the first parameter that has one."""
    code = function.__code__
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    values = [
        *(function.__defaults__ or ()),
        *([MISSING] if code.co_flags & inspect.CO_VARARGS else []),
        *((function.__kwdefaults__ or {}).get(k, MISSING) for k in keywords),
    ]
    return list(itertools.dropwhile(lambda value: value is MISSING, values))


def program_text(function: Any) -> tuple[str, list[Guard]]:
    """Flatten a function and all it can reach.

    Parameters
    ----------
    function
        A plain Python function, or an object whose ``py_func`` is one (a kernel).

    Returns
    -------
    text : str
        The program in the format of ``jit/syntax/read.h``. Functions are numbered in the order in which they
        are reached, `function` first. It depends neither on the version of Python nor on addresses.
    guards : list of Guard
        Everything whose change makes the text stale, each once.

    Raises
    ------
    SourceError
        The source of `function` is not available, or has changed since it was loaded. The same trouble with a
        function it captures becomes an ``unsupported`` constant, which is refused only when used.
    """
    return flatten(function)[:2]


def flatten(function: Any, passed: Any = (), overloads: Any = None) -> Program:
    """The same with what else a call needs to know.

    Parameters
    ----------
    function
        As in `program_text`.
    passed
        Functions, kernels and dtypes that are passed as arguments: the program has them too.
    overloads
        The module `_overloads`, which knows what to call in place of a function; without it every one is itself.
    """
    flattener = _Flattener(overloads)
    flattener.index(getattr(function, "py_func", function))
    constants = [flattener.constant(value) for value in passed]
    text = flattener.text()
    return Program(text, list(flattener.guards.values()), flattener.arrays, constants)


# ------------------------------------------------------------------------------------------
# As a script, for the C++ tests


class _StandIn:
    """An MPI object, an operator or a communicator, of the stand-in for `mpijit.mpi`."""

    def __init__(self, kind: str, handle: int) -> None:
        self.handle = handle
        self.__class__ = type("_StandIn", (_StandIn,), {"_mpijit_kind": kind})


def _stand_in_package() -> dict[str, types.ModuleType]:
    """Modules mpijit and mpijit.mpi whose names flatten as the real ones do, with made-up handles."""
    package, mpi = types.ModuleType("mpijit"), types.ModuleType("mpijit.mpi")
    operators = "SUM PROD MIN MAX LAND LOR LXOR BAND BOR BXOR".split()
    vars(mpi).update({name: _StandIn("operator", i) for i, name in enumerate(operators)})
    vars(mpi).update(COMM_WORLD=_StandIn("comm", 1), COMM_SELF=_StandIn("comm", 2), IN_PLACE=_StandIn("in_place", 0))
    vars(mpi).update(ANY_SOURCE=-2, ANY_TAG=-1, PROC_NULL=-1)

    def routine(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        function = types.FunctionType((lambda *args, **keywords: None).__code__, {}, name)
        function.__module__ = "mpijit.mpi"
        return vars(mpi).setdefault(name, function)

    def prange(*args: int) -> range:
        return range(*args)

    prange.__module__ = "mpijit"
    vars(mpi)["__getattr__"] = routine
    vars(package).update(mpi=mpi, jit=lambda function: function, prange=prange)
    return {"mpijit": package, "mpijit.mpi": mpi}


def flatten_file(path: str, name: str | None = None) -> str:
    """The program text of a function of a file, by default the first one that the file defines.

    The file is executed to learn what names are bound to. It may import mpijit, which need not be installed.
    """
    with open(path, encoding="utf-8") as file:
        source = file.read()
    first = next((n.name for n in ast.parse(source, path).body if isinstance(n, ast.FunctionDef)), None)
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    saved = {key: sys.modules.get(key) for key in ("mpijit", "mpijit.mpi")}
    sys.modules.update(_stand_in_package())
    try:
        exec(compile(source, path, "exec", dont_inherit=True), vars(module))
        return program_text(vars(module)[name or first or ""])[0]
    finally:
        for key, value in saved.items():
            sys.modules.pop(key)
            if value is not None:
                sys.modules[key] = value


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as output:
        output.write(flatten_file(sys.argv[1]))
