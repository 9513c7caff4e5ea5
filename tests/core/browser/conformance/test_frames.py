"""Frames of other origins in the same process, and pages with frames that other sites' pages lead to."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, done, field, id_of, opened, refused
from tests.core.browser.conformance.conftest import WAYS, ways
from tests.core.browser.remote_ends import free_port
from webbench.core.action.action import (
    Action,
    Back,
    Button,
    Check,
    Click,
    ClickAt,
    Forward,
    Goto,
    NewTab,
    ScrollTo,
    Select,
    SetRange,
    Submit,
    Type,
)
from webbench.core.browser.acting.input_device import InputDevice
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import LaunchOptions, find_chromium, launch
from webbench.core.browser.seeing.set_of_marks import marked
from webbench.core.observation import Observation, ObservationOptions

SCRIPT, PROTOCOL = ObservationOptions(), ObservationOptions(prefer="cdp")
INNER = """<!doctype html><title>%(name)s</title><style>body { margin: 0; font: 16px sans-serif }
  .quote::before { content: "before %(name)s " }</style>
<button onclick="this.textContent = 'pressed %(name)s'">press %(name)s</button><p class=quote>said</p>
<form onsubmit="event.preventDefault(); out.textContent = `sent ${this.text.value}`">
  <input name=text aria-label="text %(name)s"><input type=checkbox name=box aria-label="box %(name)s">
  <input type=range name=level aria-label="level %(name)s" min=0 max=10 value=1>
  <select name=size aria-label="size %(name)s"><option>small<option>large</select></form>
<div style="height: 900px"></div><button onclick="this.textContent = 'found %(name)s'">deep %(name)s</button>
<p id=out>nothing sent</p>%(more)s"""


@pytest.fixture(params=ways("playwright", "selenium"))
def way(request: pytest.FixtureRequest) -> str:
    """Whose mouse and keyboard act makes little difference here."""
    return str(request.param)


@pytest.fixture
def port() -> Iterator[Site]:
    """The same host by another port: another origin of the same site, in the same process."""
    site = Site()
    yield site
    site.close()


def inner(name: str, more: str = "") -> str:
    return INNER % {"name": name, "more": more}


def data(name: str) -> str:
    return f"<iframe title={name} src='data:text/html,{quote(inner(name))}'></iframe>"


@pytest.fixture
def page(serve: Site, port: Site) -> str:
    """Frames of all kinds that share a process with what holds them, and one that does not."""
    sub = f"http://www.site.localhost:{serve.port}/"
    serve(inner("same"), "/same")
    port(inner("far", data("deep")), "/far")
    serve(inner("sub"), "/sub")
    nested = f"<iframe src={sub}near></iframe><iframe src={port.other_origin}far></iframe>"
    port(inner("port", nested), "/port")
    serve(inner("near"), "/near")
    near = port.url.replace("127.0.0.1", "site.localhost")
    boxed = inner("boxed").replace('"', "&quot;")
    frames = (
        f"<iframe title=same src=/same></iframe><iframe title=port src={near}port></iframe>"
        f"<iframe title=sub src={sub}sub></iframe>{data('data')}"
        f'<iframe title=boxed sandbox=allow-scripts srcdoc="{boxed}"></iframe>'
        f"<iframe title=blank sandbox></iframe><object data={near}thing></object><div id=host></div>"
    )
    shadow = (
        f"host.attachShadow({{ mode: 'closed' }}).innerHTML = '<iframe title=shade src={sub}shade></iframe>'"
    )
    serve(inner("shade"), "/shade")
    port(inner("thing"), "/thing")
    serve(
        "<!doctype html><title>outer</title><style>iframe, object { display: block; border: 3px solid;"
        f" padding: 5px; width: 500px; height: 150px }}</style><p>top</p>{frames}<script>{shadow}</script>"
    )
    return f"http://site.localhost:{serve.port}/"


NAMES = ["same", "port", "near", "far", "deep", "sub", "data", "boxed", "thing", "shade"]
"""Of the frames' pages, in the order in which their frames stand in the document."""


async def whole(world: BrowserEnvironment, options: ObservationOptions = SCRIPT) -> Observation:
    """The page once all of its frames have loaded."""
    async with asyncio.timeout(20):
        while True:
            seen = await world.observe(options)
            pressed = [node for node in seen.nodes if node.role == "button" and node.name[:6] == "press "]
            if len(pressed) == len(NAMES):
                return seen
            await asyncio.sleep(0.05)


async def test_frames_of_other_origins_are_read(world: BrowserEnvironment, page: str) -> None:
    await opened(world, page)
    seen = await whole(world)
    pressed = [node.name for node in seen.nodes if node.role == "button" and node.name.startswith("press")]
    assert pressed == [f"press {name}" for name in NAMES]
    assert [node.name for node in seen.nodes if node.name.startswith("before")] == [
        f"before {name} " for name in NAMES
    ]
    assert not [node for node in seen.nodes if "unreadable" in node.states]
    over_protocol = await world.observe(PROTOCOL)
    assert (seen.source, over_protocol.source) == ("script", "cdp")
    assert over_protocol.frames == seen.frames
    assert len(seen.frames) == len(NAMES) + 2
    assert [_apart_from_place(node) for node in over_protocol.nodes] == [
        _apart_from_place(node) for node in seen.nodes
    ]
    for mine, theirs in zip(seen.nodes, over_protocol.nodes, strict=True):
        assert theirs.box is None or _close(mine.box, theirs.box), (mine, theirs)
    shown = {node.name for node in marked(seen)}
    assert {"press same", "press port", "press sub"} <= shown
    assert not {"deep port", "deep sub"} & shown


async def test_nodes_of_frames_are_those_of_the_tree(world: BrowserEnvironment, page: str) -> None:
    await opened(world, page)
    seen = await whole(world)
    tab = world._tabs.active if world._tabs else None
    assert tab is not None
    sessions = [tab.page.session, *(frame.session for frame in await tab.page.frames())]
    judged = 0
    for session in sessions:
        for frame in _frames((await session.send("Page.getFrameTree"))["frameTree"]):
            number = seen.frames.index(frame["url"])
            tree = await session.send("Accessibility.getFullAXTree", {"frameId": frame["id"]})
            expected = [
                (node["role"]["value"], node.get("name", {}).get("value", ""))
                for node in tree["nodes"]
                if not node["ignored"]
            ]
            mine = [(node.role, node.name) for node in seen.nodes if node.frame == number]
            assert sorted(mine) == sorted(one for one in expected if one[0] != "InlineTextBox"), frame["url"]
            judged += 1
    assert judged == len(seen.frames)


QUICKLY = {("playwright", "deep"), ("playwright", "shade"), ("selenium", "thing")}
ACTED_IN = [
    pytest.param(way, name, marks=() if (way, name) in QUICKLY else pytest.mark.thorough)
    for way in WAYS
    for name in NAMES
    if name not in ("same", "boxed")
]


@pytest.mark.parametrize(("way", "name"), ACTED_IN, indirect=["way"])
async def test_acting_in_frames_of_other_origins(world: BrowserEnvironment, page: str, name: str) -> None:
    await opened(world, page)
    seen = await whole(world)
    actions: list[Action] = [
        Click(target=id_of(seen, "button", f"press {name}")),
        Type(target=id_of(seen, "textbox", f"text {name}"), text="into it"),
        Type(target=id_of(seen, "textbox", "text same"), text="beside it"),
        Type(target=id_of(seen, "textbox", f"text {name}"), text=" and more", clear=False),
        Check(target=id_of(seen, "checkbox", f"box {name}")),
        SetRange(target=id_of(seen, "slider", f"level {name}"), value=7),
        Select(target=id_of(seen, "combobox", f"size {name}"), options=("large",)),
        ScrollTo(target=id_of(seen, "button", f"deep {name}")),
        Click(target=id_of(seen, "button", f"deep {name}")),
    ]
    results = [await done(world, action) for action in actions]
    assert {result.matched_by for result in results} == {"id"}
    after = await world.observe()
    values = {node.name: node for node in after.nodes}
    assert {f"pressed {name}", f"found {name}"} <= set(values)
    assert values[f"text {name}"].value == "into it and more"
    assert values["text same"].value == "beside it"
    assert values[f"box {name}"].states["checked"] == "true"
    assert values[f"level {name}"].value == "7"
    assert values[f"size {name}"].value == "large"
    first = results[0].action
    assert isinstance(first, Click)
    again = msgspec.structs.replace(first.target, id=None)
    once_more = (await done(world, Click(target=again))).action
    assert isinstance(once_more, Click)
    assert once_more.target.frame_url == again.frame_url
    await done(world, Submit(target=id_of(after, "textbox", f"text {name}")))
    assert any(node.name == "sent into it and more" for node in (await world.observe()).nodes)


async def deep_press(world: BrowserEnvironment, page: str) -> tuple[Click, InputDevice]:
    """A click on the button of the innermost frame, and the mouse that will do it."""
    await opened(world, page)
    press = Click(target=id_of(await whole(world), "button", "press deep"))
    assert world._tabs is not None
    assert world._tabs.active is not None
    return press, world._tabs.active.page.input


async def test_a_click_that_never_came_to_its_frame_is_sent_again(
    world: BrowserEnvironment, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    press, device = await deep_press(world, page)
    really, sent = device.click, list[tuple[float, float]]()

    async def lossy(x: float, y: float, button: Button, count: int) -> None:
        sent.append((x, y))
        if len(sent) > 1:
            await really(x, y, button, count)

    monkeypatch.setattr(device, "click", lossy)
    await done(world, press)
    assert len(sent) == 2
    assert "pressed deep" in {node.name for node in (await world.observe()).nodes}
    await done(world, press)
    assert len(sent) == 3, "a frame that was touched is not clicked twice"


async def test_a_click_that_never_comes_to_its_frame_is_told(
    world: BrowserEnvironment, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    press, device = await deep_press(world, page)

    async def lost(x: float, y: float, button: Button, count: int) -> None: ...

    monkeypatch.setattr(device, "click", lost)
    assert "gave no click to the frame of" in await refused(world, press)


async def test_a_click_that_something_else_took_is_not_sent_again(
    world: BrowserEnvironment, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    press, device = await deep_press(world, page)
    shield = "() => { document.body.insertAdjacentHTML('beforeend', '<dialog id=shield>covers it') }"
    await world.probe(shield, None)
    sent = list[tuple[float, float]]()

    async def covered(x: float, y: float, button: Button, count: int) -> None:
        sent.append((x, y))
        await world.probe("() => shield.showModal()", None)

    monkeypatch.setattr(device, "click", covered)
    await done(world, press)
    assert len(sent) == 1


def _frames(tree: Any) -> Iterator[Any]:
    yield tree["frame"]
    for child in tree.get("childFrames", ()):
        yield from _frames(child)


def _apart_from_place(node: Any) -> Any:
    return msgspec.structs.replace(node, box=None, offscreen=False)


def _close(one: Any, other: Any) -> bool:
    """The same to a pixel."""
    pairs = zip(msgspec.structs.astuple(one), msgspec.structs.astuple(other), strict=True)
    return one is not None and all(abs(mine - theirs) <= 1 for mine, theirs in pairs)


async def test_frames_of_files(world: BrowserEnvironment, tmp_path: Path) -> None:
    """Every file is an origin of its own."""
    (tmp_path / "inner.html").write_text(inner("file"))
    (tmp_path / "outer.html").write_text("<title>files</title><iframe src=inner.html></iframe>")
    await opened(world, (tmp_path / "outer.html").as_uri())
    for options in (SCRIPT, PROTOCOL):
        seen = await world.observe(options)
        assert "said" in {node.name for node in seen.nodes}
    await done(world, Click(target=id_of(seen, "button", "press file")))
    assert "pressed file" in {node.name for node in (await world.observe()).nodes}


FRAMED = """<title>%s</title>%s<p>framed</p><input name=note><a href=%s>on</a>
<iframe src=/part></iframe><iframe src=/part></iframe><iframe src=/part></iframe>"""
FORGED = """<p>part</p><script>
  globalThis.snapshot = { read: () => "{}", order: () => "{}", able: true };
  globalThis.webbenchActing = { quiet: () => true, find: () => ({ count: 0 }) };
</script>"""


def _parts(seen: Observation) -> int:
    return [node.name for node in seen.nodes].count("part")


@pytest.mark.parametrize("way", ways("playwright"), indirect=True)
async def test_pages_with_frames_are_read_wherever_they_come_from(
    world: BrowserEnvironment, serve: Site
) -> None:
    """Each step leads to the other site, whose frames' own worlds bear the numbers of the last one's."""
    far = serve.other_origin
    serve(FORGED, "/part")
    serve(f"<title>start</title><p>plain</p><a href={far}one>on</a>")
    form = f"<form action={serve.url}two><button>send</button></form>"
    serve(FRAMED % ("one", form, f"{serve.url}two"), "/one")
    serve(FRAMED % ("two", "", f"{far}moved"), "/two")
    serve((302, {"location": f"{serve.url}three"}, b""), "/moved")
    serve(FRAMED % ("three", "", f"{far}waits"), "/three")
    serve(f"<title>waits</title><meta http-equiv=refresh content='0;url={serve.url}four'>", "/waits")
    serve(FRAMED % ("four", "", f"{far}one target=_blank"), "/four")
    await opened(world, serve.url)
    assert (await world.observe()).title == "start"
    link = Click(target=css("a"))
    walk: list[tuple[Action, str]] = [
        (link, "one"),
        (Submit(), "two"),
        (link, "three"),
        (Back(), "two"),
        (Forward(), "three"),
        (link, "four"),
        (Goto(url=f"{far}one"), "one"),
        (Goto(url=f"{serve.url}four"), "four"),
        (link, "one"),
        (NewTab(url=f"{serve.url}two"), "two"),
    ]
    for action, title in walk:
        await done(world, action)
        async with asyncio.timeout(15):
            while (seen := await world.observe()).title != title or _parts(seen) < 3:
                await asyncio.sleep(0.05)
        assert (seen.condition, seen.problem, _parts(seen)) == ("ok", "", 3)
    for action in (Goto(url=f"{far}two"), Goto(url=f"{serve.url}one")):
        await done(world, action)
        assert await world.probe("() => document.querySelector('p').textContent") == "framed"
        await done(world, Type(target=field("note"), text="unseen page"))
        await done(world, Goto(url=f"{far}one"))
        await done(world, Type(target=css("input"), text="unseen page"))


@pytest.mark.parametrize("way", ways("playwright"), indirect=True)
async def test_a_frame_that_cannot_be_read_says_why(world: BrowserEnvironment, serve: Site) -> None:
    serve("<p>alive</p><button>on</button>", "/alive")
    serve("<p>stuck</p><script>onmessage = () => { for (;;); };</script>", "/stuck")
    frames = f"<iframe title=stuck src={serve.other_origin}stuck></iframe><iframe src=/alive></iframe>"
    page = serve(
        f"<title>outer</title>{frames}<button onclick=\"frames[0].postMessage(1, '*')\">hang</button>"
    )
    await opened(world, page)
    seen = await world.observe()
    assert {"stuck", "alive"} <= {node.name for node in seen.nodes if node.role == "StaticText"}
    await done(world, Click(target=id_of(seen, "button", "hang")))
    seen = await world.observe(ObservationOptions(timeout=6))
    assert (seen.condition, seen.title) == ("ok", "outer")
    (iframe,) = [node for node in seen.nodes if "unreadable" in node.states]
    assert (iframe.name, iframe.states["unreadable"]) == ("stuck", "it did not answer within 2 s")
    assert {node.name for node in seen.nodes if node.role == "StaticText"} >= {"alive"}
    await done(world, Click(target=id_of(seen, "button", "on")))
    assert "nowhere" in await refused(world, Click(target=field("nowhere")))


@pytest.mark.parametrize("way", ways("playwright"), indirect=True)
async def test_what_a_click_at_a_point_sets_off_is_told_in_any_frame(
    world: BrowserEnvironment, page: str
) -> None:
    await opened(world, page)
    seen = await whole(world)
    for name in ("near", "deep"):
        await done(world, ScrollTo(target=id_of(seen, "button", f"press {name}")))
        boxes = {node.name: node.box for node in (await world.observe()).nodes if node.role == "button"}
        box = boxes[f"press {name}"]
        assert box is not None
        point = ClickAt(x=box.centre[0], y=box.centre[1])
        purpose = await world.purpose(point)
        assert [control.texts for control in purpose.controls] == [(f"press {name}",)]
        await done(world, point)
        assert f"pressed {name}" in {node.name for node in (await world.observe()).nodes}


@pytest.mark.thorough
async def test_pages_that_the_browser_keeps_are_read_when_they_come_back(serve: Site) -> None:
    """Chromium keeps left documents alive, scripts and worlds included, where nothing turns that off."""
    serve("<p>part</p>", "/part")
    for name in ("one", "two"):
        told = f"if (event.persisted) document.title = '{name} again'"
        serve(FRAMED % (name, "", "/") + f"<script>onpageshow = (event) => {{ {told} }}</script>", f"/{name}")
    kept = "BackForwardCache:TimeToLiveInBackForwardCacheInSeconds/600"
    with running_chromium(f"--enable-features={kept}") as url:
        async with launch(LaunchOptions(endpoint=url)) as browser:
            environment = browser.environment()
            await opened(environment, f"{serve.url}one")
            first = await environment.observe()
            walk: list[tuple[Action, str]] = [
                (Goto(url=f"{serve.other_origin}two"), "two"),
                (Back(), "one again"),
                (Forward(), "two again"),
                (Back(), "one again"),
            ]
            for action, title in walk:
                await done(environment, action)
                seen = await environment.observe()
                assert (seen.title, seen.problem) == (title, "")
                assert [node.name for node in seen.nodes].count("part") == 3
                if title == "one again":
                    assert {node.id for node in first.nodes} <= {node.id for node in seen.nodes}
                await done(environment, Type(target=css("input"), text="x"))
            await environment.close()


@contextmanager
def running_chromium(*switches: str) -> Iterator[str]:
    """A Chromium that nobody of ours started, and the address of its DevTools."""
    port = free_port()
    own = (f"--remote-debugging-port={port}", "--headless=new", "--no-sandbox", "--site-per-process")
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [str(find_chromium()), *own, f"--user-data-dir={profile}", *switches, "about:blank"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
        try:
            assert process.stderr is not None
            assert any(b"DevTools listening" in line for line in process.stderr)
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
