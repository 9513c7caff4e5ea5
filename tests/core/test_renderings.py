"""Observations as text: the formats of WebArena and BrowserGym, and JSON."""

from __future__ import annotations

import json

import pytest

from webbench.core.errors import UsageError
from webbench.core.observation import (
    AccessibilityNode,
    Box,
    Candidate,
    Dialog,
    DialogueTurn,
    Observation,
    Tab,
    Viewport,
)
from webbench.core.renderings import FORMATS, browsergym_text, render, webarena_text
from webbench.core.renderings.observation_json import as_json

SEEN, BELOW = Box(0, 0, 10, 10), Box(0, 900, 10, 10)


def node(id: int, role: str, name: str = "", depth: int = 0, **more: object) -> AccessibilityNode:
    offscreen = bool(more.pop("below", False))
    return AccessibilityNode(
        id=id,
        role=role,
        name=name,
        depth=depth,
        box=BELOW if offscreen else SEEN,
        offscreen=offscreen,
        **more,  # type: ignore[arg-type]
    )


REQUIRED = {"required": True, "level": 2}
SHOP = Observation(
    url="http://shop.test/",
    title="Shop",
    tabs=(Tab(0, "Shop", "http://shop.test/", True), Tab(1, "Cart\n2", "http://shop.test/cart")),
    viewport=Viewport(1280, 720),
    nodes=(
        node(1, "RootWebArea", "Shop", states={"focusable": True, "focused": True}),
        node(2, "generic", depth=1),
        node(3, "button", "Menu", 2, states={"hasPopup": "menu", "expanded": False}, interactive=True),
        node(4, "StaticText", "Menu", 3),
        node(5, "LineBreak", "\n", 2),
        node(6, "textbox", "Search 'all'", 2, value="tea", interactive=True, states=REQUIRED),
        node(7, "StaticText", "Free delivery", 1),
        node(8, "list", depth=1, below=True),
        node(9, "link", "Tea", 2, below=True, interactive=True),
        node(10, "StaticText", "Tea", 3, below=True),
    ),
)  # fmt: skip


def test_webarena_text() -> None:
    assert webarena_text(SHOP).splitlines() == [
        "Tab 0 (current): Shop | Tab 1: Cart 2",
        "URL: http://shop.test/",
        "",
        "[1] RootWebArea 'Shop' focused: True",
        "\t[3] button 'Menu' hasPopup: menu expanded: False",
        "\t[5] LineBreak '\\n'",
        "\t[6] textbox \"Search 'all'\" required: True",
        "\t[7] StaticText 'Free delivery'",
        "\t[9] link 'Tea'",
    ]


def test_browsergym_text() -> None:
    assert browsergym_text(SHOP).splitlines() == [
        "RootWebArea 'Shop', focused",
        "\t[3] button 'Menu', clickable, visible, hasPopup='menu', expanded=False",
        "\t[6] textbox \"Search 'all'\" value='tea', clickable, visible, required",
        "\tStaticText 'Free delivery'",
        "\t[8] list ''",
        "\t\t[9] link 'Tea', clickable",
    ]


def test_viewport_only_leaves_out_what_lies_below() -> None:
    for text in (webarena_text(SHOP, viewport_only=True), browsergym_text(SHOP, viewport_only=True)):
        assert "Menu" in text
        assert "Tea" not in text
    kept = json.loads(as_json(SHOP, viewport_only=True))["nodes"]
    assert [entry["id"] for entry in kept] == [1, 2, 3, 4, 5, 6, 7]


def test_a_seen_node_keeps_its_unseen_ancestors() -> None:
    outer = Observation(
        nodes=(node(1, "RootWebArea"), node(2, "list", depth=1, below=True), node(3, "link", "x", 2))
    )
    kept = json.loads(as_json(outer, viewport_only=True))["nodes"]
    assert [entry["id"] for entry in kept] == [1, 2, 3]


def test_the_options_of_a_closed_list_are_seen_with_it() -> None:
    def page(*, below: bool) -> Observation:
        options = (AccessibilityNode(id=at, role="option", name=f"Day {at}", depth=3) for at in (4, 5))
        return Observation(
            nodes=(
                node(1, "RootWebArea"),
                node(2, "combobox", "Day", depth=1, below=below),
                AccessibilityNode(id=3, role="MenuListPopup", depth=2),
                *options,
                AccessibilityNode(id=6, role="option", name="of no list", depth=1),
            )
        )

    kept = [json.loads(as_json(page(below=below), viewport_only=True))["nodes"] for below in (False, True)]
    assert [[entry["id"] for entry in one] for one in kept] == [[1, 2, 3, 4, 5], [1]]


def test_json_document() -> None:
    document = json.loads(as_json(SHOP))
    assert document["schema_version"] == 1
    assert document["url"] == "http://shop.test/"
    assert document["nodes"][5] == {
        "id": 6,
        "role": "textbox",
        "name": "Search 'all'",
        "value": "tea",
        "depth": 2,
        "box": [0.0, 0.0, 10.0, 10.0],
        "states": {"required": True, "level": 2},
        "interactive": True,
    }


@pytest.mark.parametrize("format", ["webarena", "browsergym"])
def test_names_cannot_break_lines_or_reach_the_terminal(format: str) -> None:
    hostile = Observation(
        title="a\nTab 9: b",
        nodes=(node(1, "RootWebArea", "x\n[2] button 'y'"), node(2, "button", "\x1b]0;t\x07", 1)),
    )
    text = render(hostile, format)
    assert "\x1b" not in text
    assert sum(line.lstrip().startswith("[2]") for line in text.splitlines()) == 1


def test_every_format_takes_an_empty_observation() -> None:
    assert all(isinstance(render(Observation(), name), str) for name in FORMATS)


@pytest.mark.parametrize("format", ["webarena", "browsergym"])
def test_an_open_dialog_and_a_broken_page_are_told(format: str) -> None:
    asked = Observation(url="http://a.test/", dialog=Dialog("prompt", "How\nmany\x1b?", "1"))
    told = "Dialog open: prompt 'How␤many␛?', default '1'; answer it before anything else"
    assert render(asked, format).splitlines()[-1] == told
    assert json.loads(as_json(asked))["dialog"] == {
        "kind": "prompt",
        "message": "How\nmany\x1b?",
        "default": "1",
    }
    offline = Observation(nodes=SHOP.nodes, condition="offline", problem="a.test does not answer")
    lines = render(offline, format).splitlines()
    assert "Condition: offline: a.test does not answer" in lines
    assert lines[-2:] == render(SHOP, format).splitlines()[-2:], "what is there is still shown"
    long = Observation(dialog=Dialog("alert", "x" * 1_000_000))
    assert len(render(long, format)) < 1200


@pytest.mark.parametrize("format", ["webarena", "browsergym"])
def test_a_dialogue_and_likely_elements_stand_above_the_tree(format: str) -> None:
    turns = [DialogueTurn(index=at, speaker="instructor", text=f"turn {at}\x1b[2J\n") for at in range(12)]
    seen = Observation(
        nodes=(node(1, "RootWebArea", "Page"),),
        dialogue=tuple(turns),
        candidates=(Candidate(node=7, score=2), Candidate(node=3, score=1)),
    )
    text = render(seen, format)
    assert text.index("Dialogue so far:\ninstructor: turn 2␛[2J␤\n") < text.index("Likely elements: [7] [3]")
    assert "turn 1␛" not in text
    assert text.index("[7] [3]") < text.index("RootWebArea")


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="webarena, browsergym, json"):
        render(SHOP, "xml")
