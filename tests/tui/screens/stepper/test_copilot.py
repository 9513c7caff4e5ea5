"""The stepper with an agent beside the person: candidates, policies, the guard's question."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual.widgets import OptionList

from tests.tui.recorded_page import HEADER, PAGE
from tests.tui.screens.stepper.test_stepper import screen, stepper
from webbench.core.agent import Proposal
from webbench.core.benchmark.benchmark import ends_by_submitting
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.engine.wire import messages
from webbench.core.episode.candidates import WordedCandidate
from webbench.core.settings.settings import Settings
from webbench.core.task import Task
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.episode_state import EpisodeState
from webbench.tui.screens.stepper.proposal_bar import ProposalBar
from webbench.tui.widgets.picture.screenshot import ScreenshotView

CANDIDATES = (
    WordedCandidate(text="click [8]"),
    WordedCandidate(text="click [11]", score=0.5),
    WordedCandidate(text="scroll [down]"),
)


def proposed(candidates: Sequence[WordedCandidate] = CANDIDATES, asked: str = "") -> messages.Proposed:
    return messages.Proposed(
        proposal=Proposal(), text=candidates[0].text, candidates=tuple(candidates), asked=asked
    )


async def test_another_candidate_is_outlined_and_picked() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(proposed())
        await pilot.pause()
        picture = screen(pilot).query_one(ScreenshotView)
        assert picture.focused_id == 8
        await pilot.press("down")
        await pilot.pause()
        assert picture.focused_id == 11
        await pilot.press("enter")
        await pilot.pause()
        assert messages.SendAction(text="click [11]", actor="agent") in link.sent


async def test_what_is_asked_shows_while_the_agent_goes_on_by_itself() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=True, approval="changes"))
        link.happen(proposed(asked="navigates"))
        link.happen(messages.AgentChanged(name="oracle", running=False, waiting=True, approval="changes"))
        await pilot.pause()
        title = str(screen(pilot).query_one(ProposalBar).border_title)
        assert title == "oracle waits for you: it navigates · policy: changes"
        await pilot.press("P")
        await pilot.pause()
        assert link.sent[-1] == messages.PauseAgent()


async def test_the_key_that_runs_the_agent_stops_a_proposal_that_is_under_way() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(messages.Progress(text="oracle is thinking", stage="agent"))
        await pilot.pause()
        assert screen(pilot).footer_titles["stepper.run"] == "Pause"
        await pilot.press("P")
        await pilot.pause()
        assert link.sent[-1] == messages.PauseAgent()


async def test_an_agent_that_gave_no_action_can_be_asked_again() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(messages.Proposed(proposal=Proposal(), text="", error="it ended"))
        await pilot.pause()
        bar = screen(pilot).query_one(ProposalBar)
        assert str(bar.border_title) == "oracle gave no action"
        assert str(bar.border_subtitle) == "O asks it again · P lets it go on"


async def test_the_guard_asks_before_anything_is_sent() -> None:
    guarded = WordedCandidate(text="click [8]", guard='purchase (button "Pay")')
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(proposed((guarded,), asked="guard: purchase"))
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ChoicePrompt)
        assert 'purchase (button "Pay")' in pilot.app.screen.question
        await pilot.press("enter")
        await pilot.pause()
        assert not [one for one in link.sent if isinstance(one, messages.SendAction)], (
            "the first answer is no"
        )
        await pilot.press("enter", "2")
        await pilot.pause()
        assert link.sent[-1] == messages.SendAction(text="click [8]", actor="agent", confirmed=True)


@pytest.mark.thorough
async def test_a_policy_is_chosen_and_a_single_step_asked_for() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        await pilot.pause()
        await pilot.press("V", "2")
        await pilot.press("L")
        await pilot.pause()
        assert link.sent[-2:] == [messages.SetApproval(approval="changes"), messages.RunAgent(steps=1)]


@pytest.mark.thorough
async def test_an_edit_that_is_left_shows_the_proposal_again() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(proposed())
        await pilot.pause()
        await pilot.press("down", "e")
        await pilot.pause()
        assert screen(pilot).query_one(ActionBar).text == "click [11]"
        await pilot.press("escape")
        await pilot.pause()
        bar = screen(pilot).query_one(ProposalBar)
        assert (bar.display, bar.has_focus) == (True, True), "so Enter accepts, as the bar says"


@pytest.mark.parametrize(
    ("benchmark", "site", "submits"),
    [
        ("webarena", "SHOPPING", False),
        ("turkingbench", "", True),
        ("demo", "annotation", True),
        ("demo", "shop", False),
    ],
)
def test_how_a_task_usually_ends_is_known_of_its_benchmark(benchmark: str, site: str, submits: bool) -> None:
    task = Task(benchmark=benchmark, name="any", site=site)
    assert ends_by_submitting(find_benchmark(benchmark), task) is submits


async def test_the_cursor_is_on_what_ends_a_task_in_its_benchmarks_way() -> None:
    async with stepper() as (pilot, _):
        for benchmark, site, ways, usual, title in (
            ("turkingbench", "", ["stop", "answer", "submit"], 2, "Submit"),
            ("webarena", "SHOPPING", ["stop", "answer"], 1, "Stop"),
        ):
            shown = screen(pilot)
            shown.episode.task = Task(benchmark=benchmark, name="any", site=site)
            assert shown.footer_titles["stepper.submit"] == title
            await pilot.press("f9")
            await pilot.pause()
            asked = pilot.app.screen
            assert isinstance(asked, ChoicePrompt)
            assert [way for way, _ in asked.choices] == ways, "one digit for each on all tasks"
            assert asked.query_one(OptionList).highlighted == usual
            await pilot.press("escape")


async def test_a_proposal_that_waits_is_not_left_unasked() -> None:
    async with stepper() as (pilot, link):
        screen(pilot).episode.state = EpisodeState(header=HEADER, observation=PAGE)
        link.happen(messages.AgentChanged(name="oracle", running=False, approval="always"))
        link.happen(proposed())
        await pilot.pause()
        await pilot.press("e", "escape", "escape")
        await pilot.pause()
        asked = pilot.app.screen
        assert isinstance(asked, ChoicePrompt)
        assert "a proposal waits" in asked.question
        assert messages.EndEpisode(reason="abandoned") not in link.sent
        await pilot.press("escape", "enter")
        await pilot.pause()
        assert messages.SendAction(text="click [8]", actor="agent") in link.sent, "it still waits"


async def test_the_policy_in_force_is_where_the_cursor_begins() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False, approval="changes"))
        await pilot.pause()
        await pilot.press("V")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert link.sent[-1] == messages.SetApproval(approval="changes")


async def test_the_policy_of_the_settings_is_in_force_before_an_agent_is_chosen() -> None:
    async with stepper() as (pilot, link):
        screen(pilot).workbench.settings = Settings(approval="changes")
        await pilot.press("V")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ChoicePrompt)
        assert pilot.app.screen.question.endswith("Now: changes")
        await pilot.press("enter")
        await pilot.pause()
        assert link.sent[-1] == messages.SetApproval(approval="changes")
