"""Figures of one task and of many: bounds, degenerate cases, and what isn't a number."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webbench.benchmarks.webcanvas.scoring.metrics import (
    FINISHED,
    TaskResult,
    aggregate,
    completion_rate,
    efficiency,
    human_alignment_score,
    paper_efficiency,
    task_length_score,
)
from webbench.core.errors import BadData


@st.composite
def results(draw: st.DrawFn) -> TaskResult:
    possible = draw(st.integers(1, 9))
    score = draw(st.integers(0, 100 * possible)) / 100
    status = draw(st.sampled_from([FINISHED, "llm_finished", "step_limit", ""]))
    steps = draw(st.integers(1, 50))
    return TaskResult(status=status, steps=steps, score=score, possible=possible, rate=score / possible)


@settings(deadline=None)
@given(st.lists(results(), min_size=1, max_size=6))
def test_shares_lie_in_0_to_1_whatever_the_order(listed: list[TaskResult]) -> None:
    figures = aggregate(listed)
    for name, value in figures.items():
        if name.endswith("rate"):
            assert -1e-9 <= value <= 1 + 1e-9, name
    assert figures["average_efficiency_score"] >= 0
    assert aggregate(listed[::-1]) == pytest.approx(figures)
    rates = [result.rate for result in listed]
    assert min(rates) - 1e-9 <= figures["key_node_completion_rate"] <= max(rates) + 1e-9


@settings(deadline=None)
@given(results(), st.integers(1, 5))
def test_a_result_told_several_times_has_the_same_averages(result: TaskResult, times: int) -> None:
    once, again = aggregate([result]), aggregate([result] * times)
    assert again | {"task_counts": 1} == pytest.approx(once)


@settings(deadline=None)
@given(st.integers(1, 50), st.integers(1, 50))
def test_the_length_score_falls_with_the_length_and_stays_in_0_to_1(reference: int, actual: int) -> None:
    score, longer = task_length_score(reference, actual), task_length_score(reference, actual + 1)
    assert 0 < longer <= score <= 1


@settings(deadline=None)
@given(st.integers(1, 9), st.floats(0, 1), st.booleans())
def test_alignment_lies_in_0_to_1_and_a_signal_never_harms(most: int, share: float, completed: bool) -> None:
    silent, told = (human_alignment_score(share * most, most, completed, signal) for signal in (False, True))
    assert 0 <= silent <= told <= 1


@settings(deadline=None)
@given(st.integers(1, 50), st.floats(0.01, 9))
def test_both_efficiencies_agree_where_a_point_was_made(steps: int, score: float) -> None:
    assert efficiency(steps, score) == paper_efficiency(steps, score) == steps / score
    assert (efficiency(steps, 0), paper_efficiency(steps, 0)) == (0, None)


@pytest.mark.parametrize("other", [None, "5", [], {}])
def test_what_is_no_number_is_refused(other: Any) -> None:
    for call in (
        lambda: task_length_score(other, 5),
        lambda: task_length_score(5, other),
        lambda: task_length_score(5, 5, other),
        lambda: human_alignment_score(other, 5, False, True),
        lambda: human_alignment_score(1, other, False, True),
        lambda: aggregate([], other),
    ):
        with pytest.raises(BadData, match="is no number"):
            call()
    assert human_alignment_score(other, other, True, False) == 0.95
    with pytest.raises(BadData):
        completion_rate(other)
