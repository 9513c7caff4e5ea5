"""What the registry holds: one thing a person can do, and the keys that do it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UserAction:
    """Something a person can do.

    Attributes:
        id: "scope.name", used in `keys.<id>` settings, e.g. "stepper.marks".
        keys: comma-separated Textual keys.
        action: Textual action of the screen or widget it belongs to.
        title: a few words, for footer and palette.
        help: one sentence for the help screen.
        rank: place in the footer, 1 first; 0 is never shown there.
        priority: works while a text field has the focus.
    """

    id: str
    keys: str
    action: str
    title: str
    help: str = ""
    rank: int = 0
    priority: bool = False
