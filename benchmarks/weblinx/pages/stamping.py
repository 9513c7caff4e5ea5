"""Giving the elements of a live page's HTML the ids that WebLINX' pages have, and their boxes.

A recorded observation has boxes and no markup, the HTML beside it markup and no boxes. Both tell of the same
document in the same order, so elements are paired by tag, name and first text, in order; what has no partner
stays without an id. The element of the action itself is found by its structural path.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from webbench.benchmarks.weblinx.pages import html_roles
from webbench.benchmarks.weblinx.pages.accessibility_tree import parsed
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.json_types import JsonObject
from webbench.core.observation import AccessibilityNode, Box, Observation

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_PATH_PART = re.compile(r"([\w-]+)\[(\d+)\]")
_TEXT = 80

Key = tuple[str, str, str]


class StampedPage(msgspec.Struct, frozen=True):
    """A page whose elements have ids.

    Attributes:
        html: with the ids; "" where there was no page.
        boxes: by id, as bboxes files have them, in viewport coordinates.
        elements: the paired elements by the id of their node in the observation.
        root: of the parsed page, an element of lxml like those; None where there was no page.
    """

    html: str = ""
    boxes: dict[str, JsonObject] = {}
    elements: Mapping[int, Any] = {}
    root: Any = None


def stamped(html: str, observation: Observation, episode: str) -> StampedPage:
    """The page with an id on every element that was observed.

    Args:
        episode: makes the ids of one recording differ from those of another.
    """
    import lxml.html

    root = parsed(html) if html else None
    if root is None:
        return StampedPage()
    nodes = [node for node in observation.nodes if node.tag and node.frame == 0 and node.depth]
    elements = _paired(nodes, observation, root)
    boxes: dict[str, JsonObject] = {}
    main = next((node for node in observation.nodes if node.depth == 0), None)
    for node in [*([main] if main else []), *nodes]:
        element = root if node is main else elements.get(node.id)
        if element is not None:
            identity = identity_of(episode, node.id)
            element.set(ID, identity)
            if node.box is not None:
                boxes[identity] = box_of(node.box)
    text = lxml.html.tostring(root, encoding="unicode")
    return StampedPage(f"<!DOCTYPE html>\n{text}\n", boxes, elements, root)


def identity_of(episode: str, node: int) -> str:
    """An id in the shape of WebLINX' own, the same for a node in all pages of a recording."""
    digits = hashlib.sha256(f"{episode}:{node}".encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}"


def box_of(box: Box) -> JsonObject:
    edges = {"top": box.y, "right": box.x + box.width, "bottom": box.y + box.height, "left": box.x}
    sides = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    return {name: round(value, 2) for name, value in (sides | edges).items()}


def at_path(root: HtmlElement, path: str) -> HtmlElement | None:
    """The element at a structural path such as "body[0]/main[0]/a[2]": each part counts its tag from 0."""
    found = root
    for part in path.split("/"):
        match = _PATH_PART.fullmatch(part)
        same = [inner for inner in found if inner.tag == match[1]] if match else []
        if match is None or int(match[2]) >= len(same):
            return None
        found = same[int(match[2])]
    return None if found is root else found


def _paired(
    nodes: Sequence[AccessibilityNode], observation: Observation, root: HtmlElement
) -> dict[int, HtmlElement]:
    """Elements by node: first those that only one pair can mean, then the others between them, in order."""
    texts = _first_texts(observation)
    mine = [(node.tag, node.attributes.get("name", ""), texts.get(node.id, "")) for node in nodes]
    elements = list(_visible_elements(root))
    theirs = [_key(element) for element in elements]
    found: dict[int, HtmlElement] = {}
    anchors = [(-1, -1), *_anchors(mine, theirs), (len(mine), len(theirs))]
    for (start, first), (end, last) in pairwise(anchors):
        if start >= 0:
            found[nodes[start].id] = elements[first]
        at = first + 1
        for place in range(start + 1, end):
            match = next((index for index in range(at, last) if theirs[index] == mine[place]), None)
            if match is not None:
                found[nodes[place].id] = elements[match]
                at = match + 1
    return found


def _visible_elements(root: HtmlElement) -> Iterator[HtmlElement]:
    """Elements in document order, without those that the markup hides and what is in them."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if isinstance(element.tag, str) and not html_roles.hidden(element):
            if element is not root:
                yield element
            waiting += reversed(list(element))


def _key(element: HtmlElement) -> Key:
    named = html_roles.interactive(element, html_roles.role_of(element))
    return (element.tag, (element.get("name") or "") if named else "", _first_text(element))


def _first_texts(observation: Observation) -> dict[int, str]:
    """For each node, the first text in it."""
    found: dict[int, str] = {}
    above: list[AccessibilityNode] = []
    for node in observation.nodes:
        while above and above[-1].depth >= node.depth:
            above.pop()
        if node.role == "StaticText":
            text = " ".join(node.name.split())[:_TEXT]
            for outer in above:
                if text and outer.id not in found and outer.tag not in ("input", "textarea"):
                    found[outer.id] = text
        above.append(node)
    return found


def _first_text(element: HtmlElement) -> str:
    if element.tag in ("input", "textarea"):
        return ""
    for inner in element.iter():
        reads = isinstance(inner.tag, str) and inner.tag not in (*html_roles.NOT_SHOWN, "option")
        for text in (inner.text if reads else None, None if inner is element else inner.tail):
            if text and text.strip():
                return " ".join(text.split())[:_TEXT]
    return ""


def _anchors(mine: Sequence[Key], theirs: Sequence[Key]) -> list[tuple[int, int]]:
    """Places of keys that both sides have once, the longest run that is in order on both sides."""
    once_there = {key: place for place, key in enumerate(theirs)}
    counts_here, counts_there = Counter(mine), Counter(theirs)
    pairs = [
        (place, once_there[key])
        for place, key in enumerate(mine)
        if counts_here[key] == 1 and counts_there[key] == 1
    ]
    return _longest_rising(pairs)


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, (_, value) in enumerate(pairs):
        at = bisect_left(tails, value)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [value]
        ends[at : at + 1] = [place]
    chain: list[tuple[int, int]] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        chain.append(pairs[place])
        place = before[place]
    return chain[::-1]
