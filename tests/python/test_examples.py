"""Every example runs alone, on two and on three ranks, compiled and interpreted, and passes its own check.

So does the code in README.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Launcher, is_interpreted

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

pytestmark = [
    pytest.mark.skipif(is_interpreted(), reason="these tests set the mode of the programs they start"),
    pytest.mark.timeout(180),
]

# The example, words that make it quick enough on two busy cores, and what its output must hold for a number of
# ranks.
RUNS: dict[str, tuple[list[str], Callable[[int], list[str]]]] = {
    "hello.py": ([], lambda size: [rf"Hello from rank {rank} of {size}" for rank in range(size)]),
    "ring.py": ([], lambda size: [r"check: .*: yes", r"time: .* ms"]),
    "pi.py": ([], lambda size: [r"check: \|value - pi\| = \S+, at most \S+: yes", r"ratio .*\d"]),
    "heat.py": (
        ["--time", "0.2"],
        lambda size: [
            rf"^{size} rank",
            r"field equal to the last bit, total heat equal to rounding",
            r"kernel \S+ s.*\n.*NumPy \S+ s",
            r"picture: heat\.png",
        ],
    ),
}


def mode(interpreted: bool) -> dict[str, str | None]:
    return {"MPIJIT_DISABLE_JIT": "1" if interpreted else None}


@pytest.mark.parametrize(
    ("ranks", "interpreted"),
    [(None, False), (2, False), (3, False), (None, True), (2, True)],
    ids=["alone", "on_2", "on_3", "interpreted", "interpreted_on_2"],
)
@pytest.mark.parametrize("example", RUNS)
def test_example(launch: Launcher, example: str, ranks: int | None, interpreted: bool) -> None:
    words, expected = RUNS[example]
    limit = 30 if interpreted else 120  # the limit, and what two busy cores may need
    output = launch(ranks, EXAMPLES / example, *words, env=mode(interpreted), timeout=limit).check().out
    for pattern in expected(ranks or 1):
        assert re.search(pattern, output, re.MULTILINE), f"{pattern!r} is not in:\n{output}"
    if example != "hello.py":
        assert ("interpreted" in output) == interpreted
    if example == "heat.py":
        assert (launch.folder / "heat.png").read_bytes().startswith(b"\x89PNG")


def test_every_example_is_run() -> None:
    assert set(RUNS) == {path.name for path in EXAMPLES.glob("*.py")}


def test_hello_greets_round_by_round(launch: Launcher) -> None:
    lines = launch(3, EXAMPLES / "hello.py", "--n", "2").check().out.splitlines()
    assert sorted(lines) == sorted(2 * [f"Hello from rank {rank} of 3" for rank in range(3)])


def test_heat_deals_out_uneven_rows(launch: Launcher) -> None:
    output = launch(3, EXAMPLES / "heat.py", "--n", "10", "--time", "20").check().out
    assert "field equal to the last bit, total heat equal to rounding" in output


def test_heat_refuses_more_ranks_than_rows(launch: Launcher) -> None:
    run = launch(3, EXAMPLES / "heat.py", "--n", "2")
    assert run.code != 0
    assert "2 rows cannot be dealt out to 3 ranks" in run.err


# ---- README.md -------------------------------------------------------------------------------------------------


def blocks(language: str) -> list[str]:
    """The code blocks of README.md in a language, or those with none."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("ranks", [None, 2, 3])
@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_readme_code_runs(launch: Launcher, number: int, ranks: int | None) -> None:
    launch(ranks, blocks("python")[number]).check()


def test_readme_shows_errors_as_they_are(launch: Launcher, monkeypatch: pytest.MonkeyPatch) -> None:
    refused, raised = re.findall(
        r"^<!-- from this program:\n(.*?)-->\n\n```\n(.*?)^```$",
        (ROOT / "README.md").read_text(),
        re.MULTILINE | re.DOTALL,
    )
    for (program, shown), name in ((refused, "product.py"), (raised, "shift.py")):
        path = launch.folder / name
        path.write_text(program)
        run: Any = launch(None, path)
        text = run.err.replace(str(path), name)
        assert run.code == 1
        assert shown.strip() in text, text
