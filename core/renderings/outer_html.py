"""Outer HTML of a page or of one node of it: pruned, one element a line, of bounded size.

The HTML is foreign text: it is read as data, and whoever shows its lines makes them harmless (`plain_text`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import msgspec

from webbench.core.observation import AccessibilityNode, Observation

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MOST_CHARACTERS = 4_000_000
"""Of a page's HTML that are read."""
MOST_LINES = 4_000
LONGEST_VALUE = 200
"""Characters of an attribute, and LONGEST_TEXT of a text."""
LONGEST_TEXT = 600
DEEPEST = 60
NO_MEANING = frozenset({"script", "style", "noscript", "template", "link", "meta", "base"})
"""Elements that a pruned page lacks; drawings are told without what they are drawn of."""
EMPTY = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "source", "track", "wbr"})
TELLING = ("id", "name", "type", "href", "placeholder")
"""Attributes that an observation has of a node, and its element has alike."""
KINDS = ("id", "name", "href", "placeholder")
"""Those of them that an observation has exactly where the element has them."""
NAMING = ("aria-label", "alt", "title", "placeholder", "value")
MOST_WITHIN = 20
"""Nodes within one by which that is found, where it can't be told from others itself."""


class HtmlLines(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of HTML, indented by depth.

    Attributes:
        how: what they are of, and how sure that is: "the element", "1 of 3 that look alike", "the page".
        found: they are of the node that was asked for.
    """

    lines: tuple[str, ...] = ()
    how: str = "the page"
    found: bool = False


class PageHtml:
    """The HTML of a main frame, read once."""

    def __init__(self, html: str) -> None:
        import lxml.etree
        import lxml.html

        parser = lxml.html.HTMLParser(huge_tree=False, recover=True, no_network=True, encoding="utf-8")
        shown = html[:MOST_CHARACTERS].replace("\0", "\N{REPLACEMENT CHARACTER}")
        self.cut = len(html) > MOST_CHARACTERS
        self._root: HtmlElement | None
        try:
            self._root = lxml.html.document_fromstring(shown.encode("utf-8", "replace"), parser=parser)
        except (lxml.etree.ParserError, ValueError):
            self._root = None

    def page(self) -> HtmlLines:
        """The whole page, without what no reader sees."""
        if self._root is None:
            return HtmlLines(how="there is no HTML to read")
        return HtmlLines(lines=_bounded(self._root), how=f"the page{', its beginning' if self.cut else ''}")

    def numbered(self, observation: Observation) -> tuple[HtmlLines, tuple[AccessibilityNode, ...]]:
        """The page with "[12] " before each element that a person can act on, by the id that actions take.

        Source: WebArena, section 2.2: the HTML as an observation, its elements referred to by id.

        Returns the lines, and the nodes to be acted on that stand in a frame, or that the HTML doesn't tell
        from others alike: these have no number in it.
        """
        if self._root is None:
            return HtmlLines(how="there is no HTML to read"), ()
        found = self._elements(observation)
        numbers = {element: node.id for node, element in found if node.interactive}
        shown = set(numbers.values())
        left = tuple(node for node in observation.nodes if node.interactive and node.id not in shown)
        how = f"the page{', its beginning' if self.cut else ''}"
        return HtmlLines(lines=_bounded(self._root, numbers), how=how), left

    def _elements(self, observation: Observation) -> Iterator[tuple[AccessibilityNode, HtmlElement]]:
        """Nodes with their elements: those that are alike by tag and attributes, else by name too, in order.

        Where the page has more of a kind than the observation, because some are not rendered, none is
        guessed at.
        """
        assert self._root is not None
        elements: dict[tuple[str, ...], list[HtmlElement]] = {}
        nodes: dict[tuple[str, ...], list[AccessibilityNode]] = {}
        for node in observation.nodes:
            if node.tag and not node.frame:
                nodes.setdefault((node.tag, *(node.attributes.get(name, "") for name in KINDS)), []).append(
                    node
                )
        tags = {key[0] for key in nodes}
        for one in self._root.iter():
            if one.tag in tags:
                elements.setdefault((str(one.tag), *_kind(one, observation.url)), []).append(one)
        for key, alike in nodes.items():
            there = elements.get(key, [])
            if len(there) == len(alike):
                yield from zip(alike, there, strict=True)
                continue
            for name in dict.fromkeys(node.name for node in alike if node.name):
                named = [node for node in alike if node.name == name]
                own = [one for one in there if name in _names(one)]
                if len(own) == len(named):
                    yield from zip(named, own, strict=True)

    def node(self, observation: Observation, id: int) -> HtmlLines:
        """The element of a node; the page where it isn't found."""
        place = next((at for at, one in enumerate(observation.nodes) if one.id == id), None)
        if self._root is None or place is None:
            return self.page()
        while place > 0 and not observation.nodes[place].tag:  # a text: what it stands in
            place = _above(observation.nodes, place)
        owner = observation.nodes[place]
        if owner.frame:
            return msgspec.structs.replace(self.page(), how="the page: the node is in a frame of it")
        if place == 0:
            return self.page()
        nodes, url = observation.nodes, observation.url
        found = self._element(nodes, place, url) or self._around(nodes, place, url)
        if found is None:
            return msgspec.structs.replace(self.page(), how="the page: its element wasn't found")
        return HtmlLines(lines=_bounded(found[0]), how=found[1], found=True)

    def _element(
        self, nodes: Sequence[AccessibilityNode], place: int, url: str
    ) -> tuple[HtmlElement, str] | None:
        """The element that is told by its tag, attributes, name and order among those alike."""
        assert self._root is not None
        owner = nodes[place]
        told = {name: owner.attributes[name] for name in TELLING if name in owner.attributes}
        elements = [
            one
            for one in self._root.iter(owner.tag)
            if all(_has(one, name, value, url) for name, value in told.items())
        ]
        alike = [
            one
            for one in nodes
            if not one.frame and one.tag == owner.tag and _telling_values(one) == _telling_values(owner)
        ]
        if len(elements) != len(alike) and owner.name:
            elements = [one for one in elements if owner.name in _names(one)]
            alike = [one for one in alike if one.name == owner.name]
        if not elements:
            return None
        if len(elements) == len(alike):
            return elements[alike.index(owner)], "the element"
        if owner.name or told:
            several = f"1 of {len(elements)} that look alike"
            return elements[0], several if len(elements) > 1 else "the element"
        return None

    def _around(
        self, nodes: Sequence[AccessibilityNode], place: int, url: str
    ) -> tuple[HtmlElement, str] | None:
        """The nearest element of its tag around one that is in it."""
        for at in range(place + 1, min(len(nodes), place + 1 + MOST_WITHIN)):
            if nodes[at].depth <= nodes[place].depth:
                return None
            inner = self._element(nodes, at, url) if nodes[at].tag and not nodes[at].frame else None
            if inner is not None and inner[1] == "the element":
                around = next(inner[0].iterancestors(nodes[place].tag), None)
                if around is not None:
                    return around, "probably, by what is in it"
        return None


def _has(element: HtmlElement, name: str, value: str, url: str) -> bool:
    """Whether an element has an attribute as its node tells it: addresses whole, a type also by default."""
    own: str | None = element.get(name)
    if own is None:
        return name == "type"
    if name == "href":
        try:
            return value in (own, urljoin(url, own))
        except ValueError:
            return False
    return value == own or (name == "type" and value == own.lower())


def _kind(element: HtmlElement, url: str) -> Iterator[str]:
    """Its attributes as nodes have them: addresses whole."""
    for name in KINDS:
        own = element.get(name) or ""
        try:
            yield urljoin(url, own) if own and name == "href" else own
        except ValueError:
            yield own


def _telling_values(node: AccessibilityNode) -> list[str]:
    return [node.attributes.get(name, "") for name in TELLING]


def _names(element: HtmlElement) -> list[str]:
    """What may be the name of an element: its text, or one of its attributes."""
    return [" ".join(" ".join(element.itertext()).split()), *(element.get(name, "") for name in NAMING)]


def _above(nodes: Sequence[AccessibilityNode], place: int) -> int:
    """Place of the node that one stands in."""
    return next((at for at in range(place - 1, -1, -1) if nodes[at].depth < nodes[place].depth), 0)


def _bounded(element: HtmlElement, numbers: Mapping[HtmlElement, int] = {}) -> tuple[str, ...]:
    lines: list[str] = []
    for line in _lines(element, 0, numbers):
        if len(lines) == MOST_LINES:
            return (*lines, f"… more than {MOST_LINES:,} lines")
        lines.append(line)
    return tuple(lines)


def _lines(element: HtmlElement, depth: int, numbers: Mapping[HtmlElement, int]) -> Iterator[str]:
    """An element with nothing but a text in it takes one line."""
    indent, tag = "  " * depth, str(element.tag)
    number = f"[{numbers[element]}] " if element in numbers else ""
    opened = f"{indent}{number}<{tag}{_attributes(element)}>"
    inner = [one for one in element if isinstance(one.tag, str) and one.tag not in NO_MEANING]
    if tag in EMPTY:
        yield opened
    elif depth >= DEEPEST or tag == "svg":
        yield f"{opened}…</{tag}>"
    elif not inner:
        yield f"{opened}{_text(' '.join([element.text or '', *(one.tail or '' for one in element)]))}</{tag}>"
    else:
        yield opened
        yield from _text_line(element.text, depth + 1)
        for one in element:
            if isinstance(one.tag, str) and one.tag not in NO_MEANING:
                yield from _lines(one, depth + 1, numbers)
            yield from _text_line(one.tail, depth + 1)
        yield f"{indent}</{tag}>"


def _attributes(element: HtmlElement) -> str:
    return "".join(f' {name}="{_cut(value, LONGEST_VALUE)}"' for name, value in element.items())


def _text_line(text: str | None, depth: int) -> Iterator[str]:
    if shown := _text(text or ""):
        yield "  " * depth + shown


def _text(text: str) -> str:
    return _cut(" ".join(text.split()), LONGEST_TEXT)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"
