"""What searches found: passages of the pages of results, and of the pages that were opened from them."""

from __future__ import annotations

import msgspec

from webbench.benchmarks.assistantbench.agents.searching import Hit, SearchTool, page_text
from webbench.core.agents.contract import AgentView

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


class Lookups:
    """Keeps track of the searches of one episode.

    Args:
        read: pages that are opened of what each search found.
        most_tokens: of one page, about.

    Attributes:
        done: the searches that were carried out, in order.
    """

    def __init__(self, tool: SearchTool, read: int, most_tokens: int) -> None:
        self.done: list[Lookup] = []
        self._tool = tool
        self._read = read
        self._most_tokens = most_tokens
        self._searched: Lookup | None = None
        self._opened: Hit | None = None
        self._waiting: list[Hit] = []

    def begin(self, query: str, *, question: str = "", thought: str = "") -> None:
        """A search is proposed; it counts once it was carried out."""
        self._searched = Lookup(question=question, query=query, thought=thought[:LONGEST_THOUGHT])
        self._waiting = []

    def next_page(self) -> Hit | None:
        """The best page that is still to be opened, as the next step."""
        self._opened = self._waiting.pop(0) if self._waiting else None
        return self._opened

    def take_in(self, view: AgentView, *, own: bool) -> None:
        """Keep what the last step gave.

        Args:
            own: it was the agent's own proposal. Else a person turned it down, which gave nothing, or did
                something in place of it, whose page stands for what was looked for.
        """
        searched, self._searched = self._searched, None
        opened, self._opened = self._opened, None
        if not own and (view.rejected or not view.history or view.history[-1].actor == "agent"):
            return
        if searched is not None:
            searched.instead = "" if own else view.history[-1].text
            self._found(searched, view, own=own)
        elif opened is not None and own:
            told = _told(view)
            page = Page(title=opened.title, url=opened.url, error=told)
            page.passages = "" if told else page_text(view.observation, self._most_tokens)
            self.done[-1].pages.append(page)

    def _found(self, lookup: Lookup, view: AgentView, *, own: bool) -> None:
        lookup.error = _told(view)
        if not lookup.error:
            lookup.passages = self._tool.passages(view.observation, self._most_tokens)
            self._waiting = list(self._tool.hits(view.observation))[: self._read] if own else []
        self.done.append(lookup)


def _told(view: AgentView) -> str:
    """Why the page says nothing, "" where it says something."""
    return view.last_error or ("" if view.observation.nodes else view.observation.problem)
