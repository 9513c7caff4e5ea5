"""What can't be done is refused with the same words, whatever drives the browser."""

from __future__ import annotations

import asyncio

import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, field, opened
from webbench.core.action.action import (
    Check,
    Click,
    ClickAt,
    Drag,
    ElementRef,
    FocusTab,
    Forward,
    Goto,
    Hover,
    Press,
    Select,
    Type,
    Upload,
)
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown

PAGE = """<!doctype html><title>t</title><style>body { margin: 0 } #cover { position: fixed; inset: 0 0 80% 0;
  background: #eee } main { margin-top: 40vh } .out { position: absolute; left: -4000px }</style>
<button id=covered>Buy</button><div id=cover>We use cookies</div>
<main><button id=dead onclick="this.remove()">Gone soon</button> <button id=no disabled>Not yet</button>
<input name=no disabled value=x> <input name=fixed readonly value=x> <button class=out id=out>Outside</button>
<select name=s><option>small</select> <p hidden><button id=hidden>Hidden</button></p>
<input type=file name=f> <p id=text>text</p> <input name=q></main>"""

REFUSED = (
    (Click(target=css("#covered")), "is covered by div#cover"),
    (Hover(target=css("#covered")), "is covered by div#cover"),
    (Drag(source=css("#text"), target=css("#covered")), "is covered by div#cover"),
    (Click(target=css("#no")), "is disabled"),
    (Type(target=field("no"), text="y"), "is disabled"),
    (Type(target=field("fixed"), text="y"), "is read-only"),
    (Type(target=css("#text"), text="y"), "takes no text"),
    (Click(target=css("#hidden")), "hidden"),
    (Click(target=css("#out")), "can't be scrolled into view"),
    (Click(target=css("#nowhere")), "#nowhere"),
    (Click(target=ElementRef(id=9999)), "no element [9999] on this page"),
    (Check(target=css("#text")), "can't be checked"),
    (Select(target=field("s"), options=("huge",)), "has no option 'huge'"),
    (Upload(target=field("f"), files=("x",)), "no folder for uploads"),
    (Press(keys="NoSuchKey"), "there is no key 'NoSuchKey'"),
    (ClickAt(x=5000, y=5), "5000"),
    (FocusTab(index=3), "there is no tab 3"),
    (Forward(), "no page to go forward to"),
    (Goto(url="http://127.0.0.1:9/"), "net::ERR_UNSAFE_PORT"),
)


async def test_same_refusals(environment: BrowserEnvironment, other: BrowserEnvironment, serve: Site) -> None:
    expected, found = [await _refusals(one, serve(PAGE)) for one in (environment, other)]
    assert found == expected
    for error, (action, part) in zip(found[1:], REFUSED, strict=True):
        assert part in error, action


async def _refusals(world: BrowserEnvironment, url: str) -> list[str]:
    """The dead element's error, then those of `REFUSED`."""
    await world.reset(EnvironmentSetup(start_urls=(url,)))
    nodes = (await world.observe()).nodes
    dead = ElementRef(id=next(node.id for node in nodes if node.name == "Gone soon"))
    assert (await world.act(Click(target=dead))).ok
    results = [await world.act(action) for action in (Click(target=dead), *(one for one, _ in REFUSED))]
    assert [result.action for result in results if result.ok] == []
    assert "is no longer on the page" in results[0].error
    return [result.error for result in results]


async def test_a_question_that_the_order_to_stop_a_script_has_met_says_so(
    driven: BrowserEnvironment, serve: Site
) -> None:
    await opened(driven, serve(PAGE))
    tabs = driven._tabs
    assert tabs is not None
    assert tabs.active is not None
    session = tabs.active.page.session
    question = asyncio.ensure_future(driven.probe("() => { for (;;); }"))
    while not question.done():
        await session.send("Runtime.terminateExecution")
        await asyncio.wait([question], timeout=0.05)
    with pytest.raises(EnvironmentDown, match="failed: the page's script was stopped meanwhile"):
        await question
