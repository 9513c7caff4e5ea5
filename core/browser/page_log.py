"""What a page said since the last observation: console, errors, failed requests, downloads, popups."""

from __future__ import annotations

import time
from typing import Literal

from webbench.core.browser.driver import CdpSession
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import PageMessage

LIMIT = 200
TEXT_LIMIT = 2000
Kind = Literal["console", "error", "network", "download", "popup", "dialog", "crash"]
Level = Literal["info", "warning", "error"]
LEVELS: dict[str, Level] = {"error": "error", "assert": "error", "warning": "warning"}


class PageLog:
    """Messages of one episode, at most `LIMIT` between two observations (the rest is counted)."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._messages: list[PageMessage] = []
        self._dropped = 0

    def add(self, kind: Kind, level: Level, text: str, url: str = "") -> None:
        if len(self._messages) >= LIMIT:
            self._dropped += 1
            return
        seconds = time.monotonic() - self._started
        self._messages.append(PageMessage(kind, level, text[:TEXT_LIMIT], url[:TEXT_LIMIT], seconds))

    def take(self) -> tuple[PageMessage, ...]:
        """Everything since the last call."""
        messages, self._messages = self._messages, []
        if self._dropped:
            seconds = time.monotonic() - self._started
            text = f"{self._dropped} further messages were left out"
            messages.append(PageMessage("console", "warning", text, "", seconds))
            self._dropped = 0
        return tuple(messages)

    def listen(self, session: CdpSession) -> None:
        """Follow the console and the uncaught errors of a session with `Runtime.enable` sent."""
        session.on("Runtime.consoleAPICalled", self._console)
        session.on("Runtime.exceptionThrown", self._exception)

    def _console(self, event: JsonObject) -> None:
        words = [_shown(argument) for argument in event.get("args", ())]
        frames = event.get("stackTrace", {}).get("callFrames", ())
        url = frames[0]["url"] if frames else ""
        self.add("console", LEVELS.get(event["type"], "info"), " ".join(words), url)

    def _exception(self, event: JsonObject) -> None:
        details = event["exceptionDetails"]
        thrown = details.get("exception", {})
        text = thrown.get("description") or _shown(thrown) or details.get("text", "")
        self.add("error", "error", text, details.get("url", ""))


def _shown(argument: Json) -> str:
    if "value" in argument:
        return str(argument["value"])
    return str(argument.get("description") or argument.get("type", ""))
