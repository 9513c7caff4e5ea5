"""What a page said since the last observation: console, errors, failed requests, downloads, popups."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Literal
from uuid import uuid4

import msgspec

from webbench.core.browser.driver import CdpSession
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import PageMessage

FIRST = 150
LAST = 50
"""So many messages of a kind are kept between two observations, from the beginning and from the end."""

MOST_KEPT_BACK = 10**9
TEXT_LIMIT = 2000
Kind = Literal["console", "error", "network", "download", "popup", "dialog", "crash"]
Level = Literal["info", "warning", "error"]
LEVELS: dict[str, Level] = {"error": "error", "assert": "error", "warning": "warning"}


class _Lines(msgspec.Struct):
    """Messages of one kind: the first, the last, and how many were left out between them."""

    first: list[PageMessage] = []
    last: deque[PageMessage] = msgspec.field(default_factory=lambda: deque(maxlen=LAST))
    left_out: int = 0


class PageLog:
    """Messages of one episode; of each kind the first and the last are kept, and the others counted.

    Attributes:
        mark: begins a line by which a silenced console tells how many lines and errors it kept back.
    """

    def __init__(self) -> None:
        self.mark = uuid4().hex
        self._started = time.monotonic()
        self._lines: dict[Kind, _Lines] = {}

    def add(self, kind: Kind, level: Level, text: str, url: str = "") -> None:
        seconds = time.monotonic() - self._started
        message = PageMessage(kind, level, text[:TEXT_LIMIT], url[:TEXT_LIMIT], seconds)
        lines = self._lines.setdefault(kind, _Lines())
        if len(lines.first) < FIRST:
            lines.first.append(message)
            return
        lines.left_out += len(lines.last) == LAST
        lines.last.append(message)

    def take(self) -> tuple[PageMessage, ...]:
        """Everything since the last call, in order; where some were left out, a message tells how many."""
        known, self._lines = self._lines, {}
        messages: list[PageMessage] = []
        for kind, lines in known.items():
            messages += lines.first
            if lines.left_out:
                since = lines.first[-1].seconds if lines.first else time.monotonic() - self._started
                text = f"{lines.left_out:,} more of these were left out"
                messages.append(PageMessage(kind, "warning", text, "", since))
            messages += lines.last
        return tuple(sorted(messages, key=lambda message: message.seconds))

    def listen(self, session: CdpSession) -> None:
        """Follow the console and the uncaught errors of a session with `Runtime.enable` sent."""
        session.on("Runtime.consoleAPICalled", self._console)
        session.on("Runtime.exceptionThrown", self._exception)

    def _console(self, event: JsonObject) -> None:
        arguments = event.get("args", ())
        if arguments and arguments[0].get("value") == self.mark:
            self._kept_back(arguments[1:])
            return
        words = [_argument_text(argument) for argument in arguments]
        frames = event.get("stackTrace", {}).get("callFrames", ())
        url = frames[0]["url"] if frames else ""
        self.add("console", LEVELS.get(event["type"], "info"), " ".join(words), url)

    def _kept_back(self, told: Sequence[Json]) -> None:
        """What a silenced console tells: how much it kept back, and the last errors. A page may forge it."""
        kinds: tuple[Kind, ...] = ("console", "error")
        for kind, argument in zip(kinds, told, strict=False):
            count = argument.get("value")
            if isinstance(count, int) and 0 < count < MOST_KEPT_BACK:
                self._lines.setdefault(kind, _Lines()).left_out += count
        for argument in told[len(kinds) :]:
            self.add("error", "error", _argument_text(argument))

    def _exception(self, event: JsonObject) -> None:
        details = event["exceptionDetails"]
        thrown = details.get("exception", {})
        text = thrown.get("description") or _argument_text(thrown) or details.get("text", "")
        self.add("error", "error", text, details.get("url", ""))


def _argument_text(argument: Json) -> str:
    if "value" in argument:
        return str(argument["value"])[:TEXT_LIMIT]
    return str(argument.get("description") or argument.get("type", ""))
