"""Whether two paths lead to the same element of a recorded page.

The published parser is not a browser: it adds no implied elements (no tbody), and unclosed tags nest.
Pages, selectors and XPaths are written by strangers: sizes and what an XPath may search are bounded, nothing
is fetched, and an HTML parser expands no entities of the page's own. Selectors need no bound of their own:
soupsieve from 4.1 on asks each relative of an element once, so that time grows with page times selector.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from webbench.benchmarks.webcanvas.scoring.searches import Shape, check_search, shape_of, shown
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from lxml.html import HtmlElement

SELECTOR, XPATH = "selector", "xpath"
LARGEST_PAGE = 8_000_000
LONGEST_PATH = 4_000
TEXT_LIKE = frozenset(("span", "h1", "h2", "h3", "h4", "h5", "h6", "div", "li", "ul", "p"))
"""References of these tags are also met by an element around them."""
LEVELS_ABOVE = 3

_PLAIN_ID = re.compile(r"[A-Za-z][\w-]*")


class Page:
    """One page, parsed at most once per parser.

    Args:
        html: as recorded; None where the page wasn't.
    """

    def __init__(self, html: Json) -> None:
        self.html = html

    def same_element(self, path: Json, reference: Json, method: Json) -> bool:
        """The first match of `path` is that of `reference`, or up to three levels around a text-like one.

        A selector that is invalid or meets nothing is False. Raises `BadData` where an XPath is invalid,
        meets nothing or gives no list, and for a page or path beyond bounds.
        """
        if method == XPATH:
            return self._same_by_xpath(path, reference)
        return method == SELECTOR and self._same_by_selector(path, reference)

    def element(self, selector: Json) -> JsonObject | None:
        """Text (blanks collapsed), attributes and tag of the first match, for `element_value`."""
        found = self._select(selector) if isinstance(self.html, str) else None
        if found is None:
            return None
        attributes = {name: _attribute(value) for name, value in found.attrs.items()}
        return {"text": _collapsed_text(found), "attributes": attributes, "tagName": found.name}

    def place(self, selector: Json) -> str:
        """Selector of the first match by tags and their order below the nearest id; "" without a match."""
        found = self._select(selector) if isinstance(self.html, str) else None
        if found is None:
            return ""
        steps: list[str] = []
        for node in (found, *found.parents):
            if node.parent is None:
                break
            if node.get("id") and _PLAIN_ID.fullmatch(str(node["id"])):
                steps.insert(0, f"#{node['id']}")
                break
            twins = node.parent.find_all(node.name, recursive=False)
            at = next(at for at, twin in enumerate(twins, start=1) if twin is node)
            steps.insert(0, node.name if len(twins) == 1 else f"{node.name}:nth-of-type({at})")
        place = " > ".join(steps)
        return place if self._select(place) is found else ""

    def option_label(self, selector: Json, option: str) -> str:
        """What the list at `selector` shows for an option of this value; `option` itself if there is none."""
        found = self._select(selector) if isinstance(self.html, str) else None
        for one in found.find_all("option") if found is not None else ():
            if one.get("value") == option:
                return _collapsed_text(one) or option
        return option

    @cached_property
    def _soup(self) -> BeautifulSoup:
        from bs4 import BeautifulSoup

        with _quiet():
            return BeautifulSoup(self._bounded(), "html.parser")

    @cached_property
    def _tree(self) -> HtmlElement:
        from lxml import etree
        from lxml.html import fromstring

        try:
            return fromstring(self._bounded())
        except (etree.LxmlError, ValueError) as error:
            raise BadData(f"the recorded page can't be parsed: {error}") from error

    def _bounded(self) -> str:
        if not isinstance(self.html, str):
            raise BadData("the step holds no page")
        if len(self.html) > LARGEST_PAGE:
            raise BadData(
                f"the recorded page has {len(self.html)} characters, at most {LARGEST_PAGE} are read"
            )
        return self.html

    def _same_by_selector(self, path: Json, reference: Json) -> bool:
        if not isinstance(self.html, str):
            return False
        found, wanted = self._select(path), self._select(reference)
        if found is None or wanted is None:
            return False
        if found is wanted:
            return True
        parents = list(wanted.parents)[:LEVELS_ABOVE] if wanted.name in TEXT_LIKE else []
        return any(found is parent for parent in parents)

    def _select(self, selector: Json) -> Tag | None:
        from soupsieve import SelectorSyntaxError

        if not isinstance(selector, str):
            return None
        _check_length(selector)
        try:
            with _quiet():
                return self._soup.select_one(selector)
        except (SelectorSyntaxError, ValueError, TypeError, NotImplementedError, RecursionError):
            return None

    @cached_property
    def _shape(self) -> Shape:
        return shape_of(self._tree)

    def _same_by_xpath(self, path: Json, reference: Json) -> bool:
        found, wanted = self._evaluate(path), self._evaluate(reference)
        if isinstance(found, str) and isinstance(wanted, str):
            # Upstream compares the two first characters by identity, which holds within Latin-1 alone.
            return found == wanted and found < "\u0100"
        if found is wanted:
            return True
        from lxml import etree

        if not isinstance(wanted, etree._Element) or wanted.tag not in TEXT_LIKE:
            return False
        return any(found is parent for parent in islice(wanted.iterancestors(), LEVELS_ABOVE))

    def _evaluate(self, xpath: Json) -> Any:
        """The first item of what the expression gives; a text of an expression that gives one text."""
        from lxml import etree

        tree = self._tree
        if not isinstance(xpath, str):
            raise BadData(f"the XPath {xpath!r} is no text")
        _check_length(xpath)
        check_search(xpath, self._shape)
        try:
            given = tree.xpath(xpath, smart_strings=False)
        except (etree.LxmlError, ValueError) as error:
            raise BadData(f"the XPath {shown(xpath)} can't be evaluated: {error}") from error
        if not isinstance(given, list | str):
            raise BadData(f"the XPath {shown(xpath)} gives {given!r}, which is no element")
        if not given:
            raise BadData(f"the XPath {shown(xpath)} matches nothing on the page")
        return _Text(given[0]) if isinstance(given, list) and isinstance(given[0], str) else given[0]


def _collapsed_text(element: Tag) -> str:
    return " ".join(element.get_text(" ").split())


def _attribute(value: object) -> str:
    """Attributes such as `class` are read as lists."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


class _Text:
    """A text or attribute node: upstream's never equal anything, not even themselves read twice."""

    def __init__(self, text: str) -> None:
        self.text = text


@contextmanager
def _quiet() -> Iterator[None]:
    """The parsers' advice to whoever wrote a page or selector is nothing the reader of a score can follow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _check_length(path: str) -> None:
    if len(path) > LONGEST_PATH:
        raise BadData(f"the path {shown(path)} has {len(path)} characters, at most {LONGEST_PATH} are read")
