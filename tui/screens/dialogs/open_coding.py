"""Open coding: a new code while one reads, a code in the words of the text, a memo."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from textual.screen import Screen

from webbench.core.errors import WebbenchError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import Memo
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.recoding import OPEN
from webbench.core.people.labelling.coder import LONGEST_TITLE, Coder
from webbench.core.people.labelling.labelled_episode import subject
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.workers import run_worker

WHO = "Under which name do you label? A pseudonym; others see it, your real name is not needed."
NO_WORDS = "Select words with the mouse, or go to a pane and a row that has some."


class OpenCoding:
    """Asks for a code or a memo on the place that a screen shows, and has it written down.

    Args:
        store: with what is to be kept out of records.
        place: the episode's folder and the index of the step, None for the episode as a whole; None where
            nothing is shown.
        annotator: who reads; where it is "" the name is asked for once.
        codebook: the name of the one that codes go into.
        written: told the name of the codebook that a code went into, "" after a memo.
    """

    def __init__(
        self,
        screen: Screen[None],
        store: Store,
        place: Callable[[], tuple[Path, int | None] | None],
        *,
        annotator: Callable[[], str],
        codebook: Callable[[], str] = lambda: OPEN,
        written: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._screen = screen
        self._store = store
        self._place = place
        self._annotator = annotator
        self._codebook = codebook
        self._written = written
        self._name = ""

    def new_code(self) -> None:
        """Ask for a code's title; it is in the codebook, and given to the place, with Enter."""
        self._ask(partial(self._code, ""))

    def in_vivo(self) -> None:
        """Make a code of the selected words, or of those in the row under the cursor."""
        words = " ".join((self._screen.get_selected_text() or _focused_words(self._screen)).split())
        if not words:
            self._tell(NO_WORDS)
            return
        self._ask(partial(self._code, plain_text(words, limit=2000)))

    def memo(self) -> None:
        """Ask for a memo on the place, beginning with the one there is."""
        self._ask(self._memo)

    def _ask(self, asked: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._place() is None:
            self._tell("Nothing is shown yet.")
            return
        run_worker(self._screen, partial(self._asked, asked), group="coding")

    async def _asked(self, asked: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._name = self._annotator() or self._name
        if not self._name:
            given = await self._screen.app.push_screen_wait(
                TextPrompt(WHO, placeholder="for example: rater-1")
            )
            if not given:
                return
            self._name = given.strip()
        try:
            await asked()
        except WebbenchError as error:
            self._tell(str(error), "error")

    async def _code(self, quote: str) -> None:
        found = self._place()
        assert found is not None
        where = _where(found[1])
        question = f"A code in these words, given to {where}:" if quote else f"A new code, given to {where}:"
        prompt = TextPrompt(question, value=quote[:LONGEST_TITLE], placeholder="a few words")
        title = await self._screen.app.push_screen_wait(prompt)
        if title is None or not title.strip():
            return
        coder = await asyncio.to_thread(self._coder)
        folder, step = found
        place = await asyncio.to_thread(subject, self._store, folder), step
        book, code, _ = await asyncio.to_thread(partial(coder.add, title, place=place, quote=quote))
        self._tell(f"{code.name} given to {where}; codebook {book.name}, version {book.version}.")
        self._written(book.name)

    async def _memo(self) -> None:
        found = self._place()
        assert found is not None
        folder, step = found
        coder = await asyncio.to_thread(self._coder)
        place = await asyncio.to_thread(subject, self._store, folder)
        own = [one for one in await asyncio.to_thread(self._memos, folder) if one.step == step]
        value = own[0].text if own else ""
        prompt = TextPrompt(f"Memo on {_where(step)}, for yourself; empty takes it back:", value=value)
        text = await self._screen.app.push_screen_wait(prompt)
        if text is None or text.strip() == value:
            return
        await asyncio.to_thread(coder.memo, text, (place, step))
        self._tell(f"Memo on {_where(step)} kept." if text.strip() else "The memo is taken back.")
        self._written("")

    def _coder(self) -> Coder:
        return Coder(self._store, load_codebook(), self._name, self._codebook())

    def _memos(self, folder: Path) -> list[Memo]:
        place = (folder.parent.name, folder.name, self._name)
        memos = ledger_of(self._store).book().memos
        return [one for one in memos if (one.run, one.episode, one.annotator) == place]

    def _tell(self, text: str, severity: str = "information") -> None:
        shown = plain_text(text, limit=600)
        if severity == "error":
            self._screen.notify(shown, severity="error", markup=False)
        else:
            self._screen.notify(shown, markup=False, timeout=4)


def _where(step: int | None) -> str:
    return "the episode" if step is None else f"step {step}"


def _focused_words(screen: Screen[None]) -> str:
    """What is to be quoted of the focused list."""
    focused = screen.focused
    return focused.quotable() if isinstance(focused, RowList) and focused.row_count else ""
