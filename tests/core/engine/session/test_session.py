"""A person's sitting with a real browser: proposals, runs, pauses, take-overs, ends."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from webbench.core.browser.launch import Browser
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine
from webbench.core.engine.session.session import Session
from webbench.core.engine.wire import messages
from webbench.core.score.score import Status
from webbench.core.store.index.unfinished import unfinished
from webbench.core.store.records.reader import read_run
from webbench.core.store.store import Store

pytestmark = pytest.mark.browser

E = TypeVar("E")
TASK = catalogue.read_task("demo", "camp-mugs", 0).task
START = messages.StartEpisode(benchmark="demo", task=TASK)

SLOW_AGENT = """
import sys, time
for line in sys.stdin:
    if '"observation"' in line:
        open(__file__ + ".thinks", "w").close()
        time.sleep(600)
        print("go_back", flush=True)
"""


class Sitting:
    """A session with its events."""

    def __init__(self, engine: Engine) -> None:
        self.events: list[messages.Event] = []
        self.session = Session(engine, self.events.append)
        self.store = engine.store

    async def do(self, *intents: messages.Intent) -> None:
        for intent in intents:
            self.session.announce(intent)
            await self.session.handle(intent)

    def last(self, kind: type[E]) -> E:
        return [event for event in self.events if isinstance(event, kind)][-1]

    def steps(self) -> list[tuple[str, str]]:
        """(actor, text) of the recorded steps, the start and notes left out."""
        steps = self.store.load(self.last(messages.EpisodeStarted).header.episode).steps
        return [(step.actor, step.text) for step in steps if step.text]

    def actor(self) -> str:
        return self.store.load(self.last(messages.EpisodeStarted).header.episode).header.actor

    async def until(self, kind: type[E]) -> None:
        async with asyncio.timeout(60):
            while not any(isinstance(event, kind) for event in self.events):
                await asyncio.sleep(0.02)

    async def until_idle(self) -> None:
        async with asyncio.timeout(120):
            while self.session._running is not None:
                await asyncio.sleep(0.02)


@asynccontextmanager
async def sitting(folder: Path, browser: Browser) -> AsyncIterator[Sitting]:
    async with Engine(Store(folder), drain=False, browser=browser) as engine:
        one = Sitting(engine)
        try:
            yield one
        finally:
            await one.session.close()


async def test_an_accepted_proposal_is_the_agents_step(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.AskAgent())
        proposed = one.last(messages.Proposed).text
        assert one.steps() == []
        run = one.store.root / one.last(messages.EpisodeStarted).header.run
        assert not (run / "runner").exists(), "a door that nobody asked for isn't there"
        await one.do(messages.SendAction(text=proposed, actor="agent"))
        assert one.steps() == [("agent", proposed)]


async def test_accepting_twice_acts_once(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.AskAgent())
        accept = messages.SendAction(text=one.last(messages.Proposed).text, actor="agent")
        await one.do(accept, accept)
        assert len(one.steps()) == 1
        assert one.last(messages.Trouble).message == "That proposal is not open any more"


async def test_asking_twice_shows_the_open_proposal_again(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.AskAgent())
        first = one.last(messages.Proposed).text
        await one.do(messages.AskAgent())
        assert one.last(messages.Proposed).text == first


async def test_an_edited_proposal_tells_what_was_proposed(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.AskAgent())
        proposed = one.last(messages.Proposed).text
        await one.do(messages.SendAction(text="scroll [down]", actor="operator", proposed=proposed))
        step = one.last(messages.StepRecorded).step
        assert (step.actor, step.text, step.proposed) == ("operator", "scroll [down]", proposed)


async def test_a_rejection_is_recorded_and_told_to_the_agent(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.AskAgent())
        proposed = one.last(messages.Proposed).text
        await one.do(messages.RejectProposal(reason="too early"))
        assert one.last(messages.StepRecorded).step.note == f"rejected the proposal {proposed}: too early"
        assert one.session.episode is not None
        assert one.session.episode.view().rejected == f"{proposed}: too early"
        await one.do(messages.SendAction(text="scroll [down]"))
        assert one.session.episode.view().rejected == ""


async def test_an_agent_learns_whether_its_proposal_was_carried_out(
    chromium: Browser, tmp_path: Path
) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.AskAgent())
        assert one.session.episode is not None
        first = one.last(messages.Proposed)
        await one.do(messages.SendAction(text=first.text, actor="agent"), messages.AddNote(text="well"))
        view = one.session.episode.view()
        assert view.last_proposal == first.proposal, "a note takes no action"
        assert view.last_action == first.text
        await one.do(messages.AskAgent(), messages.RejectProposal())
        assert one.session.episode.view().last_proposal is view.last_proposal
        await one.do(messages.AskAgent(), messages.SendAction(text="scroll [down]"))
        view = one.session.episode.view()
        assert (view.last_proposal.action, view.last_action) == (None, "scroll [down]")


@pytest.mark.thorough
async def test_the_demo_oracle_leaves_out_no_move_that_was_rejected(
    chromium: Browser, tmp_path: Path
) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.RunAgent(steps=1))
        await one.until_idle()
        await one.do(messages.AskAgent())
        wanted = one.last(messages.Proposed).text
        await one.do(messages.RejectProposal(reason="too early"), messages.AskAgent())
        assert one.last(messages.Proposed).text == wanted
        await one.do(messages.SendAction(text="scroll [down]"), messages.RunAgent())
        await one.until_idle()
        score = one.last(messages.EpisodeEnded).header.score
        assert score is not None
        assert score.value == 1.0


async def test_an_agent_runs_to_the_end_and_is_the_actor(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.RunAgent())
        await one.until_idle()
        ended = one.last(messages.EpisodeEnded).header
        assert ended.score is not None
        assert ended.score.value == 1.0
        assert ended.actor == one.actor() == "oracle"


async def test_an_agent_that_asks_waits_and_goes_on_when_it_is_answered(
    chromium: Browser, tmp_path: Path
) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.SetApproval(approval="always"))
        await one.do(messages.RunAgent())
        await one.until_idle()
        first = one.last(messages.Proposed)
        assert first.asked
        assert one.last(messages.AgentChanged).waiting
        assert one.steps() == []
        await one.do(messages.SendAction(text=first.text, actor="agent"))
        await one.until_idle()
        assert one.steps() == [("agent", first.text)]
        assert one.last(messages.AgentChanged).waiting, "it asks about the next one"
        await one.do(messages.PauseAgent())
        await one.do(messages.SetApproval(approval="never"))
        assert not one.last(messages.AgentChanged).waiting, "who paused it lets it go on"
        assert not one.last(messages.AgentChanged).running
        note = one.last(messages.StepRecorded).step
        assert note.provenance is not None
        assert note.provenance.decision == "paused"


async def test_a_policy_that_asks_nothing_releases_what_waits(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.SetApproval(approval="always"))
        await one.do(messages.RunAgent(steps=2))
        await one.until_idle()
        waiting = one.last(messages.Proposed)
        await one.do(messages.SetApproval(approval="never"))
        await one.until_idle()
        (first, _) = [it.step for it in one.events if isinstance(it, messages.StepRecorded) and it.step.index]
        assert (first.text, first.provenance and first.provenance.decision) == (waiting.text, "alone")
        assert not one.last(messages.AgentChanged).waiting


async def test_an_agent_can_be_given_so_many_steps(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.RunAgent(steps=2))
        await one.until_idle()
        assert [actor for actor, _ in one.steps()] == ["agent", "agent"]
        assert not one.last(messages.AgentChanged).running


@pytest.mark.thorough
async def test_a_person_takes_over_and_hands_back(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.ChooseAgent(spec="oracle"), messages.RunAgent())
        await one.do(messages.SendAction(text="scroll [down]"), messages.RunAgent())
        await one.until_idle()
        actors = {actor for actor, _ in one.steps()}
        assert actors == {"agent", "operator"}
        ended = one.last(messages.EpisodeEnded).header
        assert ended.score is not None
        assert ended.score.value == 1.0
        assert (ended.actor, ended.actors) == ("oracle + human", ("oracle", "human"))


@pytest.mark.parametrize(
    "stop", [messages.PauseAgent(), messages.SendAction(text="scroll [down]"), messages.EndEpisode()]
)
async def test_nobody_waits_for_a_thinking_agent(
    chromium: Browser, tmp_path: Path, stop: messages.Intent
) -> None:
    program = tmp_path / "slow.py"
    program.write_text(SLOW_AGENT)
    async with sitting(tmp_path / "store", chromium) as one:
        await one.do(START, messages.ChooseAgent(spec=f"command {sys.executable} {program}"))
        await one.do(messages.RunAgent())
        async with asyncio.timeout(60):
            while not (tmp_path / "slow.py.thinks").exists():
                await asyncio.sleep(0.02)
            await one.do(stop)
        assert one.session._running is None


async def test_a_proposal_that_takes_too_long_is_cut_off_and_noted_once(
    chromium: Browser, tmp_path: Path
) -> None:
    program = tmp_path / "slow.py"
    program.write_text(SLOW_AGENT)
    async with sitting(tmp_path / "store", chromium) as one:
        await one.do(START, messages.ChooseAgent(spec=f"command {sys.executable} {program}"))
        asking = asyncio.create_task(one.do(messages.AskAgent()))
        copilot = one.session._copilot
        assert copilot is not None
        while copilot.interruption._thinking is None:
            await asyncio.sleep(0.01)
        one.session.announce(messages.PauseAgent())
        await asyncio.wait_for(asking, 10)
        await one.session.handle(messages.PauseAgent())
        await one.do(messages.PauseAgent())
        notes = [event.step.note for event in one.events if isinstance(event, messages.StepRecorded)]
        assert [note for note in notes if note] == ["paused command while it was thinking"]


async def test_an_agent_that_fails_beside_a_person_leaves_the_episode_to_them(
    chromium: Browser, tmp_path: Path
) -> None:
    async with sitting(tmp_path / "store", chromium) as one:
        await one.do(START, messages.ChooseAgent(spec=f"command {sys.executable} -c pass"))
        await one.do(messages.RunAgent())
        await one.until_idle()
        assert one.last(messages.Proposed).error
        assert not one.last(messages.AgentChanged).running
        await one.do(messages.SendAction(text="scroll [down]"))
        assert one.steps()[-1][1] == "scroll [down]"
        assert not any(isinstance(event, messages.EpisodeEnded) for event in one.events)


async def test_an_abandoned_episode_is_not_scored(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(
            START, messages.SendAction(text="scroll [down]"), messages.EndEpisode(reason="abandoned")
        )
        score = one.last(messages.EpisodeEnded).header.score
        assert score is not None
        assert (score.status, score.value, score.reason) == (Status.NOT_SCORED, None, "abandoned")
        assert score.checks


async def test_a_look_without_an_action_leaves_no_run(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.EndEpisode(reason="abandoned"))
        assert one.last(messages.EpisodeEnded).header.run not in one.store.run_names()
        assert not one.store.runs()
        await one.do(START, messages.SendAction(text="scroll [down]"), messages.KeepEpisode(), START)
        await one.do(messages.Shutdown())
        (run,) = one.store.runs()
        assert (run.planned, run.episodes) == (1, 1), "the look after it is not planned any more"


async def test_a_note_after_the_end_is_refused_in_words(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.SendAction(text="stop []"), messages.AddNote(text="late"))
        assert "has ended" in one.last(messages.Trouble).message


async def test_an_intent_without_an_episode_says_what_to_do(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(messages.SendAction(text="go_back"), messages.AskAgent())
        assert one.last(messages.Trouble).message == "No episode is open"


async def test_starting_again_keeps_the_running_episode(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, START)
        (ended,) = [event for event in one.events if isinstance(event, messages.EpisodeEnded)]
        assert ended.header.end_reason == "abandoned", "nothing was done in it"
        await one.do(messages.SendAction(text="scroll [down]"), START)
        kept = one.last(messages.EpisodeKept).header
        assert (kept.ended, kept.end_reason, kept.score) == ("", "", None)
        assert one.last(messages.EpisodeStarted).header.episode not in (ended.header.episode, kept.episode)
        (listed,) = unfinished(one.store).episodes
        assert (listed.episode, listed.actions) == (kept.episode, 1)


async def test_a_kept_episode_is_gone_on_with_and_finished_with_then(
    chromium: Browser, tmp_path: Path
) -> None:
    async with sitting(tmp_path, chromium) as one:
        await one.do(START, messages.SendAction(text="scroll [down]"), messages.AddNote(text="later"))
        await one.do(messages.KeepEpisode(), messages.SendAction(text="scroll [up]"))
        assert one.last(messages.Trouble).message == "No episode is open"
        kept = one.last(messages.EpisodeKept).header
        assert not any(isinstance(event, messages.EpisodeEnded) for event in one.events)
        await one.do(msgspec.structs.replace(START, resume=kept.episode))
        again = one.last(messages.EpisodeStarted).header
        assert one.last(messages.Replayed).steps == 1
        assert not unfinished(one.store).episodes, "it is played, and has all of the other's steps"
        await one.do(messages.SendAction(text="scroll [up]"), messages.KeepEpisode())
        (listed,) = unfinished(one.store).episodes
        assert (listed.episode, listed.actions, listed.step_limit) == (again.episode, 2, 40)
        assert one.store.load(again.episode).steps[-1].limit_count == 2, "the note is no action"


async def test_a_run_plans_every_episode_that_was_started(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        for count in (1, 2):
            await one.do(START, messages.SendAction(text="stop []"))
            (run,) = one.store.runs()
            assert (run.planned, run.episodes, run.scored) == (count, count, count)
        assert read_run(tmp_path / run.run).task_ids == (TASK.id, TASK.id)
