"""The recorded rows of the published evaluators, the original and the packaged port."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.effort import SHARE, THOROUGH
from tests.parity.compare import needs_judge
from tests.parity.reproduced import unreproduced
from tests.parity.runner import Adapter, replay, rows
from tests.parity.webarena import open_adapter

PURE = (
    "clean_answer",
    "exact_match",
    "must_include",
    "string_evaluator_trajectory",
    "url_evaluator",
    "reddit_post_url",
    "required_contents",
    "parse_id_action",
    "action_equivalent",
    "extract_action",
)
IN_BROWSER = (
    "html_content_evaluator",
    "combined_evaluator",
    "html_content_evaluator_libwebarena",
    "combined_evaluator_libwebarena",
)
NOT_HERE = ("parse_playwright_action", "parse_playwright_code", "action_to_string")


@pytest.fixture(scope="module")
def recorded(shared: Path) -> list[dict[str, Any]]:
    return list(rows(shared / "parity" / "webarena.jsonl"))


@pytest.fixture(scope="module")
def adapter() -> Iterator[Adapter]:
    opened = open_adapter()
    yield opened
    opened.close()


@pytest.mark.parametrize("function", PURE)
def test_every_recorded_row_is_reproduced(
    function: str, recorded: list[dict[str, Any]], adapter: Adapter
) -> None:
    assert unreproduced(function, recorded, adapter) == []


@pytest.mark.browser
@pytest.mark.parametrize("function", IN_BROWSER)
def test_every_recorded_page_is_read_alike(
    function: str, recorded: list[dict[str, Any]], adapter: Adapter
) -> None:
    """Each of them in `make thorough`, a share of them in every run."""
    rows_of_it = [row for row in recorded if row["function"] == function]
    assert unreproduced(function, rows_of_it[:: 1 if THOROUGH else SHARE], adapter) == []


def test_answers_score_as_recorded_and_wait_for_a_judge_where_nobody_was_asked(
    recorded: list[dict[str, Any]], adapter: Adapter
) -> None:
    assert unreproduced("string_evaluator", recorded, adapter) == []
    waiting = [
        row for row in recorded if row["function"] == "string_evaluator" and needs_judge(row["expected"])
    ]
    assert len(waiting) > 30


def test_no_recorded_function_is_left_out(recorded: list[dict[str, Any]]) -> None:
    assert {row["function"] for row in recorded} == {*PURE, *IN_BROWSER, *NOT_HERE, "string_evaluator"}


def test_a_row_that_upstream_fails_on_tells_why(recorded: list[dict[str, Any]], adapter: Adapter) -> None:
    failing = [
        row
        for row in recorded
        if row["function"] in PURE and isinstance(row["expected"], dict) and "error" in row["expected"]
    ]
    told = [replay(row, adapter).detail for row in failing]
    assert len(told) > 30
    assert all(len(message) > 15 for message in told)
