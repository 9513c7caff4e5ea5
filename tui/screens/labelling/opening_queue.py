"""Opening one's part of a queue from the labelling screen, at the first episode that isn't done."""

from __future__ import annotations

import asyncio

from textual.screen import Screen

from webbench.core.errors import BadData, UsageError, WebbenchError
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.queues import (
    Queue,
    QueueProgress,
    labelling_order,
    queue_names,
    queue_progress,
    read_queue,
)
from webbench.core.store.store import Store
from webbench.tui.commands import BY_ID
from webbench.tui.commands.screen_offers import offers
from webbench.tui.destinations import CommandForm, Labelling, go_to
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.labelling.open_worksheet import OpenWorksheet
from webbench.tui.workers import run_worker

NEW = ""
"""In place of a queue's name."""
DRAWING = ("label", "queue")


class OpeningQueue:
    """Asks which queue, and goes on with it in place of the episodes at hand, or with a form for another."""

    def __init__(self, screen: Screen[None], worksheet: OpenWorksheet) -> None:
        self._screen = screen
        self._worksheet = worksheet

    def begin(self) -> None:
        run_worker(self._screen, self._ask, exclusive=True, group="queue")

    async def _ask(self) -> None:
        sheets = self._worksheet.sheets
        if sheets is None:
            return
        store, who = sheets.store, sheets.rater.annotator
        try:
            queues, problems = await asyncio.to_thread(_queues_of, store, sheets.codebook, who)
            for problem in problems:
                self._worksheet.tell(problem, "warning")
            choices = [(name, _progress_line(name, progress)) for name, (_, progress) in queues.items()]
            if self._screen.app.check_action(BY_ID["app.commands"].action, ()):
                choices.append((NEW, "Draw and deal another one…"))
            if not choices:
                raise UsageError(f"{who} has no part in a queue", "whoever leads the study deals one")
            about = "Which queue?" if queues else f"{who} has no part in a queue."
            name = await self._screen.app.push_screen_wait(ChoicePrompt(about, choices))
            if name == NEW:
                go_to(self._screen, CommandForm(DRAWING, store.root, offers(self._screen).at_hand))
            elif name is not None:
                book = await asyncio.to_thread(ledger_of(store).book)
                order = labelling_order(queues[name][0], who, book)
                go_to(self._screen, Labelling(store.root, order), instead=True)
        except WebbenchError as error:
            self._worksheet.tell(str(error), "error")


def _queues_of(
    store: Store, codebook: Codebook, annotator: str
) -> tuple[dict[str, tuple[Queue, QueueProgress]], list[str]]:
    """The queues that she has a part in, with how far she is, and what could not be read."""
    book = ledger_of(store).book()
    found: dict[str, tuple[Queue, QueueProgress]] = {}
    problems = []
    for name in queue_names(store):
        try:
            queue = read_queue(store, name)
        except (BadData, UsageError) as error:
            problems.append(str(error))
            continue
        progress = queue_progress(queue, book, codebook)
        found.update((name, (queue, one)) for one in progress if one.annotator == annotator)
    return found, problems


def _progress_line(name: str, progress: QueueProgress) -> str:
    minutes = (progress.seconds + progress.seconds_begun) / 60
    gold = f", {progress.gold_right} of {progress.gold_items} as in gold" if progress.gold_items else ""
    return f"{name}: {progress.done} of {progress.assigned} done, {minutes:.1f} min{gold}"
