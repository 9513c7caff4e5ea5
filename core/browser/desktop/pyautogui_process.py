"""Run as a child process: PyAutoGUI's mouse and keyboard on one display, led line by line.

    DISPLAY=:7 XAUTHORITY=FILE python -P -m webbench.core.browser.desktop.pyautogui_process

PyAutoGUI binds itself, at import and for good, to the one display that its process names. A process of its
own for each display lets several be used at once, and lets one that died be replaced.

Standard input carries `{"id", "verb", ...arguments}`, standard output `{"id", "value"}` or
`{"id", "error", "kind"}`, one JSON object a line. The first line out, with id 0, tells of the display, or
why there is no hand. The end of standard input ends the process, with every key and button released.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, TextIO, cast

from webbench.core.browser.desktop.windows import Windows
from webbench.core.json_types import Json, JsonObject

if TYPE_CHECKING:
    from PIL.Image import Image

CLICK_GAP = 0.03
"""Seconds between the clicks of a double click; two at the same time count as one."""

APART, NEAR = 0.53, 8
"""Seconds after which a click on the same spot, within these pixels, begins anew: Chromium counts on for half
a second."""

DRAG_SECONDS = 0.4
"""Long enough for PyAutoGUI to move in steps (at most one in 0.05 s), as a page's drag code needs them."""

GRIP_SECONDS = 0.1
MOST_LOOKS = 4
LOOK_PAUSE = 0.04


class Hand:
    """What is done on the display; every method is a verb of the protocol."""

    def __init__(self) -> None:
        import pyautogui

        pyautogui.PAUSE = 0
        # Its type stubs know less than there is: neither `platformModule` nor what it takes from PyTweening.
        self._gui = cast("ModuleType", pyautogui)
        self._keys: dict[str, int | None] = self._gui.platformModule.keyboardMapping
        self.windows = Windows(os.environ["DISPLAY"])
        self.characters = "".join(sorted(self._mend_keys()))
        self._held: list[str] = []
        self._pressed: list[str] = []
        self._clicked = (-1, -1, 0.0)

    def _mend_keys(self) -> Iterator[str]:
        """Characters that a key stands for; PyAutoGUI takes the first key of a sign, also where that is not
        the one that it will press together with Shift (its "<" types ">")."""
        for character in map(chr, range(32, 127)):
            shifted = self._gui.isShiftCharacter(character)
            code = self.windows.keycode(character, shifted)
            self._keys[character] = code
            if code is not None:
                yield character
        yield "\n"

    def about(self) -> Json:
        width, height = self._gui.size()
        return {"width": width, "height": height, "characters": self.characters}

    def serve(self, pid: int) -> None:
        """Heed the windows of this process only."""
        self.windows.owner = pid

    def move(self, x: int, y: int) -> None:
        """With a button held it is a drag, which takes its time: a browser begins one after some moves."""
        if self._pressed:
            self._pull(x, y)
        else:
            self._gui.moveTo(x, y)

    def click(self, x: int, y: int, button: str, count: int) -> None:
        before_x, before_y, when = self._clicked
        if max(abs(x - before_x), abs(y - before_y)) <= NEAR:
            time.sleep(max(0.0, when + APART - time.monotonic()))
        interval = CLICK_GAP if count > 1 else 0.0
        self._gui.click(x, y, clicks=count, interval=interval, button=button)
        self._clicked = (x, y, time.monotonic())

    def drag(self, x: int, y: int, to_x: int, to_y: int) -> None:
        self._gui.moveTo(x, y)
        self._gui.mouseDown(x, y)
        try:
            self._pull(to_x, to_y)
        finally:
            self._gui.platformModule._mouseUp(*self._gui.position(), "left")

    def _pull(self, x: int, y: int) -> None:
        time.sleep(GRIP_SECONDS)
        self._gui.moveTo(x, y, duration=DRAG_SECONDS, tween=self._gui.easeInOutQuad)
        time.sleep(GRIP_SECONDS)

    def scroll(self, across: int, down: int) -> None:
        """Notches of the wheel, where the pointer is."""
        if across:
            self._gui.hscroll(across)
        if down:
            self._gui.scroll(-down)

    def press(self, keys: list[str], chord: str) -> None:
        self._check(keys, chord)
        self._gui.failSafeCheck()
        self._gui.hotkey(*keys)

    def button(self, button: str, down: bool) -> None:
        """Hold a button where the pointer is, or let go of it."""
        if down:
            self._gui.mouseDown(button=button)
            self._pressed.append(button)
        else:
            self._gui.platformModule._mouseUp(*self._gui.position(), button)
            with contextlib.suppress(ValueError):
                self._pressed.remove(button)

    def hold(self, key: str, down: bool, called: str) -> None:
        self._check([key], called)
        if down:
            self._gui.keyDown(key)
            self._held.append(key)
        else:
            self._gui.platformModule._keyUp(key)
            with contextlib.suppress(ValueError):
                self._held.remove(key)

    def type(self, text: str) -> None:
        self._gui.write(text)

    def settle(self) -> Json:
        """Wait until the browser has taken all events from the display; the menus that are open."""
        answered = self.windows.answered()
        return {"answered": answered, "menus": [list(box) for box in self.windows.menus()]}

    def grab(self, left: int, top: int, width: int, height: int) -> Json:
        """PNG of a part of the display, once it stands still: what a page draws is shown a moment later."""
        box = (left, top, left + width, top + height)
        picture = _grabbed(box)
        for _ in range(MOST_LOOKS):
            time.sleep(LOOK_PAUSE)
            before, picture = picture, _grabbed(box)
            if picture.tobytes() == before.tobytes():
                break
        data = io.BytesIO()
        picture.save(data, "PNG", compress_level=1)
        return base64.b64encode(data.getvalue()).decode()

    def release(self) -> None:
        """Let go of what is held down: the display may be a person's."""
        for key in reversed(self._held):
            self._gui.platformModule._keyUp(key)
        self._held.clear()
        for button in self._pressed:
            self._gui.platformModule._mouseUp(*self._gui.position(), button)
        self._pressed.clear()

    def _check(self, keys: list[str], chord: str) -> None:
        """PyAutoGUI passes over keys that it does not know. Raises `KeyError` for a chord with such a one."""
        if not all(self._keys.get(key) for key in keys):
            raise KeyError(chord)


def _grabbed(box: tuple[int, int, int, int]) -> Image:
    from PIL import ImageGrab, features

    if not features.check_feature("xcb"):
        raise OSError("pictures of the display need a Pillow that was built with XCB")
    return ImageGrab.grab(box, xdisplay=os.environ["DISPLAY"])


VERBS = frozenset(
    {
        "serve",
        "move",
        "click",
        "drag",
        "scroll",
        "press",
        "hold",
        "button",
        "release",
        "type",
        "settle",
        "grab",
    }
)


def answer(hand: Hand, order: JsonObject) -> JsonObject:
    """Carry out one order; errors are told by kind."""
    verb, number = order.pop("verb"), order.pop("id")
    try:
        if verb not in VERBS:
            raise ValueError(f"there is no verb {verb!r}")
        act: Callable[..., Json] = getattr(hand, verb)
        return {"id": number, "value": act(**order)}
    except KeyError as error:
        return {"id": number, "error": str(error.args[0]), "kind": "key"}
    except Exception as error:
        kind = "corner" if type(error).__name__ == "FailSafeException" else "display"
        return {"id": number, "error": f"{type(error).__name__}: {error}", "kind": kind}


def begin() -> Hand | JsonObject:
    """A hand on the display, or why there is none: a missing package, no display, no authority.

    PyAutoGUI's mouseinfo, which nobody needs here, would end the process where tkinter is missing.
    """
    cast("dict[str, ModuleType | None]", sys.modules)["mouseinfo"] = None
    try:
        return Hand()
    except ImportError as error:
        return {"id": 0, "error": error.name or str(error), "kind": "package"}
    except (Exception, SystemExit) as error:
        kind = "authority" if "Xauth" in type(error).__name__ or "uthori" in str(error) else "display"
        return {"id": 0, "error": str(error), "kind": kind}


def main() -> None:
    """Serve until standard input ends. What libraries print goes to standard error."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        hand = begin()
        if not isinstance(hand, Hand):
            _say(out, hand)
            return
        _say(out, {"id": 0, "value": hand.about()})
        try:
            for line in sys.stdin:
                _say(out, answer(hand, json.loads(line)))
        finally:
            with contextlib.suppress(Exception):
                hand.release()


def _say(out: TextIO, reply: JsonObject) -> None:
    out.write(json.dumps(reply) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
