"""Scoring files of the framework's results, and of recorded steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from webbench.benchmarks.webcanvas.scoring.offline import create
from webbench.benchmarks.webcanvas.tasks import load_tasks
from webbench.core.errors import BadData, UsageError
from webbench.core.judge import Question, Reply
from webbench.core.score.score import Status
from webbench.core.scoring.offline.offline_scorer import OfflineReport
from webbench.core.scoring.offline.reading import parse_predictions, read_predictions

FRONT = "https://www.shop.example/"


def node(reference: str, score: float) -> dict[str, Any]:
    return {"match_function": "url_included_match", "key": "", "reference_answer": reference, "score": score}


def result(
    name: str, status: str, steps: list[tuple[str, str]], nodes: list[dict[str, Any]]
) -> dict[str, Any]:
    """`steps` are (score, address afterwards)."""
    listed = [
        {"step_index": at, "score": score, "step_url": url, "selector": None, "element_value": ""}
        for at, (score, url) in enumerate(steps)
    ]
    return {"task_name": name, "id": 1, "status": status, "step_list": listed, "evaluate_steps": nodes}


FULL = result("full", "finished", [("0 / 1", FRONT), ("1 / 1", FRONT)], [node("shop.", 1)])
HALF = result(
    "half", "llm_finished", [("0 / 2", FRONT), ("1 / 2", FRONT)], [node("shop.", 1), node("cart", 0)]
)
NONE = result("none", "step_limit", [("0 / 1", FRONT)], [node("cart", 0)])


async def scored(
    *records: dict[str, Any], rules: str = "published", tasks: Path | None = None, judge: Any = None
) -> OfflineReport:
    content = "\n".join(map(json.dumps, records)).encode()
    file = parse_predictions(content, "results.jsonl")
    return await create().score(file, tasks=tasks, rules=rules, judge=judge)


async def test_figures_of_several_results_under_both_rule_sets() -> None:
    report = await scored(FULL, HALF, NONE)
    settled = {name: figure for name, figure in report.summary.items() if not name.endswith("_interval")}
    assert settled == pytest.approx(
        {
            "completion_rate": 2 / 4,
            "completion_rate_scored": 2 / 4,
            "task_success_rate": 1 / 3,
            "task_success_rate_scored": 1 / 3,
            "efficiency_score": (2 + 2 + 0) / 3,
            "human_alignment_score": (0.95 + 0.5 + 0) / 3,
            "average_step_score_rate": 1.5 / 3,
            "near_success_rate": 2 / 3,
            "tasks": 3,
            "scored": 3,
            "pending": 0,
            "not_scored": 0,
            "not_executable": 0,
        }
    )
    assert report.beside["paper"]["efficiency_score"] == 2
    assert [item.score.value for item in report.items] == [1, 0.5, 0]
    assert report.problems == ()
    assert {row["status"]: row["n"] for row in report.groups["status"]} == {
        "finished": 1,
        "llm_finished": 1,
        "step_limit": 1,
    }


async def test_a_status_that_says_more_than_the_score_shows_both() -> None:
    early = result("early", "finished", [("0 / 1", FRONT)], [node("cart", 0)])
    report = await scored(early)
    assert report.summary["task_success_rate"] == 1
    assert report.beside["paper"]["task_success_rate"] == 0


async def test_lines_that_cannot_be_used_are_named_and_the_rest_is_scored() -> None:
    report = await scored(
        {"task_name": "no steps"},
        FULL | {"status": 3},
        FULL | {"step_list": []},
        FULL | {"step_list": [{"step_index": 0, "score": "x / 1", "step_url": FRONT}]},
        FULL,
        FULL,
    )
    errors = [(problem.where, problem.message) for problem in report.problems if problem.severity == "error"]
    assert [where for where, _ in errors] == [f"results.jsonl:{line}" for line in (1, 2, 3, 4, 6)]
    assert 'no text "status"' in errors[1][1]
    assert "a second prediction for task" in errors[4][1]
    assert report.summary["tasks"] == 1
    assert report.summary["completion_rate"] == 1


async def test_nothing_usable_has_no_figures() -> None:
    report = await scored({"task_name": "x"})
    assert report.summary["completion_rate"] is None
    assert report.summary["human_alignment_score"] is None


async def test_contradictions_inside_a_result_are_told() -> None:
    wrong_sum = FULL | {"task_name": "sum", "evaluate_steps": [node("shop.", 0)]}
    wrong_steps = FULL | {"task_name": "steps", "evaluate_steps": [node("elsewhere", 1)]}
    report = await scored(wrong_sum, wrong_steps)
    told = [problem.message for problem in report.problems]
    assert told[0] == "the last step says 1 points, its key nodes 0, which are used"
    assert "comes out differently" in told[1]
    assert all(problem.severity == "warning" for problem in report.problems)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"evaluate_steps": [node("shop.", 7)]}, "the score 7, which is not within 0 and 1"),
        ({"evaluate_steps": [node("shop.", -0.5)]}, "the score -0.5"),
        ({"step_list": [{"step_index": -5, "score": "1 / 1"}]}, "-5, and counting begins at 0"),
        ({"step_list": [{"step_index": 0, "score": "-1 / 3"}]}, "'-1 / 3' of its last step is no share"),
        ({"step_list": [{"step_index": 0, "score": "2 / 1"}]}, "'2 / 1'"),
        ({"step_list": [{"step_index": 0, "score": "0 / 0"}]}, "'0 / 0'"),
        ({"step_list": [{"step_index": 0, "score": "0 / -2"}]}, "'0 / -2'"),
        ({"step_list": [{"step_index": 0, "score": "nan / 2"}]}, "'nan / 2'"),
        ({"step_list": [{"step_index": 0, "score": "1 / inf"}]}, "'1 / inf'"),
    ],
)
async def test_figures_that_no_episode_can_come_to_are_an_error(change: dict[str, Any], told: str) -> None:
    report = await scored(FULL | change)
    assert report.items == ()
    (problem,) = report.problems
    assert (problem.where, problem.severity) == ("results.jsonl:1", "error")
    assert told in problem.message


async def test_headline_and_items_agree_where_a_result_contradicts_itself() -> None:
    steps = [{"step_index": 4, "score": "2 / 2", "step_url": FRONT}]
    report = await scored(FULL | {"step_list": steps, "evaluate_steps": [node("shop.", 0.5)]})
    (item,) = report.items
    assert (
        item.score.value
        == report.summary["completion_rate"]
        == report.summary["average_step_score_rate"]
        == 0.5
    )
    assert item.score.metrics["efficiency"] == report.summary["efficiency_score"] == 5 / 0.5
    late = await scored(FULL | {"step_list": [{"step_index": 4, "score": "1 / 1", "step_url": FRONT}]})
    assert late.problems[0].message == "the last step has number 5, which is used; the file lists 1 steps"


async def test_what_the_published_code_fails_on_is_no_number_and_is_told(tmp_path: Path) -> None:
    text = {"match_function_name": "final_answer_semantic_match", "content": {"reference_answer": "Paris"}}
    tasks = tmp_path / "tasks.json"
    tasks.write_text(json.dumps([{"index": 1, "task": "Capital", "evaluation": [text]}]))
    report = await scored({"id": "1", "steps": [{"url": FRONT, "text": "Paris"}]}, tasks=tasks)
    assert (report.items[0].score.status, report.summary["not_scored"]) == (Status.ERROR, 1)
    assert report.summary["completion_rate"] is None
    assert "never waits" in report.problems[-1].message
    assert report.beside["paper"]["pending"] == 1


class Yes:
    name = "yes"

    async def ask(self, question: Question) -> Reply:
        return Reply(text=f"VERDICT: {question.verdicts[-1]}", judge=self.name)


def task_file(folder: Path) -> Path:
    meant = {"match_function_name": "url_semantic_match"}
    content = {"key": "q", "reference_answer": "decide if these are shoes", "url": FRONT}
    tasks = [
        {
            "index": 5,
            "task": "Shoes",
            "reference_task_length": 2,
            "evaluation": [meant | {"content": content}],
        }
    ]
    path = folder / "tasks.json"
    path.write_text(json.dumps(tasks))
    return path


async def test_recorded_steps_are_scored_against_the_tasks(tmp_path: Path) -> None:
    steps = {"id": "5", "steps": [{"url": FRONT + "?q=boots"}]}
    tasks = task_file(tmp_path)
    pending = await scored(steps, tasks=tasks)
    assert pending.items[0].score.status is Status.PENDING
    assert pending.summary["pending"] == 1
    assert pending.summary["completion_rate"] is None
    assert pending.summary["completion_rate_interval"] == pending.summary["task_success_rate_interval"]
    assert pending.summary["completion_rate_interval"] == [0, 1]
    judged = await scored(steps, tasks=tasks, judge=Yes())
    assert judged.summary["completion_rate"] == 1
    again = await scored(steps | {"replies": judged.items[0].replies}, tasks=tasks)
    assert again.summary == judged.summary
    assert again.items == judged.items
    unknown = await scored({"id": "6", "steps": []}, tasks=tasks)
    assert unknown.problems[-1].message == 'the task file holds no task "6"'
    without = await scored(steps)
    assert "no tasks are given" in without.problems[0].message


async def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="no rule set"):
        await scored(FULL, rules="both")
    with pytest.raises(BadData, match="can't be read"):
        await scored(FULL, tasks=Path("/nowhere/at/all.json"))


def test_task_files_are_loaded_with_their_dirt(tmp_path: Path) -> None:
    good = json.loads(task_file(tmp_path).read_text())[0]
    cut = {
        "match_function_name": "url_exactly_match",
        "content": {"key": "", "reference_answer": "a ", "url": "a"},
    }
    odd = {"match_function_name": "url_guessed", "content": {"reference_answer": "x"}}
    files = [good, good | {"evaluation": [cut, odd]}, {"task": "no index"}, good | {"evaluation": [{}]}, 7]
    (tmp_path / "tasks.json").write_text("\ufeff[" + ",\n".join(map(json.dumps, files)) + "]")
    loaded = load_tasks(tmp_path)
    assert [task.name for task in loaded.tasks] == ["5", "5"]
    assert loaded.tasks[0].site == "www.shop.example"
    told = {(problem.where, problem.severity): problem.message for problem in loaded.problems}
    assert ("tasks.json:3", "error") in told
    assert ("tasks.json:4", "error") in told
    assert ("tasks.json:5", "error") in told
    messages = " ".join(problem.message for problem in loaded.problems)
    for part in ("doesn't forgive", '"url_guessed" is unknown', "its own annotation", "2 tasks have it"):
        assert part in messages


def test_the_shared_tasks_load(shared: Path) -> None:
    loaded = load_tasks(shared / "data" / "webcanvas")
    assert len(loaded.tasks) == 104 + 130
    assert sum(len(task.gold["key_nodes"]) for task in loaded.tasks) == 443 + 588
    assert [problem for problem in loaded.problems if problem.severity == "error"] == []


async def test_the_shared_result_gives_what_the_framework_recorded(shared: Path) -> None:
    (path,) = (shared / "data" / "trajectories" / "webcanvas-result").glob("*.json")
    tasks = shared / "data" / "webcanvas"
    report = await create().score(read_predictions(str(path)), tasks=tasks, rules="published", judge=None)
    assert report.summary["completion_rate"] == report.summary["task_success_rate"] == 1
    assert report.summary["efficiency_score"] == pytest.approx(4 / 3)
    assert report.items[0].groups == {"site": "www.flightaware.com", "status": "finished"}
    assert [problem for problem in report.problems if problem.severity != "note"] == []
    recomputed = [check.checks[-1].target for check in report.items[0].score.checks[:3]]
    assert recomputed == ["step 2", "step 3", "step 4"]
