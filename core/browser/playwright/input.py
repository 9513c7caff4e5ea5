"""Mouse and keyboard by Playwright."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from webbench.core.action.action import Button
from webbench.core.browser.acting.input_device import no_such_key, normal_chord, parted
from webbench.core.browser.playwright.devtools import translated

if TYPE_CHECKING:
    from playwright.async_api import Page

REFUSED = "the browser refused"
DRAG_STEPS = 10
"""Moves in which a way with a held button is made."""


class PlaywrightInput:
    """An `InputDevice` over Playwright's mouse and keyboard."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._pressed: set[Button] = set()

    async def move(self, x: float, y: float) -> None:
        with translated(REFUSED):
            await self._page.mouse.move(x, y, steps=DRAG_STEPS if self._pressed else 1)

    async def button(self, button: Button, down: bool) -> None:
        mouse = self._page.mouse
        with translated(REFUSED):
            await (mouse.down(button=button) if down else mouse.up(button=button))
        (self._pressed.add if down else self._pressed.discard)(button)

    async def click(self, x: float, y: float, button: Button, count: int) -> None:
        with translated(REFUSED):
            await self._page.mouse.click(x, y, button=button, click_count=count)

    async def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        mouse = self._page.mouse
        with translated(REFUSED):
            await mouse.move(x, y)
            await mouse.down()
            try:
                await mouse.move(to_x, to_y, steps=DRAG_STEPS)
            finally:
                await mouse.up()

    async def press(self, chord: str) -> None:
        with translated(REFUSED), _known(chord):
            await self._page.keyboard.press(_with_shift(normal_chord(chord)))

    async def hold(self, key: str, down: bool) -> None:
        keyboard = self._page.keyboard
        with translated(REFUSED), _known(key):
            await (keyboard.down(normal_chord(key)) if down else keyboard.up(normal_chord(key)))

    async def type(self, text: str, *, unheard: bool = False) -> None:
        first, middle, last = parted(text, unheard=unheard)
        keyboard = self._page.keyboard
        with translated(REFUSED):
            await keyboard.type(first)
            if middle:
                await keyboard.insert_text(middle)
                await keyboard.type(last)

    async def insert(self, text: str) -> None:
        with translated(REFUSED):
            await self._page.keyboard.insert_text(text)


@contextmanager
def _known(chord: str) -> Iterator[None]:
    from playwright.async_api import Error

    try:
        yield
    except Error as error:
        if "Unknown key" in str(error):
            raise no_such_key(chord) from error
        raise


def _with_shift(chord: str) -> str:
    """Playwright types the letter that is named; what Shift makes of it is for us to say."""
    before, plus, key = chord.rpartition("+")
    shifted = "Shift" in before.split("+") and len(key) == 1
    return f"{before}{plus}{key.upper()}" if shifted else chord
