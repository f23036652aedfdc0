"""Runs one kernel compiled and by the reference, and says where they differ.

A kernel is a dict: ``source`` (annotated, see writer.py), ``names`` of the parameters, ``sets`` of arguments,
``sinks`` with the tolerance of arrays that are only written, ``captured`` arrays of the module, the level ``opt`` at
which it is compiled and how much is checked by ``verify``.
"""

from __future__ import annotations

import ast
import io
import linecache
import os
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field
from types import CodeType, TracebackType
from typing import Any

import numpy as np

from . import model
from .arguments import Arguments, fill

Kernel = dict[str, Any]


@dataclass
class Difference:
    """What is wrong with a kernel: a kind that a reducer can compare, and the particulars."""

    kind: str
    detail: str
    at: int = 0  # the argument set


@dataclass
class Outcome:
    """What a call did."""

    value: Any = None
    error: BaseException | None = None
    line: int = 0
    printed: str = ""


@dataclass
class Checked:
    difference: Difference | None = None
    counts: Counter[str] = field(default_factory=Counter)


class Text:
    """A kernel's text in its forms: what is compiled, what the reference runs, where its array stores are."""

    def __init__(self, kernel: Kernel, name: str) -> None:
        self.name = name
        tree = ast.parse(kernel["source"])
        self.plain = model.plain(kernel["source"], tree)
        self.targets: dict[int, str] = {}
        for node in ast.walk(tree):
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(node, ast.AugAssign) or (isinstance(node, ast.Assign) and isinstance(target, ast.Subscript)):
                self.targets[node.lineno] = ast.unparse(target)  # type: ignore[arg-type]
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                if isinstance(node.value.func, ast.Attribute) and node.value.func.attr == "fill":
                    self.targets[node.lineno] = ast.unparse(node.value.func.value)
        self.code: CodeType = compile(model.reference(tree), name, "exec")

    def compiled(self, namespace: dict[str, Any]) -> None:
        """Define the kernel in a namespace, with its source where `inspect` finds it."""
        linecache.cache[self.name] = (len(self.plain), None, self.plain.splitlines(True), self.name)
        exec(compile(self.plain, self.name, "exec"), namespace)


def captured(kernel: Kernel) -> dict[str, np.ndarray]:
    return {name: np.zeros(shape, dtype) for name, dtype, shape in kernel["captured"]}


def refill(arrays: dict[str, np.ndarray], number: int) -> None:
    for k, a in enumerate(arrays.values()):
        a[...] = fill(a.dtype.str[1:], a.size, "small", 7 * number + k).reshape(a.shape)


def innermost(trace: TracebackType | None, name: str) -> TracebackType | None:
    """The deepest entry of a traceback that lies in the kernel's text."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            found = trace
        trace = trace.tb_next
    return found


def call(function: Any, args: list[Any], name: str) -> Outcome:
    out = Outcome()
    stdout, sys.stdout = sys.stdout, io.StringIO()
    try:
        out.value = function(*args)
    except (Exception, model.Undefined) as error:
        out.error = error
        at = innermost(error.__traceback__, name)
        out.line = at.tb_lineno if at else 0
    finally:
        out.printed = sys.stdout.getvalue()
        sys.stdout = stdout
    return out


# ---- comparing values --------------------------------------------------------------------------------------------


def bits_equal(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Elementwise: the same bits, any nan being equal to any other."""
    if a.dtype.kind == "c":
        part = "f4" if a.dtype.itemsize == 8 else "f8"
        return bits_equal(a.real.astype(part), b.real.astype(part)) & bits_equal(
            a.imag.astype(part), b.imag.astype(part)
        )
    if a.dtype.kind != "f":
        return np.asarray(a == b)
    integer = f"u{a.dtype.itemsize}"
    same = np.ascontiguousarray(a).view(integer) == np.ascontiguousarray(b).view(integer)
    return same.reshape(a.shape) | (np.isnan(a) & np.isnan(b))


def near(got: np.ndarray, want: np.ndarray, ulp: int) -> np.ndarray:
    """Elementwise: within so many units in the last place."""
    same = bits_equal(got, want)
    if not ulp or got.dtype.kind not in "fc":
        return same
    size = np.abs(want)
    part = size.dtype
    unit = np.where(np.isfinite(size), np.spacing(np.where(np.isfinite(size), size, 0).astype(part)), 0)
    with np.errstate(all="ignore"):
        close = np.abs(got - want) <= ulp * unit
        # Beyond the largest number: infinity on one side, something near it on the other.
        huge = np.isinf(size) & (np.abs(got) > np.finfo(part).max * (1 - 1e-6))
        huge |= np.isinf(np.abs(got)) & (size > np.finfo(part).max * (1 - 1e-6))
        zero = (got == 0) & (want == 0)
    return same | close | huge | zero


def compare_values(got: Any, want: Any, got_args: Arguments, want_args: Arguments, path: str = "result") -> str | None:
    """The first difference between two returned values, as a sentence."""
    ulp = 0
    if isinstance(want, model.Approximate):
        want, ulp = want.value, want.ulp
    if isinstance(want, tuple):
        if type(got) is not tuple or len(got) != len(want):
            return f"{path}: {got!r} instead of {want!r}"
        for k, (g, v) in enumerate(zip(got, want, strict=True)):
            found = compare_values(g, v, got_args, want_args, f"{path}[{k}]")
            if found:
                return found
        return None
    if type(got) is not type(want):
        return f"{path}: type {type(got).__name__} {got!r} instead of {type(want).__name__} {want!r}"
    if isinstance(want, np.ndarray):
        return compare_arrays(got, want, got_args, want_args, path, ulp)
    if isinstance(want, (float, complex, np.generic)):
        equal = near(np.asarray(got), np.asarray(want), ulp).all()
    else:
        equal = got == want
    return None if equal else f"{path}: {got!r} instead of {want!r}" + (f" within {ulp} ulp" if ulp else "")


def compare_arrays(
    got: np.ndarray, want: np.ndarray, got_args: Arguments, want_args: Arguments, path: str, ulp: int
) -> str | None:
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{path}: type {got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    equal = near(got, want, ulp)
    if not equal.all():
        at = tuple(int(k) for k in np.argwhere(~np.asarray(equal))[0])
        return f"{path}{list(at)}: {got[at]!r} instead of {want[at]!r}" + (f" within {ulp} ulp" if ulp else "")
    if want.size:
        there, here = want_args.locate(want), got_args.locate(got)
        if there != here:
            return f"{path}: memory of argument {here} instead of {there}"
        if there is not None:
            strides = [(g, w) for g, w, n in zip(got.strides, want.strides, want.shape, strict=True) if n > 1]
            if any(g != w for g, w in strides):
                return f"{path}: strides {got.strides} instead of {want.strides}"
            if got.flags.writeable != want.flags.writeable:
                return f"{path}: writeable {got.flags.writeable} instead of {want.flags.writeable}"
    return None


def unspecified(want: Outcome, text: Text, args: Arguments, others: Arguments) -> list[np.ndarray]:
    """Clear the targets of array statements that raised, in both memories; return them."""
    targets = []
    trace = want.error.__traceback__ if want.error else None
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_code.co_filename == text.name and trace.tb_lineno in text.targets:
            try:
                target = eval(text.targets[trace.tb_lineno], frame.f_globals, dict(frame.f_locals))
            except Exception:
                target = None
            if isinstance(target, np.ndarray) and target.size:
                targets.append(target)
                place = args.locate(target)
                for side in (args, others):
                    if place is not None:
                        block = side.blocks[place[0]]
                        np.ndarray(target.shape, target.dtype, block, place[1], target.strides)[...] = 0
        trace = trace.tb_next
    return targets


# ---- one kernel --------------------------------------------------------------------------------------------------


def name_of(error: BaseException) -> str:
    return "UnboundLocalError" if isinstance(error, NameError) else type(error).__name__


def nonsense(error: BaseException | None) -> bool:
    """What no kernel should raise: the generator, or a reducer, wrote something wrong."""
    if isinstance(error, NameError):
        return not isinstance(error, UnboundLocalError) and "free variable" not in str(error)
    return isinstance(error, (TypeError, AttributeError))


def compare_outcomes(got: Outcome, want: Outcome, got_args: Arguments, want_args: Arguments) -> Difference | None:
    if want.error is not None or got.error is not None:
        if want.error is None:
            detail = "".join(traceback.format_exception(got.error)[-3:])
            return Difference("exception", f"raises instead of {want.value!r}:\n{detail}")
        if got.error is None:
            return Difference("exception", f"{got.value!r} instead of {want.error!r}")
        if name_of(got.error) != name_of(want.error):
            return Difference("exception", f"{got.error!r} instead of {want.error!r}")
        if isinstance(want.error, IndexError) and str(got.error) != str(want.error):
            return Difference("message", f"{got.error} instead of {want.error}")
        # CPython takes the line of a neighbour where an unbound name stands alone before `pass`.
        if got.line != want.line and name_of(want.error) != "UnboundLocalError":
            return Difference("line", f"{got.error!r} at line {got.line} instead of {want.line}")
    if got.printed != want.printed:
        return Difference("printed", f"{got.printed!r} instead of {want.printed!r}")
    if want.error is None:
        found = compare_values(got.value, want.value, got_args, want_args)
        if found:
            return Difference("type" if ": type " in found else "value", found)
    return None


def compare_memory(got: Arguments, want: Arguments, spec: dict[str, Any], sinks: dict[str, int]) -> str | None:
    tolerance = {spec["arrays"][name]["block"]: ulp for name, ulp in sinks.items() if name in spec["arrays"]}
    for k, (g, w) in enumerate(zip(got.blocks, want.blocks, strict=True)):
        equal = near(g, w, tolerance.get(k, 0))
        if not equal.all():
            at = int(np.argmin(equal))
            names = [n for n, view in spec["arrays"].items() if view["block"] == k]
            return f"memory of {', '.join(names)}, element {at}: {g[at]!r} instead of {w[at]!r}"
    return None


def refusal_is_due(text: str) -> bool:
    """What Python would raise when it got there, and is seen before: a name that no way binds, an item that a tuple
    does not have."""
    return "before anything is assigned" in text or "is out of range for a tuple of" in text


def at_level(jit: Any, options: dict[str, Any]) -> Any:
    """`jit` as a decorator, with and without options of its own."""

    def decorator(function: Any = None, **own: Any) -> Any:
        made = jit(**options | own)
        return made if function is None else made(function)

    return decorator


def check(kernel: Kernel, name: str, jit: Any, extra: dict[str, Any], live_blocks: Any, seed: Any = None) -> Checked:
    """Compare one kernel.

    `extra` is what else its module needs: `overload`. Without `jit`, the reference runs alone. `seed` puts a bug into
    what is compiled.
    """
    from mpijit import CompileError

    out = Checked()
    text = Text(kernel, name)
    if jit is not None and "opt" in kernel:
        os.environ["MPIJIT_VERIFY"] = str(kernel["verify"])
        jit = at_level(jit, {"opt": kernel["opt"]})
    if seed is not None:
        text.plain, jit = seed(text.plain, jit)
    namespace: dict[str, Any] = {"np": np, "math": model.math, "jit": jit, "__name__": name, **extra}
    shadow: dict[str, Any] = {**model.NAMESPACE, "__name__": name}
    arrays, shadow_arrays = captured(kernel), captured(kernel)
    namespace.update(arrays)
    shadow.update(shadow_arrays)
    exec(text.code, shadow)
    wanted, compiled = shadow["f"], None
    if jit is not None:
        try:
            text.compiled(namespace)
        except CompileError as refusal:
            out.difference = Difference("refused", str(refusal))
            return out
        compiled = namespace["f"]
    for number, spec in enumerate(kernel["sets"]):
        got_args, want_args = Arguments(spec), Arguments(spec)
        refill(arrays, number)
        refill(shadow_arrays, number)
        want = call(wanted, want_args.values(kernel["names"]), name)
        if isinstance(want.error, model.Undefined):
            out.counts["undefined"] += 1
            continue
        if nonsense(want.error):
            out.difference = Difference("fuzzer", f"the reference raises {want.error!r}", number)
            return out
        if compiled is None:
            out.counts["calls"] += 1
            continue
        before = live_blocks()
        got = call(compiled, got_args.values(kernel["names"]), name)
        out.counts["calls"] += 1
        if isinstance(got.error, CompileError):
            if refusal_is_due(str(got.error)):
                out.counts["refused where Python raises"] += 1
                return out
            out.difference = Difference("refused", str(got.error), number)
            return out
        if want.error is not None:
            out.counts[f"raises {name_of(want.error)}"] += 1
        difference = compare_outcomes(got, want, got_args, want_args)
        if difference is None:
            skipped = unspecified(want, text, want_args, got_args)
            found = compare_memory(got_args, want_args, spec, kernel["sinks"])
            for key, a in arrays.items():
                b = shadow_arrays[key]
                if not any(np.may_share_memory(b, t) for t in skipped) and not bits_equal(a, b).all():
                    found = f"captured array {key}: {a.tolist()} instead of {b.tolist()}"
            if found:
                difference = Difference("memory", found)
        if difference is None:
            got.value = got.error = None
            if live_blocks() != before:
                difference = Difference("leak", f"{live_blocks() - before} blocks more after the call than before")
        if difference is not None:
            difference.at = number
            out.difference = difference
            return out
    return out
