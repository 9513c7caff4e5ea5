"""The recorder: mark steps of an episode as key nodes, and try them on it; `record` writes the task."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.errors import WebbenchError
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.core.trajectory import EpisodeHeader
from webbench.tui.commands import bindings, shown_key
from webbench.tui.destinations import WEBCANVAS, go_to, record_form
from webbench.tui.screens.breakpoints import breakpoints
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.upkeep.choices import Choice
    from webbench.benchmarks.webcanvas.upkeep.draft import Draft, Trial

DIGITS = 9
"""Choices from here on have no key of their own."""


@dataclass(frozen=True, slots=True)
class StepRow:
    """One recorded step; `verdict` is "" while it isn't marked, "trying" until it was tried."""

    number: int
    words: str
    landing: str
    verdict: str = ""
    node: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One thing that a step can be."""

    function: str
    reference: str
    why: str
    marked: bool = False


class RecordedSteps(RowList):
    """Steps to be marked as key nodes; a star and the verdict of the trial stand at marked ones."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"recorded-steps--{name}" for name in ("star", "holds", "early", "missed", "judge")
    }
    DEFAULT_CSS = """
    RecordedSteps {
        & > .recorded-steps--star { color: $text-warning; text-style: bold; }
        & > .recorded-steps--holds { color: $text-success; text-style: bold; }
        & > .recorded-steps--early, & > .recorded-steps--judge { color: $text-warning; }
        & > .recorded-steps--missed { color: $text-error; text-style: bold; }
    }
    """
    empty_text = "Reading the recorded steps…"
    NO_STEPS: ClassVar[str] = "No step had an effect yet: demonstrate the task first, then come back here."
    VERDICTS: ClassVar[Mapping[str, tuple[str, str]]] = {
        "holds": ("holds", "holds"),
        "early": ("too early", "early"),
        "missed": ("missed", "missed"),
        "judge": ("for a judge", "judge"),
        "trying": ("trying", "judge"),
    }

    @dataclass
    class StepFocused(Message):
        number: int

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._steps: tuple[StepRow, ...] = ()

    @property
    def steps(self) -> Sequence[StepRow]:
        return self._steps

    @steps.setter
    def steps(self, steps: Sequence[StepRow]) -> None:
        self._steps = tuple(steps)
        self.rows_changed()
        marked = sum(bool(step.verdict) for step in steps)
        self.border_title = Content("Recorded steps")
        self.border_subtitle = Content(f"{counted(marked, 'key node')} of {counted(len(steps), 'step')}")

    @property
    def row_count(self) -> int:
        return len(self._steps)

    @property
    def number(self) -> int:
        """Of the step under the cursor, 0 where there is none."""
        return self._steps[self.cursor].number if self.cursor < len(self._steps) else 0

    def row_line(self, row: int, width: int) -> Line:
        step, muted = self._steps[row], self.part("row-list--muted")
        line = Line(width)
        if step.verdict:
            word, part = self.VERDICTS[step.verdict]
            line.right(f" {word}", self.part(f"recorded-steps--{part}"))
        line.add(f"{self.glyphs.star} " if step.verdict else "  ", self.part("recorded-steps--star"))
        line.add(f"{step.number:>2} ", muted)
        line.add(plain_text(step.words, limit=200))
        shown = step.node or step.landing
        if shown:
            line.add(f"  {self.glyphs.arrow} {plain_text(shown, limit=200)}", muted)
        return line

    def row_focused(self, row: int) -> None:
        self.post_message(self.StepFocused(self._steps[row].number))


class NodeChoices(RowList):
    """What the chosen step can be; digits choose one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"node-choices--star", "node-choices--reference"}
    DEFAULT_CSS = """
    NodeChoices {
        & > .node-choices--star { color: $text-warning; text-style: bold; }
        & > .node-choices--reference { color: $text-primary; }
    }
    """
    empty_text = "No step is chosen."
    NO_CHOICES: ClassVar[str] = (
        "This step can be no key node: it changes no address and acts on no element of the page."
    )

    @dataclass
    class ChoiceActivated(Message):
        place: int

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._choices: tuple[ChoiceRow, ...] = ()

    def show(self, number: int, choices: Sequence[ChoiceRow]) -> None:
        """The choices of a step."""
        self._choices = tuple(choices)
        self.empty_text = self.NO_CHOICES if number else NodeChoices.empty_text
        self.cursor = next((at for at, one in enumerate(choices) if one.marked), 0)
        self.rows_changed()
        self.border_title = Content(f"Step {number} as a key node" if number else "Choices")
        self.border_subtitle = Content(counted(len(choices), "choice") if choices else "")

    @property
    def row_count(self) -> int:
        return len(self._choices)

    def row_line(self, row: int, width: int) -> Line:
        choice = self._choices[row]
        line = Line(width)
        line.add(f"{self.glyphs.star} " if choice.marked else "  ", self.part("node-choices--star"))
        line.add(f"{row + 1 if row < DIGITS else ' '} ", self.part("row-list--muted"))
        line.add(choice.function).add("  ")
        line.add(plain_text(choice.reference, limit=200), self.part("node-choices--reference"))
        return line.add(f"  {plain_text(choice.why, limit=120)}", self.part("row-list--muted"))

    def row_activated(self, row: int) -> None:
        self.post_message(self.ChoiceActivated(row))


NARROW_BELOW = 110


class RecorderScreen(Screen[None]):
    """Steps left, what the chosen one can be right, the key node and its trial below.

    Marks are tried on the recording by themselves, in a thread: large pages take a while.
    """

    CSS = """
    RecorderScreen {
        #recorder-title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
        #recorder-lists { height: 1fr; layout: horizontal; }
        RecordedSteps { width: 1fr; height: 1fr; }
        NodeChoices { width: 1fr; height: 1fr; }
        TextRows { height: 8; }
        &.-narrow #recorder-lists { layout: vertical; }
        &.-narrow TextRows { height: 6; }
    }
    """
    HORIZONTAL_BREAKPOINTS = breakpoints(NARROW_BELOW)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("recorder")]

    def __init__(self, store: Path, header: EpisodeHeader, marks: dict[int, Choice]) -> None:
        """`marks` are those of an earlier visit; they are changed in place, so that nothing is lost."""
        super().__init__()
        self._store, self._folder = Store(store), store / header.run / header.episode
        self._header = header
        self._marks = marks
        self._draft: Draft | None = None
        self._trials: dict[int, Trial] = {}

    def compose(self) -> ComposeResult:
        yield Static(Content("Record a WebCanvas task"), id="recorder-title")
        with Container(id="recorder-lists"):
            yield RecordedSteps()
            yield NodeChoices()
        yield TextRows()
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(RecordedSteps).focus()
        self.query_one(RecordedSteps).border_title = Content("Recorded steps")
        self.query_one(TextRows).border_title = Content("Key node")
        run_worker(self, self._read, exclusive=True)

    async def _read(self) -> None:
        """Read the steps so far off the disk."""
        from webbench.benchmarks.webcanvas.recording import read_recording
        from webbench.benchmarks.webcanvas.upkeep.draft import Draft

        def read() -> Draft:
            return Draft(read_recording(self._store.load(self._folder), self._store))

        try:
            self._draft = await asyncio.to_thread(read)
        except WebbenchError as error:
            self._tell(f"The episode can't be read: {error}", "error")
            return
        self._draft.marked = self._marks
        self._changed()

    # -- what is shown -------------------------------------------------------------------------

    def _show(self) -> None:
        draft = self._draft
        if draft is None:
            return
        self.query_one(RecordedSteps).empty_text = RecordedSteps.NO_STEPS
        self.query_one(RecordedSteps).steps = [self._row(draft, number) for number in draft.numbers]
        self._show_step()

    def _row(self, draft: Draft, number: int) -> StepRow:
        marked = draft.marked.get(number)
        trial = self._trials.get(number)
        verdict = (trial.verdict if trial else "trying") if marked else ""
        if number > len(draft.recording.steps):
            return StepRow(number, f"answer “{draft.recording.answer}”", "", verdict, _node_words(marked))
        step = draft.recording.steps[number - 1]
        landing = step.after if step.after != step.before else ""
        return StepRow(number, step.words, landing, verdict, _node_words(marked))

    def _show_step(self) -> None:
        """The choices of the step under the cursor, and its key node."""
        draft, number = self._draft, self.query_one(RecordedSteps).number
        if draft is None or not number:
            self.query_one(NodeChoices).show(0, ())
            self.query_one(TextRows).entries = ()
            return
        marked = draft.marked.get(number)
        rows = [
            ChoiceRow(one.function, _reference(one), one.why, marked is not None and _same(one, marked))
            for one in draft.choices(number)
        ]
        self.query_one(NodeChoices).show(number, rows)
        self.query_one(TextRows).entries = self._entries(number, marked)

    def _entries(self, number: int, marked: Choice | None) -> list[Entry]:
        if marked is None:
            marks, chooses = (shown_key(self.app, f"recorder.{name}") for name in ("mark", "choose_1"))
            how = f"{marks} takes the first choice, {chooses} to 9 another."
            return [Entry("", f"Step {number} is no key node. {how}", "muted")]
        entries = [Entry("function", marked.function, "strong"), Entry("reference", _reference(marked))]
        if marked.path:
            entries.append(Entry("element", marked.path))
        entries.append(Entry("page", marked.url, "muted"))
        trial = self._trials.get(number)
        if trial is not None:
            part = {"holds": "good", "missed": "bad"}.get(trial.verdict, "strong")
            entries.append(Entry("trial", trial.why, part))
        return entries

    def on_recorded_steps_step_focused(self) -> None:
        self._show_step()

    # -- marking -------------------------------------------------------------------------------

    def action_mark(self) -> None:
        """Mark the step by its first choice, or take its mark away."""
        draft, number = self._draft, self.query_one(RecordedSteps).number
        if draft is None or not number:
            return
        if number in draft.marked:
            draft.unmark(number)
            self._changed()
        else:
            self._mark(number, 0)

    def action_choose(self, digit: int) -> None:
        self._mark(self.query_one(RecordedSteps).number, digit - 1)

    def on_node_choices_choice_activated(self, message: NodeChoices.ChoiceActivated) -> None:
        self._mark(self.query_one(RecordedSteps).number, message.place)

    def _mark(self, number: int, place: int, reference: str = "") -> None:
        if self._draft is None or not number:
            return
        try:
            self._draft.mark(number, place, reference)
        except WebbenchError as error:
            self._tell(str(error), "warning")
            return
        self._changed()

    def action_edit(self) -> None:
        """Write another reference for the marked step."""
        draft, number = self._draft, self.query_one(RecordedSteps).number
        marked = draft.marked.get(number) if draft is not None else None
        if draft is None or marked is None:
            marks = shown_key(self.app, "recorder.mark")
            self._tell(f"This step is no key node yet: {marks} makes it one.")
            return
        place = next(at for at, one in enumerate(draft.choices(number)) if _same(one, marked))

        def given(reference: str | None) -> None:
            if reference:
                self._mark(number, place, reference)

        question = "What does a judge have to decide?" if marked.for_judge else "What is looked for?"
        self.app.push_screen(TextPrompt(question, value=marked.reference), given)

    def _changed(self) -> None:
        self._trials = {}
        self._show()
        run_worker(self, self._try, exclusive=True, group="trial")

    async def _try(self) -> None:
        if self._draft is None:
            return
        try:
            self._trials = await asyncio.to_thread(self._draft.trials)
        except WebbenchError as error:
            self._tell(f"The key nodes can't be tried: {error}", "error")
            return
        self._show()

    # -- writing -------------------------------------------------------------------------------

    def action_write(self) -> None:
        """To the form that tries the marked steps on near misses, too, and writes the task."""
        draft = self._draft
        if draft is None or not draft.marked:
            marks = shown_key(self.app, "recorder.mark")
            self._tell(f"A task needs a key node: {marks} makes the step one.")
            return
        checks = shlex.join(self._check(draft, number) for number in sorted(draft.marked))
        go_to(self, record_form(self._store.root, self._header, WEBCANVAS, checks=checks))

    def _check(self, draft: Draft, number: int) -> str:
        """The mark of a step as the command takes it."""
        marked = draft.marked[number]
        place, chosen = next((at, one) for at, one in enumerate(draft.choices(number)) if _same(one, marked))
        other = "" if marked.reference == chosen.reference else f"={marked.reference}"
        return f"{number}.{place + 1}{other}"

    def action_back(self) -> None:
        self.dismiss(None)

    def _tell(self, text: str, severity: SeverityLevel = "information") -> None:
        self.notify(plain_text(text, limit=600), severity=severity, markup=False, timeout=8)


def _reference(choice: Choice) -> str:
    return f"{choice.key} = {choice.reference}" if choice.key else choice.reference


def _node_words(marked: Choice | None) -> str:
    return f"{marked.function} {_reference(marked)}" if marked is not None else ""


def _same(one: Choice, marked: Choice) -> bool:
    """Whether a mark is of this choice, whatever its reference became."""
    return (one.function, one.key, one.path) == (marked.function, marked.key, marked.path)
