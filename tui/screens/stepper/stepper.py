"""The stepper: one live task; tree and picture side by side, actions below, the score beside."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import ContentSwitcher

from webbench.core.action.action import Action, Click, ClickAt, FocusTab, Remember
from webbench.core.dialects.dialect import Dialect
from webbench.core.dialects.wording import wording
from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.episode.utterances import (
    NAVIGATOR,
    Utterance,
    conversation,
    instructor_of,
    spoken_in,
    utterance_of,
)
from webbench.core.score.score import Status
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import Library, TaskList, go_to
from webbench.tui.engine_link import EngineLink
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.dialogs.step_outside import StepOutside, StepPlace
from webbench.tui.screens.node_html import NodeHtml, RecordedHtml
from webbench.tui.screens.page_panes import PagePanes
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.agent import AgentControls
from webbench.tui.screens.stepper.answer_preview import AnswerPreview
from webbench.tui.screens.stepper.episode_state import EpisodeState
from webbench.tui.screens.stepper.javascript_dialog import ANSWERS, DialogAnswers
from webbench.tui.screens.stepper.leaving_episode import Parting
from webbench.tui.screens.stepper.live import Line, LiveEpisode
from webbench.tui.screens.stepper.node_verbs import NEED_NO_VALUE, natural_verb, reference
from webbench.tui.screens.stepper.person import PersonActions
from webbench.tui.screens.stepper.proposal_bar import ProposalBar
from webbench.tui.screens.stepper.result import EpisodeEnd
from webbench.tui.widgets.fields.action_verdict import node_words
from webbench.tui.widgets.fields.notes import Memory, Notes
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.pane_bar import PaneBar
from webbench.tui.widgets.lines.tabs_bar import TabsBar
from webbench.tui.widgets.lines.title_line import TitleLine
from webbench.tui.widgets.lists.conversation import Conversation, LiveConversation
from webbench.tui.widgets.lists.html_pane import HtmlPane
from webbench.tui.widgets.lists.messages_log import MessagesLog
from webbench.tui.widgets.lists.step_list import StepList
from webbench.tui.widgets.lists.steps_panel import StepsPanel
from webbench.tui.widgets.lists.task_preview import task_entries
from webbench.tui.widgets.picture.screenshot import ScreenshotView
from webbench.tui.widgets.score.score_tree import ScoreTree
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

if TYPE_CHECKING:
    from webbench.tui.opening import Opening

LONGEST_TOLD = 160
"""Characters of an answer or error that a notice shows; on a small screen more would cover the score."""
MOST_DOUBTS = 3
"""Steps that a notice names after which a fork isn't sure of the page; the notes have them all."""
AGENT_ACTIONS = frozenset({"stepper.propose", "stepper.run", "stepper.single_step", "stepper.approval"})
ACTS = frozenset({"tree.act", "tree.at_once"})
WHILE_IT_RESTS = frozenset({"stepper.propose", "stepper.single_step"})


class StepperScreen(PagePanes, ScreenOffers):
    """Sends intents to the engine and renders what comes back; it computes nothing itself.

    It owns the live episode and hands it to its parts: each of them is about one side of it, and holds
    what is its own. Keys and messages arrive here.
    """

    CSS_PATH = stylesheet("panes")

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("stepper")]
    starts_again = True
    """Whether the person may start the task again."""

    def __init__(self, task: Task, opening: Opening, among: TaskList | None = None) -> None:
        super().__init__()
        self.episode = LiveEpisode(self, task, opening, lambda: self.link)
        self.agent = AgentControls(self, self.episode, edit=self.edit_action)
        self.person = PersonActions(self, self.episode, self.agent)
        self.dialogs = DialogAnswers(self, self.episode, send=self.send_action, draft=self.person.draft)
        self.preview = AnswerPreview(self, self.episode)
        self.parting = Parting(self, self.episode)
        self.outside = StepOutside(self, self._place)
        self.html = NodeHtml(self, self._recorded_html)
        again = self._start_again if self.starts_again else None
        record = self.person.record_task if self.starts_again else None
        self.end = EpisodeEnd(self, self.episode, among, again=again, back=self._go_to_library, record=record)

    @property
    def state(self) -> EpisodeState:
        return self.episode.state

    @property
    def dialect(self) -> Dialect:
        return self.episode.dialect

    @property
    def link(self) -> Line:
        """The line to whoever plays the episode."""
        return self.workbench.link

    def compose(self) -> ComposeResult:
        yield TitleLine(id="title")
        yield TabsBar(id="tabs")
        yield PaneBar(self.pane_titles(), id="pane-bar")
        with Container(id="panes"):
            yield AccessibilityTree(id="tree")
            yield ScreenshotView(self.graphics, id="picture")
            with ContentSwitcher(id="panel", initial=self.panels[0]):
                yield ScoreTree(id="score")
                yield StepsPanel(id="steps")
                yield MessagesLog(id="messages")
                yield Notes(id="notes")
                yield LiveConversation(id="conversation")
                yield Memory(id="memory")
                yield HtmlPane(id="html")
        yield ProposalBar(id="proposal")
        yield ActionBar(id="action")
        yield KeyFooter()

    async def on_mount(self) -> None:
        self.query_one(TitleLine).shown_task = self.episode.task
        self.query_one(ActionBar).dialect = self.dialect
        self.query_one(AccessibilityTree).focus()
        self.place_panes()
        await self.start_episode(self.episode.opening.resume, self.episode.opening.fork_step)

    async def start_episode(self, resume: str = "", fork_step: int | None = None) -> None:
        self.query_one(TitleLine).progress = "starting"
        await self.episode.send(msgspec.structs.replace(self.how_to_start(resume), fork_step=fork_step))

    async def _go_on_before(self, step: Step, attempt: str) -> None:
        """A fork of an attempt that repeats what came before the step; clock and agent stay as they are."""
        self.query_one(TitleLine).progress = "starting"
        how, agent, approval = self.how_to_start(attempt), self.state.agent_spec, self.state.approval
        fork = msgspec.structs.replace(how, fork_step=step.index - 1, takes_back=True, approval=approval)
        await self.episode.send(fork)
        if agent != how.agent:
            await self.episode.send(messages.ChooseAgent(spec=agent))

    def how_to_start(self, resume: str) -> messages.StartEpisode:
        return self.episode.how_to_start(resume)

    # -- what the footer shows -----------------------------------------------------------------

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if id in AGENT_ACTIONS:
            running = id in WHILE_IT_RESTS and self.state.agent_going
            return bool(self.state.agent) and not self.state.ended and not running
        if id in ANSWERS:
            return self.dialogs.open_dialog is not None and not self.state.ended
        if id in ACTS and self.dialogs.open_dialog is not None:
            return False
        if id == "stepper.record":
            return "start" in self.episode.task.data and self.state.proposal is None
        if id == "proposal.next":
            return self.query_one(ProposalBar).several
        if id == "stepper.undo":
            may = self.state.last_effect is not None and not self.state.ended
            return may and self.episode.may_take_back
        if id == "stepper.restart":
            return bool(self.state.ended)
        return not (self.state.ended and (id in ACTS or id == "stepper.act"))

    @property
    def _solved(self) -> bool:
        score = self.state.score
        return (
            score is not None and score.status is Status.SCORED and score.value == 1 and not self.state.ended
        )

    @property
    def footer_titles(self) -> dict[str, str]:
        usual = "Submit" if self.episode.ends_by_submitting else "Stop"
        at_the_end = "Result" if self.state.ended else usual
        return {
            "stepper.run": "Pause" if self.state.agent_at_work else "Run",
            "stepper.submit": "1.000, hand in" if self._solved else at_the_end,
        }

    @property
    def footer_ranks(self) -> dict[str, int]:
        """What the task asks for is done: handing it in comes first. An agent's keys don't displace it."""
        if self._solved:
            return {"stepper.submit": 0}
        return {"stepper.submit": 2} if self.state.agent else {}

    # -- what comes from the engine ------------------------------------------------------------

    def on_engine_link_happened(self, message: EngineLink.Happened) -> None:
        self.happened(message.event)

    def happened(self, event: messages.Event) -> None:
        """Render an event."""
        self.episode.take_in(event)
        match event:
            case messages.EpisodeStarted():
                self._episode_started(event)
            case messages.Observed():
                self._observed(event)
            case messages.Pictured():
                picture = self.query_one(ScreenshotView)
                picture.show(event.data, scale=event.scale, full_page=event.full_page, origin=event.origin)
            case messages.Scored():
                self.query_one(ScoreTree).score = event.score
                self.query_one(TitleLine).score = event.score
                self.query_one(KeyFooter).refresh()
            case messages.FiguresCounted():
                self.query_one(ScoreTree).sitting = event
            case messages.AnswerPreviewed():
                self.preview.show(event)
            case messages.VerdictWanted():
                self.person.ask_verdict(event.question)
            case messages.StepRecorded():
                self._step_recorded(event)
            case messages.Progress():
                self.query_one(TitleLine).progress = event.text
                self.query_one(KeyFooter).refresh()
            case messages.ActionRefused():
                self._refused(event)
            case messages.Replayed():
                self._replayed(event)
            case messages.EpisodeEnded():
                self._episode_ended(event)
            case messages.EpisodeKept():
                self.query_one(TitleLine).stop_clock()
            case messages.Trouble():
                self._trouble(event)
            case catalogue_messages.TaskRead(task=task):
                self.end.task_read(task)
            case _:
                self.agent.show(event)

    def _episode_started(self, event: messages.EpisodeStarted) -> None:
        self.parting.stay()
        title = self.query_one(TitleLine)
        title.start_clock(event.header.elapsed_before)
        title.driver = event.header.driver
        if title.shown_task is not None and not title.shown_task.intent:  # its page has told it now
            title.shown_task = event.header.task
        title.step, title.score, title.agent = 0, None, ("", "")
        limit = event.header.settings.get("step_limit")
        title.limit = limit if isinstance(limit, int) else 0
        self.query_one(ScoreTree).reset()
        self.query_one(StepsPanel).clear()
        self.query_one(MessagesLog).clear()
        self.query_one("#notes", Notes).notes = self.query_one(Memory).notes = ()
        self.query_one(Conversation).turns = ()
        if instructor_of(event.header):
            self.query_one(ContentSwitcher).current = "conversation"
        self.query_one(ActionBar).invitation = ""
        self.query_one(ActionBar).show_failure("")
        self.agent.show_proposal(None)
        self.query_one(KeyFooter).refresh()

    def _observed(self, event: messages.Observed) -> None:
        observation = event.observation
        self.dialogs.show(observation)
        self.query_one(AccessibilityTree).observation = observation
        self.query_one(ActionBar).observation = observation
        self.query_one(TabsBar).tabs = observation.tabs
        self.query_one(TitleLine).observation = observation
        self._converse(event)
        if observation.messages:
            self.query_one(MessagesLog).extend(event.step, observation.messages)
        picture = self.query_one(ScreenshotView)
        picture.observation = observation
        if observation.condition != "ok":
            picture.clear(observation.problem)

    def _converse(self, event: messages.Observed) -> None:
        """Where a task begins with a dialogue, that is the first thing to read."""
        turns = self.query_one(Conversation).turns
        if event.observation.dialogue and not turns and event.step == 0:
            self.query_one(ContentSwitcher).current = "conversation"
        self._show_talk()

    def _show_talk(self) -> None:
        state = self.state
        dialogue = state.observation.dialogue if state.observation is not None else ()
        self.query_one(Conversation).turns = conversation(state.header, dialogue, state.steps)

    def _step_recorded(self, event: messages.StepRecorded) -> None:
        step = event.step
        self.query_one(StepsPanel).add(self.state.steps[-1])
        self.query_one(TitleLine).step = step.limit_count
        if step.note:
            self.query_one("#notes", Notes).add(step.index, step.note)
        if utterance_of(step) is not None:
            self._show_talk()
        if spoken_in(step.note):  # somebody spoke meanwhile: what is open stays open
            return
        if isinstance(step.action, Remember):
            self.query_one(Memory).add(step.index, step.action.text)
        self.agent.show_proposal(None)
        self.html.show_soon()
        by_person = step.actor != "agent"
        self.query_one(ActionBar).show_failure(step.error or "" if by_person else "")
        if by_person:
            self._tell_outcome(step)

    def _tell_outcome(self, step: Step) -> None:
        """What a person's action came to; an agent's stands in the steps panel, and covers nothing."""
        if step.error:
            self.notify(plain_text(step.error, limit=LONGEST_TOLD), severity="warning", markup=False)
        elif step.output:
            shown = plain_text(step.output, limit=LONGEST_TOLD)
            whole = f"\n{shown_key(self.app, 'stepper.panel_steps')} shows all of it"
            more = whole if len(step.output) > LONGEST_TOLD else ""
            self.notify(shown + more, title="Answer", markup=False, timeout=6)

    def _refused(self, event: messages.ActionRefused) -> None:
        """The text was no action: put it back into the bar, with the reason."""
        bar = self.query_one(ActionBar)
        if not bar.text:
            bar.set_text(event.text, cursor=event.position, focus=not self.state.agent_running)
        bar.show_error(f"at {event.position + 1}: {event.reason}; try {event.nearest}")

    def _replayed(self, event: messages.Replayed) -> None:
        text = plain_text(event.headline())
        if self.state.agent:
            runs = shown_key(self.app, "stepper.run")
            text += f"\nthe agent {plain_text(self.state.agent)} is paused, {runs} lets it go on"
        doubts = [plain_text(one.headline(), limit=LONGEST_TOLD) for one in event.unsure[:MOST_DOUBTS]]
        title = "Resumed" if event.origin is None else f"Forked at step {event.origin.step}"
        self.notify("\n".join([text, *doubts]), title=title, markup=False, timeout=8)

    def _episode_ended(self, event: messages.EpisodeEnded) -> None:
        title = self.query_one(TitleLine)
        title.stop_clock()
        title.progress = f"ended: {event.header.end_reason}"
        self.query_one(ActionBar).invitation = f"The episode has ended: {self.told_at_the_end()}"
        self.agent.show_proposal(None)
        self.query_one(KeyFooter).refresh()
        if self.parting.takes_back:
            self.parting.episode_ended()
            return
        self._tell_result(event.header)
        self.parting.episode_ended()

    def _tell_result(self, header: EpisodeHeader) -> None:
        """The result at once; in a notice where the person is in the midst of something else."""
        busy = self.app.screen is not self or bool(self.parting.unsent())
        if not (busy or self.parting.under_way):
            self.end.show()
            return
        score, key = header.score, shown_key(self.app, "stepper.submit")
        more = "" if self.parting.under_way else f"\n{key} shows the result"
        told = f"{header.end_reason}\nscore {score.headline() if score else 'none'}{more}"
        self.notify(plain_text(told, newlines="keep"), title="Episode ended", markup=False, timeout=8)

    def told_at_the_end(self) -> str:
        """Where one can go from an episode that has ended."""
        again, back = shown_key(self.app, "stepper.restart"), shown_key(self.app, "stepper.back")
        return f"{again} starts again, {back} goes to the library"

    def _trouble(self, event: messages.Trouble) -> None:
        if not event.warning:
            self.parting.stay()
        text = plain_text(event.message) + (f"\n{plain_text(event.hint)}" if event.hint else "")
        if event.warning:
            self.notify(text, title="Mind", severity="warning", markup=False, timeout=12)
            return
        self.notify(text, title="Trouble", severity="error", markup=False, timeout=12)
        if event.fatal or self.state.header is None:
            self.query_one(TitleLine).progress = event.message
            self.query_one(ScreenshotView).clear(f"{event.message}: {event.hint}")

    # -- between the panes ---------------------------------------------------------------------

    def on_accessibility_tree_hints_changed(self, message: AccessibilityTree.HintsChanged) -> None:
        self.query_one(ScreenshotView).labels = message.labels

    def on_action_bar_target_changed(self, message: ActionBar.TargetChanged) -> None:
        here = message.node or self.query_one(AccessibilityTree).node
        self.query_one(ScreenshotView).focused_id = here.id if here is not None else None

    def on_action_bar_left(self) -> None:
        self.agent.back_to_proposal()

    def on_action_bar_answer_typed(self, message: ActionBar.AnswerTyped) -> None:
        self.preview.answer_typed(message.answer)

    def on_score_tree_check_focused(self, message: ScoreTree.CheckFocused) -> None:
        """A check about a form field outlines that field."""
        observation = self.state.observation
        if observation is None or not message.target or not self.query_one(ScoreTree).has_focus:
            return
        field = next((one for one in observation.nodes if one.attributes.get("name") == message.target), None)
        if field is not None:
            self.query_one(ScreenshotView).focused_id = field.id

    # -- what a person does --------------------------------------------------------------------

    async def send_action(self, text: str) -> None:
        """Send an action that a person wrote or chose."""
        self.parting.stay()
        await self.person.send(text)

    def edit_action(self, text: str) -> None:
        """Put a draft into the action bar and go there; Escape comes back to where one was."""
        self.person.edit(text)

    async def on_accessibility_tree_node_activated(self, message: AccessibilityTree.NodeActivated) -> None:
        verb = natural_verb(message.node)
        if message.at_once and not message.node.interactive:
            told = f"{node_words(message.node)} takes no click, as far as the page tells: nothing was sent."
            self.notify(f"{told}\n{shown_key(self.app, 'tree.act')} writes the click to send.", markup=False)
        elif message.at_once and verb in NEED_NO_VALUE:
            await self.send_action(self.person.verb_words(message.node, verb))
        else:
            self.person.draft_verb(message.node, verb)

    def on_accessibility_tree_verb_chosen(self, message: AccessibilityTree.VerbChosen) -> None:
        self.person.draft_verb(message.node, message.verb)

    def on_step_list_step_activated(self, message: StepList.StepActivated) -> None:
        if message.step.text:
            self.edit_action(message.step.text)

    async def on_screenshot_view_point_activated(self, message: ScreenshotView.PointActivated) -> None:
        point = message.point
        action: Action = (
            Click(target=reference(point.node)) if point.node is not None else ClickAt(x=point.x, y=point.y)
        )
        await self.send_action(wording(self.dialect, action))

    async def on_tabs_bar_tab_chosen(self, message: TabsBar.TabChosen) -> None:
        await self.send_action(wording(self.dialect, FocusTab(index=message.index)))

    async def on_action_bar_action_submitted(self, message: ActionBar.ActionSubmitted) -> None:
        await self.send_action(message.text)
        self.focus_pane()

    async def on_memory_remembered(self, message: Memory.Remembered) -> None:
        await self.send_action(wording(self.dialect, Remember(text=message.text)))

    async def on_notes_note_written(self, message: Notes.NoteWritten) -> None:
        await self.episode.send(messages.AddNote(text=message.text))

    def on_live_conversation_speaking(self) -> None:
        """Ask for what is to be said; it goes into the record in the speaker's name."""

        def said(text: str | None) -> None:
            if text and text.strip():
                self.episode.send_soon(self.spoken(text.strip()))

        self.app.push_screen(TextPrompt(f"What do you say, as the {self.speaker}?"), said)

    @property
    def speaker(self) -> str:
        """Who the person here is in the conversation."""
        return NAVIGATOR

    def spoken(self, text: str) -> messages.AddNote:
        """What the person here says, as it is sent."""
        return messages.AddNote(text=Utterance(NAVIGATOR, text).note)

    def on_action_bar_dialect_switch_requested(self) -> None:
        self.action_next_dialect()

    def on_messages_log_message_activated(self, message: MessagesLog.MessageActivated) -> None:
        self.person.read_message(message.message)

    def action_focus_action(self) -> None:
        self.note_pane()
        self.query_one(ActionBar).input.focus()

    def action_submit(self) -> None:
        """End the task; of one that has ended, show the result."""
        if self.state.ended:
            self.end.show()
        else:
            self.person.choose_ending()

    def action_next_dialect(self) -> None:
        self.episode.turn_dialect()
        self.query_one(ActionBar).dialect = self.dialect

    async def action_accept_dialog(self) -> None:
        await self.dialogs.accept()

    async def action_dismiss_dialog(self) -> None:
        await self.dialogs.dismiss()

    async def action_observe(self) -> None:
        await self.episode.send(messages.Refresh())

    async def action_observe_whole(self) -> None:
        await self.episode.send(messages.Refresh(whole=True))

    async def action_score_fully(self) -> None:
        await self.episode.send(messages.ScoreFully())

    def action_task(self) -> None:
        header = self.episode.state.header
        task = header.task if header is not None else self.episode.task
        self.app.push_screen(ReadingScreen(task.id, task_entries(task), task))

    def action_editor(self) -> None:
        self.person.read_observation()

    def action_outside(self) -> None:
        self.person.open_outside()

    def action_step_outside(self) -> None:
        self.outside.ask()

    def _recorded_html(self) -> RecordedHtml | None:
        """The page as it was recorded with the last step."""
        state, store = self.state, self.episode.opening.store
        step = next((one for one in reversed(state.steps) if one.html), None)
        if state.header is None or step is None:
            return None
        return RecordedHtml(store, state.header, step, lambda: state.observation)

    def _place(self) -> StepPlace | None:
        header, steps = self.state.header, self.state.steps
        if header is None or not steps:
            return None
        return self.episode.opening.store / header.run / header.episode, steps[-1].index

    def action_record_task(self) -> None:
        self.person.record_task()

    # -- what an agent does --------------------------------------------------------------------

    def on_proposal_bar_candidate_focused(self, message: ProposalBar.CandidateFocused) -> None:
        self.agent.outline(message.target)

    def on_proposal_bar_accepted(self, message: ProposalBar.Accepted) -> None:
        self.agent.accept(message.candidate)

    def on_proposal_bar_edit_requested(self, message: ProposalBar.EditRequested) -> None:
        self.agent.edit(message.text)

    def on_proposal_bar_rejected(self, message: ProposalBar.Rejected) -> None:
        self.agent.reject(message.text)

    def action_choose_agent(self) -> None:
        self.agent.choose()

    def action_propose(self) -> None:
        self.agent.propose()

    def action_run_or_pause(self) -> None:
        self.agent.run_or_pause()

    def action_single_step(self) -> None:
        self.agent.single_step()

    def action_choose_approval(self) -> None:
        self.agent.choose_approval()

    # -- leaving -------------------------------------------------------------------------------

    def action_undo(self) -> None:
        """Take the last step that had an effect back, by a fork of this episode."""
        if self.state.ended or self.state.header is None:
            self.episode.tell_ended()
            return
        last = self.state.last_effect
        if not self.episode.may_take_back:
            told = "Nothing is taken back here: what came after the step told its right answer."
            self.notify(told, markup=False)
            return
        if last is None:
            self.notify("Nothing was done yet that could be taken back.", markup=False)
            return
        self.agent.halt()
        attempt = f"{self.state.header.run}/{self.state.header.episode}"
        self.parting.take_back(last, partial(self._go_on_before, last, attempt))

    async def action_restart(self) -> None:
        await self.parting.leave("Start the task again?", "start again", self._start_again)

    async def action_back(self) -> None:
        """First back from a pane that has all the room, then to the library."""
        if self.has_class("-maximised"):
            self.action_maximise()
        else:
            await self.parting.leave("Leave it?", "leave", self._go_to_library)

    async def _start_again(self) -> None:
        self.agent.take_edited()
        await self.start_episode()

    async def _go_to_library(self) -> None:
        while self.app.screen is not self:
            self.app.pop_screen()
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()
        else:
            go_to(self, Library(self.episode.opening), instead=True)
