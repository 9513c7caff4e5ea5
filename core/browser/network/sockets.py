"""What a tab's page says and hears over its WebSockets, by which whole applications are drawn.

A request has an end, a socket has none. So what counts is the talk: a page that has opened a socket, or sent
something over one, is waited for until it hears an answer, and while it hears more. What a server sends
without being asked, as a ticker does, is not waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from webbench.core.browser.driver import CdpSession
from webbench.core.json_types import JsonObject


class Sockets:
    """Follows the sockets of one tab since the last action began.

    Args:
        changed: called when something was said or heard.
    """

    def __init__(self, session: CdpSession, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._open: set[str] = set()
        self._said = 0.0
        self._heard = 0.0
        self._is_mute = False
        self._is_new = False
        handlers = {
            "Network.webSocketCreated": self._opened,
            "Network.webSocketFrameSent": self._sent,
            "Network.webSocketFrameReceived": self._received,
            "Network.webSocketClosed": self._closed,
        }
        for event, handler in handlers.items():
            session.on(event, handler)

    def begin(self) -> None:
        """A new action: from now on only what it makes the page say counts."""
        self._said = self._heard = 0.0
        self._is_new = False

    def clear(self) -> None:
        """Another document: its sockets are gone with the one before."""
        self._open.clear()
        self._is_mute = False

    def left(self, answer: float, lull: float) -> float:
        """Seconds until the talk is over if nothing more is heard; 0 where there is none.

        Args:
            answer: how long an answer may take; a tenth of it for a page whose sockets gave none before.
            lull: the talk is over when nothing was heard for so long; twice that where the action has opened
                a socket, as an application draws all of itself then.
        """
        if not self._said or not self._open:
            return 0.0
        now = time.monotonic()
        if self._heard >= self._said:
            self._is_mute = False
            return max(0.0, self._heard + (2 * lull if self._is_new else lull) - now)
        left = self._said + (answer / 10 if self._is_mute else answer) - now
        self._is_mute = self._is_mute or left <= 0
        return max(0.0, left)

    def _opened(self, event: JsonObject) -> None:
        self._open.add(event["requestId"])
        self._is_new = True
        self._note_said()

    def _sent(self, _: JsonObject) -> None:
        self._note_said()

    def _received(self, _: JsonObject) -> None:
        self._heard = time.monotonic()
        self._changed()

    def _closed(self, event: JsonObject) -> None:
        self._open.discard(event["requestId"])
        self._changed()

    def _note_said(self) -> None:
        """The first word counts: a page that keeps talking doesn't put off the end of the wait."""
        if not self._said or self._heard >= self._said:
            self._said = time.monotonic()
        self._changed()
