"""The `obs` has BrowserGym's fields in BrowserGym's shapes, made from ours."""

from __future__ import annotations

import io

import msgspec
import numpy
from PIL import Image

from tests.core.agents.browsergym.page import PAGE, line
from webbench.core.agents.browsergym.obs import Observer
from webbench.core.json_types import JsonObject
from webbench.core.observation import (
    AccessibilityNode,
    Box,
    Dialog,
    DialogueTurn,
    Observation,
    Screenshot,
    Viewport,
)

FIELDS = {
    "chat_messages",
    "goal",
    "goal_object",
    "open_pages_urls",
    "open_pages_titles",
    "active_page_index",
    "url",
    "screenshot",
    "dom_object",
    "axtree_object",
    "extra_element_properties",
    "focused_element_bid",
    "last_action",
    "last_action_error",
    "elapsed_time",
}
"""Of the observation space of BrowserGym's `BrowserEnv`."""


def obs(last_action: str = "", picture: Screenshot | None = None, **more: object) -> JsonObject:
    return Observer("Tick them").obs(line(PAGE, picture, **more), last_action)


def test_it_has_all_fields_and_the_texts_of_the_default_preprocessor() -> None:
    made = obs("click('3')", last_error="covered")
    assert set(made) == FIELDS | {"axtree_txt", "dom_txt", "pruned_html"}
    assert made["goal_object"] == ({"type": "text", "text": "Tick them"},)
    assert made["open_pages_titles"] == ("Other", "Form")
    assert made["active_page_index"].tolist() == [1]
    assert made["elapsed_time"].shape == (1,)
    assert (made["focused_element_bid"], made["url"]) == ("6", "http://e.org/form")
    assert (made["last_action"], made["last_action_error"]) == ("click('3')", "covered")
    assert "[4] checkbox 'First', clickable, visible, checked=False" in made["axtree_txt"]


def test_the_tree_is_chromes_with_a_bid_at_every_element() -> None:
    nodes = obs()["axtree_object"]["nodes"]
    assert [node.get("browsergym_id") for node in nodes] == [None, "2", None, "4", "5", "6", "7"]
    assert nodes[0]["childIds"] == ["1", "3", "4", "6"]
    assert (nodes[5]["parentId"], nodes[5]["value"]["value"]) == ("4", "x<y")
    assert nodes[3]["role"]["value"] == "checkbox"
    assert nodes[3]["properties"] == [{"name": "checked", "value": {"type": "boolean", "value": False}}]


def test_elements_have_boxes_visibility_and_marks() -> None:
    properties = obs()["extra_element_properties"]
    assert properties["4"] == {
        "visibility": 0.5,
        "bbox": [10.0, 710.0, 20.0, 20.0],
        "clickable": True,
        "set_of_marks": True,
    }
    assert (properties["7"]["visibility"], properties["7"]["set_of_marks"]) == (0.0, False)
    assert properties["6"]["set_of_marks"] is False, "too small for a mark"
    assert properties["2"]["clickable"] is False


def test_what_chromes_tree_and_browsergym_leave_out_is_in_the_document_alone() -> None:
    icon = AccessibilityNode(
        id=8, role="image", depth=1, tag="svg", interactive=True, clickable="listener", added=True
    )
    hand = AccessibilityNode(id=9, role="generic", depth=1, tag="p", interactive=True, clickable="cursor")
    page = msgspec.structs.replace(PAGE, nodes=(*PAGE.nodes, icon, hand))
    made = Observer("Tick them").obs(line(page), "")
    assert [node["backendDOMNodeId"] for node in made["axtree_object"]["nodes"]] == [1, 2, 3, 4, 5, 6, 7, 9]
    assert 'bid="8"' in made["dom_txt"]
    assert [made["extra_element_properties"][bid]["clickable"] for bid in "89"] == [True, False]


def test_the_document_is_rebuilt_from_the_tree() -> None:
    made = obs()
    assert made["dom_txt"] == (
        '<h1 bid="2">\n Boxes\n</h1>\n'
        '<input bid="4" name="a" type="checkbox" aria-label="First">\n'
        '<input bid="6" aria-label="Name" value="x&lt;y">\n'
        '<a bid="7" aria-label="Far">\n</a>'
    )
    document, strings = made["dom_object"]["documents"][0], made["dom_object"]["strings"]
    names = [strings[index] for index in document["nodes"]["nodeName"]]
    assert names == ["#document", "HTML", "BODY", "H1", "#text", "INPUT", "INPUT", "A"]
    assert document["nodes"]["parentIndex"] == [-1, 0, 1, 2, 3, 2, 2, 2]
    pairs = [strings[index] for index in document["nodes"]["attributes"][5]]
    assert dict(zip(pairs[::2], pairs[1::2], strict=True))["browsergym_visibility_ratio"] == "0.5"
    assert document["layout"]["bounds"][2] == [10.0, 710.0, 20.0, 20.0]


FRAMED = (
    AccessibilityNode(id=1, role="RootWebArea", name="Outer", box=Box(0, -100, 1280, 3000)),
    AccessibilityNode(id=2, role="button", depth=1, name="Send", tag="button", attributes={"value": "now"}),
    AccessibilityNode(id=3, role="button", depth=1, name="Stop", tag="input", attributes={"type": "submit"}),
    AccessibilityNode(id=4, role="Iframe", depth=1, tag="iframe", box=Box(50, 60, 304, 154)),
    AccessibilityNode(id=5, role="RootWebArea", depth=2, name="Inner", frame=1, box=Box(52, 42, 300, 500)),
    AccessibilityNode(
        id=6, role="combobox", depth=3, value="x", tag="input", frame=1, box=Box(60, 70, 10, 10)
    ),
    AccessibilityNode(id=7, role="Iframe", depth=3, tag="iframe", frame=1),
    AccessibilityNode(id=8, role="RootWebArea", depth=4, frame=2),
    AccessibilityNode(id=9, role="StaticText", depth=5, name="deep", frame=2),
    AccessibilityNode(id=10, role="link", depth=1, name="After", tag="a"),
)
PAGES = ("http://e.org/", "http://e.org/inner", "data:text/html,deep")


def test_the_document_of_each_frame_is_one_of_its_own() -> None:
    page = Observation(nodes=FRAMED, frames=PAGES, viewport=Viewport(1280, 720, 0.0, 100.0), focused=8)
    made = Observer("Tick them").obs(line(page), "")
    documents, strings = made["dom_object"]["documents"], made["dom_object"]["strings"]
    assert [strings[document["documentURL"]] for document in documents] == list(PAGES)
    names = [[strings[index] for index in document["nodes"]["nodeName"]] for document in documents]
    assert names == [
        ["#document", "HTML", "BODY", "BUTTON", "INPUT", "IFRAME", "A"],
        ["#document", "HTML", "BODY", "INPUT", "IFRAME"],
        ["#document", "HTML", "BODY", "#text"],
    ]
    contents = [document["nodes"]["contentDocumentIndex"] for document in documents]
    assert contents[:2] == [{"index": [5], "value": [1]}, {"index": [4], "value": [2]}]
    values = [attributes(made, 0, place).get("value") for place in (3, 4, 5)]
    assert values == ["now", "", None]
    assert attributes(made, 1, 2)["bid"] == "5"
    inner = documents[1]
    assert inner["layout"]["bounds"] == [[0, 0, 300, 500], [8, 28, 10, 10]]
    assert (inner["scrollOffsetX"], inner["scrollOffsetY"]) == (-2, 18)
    assert inner["nodes"]["inputValue"]["index"] == [3]
    assert made["focused_element_bid"] == "8"


def attributes(made: JsonObject, document: int, place: int) -> dict[str, str]:
    strings = made["dom_object"]["strings"]
    row = made["dom_object"]["documents"][document]["nodes"]["attributes"][place]
    texts = [strings[index] for index in row]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def test_the_body_is_focused_where_nothing_else_is() -> None:
    for focused in (1, None):
        made = Observer("Tick them").obs(line(msgspec.structs.replace(PAGE, focused=focused)), "")
        assert made["focused_element_bid"] == "1"
        assert made["extra_element_properties"]["1"]["bbox"] == [0.0, 0.0, 1280.0, 3000.0]
    body = AccessibilityNode(id=12, role="generic", depth=1, tag="body", box=Box(0, 0, 9, 9))
    page = Observation(nodes=(FRAMED[0], body), focused=1)
    made = Observer("Tick them").obs(line(page), "")
    assert (made["focused_element_bid"], attributes(made, 0, 2)["bid"]) == ("12", "12")


def test_the_picture_is_an_array_of_height_width_and_rgb() -> None:
    packed = io.BytesIO()
    Image.new("RGBA", (4, 2), (250, 0, 0, 255)).save(packed, "PNG")
    made = obs(picture=Screenshot(packed.getvalue(), "png", 4, 2))["screenshot"]
    assert (made.shape, made.dtype, made[0, 0].tolist()) == ((2, 4, 3), numpy.uint8, [250, 0, 0])
    assert obs()["screenshot"] is None


def test_what_was_said_and_what_went_wrong_is_told() -> None:
    talk = (
        DialogueTurn(index=0, speaker="instructor", text="Open it"),
        DialogueTurn(index=1, speaker="navigator", text="ok"),
    )
    observer = Observer("Tick them")
    observer.chat.say("done")
    made = observer.obs(
        line(
            msgspec.structs.replace(PAGE, dialogue=talk, dialog=Dialog("alert", "Careful")),
            rejected="too soon",
        ),
        "",
    )
    told = [(message["role"], message["message"]) for message in made["chat_messages"]]
    assert told[1:] == [
        ("user", "Tick them"),
        ("user", "Open it"),
        ("assistant", "ok"),
        ("assistant", "done"),
    ]
    assert made["last_action_error"] == "rejected by the user: too soon; a dialog is open: Careful"
