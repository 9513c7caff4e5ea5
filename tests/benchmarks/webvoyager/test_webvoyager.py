"""WebVoyager: its published files, and its one question over a real socket, of published runs, too."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks.judged_pictures import kept_pictures, png, shown
from tests.core.models.endpoint import running_endpoint, said
from tests.shared import need_shared
from webbench.benchmarks.webvoyager.benchmark import create
from webbench.benchmarks.webvoyager.scoring.evaluate import PAPER, PUBLISHED, WebVoyagerEvaluator
from webbench.benchmarks.webvoyager.tasks import load_tasks
from webbench.core.action.action import Stop
from webbench.core.api.rescoring import rescored
from webbench.core.exchange.episode_building import foreign_header
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.json_types import JsonObject
from webbench.core.observation import Screenshot
from webbench.core.score.score import Status
from webbench.core.store.store import Store
from webbench.core.trajectory import IMPORTED, Step

EVALUATOR = WebVoyagerEvaluator()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


def test_the_published_files_are_read_whole() -> None:
    loaded = load_tasks(need_shared("data", "trajectories", "webvoyager-gpt4v", "tasks"))
    assert loaded.problems == ()
    assert Counter(task.kind for task in loaded.tasks) == {"possible": 500, "golden": 143}
    assert len({task.site for task in loaded.tasks}) == 15
    first = loaded.tasks[0]
    assert (first.name, first.data["start"]) == ("Allrecipes--0", "https://www.allrecipes.com/")
    assert first.gold["answer"].startswith("'Vegetarian Four Cheese Lasagna'")


def test_what_can_not_be_used_is_told(tmp_path: Path) -> None:
    good = {"web_name": "Shop", "id": "Shop--0", "ques": "What is a mug?", "web": "https://shop.example/"}
    rows = [good, good | {"id": "Shop--1", "web": "shop"}, good | {"id": "Shop--2"}, good | {"ques": 3}]
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, rows)))
    answers = [{"id": 0, "type": "golden", "ans": "12"}, {"id": 2, "type": "guess", "ans": "12"}]
    (tmp_path / "reference_answer.json").write_text(json.dumps({"Shop": {"answers": answers}, "X": []}))
    loaded = load_tasks(tmp_path)
    assert [(task.name, task.kind) for task in loaded.tasks] == [("Shop--0", "golden"), ("Shop--2", "")]
    assert Counter(problem.severity for problem in loaded.problems) == {"error": 4, "note": 1}


def test_rule_sets_show_the_last_fifteen_or_all(tmp_path: Path) -> None:
    task = create().tasks()[0]
    pictures = kept_pictures(Store(tmp_path), 20)
    evidence: JsonObject = {"answer": "£24.50", "actions": [], "screenshots": pictures}
    (last,), (every,) = EVALUATOR.questions(task, evidence), EVALUATOR.questions(task, evidence, PAPER)
    assert last.pictures == tuple(name for _, name in pictures[5:])
    assert every.pictures == tuple(name for _, name in pictures)
    assert task.gold["answer"] not in str(last.fields)
    score = EVALUATOR.score(task, evidence)
    assert score.status is Status.PENDING
    assert {one.checks[0].expected for one in (score, *score.beside)} == {task.intent}
    silent = EVALUATOR.score(task, evidence | {"answer": ""})
    assert (silent.value, silent.checks[0].actual) == (0.0, None)
    assert task.gold["answer"] not in str(silent)
    blind = EVALUATOR.score(task, evidence | {"screenshots": []})
    assert blind.status is Status.NOT_SCORED


@pytest.mark.parametrize(("verdict", "value"), [("SUCCESS", 1.0), ("NOT SUCCESS", 0.0)])
def test_a_published_run_is_judged_as_the_published_script_would(
    verdict: str, value: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = need_shared("data", "trajectories", "webvoyager-gpt4v", "taskArXiv--11")
    data = source.parent / "tasks"
    monkeypatch.setenv("WEBBENCH_DATA_WEBVOYAGER", str(data))
    store = Store(tmp_path / "store")
    list(bring_in(source, known_formats(), store))
    (kept,) = store.episodes()
    record = store.load(kept.episode)
    (task,) = create().tasks(names=["ArXiv--11"])
    told = record.header.task
    assert (told.name, told.intent, told.site, told.kind) == (task.name, task.intent, task.site, task.kind)
    with running_endpoint() as endpoint:
        endpoint.script = [said(f"It says so.\nVERDICT: {verdict}")]
        score = rescored(record, store, judge=f"m url={endpoint.url}", data=data).score
        (request,) = endpoint.requests
    assert score is not None
    assert (score.value, score.checks[0].expected) == (value, task.gold["answer"])
    published = [(source / f"screenshot{number}.png").read_bytes() for number in range(1, 8)]
    assert [store.blobs.get_picture(name)[0] for name in shown(request)] == published
    end = record.steps[-1].action
    assert isinstance(end, Stop)
    assert end.answer in request.prompt
    assert task.intent in request.prompt
    assert "(7 of them)" in request.prompt


def test_an_imported_episode_is_given_the_score_it_came_without(tmp_path: Path) -> None:
    """Without an answer no judge is needed; a score by others than the default rules is told, not kept."""
    store = Store(tmp_path / "store")
    header = foreign_header(create().tasks()[0], "somebody", settings={IMPORTED: {"format": "notes"}})
    recorder = store.recorder(store.start_run("webvoyager", "somebody", 1), header)
    recorder.write(Step(index=0, at=""), screenshot=Screenshot(png(1), "png", 8, 8))
    recorder.finish(None, "the record ends here")
    recorder.close()
    unkept = "the episode's rules are published, and the score is by paper"
    for rules, told, value in ((PAPER, unkept, None), (PUBLISHED, "", 0.0), (PAPER, "", 0.0)):
        found = rescored(store.load(recorder.folder), store, rules=rules)
        assert found.score is not None
        assert found.score.value == 0.0
        assert found.unkept == told
        assert store.episodes()[0].value == value
