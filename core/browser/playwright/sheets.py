"""Texts of the style sheets of cross-process frames, out of what Playwright has seen them load."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page, Request

BODY_SECONDS = 2.0


class FrameSheets:
    """Follows a tab: sessions of its frames are opened only when their style sheets were loaded already.

    Nothing is listened to before the first frame comes: most pages have none, and every event costs time.
    Sheets that are there within a few milliseconds of it may be missed.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._loaded: dict[Frame, list[Request]] = {}
        page.once("frameattached", lambda _: page.on("requestfinished", self._finished))
        page.on("framenavigated", self._forget)
        page.on("framedetached", self._forget)

    def of(self, frame: Frame) -> LoadedSheets:
        return LoadedSheets(self._loaded.setdefault(frame, []))

    def _finished(self, request: Request) -> None:
        if request.resource_type == "stylesheet" and request.frame != self._page.main_frame:
            self._loaded.setdefault(request.frame, []).append(request)

    def _forget(self, frame: Frame) -> None:
        self._loaded.pop(frame, None)


class LoadedSheets:
    """The `SheetTexts` of one document; the list of its requests grows as it loads more."""

    def __init__(self, requests: list[Request]) -> None:
        self._requests = requests

    async def texts(self, addresses: Sequence[str]) -> list[str] | None:
        requests = list(self._requests)
        bodies = await asyncio.gather(*map(_body, requests))
        had = {request: body for request, body in zip(requests, bodies, strict=True) if body is not None}
        known = {address for request in had for address in _addresses(request)}
        return list(had.values()) if known.issuperset(addresses) else None


async def _body(request: Request) -> str | None:
    from playwright.async_api import Error

    try:
        async with time_limit(BODY_SECONDS):
            response = await request.response()
            return (await response.body()).decode(errors="replace") if response is not None else None
    except (Error, TimeoutError):
        return None


def _addresses(request: Request | None) -> Iterator[str]:
    """Where it went, and from where it was sent on."""
    while request is not None:
        yield request.url
        request = request.redirected_from
