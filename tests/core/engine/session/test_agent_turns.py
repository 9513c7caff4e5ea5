"""An agent's turns: what a call that is no longer waited for, and a budget that is used up, lead to."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tests.core.opening import opened
from webbench.core.agent import AgentView, Proposal
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.engine.session import agent_turns
from webbench.core.engine.wire import messages
from webbench.core.episode.idle import IdleTime
from webbench.core.episode.options import EpisodeOptions
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Status
from webbench.core.store.store import Store


class Scroller:
    """Scrolls for ever, after so many seconds of thinking each time."""

    name = "scroller"

    def __init__(self, usage: JsonObject, seconds: float = 0.0) -> None:
        self.usage = usage
        self.seconds = seconds
        self.cancelled = 0

    async def propose(self, view: AgentView) -> Proposal:
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return Proposal(text="scroll [down]", usage=self.usage)

    async def close(self) -> None:
        """Nothing to give back."""


async def test_the_step_that_uses_a_budget_up_is_the_last(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    options = EpisodeOptions(pictures=False, live_score=False, token_limit=2_000)
    async with opened(environment, Store(tmp_path), options) as (episode, _):
        await agent_turns.run(episode, Scroller({"input_tokens": 900, "output_tokens": 100}))
        assert episode.ended == "token limit of 2,000 reached: 2,000 were used"
        assert episode.score.status is Status.SCORED
        assert [step.text for step in episode.steps] == ["", "scroll [down]", "scroll [down]"]


async def test_a_proposal_that_nobody_takes_is_paid_for_too(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    options = EpisodeOptions(pictures=False, live_score=False, cost_limit=0.03)
    agent, interruption = Scroller({"cost": 0.02}), agent_turns.Interruption()
    async with opened(environment, Store(tmp_path), options) as (episode, _):
        assert await agent_turns.propose(episode, agent, interruption) is not None
        assert await agent_turns.propose(episode, agent, interruption) is not None
        assert await agent_turns.propose(episode, agent, interruption) is None
        assert episode.ended == "cost limit of $0.03 reached: $0.0400 were spent"


async def test_time_that_is_up_ends_the_call_and_the_episode_with_its_score(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    options = EpisodeOptions(pictures=False, live_score=False, seconds_limit=600.0)
    agent, ahead = Scroller({}, seconds=600.0), 0.0
    async with opened(environment, Store(tmp_path), options) as (episode, _):
        episode.limits.time = IdleTime(lambda: time.monotonic() + ahead)
        ahead = 599.0  # however long the page took, the agent has a second
        await asyncio.wait_for(agent_turns.run(episode, agent), 60.0)
        assert (episode.ended, agent.cancelled) == ("time limit of 600 s reached", 1)
        assert episode.score.status is Status.SCORED


@pytest.mark.thorough
async def test_a_limit_that_cannot_be_kept_is_told_once(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    options = EpisodeOptions(pictures=False, live_score=False, token_limit=10)
    async with opened(environment, Store(tmp_path), options) as (episode, events):
        await agent_turns.run(episode, Scroller({}), steps=2)
    (warning,) = [event for event in events if isinstance(event, messages.Trouble)]
    assert warning.message == "The agent scroller doesn't tell its tokens, so their limit can't be kept"
