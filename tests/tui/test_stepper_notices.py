"""What the stepper tells in notices, which cover what is below them."""

from __future__ import annotations

import msgspec
import pytest
from textual.widgets._toast import ToastRack

from tests.tui.recorded_page import HEADER
from tests.tui.screens.stepper.test_stepper import stepper
from tests.tui.waiting import until
from webbench.core.agent import Proposal
from webbench.core.engine.wire import messages
from webbench.core.trajectory import Actor, Step
from webbench.tui.screens.stepper.proposal_bar import ProposalBar
from webbench.tui.screens.stepper.result import ResultScreen
from webbench.tui.widgets.lists.text_rows import TextRows

LONG = "<p>a line of the page</p>" * 3_000


def answered(actor: Actor, **more: object) -> messages.StepRecorded:
    step = Step(index=2, at="", actor=actor, text="get_html()", output=LONG)
    return messages.StepRecorded(step=msgspec.structs.replace(step, **more))


async def test_an_agents_answer_or_failure_is_no_notice() -> None:
    async with stepper((80, 24)) as (pilot, link):
        link.happen(answered("agent"))
        link.happen(answered("agent", index=3, ok=False, error="[5] is not on the page"))
        await pilot.pause()
        assert not list(pilot.app._notifications)


@pytest.mark.parametrize("actor", ["human", "operator"])
async def test_a_persons_answer_is_told_in_few_lines(actor: Actor) -> None:
    async with stepper((80, 24)) as (pilot, link):
        link.happen(answered(actor))
        await pilot.pause()
        [notice] = pilot.app._notifications
        assert notice.message.startswith("<p>a line of the page</p>")
        assert notice.message.endswith("2 shows all of it")
        assert len(notice.message) <= 210


async def test_a_notice_covers_nothing_that_an_agent_proposes() -> None:
    async with stepper((80, 24), notices=True) as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(messages.Proposed(proposal=Proposal(reasoning="it is wanted"), text="click [8]"))
        await until(pilot, lambda: pilot.app.screen.query_one(ProposalBar).has_focus)
        bar, rack = pilot.app.screen.query_one(ProposalBar), pilot.app.screen.query_one(ToastRack)
        await until(pilot, lambda: bar.region.y >= 24 - rack.styles.margin.bottom)
        await pilot.press("enter")
        link.happen(messages.StepRecorded(step=Step(index=1, at="", actor="agent", text="click [8]")))
        await until(pilot, lambda: rack.styles.margin.bottom == 6)


async def test_the_end_of_an_episode_says_how_to_look_at_it_again() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.EpisodeEnded(header=msgspec.structs.replace(HEADER, end_reason="stopped")))
        await until(pilot, lambda: isinstance(pilot.app.screen, ResultScreen))
        told = [entry.text for entry in pilot.app.screen.query_one(TextRows).entries]
        assert "webbench-tui show 0000_camp-mugs --store /nowhere" in told
