"""The part of a drafted action that a person fills in, whatever language the action is written in.

What stands in the slot is the value itself, not its notation: a quotation mark, a bracket, a backslash or
a line break there means just that, and the dialect finds the words for it when the action is sent.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from webbench.core.action.action import (
    Action,
    AnswerDialog,
    Check,
    ElementRef,
    Press,
    Select,
    SetRange,
    Stop,
    Type,
    Upload,
)
from webbench.core.dialects.dialect import Dialect
from webbench.core.dialects.wording import wording

SLOTS: dict[type, str] = {
    Type: "text",
    Select: "options",
    Press: "keys",
    Upload: "files",
    SetRange: "value",
    Stop: "answer",
    AnswerDialog: "text",
}
"""The field of each action that a person fills in."""
STAND_IN, STAND_IN_NUMBER = "slot90817263", "90817263.5"
"""Written in the value's place to find where the language puts it."""


@dataclass(frozen=True, slots=True)
class DraftSlot:
    """A draft's words before and behind the value, and the value it begins with."""

    action: Action
    before: str
    value: str
    behind: str

    @property
    def text(self) -> str:
        return self.before + self.value + self.behind

    @property
    def bounds(self) -> tuple[int, int]:
        """Where the value stands in `text`."""
        return len(self.before), len(self.before) + len(self.value)

    def holds(self, text: str) -> bool:
        """Whether only the value differs, so that this is still the same draft."""
        long_enough = len(text) >= len(self.before) + len(self.behind)
        return long_enough and text.startswith(self.before) and text.endswith(self.behind)

    def filled(self, text: str) -> Action | None:
        """The action with the value as it stands in the text; None where a number is wanted and is none."""
        return _with_value(self.action, text[len(self.before) : len(text) - len(self.behind)])


def draft_slot(dialect: Dialect, action: Action) -> DraftSlot | None:
    """Where the value of an action goes; None for actions that have none to fill in."""
    name = SLOTS.get(type(action))
    stand_in = STAND_IN_NUMBER if name == "value" else STAND_IN
    sample = _with_value(action, stand_in) if name else None
    if name is None or sample is None:
        return None
    before, found, behind = draft_words(dialect, sample).partition(stand_in)
    if not found or stand_in in behind:
        return None
    value = getattr(action, name)
    first = value[0] if isinstance(value, tuple) and value else value or ""
    return DraftSlot(action, before, f"{first:g}" if isinstance(first, float) else str(first), behind)


def draft_words(dialect: Dialect, action: Action) -> str:
    """The action in the dialect's words; a box or button of a group by name and value where it can."""
    if isinstance(action, Check) and action.target.field and action.target.option:
        target = action.target
        role = "radio" if target.role == "radio" else ""
        named = ElementRef(field=target.field, option=target.option, role=role)
        words = dialect.format(msgspec.structs.replace(action, target=named))
        if not words.startswith("{"):
            return words
    return wording(dialect, action)


def _with_value(action: Action, value: str) -> Action | None:
    name = SLOTS[type(action)]
    if name in ("options", "files"):
        return msgspec.structs.replace(action, **{name: (value,)})
    if name != "value":
        return msgspec.structs.replace(action, **{name: value})
    try:
        return msgspec.structs.replace(action, value=float(value))
    except ValueError:
        return None
