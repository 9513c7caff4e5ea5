"""Agents that are made anew in mid-episode go on with what they had kept."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.benchmarks.assistantbench.agents.test_self_ask import (
    ANSWER,
    PAGE,
    RESULTS,
    SEARCH,
    TASK,
    an_agent,
    view,
)
from tests.core.models.endpoint import Endpoint, running_endpoint, said
from webbench.core.agent import Kept, PastAction, Proposal
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.launch import Browser
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.engine.session.replaying import Replay
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.observation import Observation
from webbench.core.store.store import Store

SHOP = (
    said("PLAN: first the shop, then the boat\nMEMORY: the bakery has a page\nNEXT: search for it"),
    said("ACTION: SEARCH\nVALUE: Pell second shop"),
)
BOAT = (said("MEMORY: it has a history\nNEXT: search for boats"), said("ACTION: SEARCH\nVALUE: boats"))


async def one_step(episode: Episode, endpoint: Endpoint, spec: str) -> str:
    """The first prompt of an agent that is made for this step alone."""
    before = len(endpoint.requests)
    agent = make_agent(spec, find_benchmark("assistantbench"), episode.task)
    await agent_turns.run(episode, agent, steps=1)
    await agent.close()
    return endpoint.requests[before].prompt


@pytest.mark.thorough
@pytest.mark.browser
async def test_plan_and_memory_outlive_the_agent_and_its_process(chromium: Browser, tmp_path: Path) -> None:
    benchmark = find_benchmark("assistantbench")
    (task,) = benchmark.tasks(names=("ferry-of-the-second-shop",))
    store = Store(tmp_path)
    run = store.start_run(benchmark="assistantbench", agent="spa", planned=1)
    options = EpisodeOptions(html=False, live_score=False)
    request = EpisodeRequest(benchmark=benchmark, task=task, run=run, options=options)
    with running_endpoint() as endpoint:
        endpoint.script = [*SHOP, *SHOP, *BOAT, *BOAT]
        spec = f"assistantbench-spa model=m url={endpoint.url} picture=no"
        async with Engine(store, browser=chromium) as engine:
            async with engine.episode(request) as episode:
                await episode.start()
                first = await one_step(episode, endpoint, spec)
                other = await one_step(episode, endpoint, f"{spec} model=other")
                second = await one_step(episode, endpoint, spec)
                recorded = store.load(episode.header.episode)
            resumed = msgspec.structs.replace(request, resumes=recorded)
            async with engine.episode(resumed) as episode:
                await episode.start()
                await Replay(episode, recorded).run()
                third = await one_step(episode, endpoint, spec)
    told = "PLAN SO FAR: first the shop, then the boat\nMEMORY:\n- the bakery has a page\n"
    assert "PLAN SO FAR" not in first
    assert "PLAN SO FAR" not in other, "the plan is another agent's"
    assert told in second
    assert f"{told}- it has a history\n" in third
    assert [step.agent_state.get("memory") for step in recorded.steps] == [
        None,
        ["the bakery has a page"],
        ["the bakery has a page"],
        ["the bakery has a page", "it has a history"],
    ]


async def test_lookups_outlive_the_agent() -> None:
    """A search, and a page that it found; a new agent for each step."""
    with running_endpoint() as endpoint:
        endpoint.script = [SEARCH, ANSWER]
        seen, done, steps = PAGE, Proposal(), 0
        for next_page in (RESULTS, PAGE, Observation()):
            agent = an_agent(endpoint, "read=1")
            history = (PastAction(text="it"),) * steps
            kept = {agent.name: Kept(state=done.state, action=steps - 1)} if steps else {}
            done = await agent.propose(view(seen, _as_recorded(done), history=history, kept=kept))
            await agent.close()
            seen, steps = next_page, steps + 1
    (_, prompt) = (request.prompt for request in endpoint.requests)
    assert "FOLLOW UP: When?\nSEARCHED FOR: second shop\nFOUND:\nMore like this" in prompt
    assert 'THE PAGE "Five generations", https://bakery.test/history:\nOpened in 1978.' in prompt


async def test_what_a_person_did_since_is_no_result_of_a_search_of_before() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [SEARCH, ANSWER]
        agent = an_agent(endpoint)
        search = await agent.propose(view(PAGE))
        await agent.close()
        again = an_agent(endpoint)
        history = (PastAction(text="search [second shop]"), PastAction(text="goto [x]", actor="human"))
        kept = {again.name: Kept(state=search.state, action=0)}
        await again.propose(view(RESULTS, history=history, kept=kept))
        await again.close()
    assert "A PERSON DID THIS INSTEAD: goto [x]" in endpoint.requests[1].prompt


async def test_a_state_that_cannot_be_read_is_left() -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [*BOAT]
        agent = create_agent(f"assistantbench-spa model=m url={endpoint.url}", AgentRequest(task=TASK))
        kept = {agent.name: Kept(state={"plan": 5, "memory": "all"}, action=0)}
        seen = view(PAGE, kept=kept, history=(PastAction(text="it"),))
        proposal = await agent.propose(seen)
        await agent.close()
    assert proposal.state == {"memory": ("it has a history",)}
    assert seen.notices == [
        "What assistantbench-spa (m) kept with action 1 is left, and it begins anew: "
        "Expected `str`, got `int` - at `$.plan`"
    ]


def _as_recorded(proposal: Proposal) -> Proposal:
    """Through the record: equal, not the same object."""
    return msgspec.json.decode(msgspec.json.encode(proposal), type=Proposal)
