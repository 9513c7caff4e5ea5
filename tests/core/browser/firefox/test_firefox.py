"""A real Firefox of the system, driven by Playwright: observed as Chromium is, and acted in."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from tests.conftest import Site
from tests.core.browser.acts import css, done, opened, refused, value
from webbench.core.action.action import (
    AnswerDialog,
    Back,
    Click,
    ElementRef,
    Goto,
    NewTab,
    Select,
    Type,
    Upload,
)
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.firefox import worlds_by_handle
from webbench.core.browser.firefox.browser import COMMANDS, find_firefox
from webbench.core.browser.launch import Browser, LaunchOptions, launch
from webbench.core.environment import EnvironmentSetup, NetworkAnswer, NetworkRequest
from webbench.core.errors import EnvironmentDown
from webbench.core.observation import Observation, ScreenshotOptions, Visitor

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not any(map(shutil.which, COMMANDS)), reason="no Firefox here"),
]

PAGE = """<!doctype html><title>form</title><h1>Order</h1><form onsubmit="return false">
<label>Name <input id=name></label> <label>Notes <textarea id=notes></textarea></label>
<select id=kind aria-label=Kind><option>tea<option>coffee</select>
<label><input type=checkbox id=hot> Hot</label> <input type=file id=file aria-label=Bill>
<button id=send onclick="document.title = 'sent'">Send</button></form>
<a href=/next>Next page</a> <button id=ask onclick="alert('sure?')">Ask</button>
<iframe src="/inside" title=Inner></iframe><div role=tab tabindex=0>Tab</div>"""
INSIDE = "<title>in</title><button onclick=\"this.textContent = 'pressed'\">Press</button>"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def firefox() -> AsyncIterator[Browser]:
    """One for all tests of this file."""
    async with launch(LaunchOptions(driver="firefox")) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def world(firefox: Browser) -> AsyncIterator[BrowserEnvironment]:
    environment = firefox.environment()
    yield environment
    await environment.close()


def served(serve: Site) -> str:
    serve(INSIDE, "/inside")
    serve("<title>next</title><p>there</p>", "/next")
    return serve(PAGE, "/form")


def acted_on(observation: Observation) -> list[tuple[str, str, str]]:
    return [(one.role, one.name, one.value or "") for one in observation.nodes if one.interactive]


@pytest.mark.thorough
async def test_what_can_be_acted_on_is_what_chromium_shows(
    world: BrowserEnvironment, environment: BrowserEnvironment, serve: Site
) -> None:
    address = served(serve)
    await opened(world, address)
    await opened(environment, address)
    mine, theirs = acted_on(await world.observe()), acted_on(await environment.observe())
    told = [(role, name.removesuffix(": No file chosen"), held) for role, name, held in theirs]
    told = [(role, name, "" if held == "No file chosen" else held) for role, name, held in told]
    assert mine == told
    assert ("button", "Press", "") in mine
    assert (await world.observe()).viewport.width == 1280
    picture = await world.screenshot(ScreenshotOptions(format="jpeg"))
    assert picture is not None
    assert (picture.width, picture.height) == (1280, 720)


@pytest.mark.thorough
async def test_actions_have_their_effect(world: BrowserEnvironment, serve: Site, tmp_path: Path) -> None:
    (tmp_path / "bill.txt").write_text("9")
    address = served(serve)
    await opened(world, address, uploads=tmp_path)
    await done(world, Type(target=css("#name"), text="Ada"))
    await done(world, Type(target=css("#notes"), text="one\ntwo and more than twelve"))
    await done(world, Select(target=css("#kind"), options=("coffee",)))
    await done(world, Click(target=css("#hot")))
    await done(world, Upload(target=css("#file"), files=("bill.txt",)))
    await done(world, Click(target=css("#send")))
    found = [await value(world, name) for name in ("#name", "#notes", "#kind")]
    assert found == ["Ada", "one\ntwo and more than twelve", "coffee"]
    assert await value(world, "#hot", "checked") is True
    assert await value(world, "#file", "files[0].name") == "bill.txt"
    seen = await world.observe()
    assert seen.title == "sent"
    await done(world, Click(target=css("#ask")))
    dialog = (await world.observe()).dialog
    assert dialog is not None
    assert dialog.message == "sure?"
    await done(world, AnswerDialog())
    await done(world, Click(target=css("a")))
    assert (await world.observe()).title == "next"
    await done(world, Back())
    assert (await world.observe()).url == address
    await done(world, NewTab(url=address.replace("/form", "/next")))
    assert [tab.title for tab in (await world.observe()).tabs] == ["sent", "next"]
    assert "could not be opened" in await refused(world, Goto(url="http://nowhere.invalid/"))


@pytest.mark.thorough
async def test_objects_of_a_long_visit_are_given_back(
    world: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds_by_handle, "MOST_OBJECTS", 12)
    most = 0
    kept = worlds_by_handle.Handles._kept

    def counted(self: worlds_by_handle.Handles, *given: Any) -> str:
        nonlocal most
        name = kept(self, *given)
        most = max(most, len(self._objects), len(self._nodes))
        return name

    monkeypatch.setattr(worlds_by_handle.Handles, "_kept", counted)
    await world.reset(EnvironmentSetup(start_urls=(served(serve),)))
    for number in range(8):
        seen = await world.observe()
        field = next(one for one in seen.nodes if one.role == "textbox")
        assert (await world.act(Type(target=ElementRef(id=field.id), text=str(number)))).ok
    assert 6 < most <= 13


async def test_pages_are_told_the_visitor_that_is_asked_for(world: BrowserEnvironment, serve: Site) -> None:
    setup = EnvironmentSetup(
        start_urls=(served(serve),), locale="de-DE", timezone="Asia/Tokyo", region="Europe/Berlin"
    )
    await world.reset(setup)
    assert await world.visitor() == Visitor(
        locale="de-DE",
        timezone="Asia/Tokyo",
        region="Europe/Berlin",
        position=(52.5, 13.3667),
        system="Linux",
        browser="Firefox",
    )
    await world.reset(msgspec.structs.replace(setup, locale="en-US", timezone="UTC"))
    assert (await world.visitor()).timezone == "UTC"


@pytest.mark.thorough
async def test_a_filter_holds_requests_and_hosts_that_cannot_be_held_are_refused(
    world: BrowserEnvironment, serve: Site
) -> None:
    async def none(_: NetworkRequest) -> NetworkAnswer:
        return NetworkAnswer("abort", reason="not here")

    address = served(serve)
    origin = address.removesuffix("/form")
    await opened(world, address, request_filter=none, passthrough=(origin,))
    assert "not here" in await refused(world, Goto(url="http://elsewhere.test/"))
    with pytest.raises(EnvironmentDown, match="allowed hosts"):
        await opened(world, address, only_hosts=("shop.test",))


def test_a_named_firefox_is_taken_and_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_firefox(Path("/opt/firefox")) == Path("/opt/firefox")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(EnvironmentDown, match="there is no Firefox"):
        find_firefox()
