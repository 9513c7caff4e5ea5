"""Predictions of TurkingBench, scored without a page: from a file of lines to averages and tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.shared import need_shared
from webbench.benchmarks import turkingbench
from webbench.benchmarks.turkingbench.scoring.offline import create
from webbench.benchmarks.turkingbench.scoring.predictions import read_prediction
from webbench.benchmarks.turkingbench.scoring.template_fields import template_fields
from webbench.core.errors import BadData, UsageError
from webbench.core.score.score import Status
from webbench.core.scoring.offline.offline_scorer import OfflineReport
from webbench.core.scoring.offline.reading import parse_predictions

TEMPLATE = """<p>${x}</p>
<input type="Radio" name="q" value="yes"><input type="radio" name="q" value="no">
<input name="t"><input type="checkbox" name="c" value="a"><input type="checkbox" name="c" value="b">
<input type="range" name="r"><input type="hidden" name="h">
<script>document.write('<select name="s"></select>')</script>"""
TABLE = """x,Answer.q,Answer.t,Answer.c,Answer.r,Answer.h,Answer.s
1,yes,a red dog,a|b,10,9,k
1,yes,a cat,a,30,9,k
2,no,a house,b,20,9,l
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "tasks" / "Pets"
    directory.mkdir(parents=True)
    (directory / "template.html").write_text(TEMPLATE)
    (directory / "batch.csv").write_text(TABLE)
    (tmp_path / "tasks" / "Empty").mkdir()
    (tmp_path / "tasks" / "Empty" / "template.html").write_text(TEMPLATE)
    (tmp_path / "tasks" / "Empty" / "batch.csv").write_text("x,Answer.q\n")
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "evaluation_tasks_easy.txt").write_text("Pets\n")
    return tmp_path


async def scored(data: Path, *rows: Any, rules: str = "published") -> OfflineReport:
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    predictions = parse_predictions(text.encode(), "p.jsonl")
    return await create(data).score(predictions, tasks=None, rules=rules, judge=None)


def pets(instance: int, **fields: Any) -> dict[str, Any]:
    return {"task": "Pets", "instance": instance, "fields": fields}


async def test_averages_and_tables_by_hand(data: Path) -> None:
    report = await scored(
        data,
        pets(0, q="yes", t="a cat", c=["b", "a"], r=40),
        pets(1, q="yes", t="a house", c="b", r=20),
    )
    assert report.problems == ()
    own_range = 1 - 20 / 40
    assert report.summary == {
        "instances": 2,
        "scored": 2,
        "fields": 8,
        "mean_of_instances": pytest.approx((1 + 3 / 4) / 2),
        "pooled_fields": pytest.approx((1 + 1 + 1 + own_range + 0 + 1 + 1 + 1) / 8),
    }
    by_type = {row["type"]: (row["fields"], row["mean"]) for row in report.groups["type"]}
    assert by_type == {
        "checkbox": (2, 1),
        "radio": (2, 0.5),
        "text": (2, 1),
        "range": (2, pytest.approx((own_range + 1) / 2)),
    }
    (task,) = report.groups["task"]
    assert (task["task"], task["radio"], task["mean_of_instances"]) == ("Pets", 0.5, pytest.approx(0.875))
    assert [row["split"] for row in report.groups["split"]] == ["test_easy"]
    paper = 1 - 20 / 30
    assert report.beside["paper"]["pooled_fields"] == pytest.approx((1 + 1 + 1 + paper + 0 + 1 + 1 + 1) / 8)


async def test_a_field_that_was_not_predicted_counts_as_left_empty(data: Path) -> None:
    (item,) = (await scored(data, pets(0, q="yes", t="a cat", r=10))).items
    assert item.score.value == pytest.approx(3 / 4)
    assert item.note == 'not predicted, so left empty: "c"'
    targets = {check.target: check for check in item.score.checks}
    assert targets["c"].value == 0
    assert not targets["h"].counted, "hidden fields are never displayed"


async def test_a_field_made_by_a_script_needs_its_type(data: Path) -> None:
    whole = {"q": "no", "t": "a house", "c": "b", "r": 20}
    report = await scored(data, pets(1, **whole, s="l"))
    assert report.items[0].score.status is Status.NOT_SCORED
    assert 'the type of "s"' in report.items[0].score.reason
    assert report.summary["scored"] == 0
    assert report.summary["mean_of_instances"] is None
    report = await scored(data, pets(1, **whole, s={"type": "select", "values": ["l"]}))
    assert report.items[0].score.value == 1
    assert report.groups["task"][0]["select"] == 1


async def test_a_range_that_counts_more_than_it_is_worth_is_told(data: Path) -> None:
    (far,) = (await scored(data, pets(0, r=40))).items
    assert [loophole.id for loophole in far.score.loopholes] == ["range-counts-one"]
    (exact,) = (await scored(data, pets(1, r=20))).items
    assert exact.score.loopholes == ()
    (paper,) = (await scored(data, pets(0, r=40), rules="paper")).items
    assert paper.score.loopholes == ()
    assert [loophole.id for loophole in paper.score.beside[0].loopholes] == ["range-counts-one"]


async def test_what_can_not_be_used_is_told_with_its_line_and_the_rest_scored(data: Path) -> None:
    report = await scored(
        data,
        "nonsense",
        {"instance": 0, "fields": {}},
        {"task": "Pets", "fields": {}},
        {"task": "Pets", "instance": True, "fields": {}},
        {"task": "Pets", "instance": 0},
        {"task": "Pest", "instance": 0, "fields": {}},
        pets(7),
        pets(0, q="yes"),
        pets(0, q="no"),
        {"task": "Pets#1", "fields": {"q": "no"}},
        {"task": "Empty", "instance": 0, "fields": {"q": "no"}},
    )
    assert [item.id for item in report.items] == ["Pets#0", "Pets#1", "Empty"]
    assert report.items[2].score.status is Status.NOT_SCORED
    told = {problem.where: problem.message for problem in report.problems}
    assert list(told) == [f"p.jsonl:{line}" for line in (1, 2, 3, 4, 5, 6, 7, 9)]
    assert all(problem.severity == "error" for problem in report.problems)
    assert '"Pets"' in told["p.jsonl:6"]
    assert "2 instances" in told["p.jsonl:7"]
    assert told["p.jsonl:9"] == "a second prediction for task Pets#0; the one at p.jsonl:8 is used"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"tt": "a cat"}, 'there is no field "tt" (did you mean "t"?)'),
        ({"q": True}, 'field "q": values are texts or numbers'),
        ({"q": {"type": "dial", "values": []}}, 'field "q": there is no type "dial"'),
        ({"q": {"type": "radio", "value": "yes"}}, 'has no "value" (did you mean "values"?)'),
        ({"q": {"a": [1]}}, 'field "q": an object of "type", "values" and "displayed" has no "a"'),
        ({"q": {"type": "radio", "values": ["yes"], "shown": True}}, 'has no "shown"'),
        ({"q": {}}, 'field "q": the object has no "values"'),
        ({"q": {"type": "radio"}}, 'field "q": the object has no "values"'),
    ],
)
async def test_an_instance_with_an_unusable_field_is_an_error_and_in_no_average(
    fields: dict[str, Any], told: str, data: Path
) -> None:
    whole = {"q": "yes", "t": "a cat", "c": ["a", "b"], "r": 10}
    report = await scored(data, pets(0, **whole | fields), pets(1, q="no", t="a house", c="b", r=20))
    (problem,) = report.problems
    assert (problem.where, problem.severity) == ("p.jsonl:1", "error")
    assert told in problem.message
    score = report.items[0].score
    assert (score.status, score.value) == (Status.ERROR, None)
    assert told in score.reason
    assert (report.summary["instances"], report.summary["scored"]) == (2, 1)
    assert report.summary["mean_of_instances"] == report.summary["pooled_fields"] == 1


async def test_null_in_an_object_is_a_field_left_empty(data: Path) -> None:
    (item,) = (await scored(data, pets(0, q={"type": "radio", "values": None}, t="a cat", r=10))).items
    assert item.score.value == pytest.approx(2 / 4), "t and r are right, q and c are empty"


async def test_no_data_and_no_such_rules(tmp_path: Path, data: Path) -> None:
    with pytest.raises(BadData, match="tasks can't be loaded"):
        await scored(tmp_path / "nothing", pets(0))
    with pytest.raises(UsageError, match="verified"):
        await scored(data, pets(0), rules="verified")


async def test_the_examples_of_the_readme_are_predictions_of_these_tasks() -> None:
    readme = Path(turkingbench.__path__[0]) / "README.md"
    examples = [line for line in readme.read_text("utf-8").splitlines() if line.startswith('{"task"')]
    report = await scored(need_shared("data", "turkingbench"), *examples)
    assert report.problems == ()
    assert [item.score.status for item in report.items] == [Status.SCORED] * len(examples)
    assert len(examples) > 1


def test_one_name_for_task_and_instance() -> None:
    assert read_prediction({"task": "a#b#12", "fields": {}}).id == "a#b#12"
    with pytest.raises(BadData, match="instance"):
        read_prediction({"task": "a#b", "fields": {}})


def test_types_come_from_the_first_element_of_a_name() -> None:
    assert template_fields(TEMPLATE) == {
        "q": "radio",
        "t": "text",
        "c": "checkbox",
        "r": "range",
        "h": "hidden",
    }
    assert template_fields('<div name="a"></div><input name="a"><TEXTAREA NAME=b><p ') == {"b": "textarea"}
