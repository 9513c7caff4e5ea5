"""Reading real pages in a real Chromium, by script and over the protocol."""

from __future__ import annotations

import re

import pytest

from tests.core.browser.readings import BOTH, find, names, read
from tests.core.browser.sites import Sites
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.errors import ActionFailed
from webbench.core.observation import ObservationOptions

pytestmark = pytest.mark.browser


@BOTH
async def test_states_and_values_of_form_controls(page: PlaywrightPage, way: str) -> None:
    reading = await read(
        page,
        """<select aria-label=Size><option>S</option><option selected>M</option></select>
        <input type=checkbox aria-label=Gift checked><input type=radio aria-label=Fast value=express>
        <input aria-label=Name required value=Ada><input type=range aria-label=Age min=1 max=9 value=4>
        <button disabled>Buy</button><button aria-expanded=false>More</button>
        <details open><summary>Terms</summary>None</details><textarea aria-label=Note>a
b</textarea><input type=password aria-label=Secret value=key>""",
        way,
    )
    assert find(reading, "combobox").value == "M"
    assert [node.states["selected"] for node in reading.nodes if node.role == "option"] == [False, True]
    assert find(reading, "checkbox").states["checked"] == "true"
    assert find(reading, "checkbox").attributes == {"type": "checkbox", "value": "on"}
    assert find(reading, "radio").states["checked"] == "false"
    assert find(reading, "radio").attributes["value"] == "express"
    name = find(reading, "textbox", "Name")
    assert (name.value, name.states["required"], name.interactive) == ("Ada", True, True)
    slider = find(reading, "slider")
    assert (slider.value, slider.states["valuemin"], slider.states["valuemax"]) == ("4", 1, 9)
    buy = find(reading, "button", "Buy")
    assert buy.states["disabled"] is True
    assert not buy.interactive
    assert find(reading, "button", "More").states["expanded"] is False
    assert find(reading, "DisclosureTriangle").states["expanded"] is True
    assert find(reading, "textbox", "Note").value == "a\nb"
    assert find(reading, "textbox", "Secret").value == "\u2022\u2022\u2022"


@BOTH
async def test_focus(page: PlaywrightPage, way: str) -> None:
    await page.page.set_content("<button>one</button><input aria-label=two>")
    snapshotter = Snapshotter()
    before = await read(page, way=way, snapshotter=snapshotter)
    assert before.focused == find(before, "RootWebArea").id
    await page.page.focus("input")
    after = await read(page, way=way, snapshotter=snapshotter)
    field = find(after, "textbox")
    assert after.focused == field.id
    assert field.states["focused"] is True


@BOTH
async def test_editable_content(page: PlaywrightPage, way: str) -> None:
    reading = await read(
        page, "<div role=textbox aria-label=Post contenteditable>Hello <b>you</b></div>", way
    )
    post = find(reading, "textbox")
    assert post.value == "Hello you"
    assert post.states["editable"] == "richtext"
    assert post.interactive
    assert names(reading) == ["Hello ", "you"]


@BOTH
async def test_aria_overrides(page: PlaywrightPage, way: str) -> None:
    reading = await read(
        page,
        """<div role=button tabindex=0 aria-label="Add item">+</div><p aria-hidden=true>unseen</p>
        <ul role=presentation><li>plain</li></ul><div inert><button>frozen</button></div>
        <div id=list role=list aria-owns=last><div role=listitem>first</div></div><p>between</p>
        <div id=last role=listitem>last</div>""",
        way,
    )
    assert find(reading, "button").name == "Add item"
    text = names(reading)
    assert "unseen" not in text
    assert "frozen" not in text
    assert text.index("last") < text.index("between")
    outer = find(reading, "list")
    assert [node.depth for node in reading.nodes if node.role == "listitem"] == [outer.depth + 1] * 2


@BOTH
async def test_hidden_and_empty_nodes(page: PlaywrightPage, way: str) -> None:
    reading = await read(
        page,
        """<p style="display:none">none</p>
        <p style="visibility:hidden">hidden<b style="visibility:visible">shown</b></p>
        <p hidden>attribute</p><button style="width:0;height:0;padding:0;border:0" aria-label=tiny></button>
        <details><summary>Sum</summary>closed</details>""",
        way,
    )
    assert names(reading) == ["shown", "Sum"]
    tiny = find(reading, "button")
    assert tiny.box is not None
    assert (tiny.box.width, tiny.box.height) == (0, 0)


@BOTH
async def test_white_space_is_that_of_the_lines(page: PlaywrightPage, way: str) -> None:
    reading = await read(
        page,
        """<p>  one   <b>two</b> <i>three </i><br> four<!-- x --> five
        </p><pre>a
  b</pre><p style="text-transform:uppercase">loud</p><p>x<input>  <input>y</p>""",
        way,
    )
    assert names(reading) == ["one ", "two", " ", "three", "four", " five", "a\n  b", "LOUD", "x", "y"]


@BOTH
async def test_lists_have_markers(page: PlaywrightPage, way: str) -> None:
    reading = await read(
        page,
        "<ul><li>a</ul><ol start=3 type=i><li>b<li value=9>c<li>d</ol><ul style='list-style:none'><li>e</ul>",
        way,
    )
    assert names(reading, "ListMarker") == ["\u2022 ", "iii. ", "ix. ", "x. "]


@BOTH
async def test_boxes_offscreen_and_sticky(page: PlaywrightPage, way: str) -> None:
    await page.page.set_content(
        """<body style="margin:0">
        <header style="position:sticky;top:0;height:50px"><a href=/>Home</a></header>
        <div style="height:3000px"></div>
        <button style="display:block;width:120px;height:30px">Below</button>"""
    )
    snapshotter = Snapshotter()
    top = await read(page, way=way, snapshotter=snapshotter)
    below = find(top, "button")
    assert below.box is not None
    assert (below.box.x, below.box.y, below.box.width, below.box.height) == (0, 3050, 120, 30)
    assert below.offscreen
    assert top.viewport.page_height == 3080
    await page.page.evaluate("scrollTo(0, 3080)")
    end = await read(page, way=way, snapshotter=snapshotter)
    assert end.viewport.scroll_y == 3080 - 720
    assert not find(end, "button").offscreen
    assert not find(end, "link").offscreen
    assert find(end, "button").box != below.box


@BOTH
async def test_viewport_only_keeps_what_is_seen_and_its_ancestors(page: PlaywrightPage, way: str) -> None:
    await page.page.set_content(
        "<main><section aria-label=In><button>seen</button></section>"
        "<section aria-label=Out style='margin-top:2000px'><button>unseen</button></section></main>"
    )
    options = ObservationOptions(viewport_only=True, prefer="cdp" if way == "cdp" else "script")
    reading = await Snapshotter().read(page, options)
    assert [node.name for node in reading.nodes if node.role in ("main", "region", "button")] == [
        "",
        "In",
        "seen",
    ]
    assert [node.depth for node in reading.nodes] == list(range(len(reading.nodes)))


@BOTH
async def test_modal_dialog_makes_the_rest_inert(page: PlaywrightPage, way: str) -> None:
    await page.page.set_content("<button>behind</button><dialog><p>Sure?</p><button>Yes</button></dialog>")
    snapshotter = Snapshotter()
    assert names(await read(page, way=way, snapshotter=snapshotter), "button") == ["behind"]
    await page.page.evaluate("document.querySelector('dialog').showModal()")
    reading = await read(page, way=way, snapshotter=snapshotter)
    assert names(reading, "button") == ["Yes"]
    assert find(reading, "dialog").states["modal"] is True


SHADOWS = """<div id=outer></div><p>light</p><script>
const open = outer.attachShadow({mode: "open"});
open.innerHTML = "<button>open</button><div id=inner></div>";
const closed = open.getElementById("inner").attachShadow({mode: "closed"});
closed.innerHTML = "<button>closed</button><slot></slot><x-deep></x-deep>";
customElements.define("x-deep", class extends HTMLElement {
  constructor() { super(); this.attachShadow({mode: "closed"}).innerHTML = "<button>deepest</button>"; }
});
</script>"""


@BOTH
async def test_shadow_roots_nested_and_closed(page: PlaywrightPage, way: str) -> None:
    await page.page.set_content(SHADOWS)
    snapshotter = Snapshotter()
    reading = await read(page, way=way, snapshotter=snapshotter)
    assert names(reading, "button") == ["open", "closed", "deepest"]
    located = await snapshotter.locate(page, find(reading, "button", "deepest").id)
    answer = await located.session.send(
        "Runtime.callFunctionOn",
        {"objectId": located.object_id, "functionDeclaration": "function() { return this.textContent }"},
    )
    assert answer["result"]["value"] == "deepest"


@BOTH
async def test_frames_of_the_same_and_of_another_process(
    page: PlaywrightPage, way: str, sites: Sites
) -> None:
    sites.pages["/inner"] = "<title>Inner</title><body style='margin:0'><button>other site</button>"
    sites.pages["/"] = (
        "<title>Outer</title><body style='margin:0'><p style='margin:0;height:40px'>top</p>"
        "<iframe style='border:5px solid;padding:7px;display:block;width:300px;height:90px' "
        "srcdoc=\"<body style='margin:0'><button>same site</button>\"></iframe>"
        f"<iframe style='border:3px solid;display:block' src='{sites.second}/inner'></iframe>"
        "<button>last</button>"
    )
    await page.page.goto(f"{sites.first}/", wait_until="load")
    snapshotter = Snapshotter()
    reading = await read(page, way=way, snapshotter=snapshotter)
    assert names(reading, "button") == ["same site", "other site", "last"]
    same, other = find(reading, "button", "same site"), find(reading, "button", "other site")
    assert reading.frames[same.frame] == "about:srcdoc"
    assert reading.frames[other.frame] == f"{sites.second}/inner"
    assert same.box is not None
    assert other.box is not None
    assert (same.box.x, same.box.y) == (12, 52)
    assert (other.box.x, other.box.y) == (3, 40 + 90 + 24 + 3)
    located = await snapshotter.locate(page, other.id)
    assert located.frame_offset == (3, 157)
    assert located.session is not page.session
    again = await read(page, way=way, snapshotter=snapshotter)
    assert [node.id for node in again.nodes] == [node.id for node in reading.nodes]


@BOTH
async def test_ids_stay_with_their_node_and_are_never_reused(page: PlaywrightPage, way: str) -> None:
    snapshotter = Snapshotter()
    first = await read(page, "<button id=a>a</button><button id=b>b</button>", way, snapshotter)
    a, b = find(first, "button", "a").id, find(first, "button", "b").id
    await page.page.evaluate("a.remove(); document.body.prepend(b); b.textContent = 'c'")
    second = await read(page, way=way, snapshotter=snapshotter)
    assert find(second, "button").id == b
    await page.page.goto("data:text/html,<button>new</button>")
    third = await read(page, way=way, snapshotter=snapshotter)
    assert not {node.id for node in third.nodes} & {node.id for node in (*first.nodes, *second.nodes)}
    assert snapshotter.describe(a) == f'[{a}] button "a"'


async def test_both_ways_give_the_same_observation(page: PlaywrightPage) -> None:
    snapshotter = Snapshotter()
    html = """<title>T</title><nav aria-label=Main><ul><li><a href=/x>X</a><li>two</ul></nav><h1>Head</h1>
    <form aria-label=F><label>Name <input required value=v></label><select><option>o</select>
    <label><input type=checkbox>Yes</label><textarea>l1
l2</textarea><input type=submit></form><table><caption>C</caption><tr><th>H<td>1</table>
    <div style="height:900px"></div><p>end <img alt=pic> <b>of</b> it</p>"""
    by_script = await read(page, html, "script", snapshotter)
    over_protocol = await read(page, "", "cdp", snapshotter)
    assert over_protocol.source == "cdp"
    assert len(by_script.nodes) == len(over_protocol.nodes)
    for one, other in zip(by_script.nodes, over_protocol.nodes, strict=True):
        assert one.box is not None or other.box is None, one
        same = {field: getattr(other, field) for field in other.__struct_fields__ if field != "box"}
        assert {field: getattr(one, field) for field in same} == same


async def test_a_dead_id_says_what_it_was(page: PlaywrightPage) -> None:
    snapshotter = Snapshotter()
    reading = await read(page, "<button>Add to cart</button><p>x</p>", "script", snapshotter)
    button = find(reading, "button").id
    await page.page.evaluate("document.querySelector('button').remove()")
    with pytest.raises(
        ActionFailed, match=re.escape(f'[{button}] button "Add to cart" is no longer on the page')
    ):
        await snapshotter.locate(page, button)
    await page.page.goto("data:text/html,other")
    with pytest.raises(ActionFailed, match="is no longer on the page"):
        await snapshotter.locate(page, button)


async def test_an_id_never_given_names_the_nearest(page: PlaywrightPage) -> None:
    snapshotter = Snapshotter()
    with pytest.raises(ActionFailed, match=r"no element \[7\].*observe the page first"):
        await snapshotter.locate(page, 7)
    reading = await read(page, "<button>Only</button>", "script", snapshotter)
    with pytest.raises(ActionFailed, match=r"no element \[99\]") as failure:
        await snapshotter.locate(page, 99)
    assert f"[{reading.nodes[-1].id}]" in failure.value.hint
