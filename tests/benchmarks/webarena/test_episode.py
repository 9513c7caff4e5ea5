"""Whole episodes: a bundled task scored at its end and again from its record; one of the verified edition."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from tests.conftest import Site
from webbench.benchmarks.webarena.benchmark import WebArena
from webbench.core.action.action import Click, ElementRef
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.episode.options import EpisodeOptions
from webbench.core.score.score import Status
from webbench.core.store.store import Store
from webbench.core.task import Task

SAVES_A_SETTING = "10018"
"""A bundled task whose only check looks at a page."""


@pytest.fixture
async def engine(chromium: Browser, tmp_path: Path) -> AsyncIterator[Engine]:
    async with Engine(Store(tmp_path / "store"), browser=chromium) as engine:
        yield engine


async def test_a_bundled_task_is_scored_at_its_end_and_alike_from_its_record(engine: Engine) -> None:
    benchmark = find_benchmark("webarena")
    (task,) = benchmark.tasks(names=(SAVES_A_SETTING,))
    run = engine.store.start_run(benchmark="webarena", agent="oracle", planned=1)
    request = EpisodeRequest(
        benchmark=benchmark, task=task, run=run, options=EpisodeOptions(pictures=False, html=False)
    )
    agent = make_agent("oracle", benchmark, task)
    async with engine.episode(request) as episode:
        await episode.start()
        assert (episode.score.status, episode.score.reason) == (Status.NOT_SCORED, "checked at the end")
        assert (await episode.score_fully()).value == 0.0
        await agent_turns.run(episode, agent)
    recorded = engine.store.load(episode.header.episode)
    score, last = recorded.header.score, recorded.steps[-1]
    assert (score and score.value, recorded.header.end_reason) == (1.0, "the actor stopped")
    assert all(step.evidence["pages"] == [{"problem": "checked at the end"}] for step in recorded.steps[:-1])
    again = benchmark.evaluator.score(recorded.header.task, last.evidence)
    assert msgspec.json.encode(again) == msgspec.json.encode(score)
    assert engine.store.changed_sites.known() == {}


async def test_a_verified_task_is_scored_by_what_was_exchanged(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve("<a href='/orders?page=2'>Orders</a><img src='/picture.png'>")
    serve((200, {"content-type": "text/html", "set-cookie": "session=s3cret"}, b"orders"), "/orders")
    expected = {"task_type": "navigate", "status": "SUCCESS", "retrieved_data": None}
    task = Task(
        benchmark="webarena",
        name="verified.1",
        split="verified",
        data={"sites": [], "start_urls": ["__SHOPPING__"]},
        gold={
            "eval": [
                {"evaluator": "AgentResponseEvaluator", "expected": expected, "results_schema": {}},
                {"evaluator": "NetworkEventEvaluator", "expected": {"url": "__SHOPPING__/orders?page=2"}},
            ]
        },
    )
    monkeypatch.setenv("SHOPPING", serve.url)
    benchmark = WebArena(None)
    async with benchmark.stage(task) as stage:
        await environment.reset(stage.setup)
        link = next(node for node in (await environment.observe()).nodes if node.role == "link")
        answer = '{"task_type": "navigate", "status": "SUCCESS", "retrieved_data": null}'
        early = await benchmark.evaluator.collect(environment, stage, answer)
        assert benchmark.evaluator.score(task, early).reason.endswith("checked at the end")
        await environment.act(Click(target=ElementRef(id=link.id)))
        stage.thorough = True
        evidence = await benchmark.evaluator.collect(environment, stage, answer)
        score = benchmark.evaluator.score(task, evidence)
        assert (score.value, [check.value for check in score.checks]) == (1.0, [1.0, 1.0])
        assert [event["url"] for event in evidence["har_events"]][-1].endswith("/orders?page=2")
        assert not any("picture" in event["url"] for event in evidence["har_events"])
        assert "s3cret" not in str(evidence)
