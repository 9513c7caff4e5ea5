"""Pages that flood: noticed by their events, made to be silent or slow where the events come from.

Each event costs time in the browser, in the driver and here, and every answer of the page stands behind those
that were sent before it. So it is of no use to pass them over: the page is kept from sending them.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from typing import Any

from webbench.core.browser.driver import CdpSession
from webbench.core.browser.page_log import PageLog
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject

MANY = 600
"""Events in `WINDOW` seconds that are a flood; lines of the console count by their length, too."""

WINDOW = 1.0
LONG_TEXT = 5_000
"""Characters that count as much as an event."""

RAGING = 3.0
"""Seconds after its last notice in which a flood is taken to go on."""

FORGIVEN = 3
"""So many floods of a document make it slow only until they are over."""

SLOWNESS = 20
"""The page gets this part of the processor's time."""

COUNTED = (
    *("Network.requestWillBeSent", "Network.loadingFailed", "Network.webSocketCreated"),
    *("Page.frameAttached", "Page.frameNavigated", "Page.navigatedWithinDocument"),
    *("Page.downloadWillBegin", "Page.windowOpen", "Page.javascriptDialogOpening"),
)

_MUTE = """((mark) => {
  const say = console.debug.bind(console);
  const clip = (value) => (typeof value === "string" ? value.slice(0, 2000) : value);
  const kept = { console: [], error: [] };
  const counts = { console: 0, error: 0 };
  let waiting = false;
  let due = 0;
  const tell = () => {
    waiting = false;
    due = performance.now() + 500;
    for (const [speak, words] of kept.console.splice(0)) speak(...words);
    say(mark, counts.console, counts.error, ...kept.error.splice(0));
    counts.console = counts.error = 0;
  };
  const keep = (kind, one) => {
    if (kept[kind].push(one) > 10) {
      kept[kind].shift();
      counts[kind] += 1;
    }
    if (performance.now() >= due) tell();
    else if (!waiting) waiting = Boolean(setTimeout(tell, 500));
  };
  for (const name of "log debug info warn error dir dirxml table trace group count".split(" ")) {
    const speak = console[name].bind(console);
    const apply = (_, __, words) => keep("console", [speak, words.map(clip)]);
    console[name] = new Proxy(console[name], { apply });
  }
  for (const name of ["error", "unhandledrejection"]) {
    addEventListener(name, (event) => {
      if (event.target !== window) return; // a picture that could not be loaded
      event.preventDefault();
      let text = "";
      try {
        const thrown = event.error ?? event.reason;
        text = String(thrown?.stack ?? event.message ?? thrown);
      } catch {}
      keep("error", clip(text));
    }, true);
  }
})"""
"""Put in place of a page's console, it says the last ten lines of each half second and counts the others;
with uncaught errors it does the same."""


class Flood:
    """Watches the sessions of one tab."""

    def __init__(self, session: CdpSession, main_frame: str, log: PageLog) -> None:
        self._main = session
        self._main_frame = main_frame
        self._log = log
        self._muted: set[tuple[CdpSession, int]] = set()
        self._sessions: set[CdpSession] = set()
        self._since = 0.0
        self._count = 0.0
        self._noticed = self._late = -RAGING
        self._notices = 0
        self._stops = 0
        self._forgiven = 0
        self._forgiving: asyncio.Task[None] | None = None
        self._slow: set[CdpSession] = set()
        self._running: set[asyncio.Task[None]] = set()
        session.on("Page.frameNavigated", self._navigated)
        self.follow(session)

    @property
    def rages(self) -> bool:
        """Whether the page has flooded us within the last seconds."""
        return time.monotonic() - self._noticed < RAGING

    def follow(self, session: CdpSession) -> None:
        """Watch this session, too; one that is watched already is left alone."""
        if session in self._sessions:
            return
        self._sessions.add(session)
        session.on("Runtime.consoleAPICalled", lambda event: self._count_console(session, event))
        session.on("Runtime.exceptionThrown", lambda event: self._threw(session, event))
        for event in COUNTED:
            session.on(event, lambda _: self._counted(session))

    @property
    def _until_calm(self) -> float:
        """Seconds in which a flood, or what makes the browser late, is taken to go on."""
        return max(self._noticed, self._late) + RAGING - time.monotonic()

    @property
    def is_slow(self) -> bool:
        """Whether the page has little of the processor's time."""
        return bool(self._slow)

    def slow_down(self, session: CdpSession) -> None:
        """Give the page of this session little of the processor's time."""
        if self._forgiving is not None:
            self._forgiving.cancel()
            self._forgiving = None
        self._slow.add(session)
        self._begin_task(_send_quietly(session, *_pace(SLOWNESS)))

    def stopped(self) -> None:
        """A script was stopped, or the page was just too busy to answer; the second time it is made slow."""
        self._stops += 1
        if self._stops > 1:
            self.slow_down(self._main)

    def browser_late(self) -> None:
        """The browser itself gives no answer, and this page may be why: it is slow until that is over."""
        self._late = time.monotonic()
        if not self._slow:
            self.slow_down(self._main)
            self._forgive()

    def _counted(self, session: CdpSession) -> None:
        if self._full(1.0):
            self._restrain(session)

    def _restrain(self, session: CdpSession) -> None:
        """Make a page slow that does not stop by itself; the first times until the flood is over."""
        if self._notices < 2:
            return  # it may load a thousand pictures at once
        self.slow_down(session)
        if self._forgiven < FORGIVEN:
            self._forgive()

    def _forgive(self) -> None:
        if self._forgiving is None or self._forgiving.done():
            self._forgiving = self._begin_task(self._forgiven_when_calm())

    async def _forgiven_when_calm(self) -> None:
        while self._until_calm > 0:
            seconds = self._until_calm
            await asyncio.sleep(seconds)
        if self._stops > 1:
            return
        self._forgiven += self._notices > 0
        sessions, self._slow = self._slow, set()
        for session in sessions:
            self._begin_task(_send_quietly(session, *_pace(1)))

    def _count_console(self, session: CdpSession, event: JsonObject) -> None:
        arguments = event.get("args", ())
        length = sum(len(str(one.get("value", one.get("description", "")))) for one in arguments)
        if self._full(1.0 + length / LONG_TEXT):
            self._mute(session, int(event.get("executionContextId", 0)))

    def _threw(self, session: CdpSession, event: JsonObject) -> None:
        if self._full(1.0):
            self._mute(session, int(event["exceptionDetails"].get("executionContextId", 0)))

    def _full(self, weight: float) -> bool:
        """Count an event; whether there were too many of late."""
        now = time.monotonic()
        if now - self._since > WINDOW:
            self._since, self._count = now, 0.0
        self._count += weight
        if self._count < MANY:
            return False
        if now - self._noticed > WINDOW:
            self._notices = self._notices + 1 if self.rages else 1
            self._noticed = now
            return True
        return False

    def _mute(self, session: CdpSession, context: int) -> None:
        if not context or (session, context) in self._muted:
            self._restrain(session)
            return
        self._muted.add((session, context))
        command = {"expression": f"{_MUTE}('{self._log.mark}')", "contextId": context}
        self._begin_task(_send_quietly(session, "Runtime.evaluate", command))

    def _navigated(self, event: JsonObject) -> None:
        if event["frame"]["id"] != self._main_frame:
            return
        self._muted.clear()
        self._stops = self._notices = self._forgiven = 0
        self._late = -RAGING
        if self._slow:
            self._forgive()

    def _begin_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


def _pace(slowness: int) -> tuple[str, JsonObject]:
    """The command by which a page gets this part of the processor's time."""
    return "Emulation.setCPUThrottlingRate", {"rate": slowness}


async def _send_quietly(session: CdpSession, method: str, parameters: JsonObject) -> None:
    with contextlib.suppress(WebbenchError):
        await session.send(method, parameters)
