"""Places, tabs, dialogs and files: every action has the same effect, whatever drives the browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, done, field, opened
from tests.core.browser.conformance.conftest import ways
from webbench.core.action.action import (
    AnswerDialog,
    Back,
    Click,
    CloseTab,
    FocusTab,
    Forward,
    Goto,
    NewTab,
    Noop,
    Reload,
    Submit,
    Type,
)
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import refuse_all


@pytest.fixture(params=ways("playwright", "selenium"))
def way(request: pytest.FixtureRequest) -> str:
    """Whose mouse and keyboard act makes little difference here."""
    return str(request.param)


async def test_places_tabs_and_forms(world: BrowserEnvironment, serve: Site) -> None:
    serve("<title>done</title>", "/done")
    serve("<title>new</title>", "/new")
    one = serve(
        "<title>one</title><a href=/new target=_blank>open</a><form action=/done><input name=q></form>"
    )
    await opened(world, one)
    await done(world, Type(target=field("q"), text="x", enter=True))
    assert (await world.observe()).url == f"{serve.url}done?q=x"
    for action, title in ((Back(), "one"), (Forward(), "done"), (Reload(), "done"), (Goto(url=one), "one")):
        await done(world, action)
        assert (await world.observe()).title == title
    await done(world, Submit(target=field("q")))
    assert (await world.observe()).url == f"{serve.url}done?q="
    await done(world, Back())
    await done(world, Click(target=css("a")))
    await done(world, NewTab(url=f"{serve.url}done"))
    assert [(tab.title, tab.active) for tab in (await world.observe()).tabs] == [
        *(("one", False), ("new", False), ("done", True))
    ]
    await done(world, FocusTab(index=0))
    await done(world, CloseTab(index=1))
    assert [(tab.title, tab.active) for tab in (await world.observe()).tabs] == [
        ("one", True),
        ("done", False),
    ]


async def test_dialogs(world: BrowserEnvironment, serve: Site) -> None:
    html = """<title>t</title><button onclick="document.title = prompt('Name?', 'Ada') ?? 'none'">p</button>
      <a onclick="document.title = confirm('Sure?')">c</a>"""
    await opened(world, serve(html))
    for selector, answer, title in (
        ("button", AnswerDialog(text="Eve"), "Eve"),
        ("button", AnswerDialog(accept=False), "none"),
        ("a", AnswerDialog(), "true"),
    ):
        await done(world, Click(target=css(selector)))
        dialog = (await world.observe()).dialog
        assert dialog is not None
        assert (dialog.kind, dialog.default) == (
            ("prompt", "Ada") if selector == "button" else ("confirm", "")
        )
        await done(world, answer)
        assert (await world.observe()).title == title


async def test_downloads_and_messages(world: BrowserEnvironment, serve: Site, tmp_path: Path) -> None:
    headers = {"content-type": "text/csv", "content-disposition": 'attachment; filename="data.csv"'}
    serve((200, headers, b"a,b\n"), "/file")
    html = "<a href=/file>get</a><script>console.warn('mind'); fetch('/absent')</script>"
    folder = tmp_path / "downloads"
    await opened(world, serve(html), downloads=folder)
    told = [(message.kind, message.level, message.text) for message in (await world.observe()).messages]
    assert ("console", "warning", "mind") in told
    assert [one for one in told if one[0] == "network" and one[2].startswith("404")]
    await done(world, Click(target=css("a")))
    async with asyncio.timeout(10):
        while not (folder / "data.csv").is_file():
            await done(world, Noop(seconds=0.05))
    assert (folder / "data.csv").read_bytes() == b"a,b\n"


async def test_nothing_leaves_but_by_the_filter(world: BrowserEnvironment, serve: Site) -> None:
    far, javascript = serve.other_origin, {"content-type": "text/javascript"}
    serve("away", "/away")
    serve((302, {"location": f"{far}redirected"}, b""), "/hop")
    script = f"fetch('{far}worker').catch(() => 0).finally(() => postMessage('over'))"
    serve((200, javascript, script.encode()), "/worker.js")
    script = f"oninstall = (event) => event.waitUntil(fetch('{far}service').catch(() => 0))"
    serve((200, javascript, script.encode()), "/service.js")
    html = f"""<title>t</title><a href={far}away>leave</a>
      <img src={far}picture><iframe src={far}frame></iframe>
      <script>
        const over = [fetch('{far}fetched'), fetch('/hop')].map((one) => one.catch(() => 0));
        over.push(navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready));
        over.push(new Promise((done) => {{ new Worker('/worker.js').onmessage = done }}));
        Promise.all(over).then(() => {{ document.title = 'over' }});
      </script>"""
    await opened(world, serve(html), request_filter=refuse_all, passthrough=(serve.url,))
    async with asyncio.timeout(10):
        while (await world.observe()).title != "over":
            await done(world, Noop(seconds=0.05))
    result = await world.act(Click(target=css("a")))
    observation = await world.observe()
    assert (observation.title, observation.url) == ("over", serve.url), result.error
    own = ("/", "/hop", "/worker.js", "/service.js", "/favicon.ico")
    assert [path for path in serve.asked if path not in own] == []
