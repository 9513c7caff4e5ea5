"""A page that was taken away is told from one that the actor left, by either driver."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from tests.conftest import Site
from webbench.core.action.action import Action, Click, CloseTab, ElementRef, Goto, NewTab
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.second_page import BrowserSecondPage
from webbench.core.browser.tabs import LiveTab
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown


async def started(world: BrowserEnvironment, *urls: str) -> LiveTab:
    await world.reset(EnvironmentSetup(start_urls=urls))
    assert (world.loss, await world.look_for_loss()) == ("", "")
    return active(world)


def active(world: BrowserEnvironment) -> LiveTab:
    assert world._tabs is not None
    assert world._tabs.active is not None
    return world._tabs.active


async def act(world: BrowserEnvironment, action: Action) -> None:
    result = await world.act(action)
    assert result.ok, result.error
    await world.observe()


async def done(work: Coroutine[Any, Any, Any], event: asyncio.Event) -> None:
    """Send what may never be answered, and wait until the driver knows what came of it."""
    sent = asyncio.create_task(work)
    await event.wait()
    sent.cancel()
    await asyncio.gather(sent, return_exceptions=True)


async def crash(tab: LiveTab) -> None:
    crashed = asyncio.Event()
    tab.page.on_crash(crashed.set)
    await done(tab.page.session.send("Page.crash"), crashed)


async def close_from_outside(world: BrowserEnvironment, tab: LiveTab) -> None:
    assert world._tabs is not None
    closed = {"targetId": tab.page.frame_id}
    await done(world._tabs.context.session.send("Target.closeTarget", closed), tab.left)


async def test_a_crash_is_a_loss_until_another_document_stands_in_its_place(
    driven: BrowserEnvironment, serve: Site
) -> None:
    url = serve("<title>shop</title>")
    tab = await started(driven, url)
    await crash(tab)
    assert driven.loss == await driven.look_for_loss() == f"{url} crashed"
    await act(driven, NewTab())
    assert driven.loss == f"{url} crashed", "an empty tab makes up for nothing"
    assert not (await driven.act(Goto(url="http://127.0.0.1:9/"))).ok
    assert driven.loss, "nor does a page of the browser's own that tells of a failure"
    await act(driven, Goto(url=serve("<title>again</title>", "/again")))
    assert (driven.loss, await driven.look_for_loss()) == ("", "")


async def test_a_renderer_that_dies_unnoticed_is_found_by_asking(
    driven: BrowserEnvironment, serve: Site
) -> None:
    tab = await started(driven, serve("<title>shop</title>"))
    sent = asyncio.create_task(tab.page.session.send("Page.crash"))
    await asyncio.sleep(0)
    assert not tab.crashed, "nobody has been told yet"
    assert (await driven.look_for_loss()) != ""
    sent.cancel()
    await asyncio.gather(sent, return_exceptions=True)


async def test_an_action_ends_as_soon_as_its_page_crashes(driven: BrowserEnvironment, serve: Site) -> None:
    """The renderer is gone before the action has its answer: nobody waits until its time is over."""
    page = "<title>shop</title><button onclick='while (true) ;'>buy</button>"
    tab = await started(driven, serve(page))
    crashed = asyncio.Event()
    tab.page.on_crash(crashed.set)
    never = {"expression": "new Promise(() => {})", "awaitPromise": True}
    asked = asyncio.create_task(tab.page.session.send("Runtime.evaluate", never))
    await asyncio.sleep(0)
    acting = asyncio.create_task(driven.act(Click(target=ElementRef(role="button", name="buy"))))
    await done(tab.page.session.send("Page.crash"), crashed)
    with pytest.raises(EnvironmentDown, match="the page is gone"):
        await asyncio.wait_for(asked, 1)
    result = await asyncio.wait_for(acting, 2)
    assert not result.ok
    assert (await driven.observe()).condition == "crashed"


async def test_a_tab_that_the_actor_closed_is_no_loss(driven: BrowserEnvironment, serve: Site) -> None:
    await started(driven, serve("<title>shop</title>"))
    await act(driven, CloseTab())
    assert (driven.loss, await driven.look_for_loss()) == ("", "")
    await act(driven, NewTab())
    assert driven.loss == "", "the blank page is the actor's own doing"


async def test_a_tab_that_was_closed_from_outside_is_lost(driven: BrowserEnvironment, serve: Site) -> None:
    url = serve("<title>shop</title>")
    tab = await started(driven, url)
    await close_from_outside(driven, tab)
    assert driven.loss == await driven.look_for_loss() == f"{url} was closed from outside"


async def test_the_page_behind_a_closed_tab_is_scored_once_the_actor_has_acted(
    driven: BrowserEnvironment, serve: Site
) -> None:
    """It may be a window of the site's that closed itself: the actor can go on, but hasn't seen it yet."""
    first, second = serve("<title>shop</title>"), serve("<title>size chart</title>", "/sizes")
    await started(driven, first)
    await act(driven, NewTab(url=second))
    await close_from_outside(driven, active(driven))
    assert driven.loss == ""
    assert await driven.look_for_loss() == f"{second} was closed from outside"
    await act(driven, Goto(url=first))
    assert await driven.look_for_loss() == ""


async def test_a_page_beside_the_actors_that_crashes_is_a_loss_once(
    driven: BrowserEnvironment, serve: Site
) -> None:
    await started(driven, serve("<title>shop</title>"))
    async with driven.second_page() as page:
        crashed = asyncio.Event()
        assert isinstance(page, BrowserSecondPage)
        page._page.on_crash(crashed.set)
        await done(page._page.session.send("Page.crash"), crashed)
    assert "crashed" in await driven.look_for_loss()
    assert (active(driven).crashed, await driven.look_for_loss()) == (False, "")


async def test_a_frame_of_another_site_that_crashes_takes_the_page_along(
    driven: BrowserEnvironment, serve: Site
) -> None:
    """A part of what is to be scored is gone."""
    serve("<input name=q>", "/form")
    url = serve(f"<title>shop</title><iframe src='{serve.other_origin}form'></iframe>")
    tab = await started(driven, url)
    [frame] = await tab.page.frames()
    crashed = asyncio.Event()
    tab.page.on_crash(crashed.set)
    await done(frame.session.send("Page.crash"), crashed)
    assert driven.loss == await driven.look_for_loss() == f"{url} crashed"
    assert (await driven.observe()).condition == "crashed"
