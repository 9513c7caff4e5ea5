"""The stepper renders events and sends intents."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.recorded_page import HEADER, PAGE, TASK, episode
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest, until
from webbench.benchmarks.weblinx.benchmark import create
from webbench.core.action.action import Click, ElementRef, Type
from webbench.core.agent import Proposal
from webbench.core.engine.wire import messages
from webbench.core.observation import Dialog, Tab
from webbench.core.score.score import Score, Status
from webbench.core.settings.settings import Settings
from webbench.core.trajectory import Step
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.library.library import LibraryScreen
from webbench.tui.screens.stepper import live
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.episode_state import EpisodeState
from webbench.tui.screens.stepper.proposal_bar import ProposalBar
from webbench.tui.screens.stepper.result import ResultScreen
from webbench.tui.screens.stepper.stepper import StepperScreen
from webbench.tui.widgets.fields.notes import NoteInput, Notes
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.pane_bar import PaneBar
from webbench.tui.widgets.lines.title_line import TitleLine
from webbench.tui.widgets.lists.conversation import LiveConversation
from webbench.tui.widgets.lists.steps_panel import StepsPanel
from webbench.tui.widgets.picture.screenshot import ScreenshotView
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree


@asynccontextmanager
async def stepper(
    size: tuple[int, int] = (160, 48), *, notices: bool = False
) -> AsyncIterator[tuple[Pilot[None], SilentLink]]:
    """A stepper on the recorded page, its engine silent."""
    link = SilentLink()
    app = WorkbenchApp(Opening(store=Path("/nowhere"), task=TASK), Settings(), link=link)
    async with app.run_test(size=size, notifications=notices) as pilot:
        await first_screen(pilot)
        for event in episode():
            link.happen(event)
        await at_rest(pilot)
        yield pilot, link


def screen(pilot: Pilot[None]) -> StepperScreen:
    assert isinstance(pilot.app.screen, StepperScreen)
    return pilot.app.screen


async def go_to(pilot: Pilot[None], id: int) -> None:
    screen(pilot).query_one(AccessibilityTree).focus_id(id)
    await pilot.pause()


async def test_it_starts_the_episode_it_is_opened_for() -> None:
    async with stepper() as (_, link):
        started = [intent for intent in link.sent if isinstance(intent, messages.StartEpisode)]
        assert [intent.task for intent in started] == [TASK]


async def test_enter_on_a_node_shows_the_action_before_it_is_sent() -> None:
    async with stepper() as (pilot, link):
        await go_to(pilot, 11)
        await pilot.press("enter")
        assert screen(pilot).query_one(ActionBar).text == "click [11]"
        assert not [intent for intent in link.sent if isinstance(intent, messages.SendAction)]
        await pilot.press("enter")
        await pilot.pause()
        assert messages.SendAction(text="click [11]") in link.sent


async def test_what_is_typed_after_enter_on_a_field_is_its_text() -> None:
    async with stepper() as (pilot, link):
        await go_to(pilot, 4)
        await pilot.press("enter", *"mug", "quotation_mark", "right_square_bracket", "enter")
        await until(pilot, lambda: messages.SendAction(text='type [4] [mug"]] [1]') in link.sent)


async def test_ending_a_task_asks_for_the_answer_between_the_brackets() -> None:
    async with stepper() as (pilot, link):
        await pilot.press("f9", "2", *"42", "enter")
        await pilot.pause()
        assert messages.SendAction(text="stop [42]") in link.sent


async def test_a_task_that_wants_no_answer_ends_with_one_enter() -> None:
    async with stepper() as (pilot, link):
        await pilot.press("f9", "enter")
        await until(pilot, lambda: messages.SendAction(text="stop") in link.sent)


async def test_a_letter_leaves_out_the_enter_that_sends_a_search() -> None:
    async with stepper() as (pilot, link):
        await go_to(pilot, 4)
        await pilot.press("t", *"mug", "enter")
        await until(pilot, lambda: messages.SendAction(text="type [4] [mug] [0]") in link.sent)


async def test_keys_that_act_send_a_click_at_once_and_ask_for_a_value() -> None:
    async with stepper() as (pilot, link):
        tree = screen(pilot).query_one(AccessibilityTree)
        await pilot.press("F", *letters_of(tree, 11))
        await until(pilot, lambda: messages.SendAction(text="click [11]") in link.sent)
        await go_to(pilot, 13)
        await pilot.press("E")
        await until(pilot, lambda: messages.SendAction(text="click [13]") in link.sent)
        sent = len(link.sent)
        await go_to(pilot, 6)
        await pilot.press("E")
        await until(pilot, lambda: bool(pilot.app._notifications))
        assert "main" in next(iter(pilot.app._notifications)).message
        assert len(link.sent) == sent, "a landmark has no click at once"
        await pilot.press("F", *letters_of(tree, 4))
        await until(pilot, lambda: screen(pilot).query_one(ActionBar).text == "type [4] [] [1]")


def letters_of(tree: AccessibilityTree, node: int) -> str:
    tree.action_hints(True)
    label = tree.hints[node]
    tree._hints.close()
    return label


async def test_at_the_whole_score_the_footer_begins_with_handing_in() -> None:
    async with stepper() as (pilot, link):
        footer = screen(pilot).query_one(KeyFooter)
        assert footer.hints(80)[0][1] != "1.000, hand in"
        link.happen(messages.Scored(step=1, score=Score(status=Status.SCORED, value=1.0)))
        await until(pilot, lambda: footer.hints(80)[0][1] == "1.000, hand in")
        assert [title for _, title, _ in footer.hints(40)][-2:] == ["Library", "Help"]


async def test_undo_ends_the_attempt_and_forks_it_before_its_last_step() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.EpisodeStarted(header=HEADER))
        link.happen(messages.Observed(step=0, observation=PAGE))
        await until(pilot, lambda: not screen(pilot).state.steps)
        await pilot.press("u")
        assert not isinstance(pilot.app.screen, ChoicePrompt), "nothing was done yet"
        for index, ok in ((1, True), (2, True), (3, False)):
            step = Step(
                index=index, at="", text=f"click [{index}]", action=Click(target=ElementRef(id=3)), ok=ok
            )
            link.happen(messages.StepRecorded(step=step))
        await until(pilot, lambda: len(screen(pilot).state.steps) == 3)
        await pilot.press("u")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
        await pilot.press("enter")
        reason = "step 2 was taken back; a fork goes on before it"
        await until(pilot, lambda: messages.EndEpisode(reason=reason) in link.sent)
        link.happen(messages.EpisodeEnded(header=msgspec.structs.replace(HEADER, end_reason=reason)))
        await until(pilot, lambda: isinstance(link.sent[-1], messages.StartEpisode))
        started = link.sent[-1]
        assert isinstance(started, messages.StartEpisode)
        assert (started.resume, started.fork_step, started.takes_back) == ("run/0000_camp-mugs", 1, True)


async def test_where_the_next_page_tells_the_right_answer_nothing_is_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "find_benchmark", lambda _name: create())
    async with stepper() as (pilot, link):
        before = len(link.sent)
        await pilot.press("u")
        await until(pilot, lambda: any("right answer" in one.message for one in pilot.app._notifications))
        assert pilot.app.screen is screen(pilot)
        assert len(link.sent) == before
        assert not screen(pilot).matters("stepper.undo")


async def test_undo_keeps_the_agent_at_hand_and_counts_no_note_as_a_step() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.EpisodeStarted(header=HEADER))
        link.happen(messages.AgentChanged(name="oracle", running=True, spec="oracle slow", approval="always"))
        link.happen(messages.StepRecorded(step=Step(index=1, at="", note="a fork", ok=True)))
        link.happen(messages.StepRecorded(step=_clicked(2)))
        await until(pilot, lambda: len(screen(pilot).state.steps) == 2)
        await pilot.press("u")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
        assert messages.PauseAgent() in link.sent, "it would act on what is asked about"
        assert isinstance(pilot.app.screen, ChoicePrompt)
        assert "from the start" in pilot.app.screen.choices[0][1]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(link.sent[-1], messages.EndEpisode))
        link.happen(messages.EpisodeEnded(header=msgspec.structs.replace(HEADER, end_reason="undone")))
        await until(pilot, lambda: isinstance(link.sent[-1], messages.ChooseAgent))
        started, chosen = link.sent[-2:]
        assert isinstance(started, messages.StartEpisode)
        assert started.approval == "always"
        assert chosen == messages.ChooseAgent(spec="oracle slow")


async def test_what_was_done_while_undo_asked_is_not_taken_back_with_it() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.EpisodeStarted(header=HEADER))
        link.happen(messages.StepRecorded(step=_clicked(1)))
        await until(pilot, lambda: len(screen(pilot).state.steps) == 1)
        await pilot.press("u")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
        stepper_below = pilot.app.screen_stack[-2]
        assert isinstance(stepper_below, StepperScreen)
        link.happen(messages.StepRecorded(step=_clicked(2)))
        await until(pilot, lambda: len(stepper_below.state.steps) == 2)
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is stepper_below)
        await pilot.pause()
        assert not any(isinstance(intent, messages.EndEpisode) for intent in link.sent)


def _clicked(index: int) -> Step:
    return Step(index=index, at="", text=f"click [{index}]", action=Click(target=ElementRef(id=3)), ok=True)


async def test_keys_that_come_with_enter_are_no_part_of_what_it_sends() -> None:
    async with stepper() as (pilot, link):
        await pilot.press("f9", "2", *"42")
        for key, character in (("enter", "\r"), ("q", "q")):
            pilot.app.post_message(events.Key(key, character))
        await until(pilot, lambda: any(isinstance(intent, messages.SendAction) for intent in link.sent))
        assert messages.SendAction(text="stop [42]") in link.sent


async def test_what_takes_no_text_is_told_before_and_after_it_is_sent() -> None:
    async with stepper() as (pilot, link):
        await go_to(pilot, 11)
        await pilot.press("t")
        bar = screen(pilot).query_one(ActionBar)
        await until(pilot, lambda: bar.verdict.kind == "doubtful")
        assert bar.verdict.text.endswith("takes no text: click it")
        await pilot.press("enter")
        await until(pilot, lambda: not bar.text)
        action = Type(target=ElementRef(id=11), text="")
        told = "it takes no text"
        step = Step(
            index=9, at="", actor="human", action=action, text="type [11] [] [0]", ok=False, error=told
        )
        link.happen(messages.StepRecorded(step=step))
        link.happen(messages.Observed(step=9, observation=PAGE))
        line = bar.query_one(".verdict", Static)
        await until(pilot, lambda: "it takes no text" in str(line.render()))
        await pilot.press("b", "c")
        await until(pilot, lambda: "it takes no text" not in str(line.render()))


async def test_a_letter_chooses_another_verb() -> None:
    async with stepper() as (pilot, _):
        await go_to(pilot, 11)
        await pilot.press("m")
        assert screen(pilot).query_one(ActionBar).text == "hover [11]"


async def test_the_focused_node_is_outlined_on_the_picture() -> None:
    async with stepper() as (pilot, _):
        await go_to(pilot, 8)
        assert screen(pilot).query_one(ScreenshotView).focused_id == 8


async def test_a_click_on_the_picture_goes_to_the_node_and_a_double_click_acts_on_it() -> None:
    async with stepper() as (pilot, link):
        picture, tree = screen(pilot).query_one(ScreenshotView), screen(pilot).query_one(AccessibilityTree)
        button = PAGE.node(11)
        assert button is not None
        assert button.box is not None
        await until(pilot, lambda: picture.viewfinder.width == PAGE.viewport.width)
        picture.action_fit()
        await at_rest(pilot)
        column, row = picture.viewfinder.to_cell(*button.box.centre)
        cell = (int(column) + 1, int(row) + 1)
        await pilot.click(picture, offset=cell)
        await until(pilot, lambda: tree.node == button)
        await pilot.click(picture, offset=cell, times=2)
        await until(pilot, lambda: messages.SendAction(text="click [11]") in link.sent)


async def test_a_refused_action_says_why_and_keeps_the_text() -> None:
    async with stepper() as (pilot, link):
        await pilot.press("b")
        await pilot.press(*"clik")
        link.happen(
            messages.ActionRefused(text="clik", position=0, reason="no verb clik", nearest="click [id]")
        )
        await pilot.pause()
        shown = "\n".join(str(strip.text) for strip in pilot.app.screen._compositor.render_strips())
        assert "no verb clik" in shown


async def test_a_proposal_waits_for_a_person() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(messages.Proposed(proposal=Proposal(reasoning="it is wanted"), text="click [8]"))
        await pilot.pause()
        assert screen(pilot).query_one(ProposalBar).has_focus
        await pilot.press("enter")
        await pilot.pause()
        assert messages.SendAction(text="click [8]", actor="agent") in link.sent


async def test_an_edited_proposal_is_the_operators_and_tells_what_was_proposed() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(messages.Proposed(proposal=Proposal(), text="click [8]"))
        await pilot.pause()
        await pilot.press("e", "backspace", "backspace", "9", "right_square_bracket", "enter")
        await pilot.pause()
        assert messages.SendAction(text="click [9]", actor="operator", proposed="click [8]") in link.sent


async def test_a_rejected_proposal_carries_its_reason() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        link.happen(messages.Proposed(proposal=Proposal(), text="click [8]"))
        await pilot.pause()
        await pilot.press("x", *"wrong", "enter")
        await pilot.pause()
        assert messages.RejectProposal(reason="wrong") in link.sent
        assert not screen(pilot).query_one(ProposalBar).display


async def test_events_reach_the_stepper_below_a_dialog() -> None:
    async with stepper() as (pilot, link):
        await pilot.press("question_mark")
        link.happen(messages.Progress(text="acting", stage="action"))
        await pilot.pause()
        await pilot.press("escape")
        assert screen(pilot).state.stage == "action"


@pytest.mark.parametrize("key", ["O", "P"])
async def test_a_key_that_cannot_act_now_says_why(key: str) -> None:
    async with stepper() as (pilot, _):
        await pilot.press(key)
        await pilot.pause()
        assert [note.message for note in pilot.app._notifications] == ["No agent is chosen: A chooses one."]


async def test_single_letters_are_text_in_the_action_bar() -> None:
    async with stepper() as (pilot, _):
        await pilot.press("b", "q", "A", "1")
        assert screen(pilot).query_one(ActionBar).text == "qA1"


async def test_below_100_columns_one_pane_fills_the_screen() -> None:
    async with stepper((80, 24)) as (pilot, _):
        shown = [pane for pane in ("tree", "picture", "panel") if screen(pilot).query_one(f"#{pane}").region]
        assert shown == ["tree"]
        await pilot.press("tab")
        await pilot.pause()
        shown = [pane for pane in ("tree", "picture", "panel") if screen(pilot).query_one(f"#{pane}").region]
        assert shown == ["picture"]


async def test_below_100_columns_the_panes_are_tabs_that_can_be_clicked() -> None:
    async with stepper((80, 24)) as (pilot, _):
        bar = screen(pilot).query_one(PaneBar)
        line = bar.render_line(0).text
        assert "Page Screenshot 1 Score 2 Steps 3 Messages 4 Notes 5 Talk 6 Memory 7 HTML" in line
        await pilot.click(bar, offset=(line.index("Steps"), 0))
        await pilot.pause()
        assert screen(pilot).query_one("#steps").region
        assert bar.active == "steps"
        await pilot.click(bar, offset=(1, 0))
        await pilot.pause()
        assert screen(pilot).query_one("#tree").region
        assert bar.active == "tree"


async def test_where_all_panes_have_room_there_are_no_tabs_for_them() -> None:
    async with stepper() as (pilot, _):
        assert not screen(pilot).query_one(PaneBar).region


@pytest.mark.parametrize("key", ["escape", "ctrl+r"])
async def test_escape_and_enter_leave_the_episode_as_it_is(key: str) -> None:
    async with stepper() as (pilot, link):
        before = len(link.sent)
        for _ in range(2):
            await pilot.press(key, "enter")
            await pilot.pause()
        assert link.sent[before:] == []
        await pilot.press(key, "escape", key, "q", key, "4", "escape")
        await pilot.pause()
        assert link.sent[before:] == []
        assert pilot.app.screen is screen(pilot)


async def test_what_is_typed_on_after_escape_loses_no_attempt() -> None:
    async with stepper() as (pilot, link):
        before = len(link.sent)
        await pilot.press("escape", "slash", *"link ember", "enter")
        await pilot.pause()
        assert link.sent[before:] == []
        assert pilot.app.screen is screen(pilot)


ENDINGS = {"3": [messages.KeepEpisode()], "4": [messages.EndEpisode(reason="abandoned")]}


@pytest.mark.parametrize("digit", ENDINGS)
async def test_an_episode_that_is_left_is_kept_or_given_up_as_the_person_says(digit: str) -> None:
    async with stepper() as (pilot, link):
        before = len(link.sent)
        await pilot.press("escape", digit, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))
        assert link.sent[before:][:1] == ENDINGS[digit]


async def test_handing_in_waits_for_the_score_before_it_leaves() -> None:
    async with stepper() as (pilot, link):
        await pilot.press("escape", "2", "enter")
        await until(pilot, lambda: messages.SendAction(text="stop") in link.sent)
        assert pilot.app.screen is screen(pilot)
        link.happen(messages.EpisodeEnded(header=msgspec.structs.replace(HEADER, end_reason="stopped")))
        await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))
        assert messages.EndEpisode(reason="abandoned") not in link.sent


async def test_an_ended_episode_is_not_ended_again_and_left_at_the_first_key() -> None:
    async with stepper() as (pilot, _):
        ended = msgspec.structs.replace(HEADER, end_reason="stopped")
        screen(pilot).happened(messages.EpisodeEnded(header=ended))
        await until(pilot, lambda: isinstance(pilot.app.screen, ResultScreen))
        await pilot.press("escape", "b", *"stop", "enter")
        await until(pilot, lambda: len(pilot.app._notifications) == 1)
        told = [note.message for note in pilot.app._notifications]
        assert told == ["The episode has ended: stopped. ctrl+r starts again."]
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, ResultScreen))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))


@pytest.mark.parametrize("digit", ["2", *ENDINGS])
async def test_an_episode_that_ends_while_one_is_asked_is_left_and_not_ended_again(digit: str) -> None:
    async with stepper() as (pilot, link):
        before, stepping = len(link.sent), screen(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
        ended = msgspec.structs.replace(HEADER, end_reason="time limit of 60 s reached")
        link.happen(messages.EpisodeEnded(header=ended))
        await until(pilot, lambda: bool(stepping.state.ended))
        await pilot.press(digit, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))
        answers = (messages.SendAction, messages.KeepEpisode, messages.EndEpisode)
        assert not [intent for intent in link.sent[before:] if isinstance(intent, answers)]


async def test_what_is_typed_and_not_sent_is_not_left_unasked() -> None:
    async with stepper() as (pilot, _):
        screen(pilot).episode.state = EpisodeState(header=HEADER, observation=PAGE)
        await pilot.press("b", *"stop", "escape", "escape", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoicePrompt))
        assert "“stop” is not sent" in "\n".join(
            str(strip.text) for strip in pilot.app.screen._compositor.render_strips()
        )
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app.screen is screen(pilot)
        assert screen(pilot).query_one(ActionBar).text == "stop"


async def test_link_hints_stand_on_the_picture_too() -> None:
    async with stepper() as (pilot, _):
        await pilot.press("f")
        await pilot.pause()
        picture = screen(pilot).query_one(ScreenshotView)
        assert picture.labels == screen(pilot).query_one(AccessibilityTree).hints != {}
        await pilot.press("escape")
        await pilot.pause()
        assert picture.labels == {}


async def test_what_a_typed_action_refers_to_is_outlined_and_escape_leads_back() -> None:
    async with stepper() as (pilot, _):
        await pilot.press("b", *"click ", "left_square_bracket", "9", "right_square_bracket")
        await pilot.pause()
        assert screen(pilot).query_one(ScreenshotView).focused_id == 9
        await pilot.press("escape")
        await pilot.pause()
        assert screen(pilot).query_one(AccessibilityTree).has_focus


def asks(kind: Literal["confirm", "prompt"], default: str = "") -> messages.Observed:
    dialog = Dialog(kind, "Really [bold]leave?", default)
    return messages.Observed(step=1, observation=msgspec.structs.replace(PAGE, nodes=(), dialog=dialog))


def shown(pilot: Pilot[None]) -> str:
    return "\n".join(str(strip.text) for strip in pilot.app.screen._compositor.render_strips())


@pytest.mark.parametrize(("key", "sent"), [("Y", "dialog [accept]"), ("X", "dialog [dismiss]")])
async def test_an_open_dialog_is_told_and_answered_by_a_key(key: str, sent: str) -> None:
    async with stepper((80, 24)) as (pilot, link):
        link.happen(asks("confirm"))
        await pilot.pause()
        told = " ".join(shown(pilot).replace("│", " ").split())
        assert 'A confirm dialog holds the page: "Really [bold]leave?"' in told
        assert "Y accepts it, X dismisses it" in told
        assert "Y Accept" in shown(pilot).splitlines()[-1]
        assert "No page yet" not in shown(pilot)
        await pilot.press(key)
        await pilot.pause()
        assert messages.SendAction(text=sent) in link.sent


async def test_a_prompt_is_answered_with_a_text_and_gone_it_leaves_no_trace() -> None:
    async with stepper() as (pilot, link):
        link.happen(asks("prompt", "my name"))
        await pilot.pause()
        await pilot.press("Y")
        assert screen(pilot).query_one(ActionBar).input.selected_text == "my name"
        await pilot.press(*"me", "enter")
        assert messages.SendAction(text="dialog [accept] [me]") in link.sent
        for event in episode()[1:3]:
            link.happen(event)
        await pilot.pause()
        assert "dialog" not in shown(pilot)
        await pilot.press("Y")
        assert any("no dialog" in note.message for note in pilot.app._notifications)


async def test_where_there_is_no_page_the_tree_says_why() -> None:
    async with stepper() as (pilot, link):
        told = "No page was recorded up to this turn"
        nothing = msgspec.structs.replace(PAGE, nodes=(), condition="unreadable", problem=told)
        link.happen(messages.Observed(step=1, observation=nothing))
        await pilot.pause()
        tree = screen(pilot).query_one(AccessibilityTree)
        assert tree.render_line(0).text.strip().startswith(told)


async def test_a_tab_is_chosen_by_a_click() -> None:
    async with stepper() as (pilot, link):
        tabs = (Tab(0, "one", "http://a"), Tab(1, "two", "http://b", active=True))
        link.happen(messages.Observed(step=1, observation=msgspec.structs.replace(PAGE, tabs=tabs)))
        await pilot.pause()
        await pilot.click("#tabs", offset=(2, 0))
        await pilot.pause()
        assert messages.SendAction(text="tab_focus [0]") in link.sent


async def test_the_step_under_the_cursor_is_told_in_full() -> None:
    async with stepper() as (pilot, _):
        await pilot.press("2")
        await pilot.pause()
        labels = {entry.label: entry.text for entry in screen(pilot).query_one(StepsPanel).detail.entries}
        assert labels["action"] == "click [11]"
        assert labels["by"] == "human"
        assert labels["seconds"] == "idle 4.0s · page 120ms · scoring 10ms"


async def test_notes_of_the_record_stand_in_the_panel() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.StepRecorded(step=Step(index=2, at="", actor="operator", note="odd [/]")))
        await pilot.pause()
        assert screen(pilot).query_one(Notes).notes == ((2, "odd [/]"),)
        await pilot.press("4", "enter", *"mine", "enter")
        await pilot.pause()
        assert messages.AddNote(text="mine") in link.sent


async def test_a_search_without_a_match_shows_what_was_shown_before() -> None:
    async with stepper() as (pilot, _):
        await go_to(pilot, 9)
        await pilot.press("slash", *"hea")
        tree = screen(pilot).query_one(AccessibilityTree)
        assert tree.node is not None
        assert tree.node.id == 7
        await pilot.press(*"zz")
        assert tree.node.id == 9


async def test_a_proposal_outlines_its_target() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.Proposed(proposal=Proposal(), text="click [10]"))
        await pilot.pause()
        tree = screen(pilot).query_one(AccessibilityTree)
        assert tree.node is not None
        assert tree.node.id == screen(pilot).query_one(ScreenshotView).focused_id == 10


async def test_a_person_takes_over_from_a_running_agent() -> None:
    async with stepper() as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=True))
        await pilot.press("b", *"scroll ", "left_square_bracket", *"down", "right_square_bracket", "enter")
        await pilot.pause()
        assert messages.SendAction(text="scroll [down]", actor="operator") in link.sent
        assert any("took over" in note.message for note in pilot.app._notifications)


async def test_an_agent_that_is_let_run_is_paused_by_the_next_key_however_soon() -> None:
    async with stepper((80, 24)) as (pilot, link):
        link.happen(messages.AgentChanged(name="oracle", running=False))
        await until(pilot, lambda: bool(screen(pilot).state.agent))
        before = len(link.sent)
        await pilot.press("P", "P")
        await until(pilot, lambda: len(link.sent) == before + 2)
        assert link.sent[before:] == [messages.RunAgent(), messages.PauseAgent()]
        footer = screen(pilot).query_one(KeyFooter)
        assert "ctrl+s" in [key for key, _, _ in footer.hints(80)], "handing in is in reach beside an agent"


async def test_it_begins_at_main_and_landmarks_leave_the_filter_on() -> None:
    async with stepper() as (pilot, _):
        tree = screen(pilot).query_one(AccessibilityTree)
        assert tree.node is not None
        assert tree.node.role == "main", "a page that has the focus itself is no element with the focus"
        await pilot.press("i", "right_curly_bracket")
        assert (tree.filter.interactive, tree.node.id) == (True, 8)
        await pilot.press("right_curly_bracket")
        assert (tree.filter.interactive, tree.node.id) == (True, 3)


async def test_the_clock_stops_with_the_episode() -> None:
    async with stepper() as (pilot, link):
        clock = screen(pilot).query_one(TitleLine).clock
        assert clock.running
        link.happen(messages.EpisodeEnded(header=msgspec.structs.replace(HEADER, end_reason="stopped")))
        await pilot.pause()
        assert not clock.running
        assert "paused" not in str(clock.content)


@pytest.mark.parametrize("size", [(220, 56), (100, 30)])
async def test_the_pages_text_stands_on_the_picture(size: tuple[int, int]) -> None:
    async with stepper(size) as (pilot, _):
        picture = screen(pilot).query_one(ScreenshotView)
        await go_to(pilot, 12)

        def written() -> str:
            return "\n".join(picture.render_line(y).text for y in range(picture.size.height))

        await until(pilot, lambda: "[bold]markup[/] ␛[2J is only text" in written())
        before = picture.size
        await pilot.press("f2")
        await until(pilot, lambda: picture.size.width > before.width and picture.has_focus)
        await pilot.press("f2")
        await until(pilot, lambda: screen(pilot).query_one(AccessibilityTree).has_focus)
        await pilot.press("T")
        await until(pilot, lambda: "only text" not in written())


@pytest.mark.parametrize(("key", "panel"), [("4", "#notes"), ("6", "#memory")])
async def test_the_field_of_a_panel_takes_what_is_typed_and_escape_gives_the_focus_back(
    key: str, panel: str
) -> None:
    async with stepper() as (pilot, link):
        before = len(link.sent)
        await pilot.press(key, *"odd quit", "escape")
        await pilot.pause()
        field = screen(pilot).query_one(panel, Notes).query_one(NoteInput)
        assert (field.value, field.has_focus, link.sent[before:]) == ("odd quit", False, [])
        await pilot.press("1")
        await pilot.pause()
        assert screen(pilot).pane_in_front == "score"
        await pilot.press(key, "enter")
        await until(pilot, lambda: len(link.sent) > before)
        assert "odd quit" in str(link.sent[before])


async def test_an_intent_that_is_cut_names_the_key_that_shows_all_of_it() -> None:
    async with stepper((80, 24)) as (pilot, _):
        screen(pilot).query_one(TitleLine).shown_task = msgspec.structs.replace(TASK, intent="buy mugs " * 60)
        await until(pilot, lambda: "… I all" in _rows(pilot)[2])


def _rows(pilot: Pilot[None]) -> list[str]:
    return [str(strip.text) for strip in pilot.app.screen._compositor.render_strips()]


async def test_the_title_counts_what_the_limit_counts() -> None:
    async with stepper() as (pilot, link):
        note = Step(index=2, at="", note="odd", limit_count=1)
        link.happen(messages.StepRecorded(step=note))
        link.happen(messages.StepRecorded(step=Step(index=3, at="", text="scroll [up]", limit_count=2)))
        await pilot.pause()
        assert screen(pilot).query_one(TitleLine).step == 2


async def test_what_an_instructor_says_shows_at_once_and_the_navigator_answers_in_talk() -> None:
    async with stepper() as (pilot, link):
        proposed = messages.Proposed(proposal=Proposal(), text="click [1]")
        link.happen(proposed)
        at = screen(pilot).state.steps[-1].index + 1
        link.happen(messages.StepRecorded(step=Step(index=at, at="", note="instructor: Look for mugs")))
        await at_rest(pilot)
        (turn,) = screen(pilot).query_one(LiveConversation).turns
        assert (turn.speaker, turn.text) == ("instructor", "Look for mugs")
        assert screen(pilot).query_one(ProposalBar).display, "the agent's proposal stays open"
        screen(pilot).query_one(AccessibilityTree).focus()
        await pilot.press("5", "enter", *"Which", "enter")
        await at_rest(pilot)
        assert link.sent[-1] == messages.AddNote(text="navigator: Which")
