"""Looking for a text in the whole of a recorded episode."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import islice

from webbench.core.analysis.recorded.search import Match
from webbench.tui.commands import shown_key
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.page_panes import PagePanes
from webbench.tui.screens.trajectory.match_list import MatchList
from webbench.tui.screens.trajectory.scrubbing import Scrubbing
from webbench.tui.workers import run_worker

MOST_FOUND = 2_000


class TextSearch:
    """Asks for the text, lists what is found, and goes from one match to the next.

    Args:
        shown: shows the step at a place, and there the node of this id.
    """

    def __init__(
        self, screen: PagePanes, scrubbing: Scrubbing, *, shown: Callable[[int, int | None], None]
    ) -> None:
        self._screen = screen
        self._scrubbing = scrubbing
        self._shown = shown

    def ask(self) -> None:
        def given(query: str | None) -> None:
            if query and query.strip():
                run_worker(self._screen, partial(self._search, query), group="search", exclusive=True)

        question = "Look for what? Actions, reasoning, replies, prompts, notes and pages are searched."
        self._screen.app.push_screen(TextPrompt(question), given)

    async def _search(self, query: str) -> None:
        episode = self._scrubbing.episode
        if episode is None:
            return

        def look() -> list[Match]:
            return list(islice(episode.search(query), MOST_FOUND + 1))

        found = await asyncio.to_thread(look)
        self._screen.action_panel("found")
        self._list.show(query, found[:MOST_FOUND], more=len(found) > MOST_FOUND)
        if found:
            self.show(found[0])

    @property
    def _list(self) -> MatchList:
        return self._screen.query_one(MatchList)

    def next_match(self, rows: int) -> None:
        found = self._list
        if not found.matches:
            says = shown_key(self._screen.app, "trajectory.search")
            self._screen.notify(f"Nothing to go to: {says} looks for a text.", markup=False)
            return
        found.cursor = (found.cursor + rows) % len(found.matches)

    def show(self, match: Match) -> None:
        """What stands on a page is shown on the page after the step that led to it."""
        episode = self._scrubbing.episode
        place = episode.place_of(match.step) if episode is not None else None
        if place is not None:
            self._scrubbing.turn(before=match.node is None)
            self._shown(place, match.node)
