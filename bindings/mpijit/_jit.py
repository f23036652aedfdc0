"""The decorator `jit` and the kernels it makes.

Calls are dispatched in C (dispatcher.cpp); what is here runs when a kernel is defined, compiled, inspected or
pickled.
"""

from __future__ import annotations

import functools
import inspect
import sys
from _thread import RLock  # threading itself is slow to import
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, overload

import numpy as np

from . import _core, _overloads
from ._errors import CompileError
from ._options import check_options, compiler_options, interpreted, say_once
from ._signatures import normalise, parse_signature, split_types

__all__ = ["Kernel", "jit", "njit", "prange"]


class Kernel(_core.Dispatcher):
    """A Python function that is compiled for the types of its arguments when it is called.

    Made by `jit`. A kernel is called like the function; with ``MPIJIT_DISABLE_JIT=1`` it is the function.

    Attributes
    ----------
    py_func : function
        The Python function itself.
    """

    __qualname__: str

    def __new__(cls, py_func: FunctionType, options: dict[str, Any]) -> Kernel:
        return super().__new__(cls, py_func, interpreted())

    def __init__(self, py_func: FunctionType, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, py_func)
        if "src" in options:
            options = dict(options)
            py_func.__dict__["__mpijit_source__"] = options.pop("src")  # SOURCE_ATTRIBUTE of _source
        self._options = options
        self._interpreted = interpreted()
        self._lock = RLock()  # one thread compiles
        self._compiled: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.py_func)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"

    # ---- compiling ----

    @property
    def signatures(self) -> list[str]:
        """The argument types compiled so far, each as the text of a tuple: ``"(float64[:, ::1], int)"``."""
        return list(dict.fromkeys(_tuple_text(types) for _, types in self._compiled))

    def compile(self, *args: Any) -> None:
        """Compile for these arguments, without running the kernel and without communicating.

        Parameters
        ----------
        *args
            Example values, or types as text such as ``"float64[:, :]"`` (any strides), ``"float64[:, ::1]"``
            (C-contiguous), ``"int"``; a string is written with its quotes, ``'"periodic"'``, and a function is given
            as a value. Left out at the end: the defaults.

        Raises
        ------
        CompileError
            The kernel, or an argument, is not something kernels can do.
        """
        if self._interpreted:
            return
        names = _parameters(self.py_func.__code__)
        values: list[Any] = [_Type(normalise(v)) if isinstance(v, str) else v for v in args]
        defaults = self.py_func.__defaults__ or ()
        if len(values) < len(names) <= len(values) + len(defaults):
            values += defaults[len(defaults) - len(names) + len(values) :]
        if len(values) != len(names):
            raise TypeError(f"{self.__qualname__} takes {len(names)} arguments, compile() was given {len(args)}")
        self._compile_values(names, values)

    def _compile_values(self, names: list[str], values: Any) -> None:
        """Make sure there is a specialisation for the values and the present bindings."""
        with self._lock:
            passed: list[Any] = []
            for name, value in zip(names, values, strict=True):
                self._collect_passed(name, value, passed)
            if not passed:
                self._compile_types(tuple(map(_type_text, values)))
                return
            base = self._current_program()
            program = self._flatten(tuple(value for _, value in passed))
            for (name, value), constant in zip(passed, program.passed, strict=True):
                if not constant.startswith(("kernel ", "function ", "dtype ", "ellipsis")):
                    raise self._argument_error(name, value)
            constants = iter(program.passed)
            types = tuple(_type_text(value, constants) for value in values)
            own = (*program[:2], _source().MISSING, program.arrays, [value for _, value in passed])
            self._make(base, program.text, types, own)

    def _collect_passed(self, name: str, value: Any, passed: list[tuple[str, Any]]) -> None:
        """The functions, dtypes and Ellipses in an argument; a CompileError for what is no argument at all."""
        if type(value) is tuple:
            for i, item in enumerate(value):
                self._collect_passed(f"{name}[{i}]", item, passed)
        elif _is_passed_along(value):
            passed.append((name, value))
        elif _type_text(value) is None:
            raise self._argument_error(name, value)

    def _compile_types(self, types: tuple[str, ...]) -> dict[str, Any]:
        """Make sure there is a specialisation for the types and the present bindings. Call with the lock."""
        program = self._current_program()
        return self._make(program, program, types, None)

    def _make(self, base: str, program: str, types: tuple[str, ...], own: tuple[Any, ...] | None) -> dict[str, Any]:
        """Compile and hand to the dispatcher. base: the text of the version that the specialisation goes to."""
        _core.watch_interrupts()
        compiled = self._compiled.get((program, types))
        if compiled is None:
            compiled = self._compile_program(program, types)
            self._compiled[program, types] = compiled
            for note in compiled["notes"]:
                say_once(note)
        if own is not None or not self._has(base, types):
            flags = compiled["uses_mpi"], compiled["communicates"]
            self._add(base, types, compiled["result_type"], compiled["entry"], *flags, own)
        return compiled

    def _compile_program(self, program: str, types: tuple[str, ...], **extra: Any) -> dict[str, Any]:
        from . import _compiler  # loads LLVM

        return _compiler.compile(program, list(types), compiler_options(self._options) | extra)

    def _current_program(self) -> str:
        """The program text for what the captured names are bound to now."""
        program = self._program()
        if program is None:
            made = self._flatten()
            program = made.text
            self._add_version(program, made.guards, _source().MISSING, made.arrays)
        return program

    def _flatten(self, passed: tuple[Any, ...] = ()) -> Any:
        try:
            return _source().flatten(self.py_func, passed, _overloads)
        except _source().SourceError as error:
            raise self._error(str(error)) from None

    def _argument_error(self, name: str, value: Any) -> CompileError:
        from ._describe import trouble

        what, instead = trouble(name, value)
        return self._error(f"argument {what}", instead)

    def _error(self, message: str, hint: str = "") -> CompileError:
        code = self.py_func.__code__
        text = f"{code.co_filename}:{code.co_firstlineno}: {message}"
        text += f"\n  hint: {hint}" if hint else ""
        text += f"\n  in kernel {self.__qualname__}"
        return CompileError(text, message=message, filename=code.co_filename, lineno=code.co_firstlineno, offset=1)

    # ---- looking inside ----

    def inspect_ir(self, signature: Any = None) -> Any:
        """mpijit's typed intermediate representation of a signature, or a dict of all compiled signatures."""
        return self._inspect("ir", signature)

    def inspect_llvm(self, signature: Any = None) -> Any:
        """LLVM's optimised intermediate representation, likewise."""
        return self._inspect("llvm", signature)

    def inspect_asm(self, signature: Any = None) -> Any:
        """The machine code as assembly, likewise."""
        return self._inspect("asm", signature)

    def _inspect(self, what: str, signature: Any) -> Any:
        if self._interpreted:
            raise RuntimeError(f"MPIJIT_DISABLE_JIT is set: {self.__qualname__} is interpreted, there is no code")
        if signature is None:
            return {text: self._inspect(what, text) for text in self.signatures}
        types = self._types_of_signature(signature)
        with self._lock:
            program = self._program_of(types)
            compiled = self._compiled.get((program, types)) or self._compile_types(types)
            if not compiled[what]:  # kept only when asked for
                texts = self._compile_program(program, types, keep_text=True, dump="")
                compiled.update({key: texts[key] for key in ("ir", "llvm", "asm")})
        return compiled[what]

    def _program_of(self, types: tuple[str, ...]) -> str:
        """The program that a signature belongs to: with functions in it the one they were passed with last."""
        if not any("<kernel " in text for text in types):
            return self._current_program()
        for program, known in reversed(self._compiled):
            if known == types:
                return program
        raise ValueError(f"no call, and no compile(), of {self.__qualname__} has passed {_tuple_text(types)}")

    @staticmethod
    def _types_of_signature(signature: Any) -> tuple[str, ...]:
        """From the text of a tuple, as in `signatures`, or from the types one by one."""
        if isinstance(signature, str):
            signature = split_types(signature)
        return tuple(normalise(text) for text in signature)

    # ---- copying and pickling ----

    def __copy__(self) -> Kernel:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Kernel:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        # By name, as functions are; cloudpickle sends what is in __main__ by value.
        if _importable(self) and not (self.__module__ == "__main__" and _pickled_by_value()):
            return self.__qualname__
        return _rebuild, (self.py_func, self._options)


_core.enable_vectorcall(Kernel)


def _rebuild(py_func: FunctionType, options: dict[str, Any]) -> Kernel:
    return Kernel(py_func, options)


def _importable(kernel: Kernel) -> bool:
    found: Any = sys.modules.get(kernel.__module__)
    for part in kernel.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is kernel


def _pickled_by_value() -> bool:
    """Whether cloudpickle is asking: its pickler is written in C, so the caller of the caller is its own code."""
    return "cloudpickle" in sys.modules and sys._getframe(2).f_globals.get("__name__", "").startswith("cloudpickle")


def _is_passed_along(value: Any) -> bool:
    """Whether an argument is a constant of the program, for which the kernel is compiled."""
    return callable(value) or isinstance(value, np.dtype) or value is ...


class _Type(str):
    """The text of a type, where a value could stand."""


def _type_text(value: Any, constants: Any = None) -> Any:
    """The type of an argument, None when kernels do not take it; constants: those of the functions in it, in order."""
    if isinstance(value, _Type):
        return str(value)
    if type(value) is tuple:
        items = tuple(_type_text(item, constants) for item in value)
        return None if None in items else _tuple_text(items)
    if constants is not None and _is_passed_along(value):
        return f"<{next(constants)}>"
    return _core.type_text(value)


def _source() -> Any:
    from . import _source  # slow to import

    return _source


# ---- the slow path of a call -----------------------------------------------------------------------------------


def _specialise(kernel: Kernel, args: tuple[Any, ...]) -> None:
    """Compile a kernel for the types of a call's arguments. Threads that need the same wait for the first."""
    names = _parameters(kernel.py_func.__code__)
    try:
        kernel._compile_values(names, args)
    except CompileError as error:
        raise error.with_traceback(None) from None  # our own frames would hide the user's


def _parameters(code: CodeType) -> list[str]:
    """The names of a function's parameters in the order in which the compiler counts them."""
    positional, keyword = code.co_argcount, code.co_kwonlyargcount
    names = list(code.co_varnames)
    varargs = [names[positional + keyword]] if code.co_flags & inspect.CO_VARARGS else []
    return names[:positional] + varargs + names[positional : positional + keyword]


def _make_binder(kernel: Kernel) -> FunctionType:
    """A function with the kernel's signature that returns its arguments as one tuple.

    Calling it applies defaults and keywords, and refuses a wrong call in CPython's own words.
    """
    function = kernel.py_func
    code = function.__code__
    if code.co_flags & inspect.CO_VARKEYWORDS:
        raise kernel._error("kernels do not take **keywords", "name the parameters")
    names = _parameters(code)
    positional, keyword = code.co_argcount, code.co_kwonlyargcount
    optional = positional - len(function.__defaults__ or ())
    parts = [name if i < optional else f"{name}=None" for i, name in enumerate(names[:positional])]
    if code.co_posonlyargcount:
        parts.insert(code.co_posonlyargcount, "/")
    if code.co_flags & inspect.CO_VARARGS:
        parts.append("*" + names[positional])
    elif keyword:
        parts.append("*")
    parts += names[len(names) - keyword :] if keyword else []
    namespace: dict[str, Any] = {}
    exec(f"def bind({', '.join(parts)}): return ({''.join(name + ', ' for name in names)})", namespace)
    binder: FunctionType = namespace["bind"]
    binder.__name__, binder.__qualname__ = function.__name__, function.__qualname__
    binder.__defaults__, binder.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return binder


_core.set_slow_path(_specialise, _make_binder)


def _tuple_text(types: tuple[str, ...]) -> str:
    return f"({types[0]},)" if len(types) == 1 else f"({', '.join(types)})"


# ---- the decorator -----------------------------------------------------------------------------------------------


@overload
def jit(function: Callable[..., Any], /) -> Kernel: ...
@overload
def jit(signature: str | list[str] | tuple[str, ...] | None = None, /, **options: Any) -> Callable[..., Kernel]: ...


def jit(signature: Any = None, /, **options: Any) -> Any:
    """Compile a function to machine code, once for each set of argument types it is called with.

    Parameters
    ----------
    signature : function, str or list of str, optional
        The function, when used as ``@jit``. Or one or more signatures such as ``"float64(float64[:, :], int64)"``
        to compile when the function is defined; array types without ``::1`` are compiled both for C-contiguous
        arrays and for any strides. Other types are still compiled when they come.
    boundscheck : bool, default True
        Check indices and raise IndexError; False leaves the checks out.
    fastmath : bool, str or set of str, default False
        LLVM's fast-math flags: ``nnan ninf nsz arcp contract afn reassoc``, or True for all.
    src : str, optional
        The text that the function was compiled from, for generated code: what `exec` was given. It is looked in for
        the function, and for helpers that were compiled with it. Text that is in `linecache` is found without.
    opt : {2, 0, 3}
        Optimise with mpijit's passes, not at all, or with LLVM's -O3.
    nopython, parallel, cache, nogil, inline, error_model
        Accepted for code written for Numba. A value that is not honoured is said once, as a `MpijitWarning`.

    Returns
    -------
    Kernel or decorator

    Examples
    --------
    >>> @jit
    ... def triple(x):
    ...     return 3 * x
    >>> triple(7)
    21
    """
    if isinstance(signature, Kernel):
        return Kernel(signature.py_func, signature._options | options)
    check_options(options)
    if isinstance(signature, FunctionType):
        return Kernel(signature, options)
    if signature is None:
        signatures = []
    elif isinstance(signature, str):
        signatures = [signature]
    elif isinstance(signature, (list, tuple)) and all(isinstance(item, str) for item in signature):
        signatures = list(signature)
    else:
        raise TypeError(f"jit takes a Python function or signatures as strings, not {signature!r}")
    parsed = [parse_signature(text) for text in signatures]

    def decorate(function: Callable[..., Any]) -> Kernel:
        kernel = jit(function, **options) if isinstance(function, (FunctionType, Kernel)) else _not_a_function(function)
        for result, types in parsed:
            _compile_eagerly(kernel, result, types)
        return kernel

    return decorate


njit = jit


def _not_a_function(function: Any) -> Kernel:
    raise TypeError(f"jit takes a Python function, not {function!r}")


def _compile_eagerly(kernel: Kernel, result: str | None, types: tuple[str, ...]) -> None:
    contiguous = tuple(_contiguous(text) for text in types)
    for variant in dict.fromkeys((contiguous, types)):
        kernel.compile(*variant)
    if result is None or kernel._interpreted:
        return
    made = kernel._compiled[kernel._current_program(), types]["result_type"]
    if made != result and not made.startswith(result.removesuffix("]").replace("::1", ":")):
        say_once(f"{kernel.__qualname__} returns {made}, not {result} as its signature says")


def _contiguous(text: str) -> str:
    return text[:-2] + "::1]" if text.endswith(":]") else text


def prange(*args: Any) -> range:
    """``range``, to be shared among threads in a kernel compiled with ``parallel=True`` (not yet)."""
    return range(*args)


prange.__module__ = "mpijit"
