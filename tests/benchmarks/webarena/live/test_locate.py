"""Reading located contents from live pages, and the closed list of functions that task data may name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.webarena.live_pages import LivePage, new_context
from tests.effort import examples
from webbench.benchmarks.webarena.live.functions import LATEST_ORDER_URL, FunctionCall, parse_call
from webbench.benchmarks.webarena.live.locate import Located, locate
from webbench.core.browser.launch import Browser
from webbench.core.errors import BadData, EnvironmentDown

PAGES = {
    "http://a.example/": "<title>A</title><p id=p>one</p><script>window.mine = 'own'</script>",
    "http://a.example/b": "<p id=p>two</p>",
    "http://a.example/members": (
        "<table><tr><td data-label=Account><span class=gl-avatar-labeled-sublabel>@ann</span></td>"
        "<td class=col-max-role><span>Owner</span></td></tr></table>"
    ),
}
TEXT = "document.querySelector('#p').outerText"


def target(url: str = "last", locator: str = TEXT, **more: Any) -> dict[str, Any]:
    return {"url": url, "locator": locator, "required_contents": {}, **more}


@asynccontextmanager
async def shown(chromium: Browser, url: str = "http://a.example/") -> AsyncIterator[Any]:
    """A page on `url` whose network is the table above."""
    context = await new_context(chromium)

    async def answer(route: Any) -> None:
        if route.request.url in PAGES:
            await route.fulfill(body=PAGES[route.request.url], content_type="text/html")
        else:
            await route.abort()

    await context.route("**/*", answer)
    page = LivePage(await context.new_page())
    await page.goto(url)
    try:
        yield page
    finally:
        await context.close()


async def located(page: Any, *targets: dict[str, Any], **more: Any) -> Located:
    return await locate(page, list(targets), wait=0, **more)


async def test_targets_are_read_in_order_and_the_page_stays_where_it_went(chromium: Browser) -> None:
    async with shown(chromium) as page:
        found = await located(page, target(), target("http://a.example/b"), target())
        assert [one["located"] for one in found.pages] == ["one", "two", "two"]
        assert found.pages[1]["url"] == found.url_after_pages == "http://a.example/b"


async def test_tabs_of_their_own_leave_the_page_alone(chromium: Browser) -> None:
    async with shown(chromium) as page:
        more: dict[str, Callable[..., Any]] = {"open_tab": page.beside}
        found = await located(page, target("http://a.example/b"), target(), **more)
        assert [one["located"] for one in found.pages] == ["two", "one"]
        assert found.url_after_pages == "http://a.example/"
        assert len(page.page.context.pages) == 1


@pytest.mark.parametrize(
    ("locator", "expected"),
    [
        ("document.querySelector('#none').outerText", ""),
        ("document.querySelector('#none')", "None"),
        ("[...document.querySelectorAll('p')].map(p => p.id)", "['p']"),
        ("document.defaultView.mine", "own"),
        ("document.(", ""),
        ("func:gitlab_get_project_memeber_role(__page__, 'ann')", ""),
    ],
)
async def test_what_locators_give(chromium: Browser, locator: str, expected: str) -> None:
    async with shown(chromium) as page:
        assert (await located(page, target(locator=locator))).pages[0]["located"] == expected


async def test_preparations_end_with_the_first_that_fails(chromium: Browser) -> None:
    set_text = "document.querySelector('#p').textContent = "
    async with shown(chromium) as page:
        steps = [f"{set_text}'first'", "document.none.click()", f"{set_text}'last'"]
        found = await located(page, target(prep_actions=steps))
        assert found.pages[0]["located"] == "first"


async def test_functions_of_a_page_and_of_a_site(chromium: Browser) -> None:
    async def order(call: FunctionCall) -> str:
        return {LATEST_ORDER_URL: "http://a.example/b"}[call.name]

    role = target(locator="func:gitlab_get_project_memeber_role(__page__, 'ann')")
    async with shown(chromium, "http://a.example/members") as page:
        assert (await located(page, role)).pages[0]["located"] == "Owner"
        latest = target("func:shopping_get_latest_order_url()")
        assert (await located(page, latest, ask_site=order)).pages[0]["located"] == "two"
        with pytest.raises(EnvironmentDown, match="not connected"):
            await located(page, latest)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (target(locator="window.mine"), "neither JavaScript on the document"),
        (target() | {"locator": 5}, "no text locator"),
        ({"locator": ""}, "no text url"),
        (target("func:open('/etc/passwd')"), "calls no known function"),
    ],
)
async def test_other_targets_are_refused(chromium: Browser, wanted: dict[str, Any], told: str) -> None:
    async with shown(chromium) as page:
        with pytest.raises(BadData, match=told):
            await located(page, wanted)


@pytest.mark.parametrize("address", ["http://gone.example/", "nonsense"])
async def test_an_address_that_cannot_be_opened_is_named(chromium: Browser, address: str) -> None:
    async with shown(chromium) as page:
        with pytest.raises(EnvironmentDown, match=address):
            await located(page, target(address))


@pytest.mark.parametrize(
    "text",
    [
        "func:",
        "func:len('abc')",
        "func:reddit_get_post_url()",
        "func:reddit_get_post_url(url='x')",
        "func:reddit_get_post_url(__import__('os'))",
        "func:shopping_get_latest_order_url().strip()",
        "func:(lambda: 1)()",
        "func:" + "(" * 400,
    ],
)
def test_no_other_function_can_be_named(text: str) -> None:
    with pytest.raises(BadData, match="calls no known function"):
        parse_call(text)


@settings(max_examples=examples(300))
@given(st.text(max_size=40))
def test_any_text_is_a_listed_call_or_refused(text: str) -> None:
    try:
        call = parse_call(f"func:{text}")
    except BadData:
        return
    assert call.name in text


def test_a_listed_call_is_read() -> None:
    call = parse_call("func:reddit_get_post_url('__last_url__')")
    assert call == FunctionCall("reddit_get_post_url", ("__last_url__",))
