"""Turns of an agent that asks a model, in a world without a browser: failures, bad replies, spending."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.core.models.endpoint import Answer, Endpoint, drip, refused, running_endpoint, said
from webbench.core.agent import Agent
from webbench.core.analysis.recorded.search import search_trajectory
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.engine.session.copilot import CoPilot
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.models.spending import Spent
from webbench.core.score.score import Status
from webbench.core.store.store import Store

PREDICTED = '```\nsay(speaker="navigator", utterance="Yes")\n```'


@pytest.fixture(scope="module")
def running() -> Iterator[Endpoint]:
    with running_endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(running: Endpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Endpoint:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("WEBBENCH_PRICES_M", "10000 0")
    running.requests.clear()
    return running


@asynccontextmanager
async def opened(
    endpoint: Endpoint, store: Store, options: EpisodeOptions = EpisodeOptions()
) -> AsyncIterator[tuple[Episode, Agent]]:
    benchmark = find_benchmark("weblinx")
    task = benchmark.tasks("shop-talk")[0]
    run = store.start_run(benchmark="weblinx", agent="model", planned=1)
    agent = make_agent(f"model model=m url={endpoint.url} retries=0", benchmark, task)
    async with Engine(store) as engine:
        request = EpisodeRequest(benchmark=benchmark, task=task, run=run, options=options)
        async with engine.episode(request) as episode:
            await episode.start()
            yield episode, agent
            await agent.close()


async def test_a_model_that_gives_no_reply_ends_the_episode_with_its_prompt_kept(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.script = [said(PREDICTED), refused(401)]
    store = Store(tmp_path)
    async with opened(endpoint, store) as (episode, agent):
        await agent_turns.run(episode, agent)
    recorded = store.load(episode.header.episode)
    last = recorded.steps[-1]
    assert (last.actor, last.ok, last.action, last.text) == ("agent", False, None, "")
    assert "gave no reply: the endpoint answered 401" in last.error
    assert last.calls[0].messages[-1].text.startswith("TASK: ")
    assert recorded.header.score is not None
    assert recorded.header.score.status is Status.NOT_SCORED
    assert "the endpoint answered 401" in recorded.header.end_reason


async def test_malformed_replies_count_as_invalid_actions_until_the_limit(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.script = [said("say nothing"), said("click(uid=1)"), said("```\nfly()\n```")]
    store = Store(tmp_path)
    async with opened(endpoint, store) as (episode, agent):
        await agent_turns.run(episode, agent)
    recorded = store.load(episode.header.episode)
    assert recorded.header.end_reason == "3 invalid actions in a row"
    assert [(step.text, step.ok) for step in recorded.steps[1:4]] == [
        ("say nothing", False),
        ("click(uid=1)", False),
        ("fly()", False),
    ], "a text that would be an action is none outside of its fences"
    assert (
        "(no effect: not an action: the reply has no action between code fences"
        in endpoint.requests[1].prompt
    )
    assert "; try one of" not in endpoint.requests[1].prompt, "verbs that it may not be offered"
    found = list(search_trajectory(recorded, "say nothing", lambda _step: None))
    assert [(match.step, match.where) for match in found] == [(1, "action"), (1, "reply")]


async def test_what_a_model_costs_counts_against_the_limit(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.script = [said(PREDICTED)]
    store = Store(tmp_path)
    async with opened(endpoint, store, EpisodeOptions(cost_limit=1.5)) as (episode, agent):
        await agent_turns.run(episode, agent)
    assert len(endpoint.requests) == 2, "a dollar each"
    assert episode.ended == "cost limit of $1.5 reached: $2.0000 were spent"
    assert [step.usage.get("cost") for step in episode.steps[1:3]] == [1.0, 1.0]


async def test_a_person_may_ask_again_after_a_failure(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.script = [refused(401), said(PREDICTED)]
    store = Store(tmp_path)
    async with opened(endpoint, store) as (episode, agent):
        copilot = CoPilot(episode)
        copilot.choose(agent)
        failed = await copilot.propose()
        assert failed is not None
        assert failed.empty
        assert not episode.ended
        await copilot.propose()
        await copilot.accept()
    steps = store.load(episode.header.episode).steps
    assert [(len(step.calls), step.ok) for step in steps[1:3]] == [(1, False), (1, True)]


async def test_what_was_asked_in_a_turn_that_is_cut_off_is_kept(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.script = [Answer(send=drip)]
    store = Store(tmp_path)
    async with opened(endpoint, store, EpisodeOptions(cost_limit=9)) as (episode, agent):
        copilot = CoPilot(episode)
        copilot.choose(agent)
        asking = asyncio.create_task(copilot.propose())
        while not endpoint.requests:
            await asyncio.sleep(0.01)
        copilot.interruption.request()
        assert await asyncio.wait_for(asking, 30) is None
        assert episode.limits.spent == Spent(), "nothing is known of it, which is no fault of the agent"
        await copilot.paused()
        endpoint.script = [said(PREDICTED)]
        await copilot.propose()
        await copilot.accept()
    vain, note, done = store.load(episode.header.episode).steps[1:4]
    assert (vain.note, vain.ok) == ("model (m) was cut off while it was thinking", True)
    assert [call.error for call in vain.calls] == ["cut off before there was a reply"]
    assert vain.calls[0].messages[-1].text.startswith("TASK: ")
    assert note.note == "paused model (m) while it was thinking"
    assert [call.error for call in done.calls] == [""], "each call is kept once"


async def test_a_call_that_the_time_limit_ends_is_kept(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.script = [Answer(send=drip)]
    store = Store(tmp_path)
    async with opened(endpoint, store, EpisodeOptions(seconds_limit=1.5)) as (episode, agent):
        await agent_turns.run(episode, agent)
    assert episode.ended == "time limit of 1.5 s reached"
    assert [len(step.calls) for step in store.load(episode.header.episode).steps[:2]] == [0, 1]
