"""The tree of a recorded page: roles, names, values and states from the markup alone."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from tests.benchmarks.weblinx.turns import box
from webbench.benchmarks.weblinx.pages.accessibility_tree import PageTree, page_tree
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.observation import Box, Viewport


def tree(body: str, boxes: dict[str, Any] | None = None) -> PageTree:
    numbers = count(1)
    html = f"<html><head><title> The \n page </title></head><body>{body}</body></html>"
    return page_tree(html, boxes or {}, Viewport(300, 200), lambda _uid: next(numbers))


def first(body: str) -> Any:
    """The first node that isn't the page itself."""
    return tree(body).nodes[1]


@pytest.mark.parametrize(
    ("markup", "role", "name", "value"),
    [
        ("<a href='/x'>Go <img alt='now'></a>", "link", "Go now", None),
        ("<button aria-label='Close'>x</button>", "button", "Close", None),
        ("<input type=submit value=Buy>", "button", "Buy", None),
        ("<input placeholder=Find value=mug>", "textbox", "Find", "mug"),
        ("<input type=password value=secret aria-label=Word>", "textbox", "Word", None),
        ("<label>Colour <input type=radio></label>", "LabelText", "", None),
        ("<textarea title=Note>Dear\nyou</textarea>", "textbox", "Note", "Dear\nyou"),
        ("<select aria-label=Size><option>S<option selected>M</select>", "combobox", "Size", "M"),
        ("<h2>One <b>two</b></h2>", "heading", "One two", None),
        ("<div role='dialog extra' title=Cookies>x</div>", "dialog", "Cookies", None),
        ("<svg><title>no</title><path d=''></path></svg>", "image", "", None),
        ("<span tabindex=0>x</span>", "generic", "", None),
    ],
)
def test_roles_names_and_values(markup: str, role: str, name: str, value: str | None) -> None:
    node = first(markup)
    assert (node.role, node.name, node.value) == (role, name, value)


def test_labels_name_their_fields_wherever_they_stand() -> None:
    nodes = tree(
        "<label for=q>Words</label><label>Red <input type=checkbox checked></label><input id=q>"
    ).nodes
    named = {node.role: node for node in nodes if node.interactive}
    assert (named["textbox"].name, named["checkbox"].name) == ("Words", "Red")
    assert named["checkbox"].states == {"checked": True}


def test_states_are_those_that_the_markup_tells() -> None:
    assert first("<h3>x</h3>").states == {"level": 3}
    assert first("<button disabled aria-expanded=false>x</button>").states == {
        "disabled": True,
        "expanded": False,
    }
    assert first("<div role=switch aria-checked=true>x</div>").states == {"checked": True}


def test_what_the_markup_hides_is_not_there() -> None:
    hidden = "<p hidden>a</p><p style='DISPLAY: none'>b</p><p aria-hidden=true>c</p><script>d</script>"
    nodes = tree(f"{hidden}<noscript>e</noscript><input type=hidden value=f><!-- g --><p>seen</p>").nodes
    assert [node.role for node in nodes] == ["RootWebArea", "paragraph", "StaticText"]
    assert nodes[0].name == "The page"


def test_boxes_ids_and_depths_follow_the_markup() -> None:
    body = f"<div {ID}=menu><div><a href=/x {ID}=far>Far</a> and <i>more</i></div></div>"
    found = tree(body, {"menu": box(0, 0, 100, 40), "far": box(0, 900, 50, 920), "other": {"left": "x"}})
    menu, far, far_text, rest, more = found.nodes[1:]
    assert (menu.role, menu.box, menu.depth, menu.offscreen) == ("generic", Box(0, 0, 100, 40), 1, False)
    assert (far.box, far.depth, far.offscreen) == (Box(0, 900, 50, 20), 2, True)
    assert (far_text.box, rest.box) == (far.box, None)
    assert [found.uids[node.id] for node in (menu, far, far_text, rest)] == ["menu", "far", "far", "menu"]
    assert (rest.name, rest.depth) == ("and", 2)
    assert more.name == "more"
