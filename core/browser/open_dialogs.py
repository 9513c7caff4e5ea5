"""The open JavaScript dialogs of pages (alert, confirm, prompt, leaving), and those answered at once.

A page that shows one after the other, with nothing done in between, is answered from the fourth on; so is
a page that is left while one of its dialogs waits.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from webbench.core.browser.driver import DriverDialog, DriverPage
from webbench.core.browser.page_log import PageLog
from webbench.core.observation import Dialog

MOST_DIALOGS = 3
"""A page shows so many in a row; those after them are answered at once."""


class OpenDialogs:
    """Those of one browser context.

    Args:
        commits: how many documents a page has shown so far.
        do_aside: does in the background what nobody waits for.

    Attributes:
        waiting: in the order in which they opened.
        opened: set while one waits.
    """

    def __init__(
        self,
        log: PageLog,
        commits: Callable[[DriverPage | None], int],
        do_aside: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self.waiting: list[DriverDialog] = []
        self.opened = asyncio.Event()
        self._log = log
        self._commits = commits
        self._do_aside = do_aside
        self._in_a_row: Counter[DriverPage | None] = Counter()
        self._silenced: dict[DriverPage | None, int] = {}
        self._leaving: set[DriverPage | None] = set()
        self._insisting: set[DriverPage | None] = set()

    @property
    def first(self) -> Dialog | None:
        """The one that must be answered first."""
        if not self.waiting:
            return None
        dialog = self.waiting[0]
        return Dialog(dialog.kind, dialog.message, dialog.default)

    def add(self, dialog: DriverDialog) -> None:
        """One opens: it waits for the actor, or is answered at once."""
        too_many = self._are_too_many(dialog.page)
        if dialog.page in self._leaving:
            self._insisting.add(dialog.page)
            self._answer_unasked(dialog, "the page was left")
        elif too_many:
            self._answer_unasked(dialog, f"after {MOST_DIALOGS} in a row")
        else:
            self.waiting.append(dialog)
            self._log.add("dialog", "info", f"{dialog.kind}: {dialog.message}")
            self.opened.set()

    async def answer(self, accept: bool, text: str) -> None:
        """Answer the first one; it closes even where the page closes with it."""
        dialog = self.waiting.pop(0)
        with contextlib.suppress(Exception):
            await (dialog.accept(text if dialog.kind == "prompt" else None) if accept else dialog.dismiss())
        self._clear_if_none()

    def begin(self) -> None:
        """Something else is done than to answer one: every page starts anew.

        A page that has shown too many does so with another document.
        """
        for page, before in tuple(self._silenced.items()):
            if self._commits(page) != before:
                del self._silenced[page]
        self._in_a_row = Counter({page: self._in_a_row[page] for page in self._silenced})

    @contextmanager
    def cleared(self) -> Iterator[None]:
        """Answer those that wait, and meanwhile every one that their pages show."""
        pages = {dialog.page for dialog in self.waiting}
        self._leaving |= pages
        dialogs, self.waiting = self.waiting, []
        self.opened.clear()
        for dialog in dialogs:
            self._answer_unasked(dialog, "the page was left")
        try:
            yield
        finally:
            self._leaving -= pages
            self._insisting -= pages

    def is_leaving(self, page: DriverPage) -> bool:
        """Whether it had one open as it was to be left."""
        return page in self._leaving

    def insists(self, page: DriverPage) -> bool:
        """Whether it has gone on to show others while it was to be left."""
        return page in self._insisting

    def forget(self, page: DriverPage) -> None:
        """A page is gone, and what it showed with it."""
        self.waiting = [dialog for dialog in self.waiting if dialog.page != page]
        self._clear_if_none()

    def _are_too_many(self, page: DriverPage | None) -> bool:
        """Count a dialog that opens; whether its page has shown too many."""
        self._in_a_row[page] += 1
        if self._in_a_row[page] > MOST_DIALOGS:
            self._silenced.setdefault(page, self._commits(page))
        return page in self._silenced

    def _answer_unasked(self, dialog: DriverDialog, why: str) -> None:
        """Let the page go on: an alert is closed, a question denied, and the page may be left."""
        self._log.add("dialog", "warning", f"{dialog.kind}: {dialog.message} (answered at once: {why})")
        self._do_aside(_accepted(dialog) if dialog.kind in ("alert", "beforeunload") else dismissed(dialog))

    def _clear_if_none(self) -> None:
        if not self.waiting:
            self.opened.clear()


async def _accepted(dialog: DriverDialog) -> None:
    with contextlib.suppress(Exception):
        await dialog.accept()


async def dismissed(dialog: DriverDialog) -> None:
    """Dismiss it; one that is closed already needs no answer."""
    with contextlib.suppress(Exception):
        await dialog.dismiss()
