"""BrowserGym's `dom_object` and HTML texts, rebuilt from the accessibility tree.

An observation of ours holds no DOM. So the document has the elements that the tree names, with their tags,
ids, form attributes and texts; what the tree leaves out (layout without a role, scripts, styles) is missing.
Shape: Chrome's `DOMSnapshot.captureSnapshot`, as far as BrowserGym reads it.
"""

from __future__ import annotations

from html import escape

from webbench.core.agents.browsergym.tree import PAGE, bid, body_bids, parents, visibility
from webbench.core.json_types import JsonObject

ELEMENT, TEXT, DOCUMENT = 1, 3, 9
VISIBILITY, MARK = "browsergym_visibility_ratio", "browsergym_set_of_marks"
COLUMNS = ("parentIndex", "nodeType", "nodeName", "nodeValue", "backendNodeId", "attributes")
FEW_HAVE = ("contentDocumentIndex", "inputValue", "textValue")
FEW_ARE = ("isClickable", "inputChecked", "optionSelected")
BUTTONS = frozenset({"button", "submit", "reset", "image"})
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


def dom_snapshot(page: JsonObject, properties: dict[str, JsonObject]) -> JsonObject:
    """`dom_object` of an observation: one document per frame, the main one first.

    Args:
        page: the observation, as it is sent.
        properties: those of `element_properties`.
    """
    nodes, viewport = page.get("nodes", []), page.get("viewport", {})
    strings = Strings()
    addresses = page.get("frames") or [page.get("url", "")]
    bodies = body_bids(nodes)
    top = _Document(strings, viewport, addresses[0], page.get("title", ""))
    documents, by_frame = [top], {0: top}
    top.begin(nodes[0] if nodes and nodes[0]["role"] == PAGE else {}, bodies.get(0, ""))
    for index, (node, parent) in enumerate(_elements_and_texts(nodes)):
        frame = node.get("frame", 0)
        if node["role"] == PAGE and frame not in by_frame:
            address = addresses[frame] if frame < len(addresses) else ""
            inner = by_frame[frame] = _Document(strings, viewport, address, node.get("name", ""))
            documents.append(inner)
            holder = nodes[parent] if parent is not None else {}
            by_frame.get(holder.get("frame", 0), top).hold(parent, len(documents) - 1)
            inner.begin(node, bodies.get(frame, ""), holder)
        document = by_frame.get(frame, top)
        if node["role"] == PAGE:
            document.enter(index)
        else:
            document.add(index, node, parent, properties.get(bid(node), {}))
    return {"documents": [document.snapshot() for document in documents], "strings": strings.table}


def _elements_and_texts(nodes: list[JsonObject]) -> list[tuple[JsonObject, int | None]]:
    """Each node with the index of the one above it; a name that stands in the element as text is no label."""
    above = parents(nodes)
    found = [dict(node) for node in nodes]
    for node, parent in zip(found, above, strict=True):
        while parent is not None and not found[parent].get("tag") and found[parent]["role"] != PAGE:
            parent = above[parent]
        over = found[parent] if parent is not None else {}
        if node["role"] == "StaticText" and over.get("tag") in VOID:
            node["role"] = "InlineTextBox"
        elif node["role"] == "StaticText" and node.get("name", "").strip() == over.get("name", "").strip():
            over.pop("name", None)
    return list(zip(found, above, strict=True))


class _Document:
    """The document of one frame, in parallel lists, as the snapshot has them."""

    def __init__(self, strings: Strings, viewport: JsonObject, address: str, title: str) -> None:
        self._strings = strings
        self._viewport = viewport
        self._place: dict[int | None, int] = {}
        self._address = strings(address)
        self._title = strings(title)
        self._origin = (0.0, 0.0)
        self._scroll = (0.0, 0.0)
        self._size = (0.0, 0.0)
        self.nodes: JsonObject = {name: [] for name in COLUMNS}
        for name in FEW_HAVE:
            self.nodes[name] = {"index": [], "value": []}
        for name in FEW_ARE:
            self.nodes[name] = {"index": []}
        self.layout: JsonObject = {"nodeIndex": [], "styles": [], "bounds": [], "text": [], "clientRects": []}

    def begin(self, page: JsonObject, body: str, holder: JsonObject | None = None) -> None:
        """Its own nodes: the document, HTML, and BODY where the tree leaves that out.

        Args:
            page: the node of the page.
            body: the id of its body.
            holder: the frame element that it is in; None for the main document.
        """
        left, top, width, height = page.get("box") or (0.0, 0.0, 0.0, 0.0)
        self._size = (width, height)
        if holder is None:
            self._scroll = (self._viewport.get("scroll_x", 0.0), self._viewport.get("scroll_y", 0.0))
            self._origin = (-self._scroll[0], -self._scroll[1])
        else:
            outer = holder.get("box") or (left, top)
            self._scroll, self._origin = (outer[0] - left, outer[1] - top), (left, top)
        self._append(-1, DOCUMENT, "#document", "", {}, 0)
        place = self._append(0, ELEMENT, "HTML", "", {}, 0)
        if body and body == str(page.get("id")):
            attributes = {"bid": body} | _marks(page, {}, self._viewport)
            place = self._append(place, ELEMENT, "BODY", "", attributes, page["id"])
            self._lay_out(place, page.get("box"))
        self._place[None] = place

    def enter(self, index: int) -> None:
        """What lies in this node, the page, lies in the body."""
        self._place[index] = self._place[None]

    def hold(self, index: int | None, document: int) -> None:
        """The node, a frame element, holds the document of this number."""
        self.nodes["contentDocumentIndex"]["index"].append(self._place.get(index, 0))
        self.nodes["contentDocumentIndex"]["value"].append(document)

    def add(self, index: int, node: JsonObject, parent: int | None, properties: JsonObject) -> None:
        above = self._place.get(parent, self._place[None])
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
            self._hold_value(place, node)
            self._lay_out(place, node.get("box"))

    def snapshot(self) -> JsonObject:
        """One of `documents`; lengths in CSS px, those of `layout` from the document's top-left corner."""
        return {
            "documentURL": self._address,
            "title": self._title,
            "baseURL": self._address,
            "frameId": self._strings(""),
            "nodes": self.nodes,
            "layout": self.layout,
            "textBoxes": {"layoutIndex": [], "bounds": [], "start": [], "length": []},
            "scrollOffsetX": self._scroll[0],
            "scrollOffsetY": self._scroll[1],
            "contentWidth": self._size[0],
            "contentHeight": self._size[1],
        }

    def _hold_value(self, place: int, node: JsonObject) -> None:
        states = node.get("states", {})
        column = {"input": "inputValue", "textarea": "textValue"}.get(node["tag"])
        if column and node.get("value") is not None:
            self.nodes[column]["index"].append(place)
            self.nodes[column]["value"].append(self._strings(str(node["value"])))
        for state, column in (("checked", "inputChecked"), ("selected", "optionSelected")):
            if states.get(state) in (True, "true"):
                self.nodes[column]["index"].append(place)

    def _append(
        self, parent: int, kind: int, name: str, value: str, attributes: dict[str, str], id: int
    ) -> int:
        text = self._strings
        pairs = [text(part) for pair in attributes.items() for part in pair]
        row = (parent, kind, text(name), text(value) if kind == TEXT else -1, id, pairs)
        for column, cell in zip(COLUMNS, row, strict=True):
            self.nodes[column].append(cell)
        return len(self.nodes["parentIndex"]) - 1

    def _lay_out(self, place: int, box: list[float] | None) -> None:
        if not box:
            return
        x, y = self._origin
        self.layout["nodeIndex"].append(place)
        self.layout["styles"].append([])
        self.layout["text"].append(-1)
        self.layout["bounds"].append([box[0] - x, box[1] - y, box[2], box[3]])
        self.layout["clientRects"].append([0.0, 0.0, box[2], box[3]])


def _marks(node: JsonObject, properties: JsonObject, viewport: JsonObject) -> dict[str, str]:
    marked = "1" if properties.get("set_of_marks") else "0"
    return {VISIBILITY: str(visibility(node, viewport)), MARK: marked}


def attributes_of(node: JsonObject) -> dict[str, str]:
    """HTML attributes as far as the tree tells them; the accessible name is `aria-label`, or `alt`."""
    found = {"bid": bid(node)} if bid(node) else {}
    found |= {name: str(value) for name, value in node.get("attributes", {}).items() if name != "bid"}
    named = (node.get("name") or "").strip() not in ("", found.get("placeholder"))
    if named and node["role"] != "generic":
        found["alt" if node.get("tag") == "img" else "aria-label"] = node["name"]
    if node.get("value") is not None:
        found["value"] = str(node["value"])
    if node.get("tag") == "button" or (node.get("tag") == "input" and found.get("type") in BUTTONS):
        found.setdefault("value", "")
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
