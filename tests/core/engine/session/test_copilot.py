"""A person and an agent together: what is asked, who decided, what the record and the agent learn of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.core.opening import link_id, opened
from webbench.core.agent import AgentView, Candidate, Proposal
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.dialects.dialect import ParseError
from webbench.core.engine.session.copilot import CoPilot
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import UsageError
from webbench.core.guards.guard import Guard, GuardOptions
from webbench.core.provenance import Provenance, provenance_words
from webbench.core.store.store import Store
from webbench.core.trajectory import Step

pytestmark = pytest.mark.browser


class Scripted:
    """Gives its proposals in order, and keeps what it was told."""

    name = "scripted"

    def __init__(self, *proposals: Proposal) -> None:
        self.proposals = list(proposals)
        self.rejected: list[str] = []

    async def propose(self, view: AgentView) -> Proposal:
        self.rejected.append(view.rejected)
        if not self.proposals:
            await asyncio.sleep(600)
        return self.proposals.pop(0)

    async def close(self) -> None:
        """Nothing to give back."""


DOWN = Proposal(text="scroll [down]", usage={"input_tokens": 10}, prompt="what now?")
UP = Proposal(text="scroll [up]")


@pytest_asyncio.fixture(loop_scope="session")
async def copilot(environment: BrowserEnvironment, tmp_path: Path) -> AsyncIterator[CoPilot]:
    options = EpisodeOptions(pictures=False, live_score=False, html=False)
    async with opened(environment, Store(tmp_path), options) as (episode, _):
        yield CoPilot(episode)


def how(step: Step) -> Provenance:
    """Without the time it took."""
    assert step.provenance is not None
    return Provenance(
        proposed_by=step.provenance.proposed_by,
        decision=step.provenance.decision,
        candidates=step.provenance.candidates,
        candidate=step.provenance.candidate,
        asked=step.provenance.asked,
        reason=step.provenance.reason,
        edit_distance=step.provenance.edit_distance,
    )


async def test_every_way_to_decide_is_told_apart_in_the_record(copilot: CoPilot) -> None:
    choice = Proposal(text="scroll [down]", alternatives=(Candidate(text="scroll [up]"),))
    agent = Scripted(DOWN, choice, DOWN, DOWN, UP)
    copilot.choose(agent)
    await copilot.propose()
    await copilot.accept()
    await copilot.propose()
    await copilot.accept(1)
    await copilot.propose()
    await copilot.reject("not now")
    await copilot.propose()
    await copilot.act("scroll [up]", edited=0)
    await copilot.propose()
    await copilot.act("go_back")
    steps = copilot.episode.steps[1:]
    by, both = "scripted", ("scroll [down]", "scroll [up]")
    assert [how(step) for step in steps] == [
        Provenance(proposed_by=by, decision="accepted"),
        Provenance(proposed_by=by, decision="picked", candidates=both, candidate=1),
        Provenance(proposed_by=by, decision="rejected", reason="not now"),
        Provenance(proposed_by=by, decision="edited", edit_distance=1),
        Provenance(proposed_by=by, decision="replaced", edit_distance=5),
    ]
    assert [step.actor for step in steps] == ["agent", "agent", "operator", "operator", "operator"]
    assert steps[2].usage == DOWN.usage, "a rejected proposal was paid for, too"
    assert steps[3].prompt == DOWN.prompt
    assert agent.rejected == ["", "", "", "scroll [down]: not now", ""]


async def test_it_goes_on_by_itself_up_to_what_is_asked_about(copilot: CoPilot) -> None:
    link = link_id(copilot.episode, "Orders")
    copilot.approval = "changes"
    copilot.choose(Scripted(DOWN, UP, Proposal(text=f"click [{link}]"), DOWN, Proposal(text="stop [1]")))
    copilot.go()
    await copilot.run()
    assert copilot.turn is not None
    assert (copilot.turn.text, copilot.turn.asked, copilot.waiting) == (f"click [{link}]", "navigates", True)
    await copilot.accept()
    await copilot.run()
    assert copilot.turn.asked == "ends"
    await copilot.reject("not yet")
    assert copilot.going, "a rejection lets it think again"
    decisions = [how(step).decision for step in copilot.episode.steps[1:]]
    assert decisions == ["alone", "alone", "accepted", "alone", "rejected"]
    assert how(copilot.episode.steps[3]).asked == "navigates"


async def test_a_policy_that_asks_nothing_leaves_the_guards_question_open(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    guard = Guard(GuardOptions(actions="on", words=("shopping: ^orders",)))
    options = EpisodeOptions(pictures=False, live_score=False, html=False)
    async with opened(environment, Store(tmp_path), options, guard=guard) as (episode, _):
        copilot = CoPilot(episode, "always")
        copilot.choose(Scripted(DOWN, Proposal(text=f"click [{link_id(episode, 'Orders')}]")))
        copilot.go()
        await copilot.run()
        await copilot.ask_before("changes")
        assert not copilot.waiting, "scrolling changes nothing"
        await copilot.run()
        await copilot.ask_before("never")
        assert copilot.waiting
        assert copilot.turn is not None
        assert copilot.turn.asked.startswith("guard: shopping")


@pytest.mark.thorough
async def test_single_steps_count_what_a_person_accepted(copilot: CoPilot) -> None:
    copilot.approval = "always"
    copilot.choose(Scripted(DOWN, UP))
    copilot.go(1)
    await copilot.run()
    assert copilot.waiting
    await copilot.accept()
    assert not copilot.going


async def test_an_action_of_ones_own_takes_over_and_an_edit_does_not(copilot: CoPilot) -> None:
    copilot.approval = "always"
    copilot.choose(Scripted(DOWN, UP))
    copilot.go()
    await copilot.run()
    assert isinstance(await copilot.act("fly"), ParseError)
    assert copilot.waiting, "a text that is no action leaves everything as it was"
    await copilot.act("scroll [up]", edited=0)
    assert copilot.going
    await copilot.run()
    await copilot.act("go_back")
    assert not copilot.going


async def test_a_thought_that_is_cut_off_is_noted(copilot: CoPilot) -> None:
    copilot.choose(Scripted())
    copilot.go()
    running = asyncio.create_task(copilot.run())
    while copilot.interruption._thinking is None:
        await asyncio.sleep(0.01)
    copilot.interruption.request()
    await asyncio.wait_for(running, 30)
    copilot.stop()
    await copilot.paused()
    note = copilot.episode.steps[-1]
    assert (note.note, how(note).decision) == ("paused scripted while it was thinking", "paused")


@pytest.mark.thorough
async def test_what_cannot_be_decided_is_refused_in_words(copilot: CoPilot) -> None:
    copilot.choose(Scripted(DOWN))
    with pytest.raises(UsageError, match="no proposal"):
        await copilot.accept()
    await copilot.propose()
    with pytest.raises(UsageError, match="no candidate 4"):
        await copilot.accept(3)
    assert copilot.turn is not None


def test_how_a_step_came_about_is_told_in_one_line() -> None:
    how = Provenance(
        proposed_by="model", decision="edited", edit_distance=1, asked="navigates", deciding=2.04
    )
    told = "proposed by model, edited by a person; 1 word changed; asked because: navigates; decided in 2.0 s"
    assert provenance_words(how) == told
    confirmed = Provenance(proposed_by="model", decision="accepted", guard='purchase (button "Pay")')
    assert provenance_words(confirmed).endswith('confirmed for the guard purchase (button "Pay")')
    assert provenance_words(None) == ""
