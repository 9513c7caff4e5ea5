"""Rates over live scores: what is pending bounds them, what no site let in is counted apart."""

from __future__ import annotations

import pytest

from tests.benchmarks.webcanvas.scoring.test_evaluate import (
    EVALUATOR,
    FOUND,
    FRONT,
    MEANT,
    SEARCH,
    SHOP,
    evidence,
    task,
)
from webbench.benchmarks.webcanvas.scoring.aggregate import summary

FULL = EVALUATOR.score(task(SHOP), evidence({"url": FRONT}))
HALF = EVALUATOR.score(task(SHOP, SEARCH), evidence({"url": FRONT}))
OPEN = EVALUATOR.score(task(SHOP, MEANT, SEARCH), evidence({"url": FOUND + "&q=x"}))
WALLED = EVALUATOR.score(task(SHOP, SEARCH), evidence({"url": FRONT}, wall="captcha: …"))


def test_a_pending_score_bounds_the_rates_by_its_key_nodes() -> None:
    figures = summary([FULL, HALF, OPEN], "published")
    assert figures["completion_rate"] is figures["task_success_rate"] is None
    assert figures["completion_rate_scored"] == pytest.approx(2 / 3)
    assert figures["completion_rate_interval"] == pytest.approx([(2 + 2) / 6, (2 + 3) / 6])
    assert figures["task_success_rate_interval"] == pytest.approx([1 / 3, 2 / 3])


def test_what_is_not_executable_is_in_no_rate() -> None:
    figures = summary([FULL, HALF, WALLED], "published")
    assert (figures["not_executable"], figures["not_scored"], figures["scored"]) == (1, 0, 2)
    assert figures["completion_rate"] == pytest.approx(2 / 3)
    assert figures["task_success_rate"] == 1 / 2


def test_a_wall_met_after_everything_was_reached_changes_nothing() -> None:
    assert EVALUATOR.score(task(SHOP), evidence({"url": FRONT}, wall="captcha")).value == 1


def test_nothing_has_no_rates() -> None:
    figures = summary([WALLED], "paper")
    assert figures["completion_rate"] is figures["completion_rate_interval"] is None
