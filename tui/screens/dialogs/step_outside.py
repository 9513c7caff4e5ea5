"""A step outside of the terminal: written as a file and opened in a browser, or its path told and copied."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from textual.screen import Screen

from webbench.core.api.defaults import open_concealing
from webbench.core.errors import WebbenchError
from webbench.core.text.plain_text import plain_text
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.terminal import browser_at_hand
from webbench.tui.workers import run_worker

CHOICES = (
    ("report", "The report of the episode, at this step"),
    ("picture", "The picture"),
    ("html", "The page's HTML, in which nothing runs"),
)
StepPlace = tuple[Path, int]
"""Folder of an episode, and index of one of its steps."""


class StepOutside:
    """Asks in which form the step that is shown is opened, writes it, and opens it.

    Args:
        place: the step that is shown, None where there is none.
    """

    def __init__(self, screen: Screen[Any], place: Callable[[], StepPlace | None]) -> None:
        self._screen = screen
        self._place = place

    def ask(self) -> None:
        place = self._place()
        if place is None:
            self._screen.notify("No step is recorded here yet.", markup=False)
            return

        def chosen(kind: str | None) -> None:
            if kind is not None:
                run_worker(self._screen, partial(self._open, place, kind), group="outside", exclusive=True)

        self._screen.app.push_screen(ChoicePrompt(f"Open step {place[1]} as what?", CHOICES), chosen)

    async def _open(self, place: StepPlace, kind: str) -> None:
        try:
            file, address, unread = await asyncio.to_thread(_written, place, kind)
        except WebbenchError as error:
            self._screen.notify(plain_text(str(error), limit=300), severity="warning", markup=False)
            return
        if unread:
            told = f"The record can't be read whole: {unread[0]}"
            self._screen.notify(plain_text(told, limit=300), severity="warning", markup=False)
        open_outside(self._screen, address, shown=file)


def _written(place: StepPlace, kind: str) -> tuple[str, str, tuple[str, ...]]:
    from webbench.core.report.pages.opened_step import KINDS, write_step_file

    folder, index = place
    store = open_concealing(folder.parent.parent)
    trajectory = store.load(folder)
    at = next(at for at, step in enumerate(trajectory.steps) if step.index == index)
    written = write_step_file(store, trajectory, at, next(one for one in KINDS if one == kind))
    return str(written.file), written.address, written.unread


def open_outside(screen: Screen[Any], address: str, *, shown: str = "") -> None:
    """Open an address in the person's browser; where there is none at hand, tell and copy it.

    Args:
        shown: what is told and copied of it, such as a file's path; the address by default.
    """
    told = shown or address
    if browser_at_hand():
        screen.app.open_url(address)
        screen.notify(plain_text(f"Opened {told} in your browser.", limit=300), markup=False)
    else:
        screen.app.copy_to_clipboard(told)
        words = f"{told}\ncopied: here is no browser to open it in"
        screen.notify(plain_text(words, limit=400, newlines="keep"), markup=False, timeout=12)
