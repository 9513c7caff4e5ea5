"""The timed stepper: a task of a study under the study's conditions, with a clock that can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual.binding import BindingType

from webbench.core.action.action import AnswerDialog, Stop, Submit
from webbench.core.engine.wire import messages
from webbench.core.engine.wire.blinding import blinded
from webbench.core.errors import WebbenchError
from webbench.core.people.studies.browser_window import needs_window
from webbench.core.people.studies.desk import GAVE_UP, LEFT, OUT_OF_TIME, Desk, has_ended
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import EpisodeHeader
from webbench.tui.commands import bindings
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.page_panes import PANELS
from webbench.tui.screens.stepper.stepper import StepperScreen
from webbench.tui.screens.studies.pause import BreakScreen
from webbench.tui.widgets.lines.clock import Clock
from webbench.tui.widgets.lists.text_rows import Entry
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.tui.opening import Opening

TICK = 5.0
"""Seconds between two lines of the log on how far the clock is: what a killed session loses at most."""
LOOK = 1.0
"""Seconds between two looks at the browser's own window."""
WARNING = 60.0
NOT_FOR_ANNOTATORS = frozenset(
    f"stepper.{name}"
    for name in (
        "agent",
        "propose",
        "run",
        "single_step",
        "approval",
        "restart",
        "undo",
        "record",
        "dialect",
        "outside",
        "step_outside",
    )
)
LESS_NEEDED = frozenset({"tree.search", "tree.hints"})
"""Keys that work, but whose place in the footer belongs to handing in and giving up."""
ACTING = frozenset({"stepper.act", "tree.act"})
SCORES = frozenset({"stepper.panel_score", "stepper.score_fully"})


class BaselineTaskScreen(StepperScreen):
    """The same observation and actions as an agent gets, and no agent; everything goes to the desk too."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("session")]

    def __init__(self, task: Task, opening: Opening, desk: Desk) -> None:
        super().__init__(task, opening)
        self.desk = desk
        self.episode.hides_what_is_asked = desk.study.blind
        hidden = ("score", "html") if desk.study.blind else ("html",)
        self.panels = [name for name in PANELS if name not in hidden]
        self._over = False
        self._warned = False
        self._replaying = bool(opening.resume)
        self._in_window = needs_window(desk.study)
        self._looking = False

    async def on_mount(self) -> None:
        self.clock = self.query_one(Clock)
        self.clock.limit = self.desk.study.seconds_per_task
        self.set_interval(TICK, self._tick)
        self.set_interval(1.0, self._watch_time)
        if self._in_window:
            self.set_interval(LOOK, self._look)
        if not self._replaying:
            self.action_task()

    def on_unmount(self) -> None:
        """The whole application ends: how far the clock is must not be lost."""
        self._leave_task()

    def how_to_start(self, resume: str) -> messages.StartEpisode:
        return msgspec.structs.replace(
            super().how_to_start(resume),
            run=self.desk.run,
            annotator=self.desk.annotator,
            step_limit=self.desk.study.steps_per_task,
            live_score=not self.desk.study.blind,
            agent="",
            asks_person=False,
        )

    # -- what comes from the engine ------------------------------------------------------------

    def happened(self, event: messages.Event) -> None:
        if isinstance(event, messages.EpisodeEnded):
            self._ended(event.header)
        shown = blinded(event) if self.desk.study.blind else event
        if shown is not None and not isinstance(shown, messages.EpisodeEnded):
            super().happened(shown)
        if isinstance(event, messages.Progress) and event.stage == "idle":
            self._looking = False
        if isinstance(event, messages.EpisodeStarted):
            self._started(event.header)
        elif isinstance(event, messages.Replayed):
            self._replaying = False
            self.clock.resume()

    def _started(self, header: EpisodeHeader) -> None:
        """The clock goes on from what was worked before; repeating it takes none of the person's time."""
        seconds = max(self.clock.seconds, self.desk.progress.of(self.episode.task.id).seconds)
        self._write(lambda: self.desk.opened(self.episode.task.id, seconds, header.episode))
        self.clock.start(seconds)
        self._replaying = bool(header.resumed_from)
        if self._replaying:
            self.clock.pause()

    def _ended(self, header: EpisodeHeader) -> None:
        """Back to the desk, where the questions are asked; a broken-off attempt leaves the task open."""
        if self._over:
            return
        if not has_ended(header):
            self._leave_task()
            self.notify(
                f"The attempt broke off: {plain_text(header.end_reason, limit=300)}. The task is still open.",
                severity="error",
                markup=False,
                timeout=12,
            )
        else:
            self._over = True
            self.clock.stop()
            self._write(lambda: self.desk.end(self.episode.task.id, self.clock.seconds, header))
            self.notify(f"Task ended: {plain_text(header.end_reason, limit=200)}", markup=False)
        self.call_later(self._back_to_desk)

    def _back_to_desk(self) -> None:
        while self.is_attached and self.app.screen is not self:
            self.app.pop_screen()
        self.app.pop_screen()

    # -- the clock -----------------------------------------------------------------------------

    def _tick(self) -> None:
        if self.clock.running and not self._over:
            self._write(lambda: self.desk.tick(self.episode.task.id, self.clock.seconds))

    def _watch_time(self) -> None:
        limit = self.clock.limit
        if limit is None or self._over or not self.clock.running:
            return
        left = limit - self.clock.seconds
        if left <= 0:
            self.clock.stop()
            self.episode.send_soon(
                messages.FinishEpisode(reason=f"{OUT_OF_TIME} of {limit / 60:g} minutes is over")
            )
        elif left <= WARNING < limit and not self._warned:
            self._warned = True
            self.notify("One minute left.", severity="warning", markup=False)

    def _look(self) -> None:
        """What the person does in the browser's window is recorded page by page."""
        if self.clock.running and not self._over and not self._looking and not self.state.busy:
            self._looking = True
            self.episode.send_soon(messages.Witness())

    async def action_take_break(self) -> None:
        if self._replaying or not self.clock.running:
            self.notify("The clock isn't running yet.", markup=False)
            return
        self.clock.pause()
        self._write(lambda: self.desk.pause(self.episode.task.id, self.clock.seconds))
        await self.episode.send(messages.PauseEpisode())
        self.app.push_screen(BreakScreen(self.clock.seconds), self._go_on)

    def _go_on(self, _result: None) -> None:
        self.clock.resume()
        self._write(lambda: self.desk.go_on(self.episode.task.id, self.clock.seconds))
        self.episode.send_soon(messages.GoOn())

    def _write(self, write: Callable[[], None]) -> None:
        """Write into the log; where that fails the session must not go on unseen."""
        try:
            write()
        except WebbenchError as error:
            self.notify(plain_text(str(error), limit=400), severity="error", markup=False, timeout=30)

    # -- ways to end a task --------------------------------------------------------------------

    async def send_action(self, text: str) -> None:
        action = self.dialect.parse(text)
        if self._in_window and not isinstance(action, Stop | AnswerDialog):
            self._not_in_a_study("act in the browser window; here you hand in")
            return
        if not isinstance(action, Stop | Submit) or self.state.ended:
            await super().send_action(text)
            return
        answer = action.answer if isinstance(action, Stop) else ""
        said = f"with the answer “{plain_text(answer, limit=600)}”" if answer else "without an answer"
        what = "Submit the form?" if isinstance(action, Submit) else f"End the task {said}?"

        def chosen(value: str | None) -> None:
            if value == "end":
                run_worker(self, partial(super(BaselineTaskScreen, self).send_action, text))
            else:
                self.edit_action(text)

        choices = [("end", "Yes, this is what I hand in"), ("stay", "No, go on with the task")]
        self.app.push_screen(ChoicePrompt(what, choices, at="stay"), chosen)

    def action_give_up(self) -> None:
        def given(reason: str | None) -> None:
            if reason is None or self._over:
                return
            if reason.strip():
                self.episode.send_soon(messages.FinishEpisode(reason=f"{GAVE_UP}: {reason.strip()}"))
            else:
                self.notify("Not given up: say why, in a word or two.", markup=False)

        self.app.push_screen(
            TextPrompt("Why do you give this task up? Enter gives it up, Esc goes on with it."), given
        )

    async def action_back(self) -> None:
        def chosen(value: str | None) -> None:
            if value == "leave":
                self._leave_task()
                if self.state.header is not None:
                    self.episode.send_soon(messages.EndEpisode(reason=LEFT))
                self.app.pop_screen()

        choices = [("leave", "Leave: the task stays open, you go on where you are"), ("stay", "Stay here")]
        self.app.push_screen(ChoicePrompt("Leave this task for now?", choices, at="stay"), chosen)

    def _leave_task(self) -> None:
        """Once: the clock's last word."""
        if not self._over:
            self._over = True
            seconds = self.clock.seconds or self.desk.progress.of(self.episode.task.id).seconds
            self._write(lambda: self.desk.leave(self.episode.task.id, seconds))

    # -- what annotators can't do --------------------------------------------------------------

    def matters(self, id: str) -> bool:
        hidden = NOT_FOR_ANNOTATORS | LESS_NEEDED
        if self.desk.study.blind:
            hidden |= SCORES
        if self._in_window:
            hidden |= ACTING
        return id not in hidden and super().matters(id)

    @property
    def footer_titles(self) -> dict[str, str]:
        return {**super().footer_titles, "stepper.back": "Leave", "stepper.submit": "Hand in"}

    def _not_in_a_study(self, what: str) -> None:
        self.notify(f"Not in a study: {what}.", markup=False)

    def action_choose_agent(self) -> None:
        self._not_in_a_study("you work without an agent")

    def action_propose(self) -> None:
        self.action_choose_agent()

    def action_run_or_pause(self) -> None:
        self.action_choose_agent()

    def action_single_step(self) -> None:
        self.action_choose_agent()

    def action_choose_approval(self) -> None:
        self.action_choose_agent()

    async def action_restart(self) -> None:
        self._not_in_a_study("everybody has one attempt")

    def action_undo(self) -> None:
        self._not_in_a_study("an agent can take nothing back, either")

    def action_record_task(self) -> None:
        self._not_in_a_study("tasks are made in the library's stepper")

    def action_next_dialect(self) -> None:
        self._not_in_a_study(f"everybody writes {self.dialect.name}")

    def action_outside(self) -> None:
        self._not_in_a_study("you see what an agent sees, and nothing else")

    def action_step_outside(self) -> None:
        self.action_outside()

    async def action_score_fully(self) -> None:
        if self.desk.study.blind:
            self._not_in_a_study("scores are told when it is over")
        else:
            await super().action_score_fully()

    def action_panel(self, name: str) -> None:
        if name in self.panels:
            super().action_panel(name)
        elif name == "html":
            self._not_in_a_study("you see what an agent sees, and nothing else")
        else:
            self._not_in_a_study("scores are told when it is over")

    def action_task(self) -> None:
        """The intent and the study's instructions; how the task is scored is nothing for an annotator."""
        entries = [
            Entry("", self.episode.task.intent or "Do what the page asks for.", "strong"),
            Entry("", ""),
        ]
        instructions = self.desk.study.instructions.strip()
        if instructions:
            entries.append(Entry("", instructions))
        self.app.push_screen(ReadingScreen("Your task", entries))
