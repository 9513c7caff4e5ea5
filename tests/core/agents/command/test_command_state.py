"""What a program keeps outlives it: killed, after a person's turn, forked, resumed."""

from __future__ import annotations

import asyncio
import json
import os
import signal

import msgspec
import pytest

from tests.core.agents.programs import Place
from webbench.core.agents.command.command import CommandAgent
from webbench.core.agents.resumed_state import LARGEST_STATE
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.engine.session.copilot import CoPilot
from webbench.core.engine.session.replaying import Replay
from webbench.core.episode.episode import Episode
from webbench.core.json_types import Json, JsonObject
from webbench.core.trajectory import Step, Trajectory

COUNTING = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        place = [message["step"], message["state"], message["state_action"], len(message["history"])]
        count = (message["state"] or {"said": 0})["said"]
    elif message["type"] == "observation":
        count += 1
        answer = {"action": {"verb": "say", "text": "no %d" % count}, "state": {"said": count}}
        print(json.dumps({**answer, "reasoning": json.dumps(place)}), flush=True)
"""
BUSY = COUNTING.replace(
    "        count += 1", "        if message['step'] == 2: time.sleep(600)\n        count += 1"
)
WITHOUT = """
import sys
for line in sys.stdin:
    if '"observation"' in line:
        print('{"action": {"verb": "say", "text": "x"}}', flush=True)
"""
GROWING = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        place = message["state"]
    elif message["type"] == "observation":
        state = "small" if message["step"] == 1 else "x" * (1 << 20)
        print(json.dumps({"action": {"verb": "say", "text": str(place)}, "state": state}), flush=True)
"""


async def steps(episode: Episode, agent: CommandAgent, count: int = 1) -> CoPilot:
    """Beside a person, who decides what becomes of the episode where the agent fails."""
    copilot = CoPilot(episode)
    copilot.choose(agent)
    copilot.go(count)
    await copilot.run()
    return copilot


def told(step: Step) -> Json:
    """Where the program that took the step was told that it is: step, state, its action, actions so far."""
    return json.loads(step.reasoning)


async def test_a_program_that_is_killed_goes_on_with_its_state(place: Place) -> None:
    async with place.episode() as episode:
        agent = place.agent(COUNTING)
        await steps(episode, agent, 2)
        assert agent._process is not None
        os.kill(agent._process.pid, signal.SIGKILL)
        failed = await steps(episode, agent)
        assert failed.turn is not None
        assert "was ended by SIGKILL (it wrote nothing to stderr;" in failed.turn.error
        await steps(episode, agent)
        texts = [step.text for step in episode.steps[1:]]
    assert texts == [f'say(speaker="navigator", utterance="no {n}")' for n in (1, 2, 3)]
    assert [told(step) for step in episode.steps[1:]] == [[1, None, None, 0]] * 2 + [[3, {"said": 2}, 1, 2]]
    assert '"state"' not in episode.steps[1].reply, "it is recorded once"


async def test_one_that_a_person_takes_over_from_goes_on_when_it_is_handed_back(place: Place) -> None:
    async with place.episode() as episode:
        agent = place.agent(BUSY)
        copilot = await steps(episode, agent)
        copilot.go()
        running = asyncio.create_task(copilot.run())
        async with asyncio.timeout(30):
            while not agent._owed:
                await asyncio.sleep(0.01)
        copilot.interruption.request()
        await running
        assert agent._process is None, "it did not answer, and was ended"
        await copilot.act('say(utterance="mine")', actor="operator", took_over=True)
        await steps(episode, agent)
    assert told(episode.steps[-1]) == [3, {"said": 1}, 0, 2]
    assert episode.steps[-1].text == 'say(speaker="navigator", utterance="no 2")'


async def test_it_comes_back_after_a_person_and_another_program(place: Place) -> None:
    async with place.episode() as episode:
        agent = place.agent(COUNTING)
        await steps(episode, agent)
        await agent.close()
        await episode.act('say(utterance="mine")', actor="operator")
        await steps(episode, place.agent(WITHOUT))
        await steps(episode, place.agent(COUNTING))
        assert told(episode.steps[-1]) == [4, {"said": 1}, 0, 3]
        await steps(episode, place.agent(COUNTING, "--other"))
        notes = [step.note for step in episode.steps if step.note]
        assert told(episode.steps[-1])[1:3] == [None, None]
    assert episode.steps[3].agent_state == {}
    assert notes == [
        "What command kept with action 4 is left, and it begins anew: "
        "another program kept it, or this one with other words; a preset's name stands for both"
    ]


async def test_it_goes_on_in_a_fork_and_in_a_resumed_episode(place: Place) -> None:
    async with place.episode() as episode:
        await steps(episode, place.agent(COUNTING), 3)
        recorded = place.engine.store.load(episode.header.episode)
    for fork_step, state in ((2, 2), (None, 3)):
        async with place.episode(resumes=recorded, fork_step=fork_step) as again:
            look = RecordedEpisode(place.engine.store, recorded).look
            await Replay(again, recorded, fork_step, look).run()
            await steps(again, place.agent(COUNTING))
        assert told(again.steps[-1])[1:] == [{"said": state}, state - 1, state]


async def test_a_state_that_is_too_large_is_told_and_the_one_before_stays(place: Place) -> None:
    async with place.episode() as episode:
        agent = place.agent(GROWING)
        await steps(episode, agent, 3)
        await agent.close()
        await steps(episode, agent)
    told_once = [step.note for step in episode.steps if step.note]
    assert told_once == [
        f"The state that command gave can't be kept: it is larger than {LARGEST_STATE:,} bytes"
    ]
    assert [step.agent_state.get("state") for step in episode.steps if step.text] == ["small"] + [None] * 3
    assert 'utterance="small"' in episode.steps[-1].text


def deep(levels: int) -> JsonObject:
    found: JsonObject = {}
    for _ in range(levels):
        found = {"a": found}
    return found


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"protocol": "1", "program": []}, "Expected `int`, got `str`"),
        ({"plan": "go to evil.test"}, "missing required field `protocol`"),
        ({"protocol": 9, "program": "x", "state": 1}, "written in protocol 9"),
        (deep(300), "is left out: it is nested deeper than 64 levels"),
        ({"state": "x" * LARGEST_STATE}, "is left out: it is larger than"),
    ],
)
async def test_a_recorded_state_that_is_none_is_told_and_left(
    place: Place, state: JsonObject, why: str
) -> None:
    async with place.episode() as episode:
        await steps(episode, place.agent(COUNTING))
        recorded = place.engine.store.load(episode.header.episode)
    async with place.episode(resumes=recorded) as again:
        await Replay(again, changed(recorded, state)).run()
        await steps(again, place.agent(COUNTING))
        (note,) = [step.note for step in again.steps if step.note]
    assert why in note
    assert told(again.steps[-1])[1:] == [None, None, 1]


def changed(recorded: Trajectory, state: JsonObject) -> Trajectory:
    first, second = recorded.steps[:2]
    return msgspec.structs.replace(
        recorded, steps=(first, msgspec.structs.replace(second, agent_state=state))
    )
