"""The steps panel: steps and, beside them, all that is known of the one under the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from webbench.core.models.call_text import call_texts
from webbench.core.provenance import provenance_words
from webbench.core.text.durations import short_duration
from webbench.core.trajectory import Seconds, Step
from webbench.tui.widgets.lists.step_list import StepList, step_kind
from webbench.tui.widgets.lists.text_rows import Entry, TextRows

REMARK = "nobody acted: a remark in the record"
WHO = {"human": "human", "agent": "agent", "operator": "operator: a person beside an agent"}
WITHOUT_ACTION = {"start": "the start", "note": "none: a note"}
SIDE_BY_SIDE_FROM = 76


class StepsPanel(Container):
    """A `StepList` and a `TextRows` that follows it."""

    DEFAULT_CSS = """
    StepsPanel {
        layout: vertical;
        & StepList { height: 3fr; }
        & TextRows { height: 2fr; }
        &.-wide-enough { layout: horizontal; }
        &.-wide-enough StepList { width: 1fr; height: 1fr; }
        &.-wide-enough TextRows { width: 1fr; height: 1fr; }
    }
    """

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._steps = StepList()
        self._detail = TextRows()
        self._detail.empty_text = "Choose a step to see all of it."

    def compose(self) -> ComposeResult:
        yield self._steps
        yield self._detail

    def on_mount(self) -> None:
        self._detail.border_title = Content("Step")

    def on_resize(self) -> None:
        self.set_class(self.size.width >= SIDE_BY_SIDE_FROM, "-wide-enough")

    @property
    def steps(self) -> StepList:
        return self._steps

    @property
    def detail(self) -> TextRows:
        return self._detail

    def clear(self) -> None:
        """Another episode begins."""
        self._steps.steps = ()
        self._detail.entries = ()

    def add(self, step: Step) -> None:
        """A step was recorded; the detail follows where the list does."""
        self._steps.add(step)
        self._show()

    def on_step_list_step_focused(self) -> None:
        self._show()

    def _show(self) -> None:
        steps = self._steps.steps
        step = steps[self._steps.cursor] if self._steps.cursor < len(steps) else None
        self._detail.entries = step_entries(step) if step is not None else ()
        when = f" · {step.at[11:19]} UTC" if step and step.at else ""
        self._detail.border_subtitle = Content(f"{step.index}{when}" if step else "")


def step_entries(step: Step) -> Iterator[Entry]:
    """What a step is made of, what is empty left out."""
    what = step_kind(step)
    yield Entry("action", step.text or WITHOUT_ACTION.get(what, ""), "strong")
    if not step.ok:
        yield Entry("error", step.error, "bad")
    if what != "start":
        yield Entry("by", REMARK if what == "note" else WHO.get(step.actor, step.actor))
    facts = (
        ("decided", provenance_words(step.provenance)),
        ("proposed", step.proposed),
        ("note", step.note),
        ("score", step.score.headline() if step.score is not None and not step.note else ""),
        ("output", step.output),
        ("page", step.title),
        ("url", step.url),
        ("condition", "" if step.condition == "ok" else step.condition),
        ("found by", step.matched_by),
        ("dialect", step.dialect),
        ("seconds", seconds_text(step.seconds)),
        ("reasoning", step.reasoning),
        ("reply", step.reply),
        *call_texts(step.calls),
        ("usage", ", ".join(f"{name} {value}" for name, value in step.usage.items())),
        ("recorded", step.at),
    )
    for label, text in facts:
        if text:
            yield Entry(label, text)


def seconds_text(seconds: Seconds) -> str:
    """`idle 4.0s · page 120ms · scoring 10ms`, parts that took no time left out."""
    parts = (
        ("idle", seconds.idle),
        ("agent", seconds.agent),
        ("page", seconds.environment),
        ("scoring", seconds.scoring),
    )
    return " · ".join(f"{name} {short_duration(spent)}" for name, spent in parts if spent >= 0.001)
