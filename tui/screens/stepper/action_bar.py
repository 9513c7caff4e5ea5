"""Where an action is written: completed, judged while typing, sent with Enter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from webbench.core.action.action import Action, Stop
from webbench.core.dialects.dialect import Completion, Dialect, ParseError
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.screens.stepper.completion_list import CompletionList
from webbench.tui.widgets.fields.action_verdict import Verdict, judge_action
from webbench.tui.widgets.fields.draft_slot import DraftSlot, draft_slot, draft_words
from webbench.tui.widgets.fields.safe_input import SafeInput
from webbench.tui.widgets.lines.glyphs import glyphs_of

HISTORY = 500
HINTS = 6
"""Forms of verbs below an empty field."""

PLACEHOLDER = "Write an action: Tab completes, Up recalls, Enter sends"


class ActionInput(SafeInput):
    """The field of the bar: Up, Down, Tab and Escape belong to completions and history."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("action")]

    @property
    def bar(self) -> ActionBar:
        return self.query_ancestor(ActionBar)

    async def action_submit(self) -> None:
        self.bar.submit()

    def action_complete(self) -> None:
        self.bar.complete()

    def action_suggest(self) -> None:
        self.bar.suggest()

    def action_recall(self, step: int) -> None:
        self.bar.up_or_down(step)

    def action_leave(self) -> None:
        self.bar.escape()

    def action_switch_dialect(self) -> None:
        self.bar.post_message(ActionBar.DialectSwitchRequested(self.bar))

    def on_blur(self) -> None:
        self.bar.close_completions()

    def _on_paste(self, event: events.Paste) -> None:
        """Into the value of a draft goes all that was pasted, elsewhere its first line."""
        lines = event.text.splitlines()
        if len(lines) < 2 or not self.bar.drafting:
            return
        event.stop()
        event.prevent_default()
        self.replace("\n".join(lines), *sorted(self.selection))


class ActionBar(Vertical):
    """One line to write in, one line that says what it would do.

    Set `dialect` and `observation`; `history` may be filled from earlier steps.
    """

    DEFAULT_CSS = """
    ActionBar {
        height: auto;
        background: $surface;
        border: round $border-blurred;
        border-title-color: $foreground-muted;
        border-subtitle-color: $foreground-muted;
        &:focus-within { border: round $border; border-title-color: $foreground; border-title-style: bold; }
        & ActionInput { border: none; padding: 0 1; height: 1; background: $surface; width: 1fr; }
        & ActionInput:focus { border: none; background: $surface; }
        & .verdict { height: 1; padding: 0 1; color: $foreground-muted; }
        & .verdict.-ok { color: $text-success; }
        & .verdict.-doubtful { color: $text-warning; }
        & .verdict.-wrong { color: $text-error; height: auto; max-height: 2; }
    }
    """

    @dataclass
    class ActionSubmitted(Message):
        """Enter on a text that is an action of the dialect."""

        bar: ActionBar
        text: str

    @dataclass
    class DialectSwitchRequested(Message):
        bar: ActionBar

    @dataclass
    class TargetChanged(Message):
        """The node the text refers to now, None for none."""

        bar: ActionBar
        node: AccessibilityNode | None

    @dataclass
    class AnswerTyped(Message):
        """The answer in the text is another one now, "" for none."""

        bar: ActionBar
        answer: str

    @dataclass
    class Left(Message):
        """Escape in the field with nothing open: give the focus back."""

        bar: ActionBar

    def __init__(self, dialect: Dialect | None = None, **names: Any) -> None:
        super().__init__(**names)
        self._dialect = dialect
        self._observation: Observation | None = None
        self._verdict = Verdict("empty")
        self._answer = ""
        self._preview = ""
        self._failure = ""
        self._place: int | None = None
        self._quiet_text: str | None = None
        self._slot: DraftSlot | None = None
        self.history: list[str] = []

    def compose(self) -> ComposeResult:
        yield CompletionList()
        yield ActionInput(placeholder=PLACEHOLDER, select_on_focus=False)
        yield Static(classes="verdict", markup=False)

    def on_mount(self) -> None:
        self.border_title = Content("Action")
        self._show_dialect()
        self._judge()

    # Data

    @property
    def dialect(self) -> Dialect | None:
        return self._dialect

    @dialect.setter
    def dialect(self, dialect: Dialect | None) -> None:
        self._dialect = dialect
        if self.is_mounted:
            self._show_dialect()
            filled = self._slot.filled(self.text) if self._slot is not None and self.drafting else None
            if filled is not None:
                self.draft(filled, focus=False)
            else:
                self._judge()

    @property
    def observation(self) -> Observation | None:
        return self._observation

    @observation.setter
    def observation(self, observation: Observation | None) -> None:
        self._observation = observation
        if self.is_mounted:
            self._judge()

    @property
    def input(self) -> ActionInput:
        return self.query_one(ActionInput)

    @property
    def invitation(self) -> str:
        """What the empty field says; "" is the usual text."""
        return self.input.placeholder

    @invitation.setter
    def invitation(self, text: str) -> None:
        self.input.placeholder = text or PLACEHOLDER

    @property
    def completions(self) -> CompletionList:
        return self.query_one(CompletionList)

    @property
    def text(self) -> str:
        return self.input.value

    @property
    def drafting(self) -> bool:
        """Whether the text is a draft of which nothing but the value was changed."""
        return self._slot is not None and self._slot.holds(self.text)

    @property
    def action_text(self) -> str:
        """What is sent: the text, the value of a draft put into the dialect's notation."""
        if self._slot is None or self._dialect is None or not self._slot.holds(self.text):
            return self.text.strip()
        filled = self._slot.filled(self.text)
        return draft_words(self._dialect, filled) if filled is not None else self.text.strip()

    @property
    def verdict(self) -> Verdict:
        """What the text amounts to now."""
        return self._verdict

    def set_text(self, text: str, *, cursor: int | None = None, focus: bool = True) -> None:
        """Put a text into the field without opening completions; the cursor goes to the end."""
        self._slot = None
        self._quiet_text = text
        self.input.value = text
        self.input.cursor_position = len(text) if cursor is None else cursor
        self._judge()
        if focus:
            self.input.focus()

    def edit(self, text: str) -> None:
        """Put a draft into the field and go there."""
        self.set_text(text)

    def draft(self, action: Action, *, focus: bool = True) -> None:
        """Put a draft of an action into the field, its value selected for the person to write over."""
        if self._dialect is None:
            return
        slot = draft_slot(self._dialect, action)
        if slot is None:
            self.set_text(draft_words(self._dialect, action), focus=focus)
            return
        self.set_text(slot.text, focus=focus)
        self._slot = slot
        self.input.selection = Selection(*slot.bounds)
        self._judge()

    def show_failure(self, text: str) -> None:
        """Say below the empty field why what was sent failed, "" = it didn't; it outlasts the next page."""
        self._failure = plain_text(text, limit=300)
        self._judge()

    def show_error(self, text: str) -> None:
        """Say why the last text was refused, until something is typed."""
        self._show_verdict(Verdict("wrong", plain_text(text, limit=300)))

    def show_preview(self, text: str) -> None:
        """Say beside the verdict what the answer is worth, until it changes."""
        self._preview = text
        self._show_verdict(self._verdict)

    def clear(self) -> None:
        self.set_text("", focus=False)

    def _show_dialect(self) -> None:
        name = plain_text(self._dialect.name, limit=40) if self._dialect else "no dialect"
        self.border_subtitle = Content(f"{name} · F3 switches")

    # Judging

    def _judge(self) -> None:
        before = self._verdict.node
        nodes = self._observation.nodes if self._observation is not None else ()
        self._verdict = judge_action(self.action_text, self._dialect, nodes)
        self._judge_answer()
        failed = self._verdict.kind == "empty" and self._failure
        self._show_verdict(Verdict("wrong", self._failure) if failed else self._verdict)
        if before != self._verdict.node:
            self.post_message(self.TargetChanged(self, self._verdict.node))

    def _judge_answer(self) -> None:
        answer = typed_answer(self.action_text, self._dialect) if self._dialect and self.text else ""
        if answer != self._answer:
            self._answer, self._preview = answer, ""
            self.post_message(self.AnswerTyped(self, answer))

    def _show_verdict(self, verdict: Verdict) -> None:
        glyphs = glyphs_of(self)
        sign = {"ok": glyphs.passed, "doubtful": glyphs.warning, "wrong": glyphs.failed}.get(verdict.kind, "")
        line = self.query_one(".verdict", Static)
        words = " · ".join(filter(None, (self._preview, verdict.text)))
        line.update(Content(f"{sign} {words}" if sign else self._hint()))
        for kind in ("ok", "doubtful", "wrong"):
            line.set_class(verdict.kind == kind, f"-{kind}")

    def on_resize(self) -> None:
        """Another width has room for other hints."""
        self._judge()

    def _hint(self) -> str:
        """Forms of the first verbs, as many as the line has room for, whole."""
        room = self.query_one(".verdict", Static).content_size.width
        line = ""
        for one in list(self._dialect.verbs())[:HINTS] if self._dialect else ():
            longer = "  ".join(filter(None, (line, plain_text(one.form, limit=80))))
            if line and cell_len(longer) > room:
                break
            line = longer
        return line

    @on(Input.Changed)
    def _text_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._judge()
        if event.value == self._quiet_text:
            return
        self._quiet_text = None
        self._place = None
        if event.value and self.input.has_focus:
            self.suggest()
        else:
            self.close_completions()

    # Completions

    def suggest(self) -> None:
        """Open the completions of what stands before the cursor."""
        if self._dialect is None:
            return
        before = self.text[: self.input.cursor_position]
        self.completions.show(list(self._dialect.complete(before, self._observation)))

    def close_completions(self) -> None:
        if self.completions.is_open:
            self.completions.close()

    def complete(self) -> None:
        """Take the chosen completion, or open them."""
        completion = self.completions.current
        if completion is None:
            self.suggest()
            completion = self.completions.current if self.completions.row_count == 1 else None
        if completion is not None:
            self._take(completion)

    @on(CompletionList.Chosen)
    def _clicked(self, event: CompletionList.Chosen) -> None:
        event.stop()
        self._take(event.completion)
        self.input.focus()

    def _take(self, completion: Completion) -> None:
        written = self.text[: completion.start] + completion.text
        after = "" if self.drafting else self.text[self.input.cursor_position :]
        self.set_text(written + after, cursor=len(written))
        if self._verdict.kind == "wrong" and self._dialect is not None:
            self.suggest()
        else:
            self.close_completions()

    # Keys

    def up_or_down(self, step: int) -> None:
        """Move in the open completions, else through the history."""
        if self.completions.is_open:
            self.completions.action_move(step)
        elif self.history:
            place = len(self.history) if self._place is None else self._place
            place = max(0, min(len(self.history), place + step))
            self.set_text(self.history[place] if place < len(self.history) else "")
            self._place = place

    def escape(self) -> None:
        """Close what is open; with nothing open, tell the screen."""
        if self.completions.is_open:
            self.close_completions()
        else:
            self.post_message(self.Left(self))

    def submit(self) -> None:
        """Send the text, unless it is no action or a completion is chosen."""
        text = self.action_text
        if not text:
            return
        if self.completions.is_open and self.completions.cursor > 0:
            self.complete()
            return
        if self._verdict.kind == "wrong":
            self.app.bell()
            return
        self.close_completions()
        self.history = [*(entry for entry in self.history if entry != text), text][-HISTORY:]
        self._place = None
        self.clear()
        self.post_message(self.ActionSubmitted(self, text))


def typed_answer(text: str, dialect: Dialect) -> str:
    """What a text would answer if it were sent, also before its closing bracket stands; "" for none."""
    read = dialect.parse(text)
    if isinstance(read, ParseError):
        read = dialect.parse(read.nearest)
    return read.answer if isinstance(read, Stop) else ""
