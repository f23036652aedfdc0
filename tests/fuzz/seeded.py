"""Bugs on purpose, to see that the fuzzer finds them: a wrong promotion, a wrong overlap, a missed bounds check.

A bug is seeded where kernels are handed to the compiler: what is compiled is not quite what the reference runs, but
what a compiler with that bug would make of it. So the compiler that ships has no way to be wrong on purpose.
"""

from __future__ import annotations

import ast
from typing import Any

BUGS = ("promotion", "overlap", "bounds")


def _promotion(node: ast.AST) -> str | None:
    """Anything with Python's float gives float64, float32 too."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Mult)):
        return None
    if not any(isinstance(e, ast.Constant) and type(e.value) is float for e in (node.left, node.right)):
        return None
    return f"np.float64({ast.unparse(node)})"


def _overlap(node: ast.AST) -> str | None:
    """``a[1:] = b[...]`` runs upwards without a temporary, whatever the two share."""
    if not isinstance(node, ast.Assign):
        return None
    to, of = node.targets[0], node.value
    for e in (to, of):
        if not (isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Slice)):
            return None
    a, b = ast.unparse(to), ast.unparse(of)
    return f"for k_ in range(len({a})): {a}[k_] = {b}[k_ if len({b}) > 1 else 0]"


def seed(bug: str, plain: str, jit: Any) -> tuple[str, Any]:
    """A kernel's text and `jit`, with the bug in one of them. Lines stay where they are."""
    if bug == "bounds":
        return plain, lambda function: jit(boundscheck=False)(function)
    change = _promotion if bug == "promotion" else _overlap
    lines = plain.split("\n")
    done: set[int] = set()
    for node in ast.walk(ast.parse(plain)):  # the outermost one of a line
        text = change(node)
        if text is None or node.lineno in done:  # type: ignore[attr-defined]
            continue
        done.add(node.lineno)  # type: ignore[attr-defined]
        line = lines[node.lineno - 1]  # type: ignore[attr-defined]
        lines[node.lineno - 1] = line[: node.col_offset] + text + line[node.end_col_offset :]  # type: ignore[attr-defined]
    return "\n".join(lines), jit
