"""What searches found: passages of the pages of results, and of the pages that were opened from them."""

from __future__ import annotations

import msgspec

from webbench.benchmarks.assistantbench.agents.searching import Hit, SearchTool, page_text
from webbench.core.agent import AgentView

LONGEST_THOUGHT = 1000


class Page(msgspec.Struct, kw_only=True):
    """A page that was opened: what it says, or why it says nothing."""

    title: str
    url: str
    passages: str = ""
    error: str = ""


class Lookup(msgspec.Struct, kw_only=True):
    """One search: the thought and question behind it, the words searched for, and what was found.

    `instead` is what a person did in place of it; `passages` are then of the page that this led to.
    """

    question: str
    query: str
    thought: str = ""
    passages: str = ""
    error: str = ""
    instead: str = ""
    pages: list[Page] = []


class Found(msgspec.Struct, kw_only=True, omit_defaults=True):
    """How far the searches of one episode are.

    Attributes:
        done: those that were carried out, in order.
        searched: the one that was proposed last, if nothing came of it yet.
        opened: the page likewise.
        waiting: pages that are still to be opened, best first.
    """

    done: list[Lookup] = []
    searched: Lookup | None = None
    opened: Hit | None = None
    waiting: list[Hit] = []


class Lookups:
    """Keeps track of the searches of one episode.

    Args:
        read: pages that are opened of what each search found.
        most_tokens: of one page, about.

    Attributes:
        found: so far.
    """

    def __init__(self, tool: SearchTool, read: int, most_tokens: int) -> None:
        self.found = Found()
        self._tool = tool
        self._read = read
        self._most_tokens = most_tokens

    @property
    def done(self) -> list[Lookup]:
        """The searches that were carried out, in order."""
        return self.found.done

    def begin(self, query: str, *, question: str = "", thought: str = "") -> None:
        """A search is proposed; it counts once it was carried out."""
        self.found.searched = Lookup(question=question, query=query, thought=thought[:LONGEST_THOUGHT])
        self.found.waiting = []

    def next_page(self) -> Hit | None:
        """The best page that is still to be opened, as the next step."""
        self.found.opened = self.found.waiting.pop(0) if self.found.waiting else None
        return self.found.opened

    def take_in(self, view: AgentView, *, own: bool) -> None:
        """Keep what the last step gave.

        Args:
            own: it was the agent's own proposal. Else a person turned it down, which gave nothing, or did
                something in place of it, whose page stands for what was looked for.
        """
        searched, self.found.searched = self.found.searched, None
        opened, self.found.opened = self.found.opened, None
        if not own and (view.rejected or not view.history or view.history[-1].actor == "agent"):
            return
        if searched is not None:
            searched.instead = "" if own else view.history[-1].text
            self._found(searched, view, own=own)
        elif opened is not None and own and self.done:
            told = _why_silent(view, own=own)
            page = Page(title=opened.title, url=opened.url, error=told)
            page.passages = "" if told else page_text(view.observation, self._most_tokens)
            self.done[-1].pages.append(page)

    def _found(self, lookup: Lookup, view: AgentView, *, own: bool) -> None:
        lookup.error = _why_silent(view, own=own)
        if not lookup.error:
            lookup.passages = self._tool.passages(view.observation, self._most_tokens)
            self.found.waiting = list(self._tool.hits(view.observation))[: self._read] if own else []
        self.done.append(lookup)


def _why_silent(view: AgentView, *, own: bool) -> str:
    """Why the page says nothing, "" where it says something."""
    return (view.carried.error if own else view.last_error) or (
        "" if view.observation.nodes else view.observation.problem
    )
