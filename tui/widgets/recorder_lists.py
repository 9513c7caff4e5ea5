"""The recorder's two lists: recorded steps with what became of their marks, and what a step can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.content import Content
from textual.message import Message

from webbench.core.plain_text import plain_text
from webbench.core.plural import counted
from webbench.tui.widgets.line import Line
from webbench.tui.widgets.row_list import RowList

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
