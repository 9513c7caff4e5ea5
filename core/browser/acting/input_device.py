"""Mouse and keyboard as the acting code needs them, so that another back end can stand in."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from webbench.core.action.action import Button
from webbench.core.errors import ActionFailed
from webbench.core.observation import Screenshot

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
BUTTONS: dict[Button, int] = {"left": 1, "right": 2, "middle": 4}
"""Their bits, as `MouseEvent.buttons` has them."""

LONGEST_TYPED = 200
"""Characters up to which a text is typed key by key."""

LONGEST_UNHEARD = 12
"""The same where the page hears of no key: each costs the browser 2.5 ms of processor time."""


class InputDevice(Protocol):
    """Real input events on the active tab; points are CSS px of the top-level viewport."""

    async def move(self, x: float, y: float) -> None: ...

    async def click(self, x: float, y: float, button: Button, count: int) -> None: ...

    async def drag(self, x: float, y: float, to_x: float, to_y: float) -> None: ...

    async def press(self, chord: str) -> None:
        """A key chord such as "Control+Shift+k". Raises `ActionFailed` for a key that doesn't exist."""
        ...

    async def button(self, button: Button, down: bool) -> None:
        """Hold a button where the pointer is, or let go of it. What is held goes with `move`."""
        ...

    async def hold(self, key: str, down: bool) -> None:
        """Hold a key, or let go of it. Raises `ActionFailed` for a key that doesn't exist."""
        ...

    async def type(self, text: str, *, unheard: bool = False) -> None:
        """Key events for every character that has a key, inserted text for the others.

        Texts longer than `LONGEST_TYPED` go in at one stroke between two typed ends, as a paste would; where
        keys are unheard by the page, which then can't tell the difference, shorter ones may, too.
        """
        ...

    async def insert(self, text: str) -> None:
        """Put a text in where the focus is, at one stroke and without a key."""
        ...


@runtime_checkable
class OnDisplay(Protocol):
    """What an `InputDevice` may have besides: a window on a display, before which a person could sit."""

    async def wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel over a point, by as many whole notches as these CSS px hold."""
        ...

    async def picture(self) -> Screenshot:
        """The page as the display shows it, with native menus. Raises `EnvironmentDown`."""
        ...

    async def maximize(self) -> None:
        """Make the window fill the display."""
        ...

    async def size(self) -> tuple[int, int]:
        """Of the page in the window, CSS px."""
        ...

    def take_notes(self) -> str:
        """What a step should say of the input since the last call; "" for nothing."""
        ...


def chord_keys(chord: str) -> list[str]:
    """The keys of a chord by Playwright's names: "ctrl+k" is Control, k; "Control++" is Control, +."""
    text = chord.strip() or chord
    ends_in_plus = text.endswith("+")
    before = text[:-1].removesuffix("+") if ends_in_plus else text
    keys = [key for key in before.split("+") if key] + ["+"] * ends_in_plus
    return [KEY_NAMES.get(key.strip().lower(), key.strip() or key) for key in keys]


def normal_chord(chord: str) -> str:
    """A chord as Playwright takes it: "ctrl+shift+k" becomes "Control+Shift+k"."""
    return "+".join(chord_keys(chord))


def no_such_key(chord: str) -> ActionFailed:
    return ActionFailed(f"there is no key {chord!r}", "name keys like Enter, Escape, ArrowDown, Control+a")


def parted(text: str, *, unheard: bool) -> tuple[str, str, str]:
    """What is typed, inserted and typed of a text; "" for what it lacks."""
    if len(text) <= (LONGEST_UNHEARD if unheard else LONGEST_TYPED):
        return text, "", ""
    return text[0], text[1:-1], text[-1]
