"""Mouse and keyboard as the acting code needs them, so that another back end can stand in."""

from __future__ import annotations

import re
from typing import Protocol

from webbench.core.action import Button
from webbench.core.errors import ActionFailed

KEY_NAMES = {
    "ctrl": "Control",
    "control": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "meta": "Meta",
    "super": "Meta",
    "win": "Meta",
    "alt": "Alt",
    "option": "Alt",
    "shift": "Shift",
    "esc": "Escape",
    "escape": "Escape",
    "return": "Enter",
    "enter": "Enter",
    "del": "Delete",
    "delete": "Delete",
    "backspace": "Backspace",
    "tab": "Tab",
    "space": "Space",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "arrowup": "ArrowUp",
    "arrowdown": "ArrowDown",
    "arrowleft": "ArrowLeft",
    "arrowright": "ArrowRight",
    "pageup": "PageUp",
    "page_up": "PageUp",
    "pagedown": "PageDown",
    "page_down": "PageDown",
    "home": "Home",
    "end": "End",
    "insert": "Insert",
}
WHOLE_KEYS = 200
"""Characters up to which a text is typed key by key."""


class InputDevice(Protocol):
    """Real input events on the active tab; points are CSS px of the top-level viewport."""

    async def move(self, x: float, y: float) -> None: ...

    async def click(self, x: float, y: float, button: Button, count: int) -> None: ...

    async def drag(self, x: float, y: float, to_x: float, to_y: float) -> None: ...

    async def press(self, chord: str) -> None:
        """A key chord such as "Control+Shift+k". Raises `ActionFailed` for a key that doesn't exist."""

    async def hold(self, key: str, down: bool) -> None: ...

    async def type(self, text: str) -> None:
        """Key events for every character that has a key, inserted text for the others."""


def normal_chord(chord: str) -> str:
    """Playwright's names: "ctrl+shift+k" becomes "Control+Shift+k", "Control++" keeps its plus."""
    keys = re.findall(r"\+(?=\+|$)|[^+]+", chord.strip()) or [chord]
    return "+".join(KEY_NAMES.get(key.strip().lower(), key.strip() or key) for key in keys)


def no_such_key(chord: str) -> ActionFailed:
    return ActionFailed(f"there is no key {chord!r}", "name keys like Enter, Escape, ArrowDown, Control+a")
