"""The recorded rows of the published evaluator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.parity.assistantbench import open_adapter
from tests.parity.reproduced import unreproduced
from tests.parity.runner import replay, rows

FUNCTIONS = (
    "question_scorer",
    "parse_answer",
    "fix_number",
    "fix_number_in_dict",
    "normalize_answer",
    "evaluate_strings",
    "evaluate_numbers",
    "evaluate_dicts",
    "drop_metrics",
    "corpus",
)


@pytest.fixture(scope="module")
def recorded(shared: Path) -> list[dict[str, Any]]:
    return list(rows(shared / "parity" / "assistantbench.jsonl"))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_recorded_row_is_reproduced(function: str, recorded: list[dict[str, Any]]) -> None:
    assert unreproduced(function, recorded, open_adapter()) == []


def test_no_recorded_function_is_left_out(recorded: list[dict[str, Any]]) -> None:
    assert {row["function"] for row in recorded} == set(FUNCTIONS)


def test_a_row_that_upstream_fails_on_tells_why(recorded: list[dict[str, Any]]) -> None:
    adapter = open_adapter()
    failing = [row for row in recorded if isinstance(row["expected"], dict) and "error" in row["expected"]]
    told = [replay(row, adapter).detail for row in failing]
    assert len(told) > 50
    assert all(len(message) > 20 for message in told)
