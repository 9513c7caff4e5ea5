"""docs/python.md is run as it stands: every block in order, in one namespace, like cells of a notebook."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTCOME = re.compile(r"  # → (.*)$")
"""Behind a statement: what its value is, as Python shows it."""
NOT_PYTHON = {"sh"}


def blocks() -> list[tuple[int, str, str]]:
    """Of each fenced block the line of its first line, its language and its text."""
    text = PAGE.read_text("utf-8")
    return [(text[: one.start(2)].count("\n") + 1, one[1], one[2]) for one in FENCE.finditer(text)]


async def run_cell(source: str, line: int, names: dict[str, object]) -> int:
    """Run one block, statement by statement, and compare the values it tells; how many statements it ran."""
    lines = source.splitlines()
    statements = ast.parse(source).body
    for statement in statements:
        ast.increment_lineno(statement, line - 1)
        outcome = OUTCOME.search(lines[(statement.end_lineno or 0) - line])
        if isinstance(statement, ast.Expr):
            kind, tree = "eval", ast.Expression(statement.value)
        else:
            kind, tree = "exec", ast.Module([statement], [])
        code = compile(tree, str(PAGE), kind, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        # The page is ours and part of the repository; to run it is what this test is for.
        value = eval(code, names)
        if code.co_flags & inspect.CO_COROUTINE:
            value = await value
        if outcome:
            assert repr(value) == outcome[1], f"line {statement.lineno} of {PAGE.name}"
    return len(statements)


@pytest.mark.browser
@pytest.mark.timeout(400)
async def test_every_block_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "notebook"}
    run = 0
    for line, language, source in blocks():
        if language in NOT_PYTHON:
            continue
        assert language == "python", f"line {line}: a block of {language or 'no language'} is never run"
        assert await run_cell(source, line, names), f"line {line}: nothing in the block"
        run += 1
    assert run == PAGE.read_text("utf-8").count("\n```python\n")


async def test_a_wrong_value_and_a_failing_block_are_found() -> None:
    names: dict[str, object] = {}
    assert await run_cell("x = 2\nx + 2  # → 4\n", 1, names) == 2
    with pytest.raises(AssertionError, match="line 7"):
        await run_cell("x + 2  # → 5\n", 7, names)
    with pytest.raises(NameError):
        await run_cell("nothing_of_this_name\n", 1, names)
