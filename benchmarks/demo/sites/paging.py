"""Long lists, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from webbench.benchmarks.demo.sites.web import Visit

Item = TypeVar("Item")


@dataclass(frozen=True)
class Pages(Generic[Item]):
    """One page of a list.

    Attributes:
        number, count: this page, from 1, and how many there are.
        total: how many items there are on all pages.
        query: the rest of the address's query, to which "page=n" is added.
    """

    items: Sequence[Item]
    number: int
    count: int
    total: int
    query: str

    def link(self, number: int) -> str:
        """The query of another page."""
        return "?" + "&".join(part for part in (self.query, f"page={number}") if part)

    @property
    def around(self) -> list[int]:
        """Numbers of pages to link to: the first, the last, and the neighbours; 0 stands for a gap."""
        near = sorted({1, self.count, *range(max(1, self.number - 2), min(self.count, self.number + 2) + 1)})
        shown: list[int] = []
        for number in near:
            if shown and number - shown[-1] > 1:
                shown.append(0)
            shown.append(number)
        return shown


def pages_of(items: Sequence[Item], visit: Visit, size: int) -> Pages[Item]:
    """The page that the address asks for as "page"; the nearest one where there is no such page."""
    asked = visit.query("page")
    count = max(1, -(-len(items) // size))
    number = min(count, max(1, int(asked))) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1
    rest = [(key, value) for key, value in visit.request.query_params.multi_items() if key != "page"]
    start = (number - 1) * size
    return Pages(items[start : start + size], number, count, len(items), urlencode(rest))
