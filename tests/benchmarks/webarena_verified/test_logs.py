"""Logs of the verified edition: the verdict as recorded, and all that scoring again takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from webbench.benchmarks.webarena.live.live_evaluator import LiveEvaluator
from webbench.benchmarks.webarena.verified.logs import NO_TASK, VerifiedLogs
from webbench.core.exchange.export_format import find_exporter
from webbench.core.exchange.exporting import export
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.place import Place
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store

TASK = {
    "task_id": 7,
    "sites": ["shopping"],
    "intent": "Open the cart",
    "intent_template_id": 3,
    "eval": [
        {"evaluator": "AgentResponseEvaluator", "expected": {"task_type": "navigate", "status": "SUCCESS"}}
    ],
}
RESULT = {
    "task_id": 7,
    "sites": ["shopping"],
    "status": "failure",
    "score": 0.0,
    "evaluators_results": [
        {
            "evaluator_name": "AgentResponseEvaluator",
            "score": 0.0,
            "actual": "{}",
            "assertions": [{"assertion_name": "a", "status": "failure", "assertion_msgs": ["Expected x"]}],
        }
    ],
    "webarena_verified_version": "1.0",
}
RESPONSE = {"task_type": "navigate", "status": "SUCCESS", "retrieved_data": None, "error_details": None}


def entry(url: str, status: int = 200) -> dict[str, Any]:
    headers = [{"name": "Accept", "value": "text/html"}, {"name": "Cookie", "value": "session=hunter2"}]
    request = {
        "method": "GET",
        "url": url,
        "headers": headers,
        "cookies": [{"name": "s", "value": "hunter2"}],
    }
    set_cookie = [{"name": "Set-Cookie", "value": "session=hunter2"}]
    response = {
        "status": status,
        "headers": set_cookie,
        "cookies": [{"name": "s", "value": "hunter2"}],
        "content": {},
    }
    return {"request": request, "response": response}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    folder = tmp_path / "my-agent" / "7"
    folder.mkdir(parents=True)
    (folder / "eval_result.json").write_text(json.dumps(RESULT))
    (folder / "agent_response.json").write_text(json.dumps(RESPONSE))
    har = {"log": {"entries": [entry("http://s/old", 302), entry("http://s/cart"), entry("http://s/a.css")]}}
    (folder / "network.har").write_text(json.dumps(har))
    return folder


def scored_again(store: Store) -> tuple[Score | None, Score]:
    (summary,) = store.episodes()
    trajectory = store.load(summary.episode)
    assert [step.text for step in trajectory.steps] == ["", "opened http://s/cart", "respond"]
    again = LiveEvaluator().score(trajectory.header.task, trajectory.steps[-1].evidence)
    return trajectory.header.score, again


def test_an_imported_log_can_be_scored_again(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "webarena-verified.json").write_text(json.dumps([TASK]))
    monkeypatch.setenv("WEBBENCH_DATA_WEBARENA", str(tmp_path / "webarena-verified.json"))
    store = Store(tmp_path / "store")

    (told,) = bring_in(log.parent, [VerifiedLogs()], store)
    recorded, again = scored_again(store)

    assert (told.state, len(told.lost)) == ("partial", 1)
    assert recorded is not None
    assert (recorded.value, recorded.evaluator) == (0.0, "webarena-verified 1.0")
    assert recorded.checks[0].checks[0].why == "Expected x"
    assert (again.status, again.value) == (Status.SCORED, 1.0)
    (summary,) = store.episodes()
    assert (summary.actor, summary.name, summary.intent) == ("my-agent", "verified.7", "Open the cart")
    (kept,) = store.files(summary.episode)
    assert [one["request"]["url"][-4:] for one in json.loads(kept.read_bytes())["log"]["entries"]][
        1
    ] == "cart"
    export(store, [store.find(summary.episode)], find_exporter("har"), tmp_path / "again.har")
    given = json.loads((tmp_path / "again.har").read_bytes())
    assert given["log"].pop("_webbench")["origin"]["from"] == log.name
    assert given == json.loads(kept.read_bytes())
    everything = b"".join(path.read_bytes() for path in store.root.rglob("*") if path.is_file())
    assert b"hunter2" not in everything


def test_without_the_task_the_episode_says_why_it_cant_be_scored_again(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_DATA_WEBARENA", str(tmp_path / "absent"))
    store = Store(tmp_path / "store")

    list(bring_in(log.parent, [VerifiedLogs()], store))
    recorded, again = scored_again(store)

    assert recorded is not None
    assert recorded.value == 0.0
    assert again.status is Status.ERROR
    assert store.load(store.episodes()[0].episode).header.warnings == (NO_TASK,)


def test_a_broken_log_costs_only_itself(log: Path) -> None:
    (log / "network.har").write_text('{"log": {"entries": [')
    ((episode),) = VerifiedLogs().episodes(Place(log, log))

    steps = [one.step for one in episode.steps]

    assert steps[-1].evidence["events_problem"] == "the network log can't be read"
    assert any("is no HAR file" in line for line in episode.lost)
    assert episode.files == ()


def test_a_log_without_a_verdict_is_refused(log: Path) -> None:
    (log / "eval_result.json").unlink()

    claim = VerifiedLogs().claim(Place(log, log))

    assert claim is not None
    assert (claim.kind, claim.why) == ("refused", "without eval_result.json nothing says which task it is")
