"""Mouse and keyboard of a tab as DevTools input events: what chromedriver makes of WebDriver actions.

Sent by ourselves they go to their own tab whatever the session's current window is, and an open dialog or
a page that hangs in another tab holds none of them up.
"""

from __future__ import annotations

import asyncio

from webbench.core.action.action import Button
from webbench.core.browser.acting.input_device import BUTTONS, no_such_key, normal_chord, parted
from webbench.core.browser.acting.keyboard_layout import LAYOUT, MODIFIERS, Key
from webbench.core.browser.driver import CdpSession
from webbench.core.json_types import JsonObject

DRAG_STEPS = 10
DRAG_SECONDS = 0.1
"""So long after it left its place, an element that can be dragged has told that it is."""


class SeleniumInput:
    """An `InputDevice` over a session that does nothing else that could wait."""

    def __init__(self, session: CdpSession) -> None:
        self._session = session
        self._held: set[str] = set()
        self._pressed: list[Button] = []
        self._at = (0.0, 0.0)
        self._carried: asyncio.Future[JsonObject] | None = None
        session.on("Input.dragIntercepted", self._intercepted)

    async def move(self, x: float, y: float) -> None:
        if not self._pressed:
            await self._mouse("mouseMoved", x, y)
        elif self._carried is not None and self._pressed == ["left"]:
            await self._carry(*self._at, x, y)
        else:
            await self._mouse("mouseMoved", x, y, self._pressed[-1])

    async def button(self, button: Button, down: bool) -> None:
        """What is carried with the left button may be something that the page lets itself be dragged with."""
        if down:
            self._pressed.append(button)
            if button == "left":
                await self._watch_drags(True)
            await self._mouse("mousePressed", *self._at, button, 1)
            return
        self._pressed = [other for other in self._pressed if other != button]
        if button != "left" or self._carried is None:
            await self._mouse("mouseReleased", *self._at, button, 1)
            return
        try:
            await self._drop()
        finally:
            await self._watch_drags(False)

    async def click(self, x: float, y: float, button: Button, count: int) -> None:
        events = [self._mouse("mouseMoved", x, y)]
        for number in range(1, count + 1):
            events.append(self._mouse("mousePressed", x, y, button, number))
            events.append(self._mouse("mouseReleased", x, y, button, number))
        await asyncio.gather(*events)

    async def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        await self._mouse("mouseMoved", x, y)
        await self.button("left", True)
        try:
            await self._carry(x, y, to_x, to_y)
        finally:
            await self.button("left", False)

    async def press(self, chord: str) -> None:
        names = normal_chord(chord)
        *modifiers, last = names.split("+") if not names.endswith("++") else [*names[:-2].split("+"), "+"]
        if names == "+":
            modifiers, last = [], "+"
        keys = [_known(name, chord) for name in (*modifiers, last)]
        for key in keys[:-1]:
            await self._key_down(key)
        try:
            await self._key_down(keys[-1])
            await self._key_up(keys[-1])
        finally:
            for key in reversed(keys[:-1]):
                await self._key_up(key)

    async def hold(self, key: str, down: bool) -> None:
        known = _known(normal_chord(key), key)
        await (self._key_down(known) if down else self._key_up(known))

    async def type(self, text: str, *, unheard: bool = False) -> None:
        first, middle, last = parted(text, unheard=unheard)
        await self._type(first)
        if middle:
            await self.insert(middle)
            await self._type(last)

    async def _type(self, text: str) -> None:
        for character in text:
            key = LAYOUT.get(character)
            if key is None:
                await self.insert(character)
            else:
                await self._key_down(key)
                await self._key_up(key)

    async def insert(self, text: str) -> None:
        await self._session.send("Input.insertText", {"text": text})

    async def _carry(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Move with the left button down."""
        for step in range(1, DRAG_STEPS + 1):
            part = step / DRAG_STEPS
            await self._mouse("mouseMoved", x + (to_x - x) * part, y + (to_y - y) * part, "left")

    async def _drop(self) -> None:
        """Let go of the left button; what the page lets itself be dragged with is dropped where it is."""
        carried, (x, y) = self._carried, self._at
        assert carried is not None
        await asyncio.wait([carried], timeout=DRAG_SECONDS)
        if carried.done():
            for kind in ("dragEnter", "dragOver", "drop"):
                event = {"type": kind, "x": x, "y": y, "data": carried.result(), "modifiers": self._bits}
                await self._session.send("Input.dispatchDragEvent", event)
        await self._mouse("mouseReleased", x, y, "left", 1)

    async def _watch_drags(self, watched: bool) -> None:
        self._carried = asyncio.get_running_loop().create_future() if watched else None
        await self._session.send("Input.setInterceptDrags", {"enabled": watched})

    def _intercepted(self, event: JsonObject) -> None:
        if self._carried is not None and not self._carried.done():
            self._carried.set_result(event["data"])

    @property
    def _bits(self) -> int:
        return sum(bit for name, bit in MODIFIERS.items() if name in self._held)

    async def _mouse(self, kind: str, x: float, y: float, button: str = "none", count: int = 0) -> None:
        self._at = (x, y)
        held = {*self._pressed, button} - ({button} if kind == "mouseReleased" else set())
        down = sum(bit for name, bit in BUTTONS.items() if name in held)
        await self._session.send(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": x,
                "y": y,
                "button": button,
                "buttons": down,
                "clickCount": count,
                "modifiers": self._bits,
            },
        )

    async def _key_down(self, key: Key) -> None:
        if key.key in MODIFIERS:
            self._held.add(key.key)
        shifted = key.shifted if key.shifted and "Shift" in self._held else ""
        text = "" if self._held - {"Shift"} else (shifted or key.text)
        event = {"type": "keyDown" if text else "rawKeyDown", "text": text, "unmodifiedText": text}
        await self._session.send("Input.dispatchKeyEvent", {**self._event(key, shifted), **event})

    async def _key_up(self, key: Key) -> None:
        shifted = key.shifted if "Shift" in self._held else ""
        self._held.discard(key.key)
        await self._session.send("Input.dispatchKeyEvent", {**self._event(key, shifted), "type": "keyUp"})

    def _event(self, key: Key, shifted: str) -> JsonObject:
        return {
            "key": shifted or key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.number,
            "location": key.location,
            "modifiers": self._bits,
        }


def _known(name: str, chord: str) -> Key:
    key = LAYOUT.get(name)
    if key is None:
        raise no_such_key(chord)
    return key
