"""Queues: which episodes are labelled by whom, in which order, drawn by a seed; progress, time and gold.

Drawing and dealing are those of studies (`studies/sampling.py`, `studies/allocation.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.label import Label, pseudonym
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.people.labelling.rater import disagreements
from webbench.core.people.labelling.worksheet import LabellingOrder
from webbench.core.people.studies.allocation import deal
from webbench.core.people.studies.study import Study
from webbench.core.score.score import Status
from webbench.core.statistics.drawing import lot, stratified
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import write_file, writing
from webbench.core.store.records.names import is_name
from webbench.core.store.store import Store
from webbench.core.text.plural import counted

SCHEMA_VERSION = 1
FOLDER = "queues"
ENDING = ".json"
LARGEST_FILE = 16 << 20

Stratum = Literal["run", "actor", "site", "benchmark", "outcome"]
Place = tuple[str, str]


class QueueOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What a queue is to be.

    Attributes:
        taxonomy: what is labelled by.
        size: how many episodes are drawn; None for all.
        strata: the sample has the same shares of these as what it is drawn from.
        by_disagreement: those that raters differ on most come first, and are drawn.
        readings: how many annotators read each episode.
        gold: how many episodes everybody reads besides, whose labels by `gold_by` are held to be right.
        blind: the screen hides scores.
    """

    name: str
    taxonomy: str
    annotators: tuple[str, ...]
    size: int | None = None
    strata: tuple[Stratum, ...] = ()
    by_disagreement: bool = False
    seed: int = 0
    readings: int = 1
    gold: int = 0
    gold_by: str = ""
    blind: bool = False


class Queue(msgspec.Struct, frozen=True, kw_only=True):
    """A queue as it was dealt: each annotator's episodes as "run/episode", gold ones among them."""

    order: QueueOrder
    assigned: dict[str, tuple[str, ...]]
    gold: tuple[str, ...] = ()
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    def places(self, annotator: str) -> tuple[Place, ...]:
        """Raises `UsageError` for somebody who has no part in it."""
        if annotator not in self.assigned:
            names = ", ".join(self.assigned)
            raise UsageError(f"{annotator} has no part in the queue {self.order.name}", f"{names} have")
        return tuple(_place(name) for name in self.assigned[annotator])


class QueueProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far one annotator is.

    Attributes:
        seconds: spent on what she is done with, as far as it was measured: on the screen.
        seconds_begun: spent on what she has begun and is not done with.
        gold_items: what gold answered on gold episodes that she is done with, labels of a code that was
            split since left out until they are read again; `gold_right` of them she answered alike.
        gold_besides: what she answered where gold said nothing. Gold tells what is there, not that there is
            nothing else: a further code is neither right nor wrong.
    """

    annotator: str
    assigned: int
    done: int
    seconds: float
    seconds_begun: float
    gold_items: int
    gold_right: int
    gold_besides: int

    @property
    def accuracy(self) -> float | None:
        """Share of gold's answers that are hers, too; None where there is none yet."""
        return self.gold_right / self.gold_items if self.gold_items else None


def make_queue(store: Store, order: QueueOrder, pool: Iterable[EpisodeSummary]) -> Queue:
    """Draw, deal and keep a queue. Raises `UsageError` for what can't be drawn, or a name that is taken."""
    _check(order)
    path = _path(store, order.name)
    if path.exists():
        raise UsageError(f"There is a queue {order.name} already", "without runs its progress is printed")
    book = ledger_of(store).book()
    found = {f"{one.run}/{one.episode}": one for one in pool}
    gold = _gold(order, book, found)
    drawn = _drawn(order, book, {name: one for name, one in found.items() if name not in gold})
    study = Study(
        name=order.name,
        benchmark="",
        annotators=order.annotators,
        seed=order.seed,
        overlap=len(drawn) if order.readings > 1 else 0,
        people_per_overlap=order.readings,
    )
    dealt = deal(study, drawn)
    queue = Queue(
        order=order,
        assigned={
            who: (*_sorted(drawn, own), *gold)
            if order.by_disagreement
            else tuple(sorted((*own, *gold), key=lambda one: lot(order.seed, who, one)))
            for who, own in dealt.items()
        },
        gold=gold,
    )
    with writing(store.root, f"the queue {order.name}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(store.root, path, [codec.encode(queue)])
    return queue


def read_queue(store: Store, name: str) -> Queue:
    """Raises `UsageError` where there is none of this name, `BadData` for a file that is none."""
    path = _path(store, name)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        known = ", ".join(queue_names(store)) or "none yet"
        raise UsageError(f"There is no queue {name}", f"there is {known}") from error
    if len(data) > LARGEST_FILE:
        raise BadData(f"{path} is larger than a queue can be")
    return codec.decode_record(data, Queue, SCHEMA_VERSION, str(path))


def labelling_order(queue: Queue, annotator: str, book: Book) -> LabellingOrder:
    """An annotator's part of a queue, at the first episode that she isn't done with. Raises `UsageError`."""
    places = queue.places(annotator)
    order = queue.order
    left = [at for at, place in enumerate(places) if (*place, order.taxonomy, annotator) not in book.done]
    return LabellingOrder(
        places=places,
        annotator=annotator,
        taxonomy=order.taxonomy,
        blind=order.blind,
        at=left[0] if left else 0,
        timed=True,
    )


def queue_names(store: Store) -> list[str]:
    """All queues of a store."""
    folder = ledger_of(store).folder / FOLDER
    return sorted(path.name.removesuffix(ENDING) for path in folder.glob(f"*{ENDING}"))


def queue_progress(queue: Queue, book: Book, codebook: Codebook) -> tuple[QueueProgress, ...]:
    """How far each annotator is, and how many of gold's answers are hers."""
    taxonomy = queue.order.taxonomy
    ends = {
        (f"{one.run}/{one.episode}", one.annotator): one for one in book.finished if one.taxonomy == taxonomy
    }
    found = []
    for who, assigned in queue.assigned.items():
        own = [ends[name, who] for name in assigned if (name, who) in ends]
        read = {f"{one.run}/{one.episode}" for one in own}
        right, items, besides = _held_against_gold(queue, book, codebook, who, read & set(queue.gold))
        found.append(
            QueueProgress(
                annotator=who,
                assigned=len(assigned),
                done=len(own),
                seconds=sum(one.seconds for one in own),
                seconds_begun=sum(
                    one.seconds
                    for one in book.begun
                    if (one.taxonomy, one.annotator) == (taxonomy, who)
                    and f"{one.run}/{one.episode}" in assigned
                ),
                gold_items=items,
                gold_right=right,
                gold_besides=besides,
            )
        )
    return tuple(found)


def _check(order: QueueOrder) -> None:
    for name in order.annotators:
        pseudonym(name)
    if not is_name(order.name):
        raise UsageError(f'"{order.name[:60]}" is no name for a queue', 'use letters, digits, "-" and "_"')
    if not order.annotators or len(set(order.annotators)) < len(order.annotators):
        raise UsageError("Who is to label?", "name each annotator once with --for")
    if not 1 <= order.readings <= len(order.annotators):
        people = counted(len(order.annotators), "annotator")
        raise UsageError(
            f"{order.readings} readings of each episode by {people}", "name more, or read less often"
        )
    if order.gold < 0 or bool(order.gold) != bool(order.gold_by):
        raise UsageError(
            "Gold episodes need somebody whose labels are right", "give --gold N and --gold-by NAME"
        )


def _gold(order: QueueOrder, book: Book, pool: Mapping[str, EpisodeSummary]) -> tuple[str, ...]:
    through = {
        f"{run}/{episode}"
        for run, episode, taxonomy, who in book.done
        if (taxonomy, who) == (order.taxonomy, order.gold_by)
    }
    known = sorted(through & set(pool), key=lambda one: lot(order.seed, "gold", one))
    if order.gold > len(known):
        raise UsageError(
            f"{order.gold_by} is done with {counted(len(known), 'episode')} of these in {order.taxonomy}",
            f"that many can be gold, not {order.gold}",
        )
    return tuple(known[: order.gold])


def _drawn(order: QueueOrder, book: Book, pool: Mapping[str, EpisodeSummary]) -> list[str]:
    size = len(pool) if order.size is None else order.size
    if not 1 <= size <= len(pool):
        raise UsageError(f"{size} episodes are wanted of {len(pool)}", "draw fewer, or name more runs")
    if order.by_disagreement:
        differing = _differing(order.taxonomy, book)
        names = sorted(pool, key=lambda one: (-differing[_place(one)], lot(order.seed, "sample", one)))
        return names[:size]
    return stratified(
        list(pool),
        lambda name: tuple(_facet(pool[name], stratum) for stratum in order.strata),
        lambda name: name,
        order.seed,
        size,
    )


def _differing(taxonomy: str, book: Book) -> Counter[Place]:
    """On how many questions about each episode raters who are done differ."""
    labels: dict[Place, list[Label]] = {}
    for label in book.labels:
        if label.taxonomy == taxonomy:
            labels.setdefault((label.run, label.episode), []).append(label)
    through: dict[Place, list[str]] = {}
    for run, episode, name, who in sorted(book.done):
        if name == taxonomy:
            through.setdefault((run, episode), []).append(who)
    return Counter(
        {place: len(disagreements(given, through.get(place, []))) for place, given in labels.items()}
    )


def _facet(one: EpisodeSummary, stratum: Stratum) -> str:
    if stratum == "outcome":
        return "not scored" if one.status is not Status.SCORED else "solved" if one.value == 1 else "failed"
    return str(getattr(one, stratum))


def _held_against_gold(
    queue: Queue, book: Book, codebook: Codebook, who: str, names: set[str]
) -> tuple[int, int, int]:
    """How many of gold's answers are hers, how many there are, and what she answered besides."""
    given = [
        one
        for one in book.labels
        if one.taxonomy == queue.order.taxonomy
        and one.annotator in (who, queue.order.gold_by)
        and not one.settles
        and f"{one.run}/{one.episode}" in names
    ]
    unread = {_asked(one) for one in given if codebook.is_split(one)}

    def answers(annotator: str) -> dict[tuple[object, ...], str]:
        return {
            (*_asked(one), one.about): one.code
            for one in given
            if one.annotator == annotator and _asked(one) not in unread
        }

    own, gold = answers(who), answers(queue.order.gold_by)
    return sum(own.get(item) == code for item, code in gold.items()), len(gold), len(own.keys() - gold.keys())


def _asked(label: Label) -> tuple[object, ...]:
    """The question about a place that it answers."""
    return label.run, label.episode, label.step, label.question


def _sorted(drawn: Sequence[str], own: Sequence[str]) -> list[str]:
    """In the order of being drawn: what raters differ on most comes first."""
    return [name for name in drawn if name in set(own)]


def _place(name: str) -> Place:
    run, _, episode = name.partition("/")
    return run, episode


def _path(store: Store, name: str) -> Path:
    if not is_name(name):
        raise UsageError(f'"{name[:60]}" is no name for a queue', 'use letters, digits, "-" and "_"')
    return ledger_of(store).folder / FOLDER / f"{name}{ENDING}"
