"""What a plan goes by: the task's words, the page as the actor sees it, and its HTML when it asked for it.

A plan is a generator: it yields an action, and goes on once that was carried out, with the page of then. It
depends on no seed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from webbench.core.action.action import Action, Click, ElementRef, GetHtml, Type
from webbench.core.errors import ActionFailed
from webbench.core.observation import AccessibilityNode, Box

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

    from webbench.core.agent import AgentView

SUBMIT = "#subbtn"
_PLAIN_ID = re.compile(r"[A-Za-z][\w-]*", re.ASCII)


class Sight:
    """Kept up to date by the oracle: `view` is what was seen last."""

    def __init__(self, view: AgentView) -> None:
        self.view = view
        self._soup: BeautifulSoup | None = None

    @property
    def intent(self) -> str:
        return self.view.task.intent

    @property
    def quoted(self) -> list[str]:
        """What stands in quotation marks in the task."""
        return re.findall(r'"([^"]*)"', self.intent)

    def said(self, pattern: str) -> tuple[str, ...]:
        """The groups of an expression in the task's words. Raises `ActionFailed` where they don't fit."""
        found = re.search(pattern, self.intent)
        if found is None:
            raise ActionFailed(f"the task's words don't fit: {self.intent[:200]}")
        return found.groups()

    def look(self) -> Plan:
        """Ask for the page's HTML as it is now."""
        from bs4 import BeautifulSoup

        yield GetHtml()
        self._soup = BeautifulSoup(self.view.carried.output, "html.parser")

    def all(self, selector: str) -> list[Tag]:
        """Elements of the page as it was looked at last."""
        assert self._soup is not None
        return list(self._soup.select(selector))

    def one(self, selector: str) -> Tag:
        """The first of them. Raises `ActionFailed` where there is none."""
        found = self.all(selector)
        if not found:
            raise ActionFailed(f"there is no {selector}")
        return found[0]

    def named(self, selector: str, text: str) -> Tag:
        """The first that holds just this text. Raises `ActionFailed` where there is none."""
        for tag in self.all(selector):
            if words(tag) == " ".join(text.split()):
                return tag
        raise ActionFailed(f"there is no {selector} that says {text[:80]!r}")

    def literal(self, variable: str) -> list[list[str]] | list[list[list[int]]]:
        """A list that the page's own script writes down. Raises `ActionFailed` where it doesn't."""
        for script in self.all("script:not([src])"):
            found = re.search(rf"\bvar {variable}\s*=\s*(\[.*?\n\];)", script.get_text(), re.DOTALL)
            if found:
                uncommented = re.sub(r"//.*", "", found[1].rstrip(";"))
                listed: list[list[str]] = ast.literal_eval(uncommented)
                return listed
        raise ActionFailed(f"the page's script has no {variable}")

    def value(self, id: str) -> str:
        """What a field holds now, by its HTML id."""
        held = (node.value for node in self.view.observation.nodes if node.attributes.get("id") == id)
        return next(held, None) or ""

    def box(self, fits: Callable[[AccessibilityNode], bool]) -> Box:
        """Where the first node is that fits. Raises `ActionFailed` where none has a place."""
        for node in self.view.observation.nodes:
            if node.box is not None and fits(node):
                return node.box
        raise ActionFailed("no such node has a place on the page")

    def text_box(self, text: str) -> Box:
        """Where a text stands on the page."""
        return self.box(lambda node: node.role == "StaticText" and node.name.strip() == text)


Plan = Iterator[Action]
Planner = Callable[[Sight], Plan]


def part(tag: Tag, selector: str) -> Tag:
    """The first element of this kind inside another. Raises `ActionFailed` where there is none."""
    found = tag.select_one(selector)
    if found is None:
        raise ActionFailed(f"there is no {selector} in it")
    return found


def words(tag: Tag) -> str:
    """Its text, each run of blanks as one."""
    return " ".join(tag.get_text().split())


def at(where: Tag | str) -> ElementRef:
    """An element by a selector, or by its place below the root."""
    return ElementRef(selector=where if isinstance(where, str) else _selector(where))


def click(where: Tag | str, *, count: int = 1) -> Click:
    return Click(target=at(where), count=count)


def fill(where: Tag | str, text: str, *, enter: bool = False) -> Type:
    return Type(target=at(where), text=text, enter=enter)


def _selector(tag: Tag) -> str:
    steps: list[str] = []
    for one in (tag, *tag.parents):
        named = one.get("id")
        if isinstance(named, str) and _PLAIN_ID.fullmatch(named):
            return " > ".join((f"#{named}", *reversed(steps)))
        if one.parent is None or one.name == "html":
            break
        siblings = [child for child in one.parent.children if getattr(child, "name", None)]
        place = next(place for place, child in enumerate(siblings, 1) if child is one)
        steps.append(f"{one.name}:nth-child({place})")
    return " > ".join(("html", *reversed(steps)))
