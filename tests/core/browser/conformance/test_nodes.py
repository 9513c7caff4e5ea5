"""The same page gives the same nodes, whatever drives the browser."""

from __future__ import annotations

import time

import msgspec
import pytest

from tests.conftest import Answer, Site
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup
from webbench.core.observation import AccessibilityNode, Box, Observation, ObservationOptions

PAGE = """<!doctype html><html lang=en><title>All kinds</title>
<style>
  body { font: 16px sans-serif; margin: 8px } .far { margin-top: 3000px } #stuck { position: sticky; top: 0 }
  .gone { display: none } .out { position: absolute; left: -5000px }
</style>
<header id=stuck><h1>All kinds</h1><nav><a href=#far>Far down</a> <a href=/other>Elsewhere</a></nav></header>
<form><label>Name <input name=who value=Ada></label> <label for=note>Note</label>
  <textarea id=note>two
lines</textarea> <input type=checkbox name=ok checked aria-label=Agreed> <input type=radio name=r value=1> One
  <select name=size aria-label=Size><option>small<option selected>large</select>
  <select multiple aria-label=Many><option>a<option selected>b<option>c</select>
  <input type=range aria-label=Range min=0 max=10 value=3> <input type=date aria-label=Day value=2024-01-31>
  <input type=password aria-label=Secret value=hidden> <input type=file aria-label=File>
  <button disabled>Not yet</button> <button aria-expanded=false aria-haspopup=menu>Menu</button></form>
<table><caption>Prices</caption><tr><th>Thing<th>Price<tr><td>Lamp<td>5</table>
<ul><li>first<li>second <b>bold</b></ul><p class=gone>unseen</p><p class=out>outside</p>
<div role=slider tabindex=0 aria-valuenow=5 aria-valuemin=0 aria-valuemax=9 aria-label=Drawn>|</div>
<div id=open></div><div id=closed></div>
<img alt=Dot src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" width=20 height=20>
<details><summary>More</summary><p>inside</p></details>
<iframe src=/near title=Near width=300 height=80></iframe>
<iframe src=%s title=Far width=300 height=80></iframe>
<p class=far id=far>far below</p>
<script>
  const shadow = (mode) => document.querySelector(`#${mode}`).attachShadow({ mode });
  shadow('open').innerHTML = '<button>in the open</button>';
  shadow('closed').innerHTML = '<button>in the dark</button>';
</script>"""
INNER = "<style>body { font: 16px sans-serif }</style><p>inner %s <button>inside</button> <input value=v></p>"
WHOLE, SHOWN = ObservationOptions(), ObservationOptions(viewport_only=True, prefer="cdp")


@pytest.fixture
def page(serve: Site) -> str:
    serve(INNER % "near", "/near")
    serve(INNER % "far", "/far")
    return serve(PAGE % f"{serve.other_origin}far")


@pytest.mark.parametrize("options", [WHOLE, pytest.param(SHOWN, marks=pytest.mark.thorough)])
async def test_same_nodes(
    environment: BrowserEnvironment, other: BrowserEnvironment, page: str, options: ObservationOptions
) -> None:
    expected, found = [await _seen(one, page, options) for one in (environment, other)]
    assert [_apart_from_place(node) for node in found.nodes] == [
        _apart_from_place(node) for node in expected.nodes
    ]
    differing = [
        (mine, theirs)
        for mine, theirs in zip(found.nodes, expected.nodes, strict=True)
        if not _alike(mine.box, theirs.box)
    ]
    assert differing == []
    assert (found.viewport, found.title, found.frames) == (expected.viewport, expected.title, expected.frames)
    assert (found.source, found.condition) == (options.prefer, "ok")
    assert {"in the open", "in the dark"} <= {node.name for node in found.nodes}
    assert any("inner far" in node.name for node in found.nodes)


async def _seen(world: BrowserEnvironment, page: str, options: ObservationOptions) -> Observation:
    await world.reset(EnvironmentSetup(start_urls=(page,)))
    return await world.observe(options)


def _apart_from_place(node: AccessibilityNode) -> AccessibilityNode:
    return msgspec.structs.replace(node, box=None)


def _alike(one: Box | None, other: Box | None) -> bool:
    """The same to a pixel."""
    if one is None or other is None:
        return one is other
    pairs = zip(msgspec.structs.astuple(one), msgspec.structs.astuple(other), strict=True)
    return all(abs(mine - theirs) <= 1 for mine, theirs in pairs)


async def test_sheets_of_other_hosts_are_known_in_frames_of_other_processes(
    world: BrowserEnvironment, serve: Site
) -> None:
    def sheet(text: str) -> Answer:
        return 200, {"content-type": "text/css"}, text.encode()

    texts = ["@import '/more.css'; .a::before { content: 'from there' }", ".b::after { content: 'and more' }"]
    serve(sheet(texts[0]), "/other.css")
    serve(sheet(texts[1]), "/more.css")
    address = f"{serve.url}other.css"
    far = f"<link rel=stylesheet href={address}><p class=a>text</p><p class=b>less</p>"

    def after_a_while(_: str) -> Answer:
        """Playwright is asked for its news once there is a frame, whose own page comes from farther away."""
        time.sleep(0.6)
        return 200, {"content-type": "text/html"}, far.encode()

    serve(after_a_while, "/far")
    await world.reset(EnvironmentSetup(start_urls=(serve(f"<iframe src={serve.other_origin}far></iframe>"),)))
    names = [node.name for node in (await world.observe()).nodes if node.role == "StaticText"]
    assert names == ["from there", "text", "less", "and more"]
    assert world._tabs is not None
    assert world._tabs.active is not None
    (frame,) = await world._tabs.active.page.frames()
    assert frame.sheets is not None
    assert sorted(await frame.sheets.texts([address]) or ()) == sorted(texts)
    assert await frame.sheets.texts(["http://elsewhere.example/"]) is None
    assert sorted(path for path in serve.asked if path.endswith(".css")) == ["/more.css", "/other.css"]
