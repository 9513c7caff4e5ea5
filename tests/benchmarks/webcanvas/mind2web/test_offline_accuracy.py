"""Predicted steps of Mind2Web come to the figures of its published evaluation."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.shared import need_shared
from webbench.benchmarks.webcanvas.mind2web.offline_accuracy import create, figures, task_score
from webbench.benchmarks.webcanvas.mind2web.operation_match import operation_f1
from webbench.benchmarks.webcanvas.mind2web.predicted_steps import predicted_task
from webbench.core.errors import BadData
from webbench.core.score.score import Score
from webbench.core.scoring.offline.offline_scorer import OfflineReport
from webbench.core.scoring.offline.reading import parse_predictions


def row(step: int, pred: str, gt: str, *, element: bool = True, **more: Any) -> dict[str, Any]:
    (pred_op, _, pred_value), (gt_op, _, gt_value) = pred.partition(" "), gt.partition(" ")
    operations = {"pred_op": pred_op, "pred_value": pred_value, "gt_op": gt_op, "gt_value": gt_value}
    return {"task_id": "t", "step": step, "element_correct": element, **operations, **more}


def scored(*rows: dict[str, Any], rules: str = "published") -> Score:
    return task_score(predicted_task("t", rows, {}), rules)


def report(rows: Any, tasks: Path | None = None) -> OfflineReport:
    given = parse_predictions(json.dumps(rows).encode(), "p.json")
    return asyncio.run(create().score(given, tasks=tasks, rules="published", judge=None))


@pytest.mark.parametrize(
    ("predicted", "reference", "value"),
    [
        ("CLICK", "CLICK", 1),
        ("TYPE red shoes", "TYPE red shoes", 1),
        ("TYPE shoes red red", "TYPE red shoes", 1),
        ("SELECT 1", "SELECT 1 Ticket", 0.8),
        ("TYPE San Francisco", "TYPE SAN FRANCISCO", 1 / 3),
        ("CLICK", "TYPE red", 0),
        ("SELECT Adults 2", "SELECT Adults - 2", 1),
        ("TYPE a & b", "TYPE a -- b", 6 / 7),
        ("-", "CLICK", 0),
        ("", "CLICK", 0),
        ("", "", 1),
    ],
)
def test_operations_are_compared_as_sets_of_words(predicted: str, reference: str, value: float) -> None:
    assert operation_f1(predicted, reference) == pytest.approx(value)


def test_a_step_needs_its_element_and_its_operation() -> None:
    score = scored(
        row(1, "CLICK", "CLICK"),
        row(2, "CLICK", "CLICK", element=False),
        row(3, "SELECT 1", "SELECT 1 Ticket"),
    )
    assert score.value == pytest.approx(1 / 3)
    assert [check.value for check in score.checks] == [1, 0, 0]
    assert score.metrics["element_accuracy"] == pytest.approx(2 / 3)
    assert score.metrics["operation_f1"] == pytest.approx(2.8 / 3)
    assert (score.metrics["task_success"], score.metrics["task_success_1"]) == (0, 0)
    element, operation = score.checks[2].checks
    assert (element.value, operation.actual, operation.expected) == (1, "SELECT 1", "SELECT 1 Ticket")
    assert operation.normalised == ["1", "SELECT"]
    forgiven = scored(row(1, "CLICK", "CLICK"), row(2, "CLICK", "TYPE x"))
    assert (forgiven.metrics["task_success"], forgiven.metrics["task_success_1"]) == (0, 1)


def test_a_step_that_is_left_out_counts_as_wrong_under_the_published_rules_alone() -> None:
    score = scored(row(1, "CLICK", "CLICK"), row(3, "CLICK", "CLICK"))
    assert score.value == pytest.approx(2 / 3)
    assert "counts the step wrong" in score.checks[1].why
    (listed,) = score.beside
    assert (listed.rules, listed.value, listed.metrics["task_success"]) == ("listed", 1, 1)


def test_tasks_weigh_alike_in_macro_figures() -> None:
    long = [row(step, "CLICK", "CLICK", element=False) for step in (1, 2, 3)]
    short = row(1, "CLICK", "CLICK") | {"task_id": "u"}
    found = report([*long, short])
    assert found.summary["step_success_rate"] == 0.25
    assert found.summary["macro_step_success_rate"] == 0.5
    assert found.summary["task_success_rate"] == 0.5
    assert found.groups["wrong steps"] == [{"wrong steps": "0", "n": 1}, {"wrong steps": "3", "n": 1}]
    assert figures([])["step_success_rate"] is None


def test_models_of_one_file_are_told_apart() -> None:
    right, wrong = row(1, "CLICK", "CLICK"), row(1, "CLICK", "CLICK", element=False)
    marked = {"step_correct": True}
    found = report(
        [
            {"model": "one", "predictions": [right | marked, "no row"]},
            {"model": "two", "predictions": [wrong | marked]},
        ]
    )
    assert [item.id for item in found.items] == ["mind2web/t (one)", "mind2web/t (two)"]
    assert [group["step_success_rate"] for group in found.groups["model"]] == [1, 0]
    assert "neither" in found.problems[0].message
    assert "2 of 2 steps right, these rules 1; 1 differ" in found.problems[-1].message


def test_elements_are_held_against_the_candidates_of_the_records(tmp_path: Path) -> None:
    def action(uid: str, *elements: str) -> dict[str, Any]:
        candidates = [{"backend_node_id": one} for one in elements]
        return {
            "action_uid": uid,
            "operation": {"op": "TYPE", "original_op": "TYPE", "value": "red"},
            "pos_candidates": candidates,
        }

    record = {
        "annotation_id": "t",
        "website": "shop",
        "domain": "Shopping",
        "confirmed_task": "Find red shoes",
        "action_reprs": ["[textbox]  q -> TYPE: red"] * 4,
        "actions": [action("a", "7", "8"), action("b", "7"), action("c"), action("d", "9")],
    }
    file = tmp_path / "records.json"
    file.write_text(json.dumps([record]))
    said = {"annotation_id": "t", "op": "TYPE", "value": "red"}
    rows = [
        said | {"action_uid": "a", "element": "8"},
        said | {"step": 2, "element": 9},
        said | {"action_uid": "c", "element": "7"},
    ]
    found = report(rows, file)
    (item,) = found.items
    assert [check.value for check in item.score.checks] == [1, 0, 0, 0]
    assert "none of the step's elements" in item.score.checks[2].checks[0].why
    assert item.score.checks[2].checks[1].value == 0
    assert item.score.checks[3].expected == ["[textbox]  q -> TYPE: red", "TYPE red"]
    assert item.groups == {"domain": "Shopping", "website": "shop"}
    assert [one.severity for one in report(rows).problems] == ["error"]
    own = row(1, "TYPE red", "TYPE red")
    (told,) = report([own], file).items
    assert [check.value for check in told.score.checks] == [1, 0, 0, 0]
    assert '"TYPE red"' in report([own | {"gt_value": "blue"}], file).problems[0].message
    assert "no such step: 4 are all" in report([own | {"step": 5}], file).problems[0].message
    unknown = report([said | {"action_uid": "z", "element": "1"}], file)
    assert 'no action "z"' in unknown.problems[0].message
    with pytest.raises(BadData, match="no record of Mind2Web"):
        report(rows, need_shared("data", "webcanvas", "example_130.json"))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"step": 1}], "neither"),
        ([row(0, "CLICK", "CLICK")], "from 1"),
        ([row(1, "CLICK", "CLICK"), row(1, "CLICK", "CLICK")], "two predictions of step 1"),
        ([row(1, "CLICK", "CLICK") | {"element_correct": "yes"}], "neither true nor false"),
    ],
)
def test_rows_that_are_no_steps_are_told(rows: list[dict[str, Any]], told: str) -> None:
    found = report(rows)
    assert found.items == ()
    assert told in found.problems[0].message


@pytest.mark.parametrize(
    ("file", "right", "ours", "element"),
    [
        ("gpt-4.1-mini_50tasks.json", 122, 116, 153),
        ("Qwen_Qwen2.5-7B-Instruct-Turbo_50tasks.json", 47, 43, 65),
    ],
)
def test_published_predictions_come_to_their_own_figures_but_for_case(
    file: str, right: int, ours: int, element: int
) -> None:
    """Their authors compare values in lower case; Mind2Web's evaluation does not."""
    given = need_shared("data", "trajectories", "mind2web-step-predictions") / file
    rows = json.loads(given.read_text())
    found = report(rows)
    listed = found.beside["listed"]
    assert listed["steps"] == 407
    assert listed["element_accuracy"] == pytest.approx(element / 407)
    assert listed["step_success_rate"] == pytest.approx(ours / 407)
    assert f"{right} of 407 steps right, these rules {ours}" in found.problems[-1].message
    for one in rows["predictions"]:
        for name in ("pred_op", "pred_value", "gt_op", "gt_value"):
            one[name] = one[name].lower()
    assert report(rows).beside["listed"]["step_success_rate"] == pytest.approx(right / 407)
