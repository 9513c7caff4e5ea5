"""The accessibility tree of a recorded page: its HTML, and the boxes of its elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from webbench.benchmarks.weblinx.pages import html_roles
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.json_types import JsonObject
from webbench.core.observation import AccessibilityNode, Box, Viewport

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MOST_NODES = 100_000
_KEPT_ATTRIBUTES = ("id", "name", "type", "href", "placeholder", "value")
_LONGEST_ATTRIBUTE = 1000
_LONGEST_TEXT = 10_000


class PageTree(msgspec.Struct, frozen=True):
    """What is read of a page.

    Attributes:
        title: of the document.
        nodes: in document order; ids of nodes without an id in the markup are good for this page only.
        uids: for each node, the id in the markup of the nearest element that has one: its own, or one
            around it.
        root: the parsed document, an element of lxml; None where there is none.
    """

    title: str = ""
    nodes: tuple[AccessibilityNode, ...] = ()
    uids: Mapping[int, str] = {}
    root: Any = None


Number = Callable[[str], int]
"""The short id of the element with this id in the markup; a new one for "" each time."""


def page_tree(html: str, boxes: Mapping[str, JsonObject], viewport: Viewport, number: Number) -> PageTree:
    """The tree of a page; empty for HTML that holds nothing."""
    root = parsed(html)
    if root is None:
        return PageTree()
    title = _line(next((element.text for element in root.iter("title")), ""))
    walk = _Walk(boxes, viewport, number, title, _labels(root))
    return PageTree(title, tuple(walk.nodes(root)), walk.uids, root)


def parsed(html: str) -> HtmlElement | None:
    """The document's root element, None where there is none."""
    import lxml.etree
    import lxml.html

    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        return lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except lxml.etree.LxmlError:
        return None


def _labels(root: HtmlElement) -> dict[str, str]:
    return {label.get("for"): html_roles.text_of(label) for label in root.iter("label") if label.get("for")}


class _Text(msgspec.Struct, frozen=True):
    """A text of the page; `alone` in an element that has an id, whose box is therefore its own."""

    text: str
    alone: bool = False


class _Walk:
    """One pass over a page in document order, without recursion: markup may be nested a thousand deep."""

    def __init__(
        self,
        boxes: Mapping[str, JsonObject],
        viewport: Viewport,
        number: Number,
        title: str,
        labels: Mapping[str, str],
    ) -> None:
        self._boxes, self._viewport, self._number = boxes, viewport, number
        self._title, self._labels = title, labels
        self.uids: dict[int, str] = {}

    def nodes(self, root: HtmlElement) -> Iterator[AccessibilityNode]:
        """The root, then what is in it; at most `MOST_NODES`."""
        waiting: list[tuple[HtmlElement | _Text, int, str]] = [(root, 0, "")]
        for _ in range(MOST_NODES):
            if not waiting:
                return
            found, depth, around = waiting.pop()
            if isinstance(found, _Text):
                yield self._text(found, depth, around)
                continue
            if not isinstance(found.tag, str) or html_roles.hidden(found):
                continue
            node = self._element(found, depth, around)
            if node is not None:
                yield node
            inner = depth + (node is not None)
            around = found.get(ID) or around
            waiting += [(part, inner, around) for part in reversed(_parts(found))]

    def _element(self, element: HtmlElement, depth: int, around: str) -> AccessibilityNode | None:
        """None for a wrapper that nobody can name or act on."""
        uid = element.get(ID) or ""
        role = "RootWebArea" if depth == 0 else html_roles.role_of(element)
        box = _box(self._boxes.get(uid))
        acted_on = html_roles.interactive(element, role)
        if role == html_roles.GENERIC and box is None and not acted_on:
            return None
        name = html_roles.name_of(element, role, self._labels) if depth else self._title
        node = AccessibilityNode(
            id=self._number(uid),
            role=role,
            name=name,
            value=html_roles.value_of(element),
            depth=depth,
            box=box,
            states=html_roles.states_of(element, role),
            interactive=acted_on,
            offscreen=self._offscreen(box),
            tag=element.tag,
            attributes=_attributes(element) if acted_on else {},
        )
        if uid or around:
            self.uids[node.id] = uid or around
        return node

    def _text(self, text: _Text, depth: int, around: str) -> AccessibilityNode:
        box = _box(self._boxes.get(around))
        node = AccessibilityNode(
            id=self._number(""),
            role="StaticText",
            name=text.text,
            depth=depth,
            box=box if text.alone else None,
            offscreen=self._offscreen(box),
        )
        if around:
            self.uids[node.id] = around
        return node

    def _offscreen(self, box: Box | None) -> bool:
        return box is not None and not box.intersects(self._viewport.width, self._viewport.height)


def _parts(element: HtmlElement) -> list[HtmlElement | _Text]:
    """Texts and elements in it, in order; options and text fields give their text as name and value."""
    if element.tag in ("option", "textarea"):
        return []
    texts_count = element.tag not in ("select", "svg")
    parts: list[HtmlElement | _Text] = []
    if texts_count and (text := _line(element.text)):
        parts.append(_Text(text, alone=len(element) == 0 and element.get(ID) is not None))
    for inner in element:
        parts.append(inner)
        if texts_count and (text := _line(inner.tail)):
            parts.append(_Text(text))
    return parts


def _line(text: str | None) -> str:
    return " ".join(text.split())[:_LONGEST_TEXT] if text else ""


def _attributes(element: HtmlElement) -> dict[str, str]:
    found = {name: element.get(name) for name in _KEPT_ATTRIBUTES}
    return {name: value[:_LONGEST_ATTRIBUTE] for name, value in found.items() if value}


def _box(box: JsonObject | None) -> Box | None:
    """A box with an area, None for anything else."""
    if box is None:
        return None
    try:
        left, top = float(box["left"]), float(box["top"])
        width, height = float(box["right"]) - left, float(box["bottom"]) - top
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return Box(left, top, width, height) if width > 0 and height > 0 else None
