"""What is done in the browser's own window, by real mouse and key events, comes out as actions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tests.conftest import Site
from webbench.core.action.action import Action, Check, Click, Select, Type
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.environment import EnvironmentSetup

PAGE = """
<title>Form</title>
<label>Name <input name=who></label>
<label><input type=checkbox name=ok> Agreed</label>
<select name=size aria-label=Size><option>small<option>large</select>
<a href="/second">Go on</a>
<button onclick="document.title='sent'">Send</button>
"""
SECOND = "<title>Second</title><form><input name=q aria-label=Search></form>"


async def taken(environment: BrowserEnvironment, least: int) -> Sequence[Action]:
    found: list[Action] = []
    async with asyncio.timeout(10):
        while len(found) < least:
            found += await environment.done_by_hand()
            await asyncio.sleep(0.05)
    return found


async def test_clicks_texts_and_choices_are_told_also_across_pages(
    environment: BrowserEnvironment, serve: Site
) -> None:
    serve(SECOND, "/second")
    await environment.reset(EnvironmentSetup(start_urls=(serve(PAGE),)))
    assert await environment.done_by_hand() == []
    assert environment._tabs is not None
    assert environment._tabs.active is not None
    tab = environment._tabs.active.page
    assert isinstance(tab, PlaywrightPage)
    page = tab.page
    await page.click("[name=who]")
    await page.keyboard.type("Ada")
    await page.click("text=Agreed")
    await page.focus("select")
    await page.keyboard.press("ArrowDown")
    await page.dblclick("text=Send")
    await page.evaluate("document.querySelector('button').click()")
    await page.click("text=Go on")
    await page.wait_for_url("**/second")
    await page.click("[name=q]")
    await page.keyboard.type("lamp")
    await page.keyboard.press("Enter")

    done = await taken(environment, 6)
    typed, agreed, size, sent, gone, searched = done
    assert isinstance(typed, Type)
    assert (typed.text, typed.enter, typed.target and typed.target.name) == ("Ada", False, "Name")
    assert isinstance(agreed, Check)
    assert (agreed.checked, agreed.target.selector) == (True, 'input[name="ok"]')
    assert isinstance(size, Select)
    assert size.options == ("large",)
    assert isinstance(sent, Click)
    assert (sent.count, sent.target.role, sent.target.name) == (2, "button", "Send")
    assert isinstance(gone, Click)
    assert gone.target.role == "link"
    assert isinstance(searched, Type)
    assert (searched.text, searched.enter) == ("lamp", True)
    assert await environment.done_by_hand() == []
