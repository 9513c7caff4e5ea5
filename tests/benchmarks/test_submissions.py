"""Submission files, read again as their hosts read them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.report.conftest import picture, seen
from tests.shared import need_shared
from webbench.benchmarks.assistantbench.leaderboard_answers import QUESTIONS
from webbench.benchmarks.common.submitted_attempts import Attempts
from webbench.benchmarks.online_mind2web.leaderboard_folders import TASKS as LIVE_TASKS
from webbench.benchmarks.online_mind2web.leaderboard_folders import require_result
from webbench.benchmarks.webarena.collection import VERIFIED, collect
from webbench.core.action.action import Action, Click, ElementRef, Stop
from webbench.core.errors import BadData
from webbench.core.exchange.export_format import Exported, find_exporter
from webbench.core.exchange.exporting import export
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.observation import PageMessage
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

CLICK = Click(target=ElementRef(id=2, role="link", name="Tea"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Any], None]:
    """Install a benchmark's own task file."""

    def install(benchmark: str, rows: Any) -> None:
        folder = tmp_path / benchmark
        folder.mkdir(exist_ok=True)
        (folder / "tasks.json").write_text(json.dumps(rows), "utf-8")
        monkeypatch.setenv(f"WEBBENCH_DATA_{benchmark.upper().replace('-', '_')}", str(folder))

    return install


def record(store: Store, task: Task, *actions: Action, pictures: bool = True, repeat: int = 0) -> None:
    """An episode of these actions, with what a live one of the benchmark records."""
    run = store.start_run(task.benchmark, "m", 1)
    header = EpisodeHeader(run="", episode="", task=task, actor="m", dialect="webarena", repeat=repeat)
    writer = store.recorder(run, header)
    start = Step(index=0, at="", url="http://shop.test/")
    writer.write(start, observation=seen(0) if pictures else None, screenshot=picture(0))
    for index, action in enumerate(actions, 1):
        step = Step(
            index=index,
            at="",
            actor="agent",
            text="t",
            action=action,
            reasoning="so",
            url="http://shop.test/1",
        )
        writer.write(step, screenshot=picture(index) if pictures else None)
    writer.finish(not_scored("hidden"), "done")
    writer.close()


def handed_in(store: Store, to: str, path: Path) -> Exported:
    folders = [store.root / one.run / one.episode for one in store.episodes()]
    told = export(store, folders, find_exporter(to), path)
    assert not told.uncounted
    assert [line for line in told.lost if "unexplained" in line] == []
    assert next(one.recorded for one in told.account if one.kind == "episodes") == told.rows
    return told


def test_answers_to_the_hidden_test_set(store: Store, tmp_path: Path) -> None:
    hidden = partial(Task, benchmark="assistantbench", split="test")
    record(store, hidden(name="a1"), Stop(answer="first"))
    record(store, hidden(name="a1"), Stop(answer="second"), repeat=1)
    record(store, hidden(name="b2"), CLICK)
    record(store, Task(benchmark="assistantbench", split="dev", name="c3"), Stop(answer="x"))
    record(store, Task(benchmark="demo", name="d4"), Stop(answer="x"))

    told = handed_in(store, "assistantbench-submission", tmp_path / "answers.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text("utf-8").splitlines()]

    assert sorted(lines, key=lambda one: one["id"]) == [
        {"id": "a1", "answer": "first"},
        {"id": "b2", "answer": ""},
    ]
    assert told.rows == 2
    assert any(line.startswith("179 of the 181 test questions have no episode") for line in told.lost)
    assert any("ended without one" in line for line in told.lost)
    assert sum(told.left_out.values()) == 3


def questions(count: int) -> list[dict[str, Any]]:
    """As the published test set has them: ids without an order, answers that nobody knows."""
    ids = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(count)]
    return [{"id": one, "set": "test", "task": f"What is {one}?", "answer": None} for one in ids]


def test_a_question_has_a_row_in_the_order_of_the_installed_set_and_those_without_are_named(
    store: Store, tmp_path: Path, installed: Callable[[str, Any], None]
) -> None:
    rows = questions(4)
    installed("assistantbench", rows)
    for row in (rows[2], rows[0], {"id": "made-up"}):
        task = Task(benchmark="assistantbench", split="test", name=row["id"])
        record(store, task, Stop(answer="x"), pictures=False)
    told = handed_in(store, "assistantbench-submission", tmp_path / "answers.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text("utf-8").splitlines()]
    assert [one["id"] for one in lines] == [rows[0]["id"], rows[2]["id"], "made-up"]
    strange, missing = told.lost
    assert strange == "1 of the test questions handed in are not installed here: made-up"
    assert missing == (
        f"178 of the 181 test questions have no episode: {rows[1]['id']}, {rows[3]['id']}; "
        "the names of 176 aren't known, as their tasks are not installed"
    )


@pytest.mark.thorough
def test_all_181_questions_are_181_rows(
    store: Store, tmp_path: Path, installed: Callable[[str, Any], None]
) -> None:
    rows = questions(QUESTIONS)
    installed("assistantbench", rows)
    for row in reversed(rows):
        task = Task(benchmark="assistantbench", split="test", name=row["id"])
        record(store, task, Stop(answer=row["id"][:5]), pictures=False)
    told = handed_in(store, "assistantbench-submission", tmp_path / "answers.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text("utf-8").splitlines()]
    assert lines == [{"id": row["id"], "answer": row["id"][:5]} for row in rows]
    assert told.lost == []


@pytest.mark.thorough
def test_all_300_live_tasks_are_300_folders(
    store: Store, tmp_path: Path, installed: Callable[[str, Any], None]
) -> None:
    rows = [
        {
            "task_id": f"{number:032x}",
            "confirmed_task": f"Buy tea {number}.",
            "website": "https://shop.test/",
            "reference_length": number % 20 + 1,
            "level": "easy",
        }
        for number in range(LIVE_TASKS + 1)
    ]
    installed("online-mind2web", rows)
    for row in rows[1:]:
        record(store, Task(benchmark="online-mind2web", name=row["task_id"]), Stop(answer="done"))
    told = handed_in(store, "online-mind2web-submission", tmp_path / "out")
    made = (tmp_path / "out").glob("*/result.json")
    results = {one.parent.name: json.loads(one.read_bytes()) for one in made}
    lengths = {row["task_id"]: row["reference_length"] for row in rows[1:]}
    assert {name: one["reference_length"] for name, one in results.items()} == lengths
    assert [one["task_id"] for one in results.values()] == list(results)
    assert told.lost == [f"1 of the 301 tasks has no episode: {rows[0]['task_id']}"]


def test_folders_of_live_tasks_are_as_their_schema_has_them(store: Store, tmp_path: Path) -> None:
    task: dict[str, Any] = {
        "benchmark": "online-mind2web",
        "intent": "Buy tea.",
        "gold": {"reference_length": 4},
    }
    record(store, Task(**task, name="0a_1"), CLICK, Stop(answer="done"))
    record(store, Task(**task, name="0b_1"), CLICK, Stop(answer="done"), pictures=False)
    record(store, Task(benchmark="online-mind2web", name="0c_1", intent="i"), Stop(answer="done"))

    told = handed_in(store, "online-mind2web-submission", tmp_path / "out")
    result = json.loads((tmp_path / "out" / "0a_1" / "result.json").read_text("utf-8"))

    assert [one.name for one in (tmp_path / "out").iterdir()] == ["0a_1"]
    assert (result["reference_length"], result["agent_final_answer"]) == (4, "done")
    assert [one["action"] for one in result["action_history"]] == [
        "page -> NAVIGATE -> http://shop.test/",
        'CLICK -> click link "Tea" | SUCCESS',
        "TASK_COMPLETE -> ANSWER: done",
    ]
    assert told.left_out == {
        "an episode in which a step has no screenshot": 1,
        "a task whose human reference length isn't known: install the task file": 1,
    }
    assert "299 of the 300 tasks have no episode" in told.lost[0]
    (tmp_path / "out" / "0a_1" / "trajectory" / result["action_history"][1]["screenshot"]).unlink()
    with pytest.raises(BadData, match="step 1 has no screenshot"):
        require_result(tmp_path / "out" / "0a_1")


def test_logs_of_the_verified_edition_come_out_as_they_were(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = need_shared("data", "trajectories", "webarena-verified-logs")
    data = need_shared("data", "webarena", "verified")
    monkeypatch.setenv("WEBBENCH_DATA_WEBARENA", str(data))
    list(bring_in(logs, known_formats(), store))

    told = handed_in(store, "webarena-verified-submission", tmp_path / "out")

    assert sorted(str(one.relative_to(tmp_path / "out")) for one in (tmp_path / "out").rglob("*.*")) == [
        f"{task}/{name}" for task in (107, 108) for name in ("agent_response.json", "network.har")
    ]
    for task in ("107", "108"):
        ours, theirs = (
            json.loads((place / task / "agent_response.json").read_text("utf-8"))
            for place in (tmp_path / "out", logs)
        )
        assert ours == theirs
        entries = [
            len(json.loads((place / task / "network.har").read_text("utf-8"))["log"]["entries"])
            for place in (tmp_path / "out", logs)
        ]
        assert entries[0] == entries[1]
    known = [name for name in collect(data, ()).tasks if name.startswith(f"{VERIFIED}.")]
    assert f"810 of the 812 tasks have no episode: {', '.join(known[:5])} and 805 more" in told.lost


@pytest.mark.parametrize("imported", [False, True])
def test_a_log_that_is_handed_in_has_no_word_of_ours(store: Store, tmp_path: Path, imported: bool) -> None:
    """Neither one that is made of the evidence, nor one of ours that came with an import."""
    task = Task(benchmark="webarena", name=f"{VERIFIED}.107", intent="How many?")
    event = {"method": "GET", "url": "http://shop.test/1", "status": 200}
    response = {"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": [3]}
    writer = store.recorder(
        store.start_run("webarena", "m", 1),
        EpisodeHeader(run="", episode="", task=task, actor="secret-agent", dialect="webarena"),
    )
    evidence: dict[str, Any] = {"har_events": [event], "response": response}
    message = PageMessage(kind="console", level="info", text="hello from the page")
    start = Step(index=0, at="2026-01-01T00:00:00+00:00", url="http://shop.test/1")
    writer.write(msgspec.structs.replace(start, evidence=evidence, messages=(message,)))
    writer.finish(Score(status=Status.SCORED, value=0.25), "done")
    writer.close()
    export(store, [writer.folder], find_exporter("har"), tmp_path / "ours.har")
    ours = (tmp_path / "ours.har").read_bytes()
    assert all(word in ours for word in (b"0.25", b"secret-agent", b"hello from the page"))
    if imported:
        (writer.folder / "files").mkdir()
        (writer.folder / "files" / "network.har").write_bytes(ours)

    told = handed_in(store, "webarena-verified-submission", tmp_path / "out")
    log = json.loads((tmp_path / "out" / "107" / "network.har").read_bytes())["log"]
    assert told.rows == 1
    assert [one["request"]["url"] for one in log["entries"]] == ["http://shop.test/1"]
    text = json.dumps(log)
    words = ('"_', "0.25", "secret-agent", "hello from the page", writer.folder.name, "How many?")
    assert [word for word in words if word in text] == []


def test_whether_a_task_has_an_attempt_is_known_without_reading_it() -> None:
    header = EpisodeHeader(run="", episode="", task=Task(benchmark="b", name="n"), actor="a", dialect="")
    unreadable: Any = None
    attempts = Attempts(unreadable, {"n": header})

    assert "n" in attempts
    assert "m" not in attempts
