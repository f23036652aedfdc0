"""Shrinks a failing kernel: fewer statements, simpler expressions, fewer and smaller arguments, the same failure."""

from __future__ import annotations

import ast
import copy
import re
import time
from collections.abc import Iterator
from typing import Any

from .arguments import spelled_out
from .runner import Died, Process

Kernel = dict[str, Any]


def skeleton(kind: str, detail: str) -> str:
    """What two failures must have in common to count as the same."""
    if kind == "refused":
        first = detail.split("\n")[0].split(": ", 1)[-1]
        return "refused " + re.sub(r"[\w.\[\]:]*\d[\w.\[\]:]*|\b[a-zA-Z]\b", "_", first)
    if kind == "exception":
        return "exception " + " ".join(re.findall(r"\b\w*(?:Error|Exit)\b", detail)[-2:])
    if kind == "type":
        return (
            "type "
            + " ".join(re.findall(r"type (\w+)|instead of (\w+)", detail)[0])
            + " "
            + str(re.findall(r"instead of (\w+)", detail))
        )
    return kind


class Reducer:
    def __init__(self, kernel: Kernel, kind: str, detail: str, env: dict[str, str] | None, seconds: float) -> None:
        self.best = kernel
        self.wanted = skeleton(kind, detail)
        self.detail = detail
        self.env = env
        self.until = time.monotonic() + seconds
        self.process: Process | None = None
        self.tries = 0

    def fails(self, kernel: Kernel) -> bool:
        """Whether a candidate fails as the original did."""
        try:
            ast.parse(kernel["source"])
        except SyntaxError:  # a slice where no slice can stand
            return False
        if self.process is None:
            self.process = Process(self.env, patience=15)
        self.tries += 1
        if not joins(self.best["source"]).items() >= joins(kernel["source"]).items():
            return False  # what a value joins to was worked out for the statements that were there
        try:
            answer = self.process.ask(do="check", kernel=kernel)
        except Died as end:
            self.process.close()
            self.process = None
            answer = {"kind": end.kind, "detail": end.detail}
        if answer["kind"] is None or skeleton(answer["kind"], answer["detail"]) != self.wanted:
            return False
        self.detail = answer["detail"]
        return True

    def run(self) -> Kernel:
        try:
            if not self.fails(self.best):
                return self.best  # only in company of the kernels before it
            progress = True
            while progress and time.monotonic() < self.until:
                progress = any([self._all(self._sets), self._all(self._statements), self._all(self._expressions)])
                progress |= self._all(self._parameters)
            self._all(self._values)
        finally:
            if self.process is not None:
                self.process.close()
        return self.best

    def _all(self, candidates: Any) -> bool:
        """Take candidates as long as one of them still fails; whether any did."""
        found = False
        start = 0
        while time.monotonic() < self.until:
            for number, candidate in enumerate(candidates(self.best)):
                if number < start or candidate == self.best:
                    continue
                if time.monotonic() > self.until:
                    return found
                if self.fails(candidate):
                    self.best, found, start = candidate, True, number
                    break
            else:
                return found
        return found

    # ---- ways to shrink ----

    @staticmethod
    def _sets(kernel: Kernel) -> Iterator[Kernel]:
        if len(kernel["sets"]) > 1:
            for one in kernel["sets"]:
                yield {**kernel, "sets": [one]}

    @staticmethod
    def _statements(kernel: Kernel) -> Iterator[Kernel]:
        """Without a statement, or with a compound statement's body in its place."""
        count = sum(1 for _ in _blocks(ast.parse(kernel["source"])))
        for k in range(count):
            tree = ast.parse(kernel["source"])
            block, at = list(_blocks(tree))[k]
            statement = block[at]
            if isinstance(statement, ast.Return) and at == len(block) - 1:
                continue  # a function without its result is another function
            block[at : at + 1] = [] if len(block) > 1 else [ast.Pass()]
            yield _with(kernel, tree)
            body = getattr(statement, "body", None)
            if body and not isinstance(statement, ast.FunctionDef):
                tree = ast.parse(kernel["source"])
                block, at = list(_blocks(tree))[k]
                block[at : at + 1] = body + getattr(statement, "orelse", [])
                yield _with(kernel, tree)
            if getattr(statement, "orelse", None):
                tree = ast.parse(kernel["source"])
                block, at = list(_blocks(tree))[k]
                block[at].orelse = []  # type: ignore[attr-defined]
                yield _with(kernel, tree)

    @staticmethod
    def _expressions(kernel: Kernel) -> Iterator[Kernel]:
        """An expression replaced by one of its parts or by a small number."""
        count = sum(1 for _ in _expressions(ast.parse(kernel["source"])))
        for k in range(count):
            here = list(_expressions(ast.parse(kernel["source"])))[k][2]
            options = len(_simpler(here))
            for option in range(options):
                tree = ast.parse(kernel["source"])
                parent, place, e = list(_expressions(tree))[k]
                new = _simpler(e)[option]
                if isinstance(place, tuple):
                    getattr(parent, place[0])[place[1]] = new
                else:
                    setattr(parent, place, new)
                yield _with(kernel, tree)

    @staticmethod
    def _parameters(kernel: Kernel) -> Iterator[Kernel]:
        """Without a parameter that nothing uses."""
        tree = ast.parse(kernel["source"])
        used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        for name in kernel["names"]:
            if name in used:
                continue
            out = copy.deepcopy(kernel)
            tree = ast.parse(kernel["source"])
            main = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
            main.args.args = [a for a in main.args.args if a.arg != name]
            out["names"].remove(name)
            for spec in out["sets"]:
                spec["arrays"].pop(name, None)
                spec["scalars"].pop(name, None)
            out["sinks"].pop(name, None)
            yield _with(out, tree)
        if kernel["captured"]:
            yield {**kernel, "captured": [c for c in kernel["captured"] if c[0] in used]}

    @staticmethod
    def _values(kernel: Kernel) -> Iterator[Kernel]:
        """Rounder elements, and memory that nothing views left away."""
        plain = {**kernel, "sets": [spelled_out(s) for s in kernel["sets"]]}
        yield plain
        for s, spec in enumerate(plain["sets"]):
            for b, block in enumerate(spec["memory"]):
                if not any(view["block"] == b for view in spec["arrays"].values()) and block["values"]:
                    out = copy.deepcopy(plain)
                    out["sets"][s]["memory"][b]["values"] = []
                    yield out
                ones = [v in ("1.0", 1, True) for v in block["values"]]
                if not all(ones):
                    out = copy.deepcopy(plain)
                    count = len(block["values"])
                    kind = block["dtype"][0]
                    out["sets"][s]["memory"][b]["values"] = (
                        [repr(float(k)) for k in range(count)]
                        if kind in "fc"
                        else [k % 100 for k in range(count)]
                        if kind != "b"
                        else [True] * count
                    )
                    yield out


def joins(source: str) -> dict[str, tuple[str, ...]]:
    """For every name that an annotation `J_` gives its type: all statements that assign it, and where they stand."""
    entries: dict[str, list[str]] = {}
    marked: set[str] = set()

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            target = child.targets[0] if isinstance(child, ast.Assign) else getattr(child, "target", None)
            if isinstance(child, ast.stmt) and not isinstance(child, (ast.FunctionDef, ast.If, ast.For, ast.While)):
                text = ast.unparse(child)
                name = ast.unparse(target) if target is not None else text
                if "J_(" in text:
                    marked.add(name)
                entries.setdefault(name, []).append(path + text)
            inner = type(child).__name__ if isinstance(child, (ast.If, ast.For, ast.While)) else ""
            visit(child, path + inner)

    visit(ast.parse(source), "")
    return {name: tuple(entries[name]) for name in marked}


def _with(kernel: Kernel, tree: ast.Module) -> Kernel:
    return {**kernel, "source": ast.unparse(ast.fix_missing_locations(tree)) + "\n"}


def _blocks(tree: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
    """Every statement as a block and a place in it; the function f itself is not one."""
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                for k, statement in enumerate(block):
                    if not (isinstance(statement, ast.FunctionDef) and statement.name == "f"):
                        yield block, k


def _expressions(tree: ast.AST) -> Iterator[tuple[ast.AST, Any, ast.expr]]:
    """Every expression that may be replaced, with its parent and the place there."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if name in ("targets", "target", "func", "decorator_list", "annotation", "slice"):
                if name != "slice":
                    continue
            if isinstance(getattr(node, "ctx", None), ast.Store) and name != "slice":
                continue
            if isinstance(value, ast.expr) and not isinstance(value, (ast.Constant, ast.Slice)):
                yield node, name, value
            elif isinstance(value, list):
                for k, item in enumerate(value):
                    if isinstance(item, ast.expr) and not isinstance(item, (ast.Constant, ast.Slice)):
                        yield node, (name, k), item


def _simpler(e: ast.expr) -> list[ast.expr]:
    out: list[ast.expr] = []
    if isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in ("J_", "U_"):
        return [e.args[0]]
    if isinstance(e, (ast.Name, ast.Attribute)):
        return []
    if isinstance(e, ast.Tuple):
        if len(e.elts) > 1 and isinstance(e.ctx, ast.Load):
            out += [ast.Tuple(e.elts[:k] + e.elts[k + 1 :], ast.Load()) for k in range(len(e.elts))]
        return out
    parts = [c for c in ast.iter_child_nodes(e) if isinstance(c, ast.expr)]
    out += [p for p in parts if not isinstance(p, (ast.Constant, ast.Slice))]
    out += [ast.Constant(1), ast.Constant(1.5)]
    return out
