"""Evidence that a torn or foreign record holds is told as an error; no evaluator trips over it."""

from __future__ import annotations

from typing import Any

import pytest

from webbench.core.benchmark.installed import find_benchmark
from webbench.core.score.score import Status

HALF = "\ud83d"
"""Half a character, as a page may write it into its texts; what quotes it has to survive it."""


@pytest.mark.parametrize(
    ("name", "evidence"),
    [
        ("miniwob", {"raw": HALF}),
        ("turkingbench", {"page": {}, "fields": HALF}),
        ("webcanvas", {"taken": HALF}),
        ("webcanvas", {"steps": [HALF], "taken": 0}),
        ("online-mind2web", {"screenshots": HALF}),
        ("webvoyager", {"actions": HALF}),
    ],
)
def test_half_a_character_is_told(name: str, evidence: dict[str, Any]) -> None:
    benchmark = find_benchmark(name)
    task = benchmark.tasks(instances=1)[0]
    for rules in benchmark.rule_sets:
        assert benchmark.evaluator.score(task, evidence, rules).status is not Status.SCORED
        benchmark.evaluator.questions(task, evidence, rules)
