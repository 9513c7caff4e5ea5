"""The stepper: one live task; tree and picture side by side, actions below, the score beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Footer

from webbench.core import registry
from webbench.core.action import Action, Click, ClickAt, Stop, Submit
from webbench.core.dialects.wording import wording
from webbench.core.engine import messages
from webbench.core.plain_text import plain_text
from webbench.core.task import Task
from webbench.tui.commands import bindings
from webbench.tui.engine_link import EngineLink
from webbench.tui.episode_state import EpisodeState, fold
from webbench.tui.screens.prompt import ChoicePrompt
from webbench.tui.screens.stepper_agent import AgentControls
from webbench.tui.screens.stepper_panes import PanePlaces
from webbench.tui.widgets.accessibility_tree import AccessibilityTree
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.messages_log import MessagesLog
from webbench.tui.widgets.node_verbs import draft, natural_verb, reference
from webbench.tui.widgets.notes import Notes
from webbench.tui.widgets.proposal_bar import ProposalBar
from webbench.tui.widgets.score_tree import ScoreTree
from webbench.tui.widgets.screenshot import ScreenshotView
from webbench.tui.widgets.step_list import StepList
from webbench.tui.widgets.tabs_bar import TabsBar
from webbench.tui.widgets.title_line import TitleLine

if TYPE_CHECKING:
    from webbench.core.observation import AccessibilityNode
    from webbench.tui.app import Opening


class StepperScreen(AgentControls, PanePlaces, Screen[None]):
    """Sends intents to the engine and renders what comes back; it computes nothing itself."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("stepper")]

    def __init__(self, task: Task, opening: Opening) -> None:
        super().__init__()
        self.task_data = task
        self.opening = opening
        self.state = EpisodeState()
        self.dialect = registry.dialect(opening.dialect or registry.benchmark(task.benchmark).dialect)
        self._proposed = ""
        self._return_focus: AccessibilityTree | ScreenshotView | None = None

    @property
    def link(self) -> EngineLink:
        return self.app.link  # type: ignore[attr-defined, no-any-return]

    def compose(self) -> ComposeResult:
        yield TitleLine(id="title")
        yield TabsBar(id="tabs")
        with Horizontal(id="panes"):
            yield AccessibilityTree(id="tree")
            with Container(id="right"):
                yield ScreenshotView(self.app.graphics, id="picture")  # type: ignore[attr-defined]
                with ContentSwitcher(id="panel", initial="score"):
                    yield ScoreTree(id="score")
                    yield StepList(id="steps")
                    yield MessagesLog(id="messages")
                    yield Notes(id="notes")
        yield ProposalBar(id="proposal")
        yield ActionBar(id="action")
        yield Footer(compact=True, show_command_palette=False)

    async def on_mount(self) -> None:
        self.query_one(TitleLine).task = self.task_data
        self.query_one(ActionBar).dialect = self.dialect
        self.query_one(AccessibilityTree).focus()
        self.place_panes()
        await self._start(self.opening.resume)

    async def _start(self, resume: str = "") -> None:
        self.query_one(TitleLine).progress = "starting"
        await self.link.send(
            messages.StartEpisode(
                benchmark=self.task_data.benchmark,
                task=self.task_data,
                data=str(self.opening.data or ""),
                rules=self.opening.rules,
                dialect=self.dialect.name,
                agent=self.opening.agent,
                resume=resume,
            )
        )

    # -- what comes from the engine ------------------------------------------------------------

    def on_engine_link_happened(self, message: EngineLink.Happened) -> None:
        event = message.event
        self.state = fold(self.state, event)
        match event:
            case messages.EpisodeStarted():
                self._episode_started()
            case messages.Observed():
                self._observed(event)
            case messages.Pictured():
                picture = self.query_one(ScreenshotView)
                picture.show(event.data, scale=event.scale, full_page=event.full_page)
            case messages.Scored():
                self.query_one(ScoreTree).score = event.score
                self.query_one(TitleLine).score = event.score
            case messages.StepRecorded():
                self._step_recorded(event)
            case messages.Progress():
                self.query_one(TitleLine).progress = event.text
            case messages.ActionRefused():
                self.query_one(ActionBar).show_error(f"{event.reason}; nearest form: {event.nearest}")
            case messages.EpisodeEnded():
                self._episode_ended(event)
            case messages.Trouble():
                self._trouble(event)
            case _:
                self.show_agent(event)

    def _episode_started(self) -> None:
        title = self.query_one(TitleLine)
        title.start_clock()
        title.step = 0
        self.query_one(StepList).steps = ()
        self.query_one(MessagesLog).clear()

    def _observed(self, event: messages.Observed) -> None:
        observation = event.observation
        self.query_one(AccessibilityTree).observation = observation
        self.query_one(ActionBar).observation = observation
        self.query_one(TabsBar).tabs = observation.tabs
        self.query_one(TitleLine).observation = observation
        self.query_one(MessagesLog).extend(event.step, observation.messages)
        picture = self.query_one(ScreenshotView)
        picture.observation = observation
        if observation.dialog is not None:
            picture.clear(f"A {observation.dialog.kind} dialog is open: {observation.dialog.message}")
        elif observation.condition != "ok":
            picture.clear(observation.problem)

    def _step_recorded(self, event: messages.StepRecorded) -> None:
        self.query_one(StepList).steps = self.state.steps
        self.query_one(TitleLine).step = event.step.index
        bar = self.query_one(ProposalBar)
        if bar.has_focus:
            self.query_one(AccessibilityTree).focus()
        bar.show(None, "")
        if event.step.error:
            self.notify(plain_text(event.step.error), severity="warning", markup=False)

    def _episode_ended(self, event: messages.EpisodeEnded) -> None:
        title = self.query_one(TitleLine)
        title.stop_clock()
        title.progress = f"ended: {event.header.end_reason}"
        score = event.header.score
        headline = score.headline() if score else "no score"
        self.notify(
            f"{plain_text(event.header.end_reason)}\nscore {plain_text(headline)}\n"
            "Ctrl+R starts again, q goes to the library",
            title="Episode ended",
            markup=False,
            timeout=8,
        )

    def _trouble(self, event: messages.Trouble) -> None:
        text = plain_text(event.message) + (f"\n{plain_text(event.hint)}" if event.hint else "")
        self.notify(text, title="Trouble", severity="error", markup=False, timeout=12)

    # -- what the person does ------------------------------------------------------------------

    def on_accessibility_tree_node_focused(self, message: AccessibilityTree.NodeFocused) -> None:
        self.query_one(ScreenshotView).focused_id = message.node.id if message.node else None

    def on_accessibility_tree_node_activated(self, message: AccessibilityTree.NodeActivated) -> None:
        self._draft(message.node, natural_verb(message.node))

    def on_accessibility_tree_verb_chosen(self, message: AccessibilityTree.VerbChosen) -> None:
        self._draft(message.node, message.verb)

    def on_screenshot_view_point_focused(self, message: ScreenshotView.PointFocused) -> None:
        if message.node is not None:
            self.query_one(AccessibilityTree).focus_id(message.node.id)

    async def on_screenshot_view_point_activated(self, message: ScreenshotView.PointActivated) -> None:
        target = message.node
        action: Action = (
            Click(target=reference(target)) if target is not None else ClickAt(x=message.x, y=message.y)
        )
        await self._send(wording(self.dialect, action))

    def _draft(self, node: AccessibilityNode, verb: str) -> None:
        """Put the action into the bar, to be looked at, completed and sent with Enter."""
        self._return_focus = self.query_one(AccessibilityTree)
        self.query_one(ActionBar).edit(wording(self.dialect, draft(node, verb)))

    async def on_action_bar_action_submitted(self, message: ActionBar.ActionSubmitted) -> None:
        await self._send(message.text)

    async def _send(self, text: str) -> None:
        if self.state.ended:
            self.notify(f"The episode has ended: {plain_text(self.state.ended)}. Ctrl+R starts again.")
            return
        intent = messages.SendAction(
            text=text, actor="operator" if self._proposed else "human", proposed=self._proposed
        )
        self._proposed = ""
        await self.link.send(intent)
        (self._return_focus or self.query_one(AccessibilityTree)).focus()

    def on_action_bar_dialect_switch_requested(self) -> None:
        self.action_next_dialect()

    async def on_notes_note_written(self, message: Notes.NoteWritten) -> None:
        await self.link.send(messages.AddNote(text=message.text))

    def action_focus_action(self) -> None:
        self.query_one(ActionBar).edit("")

    def action_marks(self) -> None:
        self.query_one(ScreenshotView).action_toggle_marks()

    def action_crop(self) -> None:
        self.query_one(ScreenshotView).action_crop()

    async def action_observe(self) -> None:
        await self.link.send(messages.Refresh())

    def action_next_dialect(self) -> None:
        """The parsing on this side and the rendering for agents switch together at the next start."""
        names = sorted(registry.load("webbench.dialects"))
        position = names.index(self.dialect.name) if self.dialect.name in names else -1
        self.dialect = registry.dialect(names[(position + 1) % len(names)])
        self.query_one(ActionBar).dialect = self.dialect
        self.run_worker(self.link.send(messages.ChangeDialect(name=self.dialect.name)))

    def action_submit(self) -> None:
        choices = [("submit", "Submit the page's form"), ("stop", "Stop, with an answer or without")]

        def chosen(value: str | None) -> None:
            if value is not None:
                action: Action = Submit() if value == "submit" else Stop()
                self.query_one(ActionBar).edit(self.dialect.format(action))

        self.app.push_screen(ChoicePrompt("How do you end this task?", choices), chosen)

    async def action_restart(self) -> None:
        await self._start()

    async def action_back(self) -> None:
        """To the library; an unfinished episode is ended as abandoned, its steps stay."""
        if not self.state.ended and self.state.header is not None:
            await self.link.send(messages.EndEpisode(reason="abandoned"))
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()
            return
        from webbench.tui.screens.library import LibraryScreen

        self.app.switch_screen(LibraryScreen(self.opening))
