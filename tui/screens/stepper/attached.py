"""The stepper over an episode that a batch is playing: looked at, and taken over when asked to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webbench.core.engine.door.attachment import Attachment
from webbench.core.engine.wire import messages
from webbench.core.episode.utterances import INSTRUCTOR
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import EpisodeHeader
from webbench.tui.commands import shown_key
from webbench.tui.engine_link import EngineLink
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.going_back import go_back
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.stepper import StepperScreen
from webbench.tui.widgets.lines.title_line import TitleLine
from webbench.tui.widgets.score.score_tree import ScoreTree
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.tui.opening import Opening

NOT_HERE = frozenset({"stepper.restart", "stepper.undo", "stepper.agent", "stepper.record"})
"""Actions that would put another task or agent in the place of the batch's."""
IN_HAND = frozenset(
    {"tree.act", *(f"stepper.{name}" for name in ("act", "submit", "propose", "single_step", "approval"))}
)
"""Actions that need the episode in hand."""
ONLY_SPEAKS = "The navigator acts here; an instructor only speaks."


class AttachedScreen(StepperScreen):
    """Nothing that is done here reaches the episode before it is taken over; leaving hands it back."""

    starts_again = False

    def __init__(self, opening: Opening, store: Store, header: EpisodeHeader) -> None:
        super().__init__(header.task, opening)
        self.attachment = Attachment(store, header.run, header.episode)

    @property
    def link(self) -> Attachment:
        return self.attachment

    async def start_episode(self, resume: str = "", fork_step: int | None = None) -> None:
        """It was started elsewhere: look on."""
        run_worker(self, partial(self.attachment.run, self.happened), name="attachment", exit_on_error=False)

    async def on_unmount(self) -> None:
        await self.attachment.close()

    def on_engine_link_happened(self, message: EngineLink.Happened) -> None:
        """The engine of this program has no part in it."""
        message.prevent_default()

    # -- what it shows -------------------------------------------------------------------------

    def happened(self, event: messages.Event) -> None:
        super().happened(event)
        if isinstance(event, messages.EpisodeStarted):
            self.query_one(TitleLine).start_clock(self.attachment.seconds)
            if self.attachment.instructor:
                self.show_panel("conversation")
            if not event.header.settings.get("live_score", True):
                self.query_one(ScoreTree).empty_text = "The score comes at the end of the episode."
        idle = isinstance(event, messages.Progress) and not event.text
        if idle or isinstance(event, messages.EpisodeStarted | messages.AgentChanged):
            self._tell_who_acts()

    def _tell_who_acts(self) -> None:
        if self.state.ended:
            return
        if name := self.attachment.instructor:
            told = f"{plain_text(name, limit=40)} instructs, the navigator acts"
            self.query_one(TitleLine).progress = told
            key = shown_key(self.app, "live_conversation.say")
            self.query_one(ActionBar).invitation = f"{told}: {key} in Talk says something"
            return
        key = shown_key(self.app, "stepper.run")
        looked_at = f"only looked at, {key} takes it over"
        in_hand = f"in your hands, {key} hands it back"
        self.query_one(TitleLine).progress = in_hand if self.attachment.held else looked_at
        self.query_one(ActionBar).invitation = "" if self.attachment.held else f"This episode is {looked_at}"

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if self.attachment.instructor and id == "stepper.run":
            return False
        if id in NOT_HERE or (id in IN_HAND and not self.attachment.held):
            return False
        return super().matters(id)

    @property
    def footer_titles(self) -> dict[str, str]:
        return {"stepper.run": "Hand back" if self.attachment.held else "Take over", "stepper.back": "Back"}

    def told_at_the_end(self) -> str:
        return f"{shown_key(self.app, 'stepper.back')} goes back"

    # -- what can be done ----------------------------------------------------------------------

    @property
    def speaker(self) -> str:
        return INSTRUCTOR if self.attachment.instructor else super().speaker

    def spoken(self, text: str) -> messages.AddNote:
        """The door for talking puts the instructor's name to it by itself."""
        return messages.AddNote(text=text) if self.attachment.instructor else super().spoken(text)

    def action_run_or_pause(self) -> None:
        """Take the episode over, or hand it back."""
        if self.attachment.instructor:
            self.notify(ONLY_SPEAKS, markup=False)
            return
        if not self.agent.can_act():
            return
        if self.attachment.held:
            self.agent.show_proposal(None)
            self.episode.send_soon(messages.RunAgent())
            return
        name = plain_text(self.state.agent, limit=40)
        choices = [
            ("take", f"Take it over: {name} is stopped after the step in flight, and waits"),
            ("look", "Only look on"),
        ]

        def chosen(value: str | None) -> None:
            if value == "take":
                run_worker(self, self.attachment.take_over, group="door", exclusive=True)

        question = "Act in this episode of a running batch? Your steps are recorded as yours."
        self.app.push_screen(ChoicePrompt(question, choices, at="look"), chosen)

    async def send_action(self, text: str) -> None:
        if self.attachment.held or self.state.ended:
            await super().send_action(text)
        else:
            key = shown_key(self.app, "stepper.run")
            if self.attachment.instructor:
                self.notify(ONLY_SPEAKS, markup=False)
                return
            self.notify(f"This episode is only looked at: {key} takes it over.", markup=False)

    def _not_here(self) -> None:
        self.notify("The task and the agent of a running batch stay as they are.", markup=False)

    def action_choose_agent(self) -> None:
        self._not_here()

    async def action_restart(self) -> None:
        self._not_here()

    def action_undo(self) -> None:
        self._not_here()

    def action_record_task(self) -> None:
        self._not_here()

    async def action_back(self) -> None:
        """Back to where one came from; the agent goes on."""
        await self._go_to_library()

    async def _go_to_library(self) -> None:
        go_back(self)
