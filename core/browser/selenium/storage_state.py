"""The storage state of a context: cookies and local storage in Playwright's form (see `ContextOptions`)."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from webbench.core.browser.selenium.websocket import WireSession
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.json_types import Json, JsonObject
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from webbench.core.browser.selenium.context import SeleniumContext
    from webbench.core.browser.selenium.page import SeleniumPage

COOKIE_FIELDS = ("name", "value", "url", "domain", "path", "secure", "httpOnly", "sameSite", "expires")
FILLING_SECONDS = 20.0
WEB = ("http", "https")
EMPTY_PAGE = base64.b64encode(b"<!doctype html>").decode("ascii")

_READ_STORAGE = "Object.entries(localStorage).map(([name, value]) => ({name, value}))"
_FILL_STORAGE = "for (const {name, value} of %s) localStorage.setItem(name, value)"


async def preload(context: SeleniumContext, state: JsonObject) -> None:
    """Give a fresh context these logins. Raises what a session raises."""
    cookies = [_param(cookie) for cookie in state.get("cookies", ())]
    if cookies:
        await context.root.send("Storage.setCookies", {"cookies": cookies, "browserContextId": context.id})
    origins = [entry for entry in state.get("origins", ()) if entry.get("localStorage")]
    if not origins:
        return
    page = await context.opened_page()
    try:
        async with time_limit(FILLING_SECONDS):
            await _fill(page.own, origins)
    except TimeoutError as error:
        raise EnvironmentDown("the logins could not be put into the browser in time") from error
    finally:
        await page.close()


async def state_of(context: SeleniumContext, pages: Iterable[SeleniumPage]) -> JsonObject:
    answer = await context.root.send("Storage.getCookies", {"browserContextId": context.id})
    origins: dict[str, list[Json]] = {}
    for page in pages:
        parts = urlsplit(page.url)
        if parts.scheme in WEB and (origin := f"{parts.scheme}://{parts.netloc}") not in origins:
            with contextlib.suppress(WebbenchError):
                origins[origin] = await _stored(page.own)
    return {
        "cookies": [_cookie(cookie) for cookie in answer["cookies"]],
        "origins": [{"origin": origin, "localStorage": items} for origin, items in origins.items() if items],
    }


async def _stored(session: WireSession) -> list[Json]:
    answer = await session.send("Runtime.evaluate", {"expression": _READ_STORAGE, "returnByValue": True})
    items = answer["result"].get("value")
    return items if isinstance(items, list) else []


async def _fill(session: WireSession, entries: list[Json]) -> None:
    """Open each origin without asking its site: every request is answered by an empty page."""
    loaded = asyncio.Event()
    answers: set[asyncio.Task[JsonObject]] = set()

    def answer(event: JsonObject) -> None:
        command = {"requestId": event["requestId"], "responseCode": 200, "body": EMPTY_PAGE}
        answers.add(asyncio.create_task(session.send("Fetch.fulfillRequest", command)))

    session.on("Fetch.requestPaused", answer)
    session.on("Page.loadEventFired", lambda _: loaded.set())
    await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
    for entry in entries:
        loaded.clear()
        await session.send("Page.navigate", {"url": entry["origin"]})
        await loaded.wait()
        script = _FILL_STORAGE % msgspec.json.encode(entry["localStorage"]).decode()
        await session.send("Runtime.evaluate", {"expression": script})
    await asyncio.gather(*answers)


def _param(cookie: JsonObject) -> JsonObject:
    """DevTools' form; -1 is Playwright's word for "until the browser ends"."""
    known = {name: cookie[name] for name in COOKIE_FIELDS if name in cookie}
    if known.get("expires", -1) == -1:
        known.pop("expires", None)
    return known


def _cookie(cookie: JsonObject) -> JsonObject:
    return {
        "name": cookie["name"],
        "value": cookie["value"],
        "domain": cookie["domain"],
        "path": cookie["path"],
        "expires": -1 if cookie.get("session") else cookie["expires"],
        "httpOnly": cookie["httpOnly"],
        "secure": cookie["secure"],
        "sameSite": cookie.get("sameSite", "Lax"),
    }
