"""A browser context as `DriverContext`, over Playwright: its tabs, dialogs and requests."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, cast

from webbench.core.browser.driver import (
    Answered,
    CdpSession,
    DialogKind,
    DriverDialog,
    DriverPage,
    DriverRequest,
)
from webbench.core.browser.playwright.devtools import translated
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.environment import DOCUMENT, NetworkAnswer, NetworkRequest
from webbench.core.errors import ActionFailed
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Dialog, Page, Request, Route

OPENING_SECONDS = 10.0
"""Until a new tab of a context that was joined is there."""

Decide = Callable[[NetworkRequest], Awaitable[NetworkAnswer]]
Named = Callable[["Page"], DriverPage]


class PlaywrightContext:
    """Tabs that share cookies with nobody else.

    Args:
        joined: DevTools' id of a context that somebody else has made and ends; "" for one of ours.

    Attributes:
        make_page: makes the one object of a page.
    """

    make_page: type[PlaywrightPage] = PlaywrightPage

    def __init__(
        self,
        context: BrowserContext,
        session: CdpSession,
        browser_connected: Callable[[], bool],
        joined: str = "",
    ) -> None:
        self.context = context
        self.session = session
        self._browser_connected = browser_connected
        self._joined = joined
        self._pages: dict[Page, PlaywrightPage] = {}

    @property
    def connected(self) -> bool:
        return self._browser_connected()

    def on_page(self, handler: Callable[[DriverPage], None]) -> None:
        self.context.on("page", lambda page: handler(self._named(page)))

    def on_dialog(self, handler: Callable[[DriverDialog], None]) -> None:
        self.context.on("dialog", lambda dialog: handler(PlaywrightDialog(dialog, self._named)))

    def on_request(self, handler: Callable[[DriverRequest], None]) -> None:
        self.context.on("request", lambda request: handler(PlaywrightRequest(request, self._named)))

    def on_finished(self, handler: Callable[[DriverRequest], None]) -> None:
        self.context.on("requestfinished", lambda request: handler(PlaywrightRequest(request, self._named)))

    async def guard(self, asked_about: re.Pattern[str], decide: Decide) -> None:
        with translated("guarding the context"):
            await self.context.route(asked_about, lambda route: _decided(route, decide))

    @property
    def pages(self) -> Sequence[DriverPage]:
        return [self._named(page) for page in self.context.pages]

    async def new_page(self) -> DriverPage:
        with translated("no new tab"):
            if not self._joined:
                return self._named(await self.context.new_page())
            async with self.context.expect_page(timeout=OPENING_SECONDS * 1000) as opening:
                wanted = {"url": "about:blank", "browserContextId": self._joined}
                await self.session.send("Target.createTarget", wanted)
            return self._named(await opening.value)

    async def storage_state(self) -> JsonObject:
        if self._joined:
            raise ActionFailed("the logins of a browser that somebody else started can't be read")
        with translated("reading the logins"):
            return dict(await self.context.storage_state())

    async def close(self) -> None:
        """Begun, it goes on even where nobody waits for its end: else the pages would stay, at work."""
        if self._joined:
            return
        closing = asyncio.ensure_future(self.context.close())
        closing.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        with translated("closing the context"):
            await asyncio.shield(closing)

    def _named(self, page: Page) -> PlaywrightPage:
        if page not in self._pages:
            self._pages[page] = self.make_page(page, self._named)
        return self._pages[page]

    def frame_id_of(self, page: Page) -> str:
        """Of a tab that is attached."""
        return self._named(page).frame_id


class PlaywrightDialog:
    """A `DriverDialog`."""

    def __init__(self, dialog: Dialog, named: Named) -> None:
        self._dialog = dialog
        self.kind: DialogKind = cast("DialogKind", dialog.type)
        self.message = dialog.message
        self.default = dialog.default_value
        self.page = None if dialog.page is None else named(dialog.page)

    async def accept(self, text: str | None = None) -> None:
        with translated("accepting the dialog"):
            await (self._dialog.accept() if text is None else self._dialog.accept(text))

    async def dismiss(self) -> None:
        with translated("dismissing the dialog"):
            await self._dialog.dismiss()


class PlaywrightRequest:
    """A `DriverRequest`."""

    def __init__(self, request: Request, named: Named) -> None:
        self._request = request
        self._named = named
        self.url = request.url
        self.method = request.method
        self.resource_type = request.resource_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaywrightRequest) and other._request == self._request

    def __hash__(self) -> int:
        return hash(self._request)

    @property
    def page(self) -> DriverPage | None:
        from playwright.async_api import Error

        try:
            return self._named(self._request.frame.page)
        except Error:  # a worker's request has no frame
            return None

    async def answered(self) -> Answered | None:
        with translated("reading the answer"):
            response = await self._request.response()
            if response is None:
                return None
            return Answered(
                status=response.status,
                headers=response.headers,
                sent_headers=await self._request.all_headers(),
                sent=self._request.post_data_buffer or b"",
                cookies=tuple(await response.header_values("set-cookie")),
            )

    async def text(self) -> str:
        with translated("reading the answer"):
            response = await self._request.response()
            try:
                return "" if response is None else await response.text()
            except UnicodeDecodeError as error:
                raise ActionFailed("the answer is no text") from error


async def _decided(route: Route, decide: Decide) -> None:
    from playwright.async_api import Error

    asked = route.request
    answer = await decide(NetworkRequest(asked.url, asked.method, asked.resource_type))
    with contextlib.suppress(Error):
        if answer.decision == "fulfil":
            await route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)
        elif answer.decision == "abort":
            await route.abort("aborted" if asked.resource_type == DOCUMENT else "blockedbyclient")
        else:
            await route.continue_()
