"""Files of predictions: success rates, what could not be scored and why, and unusable lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.webarena.judged import Saying, Unprompted, answers, pages
from tests.benchmarks.webarena.test_tasks import entry
from webbench.benchmarks.common.offline import Prediction, judged_scores
from webbench.benchmarks.webarena.scoring.evaluate import WebArenaEvaluator
from webbench.benchmarks.webarena.scoring.offline import create
from webbench.benchmarks.webarena.tasks import load_tasks
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.judge import Judge, Question
from webbench.core.score.score import Status
from webbench.core.scoring.offline.offline_scorer import OfflineReport
from webbench.core.scoring.offline.reading import parse_predictions
from webbench.core.task import Task

URL = {"eval_types": ["url_match"], "reference_url": "__SHOPPING__/mugs"}
TASKS = [
    entry(1, eval=answers({"exact_match": "mug"}), intent_template_id=1),
    entry(2, eval=answers({"must_include": ["cup"]}), intent_template_id=1),
    entry(3, eval=answers({"fuzzy_match": "N/A"}, string_note="no cups"), intent_template_id=2),
    entry(4, eval=URL, intent_template_id=3, sites=["shopping", "reddit"]),
    entry(5, eval=pages({"exact_match": "mug"}), intent_template_id=3, sites=["reddit", "shopping"]),
]


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(TASKS))
    return path


async def report(
    tasks: Path, *lines: Any, judge: Judge | None = None, rules: str = "published"
) -> OfflineReport:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    predictions = parse_predictions(text.encode(), "answers.jsonl")
    return await create().score(predictions, tasks=tasks, rules=rules, judge=judge)


async def test_success_rates_with_their_counts(tasks: Path) -> None:
    found = await report(
        tasks,
        {"task_id": 1, "answer": "Mug"},
        {"id": "webarena.2", "answer": "none"},
        {"task_id": "3", "answer": "N/A"},
        {"task_id": 4, "final_url": "http://s.example/mugs", "sites": {"__SHOPPING__": "http://s.example"}},
        {"task_id": 5, "pages": ["mug"]},
    )
    summary = found.summary
    assert summary["success_rate"] == 0.8
    assert (summary["success_rate_achievable"], summary["success_rate_unachievable"]) == (0.75, 1.0)
    assert summary["macro_average"] == pytest.approx((0.5 + 1 + 1) / 3)
    assert summary["success_rate_interval"] == [0.8, 0.8]
    assert found.beside["paper"]["success_rate"] == 0.6
    assert [(row["site"], row["n"]) for row in found.groups["site"]] == [
        ("shopping", 3),
        ("reddit shopping", 2),
    ]
    assert [row["success_rate"] for row in found.groups["template"]] == [0.5, 1.0, 1.0]
    assert found.problems == ()


async def test_what_is_not_recorded_is_counted_by_reason_and_never_a_zero(tasks: Path) -> None:
    found = await report(
        tasks, {"task_id": 1}, {"task_id": 2}, {"task_id": 4, "url": "http://s.example/mugs"}
    )
    assert found.summary["success_rate"] is None
    assert found.summary["not_scored"] == 3
    assert [(row["state"], row["n"]) for row in found.groups["reason"]] == [
        ("not_scored", 2),
        ("not_scored", 1),
    ]
    assert "sites.webarena.SHOPPING" in found.groups["reason"][1]["reason"]
    assert found.summary["tasks_without_prediction"] == 2
    assert {item.score.status for item in found.items} == {Status.NOT_SCORED}


async def test_sites_can_be_named_by_environment_variables(
    tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_SITES_WEBARENA_SHOPPING", "http://s.example/")
    found = await report(tasks, {"task_id": 4, "url": "http://s.example/mugs"})
    assert found.summary["success_rate"] == 1


async def test_a_judge_settles_what_is_pending(tasks: Path) -> None:
    lines = {"task_id": 3, "answer": "there are no cups"}, {"task_id": 1, "answer": "mug"}
    waiting = await report(tasks, *lines)
    assert (waiting.summary["success_rate"], waiting.summary["pending"]) == (None, 1)
    assert waiting.summary["macro_average"] is waiting.summary["success_rate_unachievable"] is None
    assert waiting.summary["success_rate_scored"] == 1
    assert waiting.summary["success_rate_interval"] == [0.5, 1.0]
    judge = Saying("It does.\nVERDICT: different")
    settled = await report(tasks, *lines, judge=judge)
    assert (settled.summary["success_rate"], settled.summary["pending"]) == (0.5, 0)
    assert len(judge.questions) == 1
    assert [list(item.replies) for item in settled.items] == [[judge.questions[0].key], []]
    again = await report(tasks, lines[0] | {"replies": settled.items[0].replies}, lines[1])
    assert again == settled


async def test_a_judge_that_can_not_be_asked_is_an_error_of_that_line_alone(tasks: Path) -> None:
    lines = {"task_id": 3, "answer": "there are no cups"}, {"task_id": 1, "answer": "mug"}
    found = await report(tasks, *lines, judge=Unprompted())
    assert [item.score.status for item in found.items] == [Status.ERROR, Status.SCORED]
    reason = found.items[0].score.reason
    assert reason.startswith("the judge can't be asked: there is no readable prompt for \"webarena/")
    assert found.items[0].score.value is None
    assert {one.status for one in found.items[0].score.beside} == {Status.ERROR}
    assert (found.summary["n"], found.summary["success_rate"], found.summary["errors"]) == (2, 1.0, 1)
    assert [(problem.where, reason in problem.message) for problem in found.problems] == [
        ("answers.jsonl:1", True)
    ]


async def test_bad_data_of_an_evaluator_is_not_laid_upon_the_judge(tasks: Path) -> None:
    class Confused(WebArenaEvaluator):
        def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
            raise BadData(f"{task.id} asks nothing that can be answered")

    one = Prediction(key="1", task=load_tasks(tasks).tasks[0], evidence={"answer": "mug"})
    with pytest.raises(BadData, match="asks nothing"):
        await judged_scores(Confused(), [one], "published", Saying("VERDICT: same"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"answer": "a"}, "no task_id"),
        ({"task_id": 99, "answer": "a"}, "no task 99"),
        ({"task_id": "one"}, "no task number but 'one'"),
        ({"task_id": True}, "no task number but True"),
        ({"task_id": 1, "answer": 5}, '"answer" is no text but 5'),
        ({"task_id": 4, "url": ["a"]}, '"url" is no text'),
        ({"task_id": 5, "pages": "mug"}, '"pages" is no list'),
        ({"task_id": 5, "pages": [7]}, "page 1 is neither a text"),
        ({"task_id": 2, "answer": "b"}, "a second prediction for task 2; the one at answers.jsonl:1 is used"),
        ('{"task_id": 1, ', "broken JSON"),
        ("[]", "list in place of an object"),
    ],
)
async def test_an_unusable_line_is_named_and_the_rest_scored(tasks: Path, line: Any, told: str) -> None:
    found = await report(tasks, {"task_id": 2, "answer": "a cup"}, line)
    assert [(p.where, p.severity) for p in found.problems] == [("answers.jsonl:2", "error")]
    assert told in found.problems[0].message
    assert (found.summary["success_rate"], found.summary["n"]) == (1.0, 1)


async def test_an_error_is_told_with_its_line(tasks: Path) -> None:
    found = await report(tasks, {"task_id": 5, "pages": []})
    assert found.summary["errors"] == 1
    assert found.problems[0].message.startswith("the score is an error: ")
    assert "no list of 1" in found.problems[0].message
    assert found.problems[0].where == "answers.jsonl:1"


async def test_what_is_odd_about_a_task_is_told_where_it_is_predicted(tasks: Path) -> None:
    odd = entry(6, eval=answers({"must_include": ["65 |OR| 3"]}))
    tasks.write_text(json.dumps([*TASKS, odd]))
    assert (await report(tasks, {"task_id": 1, "answer": "mug"})).problems == ()
    told = (await report(tasks, {"task_id": 6, "answer": "65"})).problems
    assert [(problem.severity, "as it is written" in problem.message) for problem in told] == [
        ("warning", True)
    ]


async def test_unknown_rules_and_missing_tasks_are_refused(tasks: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no rule set"):
        await report(tasks, {"task_id": 1}, rules="made up")
    with pytest.raises(BadData):
        await report(tmp_path / "nowhere.json", {"task_id": 1})


async def test_the_verified_edition_scores_responses_and_network_logs(shared: Path) -> None:
    logs = shared / "data" / "trajectories" / "webarena-verified-logs"
    lines = []
    for name in ("107", "108"):
        response = json.loads((logs / name / "agent_response.json").read_text())
        lines.append({"task_id": int(name), "response": response, "har": f"{name}/network.har"})
    text = "\n".join(map(json.dumps, [*lines, {"task_id": 109}, {"task_id": 110, "har": "nowhere.har"}]))
    predictions = parse_predictions(text.encode(), str(logs / "answers.jsonl"))
    tasks = shared / "data" / "webarena" / "verified"
    found = await create().score(predictions, tasks=tasks, rules="verified", judge=None)
    assert [item.score.value for item in found.items] == [0.0, 1.0, None]
    assert (found.summary["scored"], found.summary["not_scored"]) == (2, 1)
    assert found.beside == {}
    assert len(found.problems) == 1
    assert "nowhere.har" in found.problems[0].message


async def test_the_gold_of_every_published_task_scores_1(shared: Path) -> None:
    folder = shared / "data" / "webarena"
    lines = [gold_prediction(task.name, task.gold) for task in load_tasks(folder).tasks]
    judge = Saying("VERDICT: correct")
    found = await report(folder, *lines, judge=judge)
    assert found.summary["success_rate"] == found.summary["macro_average"] == 1
    assert (found.summary["scored"], found.summary["n"]) == (812, 812)
    assert found.summary["success_rate_unachievable"] == 1
    assert len(judge.questions) > 80
    assert sum(row["n"] for row in found.groups["site"]) == 812


def gold_prediction(name: str, gold: dict[str, Any]) -> dict[str, Any]:
    """What a perfect actor leaves behind."""
    references = (gold.get("reference_answers") or {}).values()
    wanted = [text for value in references for text in (value if isinstance(value, list) else [value])]
    located = [target["required_contents"] for target in gold["program_html"] or []]
    return {
        "task_id": int(name),
        "answer": ", ".join(wanted),
        "url": (gold["reference_url"] or "").partition(" |OR| ")[0],
        "pages": [
            one.get("exact_match") or " ".join(text.partition(" |OR| ")[0] for text in one["must_include"])
            for one in located
        ],
    }
