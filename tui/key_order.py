"""Keys take effect one after the other, however fast they come.

A key travels to the focused widget and, where nobody takes it, up to the application, where bindings
run. The next one must not set off before it has arrived: over a slow line "/lamp" comes in one piece,
and its letters belong to the search that the slash opens, not to the list it opens over.
"""

from __future__ import annotations

from collections import deque

from textual import events
from textual.app import App
from textual.message import Message
from textual.screen import Screen

LONGEST_WAIT = 1.0
"""Seconds after which held keys go on although the one before them was not seen to arrive."""


class KeyArrived(Message):
    """Follows a key on its way up: when it reaches the application, the key has done its work."""

    def __init__(self, number: int, screen: Screen[object]) -> None:
        super().__init__()
        self.number = number
        self.screen = screen


class OrderedKeys(App[None]):
    """An application that holds keys back while the one before them is on its way."""

    def __init__(self) -> None:
        super().__init__()
        self._held_keys: deque[events.Key] = deque()
        self._last_key = 0
        self._key_travels = False

    async def on_event(self, event: events.Event) -> None:
        if not isinstance(event, events.Key) or event.is_forwarded:
            await super().on_event(event)
        elif self._key_travels:
            self._held_keys.append(event)
            if len(self._held_keys) == 1:
                self.set_timer(LONGEST_WAIT, lambda number=self._last_key: self._next_key(number))
        else:
            await self._send_key(event)

    async def _send_key(self, key: events.Key) -> None:
        self._last_key += 1
        target = self.focused or self.screen
        arrived = KeyArrived(self._last_key, self.screen)
        await super().on_event(key)
        self._key_travels = target.post_message(arrived)

    def on_key_arrived(self, message: KeyArrived) -> None:
        """What a key put off, such as moving the focus, comes first; so does a screen it opened."""
        message.stop()
        if self.screen is message.screen:
            self.call_later(self._next_key, message.number)
        else:
            self.screen.call_after_refresh(self.call_later, self._next_key, message.number)

    async def _next_key(self, after: int) -> None:
        """Let a held key go, unless that was done when key number `after` arrived."""
        if after != self._last_key:
            return
        self._key_travels = False
        if self._held_keys:
            await self._send_key(self._held_keys.popleft())
        if self._held_keys:
            self.set_timer(LONGEST_WAIT, lambda number=self._last_key: self._next_key(number))
