"""The worksheet that one labels on: opened, read, and written to in the order of the keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from textual.screen import Screen

from webbench.core.errors import WebbenchError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import pseudonym
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.worksheet import LabellingOrder, Sheet, Worksheet
from webbench.core.text.plain_text import plain_text
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from webbench.core.store.store import Store


class OpenWorksheet:
    """The parts of the labelling screen share it.

    Args:
        shown: shows the episode at hand when it was read.
        moved: another episode is at hand now: begin at its top.
    """

    def __init__(
        self,
        screen: Screen[None],
        store: Store,
        order: LabellingOrder,
        *,
        shown: Callable[[], None],
        moved: Callable[[], None],
    ) -> None:
        self.store = store
        self.order = order
        self.sheets: Worksheet | None = None
        """None until it is open."""
        self.sheet: Sheet | None = None
        """The episode at hand as it was read last."""
        self._screen = screen
        self._shown = shown
        self._moved = moved
        self._writing = asyncio.Lock()

    async def open(self, annotator: str) -> Worksheet:
        """Open it under a name, in a thread. Raises `WebbenchError`."""
        self.sheets = await asyncio.to_thread(self._opened, annotator)
        return self.sheets

    def _opened(self, annotator: str) -> Worksheet:
        order = msgspec.structs.replace(self.order, annotator=pseudonym(annotator))
        return Worksheet(self.store, load_codebook(written=ledger_of(self.store).codebooks), order)

    async def read(self) -> None:
        """Show the episode at hand as it is now; suggestions are looked for in a thread."""
        if self.sheets is None:
            return
        try:
            self.sheet = await asyncio.to_thread(self.sheets.sheet)
        except WebbenchError as error:
            self.tell(str(error), "error")
            return
        self._shown()

    def change(self, write: Callable[[], object], *, moved: bool = False) -> None:
        """Write something down and show what is there now; `moved` where it is another episode.

        One after the other, in the order of the keys. What was meant for an episode that has been left
        meanwhile is not written into the next one.
        """
        sheets = self.sheets
        if sheets is None:
            return
        meant = sheets.at

        async def written() -> None:
            async with self._writing:
                if sheets.at != meant:
                    self.tell("That key came while the next episode was opened: press it again.")
                    return
                try:
                    await asyncio.to_thread(write)
                except WebbenchError as error:
                    self.tell(str(error), "error")
                await self.read()
                if moved:
                    self._moved()

        run_worker(self._screen, written, group="write")

    def tell(self, text: str, severity: SeverityLevel = "information") -> None:
        self._screen.notify(plain_text(text, limit=600), severity=severity, markup=False, timeout=6)
