"""What the actor's tabs asked the network for, and what came back, for evaluators that score by it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie

from webbench.core.browser.driver import Answered, DriverContext, DriverPage, DriverRequest
from webbench.core.environment import CREDENTIALS, UNSEEN_KINDS, Body, Exchange
from webbench.core.errors import WebbenchError
from webbench.core.time_limit import time_limit

MOST_EXCHANGES = 20_000
LARGEST_BODY = 2_000_000
"""Characters; a longer body is left out."""

SECONDS = 5.0


class ExchangeReader:
    """Follows one browser context; pictures, styles and scripts are passed over.

    Args:
        is_aside: tells pages that are none of the actor's: what they exchange is left out.
        bare: no headers, bodies and cookies are kept.
    """

    def __init__(
        self, context: DriverContext, is_aside: Callable[[DriverPage], bool], *, bare: bool = False
    ) -> None:
        self._bare = bare
        self._places: dict[DriverRequest, int] = {}
        self._known: dict[int, Exchange] = {}
        self._reading: set[asyncio.Task[None]] = set()
        self._is_aside = is_aside
        context.on_request(self._begun)
        context.on_finished(self._finished)

    async def read(self) -> list[Exchange]:
        """All that is finished by now, in the order in which it began."""
        if self._reading:
            await asyncio.wait(set(self._reading), timeout=SECONDS)
        return [self._known[place] for place in sorted(self._known)]

    def _begun(self, request: DriverRequest) -> None:
        if request.resource_type not in UNSEEN_KINDS and len(self._places) < MOST_EXCHANGES:
            self._places[request] = len(self._places)

    def _finished(self, request: DriverRequest) -> None:
        page = request.page
        if request in self._places and (page is None or not self._is_aside(page)):
            task = asyncio.create_task(self._read(request))
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)

    async def _read(self, request: DriverRequest) -> None:
        with contextlib.suppress(WebbenchError, TimeoutError):
            async with time_limit(SECONDS):
                answered = await request.answered()
                if answered is not None and self._bare:
                    self._known[self._places[request]] = Exchange(
                        method=request.method, url=request.url, status=answered.status
                    )
                elif answered is not None:
                    self._known[self._places[request]] = await _exchange(request, answered)


async def _exchange(request: DriverRequest, answered: Answered) -> Exchange:
    headers = answered.sent_headers
    sent = answered.sent.decode("utf-8", "replace")
    return Exchange(
        method=request.method,
        url=request.url,
        status=answered.status,
        headers={name: value for name, value in headers.items() if name not in CREDENTIALS},
        sent=Body(headers.get("content-type", ""), sent if len(sent) <= LARGEST_BODY else ""),
        content=await _content(request, answered.headers.get("content-type", "")),
        cookies=_cookies(answered.cookies),
    )


async def _content(request: DriverRequest, kind: str) -> Body:
    if "json" not in kind:
        return Body(kind)
    try:
        text = await request.text()
    except WebbenchError:
        return Body(kind)
    return Body(kind, text if len(text) <= LARGEST_BODY else "")


def _cookies(lines: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        with contextlib.suppress(CookieError):
            found |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
    return found
