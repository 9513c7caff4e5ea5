"""Mouse and keyboard as the acting code needs them, so that another back end can stand in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from webbench.core.action import Button
from webbench.core.errors import ActionFailed

if TYPE_CHECKING:
    from playwright.async_api import Page

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


class PlaywrightInput:
    """An `InputDevice` over Playwright's mouse and keyboard."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def move(self, x: float, y: float) -> None:
        await self._page.mouse.move(x, y)

    async def click(self, x: float, y: float, button: Button, count: int) -> None:
        await self._page.mouse.click(x, y, button=button, click_count=count)

    async def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        mouse = self._page.mouse
        await mouse.move(x, y)
        await mouse.down()
        try:
            await mouse.move(to_x, to_y, steps=10)
        finally:
            await mouse.up()

    async def press(self, chord: str) -> None:
        from playwright.async_api import Error

        keys = normal_chord(chord)
        try:
            await self._page.keyboard.press(keys)
        except Error as error:
            if "Unknown key" in str(error):
                raise ActionFailed(
                    f"there is no key {chord!r}", "name keys like Enter, Escape, ArrowDown, Control+a"
                ) from error
            raise

    async def hold(self, key: str, down: bool) -> None:
        keyboard = self._page.keyboard
        await (keyboard.down(normal_chord(key)) if down else keyboard.up(normal_chord(key)))

    async def type(self, text: str) -> None:
        """Texts longer than `WHOLE_KEYS` go in at one stroke between two typed ends, as a paste would."""
        keyboard = self._page.keyboard
        if len(text) <= WHOLE_KEYS:
            await keyboard.type(text)
            return
        await keyboard.type(text[0])
        await keyboard.insert_text(text[1:-1])
        await keyboard.type(text[-1])


def normal_chord(chord: str) -> str:
    """Playwright's names: "ctrl+shift+k" becomes "Control+Shift+k", "Control++" keeps its plus."""
    keys = re.findall(r"\+(?=\+|$)|[^+]+", chord.strip()) or [chord]
    return "+".join(KEY_NAMES.get(key.strip().lower(), key.strip() or key) for key in keys)
