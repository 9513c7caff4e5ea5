"""Which task this is, what it asks for, where the page is, and how far the episode has come."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from webbench.core.observation import Observation
from webbench.core.score.explanation import value_words
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import shown_key
from webbench.tui.widgets.lines.clock import Clock
from webbench.tui.widgets.lines.component_style import component_style
from webbench.tui.widgets.lines.glyphs import glyphs_of, status_sign
from webbench.tui.widgets.lines.line import Line, shorten, wrap

SCORES = ("passed", "partial", "failed", "pending", "skipped", "trouble")
MOST_LINES = 2
"""Of the intent."""
SHORTEST_URL = 24
"""Cells below which the rest of an address says nothing."""
PARTS = ("task", "mode", "intent", "url", "muted", "busy", *SCORES)


class TitleText(Widget):
    """Task, step, mode, progress, and what drives the browser; below it the intent, then the URL.

    The intent gets a second line where it needs one; the URL has what is left of the last.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"title-text--{name}" for name in PARTS}

    DEFAULT_CSS = """
    TitleText {
        height: 2;
        width: 1fr;
        & > .title-text--task { color: $text-primary; text-style: bold; }
        & > .title-text--mode { color: $text-accent; text-style: bold; }
        & > .title-text--intent { color: $foreground; }
        & > .title-text--url { color: $text-secondary; }
        & > .title-text--muted { color: $foreground 65%; }
        & > .title-text--passed { color: $text-success; text-style: bold; }
        & > .title-text--partial { color: $text-warning; text-style: bold; }
        & > .title-text--failed { color: $text-error; text-style: bold; }
        & > .title-text--pending { color: $text-accent; }
        & > .title-text--skipped { color: $foreground 65%; }
        & > .title-text--trouble { color: $text-error; text-style: bold; }
        & > .title-text--busy { color: $text-warning; text-style: italic; }
    }
    """

    task_id: reactive[str] = reactive("")
    intent: reactive[str] = reactive("")
    url: reactive[str] = reactive("")
    agent: reactive[tuple[str, str]] = reactive(("", ""))
    score: reactive[Score | None] = reactive(None)
    step: reactive[int] = reactive(0)
    limit: reactive[int] = reactive(0)
    busy: reactive[str] = reactive("")
    driver: reactive[str] = reactive("")

    def render_line(self, y: int) -> Strip:
        line = Line(self.size.width)
        return (self._first(line) if y == 0 else self._intent_line(line, y - 1)).strip(self.rich_style)

    def on_resize(self) -> None:
        self._fit()

    def watch_intent(self) -> None:
        self._fit()

    def _fit(self) -> None:
        self.styles.height = 1 + len(self._wrapped(self.size.width))

    def _wrapped(self, width: int) -> list[str]:
        """The intent in lines; what no more of them have room for stands behind a key."""
        return wrap(plain_text(self.intent, limit=600), max(1, width - 2), MOST_LINES) or [""]

    def _style(self, name: str) -> Style:
        return component_style(self, f"title-text--{name}")

    def _first(self, line: Line) -> Line:
        glyphs = glyphs_of(self)
        line.add(" ")
        line.add(plain_text(self.task_id or "no task", limit=80), self._style("task"), limit=line.width // 2)
        if self.step or self.limit:
            count = f"step {self.step}" + (f" of {self.limit}" if self.limit else "")
            line.add(f"  {count}", self._style("muted"))
        if self.score is not None:
            sign, part = status_sign(self.score.status, self.score.value, glyphs)
            words = value_words(self.score.value, self.score.status)
            line.add(f"  {sign} {words}", self._style(part))
        name, state = self.agent
        if name:
            words = f"{glyphs.agent} {plain_text(name, limit=40)} {state}"
            line.add(f"  {words}", self._style("mode"))
        if self.busy:
            line.add(f"  {plain_text(self.busy, limit=120)}", self._style("busy"))
        if self.driver:
            line.right(f" {plain_text(self.driver, limit=40)} ", self._style("muted"))
        if self.url and not self._room_for_url(line.width) and line.room > SHORTEST_URL:
            line.right(f" {shorten(plain_text(self.url, limit=300), line.room - 2)} ", self._style("url"))
        return line

    def _room_for_url(self, width: int) -> int:
        """Cells that the intent's last line leaves to the address; 0 where those are too few."""
        left = width - cell_len(self._wrapped(width)[-1]) - 4
        return left if left >= SHORTEST_URL else 0

    def _intent_line(self, line: Line, number: int) -> Line:
        lines = self._wrapped(line.width)
        if number >= len(lines):
            return line
        if number == MOST_LINES - 1 and lines[number].endswith("…"):
            line.right(f" {shown_key(self.app, 'stepper.task')} all ", self._style("muted"))
        left = self._room_for_url(line.width) if number == len(lines) - 1 else 0
        if self.url and left:
            line.right(f" {shorten(plain_text(self.url, limit=300), left)} ", self._style("url"))
        return line.add(" ").add(lines[number], self._style("intent"))


class TitleLine(Horizontal):
    """The text and the clock. Give it what happens: the task, observations, scores, progress."""

    DEFAULT_CSS = """
    TitleLine { height: auto; background: $panel; }
    """

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._task_shown: Task | None = None
        self._observation: Observation | None = None
        self._text = TitleText()
        self._clock = Clock()

    def compose(self) -> ComposeResult:
        yield self._text
        yield self._clock

    @property
    def shown_task(self) -> Task | None:
        return self._task_shown

    @shown_task.setter
    def shown_task(self, task: Task | None) -> None:
        self._task_shown = task
        self._text.task_id = f"{task.benchmark} {task.id}" if task else ""
        self._text.intent = task.intent if task else ""

    @property
    def observation(self) -> Observation | None:
        return self._observation

    @observation.setter
    def observation(self, observation: Observation | None) -> None:
        self._observation = observation
        self._text.url = observation.url if observation else ""

    @property
    def progress(self) -> str:
        """What is being done right now, "" when idle."""
        return self._text.busy

    @progress.setter
    def progress(self, text: str) -> None:
        self._text.busy = text

    @property
    def driver(self) -> str:
        """What drives the browser, "" where nothing is known of it."""
        return self._text.driver

    @driver.setter
    def driver(self, driver: str) -> None:
        self._text.driver = driver

    @property
    def step(self) -> int:
        """Actions so far, as the limit counts them."""
        return self._text.step

    @step.setter
    def step(self, step: int) -> None:
        self._text.step = step

    @property
    def limit(self) -> int:
        """Most actions the episode may take, 0 for no limit."""
        return self._text.limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._text.limit = limit

    @property
    def score(self) -> Score | None:
        return self._text.score

    @score.setter
    def score(self, score: Score | None) -> None:
        self._text.score = score

    @property
    def agent(self) -> tuple[str, str]:
        """Name of the agent at hand ("" for none) and what it does, in words."""
        return self._text.agent

    @agent.setter
    def agent(self, agent: tuple[str, str]) -> None:
        self._text.agent = agent

    @property
    def clock(self) -> Clock:
        return self._clock

    def start_clock(self, seconds: float = 0.0) -> None:
        self._clock.start(seconds)

    def stop_clock(self) -> None:
        self._clock.stop()
