"""The recorded rows of the published evaluator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.parity.reproduced import unreproduced
from tests.parity.runner import rows
from tests.parity.weblinx import open_adapter

FUNCTIONS = (
    "intent_from_string",
    "intent_match",
    "metric_applicability",
    "iou",
    "chrf",
    "chrf_action",
    "urlf",
    "exact_match",
    "turn_score",
    "future_turns",
    "parse_output",
    "format_arg_value",
    "split_by_comma",
    "sanitize_args",
    "element_by_coords",
    "infer_element",
    "validate_reference",
    "aggregate",
    "aggregate_rows",
    "end_to_end",
)


@pytest.fixture(scope="module")
def recorded(shared: Path) -> list[dict[str, Any]]:
    return list(rows(shared / "parity" / "weblinx.jsonl"))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_recorded_row_is_reproduced(function: str, recorded: list[dict[str, Any]]) -> None:
    assert unreproduced(function, recorded, open_adapter()) == []


def test_no_recorded_function_is_left_out(recorded: list[dict[str, Any]]) -> None:
    assert {row["function"] for row in recorded} == set(FUNCTIONS)
