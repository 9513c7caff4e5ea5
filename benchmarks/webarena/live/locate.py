"""Reading what a task's program_html targets locate, from live pages, in the order of the published code.

Locators are JavaScript from the task data. They are evaluated inside the page under test and nowhere else.

After a live episode they are read in a page beside the actor's tabs. As published one page goes from target
to target, beginning where the actor ended; there it shows a copy of the actor's page as that stands. Where
`libwebarena`, which reads each target in a tab of its own, would have seen another page, what that holds is
kept beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from webbench.benchmarks.webarena.live.functions import (
    GITLAB_ROLE,
    LAST_URL,
    PREFIX,
    REDDIT_POST_URL,
    FunctionCall,
    parse_call,
)
from webbench.benchmarks.webarena.scoring.final_address import reddit_post_url
from webbench.benchmarks.webarena.scoring.page_contents import APART, FAULT, PROBLEM
from webbench.core.environment import SecondPage
from webbench.core.errors import ActionFailed, BadData, EnvironmentDown, WebbenchError
from webbench.core.json_types import Json, JsonObject

LAST = "last"
PUBLISHED_WAIT = 3.0
"""Seconds the published code waits after going to a target's address."""

_JAVASCRIPT = ("document.", "[...document.")
_ROLE_SCRIPT = """(account) => {
  const names = [...document.querySelectorAll("td[data-label='Account'] span.gl-avatar-labeled-sublabel")];
  const place = names.findIndex((name) => name.outerText === "@" + account);
  return place < 0 ? "" : document.querySelectorAll("td.col-max-role span")[place]?.outerText ?? "";
}"""


class LivePage(Protocol):
    """The part of a `SecondPage` that is needed here."""

    @property
    def url(self) -> str: ...

    async def goto(self, url: str, /) -> None: ...

    async def content(self) -> str: ...

    async def evaluate(self, function: str, argument: Json = None, /) -> Json: ...


class ClosedPage(LivePage, Protocol):
    """A page of one's own."""

    async def close(self) -> None: ...


OpenTab = Callable[[], Awaitable[ClosedPage]]
AskSite = Callable[[FunctionCall], Awaitable[str]]


class Located(msgspec.Struct, frozen=True):
    """Evidence for `program_html`: per target {"located", "url"}, and where the page was left."""

    pages: list[JsonObject]
    url_after_pages: str


async def locate(
    page: LivePage,
    targets: Json,
    *,
    open_tab: OpenTab | None = None,
    ask_site: AskSite | None = None,
    wait: float = PUBLISHED_WAIT,
) -> Located:
    """Go through the targets and read what each locates.

    Args:
        page: shows what the actor ended on.
        targets: the task's program_html, with real addresses in place of placeholders.
        open_tab: read targets that have an address in tabs of their own, closed afterwards, as the packaged
            port does; None = go there in `page`, which stays there for a following "last".
        ask_site: answers functions that need a site's own interface.
        wait: seconds after opening an address.

    Raises `BadData` for targets of another shape, unknown functions and locators, `EnvironmentDown` for
    an address that can't be opened.
    """
    if not isinstance(targets, list):
        raise BadData("program_html is no list of targets")
    pages = [await _read_target(page, target, open_tab, ask_site, wait) for target in targets]
    return Located(pages, page.url)


async def _read_target(
    page: LivePage, target: Json, open_tab: OpenTab | None, ask_site: AskSite | None, wait: float
) -> JsonObject:
    if open_tab is None or is_last(target):
        return await read_target(page, target, ask_site=ask_site, wait=wait)
    shown = await open_tab()
    try:
        return await read_target(shown, target, ask_site=ask_site, wait=wait, last_url=page.url)
    finally:
        await shown.close()


def is_last(target: Json) -> bool:
    """Whether a target is read where the actor, or the target before, left off."""
    return isinstance(target, dict) and target.get("url") == LAST


async def read_target(
    page: LivePage,
    target: Json,
    *,
    ask_site: AskSite | None = None,
    wait: float = PUBLISHED_WAIT,
    last_url: str = "",
) -> JsonObject:
    """What one target locates, {"located", "url"}; the page stays where that is. Raises as `locate` does."""
    if not isinstance(target, dict) or not isinstance(target.get("url"), str):
        raise BadData("a target of program_html has no text url")
    if not is_last(target):
        address = await _address(target["url"], last_url or page.url, ask_site)
        await _open(page, address, wait)
    return {"located": await _located(page, target, ask_site), "url": page.url}


async def _address(url: str, last_url: str, ask_site: AskSite | None) -> str:
    if not url.startswith(PREFIX):
        return url
    call = parse_call(url)
    if call.name == REDDIT_POST_URL:
        return reddit_post_url(call.arguments[0].replace(LAST_URL, last_url))
    return await _asked(call, ask_site)


async def _open(page: LivePage, address: str, wait: float) -> None:
    try:
        await page.goto(address)
    except EnvironmentDown as error:
        raise EnvironmentDown(f"the page to be checked can't be opened: {error.message}") from error
    await asyncio.sleep(wait)


async def _located(page: LivePage, target: JsonObject, ask_site: AskSite | None) -> str:
    locator = target.get("locator")
    if not isinstance(locator, str):
        raise BadData("a target of program_html has no text locator")
    if not locator.strip():
        return await page.content()
    if locator.startswith(_JAVASCRIPT):
        await _prepare(page, target.get("prep_actions", []))
        found = await _evaluated(page, f"() => {locator}")
        return "" if found is None else found
    if locator.startswith(f"{PREFIX}:"):
        call = parse_call(locator)
        if call.name == GITLAB_ROLE:
            return await _evaluated(page, _ROLE_SCRIPT, call.arguments[1]) or ""
        return await _asked(call, ask_site)
    raise BadData(f'the locator "{locator[:80]}" is neither JavaScript on the document nor a known function')


async def _prepare(page: LivePage, actions: Json) -> None:
    """Clicks that unfold what is to be read; one that fails ends them, as published."""
    for action in actions if isinstance(actions, list) else ():
        if not isinstance(action, str) or not action.startswith(_JAVASCRIPT):
            raise BadData(f'the preparation "{str(action)[:80]}" is no JavaScript on the document')
        if await _evaluated(page, f"() => {action}") is None:
            return


async def _evaluated(page: LivePage, script: str, argument: Json = None) -> str | None:
    """The value as text, the way Python writes it; None where the page raised."""
    try:
        return str(await page.evaluate(script, argument))
    except ActionFailed:
        return None


async def _asked(call: FunctionCall, ask_site: AskSite | None) -> str:
    if ask_site is None:
        raise EnvironmentDown(f"{call.name} needs the site's own interface, which is not connected")
    return await ask_site(call)


async def read_pages(page: SecondPage, targets: list[Json], ask_shop: AskSite) -> JsonObject:
    """The evidence {"pages", "url_after_pages"}; a target that can't be read tells why.

    Raises `EnvironmentDown` where the actor's page can't be copied.
    """
    await page.mirror()
    pages: list[JsonObject] = []
    lost = ""
    for target in targets:
        read = {PROBLEM: lost} if lost and is_last(target) else await _read(page, target, ask_shop)
        lost = lost if is_last(target) else str(read.get(PROBLEM, ""))
        pages.append(read)
    address_after = page.url
    left = next((number for number, target in enumerate(targets) if not is_last(target)), len(targets))
    later = [number for number, target in enumerate(targets) if is_last(target) and number > left]
    if later:
        await page.mirror()
        for number in later:
            pages[number] = pages[number] | {APART: await _read(page, targets[number], ask_shop)}
    return {"pages": pages, "url_after_pages": address_after}


async def _read(page: SecondPage, target: Json, ask_shop: AskSite) -> JsonObject:
    """What one target locates, or why that can't be told; the others are read all the same.

    Preparations are clicks that only the page's own scripts can answer, so the address is opened anew for
    them; whatever else is read where the actor ended is read from the copy.
    """
    try:
        if is_last(target) and target.get("prep_actions"):
            await page.goto(page.url)
        return await read_target(page, target, ask_site=ask_shop, wait=0)
    except BadData as error:
        return {FAULT: str(error)}
    except WebbenchError as error:
        return {PROBLEM: str(error)}
