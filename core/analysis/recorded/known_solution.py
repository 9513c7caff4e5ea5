"""How a task is solved, as its authors tell, held against an attempt: which of their pages it opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

import msgspec

from webbench.core.task import Task, solution_of
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted
from webbench.core.trajectory import Step

LONGEST_EXPLANATION, LONGEST_ADDRESS, MOST_SHOWN = 2000, 160, 10


class SolutionPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page where the answer can be verified, and the first steps that led to it and to its site.

    Attributes:
        page_step, site_step: None where no step led there.
    """

    address: str
    page_step: int | None = None
    site_step: int | None = None


class KnownSolution(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the way to the answer.

    Attributes:
        followed: addresses were recorded, so that it can be told which pages were opened.
    """

    explanation: str = ""
    pages: tuple[SolutionPage, ...] = ()
    followed: bool = False

    @property
    def opened(self) -> int:
        """How many of the pages were opened."""
        return sum(page.page_step is not None for page in self.pages)


def known_solution(task: Task, steps: Sequence[Step]) -> KnownSolution | None:
    """Held against the steps of an attempt; None where the task tells nothing of how it is solved."""
    solution = solution_of(task)
    if not solution.pages and not solution.explanation:
        return None
    visited = [(step.index, *_place(step.url)) for step in steps if step.url]
    return KnownSolution(
        explanation=solution.explanation,
        pages=tuple(_page(address, visited) for address in solution.pages),
        followed=bool(visited),
    )


def solution_words(solution: KnownSolution) -> Iterator[tuple[str, str]]:
    """Label and text of each line that tells of it; the texts are one line each and harmless."""
    if solution.explanation:
        yield "how it is solved", plain_clip(solution.explanation, LONGEST_EXPLANATION)
    for page in solution.pages[:MOST_SHOWN]:
        told = f": {_reached(page)}" if solution.followed else ""
        yield "answer stands on", plain_clip(page.address, LONGEST_ADDRESS) + told
    if (more := len(solution.pages) - MOST_SHOWN) > 0:
        yield "answer stands on", f"{counted(more, 'more page')}, left out here"
    if solution.pages and not solution.followed:
        yield "pages opened", "not known: no addresses were recorded"


def _reached(page: SolutionPage) -> str:
    if page.page_step is not None:
        return f"opened at step {page.page_step}"
    return "never opened" + (f", its site at step {page.site_step}" if page.site_step is not None else "")


def _page(address: str, visited: Sequence[tuple[int, str, str]]) -> SolutionPage:
    host, path = _place(address)
    on_site = [(step, there) for step, site, there in visited if site == host]
    return SolutionPage(
        address=address,
        site_step=next((step for step, _ in on_site), None),
        page_step=next((step for step, there in on_site if there == path), None),
    )


def _place(address: str) -> tuple[str, str]:
    """Host and path of an address, as far as they tell pages apart: no "www.", query or last "/"."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "").removeprefix("www."), unquote(parts.path).rstrip("/")
    except ValueError:
        return "", address
