"""Clicking, hovering, scrolling and dragging: real events at the right place."""

from __future__ import annotations

import pytest

from tests.conftest import Site
from tests.core.browser.acts import LOG, MIRROR, css, done, field, id_of, opened, refused, seen, value
from webbench.core.action.action import (
    Click,
    ClickAt,
    Drag,
    DragAt,
    ElementRef,
    Hover,
    HoverAt,
    Press,
    Scroll,
    ScrollTo,
    Select,
)
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup


async def test_click_sends_trusted_events_and_records_the_fingerprint(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await opened(environment, serve(LOG + "<main><button id=go>Buy now</button></main>" + MIRROR))
    observation = await environment.observe()
    result = await done(environment, Click(target=id_of(observation, "button")))
    assert await seen(environment, "click") == ["click:go"]
    assert isinstance(result.action, Click)
    target = result.action.target
    assert (target.role, target.name, target.selector) == ("button", "Buy now", "#go")
    assert target.path == "body[0]/main[0]/button[0]"
    assert target.box is not None
    assert target.box.width > 0
    assert result.matched_by == "id"


async def test_double_right_and_modified_clicks(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve(LOG + "<button id=b>B</button>" + MIRROR))
    await done(environment, Click(target=css("#b"), count=2))
    assert await seen(environment, "dblclick") == ["dblclick:b"]
    await done(environment, Click(target=css("#b"), button="right"))
    assert await seen(environment, "contextmenu") == ["contextmenu:b"]
    await done(environment, Click(target=css("#b"), modifiers=("ctrl",)))
    assert (await seen(environment, "click"))[-1] == "click:b:ctrl"


async def test_scrolls_into_view_under_a_sticky_header(environment: BrowserEnvironment, serve: Site) -> None:
    header = "<header style='position:sticky;top:0;height:200px;background:red'>Top</header>"
    await opened(
        environment,
        serve(
            LOG
            + header
            + "<p style='height:3000px'></p><button id=far>Far</button><p style='height:10px'>"
            + MIRROR
        ),
    )
    await done(environment, Click(target=css("#far")))
    assert await seen(environment, "click") == ["click:far"]


async def test_covered_element_names_what_covers_it(environment: BrowserEnvironment, serve: Site) -> None:
    cookie = "<div id=cookie style='position:fixed;inset:0'>We use cookies</div>"
    await opened(environment, serve(f"<button>Buy</button>{cookie}"))
    observation = await environment.observe()
    target = id_of(observation, "button")
    error = await refused(environment, Click(target=target))
    assert f'[{target.id}] button "Buy" is covered by div#cookie "We use cookies"' in error


async def test_an_option_of_a_closed_list_is_chosen_from_its_list(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await opened(environment, serve("<select><option>Red<option>Blue</select>"))
    target = id_of(await environment.observe(), "option")
    error = await refused(environment, Click(target=target))
    assert "is hidden" in error
    assert "choose it from its list" in error


async def test_click_through_frames_and_shadow_roots(environment: BrowserEnvironment, serve: Site) -> None:
    inner = """<div id=host></div><script>
      const root = document.getElementById('host').attachShadow({mode: 'open'});
      root.innerHTML = '<p style="height:900px"></p><button>Deep</button>';
      root.querySelector('button').onclick = (e) => { e.target.textContent = 'Pressed ' + e.isTrusted };
    </script>"""
    serve(inner, "/inner")
    frames = "".join(
        f"<iframe width=400 height=200 style='border:7px solid;padding:5px' src='{origin}inner'></iframe>"
        for origin in (serve.url, serve.other_origin)
    )
    await opened(environment, serve(f"<p style='height:900px'></p>{frames}"))
    buttons = [node for node in (await environment.observe()).nodes if node.role == "button"]
    assert len(buttons) == 2
    for button in buttons:
        result = await done(environment, Click(target=ElementRef(id=button.id)))
        assert isinstance(result.action, Click)
        assert result.action.target.frame_url.endswith("/inner")
        assert " >>> " in result.action.target.selector
    names = [node.name for node in (await environment.observe()).nodes if node.role == "button"]
    assert names == ["Pressed true", "Pressed true"]


async def test_cover_over_a_frame_is_seen(environment: BrowserEnvironment, serve: Site) -> None:
    serve("<button>Inside</button>", "/inner")
    for origin in (serve.url, serve.other_origin):
        html = f"<iframe src='{origin}inner'></iframe><div id=veil style='position:fixed;inset:0'>Wait</div>"
        await opened(environment, serve(html))
        error = await refused(environment, Click(target=id_of(await environment.observe(), "button")))
        assert 'covered by div#veil "Wait"' in error


async def test_a_word_of_javascript_is_only_text(environment: BrowserEnvironment, serve: Site) -> None:
    html = """<div role=listbox id=c onclick="event.target === c || (c.title = event.target.textContent)">
      <div role=option>that</div><div role=option>this</div></div>"""
    await opened(environment, serve(html))
    await done(environment, Select(target=css("#c"), options=("this",)))
    assert await value(environment, "#c", "title") == "this"


async def test_hover_press_and_points(environment: BrowserEnvironment, serve: Site) -> None:
    html = f"{LOG}<button id=b style='position:absolute;left:100px;top:100px'>B</button><input id=i>{MIRROR}"
    await opened(environment, serve(html))
    await done(environment, Hover(target=css("#b")))
    assert (await seen(environment, "mouseover"))[-1] == "mouseover:b"
    await done(environment, ClickAt(x=110, y=110))
    assert (await seen(environment, "click"))[-1] == "click:b"
    await done(environment, HoverAt(x=5, y=700))
    assert (await seen(environment, "mouseover"))[-1] != "mouseover:b"
    await done(environment, Press(keys="ctrl+a", target=css("#i")))
    assert "keydown:i:ctrl" in await seen(environment, "keydown")
    assert "outside the viewport" in await refused(environment, ClickAt(x=5000, y=1))
    assert "no key 'Blorp'" in await refused(environment, Press(keys="Blorp"))


async def test_scrolling(environment: BrowserEnvironment, serve: Site) -> None:
    box = "<div id=box style='overflow:auto;height:100px'><p style='height:900px'>long</p></div>"
    await opened(environment, serve(f"{box}<p style='height:4000px'></p><a href=# id=end>end</a>"))
    await done(environment, Scroll(dy=1, unit="viewports"))
    assert (await environment.observe()).viewport.scroll_y == 720
    await done(environment, Scroll(dy=150, target=css("#box")))
    assert await value(environment, "#box", "scrollTop") == 150
    await done(environment, ScrollTo(target=css("#end")))
    assert (await environment.observe()).viewport.scroll_y > 3000
    assert "end is reached" in await refused(environment, Scroll(dy=100))


async def test_scrolling_at_the_mouse_moves_the_innermost_that_still_can(
    environment: BrowserEnvironment, serve: Site
) -> None:
    pane = "<div id=%s style='overflow:auto;height:100px;width:200px'><p style='height:300px'>long</p></div>"
    frame = f"<iframe id=f height=120 srcdoc=\"{pane % 'inner'}<p style='height: 900px'></p>\"></iframe>"
    await opened(environment, serve(f"{pane % 'box'}{frame}<p style='height:4000px'></p>"))
    turn = Scroll(dy=150, at_mouse=True)
    await done(environment, turn)
    assert (await environment.observe()).viewport.scroll_y == 150, "the mouse was nowhere yet"
    await done(environment, Scroll(dy=-150, at_mouse=True))
    await done(environment, HoverAt(x=60, y=60))
    await done(environment, turn)
    assert await value(environment, "#box", "scrollTop") == 150
    assert (await environment.observe()).viewport.scroll_y == 0
    await done(environment, turn)
    await done(environment, turn)
    assert (await environment.observe()).viewport.scroll_y == 150, "the pane is at its end"
    await done(environment, Scroll(dy=-150, at_mouse=True))
    await done(environment, HoverAt(x=60, y=170))
    await done(environment, turn)
    assert (await environment.observe()).viewport.scroll_y == 0
    for _ in range(9):
        await environment.act(turn)
    assert (await environment.observe()).viewport.scroll_y > 0, "through the frame's ends"


async def test_drag(environment: BrowserEnvironment, serve: Site) -> None:
    html = """<div id=a draggable=true style='width:50px;height:50px;background:red'
        ondragstart="event.dataTransfer.setData('text', 'moved')">a</div>
      <div id=z style='width:90px;height:90px;background:blue' ondragover="event.preventDefault()"
        ondrop="this.textContent = event.dataTransfer.getData('text')">z</div>"""
    for action in (Drag(source=css("#a"), target=css("#z")), DragAt(x=30, y=30, to_x=50, to_y=100)):
        await opened(environment, serve(html))
        await done(environment, action)
        assert await value(environment, "#z", "textContent") == "moved"


async def test_dead_and_unknown_targets(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve("<button onclick='this.remove()'>Add to cart</button>"))
    target = id_of(await environment.observe(), "button")
    await done(environment, Click(target=target))
    error = await refused(environment, Click(target=target))
    assert f'[{target.id}] button "Add to cart" is no longer on the page' in error
    assert "'nope'" in await refused(environment, Click(target=field("nope")))
    assert (await environment.act(Click(target=ElementRef(id=99999)))).ok is False


async def test_a_summary_is_found_by_the_role_of_the_tree(
    environment: BrowserEnvironment, serve: Site
) -> None:
    page = "<details><summary>More</summary><p>inside</p></details>"
    await environment.reset(EnvironmentSetup(start_urls=(serve(page),)))
    summary = next(node for node in (await environment.observe()).nodes if node.tag == "summary")
    target = ElementRef(id=summary.id, role=summary.role, name=summary.name)
    assert (await environment.act(Click(target=target))).ok
    assert await environment.probe("() => document.querySelector('details').open")


async def test_click_at_a_point_inside_an_element(environment: BrowserEnvironment, serve: Site) -> None:
    body = (
        "<p style='height: 1500px'></p><canvas id=c width=400 height=200></canvas><script>"
        "for (const kind of ['click', 'mousemove', 'mousedown', 'mouseup'])"
        " document.getElementById('c').addEventListener(kind, (event) =>"
        " seen.push(`${kind} ${Math.round(event.offsetX)} ${Math.round(event.offsetY)}`))</script>"
    )
    await opened(environment, serve(LOG + body + MIRROR))
    canvas = css("#c")
    result = await done(environment, Click(target=canvas, at=(40, 75)))
    assert isinstance(result.action, Click)
    assert result.action.at == (40, 75)
    assert (await seen(environment, "click"))[-1] == "click 160 150"
    await done(environment, Hover(target=canvas, at=(10, 10)))
    await done(environment, Drag(source=canvas, target=canvas, source_at=(25, 50), target_at=(75, 50)))
    assert (await seen(environment, "mousedown"))[-1] == "mousedown 100 100"
    assert (await seen(environment, "mouseup"))[-1] == "mouseup 300 100"
    assert "mousemove 40 20" in await seen(environment, "mousemove")
    message = await refused(environment, Click(target=css("#c"), at=(140, 75)))
    assert "not in the element" in message


SHEET = f"""{LOG}<div style="position: relative; width: 200px"><canvas id=c width=200 height=100></canvas>
  <div id=sheet onclick="seen.push(`sheet ${{event.offsetX}} ${{event.offsetY}}`)"
    style="position: absolute; inset: 0 0 4px 0"></div></div>
<div style="position: relative; width: 200px"><button id=half style="width: 200px">Half</button>
  <b style="position: absolute; inset: 0 0 0 100px">New</b></div>
<button id=under>Under</button><div style="position: fixed; inset: 60px 0 0 0">Sign in</div>{MIRROR}"""


async def test_what_a_component_lays_over_its_canvas_gets_the_click_at_a_point(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await opened(environment, serve(SHEET))
    assert "or at a point of this one" in await refused(environment, Click(target=css("#c")))
    result = await done(environment, Click(target=css("#c"), at=(40, 50)))
    assert result.output == "div#sheet lies over it there"
    assert (await seen(environment, "sheet"))[-1] == "sheet 80 50"
    for selector in ("#half", "#under"):
        assert "is covered by" in await refused(environment, Click(target=css(selector), at=(75, 50)))


@pytest.mark.parametrize(
    "action",
    [Click(target=css("#c"), at=(40, 50)), Drag(source=css("#c"), target=css("#c"), target_at=(40, 50))],
)
async def test_what_gets_the_event_at_a_point_is_what_the_guard_is_told_of(
    environment: BrowserEnvironment, serve: Site, action: Click | Drag
) -> None:
    link = "<a href='/x' style='position: absolute; inset: 0'>Buy now</a>"
    canvas = "<canvas id=c width=200 height=100></canvas>"
    await opened(environment, serve(f"<div style='position: relative; width: 200px'>{canvas}{link}</div>"))
    purpose = await environment.purpose(action)
    assert "Buy now" in {text for control in purpose.controls for text in control.texts}


async def test_the_heading_that_the_browser_gives_a_disclosure_opens_and_closes_it(
    environment: BrowserEnvironment, serve: Site
) -> None:
    page = "<details><p>inside</p><a href='#'>a link</a></details>"
    await environment.reset(EnvironmentSetup(start_urls=(serve(page),)))
    for state in (True, False):
        nodes = (await environment.observe()).nodes
        heading = next(node for node in nodes if node.role == "DisclosureTriangle")
        assert (heading.name, heading.clickable) == ("Details", "role")
        assert (await environment.act(Click(target=ElementRef(id=heading.id)))).ok
        assert await environment.probe("() => document.querySelector('details').open") is state


async def test_parts_of_an_image_are_clicked_where_the_image_shows_them(
    environment: BrowserEnvironment, serve: Site
) -> None:
    page = (
        "<p style='height: 1500px'></p><img usemap='#m' width=100 height=60 alt=plan><map name=m>"
        "<area shape=rect coords='0,0,50,60' href='#left' alt=left>"
        "<area shape=circle coords='75,30,20' href='#right' alt=right></map>"
    )
    await environment.reset(EnvironmentSetup(start_urls=(serve(page),)))
    for name in ("left", "right"):
        area = next(node for node in (await environment.observe()).nodes if node.name == name)
        for at in (None, (50.0, 50.0)):
            await done(environment, Click(target=ElementRef(id=area.id), at=at))
            assert await environment.probe("() => location.hash") == f"#{name}"
