"""Weaknesses are told where a score rests on them, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from webbench.benchmarks.assistantbench.scoring.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.scoring.loopholes import CONDITIONS
from webbench.core.score.loopholes import load_loopholes
from webbench.core.task import Task


def found(answer: Any, gold: str, rules: str = "published") -> list[str]:
    task = Task(benchmark="assistantbench", name="q1", gold={"answer": gold})
    score = AssistantBenchEvaluator().score(task, {"answer": answer}, rules)
    return [loophole.id for loophole in score.loopholes]


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("1,200", "1200", ["thousands-separator"]),
        ('{"price": "2,500"}', '{"price": 2500}', ["thousands-separator"]),
        ("1,200", "1,200", []),
        ("1,200 cats", "1200 cats", []),
        ("1,5", "1.5", []),
        ("-10", "-5", ["above-one"]),
        ("-5", "-5", []),
        ("50", "60", ["near-number"]),
        ("60", "60", []),
        ("red and blue", "blue and red", ["same-words"]),
        ("red red", "red", ["same-words"]),
        ("the red", "Red", []),
        ("red\nblue", "red\nblue", ["unsplit-lines"]),
        ("red blue", "red\nblue", []),
        ("I don't know.", "Paris", ["refusal-is-an-answer"]),
        ("Unknown", "unknown", []),
        ("", "Paris", []),
        ("I don't know Paris", "Paris", []),
    ],
)
def test_they_appear_only_where_they_hold(answer: Any, gold: str, expected: list[str]) -> None:
    assert found(answer, gold) == expected


def test_the_paper_reads_thousands_and_lines() -> None:
    assert found("1,200", "1200", "paper") == []
    assert found("red\nblue", "red\nblue", "paper") == []


def test_every_text_has_a_condition_and_every_condition_a_text() -> None:
    entries = load_loopholes("webbench.benchmarks.assistantbench")
    assert {entry.id for entry in entries} == set(CONDITIONS)
    assert all(entry.benchmark == "assistantbench" and entry.source for entry in entries)
