"""What an XPath may search: expressions are written by strangers, and some would take hours on their page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from webbench.core.errors import BadData

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MOST_VISITS = 200_000_000
"""Of nodes by one XPath: some seconds."""
FEW_SEARCHES, LARGEST_EXPONENT = 3, 12
MOST_COMPARISONS = 5_000_000_000
"""Of nodes, when what was found from several nodes is united: some seconds."""

_LOOKING_AROUND = re.compile(r"//|descendant|following|preceding|ancestor")
_STEP = re.compile(r"(//|(?:descendant|following|preceding|ancestor)[a-z-]*::)\s*([\w-]+(?!::))?")
_LAST_NAME = re.compile(r"(?<![@\w-])([\w-]+)$")
_PREDICATE = re.compile(r"\[[^\[\]]*\]")
_BY_ID = re.compile(r"""\[\s*@id\s*=\s*("[^"]*"|'[^']*')\s*\]""")
_NAMED = "#"
"""Stands for a predicate that asks for one id."""


class Shape(NamedTuple):
    """What bounds the searches of a page.

    Attributes:
        names: how many of its nodes have each name.
        same_id: how many of its nodes share one id, at most.
        deepest: how many nodes stand one in the other, at most.
    """

    names: Mapping[str, int]
    same_id: int
    deepest: int

    @property
    def size(self) -> int:
        return sum(self.names.values())


def shape_of(tree: HtmlElement) -> Shape:
    from lxml.etree import iterwalk

    names: Counter[str] = Counter()
    ids: Counter[str] = Counter()
    depth = deepest = 0
    for event, node in iterwalk(tree, events=("start", "end", "comment", "pi")):
        if event != "end":
            names[str(node.tag)] += 1
        if event == "start":
            depth += 1
            deepest = max(deepest, depth)
            ids[node.get("id") or ""] += 1
        elif event == "end":
            depth -= 1
    del ids[""]
    return Shape(names, max(ids.values(), default=0), deepest)


def check_search(xpath: str, shape: Shape) -> None:
    """Raises `BadData` for an expression that would take minutes on a page."""
    _check_predicates(xpath, shape.size)
    comparisons = _comparisons(xpath, shape)
    if comparisons > MOST_COMPARISONS:
        raise BadData(
            f"the XPath {shown(xpath)} searches again from all that it found: on the {shape.size} nodes of "
            f"this page that takes up to {comparisons:.0e} comparisons, of at most {MOST_COMPARISONS:.0e}"
        )


def _check_predicates(xpath: str, size: int) -> None:
    """Refuse an expression whose nested searches would visit too many of the page's `size` nodes.

    A search in a predicate is made for every node that reaches it, so it visits up to size ** (1 + searches
    around it, itself included) nodes. A few that aren't nested are let through on any page.
    """
    open_levels, visits, deepest, searches = [0], 0, 0, 0
    for part in re.finditer(rf"[\[\]]|{_LOOKING_AROUND.pattern}", xpath):
        if part[0] == "[":
            open_levels.append(0)
        elif part[0] == "]":
            del open_levels[max(1, len(open_levels) - 1) :]
        elif len(open_levels) > 1:
            open_levels[-1] += 1
            searches += 1
            deepest = max(deepest, len(open_levels) - 1)
            visits += size ** min(1 + sum(open_levels[1:]), LARGEST_EXPONENT)
    if (deepest > 1 or searches > FEW_SEARCHES) and visits > MOST_VISITS:
        raise BadData(
            f"the XPath {shown(xpath)} searches inside of predicates: on the {size} nodes of this page that "
            f"takes up to {visits:.0e} visits, and at most {MOST_VISITS:.0e} are made"
        )


def _comparisons(xpath: str, shape: Shape) -> int:
    """How many nodes are compared, at most, by searches one after the other.

    What a search finds from one node is compared with all that it found from others. Below or around all
    nodes together there is each node once per level; `following` and `preceding` find it from every node.
    """
    steps, comparisons, end = _without_predicates(xpath), 0, 0
    for step in _STEP.finditer(steps):
        start = _reached(steps[end : step.start()], shape)
        end = step.end(1)
        found = shape.names.get(step[2], 0) if step[2] else shape.size
        everywhere = step[1] in ("following::", "preceding::")
        comparisons += start * found * (found if everywhere else min(found, shape.deepest))
    return comparisons


def _reached(steps: str, shape: Shape) -> int:
    """How many nodes the last of some steps may have given."""
    steps = steps.rstrip("/ ")
    if steps.strip("(. ") == "":
        return 1
    if steps.endswith(_NAMED):
        return shape.same_id
    last = _LAST_NAME.search(steps)
    return shape.names.get(last[1], 0) if last else shape.size


def _without_predicates(xpath: str) -> str:
    """The steps alone, with a mark for each predicate that asks for one id."""
    steps, count = _BY_ID.sub(_NAMED, xpath), 1
    while count:
        steps, count = _PREDICATE.subn("", steps)
    return steps


def shown(path: str) -> str:
    return f'"{path[:80]}…"' if len(path) > 80 else f'"{path}"'
