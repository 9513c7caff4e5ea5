"""A `CdpSession` of a tab in Firefox, which has no DevTools Protocol: what the code above the drivers asks.

Each command is said in Playwright's words, and each event of Playwright's in DevTools'. What there are no
words for is refused with that reason; what only makes Chromium faster or steadier does nothing.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, Any

from webbench.core.browser.firefox.worlds_by_handle import Handles
from webbench.core.browser.playwright.devtools import translated
from webbench.core.errors import ActionFailed
from webbench.core.json_types import JsonObject
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from playwright.async_api import ConsoleMessage, FileChooser, Frame, Page, Request, Response

NOTHING = frozenset(
    {
        *("Page.enable", "Runtime.enable", "Accessibility.enable", "Network.enable", "Fetch.enable"),
        *("Fetch.disable", "Accessibility.getRootAXNode", "Runtime.releaseObjectGroup", "CSS.enable"),
        *("DOM.enable", "Page.setLifecycleEventsEnabled", "Emulation.setCPUThrottlingRate"),
    }
)
ERROR_PAGES = ("about:neterror", "about:certerror")
"""Beginnings of what Firefox shows in place of a document that it could not get."""

TITLE_SECONDS = 1.0
KINDS = {"xhr": "XHR", "eventsource": "EventSource", "websocket": "WebSocket", "texttrack": "TextTrack"}
_SIZES = """() => [innerWidth, innerHeight, document.documentElement.scrollWidth,
  document.documentElement.scrollHeight]"""


class FirefoxSession:
    """One tab, with all its frames."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._handles = Handles()
        self._handlers: defaultdict[str, list[Callable[[JsonObject], None]]] = defaultdict(list)
        self._loaders: dict[Frame, str] = {}
        self._ids: dict[Frame, str] = {}
        self._requests: dict[Request, str] = {}
        self._numbers = count(1)
        self._entries: list[str] = [page.url]
        self._at = 0
        self._moving = 0
        self._coming = ""
        self._begun = ""
        self._failure = ""
        self._intercepts = False
        self._running: set[asyncio.Task[None]] = set()
        self._commands: dict[str, Callable[[JsonObject], Awaitable[JsonObject]]] = {
            "Page.getFrameTree": self._frame_tree,
            "Page.createIsolatedWorld": self._world,
            "Runtime.evaluate": self._evaluate,
            "Runtime.callFunctionOn": self._handles.call,
            "DOM.describeNode": self._describe,
            "DOM.resolveNode": self._resolve,
            "DOM.setFileInputFiles": self._give_files,
            "DOMDebugger.getEventListeners": self._no_listeners,
            "Page.navigate": self._navigate,
            "Page.reload": self._reload,
            "Page.getNavigationHistory": self._history,
            "Page.navigateToHistoryEntry": self._go,
            "Page.bringToFront": self._bring_to_front,
            "Page.close": self._close,
            "Page.getLayoutMetrics": self._metrics,
            "Page.captureScreenshot": self._picture,
            "Page.setInterceptFileChooserDialog": self._intercept,
            "Page.setDocumentContent": self._set_content,
            "Input.insertText": self._insert,
        }
        self._follow()

    @property
    def main_frame(self) -> str:
        return self._id(self._page.main_frame)

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:
        if method in NOTHING:
            return {}
        command = self._commands.get(method)
        if command is None:
            raise ActionFailed(f"Firefox has nothing for {method}", "use Chromium where this is needed")
        with translated(method):
            return await command(params or {})

    def on(self, event: str, handler: Callable[[JsonObject], None]) -> None:
        self._handlers[event].append(handler)

    def _tell(self, event: str, **told: Any) -> None:
        for handler in self._handlers[event]:
            handler(told)

    def _follow(self) -> None:
        page = self._page
        page.on("request", self._asked)
        page.on("response", self._answered)
        page.on("requestfinished", lambda request: self._over(request, "Network.loadingFinished"))
        page.on("requestfailed", self._failed)
        page.on("framenavigated", self._navigated)
        page.on("frameattached", lambda frame: self._tell("Page.frameAttached", frameId=self._id(frame)))
        page.on("framedetached", self._detached)
        page.on("domcontentloaded", lambda _: self._tell("Page.domContentEventFired"))
        page.on("load", lambda _: self._tell("Page.frameStoppedLoading", frameId=self.main_frame))
        page.on("console", self._tell_console)
        page.on("pageerror", lambda error: self._tell(
            "Runtime.exceptionThrown", exceptionDetails={"text": str(error)}))  # fmt: skip

    def _asked(self, request: Request) -> None:
        frame = self._frame_of(request)
        number = self._requests[request] = str(next(self._numbers))
        kind = KINDS.get(request.resource_type, request.resource_type.capitalize())
        if frame is not None and request.is_navigation_request() and frame == self._page.main_frame:
            if request.redirected_from is None:
                self._coming = self._begun = f"loader{number}"
            told = {"frameId": self.main_frame, "loaderId": self._coming}
            self._tell("Page.frameStartedNavigating", navigationType="differentDocument", **told)
            self._tell("Page.frameStartedLoading", frameId=self.main_frame)
        self._tell(
            "Network.requestWillBeSent",
            requestId=number,
            request={"url": request.url},
            type=kind,
            frameId=self._id(frame) if frame is not None else "",
        )

    def _answered(self, response: Response) -> None:
        request = response.request
        frame = self._frame_of(request)
        self._tell(
            "Network.responseReceived",
            requestId=self._requests.get(request, ""),
            type=request.resource_type.capitalize(),
            frameId=self._id(frame) if frame is not None else "",
            response={
                "url": response.url,
                "status": response.status,
                "statusText": response.status_text,
                "mimeType": response.headers.get("content-type", "").partition(";")[0].strip(),
            },
        )
        if 300 <= response.status < 400:
            self._over(request, "Network.loadingFinished")

    def _over(self, request: Request, event: str, **told: Any) -> None:
        self._tell(event, requestId=self._requests.pop(request, ""), **told)

    def _failed(self, request: Request) -> None:
        text = request.failure or ""
        navigation = request.is_navigation_request() and self._frame_of(request) == self._page.main_frame
        self._over(
            request,
            "Network.loadingFailed",
            type=request.resource_type.capitalize(),
            errorText=text,
            canceled=_given_up(text) and not navigation,
        )
        if navigation:
            self._failure = text
            self._tell("Page.frameStoppedLoading", frameId=self.main_frame)

    def _navigated(self, frame: Frame) -> None:
        main = frame == self._page.main_frame
        if main:
            self._remember_entry(frame.url)
        if main and not self._coming and frame in self._loaders and frame.url.startswith("http"):
            self._tell("Page.navigatedWithinDocument", frameId=self.main_frame)
            return
        self._handles.forget(frame)
        self._loaders[frame] = (self._coming if main else "") or f"loader{next(self._numbers)}"
        if main:
            self._coming = ""
        told = {"id": self._id(frame), "loaderId": self._loaders[frame], "url": frame.url}
        if frame.url.startswith(ERROR_PAGES):
            told["unreachableUrl"] = frame.url
        self._tell("Page.frameNavigated", frame=told)

    def _detached(self, frame: Frame) -> None:
        self._handles.forget(frame)
        self._tell("Page.frameDetached", frameId=self._id(frame))

    def _tell_console(self, message: ConsoleMessage) -> None:
        place = {"callFrames": [{"url": message.location.get("url", "")}]}
        self._tell(
            "Runtime.consoleAPICalled", type=message.type, args=[{"value": message.text}], stackTrace=place
        )

    def _frame_of(self, request: Request) -> Frame | None:
        from playwright.async_api import Error

        try:
            return request.frame
        except Error:  # of a worker, or of a tab that is not there yet
            return self._page.main_frame if request.is_navigation_request() else None

    def _id(self, frame: Frame) -> str:
        return self._ids.setdefault(frame, f"frame{len(self._ids) + 1}-{id(self):x}")

    def _remember_entry(self, url: str) -> None:
        if self._moving:
            self._at += self._moving
            self._moving = 0
            self._entries[self._at] = url
        elif self._entries[self._at] != url:
            self._entries = [*self._entries[: self._at + 1], url]
            self._at += 1

    def _aside(self, work: Coroutine[Any, Any, Any]) -> None:
        async def quietly() -> None:
            with contextlib.suppress(Exception):  # what becomes of it, events tell
                await work

        task = asyncio.create_task(quietly())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _frame_tree(self, _: JsonObject) -> JsonObject:
        def told(frame: Frame) -> JsonObject:
            loader = self._loaders.setdefault(frame, f"loader{next(self._numbers)}")
            return {
                "frame": {"id": self._id(frame), "loaderId": loader, "url": frame.url},
                "childFrames": [told(child) for child in frame.child_frames],
            }

        return {"frameTree": told(self._page.main_frame)}

    async def _world(self, params: JsonObject) -> JsonObject:
        for frame in self._page.frames:
            if self._id(frame) == params["frameId"]:
                return {"executionContextId": await self._handles.scope(frame)}
        raise ActionFailed("no frame for given id found")

    async def _evaluate(self, params: JsonObject) -> JsonObject:
        if "contextId" in params:
            return {"result": {"objectId": self._handles.root(params["contextId"])}}
        value = await self._page.evaluate(str(params["expression"]))
        return {"result": {"value": value}}

    async def _describe(self, params: JsonObject) -> JsonObject:
        node = await self._handles.describe(params["objectId"])
        inner = node.pop("frame", None)
        return {"node": node | ({"frameId": self._id(inner)} if inner is not None else {})}

    async def _resolve(self, params: JsonObject) -> JsonObject:
        return {"object": {"objectId": self._handles.node(params["backendNodeId"])}}

    async def _give_files(self, params: JsonObject) -> JsonObject:
        number = params.get("backendNodeId")
        handle, _ = self._handles.of(params["objectId"] if number is None else self._handles.node(number))
        element = handle.as_element()
        if element is None:
            raise ActionFailed("files can't be given to that")
        await element.set_input_files(list(params["files"]))
        return {}

    async def _no_listeners(self, _: JsonObject) -> JsonObject:
        return {"listeners": []}

    async def _navigate(self, params: JsonObject) -> JsonObject:
        from playwright.async_api import Error

        self._failure = ""
        try:
            await self._page.goto(params["url"], wait_until="commit")
        except Error as error:
            text = error.message.splitlines()[0].removeprefix("Page.goto: ")
            download = "Download is starting" in text
            loader, self._coming = self._begun, ""
            failure = "net::ERR_ABORTED" if download or _given_up(text) else self._failure or text
            return {"errorText": failure, "isDownload": download, "loaderId": loader}
        return {"loaderId": self._begun}

    async def _reload(self, _: JsonObject) -> JsonObject:
        self._aside(self._page.reload(wait_until="commit"))
        return {}

    async def _history(self, _: JsonObject) -> JsonObject:
        entries = [{"id": number, "url": url} for number, url in enumerate(self._entries)]
        return {"currentIndex": self._at, "entries": entries}

    async def _go(self, params: JsonObject) -> JsonObject:
        self._moving = params["entryId"] - self._at
        back = self._moving < 0
        self._aside((self._page.go_back if back else self._page.go_forward)(wait_until="commit"))
        return {}

    async def _bring_to_front(self, _: JsonObject) -> JsonObject:
        await self._page.bring_to_front()
        return {}

    async def _close(self, _: JsonObject) -> JsonObject:
        await self._page.close(run_before_unload=True)
        return {}

    async def _metrics(self, _: JsonObject) -> JsonObject:
        width, height, whole, long = await self._page.evaluate(_SIZES)
        return {
            "cssVisualViewport": {"clientWidth": width, "clientHeight": height},
            "cssContentSize": {"width": whole, "height": long},
        }

    async def _picture(self, params: JsonObject) -> JsonObject:
        whole = bool(params.get("captureBeyondViewport"))
        if params["format"] == "jpeg":
            data = await self._page.screenshot(type="jpeg", quality=params.get("quality"), full_page=whole)
        else:
            data = await self._page.screenshot(type="png", full_page=whole)
        if params["format"] == "webp":
            data = await asyncio.to_thread(_webp, data)
        return {"data": base64.b64encode(data).decode("ascii")}

    async def _intercept(self, params: JsonObject) -> JsonObject:
        if params["enabled"] != self._intercepts:
            self._intercepts = bool(params["enabled"])
            (self._page.on if self._intercepts else self._page.remove_listener)("filechooser", self._chooser)
        return {}

    def _chooser(self, chooser: FileChooser) -> None:
        node = self._handles.keep(chooser.element)
        mode = "selectMultiple" if chooser.is_multiple() else "selectSingle"
        self._tell("Page.fileChooserOpened", backendNodeId=node, mode=mode)

    async def _set_content(self, params: JsonObject) -> JsonObject:
        await self._page.set_content(str(params["html"]), wait_until="commit")
        return {}

    async def _insert(self, params: JsonObject) -> JsonObject:
        await self._page.keyboard.insert_text(str(params["text"]))
        return {}


class FirefoxBrowserSession:
    """Of the browser: the titles of the tabs in a context, which are all that is asked of it."""

    def __init__(self, pages: Callable[[], list[tuple[str, Page]]]) -> None:
        self._pages = pages

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:  # noqa: ARG002 - its one method takes none
        if method != "Target.getTargets":
            raise ActionFailed(f"Firefox has nothing for {method}", "use Chromium where this is needed")
        with translated(method):
            found = [{"targetId": name, "title": await _title(page)} for name, page in self._pages()]
        return {"targetInfos": found}

    def on(self, event: str, handler: Callable[[JsonObject], None]) -> None:
        """It tells of nothing."""


async def _title(page: Page) -> str:
    """As the page says it, "" from a stuck one. Playwright's own word is empty where one went back to it."""
    from playwright.async_api import Error

    try:
        async with time_limit(TITLE_SECONDS):
            return str(await page.evaluate("document.title"))
    except (TimeoutError, Error):
        return ""


def _given_up(text: str) -> bool:
    return "ABORTED" in text.upper() or "cancel" in text.lower()


def _webp(data: bytes) -> bytes:
    from PIL import Image

    out = BytesIO()
    with Image.open(BytesIO(data)) as picture:
        picture.save(out, "webp", quality=80)
    return out.getvalue()
