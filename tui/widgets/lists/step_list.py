"""The steps of an episode: who acted, what, how it went, what it did to the score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from rich.cells import cell_len
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from webbench.core.text.durations import short_duration
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.core.trajectory import Step, step_words
from webbench.tui.commands import bindings
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList


class StepList(RowList):
    """Give it all `steps` at once, or `add` them as they are recorded; it follows the last one
    while the cursor is on it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "step-list--ok",
        "step-list--bad",
        "step-list--up",
        "step-list--down",
    }

    DEFAULT_CSS = """
    StepList {
        & > .step-list--ok { color: $text-success; }
        & > .step-list--bad { color: $text-error; text-style: bold; }
        & > .step-list--up { color: $text-success; text-style: bold; }
        & > .step-list--down { color: $text-error; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("steps")]

    empty_text = "No step yet: choose a node and press Enter, or write an action."

    @dataclass
    class StepFocused(Message):
        steps: StepList
        step: Step

    @dataclass
    class StepActivated(Message):
        steps: StepList
        step: Step

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._steps: list[Step] = []
        self.in_words = False
        """Whether actions stand in words: set it where their texts are calls of another tool."""

    def on_mount(self) -> None:
        self._show_titles()

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    @steps.setter
    def steps(self, steps: Iterable[Step]) -> None:
        self._steps = list(steps)
        self.rows_changed()
        self._show_titles()

    def add(self, step: Step) -> None:
        """Append a step, or replace the one with its index."""
        at = next((at for at, known in enumerate(self._steps) if known.index == step.index), None)
        following = self.cursor >= len(self._steps) - 1
        if at is None:
            self._steps.append(step)
        else:
            self._steps[at] = step
        self.rows_changed()
        if following:
            self.cursor = len(self._steps) - 1
        self._show_titles()

    @property
    def row_count(self) -> int:
        return len(self._steps)

    def _show_titles(self) -> None:
        self.border_title = Content("Steps")
        bad = sum(not step.ok for step in self._steps)
        words = [counted(max(0, len(self._steps) - 1), "step")] + ([f"{bad} failed"] if bad else [])
        self.border_subtitle = Content(" · ".join(words) if self._steps else "")

    def row_line(self, row: int, width: int) -> Line:
        step, glyphs = self._steps[row], self.glyphs
        muted = self.part("row-list--muted")
        who = {"human": glyphs.human, "agent": glyphs.agent, "operator": glyphs.operator}[step.actor]
        line = Line(width)
        if (delta := self._delta(row)) and width >= 30:
            line.right(f" {delta:+.2f}", self.part("step-list--up" if delta > 0 else "step-list--down"))
        spent = step.seconds.agent + step.seconds.environment + step.seconds.scoring
        what = step_kind(step)
        if width >= 34 and (spent or (what == "action" and step.seconds.total)):
            line.right(f" {short_duration(spent):>5}", muted)
        line.add(f"{step.index:>3} ", muted)
        who = " " if what == "start" else who
        line.add(who.ljust(2 - cell_len(who) + len(who)) + " ")
        if what != "action":
            return line.add(f"{what} ", muted).add(plain_text(step.note or step.url, limit=200), muted)
        sign, part = (glyphs.passed, "step-list--ok") if step.ok else (glyphs.failed, "step-list--bad")
        done = step_words(step) if self.in_words else step.text
        line.add(f"{sign} ", self.part(part)).add(plain_text(done, limit=300))
        if not step.ok:
            line.add(f"  {plain_text(step.error, limit=300)}", self.part("step-list--bad"))
        elif step.note:
            line.add(f"  {plain_text(step.note, limit=200)}", muted)
        return line

    def _delta(self, row: int) -> float | None:
        """Change of the score against the last scored step before, None where there is nothing to compare."""
        score = self._steps[row].score
        if score is None or score.value is None:
            return None
        for step in reversed(self._steps[:row]):
            if step.score is not None and step.score.value is not None:
                return score.value - step.score.value
        return None

    def row_focused(self, row: int) -> None:
        self.post_message(self.StepFocused(self, self._steps[row]))

    def row_activated(self, row: int) -> None:
        self.post_message(self.StepActivated(self, self._steps[row]))


def step_kind(step: Step) -> Literal["start", "note", "action"]:
    """What is recorded: the page as the episode found it, something said about it, or an action."""
    if step.action is not None or step.text:
        return "action"
    return "start" if step.index == 0 else "note"
