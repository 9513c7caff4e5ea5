"""Files of answers and of tasks: what is scored, what is reported, and where."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from webbench.benchmarks.assistantbench.scoring.offline import create
from webbench.benchmarks.assistantbench.tasks import DATA_VARIABLE, load_tasks
from webbench.core.errors import BadData, UsageError
from webbench.core.score.score import Status
from webbench.core.scoring.offline.offline_scorer import OfflineReport
from webbench.core.scoring.offline.reading import parse_predictions, read_predictions

TASKS = [
    {"id": "t1", "set": "dev", "task": "How many?", "answer": "60", "difficulty": "Hard"},
    {"id": "t2", "set": "dev", "task": "Which?", "answer": "red\nblue", "difficulty": "Medium"},
    {"id": "t3", "set": "test", "task": "Who?", "answer": None, "difficulty": "Hard"},
]


@pytest.fixture
def task_file(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(map(json.dumps, TASKS)))
    return path


def report(lines: list[Any], tasks: Path | None, rules: str = "published") -> OfflineReport:
    """Of lines that are objects, or text as it stands."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    predictions = parse_predictions(text.encode(), "answers.jsonl")
    return asyncio.run(create(None).score(predictions, tasks=tasks, rules=rules, judge=None))


def told(found: OfflineReport) -> list[tuple[str, str, str]]:
    return [(problem.where, problem.severity, problem.message) for problem in found.problems]


def test_figures_groups_and_items(task_file: Path) -> None:
    found = report([{"id": "t1", "answer": "30"}, {"id": "t2", "answer": ["blue", "red"]}], task_file)
    assert list(found.summary)[:5] == ["accuracy", "answer_rate", "precision", "exact_match", "n"]
    assert found.summary["accuracy"] == pytest.approx((0.306853 + 1) / 2, abs=1e-6)
    assert found.summary["exact_match"] == 0.5
    assert found.beside["paper"]["accuracy"] == pytest.approx((0.698970 + 1) / 2, abs=1e-6)
    assert [row["difficulty"] for row in found.groups["difficulty"]] == ["Hard", "Medium"]
    assert found.groups["set"][0]["n"] == 2
    assert [(item.id, item.note) for item in found.items] == [("t1", ""), ("t2", "")]
    assert found.summary["without_prediction"] == 1
    assert told(found)[-1][2] == "1 of 3 tasks have no prediction and are in no figure"


def test_abstaining_lowers_the_answer_rate_and_not_the_precision(task_file: Path) -> None:
    found = report([{"id": "t1", "answer": "60"}, {"id": "t2", "answer": ""}], task_file)
    assert {name: found.summary[name] for name in ("accuracy", "answer_rate", "precision")} == {
        "accuracy": 0.5,
        "answer_rate": 0.5,
        "precision": 1.0,
    }
    assert report([{"id": "t2", "answer": ""}], task_file).summary["precision"] is None


def test_the_predictions_own_gold_answer_is_used_where_the_task_file_has_none(task_file: Path) -> None:
    lines = [
        {"id": "new", "answer": "5", "gold_answer": "5"},
        {"id": "t3", "answer": "Ada", "gold_answer": "Ada"},
        {"id": "t1", "answer": "60", "gold_answer": "61"},
    ]
    found = report(lines, task_file)
    assert [item.score.value for item in found.items] == [1.0, 1.0, 1.0]
    assert [item.note.partition(":")[0] for item in found.items] == [
        "gold answer taken from the prediction"
    ] * 2 + [""]
    assert found.items[0].groups == {"difficulty": "not in the task file", "set": "not in the task file"}
    assert (
        "answers.jsonl:3",
        "warning",
        'its "gold_answer" differs from the task file\'s, which counts',
    ) in told(found)


def test_hidden_gold_answers_are_not_scored_and_in_no_figure(task_file: Path) -> None:
    found = report([{"id": "t3", "answer": "Ada"}, {"id": "t1", "answer": "60"}], task_file)
    assert found.items[0].score.status is Status.NOT_SCORED
    assert (found.summary["n"], found.summary["not_scored"], found.summary["accuracy"]) == (1, 1, 1.0)


def test_an_answer_that_the_rules_fail_on_is_counted_as_an_error(task_file: Path) -> None:
    found = report([{"id": "t1", "answer": None}, {"id": "t2", "answer": ["red", "blue"]}], task_file)
    assert found.items[0].score.status is Status.ERROR
    assert (found.summary["n"], found.summary["errors"]) == (1, 1)
    assert found.beside["paper"]["n"] == 2
    assert told(found)[0][:2] == ("answers.jsonl:1", "warning")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"answer": "60"}, "no id"),
        ({"id": 7, "answer": "60"}, "the id is a number and no text"),
        ({"id": "t1"}, 'has no "answer"'),
        (
            {"id": "t2", "answer": "again"},
            "a second prediction for task t2; the one at answers.jsonl:1 is used",
        ),
        ({"id": "nowhere", "answer": "60"}, 'no task has the id "nowhere"'),
        ({"id": "nowhere", "answer": "60", "gold_answer": 60}, "the gold answer is a number"),
        ('{"id": "t1", "answer": ', "broken JSON"),
        ('["t1", "60"]', "a list in place of an object"),
    ],
)
def test_a_bad_line_is_told_with_its_place_and_the_rest_is_scored(
    line: Any, message: str, task_file: Path
) -> None:
    found = report([{"id": "t2", "answer": "red"}, line, {"id": "t3", "answer": "x"}], task_file)
    assert [item.id for item in found.items] == ["t2", "t3"]
    errors = [entry for entry in told(found) if entry[1] == "error"]
    assert [where for where, _, _ in errors] == ["answers.jsonl:2"]
    assert message in errors[0][2]
    assert found.summary["unusable"] == 1


def test_a_byte_order_mark_is_no_obstacle_and_an_empty_file_is_told(task_file: Path) -> None:
    assert report(['\ufeff{"id": "t1", "answer": "60"}'], task_file).summary["n"] == 1
    empty = report([""], task_file)
    assert (empty.summary["n"], empty.summary["accuracy"]) == (0, None)
    assert told(empty)[0] == ("answers.jsonl", "error", "the file is empty")


def test_without_a_task_file_only_own_gold_answers_count() -> None:
    found = report([{"id": "a", "answer": "5", "gold_answer": "5"}, {"id": "b", "answer": "5"}], None)
    assert [item.id for item in found.items] == ["a"]
    assert [severity for _, severity, _ in told(found)] == ["note", "error"]


def test_unknown_rules_are_a_wrong_call(task_file: Path) -> None:
    with pytest.raises(UsageError, match="strict"):
        report([], task_file, "strict")


def test_the_environment_names_the_tasks(task_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(task_file))
    assert report([{"id": "t1", "answer": "60"}], None).summary["n"] == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"task": "?", "answer": "1"}', "no id"),
        ('{"id": "t1", "answer": "1"}', 'a second task with the id "t1"'),
        ('{"id": "x", "task": "?"}', 'no "answer"'),
        ('{"id": "x", "answer": 60}', "the gold answer is a number"),
        ('{"id": "x", ', "broken JSON"),
    ],
)
def test_a_bad_task_is_told_with_its_place_and_the_rest_loads(
    line: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join([json.dumps(TASKS[0]), line, json.dumps(TASKS[1])]))
    loaded = load_tasks(path)
    assert [task.name for task in loaded.tasks] == ["t1", "t2"]
    assert [(problem.where, problem.severity) for problem in loaded.problems] == [("tasks.jsonl:2", "error")]
    assert message in loaded.problems[0].message


def test_a_folder_of_task_files_loads_and_odd_fields_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(json.dumps(TASKS[0] | {"difficulty": 3}))
    (tmp_path / "two.json").write_text(json.dumps([{"id": "t9", "answer": "x"}], indent=1))
    loaded = load_tasks(tmp_path)
    assert [(task.name, task.kind, task.split) for task in loaded.tasks] == [
        ("t1", "", "dev"),
        ("t9", "", ""),
    ]
    assert [problem.where for problem in loaded.problems] == ["one.jsonl:1", "two.json:2"]


def test_tasks_that_cannot_be_used_at_all_are_bad_data(tmp_path: Path) -> None:
    for content in (b"", b"\x00\x01", b"{}"):
        path = tmp_path / "tasks.jsonl"
        path.write_bytes(content)
        with pytest.raises(BadData, match=r"tasks\.jsonl"):
            load_tasks(path)
    for missing in (tmp_path / "none.jsonl", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(BadData):
            load_tasks(missing)


@pytest.mark.parametrize("with_file", [True, False])
def test_the_recorded_predictions_give_their_recorded_scores(shared: Path, with_file: bool) -> None:
    folder = shared / "data" / "assistantbench"
    path = folder / "predictions" / "fallback_gpt4_seeplanact_predictions.jsonl"
    tasks = folder / "assistant_bench_v1.0_dev.rebuilt.jsonl" if with_file else None
    found = asyncio.run(
        create(None).score(read_predictions(str(path)), tasks=tasks, rules="published", judge=None)
    )
    recorded = [json.loads(line) for line in path.read_text().splitlines()]
    assert [item.id for item in found.items] == [row["id"] for row in recorded]
    for item, row in zip(found.items, recorded, strict=True):
        assert item.score.value == pytest.approx(row["score"], abs=1e-9)
        assert item.score.metrics["answered"] == row["has_ans"]
    mean = sum(row["score"] for row in recorded) / len(recorded)
    assert found.summary["accuracy"] == pytest.approx(mean)
    assert sum(bool(item.note) for item in found.items) == (1 if with_file else len(recorded))
