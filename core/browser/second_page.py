"""A page beside the actor's tabs, in the same context: where scores look things up, unseen by the actor."""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec

from webbench.core.browser.driver import DriverPage
from webbench.core.browser.lifecycle import Lifecycle
from webbench.core.browser.seeing.mirror import Mirror
from webbench.core.browser.tabs import LiveTab, Tabs
from webbench.core.errors import ActionFailed, EnvironmentDown, WebbenchError
from webbench.core.json_types import Json
from webbench.core.time_limit import time_limit

T = TypeVar("T")

LONGEST_TEXT = 1_000_000
"""Characters of a text, and items of a list, that a value may have; the rest is cut off in the page."""

CLOSING = 3.0
NOT_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}
_DOCUMENT = """(document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "")
    + document.documentElement.outerHTML"""

_READ_DOCUMENT = (
    f"() => ({{ html: {_DOCUMENT},"
    """
  fields: [...document.querySelectorAll("input, textarea, select")].map((field) => {
    if (field.type === "file" || field.type === "password") return {};
    if (field.type === "checkbox" || field.type === "radio") return { checked: field.checked };
    if (field.type === "select-multiple") return { chosen: [...field.options].map((one) => one.selected) };
    return field.tagName === "SELECT" ? { place: field.selectedIndex } : { value: field.value };
  }),
})"""
)

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
    """A `SecondPage`; made by `second_page`.

    Args:
        page: its session was opened before any script could run, so that one without end can be stopped.
        actor: the actor's active tab.
    """

    def __init__(self, page: DriverPage, actor: LiveTab, waits: Waits) -> None:
        self._page = page
        self._actor = actor
        self._waits = waits
        self._life = Lifecycle(page.session, page.frame_id)
        self._mirror = Mirror(page.session)

    async def prepare(self) -> None:
        await self._life.follow()

    def on_crash(self, handler: Callable[[], None]) -> None:
        self._page.on_crash(handler)

    @property
    def url(self) -> str:
        return self._page.url

    async def goto(self, url: str) -> None:
        try:
            async with time_limit(self._waits.opening):
                await self._open(url)
        except TimeoutError as error:
            seconds = self._waits.opening
            raise EnvironmentDown(f"{url} can't be opened: it did not load within {seconds:g} s") from error
        except ActionFailed as error:
            raise EnvironmentDown(f"{url} can't be opened: {error.message}") from error
        with contextlib.suppress(TimeoutError):
            async with time_limit(self._waits.rest):
                await self._life.reached("networkIdle")

    async def _open(self, url: str) -> None:
        """Returns once all that the document names is loaded. Raises `ActionFailed`."""
        answer = await self._page.session.send("Page.navigate", {"url": url})
        if answer.get("errorText"):
            raise ActionFailed(str(answer["errorText"]))
        if "loaderId" in answer:
            await self._life.committed(str(answer["loaderId"]))
            await self._life.reached("load")

    async def mirror(self) -> None:
        url = self._actor.page.url
        try:
            found = await self._bounded(self._actor.elements.probe(_READ_DOCUMENT, None), "the actor's page")
        except ActionFailed as error:
            raise EnvironmentDown(f"the actor's page can't be copied: {error.message}") from error
        if not url.startswith(("http://", "https://")):
            document = {"frameId": self._page.frame_id, "html": found["html"]}
            await self._call(self._page.session.send("Page.setDocumentContent", document))
        else:
            await self._show(url, found["html"])
        await self.evaluate(_FILL_FIELDS, found["fields"])

    async def _show(self, url: str, html: str) -> None:
        """The document at its own address, without its scripts and without asking the site for it."""
        try:
            async with time_limit(self._waits.opening), self._mirror.showing(url, html):
                await self._open(url)
        except TimeoutError as error:
            raise EnvironmentDown(f"the copy of {url} can't be shown: it did not load in time") from error
        except ActionFailed as error:
            raise EnvironmentDown(f"the copy of {url} can't be shown: {error.message}") from error

    async def content(self) -> str:
        html = str(await self.evaluate(f"() => {_DOCUMENT}"))
        return html[:LONGEST_TEXT]

    async def evaluate(self, function: str, argument: Json = None) -> Json:
        literal = msgspec.json.encode(argument).decode()
        expression = f"({_BOUNDED % (LONGEST_TEXT, function)})({literal})"
        command = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = await self._call(self._page.session.send("Runtime.evaluate", command))
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            thrown = details.get("exception", {})
            text = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
            raise ActionFailed(text.partition("\n")[0])
        result = answer["result"]
        named = result.get("unserializableValue")
        return NOT_NUMBERS.get(named, named) if named is not None else result.get("value")

    async def _call(self, work: Awaitable[T]) -> T:
        return await self._bounded(work, "the page beside the actor's")

    async def _bounded(self, work: Awaitable[T], what: str) -> T:
        seconds = self._waits.evaluation
        try:
            async with time_limit(seconds):
                return await work
        except TimeoutError as error:
            with contextlib.suppress(WebbenchError, TimeoutError):
                stop = self._page.session.send("Runtime.terminateExecution")
                async with time_limit(CLOSING):
                    await stop
            raise EnvironmentDown(f"{what} did not answer within {seconds:g} s") from error


@asynccontextmanager
async def second_page(tabs: Tabs, waits: Waits) -> AsyncIterator[BrowserSecondPage]:
    """A page of the tabs' context that is none of them, closed on leaving. Raises `EnvironmentDown`."""
    tab = tabs.active
    if tab is None or tab.gone:
        raise EnvironmentDown("there is no page to look into")
    if tabs.dialogs.waiting:
        raise EnvironmentDown("a dialog holds the page up", "answer it first")
    try:
        async with time_limit(waits.opening):
            page = await tabs.open_aside()
    except TimeoutError as error:
        raise EnvironmentDown("no page could be opened beside the actor's in time") from error
    except ActionFailed as error:
        raise EnvironmentDown(f"no page could be opened beside the actor's: {error.message}") from error
    try:
        beside = BrowserSecondPage(page, tab, waits)
        await beside.prepare()
        yield beside
    finally:
        with contextlib.suppress(WebbenchError, TimeoutError):
            async with time_limit(CLOSING):
                await page.close()
