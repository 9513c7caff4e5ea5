"""An `InputDevice` whose events come from the OS: the pointer and keyboard of a display."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from typing import TypeAlias

import msgspec

from webbench.core.action.action import Button
from webbench.core.browser.acting.input_device import BUTTONS, parted
from webbench.core.browser.desktop.calibration import Known
from webbench.core.browser.desktop.hand import Hand
from webbench.core.browser.desktop.keys import key_names, note_of, pieces
from webbench.core.browser.desktop.window_place import WindowPlace
from webbench.core.browser.driver import CdpSession
from webbench.core.errors import ActionFailed, WebbenchError
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Screenshot, Viewport
from webbench.core.time_limit import time_limit

ARRIVAL_SECONDS = 0.05
"""Where the browser answers no pings, its events are given this long to reach it."""

ANSWER_SECONDS = 1.5

MENU_SECONDS, MENU_LOOK = 0.5, 0.02
"""The browser opens the menu of a right click some time after the page took it; a page may forbid one."""

NOTCH = 120
"""CSS px that Chromium scrolls for one notch of the wheel, at a zoom of 1."""

Menus: TypeAlias = tuple[tuple[int, int, int, int], ...]
"""Left, top, width and height of each in pixels of the display."""


class _Settled(msgspec.Struct, frozen=True):
    """Whether the browser has taken all events, and the native menus that are open."""

    answered: bool
    menus: Menus


class DesktopInput:
    """Mouse and keyboard of a display, on one tab of the browser there.

    Every verb brings the tab to the front, measures anew where the page is if its window changed, and
    returns when the page has got the events.
    """

    def __init__(self, session: CdpSession, hand: Hand, known: Known) -> None:
        self._window = WindowPlace(session, hand, known)
        self._session = session
        self._hand = hand
        self._pointer: tuple[float, float] | None = None
        self._inserted = ""
        self._pasted = 0
        self._pressed: list[Button] = []

    def take_notes(self) -> str:
        """What did not go in by keys since the last call; "" for nothing."""
        note = note_of(self._inserted, self._pasted)
        self._inserted, self._pasted = "", 0
        return note

    async def move(self, x: float, y: float) -> None:
        across, down = await self._aim(x, y)
        await self._hand.order("move", x=across, y=down)
        await self._arrived()

    async def click(self, x: float, y: float, button: Button, count: int) -> None:
        across, down = await self._aim(x, y)
        await self._hand.order("click", x=across, y=down, button=button, count=count)
        await self._arrived()
        if button == "right":
            await self._menu_opened()

    async def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        across, down = await self._aim(x, y)
        to_across, to_down = await self._aim(to_x, to_y)
        await self._hand.order("drag", x=across, y=down, to_x=to_across, to_y=to_down)
        await self._arrived()

    async def wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel over a point, by as many whole notches as fit into these CSS px."""
        across, down = await self._aim(x, y)
        await self._hand.order("move", x=across, y=down)
        zoom = await self._window.zoom()
        notches = (int(dx * zoom / NOTCH), int(dy * zoom / NOTCH))
        await self._hand.order("scroll", across=notches[0], down=notches[1])
        await self._arrived()

    async def maximize(self) -> None:
        await self._window.maximize()

    async def size(self) -> tuple[int, int]:
        return await self._window.size()

    async def fit(self, viewport: Viewport) -> None:
        """Show the page at exactly this size, and find out where. Raises `EnvironmentDown`.

        The desktop's own file dialog stays shut: it would show the files of this machine, and take the keys.
        What the tab before held down is let go of.
        """
        await self._session.send("Page.setInterceptFileChooserDialog", {"enabled": True})
        await self._hand.order("release")
        await self._window.fit(viewport)
        await self._window.mapping()

    async def press(self, chord: str) -> None:
        await self._front()
        await self._hand.order("press", keys=list[Json](key_names(chord)), chord=chord)
        await self._arrived()

    async def button(self, button: Button, down: bool) -> None:
        await self._hand.order("button", button=button, down=down)
        self._pressed = [*(held for held in self._pressed if held != button), *([button] if down else [])]
        await self._arrived()

    async def hold(self, key: str, down: bool) -> None:
        await self._hand.order("hold", key=key_names(key)[0], down=down, called=key)

    async def type(self, text: str, *, unheard: bool = False) -> None:  # noqa: ARG002 - a keyboard types either way
        """Keys for what the display's keyboard has; the rest goes in as text, and `take_notes` says so.

        A real keyboard types also what the page doesn't hear.
        """
        await self._front()
        first, middle, last = parted(text, unheard=False)
        await self._type_pieces(first)
        if middle:
            await self.insert(middle)
            await self._type_pieces(last)

    async def insert(self, text: str) -> None:
        await self._session.send("Input.insertText", {"text": text})
        self._pasted += len(text)

    async def _type_pieces(self, text: str) -> None:
        for piece, typed in pieces(text, self._hand.about.characters):
            if typed:
                await self._hand.order("type", text=piece)
            else:
                await self._session.send("Input.insertText", {"text": piece})
                self._inserted += piece
            await self._arrived()

    async def picture(self) -> Screenshot:
        """The display where the page is, as one who sits before it sees it, native menus and all.

        Raises `EnvironmentDown` where the display can't be pictured.
        """
        await self._front()
        mapping, size = await self._window.mapping(), await self._window.size()
        left, top = mapping.pixel(0, 0)
        right, bottom = mapping.pixel(*size)
        width, height = right - left, bottom - top
        data = await self._hand.order("grab", left=left, top=top, width=width, height=height)
        return Screenshot(base64.b64decode(str(data)), "png", width, height, mapping.scale_x)

    async def _aim(self, x: float, y: float) -> tuple[int, int]:
        """The pixel of a point, with the tab in front and no menu over it."""
        menus = await self._front()
        mapping = await self._window.mapping()
        self._pointer, self._hand.pointing = (x, y), self
        across, down = mapping.pixel(x, y)
        width, height = self._hand.about.width, self._hand.about.height
        if not (0 <= across < width and 0 <= down < height):
            raise ActionFailed(
                f"({x:g}, {y:g}) lies at ({across}, {down}), off the display of {width} x {height}",
                "move the browser's window back onto the display",
            )
        await self._close_menus(menus, across, down)
        if across in (0, width - 1) and down in (0, height - 1):  # a corner is PyAutoGUI's fail-safe
            down = abs(down - 1)
        return across, down

    async def _front(self) -> Menus:
        """Bring the tab to the front; the menus that hang open from it, or from another."""
        menus = (await self._settled()).menus
        await self._window.front(bool(menus))
        return menus

    async def _close_menus(self, menus: Menus, across: int, down: int) -> None:
        """A click beside an open menu would only close it; one inside chooses from it."""
        for _ in range(3):
            inside = any(x <= across < x + w and y <= down < y + h for x, y, w, h in menus)
            if not menus or inside:
                return
            await self._hand.order("press", keys=["esc"], chord="Escape")
            menus = (await self._settled()).menus

    async def _menu_opened(self) -> None:
        """Wait for the menu of a right click: one that opens later would swallow the next click."""
        for _ in range(round(MENU_SECONDS / MENU_LOOK)):
            if (await self._settled()).menus:
                return
            await asyncio.sleep(MENU_LOOK)

    async def _settled(self) -> _Settled:
        settled = msgspec.convert(await self._hand.order("settle"), _Settled)
        if not settled.answered:
            await asyncio.sleep(ARRIVAL_SECONDS)
        return settled

    async def _arrived(self) -> None:
        """Wait until browser and page have got the events.

        A pointer event that DevTools sends to where the pointer is anyway queues up behind them, and is
        answered when the page is through with it; not by a page that they have closed or hidden.
        """
        await self._settled()
        if self._pointer is None or self._hand.pointing is not self:
            await asyncio.sleep(ARRIVAL_SECONDS)
            return
        x, y = self._pointer
        event: JsonObject = {"type": "mouseMoved", "x": x, "y": y}
        if self._pressed:
            held = sum(BUTTONS[button] for button in self._pressed)
            event |= {"button": self._pressed[-1], "buttons": held}
        with contextlib.suppress(WebbenchError, TimeoutError):
            sent = self._session.send("Input.dispatchMouseEvent", event)
            async with time_limit(ANSWER_SECONDS):
                await sent
