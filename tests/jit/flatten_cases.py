"""Writes the cases of a Python file as text for cases.h.

Each function with `#:` comments right above it is a case. The output has, per case, a line
``=== case NAME``, its directives without the ``#: ``, a line ``=== program`` and the program text.

Usage: flatten_cases.py SOURCE_PY CASES_PY OUT, where SOURCE_PY is the package's _source.py.
"""

from __future__ import annotations

import ast
import importlib.util
import pathlib
import sys


def directives(lines: list[str], first_line: int) -> list[str]:
    """The `#:` and `#|` comments right above line `first_line` (from 1)."""
    above = first_line - 2
    while above >= 0 and lines[above].startswith(("#:", "#|")):
        above -= 1
    return [line[:2] + line[3:] for line in lines[above + 1 : first_line - 1]]


def main(source_py: str, cases_py: str, out: str) -> None:
    """Writes the cases of `cases_py` to `out`."""
    spec = importlib.util.spec_from_file_location("_source", source_py)
    assert spec and spec.loader
    source = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(source)
    text = pathlib.Path(cases_py).read_text(encoding="utf-8")
    lines = text.splitlines()
    parts = []
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        wanted = directives(lines, node.lineno)
        if wanted:
            parts.append(f"=== case {node.name}")
            parts += wanted
            parts.append("=== program")
            parts.append(source.flatten_file(cases_py, node.name).rstrip("\n"))
    pathlib.Path(out).write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
