"""What an `obs` holds: tree, document, texts, boxes, focus, picture."""

from __future__ import annotations

import numpy
import pytest

from tests.conftest import Site
from tests.parity.browsergym.gym import Gym, roles
from tests.parity.browsergym.pages import FORM, INNERMOST, LONG, MIDDLE, OUTER, SHADOW

pytestmark = pytest.mark.thorough
"""Our own conformance tests tell the same in `make test`; these count the published cases."""

WITHOUT_BID = {"RootWebArea", "none", "generic", "StaticText"}


def framed(serve: Site) -> str:
    """The address of a page with a frame in a frame."""
    serve(INNERMOST, "/innermost")
    serve(MIDDLE.replace("INNERMOST", "/innermost"), "/middle")
    return serve(OUTER.replace("MIDDLE", "/middle"), "/outer")


async def test_extract_screenshot(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM), 800, 600)
    picture = gym.obs["screenshot"]
    assert (picture.shape, picture.dtype) == ((600, 800, 3), numpy.uint8)


async def test_extract_axtree_simple(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM))
    nodes = gym.obs["axtree_object"]["nodes"]
    assert roles(gym.obs).count("RootWebArea") == 1
    reached, waiting = set(), [nodes[0]["nodeId"]]
    by_id = {node["nodeId"]: node for node in nodes}
    while waiting:
        reached.add(waiting[-1])
        waiting += by_id[waiting.pop()]["childIds"]
    assert reached == set(by_id)


async def test_extract_axtree_multi_iframe(gym: Gym, serve: Site) -> None:
    await gym.reset(framed(serve))
    assert roles(gym.obs).count("RootWebArea") == 3
    nodes = {node["nodeId"]: node for node in gym.obs["axtree_object"]["nodes"]}
    inner = [node for node in nodes.values() if node["role"]["value"] == "RootWebArea"][1:]
    assert [nodes[node["parentId"]]["role"]["value"] for node in inner] == ["Iframe", "Iframe"]


async def test_extract_dom_simple(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM))
    assert len(gym.obs["dom_object"]["documents"]) == 1


async def test_extract_dom_multi_iframe(gym: Gym, serve: Site) -> None:
    await gym.reset(framed(serve))
    assert len(gym.obs["dom_object"]["documents"]) == 3


async def test_simple_shadowdom(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(SHADOW))
    await shadow_text(gym, 0)


async def test_nested_shadowdom(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(SHADOW))
    await shadow_text(gym, 2)


async def shadow_text(gym: Gym, depth: int) -> None:
    """The text field of that level is found by its id, and the page's own attributes were left alone."""
    bid = gym.find("input", name=f"level{depth}").bid
    await gym.step(f"fill({bid!r}, 'down here')")
    assert (gym.error, gym.find("input", name=f"level{depth}").value) == ("", "down here")
    others = [gym.find("input", name=f"level{one}").value for one in range(3) if one != depth]
    assert others == ["", ""]
    field = """(depth) => { let found = document.querySelector('nest-box').shadowRoot;
      while (depth-- > 0) found = found.querySelector('nest-box').shadowRoot;
      return found.querySelector('input').outerHTML }"""
    html = str(await gym.world.probe(field, depth))
    assert 'aria-description="hidden words"' in html
    assert "bid" not in html


@pytest.mark.parametrize("name", ["form", "innermost", "middle", "outer", "shadow", "long", "empty"])
async def test_dom_has_bids_no_aria(gym: Gym, serve: Site, name: str) -> None:
    """Every element that is told has an id of its own, in the document and in the tree."""
    framed(serve)
    for page, path in ((FORM, "/form"), (SHADOW, "/shadow"), (LONG, "/long"), ("<title>e</title>", "/empty")):
        serve(page, path)
    await gym.reset(f"{serve.url}{name}")
    bids = [one.bid for one in gym.elements() if one.tag != "html"]
    assert all(bids)
    assert len(bids) == len(set(bids))
    told = {name for one in gym.elements() for name in one.attributes}
    assert not told & {"aria-description", "aria-roledescription"}
    nodes = gym.obs["axtree_object"]["nodes"]
    named = [node.get("browsergym_id") for node in nodes if node["role"]["value"] not in WITHOUT_BID]
    assert all(named)
    assert len(named) == len(set(named))


FILLED = "fill({name!r}, 'Ines')\nfill({email!r}, 'ines@e.org')\nfill({age!r}, '34')\nclick({letter!r})"


async def fill_form(gym: Gym) -> None:
    fields = {name: gym.find("input", id=name).bid for name in ("name", "email", "age", "letter")}
    await gym.step(FILLED.format(**fields))
    assert gym.error == ""


async def test_dom_to_text(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM))
    assert "Send me the letter" in gym.obs["dom_txt"]
    assert "Ines" not in gym.obs["dom_txt"]
    await fill_form(gym)
    text = gym.obs["dom_txt"]
    for part in ("Ines", "ines@e.org", "Words in a tag of no standard", "Words far below"):
        assert part in text
    properties = gym.obs["extra_element_properties"]
    send = properties[gym.find("input", type="submit").bid]
    assert (send["visibility"], send["clickable"], send["set_of_marks"]) == (1.0, True, True)
    below = properties[gym.find("p").bid]
    assert (below["visibility"], below["set_of_marks"]) == (0.0, False)
    label = properties[gym.find("label").bid]
    assert (label["visibility"], label["set_of_marks"]) == (1.0, False)
    assert label["clickable"]
    marked = {
        one.attributes.get("type", one.tag)
        for one in gym.elements()
        if properties.get(one.bid, {}).get("set_of_marks")
    }
    assert marked >= {"submit", "reset", "checkbox", "email", "number", "textarea"}


async def test_axtree_to_text(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM))
    assert "checkbox 'Send me the letter', clickable, visible, checked='false'" in gym.lines()
    assert "Ines" not in gym.obs["axtree_txt"]
    await fill_form(gym)
    lines = gym.lines()
    assert "checkbox 'Send me the letter', clickable, visible, focused, checked='true'" in lines
    assert "textbox 'Email:' value='ines@e.org', clickable, visible" in lines
    assert "button 'Send', clickable, visible" in lines
    assert "heading 'Small form', visible" in lines
    assert any("Words in a tag of no standard" in line for line in lines)
    assert "paragraph ''" in lines
    assert any(line == "StaticText 'Words far below'" for line in lines)


async def test_axtree_to_text_remove_redundant(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM))
    assert "heading 'Small form', visible" in gym.lines()
    assert "StaticText 'Small form'" not in gym.lines()
    names = [
        node["name"]["value"]
        for node in gym.obs["axtree_object"]["nodes"]
        if node["role"]["value"] == "StaticText"
    ]
    assert "Small form" in names


async def test_simple_webpage(gym: Gym, serve: Site) -> None:
    """A click at the middle of the told box hits the element."""
    await gym.reset(serve(FORM), 800, 600)
    x, y = gym.centre(gym.find("input", id="letter").bid)
    await gym.step(f"mouse_click({x}, {y})")
    assert (gym.error, gym.find("input", id="letter").checked) == ("", True)


async def test_basic_iframe_webpage(gym: Gym, serve: Site) -> None:
    await gym.reset(framed(serve), 800, 600)

    async def click(name: str) -> bool:
        await gym.step("mouse_click({}, {})".format(*gym.centre(gym.find("input", id=name).bid)))
        assert gym.error == ""
        return gym.find("input", id=name).checked

    assert await click("outer") is True
    assert await click("inner") is False
    x, y = gym.centre(gym.find("input", id="inner").bid)
    await gym.step(f"click({gym.find('button', id='down').bid!r})")
    assert gym.centre(gym.find("input", id="inner").bid) == pytest.approx((x, y - 60), abs=1)
    assert await click("inner") is True


async def test_filter_visible_only(gym: Gym, serve: Site) -> None:
    await gym.reset(framed(serve), 800, 600)
    seen = {bid: one["visibility"] for bid, one in gym.obs["extra_element_properties"].items()}
    assert seen[gym.find("input", id="outer").bid] == 1.0
    await gym.reset(serve(LONG))
    assert gym.obs["extra_element_properties"][gym.find("input", id="cellar").bid]["visibility"] == 0.0
    await gym.step("scroll(0, 3000)")
    assert gym.obs["extra_element_properties"][gym.find("input", id="cellar").bid]["visibility"] == 1.0


async def test_extract_focused_element_bid_through_iframes(gym: Gym, serve: Site) -> None:
    await gym.reset(framed(serve))
    assert gym.obs["focused_element_bid"] == gym.find("body").bid
    inner = gym.find("input", id="inner").bid
    await gym.step(f"click({inner!r})")
    assert (gym.error, gym.obs["focused_element_bid"]) == ("", inner)


async def test_extract_focused_element_bid_through_shadowdom(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(SHADOW))
    assert gym.obs["focused_element_bid"] == gym.find("body").bid
    deep = gym.find("input", name="level2").bid
    await gym.step(f"click({deep!r})")
    assert (gym.error, gym.obs["focused_element_bid"]) == ("", deep)


async def test_tags_to_mark(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM))
    assert gym.find("p").bid
    assert "<garden-gnome" not in gym.obs["dom_txt"], "which BrowserGym has, without an id"
    assert "Words in a tag of no standard" in gym.obs["dom_txt"]
