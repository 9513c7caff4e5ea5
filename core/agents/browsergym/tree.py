"""BrowserGym's `axtree_object` and `extra_element_properties`, from the nodes of one observation.

Shapes: Chrome's `Accessibility.getFullAXTree` with a `browsergym_id` at each element, and by that id
`{"visibility": 0..1, "bbox": [x, y, width, height] | None, "clickable": bool, "set_of_marks": bool}` with
boxes in CSS px of the viewport (BrowserGym 0.14, `core/observation.py`).
"""

from __future__ import annotations

from webbench.core.json_types import JsonObject
from webbench.core.text.field_labels import Element, field_labels

WITHOUT_ID = frozenset({"StaticText", "InlineTextBox"})
"""Roles of what is no element, and so has no id in BrowserGym; a line break is one where it has a tag."""

BY_LOOKS = frozenset({"cursor", "label", "shape"})
"""As the rendering has it, which an agent's own Python may lack the packages for."""

SMALLEST_MARK = 20.0
"""Square px below which an element gets no mark."""


PAGE = "RootWebArea"


def bid(node: JsonObject) -> str:
    """The node's BrowserGym id, "" for text and for the page itself.

    That of a page in a frame is the id of its body (see `body_bids`).
    """
    is_page = node["role"] == PAGE and not node.get("depth")
    is_text = node["role"] in WITHOUT_ID or (node["role"] == "LineBreak" and not node.get("tag"))
    return "" if is_page or is_text else str(node["id"])


def body_bids(nodes: list[JsonObject]) -> dict[int, str]:
    """The ids of the pages' bodies, by frame: what is focused where nothing else is.

    A body that the tree leaves out, as it does most, has the id of its page.
    """
    found = {node.get("frame", 0): str(node["id"]) for node in nodes if node["role"] == PAGE}
    return found | {node.get("frame", 0): bid(node) for node in nodes if node.get("tag") == "body"}


def focused_bid(nodes: list[JsonObject], focused: int | None) -> str:
    """`focused_element_bid`: of the focused element, or of the body of the page that has the keyboard."""
    node = next((node for node in nodes if node["id"] == focused), None)
    if node is not None and node["role"] != PAGE:
        return bid(node)
    return body_bids(nodes).get(node.get("frame", 0) if node is not None else 0, "")


def parents(nodes: list[JsonObject]) -> list[int | None]:
    """For each node the index of the one above it, None for a root."""
    above: list[int] = []
    found: list[int | None] = []
    for index, node in enumerate(nodes):
        while above and nodes[above[-1]].get("depth", 0) >= node.get("depth", 0):
            above.pop()
        found.append(above[-1] if above else None)
        above.append(index)
    return found


def accessibility_tree(nodes: list[JsonObject]) -> JsonObject:
    """`axtree_object`; node ids are texts, the first node is the root.

    What a person can click and Chromium's tree leaves out is in the document alone.
    """
    nodes = [node for node in nodes if not node.get("added")]
    made = [_node(index, node) for index, node in enumerate(nodes)]
    for index, parent in enumerate(parents(nodes)):
        if parent is not None:
            made[index]["parentId"] = str(parent)
            made[parent]["childIds"].append(str(index))
    return {"nodes": made or [_node(0, {"id": 0, "role": "RootWebArea"})]}


def _node(index: int, node: JsonObject) -> JsonObject:
    made: JsonObject = {
        "nodeId": str(index),
        "ignored": False,
        "role": {"type": "role", "value": node["role"]},
        "name": {"type": "computedString", "value": node.get("name", "")},
        "properties": [
            {"name": name, "value": {"type": _type(value), "value": value}}
            for name, value in node.get("states", {}).items()
        ],
        "childIds": [],
        "backendDOMNodeId": node["id"],
    }
    if node.get("value") is not None:
        made["value"] = {"type": "string", "value": node["value"]}
    if bid(node):
        made["browsergym_id"] = bid(node)
    return made


def _type(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


def element_properties(nodes: list[JsonObject], viewport: JsonObject) -> dict[str, JsonObject]:
    """`extra_element_properties` of every node with an id, and of the bodies of pages."""
    found: dict[str, JsonObject] = {}
    bodies = body_bids(nodes)
    labels = field_labels(
        Element(
            node["id"],
            node.get("depth", 0),
            node.get("frame", 0),
            node.get("tag", ""),
            node.get("attributes", {}),
            not node.get("states", {}).get("disabled"),
        )
        for node in nodes
    )
    for node in nodes:
        name = bodies.get(node.get("frame", 0), "") if node["role"] == PAGE else bid(node)
        if not name or name in found:
            continue
        visible = visibility(node, viewport)
        box = node.get("box")
        interactive = bool(node.get("interactive"))
        found[name] = {
            "visibility": visible,
            "bbox": list(box) if box else None,
            "clickable": (interactive and node.get("clickable") not in BY_LOOKS) or node["id"] in labels,
            "set_of_marks": bool(interactive and visible and box and box[2] * box[3] >= SMALLEST_MARK),
        }
    return found


def visibility(node: JsonObject, viewport: JsonObject) -> float:
    """Which share of its box lies in the viewport; what lies above it is not considered."""
    box = node.get("box")
    if not box or node.get("offscreen") or box[2] <= 0 or box[3] <= 0:
        return 0.0
    x, y, width, height = box
    across = min(x + width, viewport.get("width", 1280)) - max(x, 0)
    down = min(y + height, viewport.get("height", 720)) - max(y, 0)
    share: float = max(across, 0) * max(down, 0) / (width * height)
    return round(share, 2)
