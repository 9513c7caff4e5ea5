"""Rows of the Studies screen: people who do tasks, and people who label episodes, with how far each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webbench.core.errors import WebbenchError
from webbench.core.labels.codebook import Codebook, load_codebook
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.people.labelling.queues import QueueProgress, queue_names, queue_progress, read_queue
from webbench.core.people.studies.known_studies import KnownStudy, Part, known_studies
from webbench.core.store.store import Store
from webbench.core.text.no_value import NO_VALUE, or_dash
from webbench.core.text.plural import counted
from webbench.tui.widgets.lines.clock import clock_text
from webbench.tui.widgets.lists.record_table import RecordColumn, RecordTable

TASKS, LABELS = "tasks", "labels"


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody's part: `of` is None before it was dealt."""

    annotator: str
    done: int = 0
    of: int | None = None
    begun: int = 0
    seconds: float = 0.0
    on_gold: str = ""


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study whose people do tasks, or a queue whose people label episodes.

    Attributes:
        about: the benchmark of the tasks, or the taxonomy of the labels.
        places: (run, episode) that people can label, or differ on.
    """

    name: str
    kind: str
    about: str
    people: tuple[PersonRow, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    title: str = ""
    problem: str = ""

    @property
    def progress(self) -> str:
        """ "3 of 12", of all people together."""
        if any(one.of is None for one in self.people) or not self.people:
            return NO_VALUE
        return f"{sum(one.done for one in self.people):,} of {sum(one.of or 0 for one in self.people):,}"

    @property
    def state(self) -> str:
        if self.problem:
            return self.problem
        if not any(one.done or one.begun or one.seconds for one in self.people):
            return "not begun"
        return "complete" if all(one.done == one.of for one in self.people) else "going on"


def read_rows(store: Store) -> list[StudyRow]:
    """All studies, then all queues."""
    ledger = ledger_of(store)
    book, codebook = ledger.book(), load_codebook(written=ledger.codebooks)
    return [
        *map(_of_study, known_studies(store)),
        *(_of_queue(store, name, book, codebook) for name in queue_names(store)),
    ]


def _of_study(study: KnownStudy) -> StudyRow:
    return StudyRow(
        name=study.name,
        kind=TASKS,
        about=study.benchmark,
        people=tuple(map(_worker, study.parts)),
        places=study.episodes,
        title=study.title,
        problem=study.problem,
    )


def _worker(part: Part) -> PersonRow:
    return PersonRow(part.annotator, part.done, part.tasks, part.begun, part.seconds)


def _of_queue(store: Store, name: str, book: Book, codebook: Codebook) -> StudyRow:
    try:
        queue = read_queue(store, name)
    except WebbenchError as error:
        return StudyRow(name=name, kind=LABELS, about="", problem=str(error))
    places = dict.fromkeys(place for who in queue.assigned for place in queue.places(who))
    return StudyRow(
        name=name,
        kind=LABELS,
        about=queue.order.taxonomy,
        people=tuple(map(_rater, queue_progress(queue, book, codebook))),
        places=tuple(places),
    )


def _rater(one: QueueProgress) -> PersonRow:
    gold = f"{one.gold_right} of {one.gold_items}" if one.gold_items else ""
    begun = int(one.seconds_begun > 0)
    return PersonRow(one.annotator, one.done, one.assigned, begun, one.seconds + one.seconds_begun, gold)


STUDY_COLUMNS: tuple[RecordColumn[StudyRow], ...] = (
    RecordColumn("Study", lambda one: one.name, 0, least=16),
    RecordColumn("People do", lambda one: one.kind, 9, 6),
    RecordColumn("Of", lambda one: one.about, 0, 7, least=10),
    RecordColumn("People", lambda one: f"{len(one.people)}", 6, 5, right=True),
    RecordColumn("Done", lambda one: one.progress, 12, right=True),
    RecordColumn("State", lambda one: one.state, 0, 8, least=10),
    RecordColumn("Title", lambda one: one.title, 0, 3, least=16),
)

PERSON_COLUMNS: tuple[RecordColumn[PersonRow], ...] = (
    RecordColumn("Annotator", lambda one: one.annotator, 0, least=12),
    RecordColumn("Done", lambda one: f"{one.done:,}", 6, right=True),
    RecordColumn("Of", lambda one: or_dash(one.of, ","), 6, right=True),
    RecordColumn("Begun", lambda one: f"{one.begun:,}", 6, 6, right=True),
    RecordColumn("Time", lambda one: clock_text(one.seconds) if one.seconds else NO_VALUE, 9, 7, right=True),
    RecordColumn("On gold", lambda one: one.on_gold, 0, 3, least=9),
)


class StudyTable(RecordTable[StudyRow]):
    """Studies first, then queues."""

    nothing_text = empty_text = "Reading the store…"

    def __init__(self, **names: Any) -> None:
        super().__init__(STUDY_COLUMNS, lambda one: (one.kind, one.name), "study", **names)
        self._heading = "Studies"

    def told(self) -> list[str]:
        count = len(self.all_records)
        noun = "study" if count == 1 else "studies"
        return [f"{len(self.records)} of {count} {noun}" if self.filtered else f"{count} {noun}"]

    def part_of(self, record: StudyRow, column: RecordColumn[StudyRow], number: int) -> str:
        if column.title == "State" and (record.problem or record.state == "complete"):
            return "record-table--bad" if record.problem else "record-table--good"
        return super().part_of(record, column, number)


class PersonTable(RecordTable[PersonRow]):
    """The people of the study under the cursor."""

    nothing_text = empty_text = "Nobody takes part."

    def __init__(self, **names: Any) -> None:
        super().__init__(PERSON_COLUMNS, lambda one: one.annotator, "annotator", **names)

    def show(self, study: StudyRow | None) -> None:
        self.say(f"People of {study.name}" if study is not None else "People")
        self.records = study.people if study is not None else ()

    def told(self) -> list[str]:
        return [counted(len(self.all_records), "annotator")]

    def columns_for(self, columns: Sequence[RecordColumn[PersonRow]]) -> tuple[RecordColumn[PersonRow], ...]:
        gold = any(one.on_gold for one in self.all_records)
        return tuple(one for one in columns if gold or one.title != "On gold")
