"""Tabs, popups and downloads."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Download, Page

from tests.conftest import Site
from webbench.core.action.action import Click, CloseTab, ElementRef, FocusTab, Goto, NewTab, Noop, Search
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.playwright.context import PlaywrightContext
from webbench.core.environment import EnvironmentSetup
from webbench.core.observation import Observation


def tabs(observation: Observation) -> list[tuple[str, bool]]:
    return [(tab.title, tab.active) for tab in observation.tabs]


async def test_start_urls_open_as_tabs_and_the_first_is_active(
    environment: BrowserEnvironment, serve: Site
) -> None:
    urls = tuple(serve(f"<title>{name}</title>", f"/{name}") for name in ("a", "b", "c"))
    await environment.reset(EnvironmentSetup(start_urls=urls))
    assert tabs(await environment.observe()) == [("a", True), ("b", False), ("c", False)]


async def test_open_focus_close(environment: BrowserEnvironment, serve: Site) -> None:
    await environment.reset(EnvironmentSetup(start_urls=(serve("<title>a</title>"),)))
    assert (await environment.act(NewTab(url=serve("<title>b</title>", "/b")))).ok
    assert tabs(await environment.observe()) == [("a", False), ("b", True)]
    assert (await environment.act(FocusTab(index=0))).ok
    assert tabs(await environment.observe()) == [("a", True), ("b", False)]
    result = await environment.act(FocusTab(index=7))
    assert result.error == "there is no tab 7 (tabs are numbered 0 to 1)"
    assert (await environment.act(CloseTab())).ok
    assert tabs(await environment.observe()) == [("b", True)]


async def test_a_search_asks_the_engine_of_the_setup(environment: BrowserEnvironment, serve: Site) -> None:
    engine = serve("<title>found</title>", "/find")
    await environment.reset(EnvironmentSetup(start_urls=(serve("a"),), search=f"{engine}?q={{query}}"))
    assert (await environment.act(Search(query=" fares & times [2025] "))).ok
    assert (await environment.observe()).url == f"{engine}?q=fares+%26+times+%5B2025%5D"
    assert (await environment.act(Search(query=" "))).error.startswith("there is nothing to search for")
    await environment.reset(EnvironmentSetup(start_urls=(serve("a"),)))
    assert (await environment.act(Search(query="fares"))).error.startswith("this task names no search engine")


async def test_popups_become_tabs(environment: BrowserEnvironment, serve: Site) -> None:
    serve("<title>new</title><button onclick='window.close()'>Close</button>", "/new")
    html = """<title>old</title><a id=a href=/new target=_blank rel=noopener>a</a>
      <button id=b onclick="window.open('/new')">b</button>"""
    await environment.reset(EnvironmentSetup(start_urls=(serve(html),)))
    for selector in ("#a", "#b"):
        assert (await environment.act(Click(target=ElementRef(selector=selector)))).ok
        observation = await environment.observe()
        assert tabs(observation) == [("old", False), ("new", True)]
        assert "popup" in [message.kind for message in observation.messages]
        assert (await environment.act(CloseTab())).ok
    assert (await environment.act(Click(target=ElementRef(selector="#a"), modifiers=("ctrl",)))).ok
    assert len((await environment.observe()).tabs) == 2


async def test_a_page_cannot_open_tabs_without_end(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbench.core.browser.tabs.MOST_TABS", 3)
    # Its page is made slow by keeping a processor busy, which is not what is looked at here.
    monkeypatch.setattr("webbench.core.browser.network.flood.SLOWNESS", 2)
    serve("<title>new</title>", "/new")
    html = (
        "<title>old</title><button onclick='for (let i = 0; i < 6; i++) window.open(`/new?${i}`)'>b</button>"
    )
    await environment.reset(EnvironmentSetup(start_urls=(serve(html),)))
    assert (await environment.act(Click(target=ElementRef(selector="button")))).ok
    told: list[str] = []
    async with asyncio.timeout(20):
        while len(told) < 4 or len(pages(environment)) > 3:
            observation = await environment.observe()
            told += [message.text for message in observation.messages if message.level == "warning"]
    assert told == ["a tab beyond 3 was closed at once"] * 4
    assert len((await environment.observe()).tabs) == 3
    for _ in range(2):
        assert (await environment.act(NewTab())).ok, "a page's tab gives way to the actor's"
        assert "a tab of a page gave way to a new one" in [
            m.text for m in (await environment.observe()).messages
        ]
    result = await environment.act(NewTab())
    assert result.error == "3 tabs are open, and there may be no more (close one first)"
    assert (await environment.act(CloseTab())).ok
    assert (await environment.act(NewTab())).ok


def pages(environment: BrowserEnvironment) -> list[Page]:
    assert environment._tabs is not None
    context = environment._tabs.context
    assert isinstance(context, PlaywrightContext)
    return context.context.pages


async def test_a_page_that_closes_itself(environment: BrowserEnvironment, serve: Site) -> None:
    serve("<title>new</title><button onclick='window.close()'>Close</button>", "/new")
    await environment.reset(
        EnvironmentSetup(
            start_urls=(serve("<title>old</title><button onclick=\"window.open('/new')\">b</button>"),)
        )
    )
    await environment.act(Click(target=ElementRef(selector="button")))
    await environment.act(Click(target=ElementRef(selector="button")))
    assert tabs(await environment.observe()) == [("old", True)]


async def test_the_last_tab_closed(environment: BrowserEnvironment, serve: Site) -> None:
    url = serve("<title>only</title>")
    await environment.reset(EnvironmentSetup(start_urls=(url,)))
    await environment.act(CloseTab())
    observation = await environment.observe()
    assert observation.condition == "closed"
    assert observation.problem
    result = await environment.act(Click(target=ElementRef(selector="p")))
    assert not result.ok
    assert (await environment.act(Goto(url=url))).ok
    assert tabs(await environment.observe()) == [("only", True)]


async def test_downloads_are_kept_under_safe_names(
    environment: BrowserEnvironment, serve: Site, tmp_path: Path
) -> None:
    headers = {"content-type": "text/csv", "content-disposition": 'attachment; filename="../../data.csv"'}
    serve((200, headers, b"a,b\n"), "/file")
    folder = tmp_path / "downloads"
    await environment.reset(EnvironmentSetup(start_urls=(serve("<a href=/file>get</a>"),), downloads=folder))
    kept: list[str] = []
    for _ in range(2):
        assert (await environment.act(Click(target=ElementRef(selector="a")))).ok
    for _ in range(50):
        kept += [m.text for m in (await environment.observe()).messages if m.kind == "download"]
        if len(kept) == 2:
            break
        await environment.act(Noop(seconds=0.1))
    files = sorted(path.name for path in folder.iterdir())
    assert len(files) == 2
    assert all(name.endswith(("data.csv", "data-2.csv")) for name in files)
    assert [path.read_bytes() for path in folder.iterdir()] == [b"a,b\n", b"a,b\n"]
    assert [path.name for path in tmp_path.iterdir()] == ["downloads"]


async def test_a_download_has_its_name_only_when_it_is_whole(
    environment: BrowserEnvironment, serve: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several of one name that end at once each keep their own file; one that breaks off leaves none."""
    seen: list[list[str]] = []
    save = Download.save_as

    async def watched(download: Download, path: str | Path) -> None:
        await save(download, path)
        seen.append([entry.name for entry in folder.iterdir() if not entry.name.startswith(".")])
        await arrived.wait()
        if "broken" in download.url:
            raise OSError("No space left on device")

    monkeypatch.setattr(Download, "save_as", watched)
    headers = {"content-type": "text/csv", "content-disposition": 'attachment; filename="data.csv"'}
    for name in ("a", "b", "broken"):
        serve((200, headers, name.encode()), f"/{name}")
    folder = tmp_path / "downloads"
    arrived = asyncio.Event()
    page = "<a id=a href=/a>a</a> <a id=b href=/b>b</a> <a id=c href=/broken>c</a>"
    await environment.reset(EnvironmentSetup(start_urls=(serve(page),), downloads=folder))
    for selector in ("#a", "#b", "#c"):
        assert (await environment.act(Click(target=ElementRef(selector=selector)))).ok
    while len(seen) < 3:
        await asyncio.sleep(0.02)
    arrived.set()
    told: list[str] = []
    while len(told) < 3:
        told += [m.text for m in (await environment.observe()).messages if m.kind == "download"]
    assert seen == [[], [], []]
    assert {path.name: path.read_text() for path in folder.iterdir()} in (
        {"data.csv": "a", "data-2.csv": "b"},
        {"data.csv": "b", "data-2.csv": "a"},
    )
    assert "data.csv could not be saved: No space left on device" in told
