"""A page with frames, read by both drivers and both ways after each way of coming to it: always the same."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tests.core.browser.sites import Sites, two_sites
from webbench.core.action.action import Action, Back, Click, ElementRef, FocusTab, Goto, NewTab, Reload
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import LaunchOptions, launch
from webbench.core.environment import EnvironmentSetup
from webbench.core.observation import Observation, ObservationOptions

DRIVERS = {"playwright": LaunchOptions(), "selenium": LaunchOptions(driver="selenium")}
INNER = """<title>inner</title><i id="%(name)s-heard"
style="display: inline-block; width: 9px; height: 9px"></i>
<span id="%(name)s-hand" style="cursor: pointer">hand</span> <a id="%(name)s-on" href="/other.html">on</a>
<script>document.getElementById("%(name)s-heard").addEventListener("click", () => 0)</script>"""
OUTER = """<title>outer</title><p id="read">only to be read</p><div id="host"></div>
<i id="heard" style="display: inline-block; width: 9px; height: 9px"></i>
<span id="hand" style="cursor: pointer">hand</span> <button id="button">button</button>
<a id="link" href="/outer.html">link</a>
<iframe src="/near.html"></iframe><iframe src="%(second)s/far.html"></iframe>
<script>document.getElementById("heard").addEventListener("click", () => 0);
const root = document.getElementById("host").attachShadow({ mode: "closed" });
root.innerHTML = '<i id="shade" style="display: inline-block; width: 9px; height: 9px"></i>';
root.firstChild.addEventListener("mousedown", () => 0);</script>"""
OWN = {"heard": "listener", "hand": "cursor", "button": "role", "link": "href", "shade": "listener"}


def _of(name: str) -> dict[str, str]:
    return {f"{name}-heard": "listener", f"{name}-hand": "cursor", f"{name}-on": "href"}


WANTED = OWN | _of("near") | _of("far")
AFTER_FRAMES = OWN | _of("other") | _of("far")


def fill(sites: Sites) -> None:
    """Put the pages on both sites."""
    for name in ("near", "far", "other"):
        sites.pages[f"/{name}.html"] = INNER % {"name": name}
    sites.pages["/outer.html"] = OUTER % {"second": sites.second}
    sites.pages["/again.html"] = sites.pages["/outer.html"]


def told(observation: Observation) -> dict[str, str]:
    """Why each element with an id can be clicked."""
    return {node.attributes["id"]: node.clickable for node in observation.nodes if "id" in node.attributes}


async def _come(world: BrowserEnvironment, sites: Sites) -> AsyncIterator[tuple[str, dict[str, str]]]:
    """Go there in each way; what came of it is wanted each time."""
    await world.reset(EnvironmentSetup(start_urls=(f"{sites.first}/outer.html",)))
    yield "opened", WANTED
    steps: list[tuple[str, Action]] = [
        ("navigated within its site", Goto(url=f"{sites.first}/again.html")),
        ("navigated to another site", Goto(url=f"{sites.second}/outer.html")),
        ("loaded again", Reload()),
        ("gone back", Back()),
    ]
    for words, action in steps:
        await _do(world, action)
        yield words, WANTED
    await _do(world, NewTab(url=f"{sites.first}/outer.html"))
    yield "in another tab", WANTED
    await _do(world, FocusTab(index=0))
    yield "in the first tab again", WANTED
    nodes = (await world.observe()).nodes
    link = next(node.id for node in nodes if node.attributes.get("id") == "near-on")
    await _do(world, Click(target=ElementRef(id=link)))
    yield "with another document in its frame", AFTER_FRAMES


async def _do(world: BrowserEnvironment, action: Action) -> None:
    result = await world.act(action)
    assert result.ok, result.error


async def differences(driver: str) -> list[str]:
    """Every reading that isn't as wanted, in words."""
    found: list[str] = []
    with two_sites() as sites:
        fill(sites)
        async with launch(DRIVERS[driver]) as browser:
            world = browser.environment()
            try:
                async for words, wanted in _come(world, sites):
                    for way in ("script", "cdp"):
                        seen = told(await world.observe(ObservationOptions(prefer=way)))
                        if seen != wanted:
                            odd = sorted(set(seen.items()) ^ set(wanted.items()))
                            found.append(f"{driver}, {way}, {words}: {odd}")
            finally:
                await world.close()
    return found
