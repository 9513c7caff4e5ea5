"""A study's desk: instructions, the annotator's tasks, the questions after each."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.engine import catalogue, messages
from webbench.core.errors import WebbenchError
from webbench.core.plain_text import plain_text
from webbench.core.studies.desk import Desk
from webbench.core.studies.progress import Work
from webbench.core.studies.sampling import find_task
from webbench.core.studies.window import needs_window
from webbench.core.task import Task
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.engine_link import EngineLink
from webbench.tui.screens.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.stepper_panes import NARROW_BELOW
from webbench.tui.widgets.key_footer import KeyFooter
from webbench.tui.widgets.text_rows import Entry, TextRows
from webbench.tui.widgets.work_list import WorkList

if TYPE_CHECKING:
    from webbench.tui.app import Opening

DIFFICULTIES = ("very easy", "easy", "neither easy nor hard", "hard", "very hard")
CONFIDENCES = ("a guess", "unsure", "rather sure", "sure", "certain")
IN_WINDOW = "in the browser window that opens; come back here to hand in, and where a dialog asks"
HERE = "here, with what an agent sees and can do"
NO_INSTRUCTIONS = "Do each task as its intent says it, as you would for somebody who asked you to."


class BaselineScreen(Screen[None]):
    """What to do next; everything that is done is kept by the desk."""

    CSS_PATH: ClassVar[str | Path] = stylesheet("baseline")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("baseline")]
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [(0, "-narrow"), (NARROW_BELOW, "-normal")]
    AUTO_FOCUS = "WorkList"

    def __init__(self, opening: Opening, desk: Desk) -> None:
        super().__init__()
        self.opening = opening
        self.desk = desk
        self._asking = False

    def compose(self) -> ComposeResult:
        study = self.desk.study
        title = f"{study.title or study.name} · {self.desk.annotator}"
        yield Static(Content(plain_text(title, limit=200)), id="baseline-title")
        yield Static("", id="baseline-state", markup=False)
        with Container(id="baseline-panes"):
            keys = Entry("keys", self._keys())
            yield TextRows([*instructions(self.desk), keys], id="instructions")
            yield WorkList()
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one("#instructions").border_title = Content("Instructions")
        for problem in self.desk.progress.problems:
            self.notify(plain_text(problem, limit=300), severity="warning", markup=False)
        self._show()

    def on_screen_resume(self) -> None:
        """Back from a task: the questions about it come at once."""
        self._show()
        following = self.desk.progress.next
        if following is not None and following.stage == "to rate":
            self._ask_about(following)

    def _show(self) -> None:
        told = self.desk.progress
        self.query_one(WorkList).show(told.works, told.next)
        self.query_one("#baseline-state", Static).update(Content(plain_text(self._state(told.next))))
        self.query_one(KeyFooter).refresh()

    def _state(self, following: Work | None) -> str:
        leaves, begins = (shown_key(self.app, f"baseline.{name}") for name in ("leave", "begin"))
        if following is None:
            return f"All your tasks are done. Thank you! {leaves} leaves."
        number = self.desk.progress.works.index(following) + 1
        if following.stage == "to rate":
            return f"{begins} asks the questions about task {number}."
        verb = "goes on with" if following.stage == "open" else "begins"
        when = "its clock starts when the page is there"
        return f"{begins} {verb} task {number}; {when}. {leaves} leaves, you can go on later."

    def _keys(self) -> str:
        """Those of a task that nobody would guess."""
        meanings = {
            "stepper.task": "the task and this again",
            "stepper.submit": "hand in",
            "session.pause": "pause",
            "session.give_up": "give up",
            "stepper.panel_notes": "notes",
            "app.help": "all keys",
        }
        return ", ".join(f"{shown_key(self.app, name)} {meaning}" for name, meaning in meanings.items())

    def matters(self, id: str) -> bool:
        return id != "baseline.begin" or self.desk.progress.next is not None

    @property
    def footer_titles(self) -> dict[str, str]:
        following = self.desk.progress.next
        titles = {"open": "Go on", "to rate": "Questions"}
        return {"baseline.begin": titles.get(following.stage, "Begin")} if following is not None else {}

    def on_engine_link_happened(self, message: EngineLink.Happened) -> None:
        event = message.event
        if isinstance(event, messages.Trouble):
            text = plain_text(event.message) + (f"\n{plain_text(event.hint)}" if event.hint else "")
            self.notify(text, title="Trouble", severity="error", markup=False, timeout=12)

    # -- tasks ---------------------------------------------------------------------------------

    async def action_begin(self) -> None:
        following = self.desk.progress.next
        if following is None:
            self.notify("All your tasks are done.", markup=False)
        elif following.stage == "to rate":
            self._ask_about(following)
        else:
            await self._open(following)

    async def _open(self, work: Work) -> None:
        from webbench.tui.screens.baseline_task import BaselineTaskScreen

        try:
            task = await asyncio.to_thread(self._read, work.task)
            resume = self.desk.begin(work.task)
        except WebbenchError as error:
            self.notify(plain_text(str(error), limit=400), severity="error", markup=False, timeout=12)
            return
        self.app.push_screen(BaselineTaskScreen(task, replace(self.opening, resume=resume), self.desk))

    def _read(self, id: str) -> Task:
        return find_task(catalogue.benchmark(self.desk.study.benchmark, str(self.opening.data or "")), id)

    # -- the questions after a task ------------------------------------------------------------

    def _ask_about(self, work: Work) -> None:
        """Two digits and a line; what is left unanswered is asked again."""
        if self._asking:
            return
        self._asking = True
        number = self.desk.progress.works.index(work) + 1
        question = f"Task {number} of {len(self.desk.progress.works)}: how difficult was it?"
        self.app.push_screen(
            ChoicePrompt(question, _numbered(DIFFICULTIES)), lambda given: self._difficulty(work, given)
        )

    def _difficulty(self, work: Work, given: str | None) -> None:
        if given is None:
            self._asking = False
            return
        question = "How sure are you that you did what was asked?"
        self.app.push_screen(
            ChoicePrompt(question, _numbered(CONFIDENCES)),
            lambda sure: self._confidence(work, int(given), sure),
        )

    def _confidence(self, work: Work, difficulty: int, given: str | None) -> None:
        if given is None:
            self._asking = False
            return
        question = "Anything odd about the task, or about how you did it? Enter goes on, also with nothing."
        self.app.push_screen(
            TextPrompt(question), lambda remark: self._rated(work, difficulty, int(given), remark)
        )

    def _rated(self, work: Work, difficulty: int, confidence: int, remark: str | None) -> None:
        self._asking = False
        try:
            self.desk.rate(work.task, difficulty, confidence, remark or "")
        except WebbenchError as error:
            self.notify(plain_text(str(error), limit=400), severity="error", markup=False, timeout=12)
        self._show()


def instructions(desk: Desk) -> list[Entry]:
    """The study's own, then the conditions that hold for every task."""
    study = desk.study
    minutes = study.minutes_per_task
    return [
        Entry("", study.instructions.strip() or NO_INSTRUCTIONS),
        Entry("", ""),
        Entry(
            "time",
            f"{minutes:g} minutes for each task, pauses left out" if minutes else "as long as you need",
        ),
        Entry("where", IN_WINDOW if needs_window(study) else HERE),
        *([] if needs_window(study) else [Entry("steps", f"{study.steps_per_task} actions at most")]),
        Entry("scores", "you are not told any" if study.blind else "you see what the evaluator says"),
        Entry("kept", "what you do and when, what you write down, your answers to the questions; no name"),
    ]


def _numbered(labels: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(str(number), label) for number, label in enumerate(labels, 1)]
