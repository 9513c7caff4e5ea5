"""Found texts: where a text stands in the episodes of all runs, by episode and step."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.analysis.find.find import Found, find
from webbench.core.analysis.find.index_words import index_words
from webbench.core.analysis.find.indexed_texts import PLACES
from webbench.core.errors import WebbenchError
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import open_trajectory
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.going_back import go_back
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.empty_state import EmptyState
from webbench.tui.widgets.lists.hit_list import HitList
from webbench.tui.workers import run_worker

MOST_EPISODES = 500
MOST_HITS = 50
"""Of one episode."""
OF_PAGE_AFTER = ("page", "dialogue", "message", "output")
"""What a step brought; the rest was there when it was taken."""


class FoundTextsScreen(Screen[None], ScreenOffers):
    """Asks for a text and a filter, looks in all runs, opens a hit at its step."""

    CSS_PATH = stylesheet("found")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("find")]
    AUTO_FOCUS = "HitList"

    @dataclass
    class Read(Message):
        """Episodes that are new or changed are read before they can be looked through."""

        read: int
        wanting: int

    def __init__(self, store: Store, text: str = "", filter: str = "", within: tuple[str, ...] = ()) -> None:
        """Without a text it asks for one; `within`: kinds of texts, none for all."""
        super().__init__()
        self.store = store
        self.text = text
        self.filter = filter
        self.within = within
        self._given_up = Event()
        """The look that goes on is not wanted any more."""

    def compose(self) -> ComposeResult:
        yield Static(Content(f"Find · {plain_text(str(self.store.root), limit=200)}"), id="found-title")
        yield EmptyState(
            "Find a text in all episodes",
            "Actions, reasoning, replies, pages, notes and labels are looked through.",
            f"{shown_key(self.app, 'find.text')} asks for the text, {shown_key(self.app, 'find.filter')} "
            "for which episodes",
        )
        with Vertical(id="found"):
            yield HitList()
            yield Static(id="found-notes")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.add_class("-empty")
        if self.text:
            self.action_reload()
        else:
            self.action_text()

    def on_unmount(self) -> None:
        self._given_up.set()

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the episode under the cursor."""
        row = self.query_one(HitList).chosen
        if row is None:
            return {}
        name = f"{row.found.episode.run}/{row.found.episode.episode}"
        return {"run": row.found.episode.run, "episode": name, "record": name}

    # -- what is asked -------------------------------------------------------------------------

    def action_text(self) -> None:
        """Ask for another text."""

        def given(text: str | None) -> None:
            if text and text.strip():
                self.text = text
                self.action_reload()

        question = 'Find what? All words in one text; "a phrase", wor*, AND, OR, NOT.'
        self.app.push_screen(TextPrompt(question, value=self.text), given)

    def action_filter(self) -> None:
        """Ask for other episodes, by the same filter as on Runs."""

        def given(text: str | None) -> None:
            if text is not None:
                self.filter = text
                self.action_reload()

        question = "In which episodes? Words, or benchmark: run: actor: task: site: status: tag:; empty: all."
        place = "webarena actor:human status:failed"
        self.app.push_screen(TextPrompt(question, value=self.filter, placeholder=place), given)

    def action_kinds(self) -> None:
        """Ask in which kinds of texts."""

        def given(text: str | None) -> None:
            if text is not None:
                self.within = tuple(text.replace(",", " ").split())
                self.action_reload()

        question = f"In which texts? {', '.join(PLACES)}; empty: all."
        value, like = " ".join(self.within), "action reasoning"
        self.app.push_screen(TextPrompt(question, value=value, placeholder=like), given)

    def action_reload(self) -> None:
        if self.text:
            self._given_up.set()
            self._given_up = Event()
            run_worker(self, partial(self._look, self._given_up), exclusive=True, group="find")

    # -- what is found -------------------------------------------------------------------------

    async def _look(self, given_up: Event) -> None:
        self.remove_class("-empty")
        hits = self.query_one(HitList)
        in_which = f" · {self.filter}" if self.filter.strip() else ""
        kinds = f" · in {', '.join(self.within)}" if self.within else ""
        hits.border_title = Content(plain_text(f"{self.text}{in_which}{kinds}", limit=200))
        hits.border_subtitle = Content("looking…")

        def told(read: int, wanting: int) -> None:
            if given_up.is_set():
                raise _GivenUp
            self.post_message(self.Read(read, wanting))

        try:
            found = await asyncio.to_thread(
                find,
                self.store,
                self.text,
                self.filter,
                within=self.within,
                most=MOST_EPISODES,
                most_hits=MOST_HITS,
                told=told,
            )
        except _GivenUp:
            return
        except WebbenchError as error:
            hits.border_subtitle = Content("")
            self.notify(plain_text(f"{error}", limit=400), severity="error", markup=False)
            return
        self._show(found)

    def _show(self, found: Found) -> None:
        self.query_one(HitList).show(self.text, found)
        notes = [plain_text(line, limit=300) for line in index_words(found.index)]
        self.query_one("#found-notes", Static).update(Content("\n".join(notes)))
        self.query_one(KeyFooter).refresh()

    def on_found_texts_screen_read(self, message: Read) -> None:
        told = f"{message.read:,} of {counted(message.wanting, 'new or changed episode')} read"
        if message.read < message.wanting:
            self.query_one(HitList).border_subtitle = Content(told)

    def on_hit_list_chosen(self, message: HitList.Chosen) -> None:
        """Open the replay at the step of the hit; the other episodes are its neighbours."""
        hits, one = self.query_one(HitList), message.row.found.episode
        episodes = hits.found.episodes if hits.found is not None else ()
        among = [self.store.root / found.episode.run / found.episode.episode for found in episodes]
        hit = message.row.hit
        step, after = (hit.step, hit.where in OF_PAGE_AFTER) if hit is not None else (None, False)
        open_trajectory(self, self.store.root / one.run / one.episode, step, among, after=after)

    def action_next_episode(self, ways: int) -> None:
        self.query_one(HitList).next_episode(ways)

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        listed = self.query_one(HitList).row_count
        return bool(listed) or id not in ("hits.open", "find.next")

    def action_back(self) -> None:
        go_back(self)


class _GivenUp(Exception):
    """Nobody waits for this look any more; what it read is kept."""
