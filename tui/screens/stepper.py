"""The stepper: one live task; tree and picture side by side, actions below, the score beside."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import ContentSwitcher

from webbench.core.action import Remember
from webbench.core.engine import messages
from webbench.core.plain_text import plain_text
from webbench.core.trajectory import Step
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.engine_link import EngineLink
from webbench.tui.episode_state import fold, slim
from webbench.tui.finding_again import show_command
from webbench.tui.screens.stepper_agent import AgentControls
from webbench.tui.screens.stepper_dialog import ANSWERS, DialogAnswers
from webbench.tui.screens.stepper_preview import AnswerPreview
from webbench.tui.widgets.accessibility_tree import AccessibilityTree
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.conversation import Conversation
from webbench.tui.widgets.key_footer import KeyFooter
from webbench.tui.widgets.messages_log import MessagesLog
from webbench.tui.widgets.notes import Memory, Notes
from webbench.tui.widgets.pane_bar import PaneBar
from webbench.tui.widgets.proposal_bar import ProposalBar
from webbench.tui.widgets.score_tree import ScoreTree
from webbench.tui.widgets.screenshot import ScreenshotView
from webbench.tui.widgets.step_detail import StepsPanel
from webbench.tui.widgets.tabs_bar import TabsBar
from webbench.tui.widgets.title_line import TitleLine

LONGEST_TOLD = 160
"""Characters of an answer or error that a notice shows; on a small screen more would cover the score."""
MOST_DOUBTS = 3
"""Steps that a notice names after which a fork isn't sure of the page; the notes have them all."""
AGENT_ACTIONS = frozenset({"stepper.propose", "stepper.run", "stepper.single_step", "stepper.approval"})
WHILE_IT_RESTS = frozenset({"stepper.propose", "stepper.single_step"})


class StepperScreen(DialogAnswers, AnswerPreview, AgentControls):
    """Sends intents to the engine and renders what comes back; it computes nothing itself."""

    CSS_PATH: ClassVar[str | Path] = stylesheet("panes")

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("stepper")]

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
                yield Conversation(id="conversation")
                yield Memory(id="memory")
        yield ProposalBar(id="proposal")
        yield ActionBar(id="action")
        yield KeyFooter()

    async def on_mount(self) -> None:
        self.query_one(TitleLine).task = self.task_data
        self.query_one(ActionBar).dialect = self.dialect
        self.query_one(AccessibilityTree).focus()
        self.place_panes()
        await self.start_episode(self.opening.resume, self.opening.fork_step)

    # -- what the footer shows -----------------------------------------------------------------

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if id in AGENT_ACTIONS:
            running = id in WHILE_IT_RESTS and self.state.agent_going
            return bool(self.state.agent) and not self.state.ended and not running
        if id in ANSWERS:
            return self.open_dialog is not None and not self.state.ended
        if id == "tree.act" and self.open_dialog is not None:
            return False
        if id == "stepper.record":
            return "start" in self.task_data.data and self.state.proposal is None
        if id == "proposal.next":
            return self.query_one(ProposalBar).several
        if id == "stepper.restart":
            return bool(self.state.ended)
        return not (self.state.ended and id in ("stepper.act", "stepper.submit", "tree.act"))

    @property
    def footer_titles(self) -> dict[str, str]:
        return {
            "stepper.run": "Pause" if self.state.agent_at_work else "Run",
            "stepper.submit": "Submit" if self.ends_by_submitting else "Stop",
        }

    # -- what comes from the engine ------------------------------------------------------------

    def on_engine_link_happened(self, message: EngineLink.Happened) -> None:
        self.happened(message.event)

    def happened(self, event: messages.Event) -> None:
        """Render an event."""
        self.state = fold(self.state, event)
        match event:
            case messages.EpisodeStarted():
                self._episode_started(event)
            case messages.Observed():
                self._observed(event)
            case messages.Pictured():
                picture = self.query_one(ScreenshotView)
                picture.show(event.data, scale=event.scale, full_page=event.full_page)
            case messages.Scored():
                self.query_one(ScoreTree).score = event.score
                self.query_one(TitleLine).score = event.score
            case messages.FiguresCounted():
                self.query_one(ScoreTree).sitting = event
            case messages.AnswerPreviewed():
                self.show_preview(event)
            case messages.VerdictWanted():
                self.ask_verdict(event.question)
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
            case messages.Trouble():
                self._trouble(event)
            case _:
                self.show_agent(event)

    def _episode_started(self, event: messages.EpisodeStarted) -> None:
        title = self.query_one(TitleLine)
        title.start_clock(event.header.elapsed_before)
        title.driver = event.header.driver
        title.step, title.score, title.agent = 0, None, ("", "")
        limit = event.header.settings.get("step_limit")
        title.limit = limit if isinstance(limit, int) else 0
        self.query_one(ScoreTree).reset()
        self.query_one(StepsPanel).clear()
        self.query_one(MessagesLog).clear()
        self.query_one("#notes", Notes).notes = self.query_one(Memory).notes = ()
        self.query_one(Conversation).turns = ()
        self.query_one(ActionBar).invitation = ""
        self.show_proposal(None)
        self.query_one(KeyFooter).refresh()

    def _observed(self, event: messages.Observed) -> None:
        observation = event.observation
        self.show_dialog(observation)
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
        conversation = self.query_one(Conversation)
        if event.observation.dialogue and not conversation.turns and event.step == 0:
            self.query_one(ContentSwitcher).current = "conversation"
        conversation.turns = event.observation.dialogue

    def _step_recorded(self, event: messages.StepRecorded) -> None:
        step = event.step
        self.query_one(StepsPanel).add(slim(step))
        self.query_one(TitleLine).step = step.index
        if step.note:
            self.query_one("#notes", Notes).add(step.index, step.note)
        if isinstance(step.action, Remember):
            self.query_one(Memory).add(step.index, step.action.text)
        self.show_proposal(None)
        if step.actor != "agent":
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
        self.show_proposal(None)
        self.query_one(KeyFooter).refresh()
        score = event.header.score
        usual_store = self.workbench.settings.store_folder()
        self.notify(
            f"{plain_text(event.header.end_reason)}\n"
            f"score {plain_text(score.headline() if score else 'none')}\n"
            f"{show_command(event.header.episode, self.opening.store, usual_store)}\n"
            f"{self.told_at_the_end()}",
            title="Episode ended",
            markup=False,
            timeout=8,
        )

    def told_at_the_end(self) -> str:
        """Where one can go from an episode that has ended."""
        again, back = shown_key(self.app, "stepper.restart"), shown_key(self.app, "stepper.back")
        return f"{again} starts again, {back} goes to the library"

    def _trouble(self, event: messages.Trouble) -> None:
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
        was_edited, self._proposed = bool(self._proposed), ""
        if was_edited:
            self.show_proposal(self.state.proposal)
        if self.state.proposal is not None:
            self.query_one(ProposalBar).focus()
        else:
            self.focus_pane()

    def on_score_tree_check_focused(self, message: ScoreTree.CheckFocused) -> None:
        """A check about a form field outlines that field."""
        observation = self.state.observation
        if observation is None or not message.target or not self.query_one(ScoreTree).has_focus:
            return
        field = next((one for one in observation.nodes if one.attributes.get("name") == message.target), None)
        if field is not None:
            self.query_one(ScreenshotView).focused_id = field.id
