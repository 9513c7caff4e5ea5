"""Opening one's part of a queue from the labelling screen, at the first episode that isn't done."""

from __future__ import annotations

import asyncio

from textual.screen import Screen

from webbench.core.errors import BadData, UsageError, WebbenchError
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
from webbench.tui.destinations import Labelling, go_to
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.labelling.open_worksheet import OpenWorksheet
from webbench.tui.workers import run_worker


class OpeningQueue:
    """Asks which queue, and goes on with it in place of the episodes at hand."""

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
            queues, problems = await asyncio.to_thread(_queues_of, store, who)
            for problem in problems:
                self._worksheet.tell(problem, "warning")
            if not queues:
                told = "`webbench-tui label queue NAME RUN --for NAME` draws and deals one"
                raise UsageError(f"{who} has no part in a queue", told)
            choices = [(name, _words(name, progress)) for name, (_, progress) in queues.items()]
            name = await self._screen.app.push_screen_wait(ChoicePrompt("Which queue?", choices))
            if name is not None:
                book = await asyncio.to_thread(ledger_of(store).book)
                order = labelling_order(queues[name][0], who, book)
                go_to(self._screen, Labelling(store.root, order), instead=True)
        except WebbenchError as error:
            self._worksheet.tell(str(error), "error")


def _queues_of(store: Store, annotator: str) -> tuple[dict[str, tuple[Queue, QueueProgress]], list[str]]:
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
        found.update(
            (name, (queue, one)) for one in queue_progress(queue, book) if one.annotator == annotator
        )
    return found, problems


def _words(name: str, progress: QueueProgress) -> str:
    minutes = (progress.seconds + progress.seconds_begun) / 60
    gold = f", {progress.gold_right} of {progress.gold_items} right on gold" if progress.gold_items else ""
    return f"{name}: {progress.done} of {progress.assigned} done, {minutes:.1f} min{gold}"
