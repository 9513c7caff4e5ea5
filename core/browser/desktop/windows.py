"""What the X server knows: the browser's windows and menus, its keys, and when it has taken its events."""

from __future__ import annotations

import select
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from Xlib.protocol.rq import Event
    from Xlib.xobject.drawable import Window

PING_SECONDS = 2.0
MENU_KINDS = frozenset(
    {"_NET_WM_WINDOW_TYPE_MENU", "_NET_WM_WINDOW_TYPE_POPUP_MENU", "_NET_WM_WINDOW_TYPE_COMBO"}
)


class Windows:
    """A connection of our own to the display. Raises `Xlib.error` classes.

    Attributes:
        owner: process id of the browser; 0 where every window on the display is the browser's.
    """

    def __init__(self, name: str) -> None:
        from Xlib import X
        from Xlib.display import Display

        self._display = Display(name)
        self._root = self._display.screen().root
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask)
        self._protocols = self._display.intern_atom("WM_PROTOCOLS")
        self._ping = self._display.intern_atom("_NET_WM_PING")
        self._kind = self._display.intern_atom("_NET_WM_WINDOW_TYPE")
        self._pid = self._display.intern_atom("_NET_WM_PID")
        self.owner = 0
        self._serial = 0

    def keycode(self, character: str, shifted: bool) -> int | None:
        """The key that types a character with, or without, Shift; None where the keyboard has none."""
        places: list[tuple[int, int]] = list(self._display.keysym_to_keycodes(ord(character)))
        return next((code for code, level in places if level == int(shifted)), None)

    def answered(self) -> bool:
        """Ping a window of the browser, as a window manager would, and wait for its answer.

        Events reach a program in order, so once it answers it has taken all that came before.
        """
        window = self._pingable(self._root, 2)
        if window is None:
            return False
        self._send_ping(window)
        deadline = time.monotonic() + PING_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            while self._display.pending_events():
                if self._is_answer(self._display.next_event()):
                    return True
            select.select([self._display.fileno()], [], [], left)
        return False

    def menus(self) -> list[tuple[int, int, int, int]]:
        """Left, top, width and height of the native menus and lists that are open, the newest last."""
        return [box for window in self._children(self._root) if (box := self._menu_box(window))]

    def _send_ping(self, window: Window) -> None:
        from Xlib.protocol.event import ClientMessage

        self._serial += 1
        data = (32, [self._ping, self._serial, window.id, 0, 0])
        message = ClientMessage(window=window, client_type=self._protocols, data=data)
        window.send_event(message)
        self._display.flush()

    def _is_answer(self, event: Event) -> bool:
        from Xlib import X

        if event.type != X.ClientMessage or event.client_type != self._protocols:
            return False
        return bool(event.data[1][1] == self._serial)

    def _pingable(self, window: Window, depth: int) -> Window | None:
        """The topmost window that answers pings; window managers put them into frames of their own."""
        for child in reversed(self._children(window)):
            if self._answers_pings(child):
                return child
            if depth > 1 and (found := self._pingable(child, depth - 1)) is not None:
                return found
        return None

    def _answers_pings(self, window: Window) -> bool:
        if self._ping not in self._values(window, self._protocols):
            return False
        return not self.owner or self.owner in self._values(window, self._pid)

    def _values(self, window: Window, name: int) -> list[int]:
        """What a property of a window holds; nothing where it has none, or is gone."""
        from Xlib import X
        from Xlib.error import XError

        try:
            found = window.get_full_property(name, X.AnyPropertyType)
        except XError:
            return []
        return list(found.value) if found is not None else []

    def _children(self, window: Window) -> list[Window]:
        """The windows in it that are shown, the lowest first; none of one that has just gone."""
        from Xlib import X
        from Xlib.error import XError

        try:
            children = window.query_tree().children
        except XError:
            return []
        shown = []
        for child in children:
            try:
                if child.get_attributes().map_state == X.IsViewable:
                    shown.append(child)
            except XError:
                continue
        return shown

    def _menu_box(self, window: Window) -> tuple[int, int, int, int] | None:
        from Xlib.error import XError

        names = {self._display.get_atom_name(kind) for kind in self._values(window, self._kind)}
        if not names & MENU_KINDS or (self.owner and self.owner not in self._values(window, self._pid)):
            return None
        try:
            place = window.get_geometry()
        except XError:
            return None
        return place.x, place.y, place.width, place.height
