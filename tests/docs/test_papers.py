"""`docs/papers.md`: each part of the five papers has a state and, where it is there, its command."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.docs.test_commands import calls
from webbench.core.analysis.printed.installed_papers import paper_names, paper_of

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "papers.md").read_text("utf-8")
PRESETS = {file.stem for file in REPOSITORY.glob("benchmarks/*/agents/presets/*.toml")}
ROW = re.compile(
    r"^\| (?P<part>[^|]+) \| (?P<state>whole|partly|not) \| (?P<by>[^|]*)\|(?P<why>[^|]*)\|$", re.MULTILINE
)
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}


def test_every_paper_has_its_rows_and_they_are_counted() -> None:
    assert sorted(name.lower() for name in SECTIONS) == sorted(paper_names())
    together: Counter[str] = Counter()
    for name, text in SECTIONS.items():
        states = Counter(row["state"] for row in ROW.finditer(text))
        lines = [
            line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| part")
        ]
        assert states.total() == len(lines), f"{name}: a row has another form"
        assert f"| {name} | {states['whole']} | {states['partly']} | {states['not']} |" in PAGE
        together += states
    told = " | ".join(str(together[state]) for state in ("whole", "partly", "not"))
    assert f"| all {together.total()} | {told} |" in PAGE


@pytest.mark.parametrize("row", list(ROW.finditer(PAGE)), ids=lambda row: row["part"][:40])
def test_a_part_that_is_there_names_a_command_and_one_that_is_not_says_why(row: re.Match[str]) -> None:
    named = re.findall(r"`(webbench-tui [^`]+)`", row["by"])
    assert len(named) == (0 if row["state"] == "not" else 1)
    assert row["why"].strip() or row["state"] == "whole"


def test_tables_agents_and_benchmarks_that_are_named_exist() -> None:
    for words in calls("docs/papers.md"):
        if words[0] == "paper" and words[1] != "list":
            assert words[1] in paper_names()
    for benchmark, kind, name in re.findall(
        r"`webbench-tui paper (\w+) --(table|figure) (?:'([^']+)'|\w+)`", PAGE
    ):
        assert kind
        if name:
            assert name in paper_of(benchmark).fills
    for benchmark, kind, number in re.findall(r"`webbench-tui paper (\w+) --(table|figure) (\d+)`", PAGE):
        assert f"{kind} {number}" in paper_of(benchmark).fills
    for agent in re.findall(r"--agent '([\w-]+)", PAGE):
        assert agent in {*PRESETS, "model"}, agent
