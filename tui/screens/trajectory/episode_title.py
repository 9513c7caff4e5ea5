"""The title of an episode: whose, of which task, at which step, and what was done there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from webbench.core.exchange.own.carried_fields import for_others
from webbench.core.exchange.own.origins import origins_words, subagent_words
from webbench.core.score.explanation import value_words
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.glyphs import glyphs_of, status_sign
from webbench.tui.widgets.lines.line import Line

SCORES = ("passed", "partial", "failed", "pending", "skipped", "trouble")
PARTS = ("task", "muted", "intent", "action", "url", "side", "bad", *SCORES)


@dataclass(frozen=True, slots=True)
class Shown:
    """One step of an episode as the title tells it."""

    header: EpisodeHeader
    step: Step | None
    """None where the record has no steps."""
    last: int
    """Index of the last step."""
    words: str
    side: str
    """Which page is shown: before the action, after it ..."""
    url: str
    pictures: bool = True
    """Whether any picture was recorded."""
    correction: str = ""
    """The score as people correct it, "" where nobody disputes it."""


class TrajectoryTitle(Widget):
    """Three lines: task, actor, score and step; the intent; the action in words."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"trajectory-title--{name}" for name in PARTS}

    DEFAULT_CSS = """
    TrajectoryTitle {
        height: 3;
        background: $panel;
        & > .trajectory-title--task { color: $text-primary; text-style: bold; }
        & > .trajectory-title--muted { color: $foreground 65%; }
        & > .trajectory-title--intent { color: $foreground; }
        & > .trajectory-title--action { color: $text-accent; text-style: bold; }
        & > .trajectory-title--side { color: $foreground; text-style: reverse bold; }
        & > .trajectory-title--url { color: $text-secondary; }
        & > .trajectory-title--bad { color: $text-error; text-style: bold; }
        & > .trajectory-title--passed { color: $text-success; text-style: bold; }
        & > .trajectory-title--partial { color: $text-warning; text-style: bold; }
        & > .trajectory-title--failed { color: $text-error; text-style: bold; }
        & > .trajectory-title--pending { color: $text-accent; }
        & > .trajectory-title--skipped { color: $foreground 65%; }
        & > .trajectory-title--trouble { color: $text-error; text-style: bold; }
    }
    """

    _shown: Shown | None = None
    _told = "reading the record…"

    def say(self, text: str) -> None:
        """In place of an episode: why none is shown."""
        self._shown, self._told = None, text
        self.refresh()

    def show(self, shown: Shown) -> None:
        self._shown = shown
        self.refresh()

    def _style(self, name: str) -> Style:
        return component_style(self, f"trajectory-title--{name}")

    def render_line(self, y: int) -> Strip:
        line = Line(self.size.width).add(" ")
        if self._shown is not None:
            (self._first, self._second, self._third)[y](line, self._shown)
        elif y == 0:
            line.add(plain_text(self._told, limit=400), self._style("muted"))
        return line.strip(self.rich_style)

    def _first(self, line: Line, shown: Shown) -> None:
        header, glyphs = shown.header, glyphs_of(self)
        if shown.side:
            line.right(f" {shown.side} ", self._style("side"))
        name = f"{header.task.benchmark} {header.task.id}"
        line.add(plain_text(name, limit=80), self._style("task"), limit=line.width // 3)
        line.add(f"  step {shown.step.index} of {shown.last}" if shown.step is not None else "  no steps")
        if header.score is not None:
            sign, part = status_sign(header.score.status, header.score.value, glyphs)
            words = value_words(header.score.value, header.score.status)
            line.add(f"  {sign} {words}", self._style(part))
        if shown.correction:
            line.add(f" as scored, {shown.correction} as corrected", self._style("muted"))
        who = glyphs.human if header.actor == "human" else glyphs.agent
        line.add(f"  {who} {plain_text(header.actor, limit=40)}", self._style("muted"))
        if not shown.pictures:
            line.add("  no screenshots recorded", self._style("muted"))
        if header.origin is not None:
            line.add(f"  fork of {plain_text(header.origin.episode, limit=60)} at step {header.origin.step}")
        ended = f"ended: {header.end_reason}" if header.end_reason else "it did not end"
        line.add(f"  {plain_text(ended, limit=120)}", self._style("muted"))
        for words in filter(None, (subagent_words(header), origins_words(for_others(header)))):
            line.add(f"  {plain_text(words, limit=300)}", self._style("muted"))

    def _second(self, line: Line, shown: Shown) -> None:
        line.right(f" {plain_text(shown.url, limit=300)[: line.width // 2]} ", self._style("url"))
        line.add(
            plain_text(shown.header.task.intent, limit=600) or "no intent is recorded", self._style("intent")
        )

    def _third(self, line: Line, shown: Shown) -> None:
        if shown.step is None:
            line.add(plain_text(shown.words, limit=400), self._style("muted"))
            return
        line.add(f"{shown.step.index:>2} ", self._style("muted"))
        line.add(plain_text(shown.words, limit=400), self._style("action"))
        if not shown.step.ok:
            line.add(f"  no effect: {plain_text(shown.step.error, limit=300)}", self._style("bad"))
        elif shown.step.note:
            line.add(f"  {plain_text(shown.step.note, limit=300)}", self._style("muted"))
