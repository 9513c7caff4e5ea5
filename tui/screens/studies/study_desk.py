"""A study's desk: instructions, the annotator's tasks, the questions after each."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from webbench.core.engine import catalogue
from webbench.core.engine.wire import messages
from webbench.core.errors import WebbenchError
from webbench.core.people.studies.annotator_progress import Work
from webbench.core.people.studies.browser_window import needs_window
from webbench.core.people.studies.desk import Desk
from webbench.core.people.studies.sampling import find_task
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_text
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import StudyTask, go_to
from webbench.tui.engine_link import EngineLink
from webbench.tui.screens.breakpoints import breakpoints
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.studies.work_list import WorkList
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.tui.opening import Opening

DIFFICULTIES = ("very easy", "easy", "neither easy nor hard", "hard", "very hard")
CONFIDENCES = ("a guess", "unsure", "rather sure", "sure", "certain")
RATINGS = (
    (DIFFICULTIES, "difficulty", "how difficult was it?"),
    (CONFIDENCES, "confidence", "how sure are you that you did what was asked?"),
)
"""Labels from 1 on, the answer they are of, and the question."""
REMARK, LAST_LOOK = 2, 3
REMARK_QUESTION = "Anything odd about the task, or how you did it? Enter goes on, also with nothing."
IN_WINDOW = "in the browser window that opens; come back here to hand in, and where a dialog asks"
HERE = "here, with what an agent sees and can do"
NO_INSTRUCTIONS = "Do each task as its intent says it, as you would for somebody who asked you to."


@dataclass(frozen=True, slots=True)
class Answers:
    """What was said of a task so far, None for what was not."""

    difficulty: int | None = None
    confidence: int | None = None
    remark: str = ""


class BaselineScreen(Screen[None], ScreenOffers):
    """What to do next; everything that is done is kept by the desk."""

    CSS_PATH = stylesheet("baseline")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("baseline")]
    HORIZONTAL_BREAKPOINTS = breakpoints()
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

    def action_leave(self) -> None:
        """Out of the program; asks first where a task is open, or waits for its questions."""
        following = self.desk.progress.next
        if following is None or following.stage == "to do":
            self.app.exit()
            return

        def chosen(value: str | None) -> None:
            if value == "leave":
                self.app.exit()

        waits = "is open" if following.stage == "open" else "waits for your answers"
        choices = [("stay", "Stay here"), ("leave", "Leave: what you did is kept, you go on later")]
        self.app.push_screen(ChoicePrompt(f"Leave the session? A task {waits}.", choices), chosen)

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
        try:
            task = await asyncio.to_thread(self._read, work.task)
            resume = self.desk.begin(work.task)
        except WebbenchError as error:
            self.notify(plain_text(str(error), limit=400), severity="error", markup=False, timeout=12)
            return
        go_to(self, StudyTask(task, replace(self.opening, resume=resume), self.desk))

    def _read(self, id: str) -> Task:
        return find_task(catalogue.benchmark(self.desk.study.benchmark, str(self.opening.data or "")), id)

    # -- the questions after a task ------------------------------------------------------------

    def _ask_about(self, work: Work) -> None:
        if not self._asking:
            self._asking = True
            run_worker(self, partial(self._ask, work), group="questions")

    async def _ask(self, work: Work) -> None:
        """Difficulty, confidence, a remark, then a last look; Escape goes back to the question before.

        Every answer is on disk as it is given. Who leaves is asked the rest later.
        """
        answers = Answers(work.difficulty, work.confidence, work.remark)
        rated = (answers.difficulty, answers.confidence)
        at: int | None = rated.index(None) if None in rated else REMARK
        try:
            while at is not None and at <= LAST_LOOK:
                given, at = await self._question(at, work, answers)
                if given != answers:
                    answers = given
                    self.desk.answer(work.task, answers.difficulty, answers.confidence, answers.remark)
            if at is not None and answers.difficulty is not None and answers.confidence is not None:
                self.desk.rate(work.task, answers.difficulty, answers.confidence, answers.remark)
        except WebbenchError as error:
            self.notify(plain_text(str(error), limit=400), severity="error", markup=False, timeout=12)
        finally:
            self._asking = False
        self._show()

    async def _question(self, at: int, work: Work, answers: Answers) -> tuple[Answers, int | None]:
        """Ask one; the answers then, and what comes next: None to leave, above `LAST_LOOK` to keep them."""
        number = self.desk.progress.works.index(self.desk.progress.of(work.task)) + 1
        which = f"Task {number} of {len(self.desk.progress.works)}"
        if at == REMARK:
            remark = RemarkPrompt(REMARK_QUESTION, value=answers.remark)
            sent = await self.app.push_screen_wait(remark)
            return replace(answers, remark=remark.text.strip()), at - 1 if sent is None else at + 1
        if at == LAST_LOOK:
            return answers, await self._last_look(which, answers)
        labels, name, question = RATINGS[at]
        value: int | None = getattr(answers, name)
        told = f"{which}: {question}"
        back = "Escape goes back to the question before." if at else "Escape leaves; you are asked later."
        prompt = ChoicePrompt(
            told, _numbered(labels), at=str(value) if value else None, note=back, preselect=False
        )
        given = await self.app.push_screen_wait(prompt)
        if given is None:
            return answers, at - 1 if at else None
        rated: dict[str, Any] = {name: int(given)}
        return replace(answers, **rated), at + 1

    async def _last_look(self, which: str, answers: Answers) -> int:
        """What was answered, before it is kept for good."""
        told = [
            f"difficult: {_labelled(DIFFICULTIES, answers.difficulty)}",
            f"sure: {_labelled(CONFIDENCES, answers.confidence)}",
            f"remark: {answers.remark or 'none'}",
        ]
        choices = [
            (str(LAST_LOOK + 1), "Keep these answers"),
            ("0", "Change how difficult it was"),
            ("1", "Change how sure you are"),
            (str(REMARK), "Change the remark"),
        ]
        prompt = ChoicePrompt(f"{which}: is this what you mean?", choices, note="\n".join(told))
        given = await self.app.push_screen_wait(prompt)
        return REMARK if given is None else int(given)


class RemarkPrompt(TextPrompt):
    """A line that is kept however it is left; Escape goes back to the question before."""

    @property
    def text(self) -> str:
        """As it stands, also after the prompt was left."""
        return self._text

    def __init__(self, question: str, *, value: str = "") -> None:
        super().__init__(question, value=value)
        self._text = value

    def on_input_changed(self) -> None:
        self._text = self.query_one(Input).value

    def action_leave(self) -> None:
        self.dismiss(None)


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


def _labelled(labels: tuple[str, ...], given: int | None) -> str:
    return f"{given}, {labels[given - 1]}" if given else "not answered"


def _numbered(labels: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(str(number), label) for number, label in enumerate(labels, 1)]
