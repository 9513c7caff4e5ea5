"""DevTools without a WebSocket: commands by `execute_cdp_cmd`, events out of chromedriver's performance log.

The slower way, for a node that lets nothing but WebDriver's HTTP through. Each command is one request, and
all of a session stand in one queue. It gives the same nodes, but not those of cross-process frames, which
have no session here; a request filter and redirect rules are refused, since nothing can wait for an answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable

import msgspec

from webbench.core.browser.selenium.webdriver_session import WebDriverSession
from webbench.core.browser.selenium.websocket import ROOT, Hear, refusal
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import Json, JsonObject

LOGS = {"goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}}
"""The capability that a session needs for this."""

POLL_SECONDS = 0.1
DOWNLOADS = "Page.download"
DIALOG_OPENS = "Page.javascriptDialogOpening"
REFUSED = ("Fetch.enable",)
IGNORED = (
    *("Target.setAutoAttach", "Target.disposeBrowserContext", "Runtime.runIfWaitingForDebugger"),
    *("Inspector.enable", "Input.setInterceptDrags", "Target.getTargetInfo"),
)
"""What has no meaning here: there is one context, nothing waits to be let run, and as all commands stand in
one row, none of them tells that the browser is late."""

STIRRING = ("Input.", "Page.navigate", "Page.reload", "Page.handleJavaScriptDialog", "Runtime.evaluate")
"""After these the log is read at once: what they caused is told before their answer is."""

LEVELS = {"SEVERE": "error", "WARNING": "warning"}


class _Logged(msgspec.Struct, frozen=True):
    class Event(msgspec.Struct, frozen=True):
        method: str
        params: JsonObject = {}

    message: Event
    webview: str = ""


class CommandWire:
    """A `Wire` whose sessions are named after their window: its handle, "/" and a number."""

    holds_requests = False

    def __init__(self, session: WebDriverSession) -> None:
        self._webdriver = session
        self._heard: dict[str, Hear] = {}
        self._numbers = itertools.count(1)
        self._current = session.window
        self._windows: list[str] = [session.window]
        self._dialogs: dict[str, str] = {}
        self._lost_handlers: list[Callable[[], None]] = []
        self._lost = False
        self._turn = asyncio.Lock()
        self._poll = asyncio.create_task(self._polling())
        self._roots: dict[str, Callable[[JsonObject], Awaitable[JsonObject]]] = {
            "Target.createBrowserContext": self._one_context,
            "Target.createTarget": self._open_window,
            "Target.attachToTarget": self._attach,
            "Target.closeTarget": self._close_window,
        }

    @property
    def lost(self) -> bool:
        return self._lost

    async def send(self, session: str, method: str, params: JsonObject) -> JsonObject:
        if self._lost:
            raise EnvironmentDown("the page is gone: the WebDriver session has ended")
        if method in REFUSED:
            raise ActionFailed(f"{method}: this node gives no DevTools connection, so requests can't be held")
        if method in IGNORED:
            return {}
        async with self._turn:
            if session == ROOT and method in self._roots:
                return await self._roots[method](params)
            answer = await self._sent(session, method, params)
            if method.startswith(STIRRING):
                await self._drain()
            return answer

    def listen(self, session: str, hear: Hear) -> None:
        self._heard[session] = hear

    def forget(self, session: str, _reason: str, /) -> None:
        """Nobody is left waiting: each command has its answer by itself."""
        self._heard.pop(session, None)

    def on_lost(self, handler: Callable[[], None]) -> None:
        self._lost_handlers.append(handler)

    def lose(self) -> None:
        if self._lost:
            return
        self._lost = True
        self._poll.cancel()
        for handler in self._lost_handlers:
            handler()

    async def close(self) -> None:
        self.lose()

    async def _sent(self, session: str, method: str, params: JsonObject) -> JsonObject:
        window = session.partition("/")[0] or self._windows[0]
        if method == "Page.handleJavaScriptDialog":
            return await self._answer_dialog(window, params)
        if window in self._dialogs:
            raise ActionFailed(f"{method}: a dialog holds the page up")
        await self._switch(window)
        known = {name: value for name, value in params.items() if name != "browserContextId"}
        try:
            answer = await self._webdriver.call("executeCdpCommand", {"cmd": method, "params": known})
        except EnvironmentDown as error:
            raise refusal(method, error.message) from error
        value = answer.get("value")
        return value if isinstance(value, dict) else {}

    async def _switch(self, window: str) -> None:
        if window == self._current:
            return
        try:
            await self._webdriver.call("switchToWindow", {"handle": window})
        except EnvironmentDown as error:
            raise EnvironmentDown(f"the page is gone: {error.message}") from error
        self._current = window

    async def _answer_dialog(self, window: str, params: JsonObject) -> JsonObject:
        await self._switch(window)
        if "promptText" in params and self._dialogs.get(window) == "prompt":
            text = str(params["promptText"])
            await self._webdriver.call("w3cSetAlertValue", {"value": list(text), "text": text})
        await self._webdriver.call("w3cAcceptAlert" if params.get("accept") else "w3cDismissAlert")
        self._dialogs.pop(window, None)
        return {}

    async def _one_context(self, _: JsonObject) -> JsonObject:
        return {"browserContextId": ROOT}

    async def _open_window(self, _: JsonObject) -> JsonObject:
        answer = await self._webdriver.call("newWindow", {"type": "tab"})
        handle = str(answer["value"]["handle"])
        await self._look_at_windows()
        return {"targetId": handle}

    async def _attach(self, params: JsonObject) -> JsonObject:
        if params["targetId"] not in self._windows:
            raise EnvironmentDown("the page is gone: the tab was closed")
        return {"sessionId": f"{params['targetId']}/{next(self._numbers)}"}

    async def _close_window(self, params: JsonObject) -> JsonObject:
        await self._switch(params["targetId"])
        await self._webdriver.call("close")
        self._current = ""
        await self._look_at_windows()
        return {}

    async def _polling(self) -> None:
        try:
            while True:
                await asyncio.sleep(POLL_SECONDS)
                async with self._turn:
                    await self._look_at_windows()
                    await self._drain()
        except EnvironmentDown:
            self.lose()

    async def _look_at_windows(self) -> None:
        answer = await self._webdriver.call("w3cGetWindowHandles")
        handles = [str(handle) for handle in answer["value"]]
        for gone in [window for window in self._windows if window not in handles]:
            self._windows.remove(gone)
            self._dialogs.pop(gone, None)
            self._tell(ROOT, "Target.detachedFromTarget", {"sessionId": f"{gone}/0"})
        for fresh in [handle for handle in handles if handle not in self._windows]:
            self._windows.append(fresh)
            opener = self._current if self._current in handles else ""
            info = {"targetId": fresh, "type": "page", "openerId": opener, "browserContextId": ROOT}
            event = {"sessionId": f"{fresh}/0", "targetInfo": info, "waitingForDebugger": False}
            self._tell(ROOT, "Target.attachedToTarget", event)

    async def _drain(self) -> None:
        """Tell what the logs have: of pages and the network of all windows, of the console of the current."""
        for entry in await self._log("performance"):
            with contextlib.suppress(msgspec.DecodeError, RecursionError):
                logged = msgspec.json.decode(str(entry["message"]), type=_Logged)
                self._take(logged.webview, logged.message.method, logged.message.params)
        if not self._dialogs:
            for entry in await self._log("browser"):
                self._tell_window(self._current, *_logged_event(entry))

    def _take(self, window: str, event: str, params: JsonObject) -> None:
        if event == DIALOG_OPENS:
            self._dialogs[window] = str(params["type"])
        if event.startswith(DOWNLOADS):
            self._tell(ROOT, f"Browser{event.removeprefix('Page')}", params)
        self._tell_window(window, event, params)

    async def _log(self, kind: str) -> list[Json]:
        answer = await self._webdriver.call("getLog", {"type": kind})
        entries = answer.get("value")
        return entries if isinstance(entries, list) else []

    def _tell_window(self, window: str, event: str, params: JsonObject) -> None:
        for session in tuple(self._heard):
            if session and session.partition("/")[0] == window:
                self._tell(session, event, params)

    def _tell(self, session: str, event: str, params: JsonObject) -> None:
        if hear := self._heard.get(session):
            hear(event, params)


def _logged_event(entry: JsonObject) -> tuple[str, JsonObject]:
    """A line of the browser's log as the event that DevTools would have sent."""
    text, level = str(entry["message"]), LEVELS.get(str(entry["level"]), "log")
    if entry.get("source") == "console-api":
        text = text.split(" ", 2)[-1]
    if entry.get("source") == "javascript":
        return "Runtime.exceptionThrown", {"exceptionDetails": {"text": text}}
    return "Runtime.consoleAPICalled", {"type": level, "args": [{"value": text}]}
