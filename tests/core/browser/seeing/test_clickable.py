"""What a person can click is a node, says why, and stays out of what promises to be Chromium's tree."""

from __future__ import annotations

import json
import re

import pytest

from tests.core.browser.readings import BOTH, read
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.seeing import listeners
from webbench.core.browser.seeing.snapshot import PageReading, Snapshotter
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.renderings import render

pytestmark = pytest.mark.browser

PAGE = """<title>t</title><style>
.hand { cursor: pointer } i { display: inline-block; width: 16px; height: 16px }</style>
<div id="plain">only text</div>
<a href="/somewhere">link</a> <button>press</button> <button class="fa fa-pen"></button>
<i id="bin" class="fa fa-trash"></i>
<i id="veiled" class="icon-pen" aria-hidden="true"></i>
<span id="hand" class="hand">edit this</span>
<p id="inert" inert><span class="hand">not now</span></p>
<p id="through" class="hand" style="pointer-events: none">nothing</p>
<svg id="drawing" width="200" height="100">
  <rect id="square" x="5" y="5" width="40" height="40" fill="red"/>
  <circle id="circle" cx="90" cy="50" r="20" fill="#00f"/>
</svg>
<button aria-label="in a button">
  <svg width="100" height="60"><path d="M0 0 L50 50"/><path d="M9 0 L5 5"/></svg></button>
<div id="stop" tabindex="0">stop</div>
<div id="root"><em>framework</em></div>
<label id="label"><input type="checkbox"
  style="opacity: 0; position: absolute"> custom</label>
<canvas id="canvas" width="60" height="60"><button id="cell">cell</button></canvas>
<img usemap="#map" width="100" height="50" alt="a map"
  src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"><map name="map">
  <area id="area" shape="rect" coords="10,10,40,30" href="/area" alt="a place">
  <area id="pressed" coords="50,10,70,30" alt="pressed"><area coords="80,10,90,30"></map>
<x-wrapper id="wrapper"><span id="off" class="hand">off</span><b role="button" id="idle">idle</b></x-wrapper>
<script>
  wrapper.attachShadow({ mode: "closed" }).innerHTML = "<p aria-disabled=true><slot></slot></p>";
  const hears = (id, kind) => document.getElementById(id).addEventListener(kind, () => 0);
  for (const id of ["bin", "veiled", "drawing", "root", "pressed"]) hears(id, "click");
  for (let kind = 0; kind < 30; kind += 1) hears("root", "kind" + kind);
</script>"""


def by_html_id(reading: PageReading) -> dict[str, AccessibilityNode]:
    return {node.attributes["id"]: node for node in reading.nodes if "id" in node.attributes}


@BOTH
async def test_what_can_be_clicked_says_why(page: PlaywrightPage, way: str) -> None:
    reading = await read(page, PAGE, way)
    found = by_html_id(reading)
    why = {name: node.clickable for name, node in found.items()}
    assert why == {
        "bin": "listener",
        "veiled": "listener",
        "hand": "cursor",
        "drawing": "listener",
        "square": "shape",
        "circle": "shape",
        "stop": "focus",
        "label": "label",
        "area": "href",
        "pressed": "role",
        "cell": "",
        "idle": "",
    }
    assert {
        node.clickable
        for node in reading.nodes
        if node.role in ("link", "button") and node.name not in ("cell", "idle")
    } == {
        "href",
        "role",
    }
    assert all(node.interactive == (node.clickable != "") for node in reading.nodes)
    looks = {name: node.name or node.looks for name, node in found.items()}
    assert looks["bin"] == "trash"
    assert looks["veiled"] == "pen"
    assert looks["hand"] == "edit this"
    assert looks["square"] == "red square"
    assert looks["circle"] == "blue circle"
    assert {name for name, node in found.items() if node.added} == {"veiled", "square", "circle", "label"}


@BOTH
async def test_an_area_lies_where_its_image_shows_it(page: PlaywrightPage, way: str) -> None:
    reading = await read(page, PAGE, way)
    image = next(node for node in reading.nodes if node.name == "a map")
    area = by_html_id(reading)["area"]
    assert image.box is not None
    assert area.box is not None
    assert (area.role, area.name, area.depth) == ("link", "a place", image.depth + 1)
    assert (area.box.x - image.box.x, area.box.y - image.box.y) == pytest.approx((10, 10), abs=0.2)
    assert (area.box.width, area.box.height) == (30, 20)


async def test_both_ways_find_the_same(page: PlaywrightPage) -> None:
    snapshotter = Snapshotter()
    script = await read(page, PAGE, "script", snapshotter)
    cdp = await read(page, "", "cdp", snapshotter)
    told = [
        [
            (node.id, node.role, node.name, node.clickable, node.added, node.looks, node.depth)
            for node in one.nodes
        ]
        for one in (script, cdp)
    ]
    assert told[0] == told[1]


async def test_a_listener_that_comes_or_goes_is_told(page: PlaywrightPage) -> None:
    snapshotter = Snapshotter()
    await read(page, "<span id='one'>one</span><script>heard = () => 0</script>", "script", snapshotter)
    await page.page.evaluate("document.getElementById('one').addEventListener('click', heard)")
    assert by_html_id(await read(page, snapshotter=snapshotter))["one"].clickable == "listener"
    await page.page.evaluate("document.getElementById('one').removeEventListener('click', heard)")
    assert "one" not in by_html_id(await read(page, snapshotter=snapshotter))


async def test_of_very_many_listeners_some_are_told_with_each_reading(
    page: PlaywrightPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listeners, "MOST_AT_ONCE", 2)
    spans = "".join(f"<span id=s{at}>{at}</span>" for at in range(3))
    html = (
        f"{spans}<script>for (const one of document.querySelectorAll('span')) one.onclick = () => 0</script>"
    )
    snapshotter = Snapshotter()
    assert set(by_html_id(await read(page, html, snapshotter=snapshotter))) == {"s0", "s1"}
    assert set(by_html_id(await read(page, snapshotter=snapshotter))) == {"s0", "s1", "s2"}


@BOTH
async def test_published_formats_stay_the_tree_and_ours_have_a_line_for_all(
    page: PlaywrightPage, way: str
) -> None:
    reading = await read(page, PAGE, way)
    seen = Observation(url=reading.url, title=reading.title, nodes=reading.nodes, viewport=reading.viewport)
    added = [node for node in reading.nodes if node.added]
    acted_on = [node for node in reading.nodes if node.interactive]
    for published_format in ("webarena", "browsergym"):
        published = render(seen, published_format)
        assert not [node for node in added if f"[{node.id}]" in published]
        whole = render(seen, f"{published_format}-acted-on")
        assert [node.id for node in acted_on if f"[{node.id}]" not in whole] == []
        assert "red square" in whole
        assert re.search(r"button '[a-z ]*pen'", whole)
    told = {node["id"]: node for node in json.loads(render(seen, "json"))["nodes"]}
    assert all(told[node.id]["clickable"] == node.clickable for node in acted_on)


async def test_what_is_read_is_of_our_own_world(page: PlaywrightPage) -> None:
    """Elements as the page's scripts have them would answer with the page's own functions."""
    items = "".join(f"<li id='i{number}'><span>item {number}</span></li>" for number in range(50))
    snapshotter = Snapshotter()
    hears = "for (const one of document.querySelectorAll('*')) one.addEventListener('click', () => 0)"
    reading = await read(page, f"<ul>{items}</ul><script>{hears}</script>", "script", snapshotter)
    world = await snapshotter.worlds.of(page)
    ids = [node.id for node in reading.nodes]
    foreign = f"{ids}.filter((id) => !(snapshot.node(id) instanceof Node))"
    assert await snapshotter.worlds.evaluate(world, foreign) == []
