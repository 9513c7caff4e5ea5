"""Files of results against demonstrations."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.weblinx.turns import BOXES, DEMONSTRATION, flat
from webbench.benchmarks.weblinx.scoring.offline import create
from webbench.benchmarks.weblinx.turns.files import DATA_VARIABLE
from webbench.core.errors import BadData, UsageError
from webbench.core.score.score import Status
from webbench.core.scoring.offline.offline_scorer import OfflineReport
from webbench.core.scoring.offline.reading import parse_predictions

OUTPUTS = [
    'say(speaker="navigator", utterance="What shall I look for?")',
    'load(url="https://shop.example/lamps")',
    'click(uid="button")',
    'textinput(text="desk lamp", uid="menu")',
    'click(uid="menu")',
    'click(uid="menu")',
    'hover(uid="menu")',
    "scroll(x=0, y=300)",
]


def predictions(outputs: list[Any] = OUTPUTS) -> list[dict[str, Any]]:
    return [
        {"demo_name": "shop", "turn_index": turn, "output_predicted": output}
        for turn, output in enumerate(outputs)
    ]


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "flat.json"
    path.write_text(json.dumps({"shop": DEMONSTRATION, "other": DEMONSTRATION}), "utf-8")
    return path


def score(rows: list[Any] | str, tasks: Path | None, rules: str = "published") -> OfflineReport:
    text = rows if isinstance(rows, str) else "\n".join(map(json.dumps, rows))
    file = parse_predictions(text.encode(), "results.jsonl")
    return asyncio.run(create().score(file, tasks=tasks, rules=rules, judge=None))


def test_the_published_averages_of_a_file(tasks: Path) -> None:
    report = score(predictions(), tasks)
    assert report.summary == {
        "overall": pytest.approx((1 + 1 + 1 + 0 + 0 + 0) / 6),
        "overall_conditional": pytest.approx(3 / 5),
        "intent_match": pytest.approx(5 / 6),
        "element_group": pytest.approx(1 / 4),
        "element_group_conditional": pytest.approx(1 / 3),
        "text_group": pytest.approx(3 / 4),
        "text_group_conditional": pytest.approx(1),
        "turns": 6,
        "left_out": 2,
        "errors": 0,
        "unusable": 0,
    }
    by_id = {item.id: item.score for item in report.items}
    assert "a click before a submit of the same element" in by_id["shop#4"].reason
    assert [item.id for item in report.items if item.left_out] == ["shop#4"]
    assert [item.id for item in report.items if item.left_out] == ["shop#4"]
    assert by_id["shop#4"].status is Status.NOT_SCORED
    assert [str(problem.message) for problem in report.problems] == [
        "turns of intent hover are in no published average: 1 here"
    ]


def test_the_paper_counts_other_turns(tasks: Path) -> None:
    published, paper = (score(predictions(), tasks, rules) for rules in ("published", "paper"))
    assert paper.summary["overall"] == pytest.approx(3 / 5)
    assert paper.summary["element_group"] == pytest.approx(1 / 3)
    assert paper.summary["text_group"] == pytest.approx(1)
    assert paper.summary["turns"] == 7
    shared = paper.summary.keys() - {"unusable"}
    assert {name: published.beside["paper"][name] for name in shared} == {
        name: paper.summary[name] for name in shared
    }


def test_records_stand_per_split_and_a_turn_counts_in_each(tasks: Path) -> None:
    splits = {"valid": ["shop"], "test_web": ["other"], "dev": ["shop", "other"], "train": ["third"]}
    (tasks.parent / "splits.json").write_text(json.dumps(splits), "utf-8")
    other = [row | {"demo_name": "author_other"} for row in predictions()]
    report = score(predictions() + other, tasks)
    turns = {row["split"]: row["turns"] for row in report.groups["split"]}
    assert turns == {"all": 12, "valid": 6, "test_web": 6, "dev": 12}
    records = [row for row in report.groups["record"] if row["split"] == "test_web"]
    assert [row["intent"] for row in records[:3]] == ["say", "say", "say"]
    assert records[-1] == {
        "split": "test_web",
        "intent": "text-group",
        "metric": "chrf-urlf",
        "score": pytest.approx(1),
        "unconditional_score": pytest.approx(0.75),
    }
    assert report.items[0].groups == {"split": "valid", "intent": "say"}


def test_every_line_that_can_not_be_used_is_named_and_the_rest_is_scored(tasks: Path) -> None:
    good = predictions()[0]
    lines = [
        json.dumps(good),
        "{broken",
        json.dumps(good),
        json.dumps(good | {"demo_name": "nowhere"}),
        json.dumps(good | {"turn_index": 8}),
        json.dumps(good | {"turn_index": -1}),
        json.dumps(good | {"turn_index": True}),
        json.dumps(good | {"output_predicted": None}),
        json.dumps({"turn": 1}),
        json.dumps({"demo": "shop", "turn": 1, "output": "load(url=https://shop.example/lamps)"}),
    ]
    report = score("\n".join(lines), tasks)
    told = {problem.where: problem.message for problem in report.problems if problem.severity == "error"}
    assert set(told) == {f"results.jsonl:{line}" for line in range(2, 10)}
    assert (
        "a second prediction for task shop#0; the one at results.jsonl:1 is used" in told["results.jsonl:3"]
    )
    assert 'no demonstration "nowhere"' in told["results.jsonl:4"]
    assert "has 8 turns, there is no turn 8" in told["results.jsonl:5"]
    assert "whole number from 0" in told["results.jsonl:6"]
    assert "whole number from 0" in told["results.jsonl:7"]
    assert "has to be text, it is missing" in told["results.jsonl:8"]
    assert '"demo_name" has to be the name' in told["results.jsonl:9"]
    assert report.summary["turns"] == 2
    assert report.summary["unusable"] == 8
    assert report.summary["overall"] == 1


def test_duplicates_on_one_line_of_an_array_are_told(tasks: Path) -> None:
    report = score(json.dumps([predictions()[0]] * 2), tasks)
    assert [problem.severity for problem in report.problems] == ["error"]


def test_an_unreadable_output_is_an_error_of_its_turn(tasks: Path) -> None:
    report = score(predictions(['say(utterance="²")', OUTPUTS[1]]), tasks)
    assert [item.score.status for item in report.items] == [Status.ERROR, Status.SCORED]
    assert report.summary["turns"] == 1
    assert report.summary["errors"] == 1
    assert "the score is an error: shop#0: the argument value '²'" in report.problems[0].message


def test_a_demonstration_that_can_not_be_used_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "flat.json"
    path.write_text(json.dumps({"shop": [flat("chat"), "no turn"], "bare": [flat("chat")]}), "utf-8")
    rows = [predictions()[0], predictions()[0] | {"demo_name": "bare"}]
    report = score(rows, path)
    assert [problem.where for problem in report.problems] == ["results.jsonl:1", "results.jsonl:2"]
    assert "shop: turn 1 is no object with a type" in report.problems[0].message
    assert "lacks its speaker" in report.problems[1].message
    assert report.summary["overall"] is None


def test_no_predictions_give_no_figure(tasks: Path) -> None:
    report = score([], tasks)
    assert report.summary["overall"] is None
    assert report.summary["turns"] == 0
    assert report.groups["record"] == []


def test_wrong_calls(tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    with pytest.raises(UsageError, match="no demonstrations to compare with"):
        score(predictions(), None)
    with pytest.raises(UsageError, match='no rule set "verified"'):
        score(predictions(), tasks, "verified")
    with pytest.raises(BadData, match="no such file"):
        score(predictions(), tasks.parent / "missing")
    monkeypatch.setenv(DATA_VARIABLE, str(tasks))
    assert score(predictions(), None).summary["turns"] == 6


def written_demonstration(folder: Path) -> None:
    """The usual folder: replay, pages and boxes."""
    click = {
        "type": "browser",
        "timestamp": 3.5,
        "state": {"screenshot": None, "page": "page-4-0.html"},
        "action": {
            "intent": "click",
            "arguments": {
                "metadata": {"tabId": 1},
                "properties": {"x": 20},
                "element": {"attributes": {"data-webtasks-id": "button"}, "innerHTML": "x" * 100},
            },
        },
    }
    chat = {"type": "chat", "timestamp": -1, "speaker": "instructor", "utterance": "Hello"}
    for name in ("pages", "bboxes"):
        (folder / name).mkdir(parents=True)
    (folder / "replay.json").write_text(json.dumps({"data": [chat, click]}), "utf-8")
    (folder / "pages" / "page-4-0.html").write_text(
        "<p data-webtasks-id='menu'><b data-webtasks-id=\"button\">go</b>", "utf-8"
    )
    (folder / "bboxes" / "bboxes-4.json").write_text(json.dumps(BOXES), "utf-8")


@pytest.mark.parametrize("place", ["shop", "demonstrations/shop"])
def test_a_folder_of_demonstrations(tmp_path: Path, place: str) -> None:
    written_demonstration(tmp_path / place)
    rows = predictions(['say(utterance="Hello")', "click(x=12, y=12)"])
    report = score(rows, tmp_path)
    assert [item.score.value for item in report.items] == [1, 1]
    assert score(rows[:1], tmp_path / place / "replay.json").summary["overall"] == 1
    assert score(rows, tmp_path / place).summary["overall"] == 1


def test_actions_as_text_with_the_boxes_of_candidates(tmp_path: Path) -> None:
    lines = [
        {"demo_name": "shop", "turn_index": 2, "action": 'say(speaker="instructor", utterance="Go, please")'},
        {"demo_name": "shop", "turn_index": 3, "action": "click(x=3, y=3)", "gold_uid": "menu"},
    ]
    described = {"bbox": "x=0 y=0 width=100 height=40", "xpath": "/html/body/nav"}
    candidate = {"demo_name": "shop", "turn_index": 3, "uid": "menu", "elem_dict": described}
    (tmp_path / "shop_turns.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (tmp_path / "candidates.jsonl").write_text(json.dumps(candidate) + "\n", "utf-8")
    rows = predictions(["", "", 'say(utterance="Go, please")', "click(x=90, y=30)"])[2:]
    report = score(rows, tmp_path)
    assert [item.score.value for item in report.items] == [1, 1]
    (tmp_path / "candidates.jsonl").write_text(
        json.dumps(candidate | {"elem_dict": {"bbox": "x=0"}}), "utf-8"
    )
    with pytest.raises(BadData, match=r'candidates\.jsonl:1: the box "x=0" is not'):
        score(rows, tmp_path)


def test_the_shared_demonstration_scores_its_own_actions_as_right(shared: Path) -> None:
    folder = shared / "data" / "weblinx"
    turns = [
        json.loads(line) for line in (folder / "aaabtsd_turns.derived.jsonl").read_text("utf-8").splitlines()
    ]
    rows = [
        {
            "demo_name": turn["demo_name"],
            "turn_index": turn["turn_index"],
            "output_predicted": f'click(uid="{turn["gold_uid"]}")' if turn["gold_uid"] else turn["action"],
        }
        for turn in turns
    ]
    report = score(rows, folder)
    clicks = [
        item for item in report.items if item.groups["intent"] == "click" and item.score.value is not None
    ]
    assert len(clicks) == 8, "of 9 with an element one is followed by a copy"
    assert {item.score.value for item in clicks} == {1}
    assert report.summary["text_group"] == pytest.approx(1, abs=0.01)
    assert {item.groups["split"] for item in report.items} == {"test_geo"}


def test_a_report_is_written_out_in_short(tasks: Path) -> None:
    assert repr(score(predictions(), tasks)) == "<OfflineReport of 8 items, weblinx, published>"
