"""States that can be recorded, those that can't, and what becomes of an agent that gives one."""

from __future__ import annotations

import pytest

from tests.core.agents.programs import Place
from webbench.core.agent import Agent, AgentView, Proposal
from webbench.core.agents.ensemble import Ensemble
from webbench.core.agents.resumed_state import LARGEST_STATE, unfit
from webbench.core.engine.session import agent_turns
from webbench.core.engine.wire import messages
from webbench.core.json_types import Json


class Says:
    """Says something, with whatever state."""

    name = "says"

    def __init__(self, state: Json) -> None:
        self.state = state

    async def propose(self, view: AgentView) -> Proposal:
        return Proposal(text='say(utterance="x")', state=self.state)

    async def close(self) -> None:
        """Nothing to give back."""


def nested(levels: int) -> Json:
    return {"a": nested(levels - 1)} if levels else {}


@pytest.mark.parametrize("state", [{}, {"a": (1, 2)}, {"a": "\ud800"}, {"a": 2**70}, nested(60)])
def test_what_can_be_recorded(state: Json) -> None:
    assert unfit(state) == ""


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (None, "it is no object of JSON"),
        (["plan"], "it is no object of JSON"),
        ({"a": object()}, "it is no JSON: "),
        ({"a": "x" * LARGEST_STATE}, "it is larger than 1,048,576 bytes"),
        (nested(70), "it is nested deeper than 64 levels"),
        (nested(900), "it is nested deeper than 64 levels"),
    ],
)
async def test_what_cannot_is_told_once_and_the_step_is_recorded_without_it(
    place: Place, state: Json, why: str
) -> None:
    await told_once(place, Says(state), why)


async def test_so_it_is_for_a_part_of_an_ensemble(place: Place) -> None:
    await told_once(place, Ensemble("both", Says({"a": object()}), Says({})), "it is no JSON: ")


async def told_once(place: Place, agent: Agent, why: str) -> None:
    async with place.episode() as episode:
        await agent_turns.run(episode, agent, steps=2)
        recorded = place.engine.store.load(episode.header.episode)
    assert recorded.problems == ()
    assert [step.agent_state for step in recorded.steps if step.text] == [{}, {}]
    notes = [step.note for step in recorded.steps if step.note]
    assert len(notes) == 1
    assert notes[0].startswith(f"The state that {agent.name} gave can't be kept: {why}")
    assert [event.message for event in place.events if isinstance(event, messages.Trouble)] == notes
