"""A queue is drawn and dealt by its seed; progress and gold are read off the labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.screens.labelling.test_labelling import recorded
from webbench.core.errors import UsageError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.queues import (
    QueueOrder,
    labelling_order,
    make_queue,
    queue_progress,
    read_queue,
)
from webbench.core.people.labelling.worksheet import LabellingOrder, Worksheet
from webbench.core.store.store import Store


def read(
    store: Store, annotator: str, places: tuple[tuple[str, str], ...], code: str, besides: str = ""
) -> None:
    """Label each episode with this outcome, its first step with what is besides, and be done with it."""
    order = LabellingOrder(places=places, annotator=annotator, taxonomy="merged")
    sheets = Worksheet(store, load_codebook(), order)
    for _ in places:
        sheets.give(None, *sheets.taxonomy.find(code))
        if besides:
            sheets.give(1, *sheets.taxonomy.find(besides))
        sheets.finish()


def test_a_queue_is_dealt_read_and_held_against_gold(tmp_path: Path) -> None:
    places = recorded(tmp_path, 7)
    store = Store(tmp_path)
    read(store, "judge", places[:3], "wrong")
    order = QueueOrder(
        name="first",
        taxonomy="merged",
        annotators=("ann", "bert", "cleo"),
        size=3,
        strata=("outcome",),
        readings=2,
        gold=2,
        gold_by="judge",
    )
    queue = make_queue(store, order, store.episodes())
    assert queue == read_queue(store, "first")
    assert [len(own) for own in queue.assigned.values()] == [4, 4, 4]
    dealt = [name for own in queue.assigned.values() for name in own]
    assert sorted(dealt.count(name) for name in set(dealt)) == [2, 2, 2, 3, 3]
    assert {name for name in dealt if dealt.count(name) == 3} == set(queue.gold)
    gold = tuple((name.split("/")[0], name.split("/")[1]) for name in queue.gold)
    read(store, "ann", gold[:1], "wrong", besides="cause.misread")
    read(store, "ann", gold[1:], "solved")
    ann, bert, _ = queue_progress(queue, ledger_of(store).book(), load_codebook())
    assert (ann.done, ann.assigned, ann.gold_right, ann.gold_items, ann.accuracy) == (2, 4, 1, 2, 0.5)
    assert ann.gold_besides == 1, "gold tells what is there, not that there is nothing else"
    assert (bert.done, bert.accuracy) == (0, None)
    assert ann.seconds >= 0
    begun = labelling_order(queue, "ann", ledger_of(store).book())
    assert begun.places[begun.at] not in gold
    with pytest.raises(UsageError, match="no part in the queue"):
        queue.places("dora")
    with pytest.raises(UsageError, match="There is a queue first already"):
        make_queue(store, order, store.episodes())


def test_what_raters_differ_on_comes_first(tmp_path: Path) -> None:
    places = recorded(tmp_path, 4)
    store = Store(tmp_path)
    for who in ("ann", "bert"):
        read(store, who, places[:3], "wrong")
    read(store, "ann", places[2:3], "solved")
    order = QueueOrder(name="differ", taxonomy="merged", annotators=("cleo",), size=2, by_disagreement=True)
    queue = make_queue(store, order, store.episodes())
    assert queue.places("cleo")[0] == places[2]
    with pytest.raises(UsageError, match="2 readings of each episode by 1 annotator"):
        make_queue(
            store, QueueOrder(name="x", taxonomy="merged", annotators=("a",), readings=2), store.episodes()
        )


def test_the_time_of_an_episode_that_is_left_is_kept_for_the_next_sitting(tmp_path: Path) -> None:
    recorded(tmp_path, 2)
    store = Store(tmp_path)
    order = QueueOrder(name="first", taxonomy="merged", annotators=("ann",))
    queue = make_queue(store, order, store.episodes())

    def sitting(*times: float) -> Worksheet:
        """One whose clock shows these times, then the last of them."""
        shown = list(times)
        part = labelling_order(queue, "ann", ledger_of(store).book())
        return Worksheet(store, load_codebook(), part, lambda: shown.pop(0) if shown[1:] else shown[0])

    def spent() -> tuple[int, float, float]:
        (ann,) = queue_progress(queue, ledger_of(store).book(), load_codebook())
        return ann.done, ann.seconds, ann.seconds_begun

    sitting(0, 0.5).leave()
    assert spent() == (0, 0, 0)
    sitting(0, 40).leave()
    first = sitting(0, 30, 45)
    first.move(1)
    first.leave()
    assert spent() == (0, 0, 85)
    again = sitting(0, 20)
    again.finish()
    assert spent() == (1, 90, 15)
    again.leave()
    assert spent() == (1, 90, 15)
