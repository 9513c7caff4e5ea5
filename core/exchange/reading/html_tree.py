"""The nodes of a page of which only cut-down markup is known: role by tag, name by label or own text."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING

from webbench.core.exchange.reading.tree_text import CONTROLS
from webbench.core.observation import AccessibilityNode, Box

if TYPE_CHECKING:
    from lxml.html import HtmlElement

ROLES = {
    "a": "link",
    "input": "textbox",
    "textarea": "textbox",
    "select": "combobox",
    "img": "image",
    "li": "listitem",
    "label": "LabelText",
    "td": "cell",
    "p": "paragraph",
} | {f"h{level}": "heading" for level in range(1, 7)}
"""Accessibility roles by tag, where the two differ, of the tags that such markup has."""
MOST_NODES = 20_000
LONGEST_NAME = 300
MOST_TEXTS = 50
"""Pieces of text that a name is made of."""
DEEPEST = 200
_NAMING = ("aria_label", "aria-label", "alt", "title", "placeholder", "value", "text")


def nodes_of_markup(
    markup: str, identity: str, boxes: Mapping[str, Box] | None = None
) -> tuple[AccessibilityNode, ...]:
    """The elements in document order; those whose `identity` attribute is a number have it as their id."""
    import lxml.etree
    import lxml.html

    parser = lxml.html.HTMLParser(huge_tree=False, recover=True, no_network=True)
    try:
        root = lxml.html.document_fromstring(markup, parser=parser)
    except (lxml.etree.ParserError, ValueError):
        return ()
    nodes: list[AccessibilityNode] = []
    waiting: list[tuple[HtmlElement, int]] = [(root, 0)]
    while waiting and len(nodes) < MOST_NODES:
        element, depth = waiting.pop()
        if isinstance(element.tag, str):
            nodes.append(_node(len(nodes), element, depth, identity, boxes or {}))
            waiting += [(child, min(depth + 1, DEEPEST)) for child in reversed(element)]
    return tuple(nodes)


def role_of(tag: str) -> str:
    """An element's role by its tag, or by what stands for its tag."""
    return ROLES.get(tag.lower(), tag)


def _node(
    number: int, element: HtmlElement, depth: int, identity: str, boxes: Mapping[str, Box]
) -> AccessibilityNode:
    given = element.get(identity) or ""
    tag = str(element.tag)
    role = element.get("role") or role_of(tag)
    plain = given.isascii() and given.isdecimal() and len(given) < 12
    return AccessibilityNode(
        id=int(given) if plain else 1_000_000_000_000 + number,
        role=role if role != tag or tag in CONTROLS else "generic",
        name=_name(element, role),
        depth=depth,
        box=boxes.get(given),
        tag=tag,
        interactive=role in CONTROLS,
    )


def _name(element: HtmlElement, role: str) -> str:
    """Its label, else its own text, else for what is named by its content the text within."""
    labelled = next((found for name in _NAMING if (found := element.get(name))), "")
    own = " ".join([element.text or "", *(child.tail or "" for child in element)])
    if not labelled and not own.strip() and (role in CONTROLS or role == "heading"):
        own = " ".join(itertools.islice(element.itertext(), MOST_TEXTS))
    return " ".join((labelled or own).split())[:LONGEST_NAME]
