"""What a tab is busy with: navigations and requests in flight, told by the browser as they happen."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import NamedTuple

from webbench.core.browser.driver import CdpSession
from webbench.core.browser.network.sockets import Sockets
from webbench.core.browser.page_log import PageLog
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

AWAITED_TYPES = frozenset({"Document", "Script", "Stylesheet", "XHR", "Fetch"})
"""Requests that can change what there is to perceive; images, media and beacons are not waited for."""

PARTS = frozenset({"Document", "Script", "Stylesheet"})
"""What a page consists of; data may be asked for without end, by a page that has all its parts."""

LONGEST_PART = 30.0
"""Seconds; a part that has not come by then is no longer reckoned with."""


MOST_CAME = 20


class _Request(NamedTuple):
    url: str
    kind: str
    epoch: int
    frame: str
    began: float


class Activity:
    """Follows one tab through its session.

    Attributes:
        loading: the main frame is between the start of a navigation and its `load`.
        parsed: its document has been read to the end (DOMContentLoaded).
        requested: a navigation was asked for and has not begun to load.
        opening: a new tab was asked for and has not appeared.
        failure, failed_url: why which document could not be had, e.g. "net::ERR_CONNECTION_REFUSED", or "".
        loader: id of the document that was last begun to be loaded; shown: of the one that is there.
        content_type: of the main document that is there; "" where it came from no server.
        came: ids of the latest documents that were shown.
        overtaken: id of the last document that came when the page before it had begun to load another one,
            which takes its place at once.
        asked: its server was asked for the main document that was last begun to be loaded.
        status: of the main document's answer; 0 before it.
        sockets: its WebSockets.
    """

    def __init__(self, session: CdpSession, main_frame: str, log: PageLog) -> None:
        self.loading = False
        self.parsed = True
        self.requested = False
        self.opening = False
        self.failure = ""
        self.failed_url = ""
        self.loader = ""
        self.shown = ""
        self.came: deque[str] = deque(maxlen=MOST_CAME)
        self.overtaken = ""
        self.content_type = ""
        self.asked = False
        self.status = 0
        self.commits = 0
        self._main_frame = main_frame
        self._log = log
        self._requests: dict[str, _Request] = {}
        self._epoch = 0
        self._answer_type = ""
        self._changed = asyncio.Event()
        self.sockets = Sockets(session, self._changed.set)
        handlers = {
            "Page.frameRequestedNavigation": self._navigation_requested,
            "Page.frameStartedNavigating": self._navigation_started,
            "Page.frameStartedLoading": self._loading_started,
            "Page.frameStoppedLoading": self._loading_stopped,
            "Page.frameNavigated": self._navigated,
            "Page.frameDetached": self._detached,
            "Page.navigatedWithinDocument": self._moved_within,
            "Page.domContentEventFired": self._parsed,
            "Page.windowOpen": self._window_opened,
            "Network.requestWillBeSent": self._request,
            "Network.responseReceived": self._response,
            "Network.loadingFinished": self._finished,
            "Network.loadingFailed": self._failed,
        }
        for event, handler in handlers.items():
            session.on(event, handler)

    @property
    def navigating(self) -> bool:
        return self.requested or (self.loading and not self.parsed)

    @property
    def arriving(self) -> bool:
        """Whether the document that is being loaded is there already in part: its scripts may run."""
        return self.navigating and self.shown != "" and self.shown == self.loader

    @property
    def shows(self) -> bool:
        """Whether the browser can ask the page: it can't while another document is waited for."""
        return self.arriving or not self.navigating

    @property
    def fetching(self) -> bool:
        """Whether a request that began in this epoch is under way."""
        return any(one.epoch == self._epoch and one.kind in AWAITED_TYPES for one in self._requests.values())

    @property
    def incomplete(self) -> bool:
        """Whether a part of the page is under way, whichever action it began with."""
        since = time.monotonic() - LONGEST_PART
        return any(one.kind in PARTS and one.began > since for one in self._requests.values())

    def begin(self) -> None:
        """A new action: from now on only requests that it causes are waited for."""
        self._epoch += 1
        self.sockets.begin()
        self.requested = False
        self.opening = False

    def expect(self) -> None:
        """A document is about to be asked for: nothing is known of it yet."""
        self.failure, self.loader, self.asked, self.status = "", "", False, 0

    async def change(self, timeout: float) -> None:
        """Wait until something happens, at most `timeout` seconds."""
        self._changed.clear()
        try:
            async with time_limit(max(timeout, 0.001)):
                await self._changed.wait()
        except TimeoutError:
            return

    def _navigation_requested(self, event: JsonObject) -> None:
        if event.get("disposition", "currentTab") != "currentTab":
            self.opening = True
        elif event["frameId"] == self._main_frame and not event["url"].startswith("javascript:"):
            self.requested = True

    def _navigation_started(self, event: JsonObject) -> None:
        within = event.get("navigationType") in ("sameDocument", "historySameDocument")
        if event["frameId"] == self._main_frame and not within:
            self.requested, self.failure, self._answer_type = True, "", ""
            self.loader = event.get("loaderId", "")

    def _loading_started(self, event: JsonObject) -> None:
        if event["frameId"] == self._main_frame:
            self.loading, self.parsed, self.requested = True, False, False
            self._changed.set()

    def _loading_stopped(self, event: JsonObject) -> None:
        if event["frameId"] == self._main_frame:
            self.loading, self.parsed, self.requested = False, True, False
            self._changed.set()

    def _navigated(self, event: JsonObject) -> None:
        if event["frame"]["id"] == self._main_frame:
            self.shown = event["frame"].get("loaderId", "")
            self.came.append(self.shown)
            if self.loader not in ("", self.shown):
                self.overtaken = self.shown
            self.content_type, self._answer_type = self._answer_type, ""
            self.commits += "unreachableUrl" not in event["frame"]
            self._requests.clear()
            self.sockets.clear()
            self._changed.set()

    def _detached(self, event: JsonObject) -> None:
        """A frame went away, or into another process, whose session alone tells the end of its requests."""
        frame = event["frameId"]
        self._requests = {name: one for name, one in self._requests.items() if one.frame != frame}
        self._changed.set()

    def _moved_within(self, event: JsonObject) -> None:
        if event["frameId"] == self._main_frame:
            self.requested = False
            self._changed.set()

    def _parsed(self, _: JsonObject) -> None:
        self.parsed = True
        self._changed.set()

    def _window_opened(self, _: JsonObject) -> None:
        self.opening = True

    def _request(self, event: JsonObject) -> None:
        url = event["request"]["url"]
        kind, frame = event.get("type", "Other"), event.get("frameId", "")
        if kind == "Script" and event.get("loaderId") == "":
            return  # a worker's own: only its session hears of the end
        self.asked = self.asked or (kind == "Document" and frame == self._main_frame)
        self._requests[event["requestId"]] = _Request(url, kind, self._epoch, frame, time.monotonic())

    def _response(self, event: JsonObject) -> None:
        response = event["response"]
        if event.get("type") == "Document" and event.get("frameId") == self._main_frame:
            self._answer_type = response.get("mimeType", "")
            self.status = response["status"]
        if response["status"] >= 400:
            text = f"{response['status']} {response.get('statusText', '')}".strip()
            self._log.add("network", "error", text, response["url"])

    def _finished(self, event: JsonObject) -> None:
        self._requests.pop(event["requestId"], None)
        self._changed.set()

    def _failed(self, event: JsonObject) -> None:
        request = self._requests.pop(event["requestId"], None)
        url, kind = (request.url, request.kind) if request is not None else ("", event.get("type", ""))
        self._changed.set()
        text = event.get("errorText", "") or event.get("blockedReason", "")
        if event.get("canceled"):
            return
        if kind == "Document":
            self.failure, self.failed_url = text, url
        self._log.add("network", "error", text, url)
