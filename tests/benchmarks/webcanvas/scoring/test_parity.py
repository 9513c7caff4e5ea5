"""The recorded rows of the published evaluator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.parity.runner import Adapter, Result, rows, run_row
from tests.parity.webcanvas import NOT_NEEDED, WebCanvasAdapter
from webbench.benchmarks.webcanvas.scoring import progress
from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.benchmarks.webcanvas.scoring.matched_key_node import Match
from webbench.core.score.score import Status
from webbench.core.task import Task

FEWEST = {
    "url_exact_match": 36,
    "url_include_match": 71,
    "url_semantic_match": 3,
    "semantic_match": 20,
    "element_path_exact_match": 64,
    "element_value_exact_match": 27,
    "element_value_include_match": 27,
    "element_value_semantic_match": 2,
    "text_exact_match": 7,
    "text_include_match": 7,
    "get_netloc": 18,
    "element_value": 10,
    "step_evaluate": 53,
    "read_task": 22,
    "task_length_score": 13,
    "finish_task_score": 5,
    "score_rate": 8,
    "completion_rate": 3,
    "aggregate": 16,
    "human_alignment_score": 13,
}
"""Rows of each function that have to pass: a row that is skipped by mistake fails here."""


@pytest.fixture(scope="module")
def results(shared: Path) -> list[Result]:
    adapters: dict[str, Adapter | None] = {"webcanvas": WebCanvasAdapter()}
    return [run_row(row, adapters) for row in rows(shared / "parity" / "webcanvas.jsonl")]


@pytest.mark.parametrize("function", FEWEST)
def test_every_recorded_row_is_reproduced(function: str, results: list[Result]) -> None:
    found = [result for result in results if result.function == function]
    assert [(result.id, result.detail) for result in found if result.outcome == "failed"] == []
    assert sum(result.outcome == "passed" for result in found) >= FEWEST[function]


def test_only_functions_that_are_not_needed_are_left_out(results: list[Result]) -> None:
    left_out: set[Any] = {result.function for result in results if result.outcome == "skipped"}
    assert left_out == set(NOT_NEEDED)
    assert {result.function for result in results} == set(FEWEST) | set(NOT_NEEDED)


def test_the_rows_hold_the_code_that_the_evaluator_scores_with(monkeypatch: pytest.MonkeyPatch) -> None:
    node = {"match_function": "url_exactly_match", "key": "", "reference_answer": "a"}
    tested, events = Task(benchmark="webcanvas", name="1", gold={"key_nodes": [node]}), [{"url": "a"}]

    def found() -> tuple[float | None, float]:
        rows = WebCanvasAdapter().run("step_evaluate", {"steps": [node], "events": events})
        return WebCanvasEvaluator().score(tested, {"steps": events}).value, rows[0]["total"]

    assert found() == (1, 1)
    monkeypatch.setattr(progress, "match", lambda *_: Match(0.25, None, None, "broken"))
    assert found() == (0.25, 0.25)


def test_no_key_nodes_are_a_total_of_0_in_the_rows_and_no_score_of_a_task() -> None:
    rows = WebCanvasAdapter().run("step_evaluate", {"steps": [], "events": [{"url": "a"}]})
    assert rows == [{"scores": [], "matched": [], "total": 0}]
    score = WebCanvasEvaluator().score(
        Task(benchmark="webcanvas", name="1", gold={"key_nodes": []}), {"steps": []}
    )
    assert (score.status, score.value) == (Status.ERROR, None)
    assert "no key nodes" in score.reason


def test_a_row_may_name_a_value_that_another_row_of_its_file_holds(tmp_path: Path) -> None:
    lines = [
        {"id": "elsewhere-f-1", "function": "f", "input": {"html": "@page", "name": "@x"}, "expected": 1},
        {"id": "elsewhere-page-0", "function": "@page", "input": {}, "expected": "<p>"},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert [row["input"] for row in rows(path)] == [{"html": "<p>", "name": "@x"}]
