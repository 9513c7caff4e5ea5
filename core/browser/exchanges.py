"""What the actor's tabs asked the network for, and what came back, for evaluators that score by it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Request, Response

MOST_EXCHANGES = 20_000
LARGEST_BODY = 2_000_000
"""Characters; a longer body is left out."""

SECONDS = 5.0
UNSEEN_KINDS = frozenset({"image", "font", "stylesheet", "script", "media", "manifest"})
CREDENTIALS = frozenset(
    {
        *("cookie", "authorization", "proxy-authorization"),
        *("private-token", "x-api-key", "x-csrf-token", "x-xsrf-token"),
    }
)


class Body(msgspec.Struct, frozen=True):
    kind: str = ""
    """Its media type, with parameters."""
    text: str = ""


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """A request and its answer. Headers that hold credentials are left out; names are lower case.

    Attributes:
        content: of a JSON answer alone.
        cookies: that the answer set.
    """

    method: str
    url: str
    status: int
    headers: dict[str, str] = {}
    sent: Body = Body()
    content: Body = Body()
    cookies: dict[str, str] = {}


class ExchangeLog:
    """Follows one browser context; pictures, styles and scripts are passed over."""

    def __init__(self) -> None:
        self._places: dict[Request, int] = {}
        self._known: dict[int, Exchange] = {}
        self._reading: set[asyncio.Task[None]] = set()

    def follow(self, context: BrowserContext, is_aside: Callable[[Page], bool]) -> None:
        """Keep what this context exchanges from now on, but for pages that are none of the actor's."""
        self._places.clear()
        self._known.clear()

        def begun(request: Request) -> None:
            if request.resource_type not in UNSEEN_KINDS and len(self._places) < MOST_EXCHANGES:
                self._places[request] = len(self._places)

        def finished(request: Request) -> None:
            if request in self._places and not _of_aside(request, is_aside):
                task = asyncio.create_task(self._read(request))
                self._reading.add(task)
                task.add_done_callback(self._reading.discard)

        context.on("request", begun)
        context.on("requestfinished", finished)

    async def read(self) -> list[Exchange]:
        """All that is finished by now, in the order in which it began."""
        if self._reading:
            await asyncio.wait(set(self._reading), timeout=SECONDS)
        return [self._known[place] for place in sorted(self._known)]

    async def _read(self, request: Request) -> None:
        from playwright.async_api import Error

        with contextlib.suppress(Error, TimeoutError):
            async with asyncio.timeout(SECONDS):
                response = await request.response()
                if response is not None:
                    self._known[self._places[request]] = await _exchange(request, response)


def _of_aside(request: Request, is_aside: Callable[[Page], bool]) -> bool:
    from playwright.async_api import Error

    try:
        return is_aside(request.frame.page)
    except Error:  # a worker's request has no frame
        return False


async def _exchange(request: Request, response: Response) -> Exchange:
    headers = await request.all_headers()
    sent = (request.post_data_buffer or b"").decode("utf-8", "replace")
    return Exchange(
        method=request.method,
        url=request.url,
        status=response.status,
        headers={name: value for name, value in headers.items() if name not in CREDENTIALS},
        sent=Body(headers.get("content-type", ""), sent if len(sent) <= LARGEST_BODY else ""),
        content=await _content(response),
        cookies=_cookies(await response.header_values("set-cookie")),
    )


async def _content(response: Response) -> Body:
    from playwright.async_api import Error

    kind = response.headers.get("content-type", "")
    if "json" not in kind:
        return Body(kind)
    try:
        text = await response.text()
    except (Error, UnicodeDecodeError):
        return Body(kind)
    return Body(kind, text if len(text) <= LARGEST_BODY else "")


def _cookies(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        with contextlib.suppress(CookieError):
            found |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
    return found
