"""BrowserGym's `dom_object` and HTML texts, rebuilt from the accessibility tree.

An observation of ours holds no DOM. So the document has the elements that the tree names, with their tags,
ids, form attributes and texts; what the tree leaves out (layout without a role, scripts, styles) is missing.
Shape: Chrome's `DOMSnapshot.captureSnapshot`, as far as BrowserGym reads it.
"""

from __future__ import annotations

from html import escape

from webbench.core.agents.browsergym.tree import bid, parents, visibility
from webbench.core.json_types import JsonObject

ELEMENT, TEXT, DOCUMENT = 1, 3, 9
VISIBILITY, MARK = "browsergym_visibility_ratio", "browsergym_set_of_marks"
VOID = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


class Strings:
    """The snapshot's table of texts."""

    def __init__(self) -> None:
        self.table: list[str] = []
        self._index: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        if text not in self._index:
            self._index[text] = len(self.table)
            self.table.append(text)
        return self._index[text]


def dom_snapshot(
    nodes: list[JsonObject], properties: dict[str, JsonObject], viewport: JsonObject
) -> JsonObject:
    """`dom_object`: one document, frames in it in line. `properties` are those of `element_properties`."""
    strings = Strings()
    built = _Document(strings, viewport)
    for index, (node, parent) in enumerate(_elements_and_texts(nodes)):
        built.add(index, node, parent, properties.get(bid(node), {}))
    document = {
        "documentURL": strings(""),
        "scrollOffsetX": viewport.get("scroll_x", 0.0),
        "scrollOffsetY": viewport.get("scroll_y", 0.0),
        "nodes": built.nodes,
        "layout": built.layout,
    }
    return {"documents": [document], "strings": strings.table}


def _elements_and_texts(nodes: list[JsonObject]) -> list[tuple[JsonObject, int | None]]:
    """Each node with the index of the one above it; a name that stands in the element as text is no label."""
    above = parents(nodes)
    found = [dict(node) for node in nodes]
    for node, parent in zip(found, above, strict=True):
        while parent is not None and not found[parent].get("tag"):
            parent = above[parent]
        over = found[parent] if parent is not None else {}
        if node["role"] == "StaticText" and over.get("tag") in VOID:
            node["role"] = "InlineTextBox"
        elif node["role"] == "StaticText" and node.get("name", "").strip() == over.get("name", "").strip():
            over.pop("name", None)
    return list(zip(found, above, strict=True))


class _Document:
    """Parallel lists, as the snapshot has them."""

    def __init__(self, strings: Strings, viewport: JsonObject) -> None:
        self._strings = strings
        self._viewport = viewport
        self._place: dict[int | None, int] = {}
        self.nodes: JsonObject = {
            name: []
            for name in ("parentIndex", "nodeType", "nodeName", "nodeValue", "backendNodeId", "attributes")
        }
        self.nodes["isClickable"] = {"index": []}
        self.nodes["contentDocumentIndex"] = {"index": [], "value": []}
        self.layout: JsonObject = {"nodeIndex": [], "bounds": [], "clientRects": []}
        self._append(-1, DOCUMENT, "#document", "", {}, 0)
        self._place[None] = self._append(0, ELEMENT, "HTML", "", {}, 0)

    def add(self, index: int, node: JsonObject, parent: int | None, properties: JsonObject) -> None:
        above = self._place[parent]
        if node["role"] == "StaticText":
            self._place[index] = self._append(above, TEXT, "#text", node.get("name", ""), {}, node["id"])
        elif not node.get("tag"):
            self._place[index] = above
        else:
            attributes = attributes_of(node) | _marks(node, properties, self._viewport)
            place = self._append(above, ELEMENT, node["tag"].upper(), "", attributes, node["id"])
            self._place[index] = place
            if properties.get("clickable"):
                self.nodes["isClickable"]["index"].append(place)
            self._lay_out(place, node.get("box"))

    def _append(
        self, parent: int, kind: int, name: str, value: str, attributes: dict[str, str], id: int
    ) -> int:
        text = self._strings
        pairs = [text(part) for pair in attributes.items() for part in pair]
        row = (parent, kind, text(name), text(value) if kind == TEXT else -1, id, pairs)
        for column, cell in zip(
            ("parentIndex", "nodeType", "nodeName", "nodeValue", "backendNodeId", "attributes"),
            row,
            strict=True,
        ):
            self.nodes[column].append(cell)
        return len(self.nodes["parentIndex"]) - 1

    def _lay_out(self, place: int, box: list[float] | None) -> None:
        if not box:
            return
        x, y = self._viewport.get("scroll_x", 0.0), self._viewport.get("scroll_y", 0.0)
        self.layout["nodeIndex"].append(place)
        self.layout["bounds"].append([box[0] + x, box[1] + y, box[2], box[3]])
        self.layout["clientRects"].append([0.0, 0.0, box[2], box[3]])


def _marks(node: JsonObject, properties: JsonObject, viewport: JsonObject) -> dict[str, str]:
    marked = "1" if properties.get("set_of_marks") else "0"
    return {VISIBILITY: str(visibility(node, viewport)), MARK: marked}


def attributes_of(node: JsonObject) -> dict[str, str]:
    """HTML attributes as far as the tree tells them; the accessible name is `aria-label`, or `alt`."""
    found = {"bid": bid(node)} if bid(node) else {}
    found |= {name: str(value) for name, value in node.get("attributes", {}).items() if name != "bid"}
    named = node.get("name") not in ("", None, found.get("placeholder"))
    if named and node["role"] != "generic":
        found["alt" if node.get("tag") == "img" else "aria-label"] = node["name"]
    if node.get("value") is not None:
        found["value"] = str(node["value"])
    for state in ("checked", "disabled", "required", "selected"):
        if node.get("states", {}).get(state) in (True, "true"):
            found[state] = ""
    return found


def html_text(nodes: list[JsonObject]) -> str:
    """The same document as indented HTML."""
    lines: list[str] = []
    open_tags: list[tuple[int, str]] = []

    def close_to(depth: int) -> None:
        while open_tags and open_tags[-1][0] >= depth:
            _, tag = open_tags.pop()
            lines.append(f"{' ' * len(open_tags)}</{tag}>")

    for node, _ in _elements_and_texts(nodes):
        depth = node.get("depth", 0)
        close_to(depth)
        indent = " " * len(open_tags)
        if node["role"] == "StaticText":
            lines.append(indent + escape(node.get("name", ""), quote=False))
        elif node.get("tag"):
            shown = "".join(f' {name}="{escape(value)}"' for name, value in attributes_of(node).items())
            lines.append(f"{indent}<{node['tag']}{shown}>")
            if node["tag"] not in VOID:
                open_tags.append((depth, node["tag"]))
    close_to(-1)
    return "\n".join(lines)
