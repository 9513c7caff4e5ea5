"""A page beside the actor's tabs, in the same context: where scores look things up, unseen by the actor."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from webbench.core.browser.elements import Elements
from webbench.core.browser.playwright import first_line
from webbench.core.browser.tabs import Tabs
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import Json

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page, Route

T = TypeVar("T")

LONGEST_TEXT = 1_000_000
"""Characters of a text, and items of a list, that a value may have; the rest is cut off in the page."""

CLOSING = 3.0
CUT_IN = "interrupted by another navigation"
NOT_REACHED, GIVEN_UP = "net::ERR_", "net::ERR_ABORTED"
ERROR_PAGE = "chrome-error://chromewebdata/"
SETTLING = 1.0
RETRIES = 4
SHOWN_KINDS = frozenset({"document", "stylesheet"})
"""What a mirrored document loads: its looks decide which of its text is shown."""

_READ_DOCUMENT = """() => ({
  html: (document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "")
    + document.documentElement.outerHTML,
  fields: [...document.querySelectorAll("input, textarea, select")].map((field) => {
    if (field.type === "file" || field.type === "password") return {};
    if (field.type === "checkbox" || field.type === "radio") return { checked: field.checked };
    if (field.type === "select-multiple") return { chosen: [...field.options].map((one) => one.selected) };
    return field.tagName === "SELECT" ? { place: field.selectedIndex } : { value: field.value };
  }),
})"""

_FILL_FIELDS = """(fields) => {
  [...document.querySelectorAll("input, textarea, select")].forEach((field, number) => {
    const { checked, chosen, place, value } = fields[number] ?? {};
    if (checked !== undefined) field.checked = checked;
    if (chosen) [...field.options].forEach((option, at) => { option.selected = chosen[at]; });
    if (place !== undefined) field.selectedIndex = place;
    if (value !== undefined) field.value = value;
  });
}"""

_BOUNDED = """(argument) => {
  const cut = (value) => typeof value === "string" || Array.isArray(value) ? value.slice(0, %d) : value;
  const value = (%s)(argument);
  return value instanceof Promise ? value.then(cut) : cut(value);
}"""


class Waits(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds that opening an address, what it goes on loading by itself, and one evaluation may take."""

    opening: float
    rest: float = 3.0
    evaluation: float


class BrowserSecondPage:
    """A `SecondPage` over Playwright; made by `second_page`.

    Args:
        actor: the actor's active tab.
        session: opened before any script could run, so that one without end can be stopped.
    """

    def __init__(self, page: Page, session: CDPSession, actor: tuple[Page, Elements], waits: Waits) -> None:
        self._page = page
        self._session = session
        self._actor_page, self._actor_elements = actor
        self._waits = waits

    @property
    def url(self) -> str:
        return self._page.url

    async def goto(self, url: str) -> None:
        from playwright.async_api import Error

        try:
            await self._open(url)
        except Error as error:
            raise EnvironmentDown(f"{url} can't be opened: {first_line(error)}") from error
        with contextlib.suppress(Error):
            await self._page.wait_for_load_state("networkidle", timeout=self._waits.rest * 1000)

    async def _open(self, url: str) -> None:
        """The browser's own page of an error, which follows a failure late, may cut in: try again then."""
        from playwright.async_api import Error

        for last in (*[False] * RETRIES, True):
            try:
                await self._page.goto(url, timeout=self._waits.opening * 1000)
            except Error as error:
                await self._settle(error.message)
                if last or CUT_IN not in error.message:
                    raise
            else:
                return

    async def _settle(self, failure: str) -> None:
        """Let what a failed navigation still brings about come to its end."""
        from playwright.async_api import Error

        with contextlib.suppress(Error):
            if CUT_IN in failure:
                await self._page.wait_for_load_state("load", timeout=SETTLING * 1000)
            elif NOT_REACHED in failure and GIVEN_UP not in failure:
                await self._page.wait_for_url(ERROR_PAGE, timeout=SETTLING * 1000, wait_until="commit")

    async def mirror(self) -> None:
        url = self._actor_page.url
        try:
            found = await self._bounded(self._actor_elements.probe(_READ_DOCUMENT, None), "the actor's page")
        except ActionFailed as error:
            raise EnvironmentDown(f"the actor's page can't be copied: {error.message}") from error
        if not url.startswith(("http://", "https://")):
            await self._call(self._page.set_content(found["html"], wait_until="domcontentloaded"))
        else:
            await self._show(url, found["html"])
        await self.evaluate(_FILL_FIELDS, found["fields"])

    async def _show(self, url: str, html: str) -> None:
        """The document at its own address, without its scripts and without asking the site for it."""
        from playwright.async_api import Error

        wanted = url.partition("#")[0]

        async def answer(route: Route) -> None:
            request = route.request
            if request.resource_type not in SHOWN_KINDS:
                await route.abort()
            elif request.url.partition("#")[0] == wanted and request.resource_type == "document":
                policy = {"content-security-policy": "script-src 'none'"}
                await route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=policy)
            else:
                await route.fallback()

        await self._call(self._page.route("**/*", answer))
        try:
            await self._open(url)
        except Error as error:
            told = f"the copy of {url} can't be shown: {first_line(error)}"
            raise EnvironmentDown(told) from error
        finally:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._page.unroute("**/*", answer), CLOSING)

    async def content(self) -> str:
        html: str = await self._call(self._page.content())
        return html[:LONGEST_TEXT]

    async def evaluate(self, function: str, argument: Json = None) -> Json:
        return await self._call(self._page.evaluate(_BOUNDED % (LONGEST_TEXT, function), argument))

    async def _call(self, work: Awaitable[T]) -> T:
        from playwright.async_api import Error

        try:
            return await self._bounded(work, "the page beside the actor's")
        except Error as error:
            if self._page.is_closed():
                raise EnvironmentDown(f"the page beside the actor's is gone: {first_line(error)}") from error
            raise ActionFailed(first_line(error)) from error

    async def _bounded(self, work: Awaitable[T], what: str) -> T:
        seconds = self._waits.evaluation
        try:
            return await asyncio.wait_for(work, seconds)
        except TimeoutError as error:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._session.send("Runtime.terminateExecution"), CLOSING)
            raise EnvironmentDown(f"{what} did not answer within {seconds:g} s") from error


@asynccontextmanager
async def second_page(tabs: Tabs, waits: Waits) -> AsyncIterator[BrowserSecondPage]:
    """A page of the tabs' context that is none of them, closed on leaving. Raises `EnvironmentDown`."""
    tab = tabs.active
    if tab is None or tab.gone:
        raise EnvironmentDown("there is no page to look into")
    if tabs.dialogs:
        raise EnvironmentDown("a dialog holds the page up", "answer it first")
    page, session = await _opened(tabs, waits)
    try:
        yield BrowserSecondPage(page, session, (tab.page, tab.elements), waits)
    finally:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(page.close(), CLOSING)


async def _opened(tabs: Tabs, waits: Waits) -> tuple[Page, Any]:
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(waits.opening):
            page = await tabs.open_aside()
            session = await page.context.new_cdp_session(page)
            await session.send("Runtime.enable")
    except TimeoutError as error:
        raise EnvironmentDown("no page could be opened beside the actor's in time") from error
    except Error as error:
        raise EnvironmentDown(f"no page could be opened beside the actor's: {first_line(error)}") from error
    return page, session
