"""Data sets stay open between calls, and what is wrong with them is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from webbench.benchmarks.demo.benchmark import DemoBenchmark
from webbench.core.benchmark.benchmark import Problem
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine
from webbench.core.engine.session import session
from webbench.core.engine.session.session import Session
from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.episode.events import EventBase
from webbench.core.errors import BadData, UsageError
from webbench.core.score.score import Score, Status
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.records import codec
from webbench.core.store.store import Store
from webbench.core.task import Task, TaskEntry
from webbench.core.trajectory import EpisodeHeader

NOTES = [Problem("a.csv", f"note {number}", "note") for number in range(catalogue.MOST_PROBLEMS)]
DIRT = (*NOTES, Problem("b.csv:3", "gone", "error"), Problem("c.csv", "odd"))


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    catalogue.forget("demo")
    yield
    catalogue.forget("demo")


@pytest.fixture
def dirty(monkeypatch: pytest.MonkeyPatch) -> None:
    def problems(_: DemoBenchmark) -> Sequence[Problem]:
        return DIRT

    monkeypatch.setattr(DemoBenchmark, "problems", problems)


def test_a_benchmark_stays_open_until_it_is_forgotten() -> None:
    first = catalogue.benchmark("demo")
    assert catalogue.benchmark("demo") is first
    catalogue.forget("turkingbench")
    assert catalogue.benchmark("demo") is first, "another benchmark was read anew"
    catalogue.forget("demo")
    assert catalogue.benchmark("demo") is not first


@pytest.mark.usefixtures("dirty")
def test_problems_are_counted_and_the_worst_come_first() -> None:
    told = catalogue.list_problems("demo")
    assert told.counts == {"note": len(NOTES), "error": 1, "warning": 1}
    assert [problem.message for problem in told.problems[:3]] == ["gone", "odd", "note 0"]
    assert len(told.problems) == catalogue.MOST_PROBLEMS


def test_clean_data_has_no_problems() -> None:
    told = catalogue.list_problems("demo")
    assert (told.counts, told.problems) == ({}, ())


class Sitting:
    def __init__(self, folder: Path) -> None:
        self.events: list[messages.Event] = []
        self.session = Session(Engine(Store(folder)), self.events.append)

    async def has(self, kind: type[EventBase]) -> None:
        async with asyncio.timeout(10):
            while not any(isinstance(event, kind) for event in self.events):
                await asyncio.sleep(0.01)


async def test_nothing_waits_for_a_data_set_that_is_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = threading.Event()

    def problems(_: DemoBenchmark) -> Sequence[Problem]:
        looked.wait(10)
        return DIRT

    monkeypatch.setattr(DemoBenchmark, "problems", problems)
    sitting = Sitting(tmp_path)
    await sitting.session.handle(catalogue_messages.ListProblems(benchmark="demo"))
    await sitting.session.handle(catalogue_messages.ReadTask(benchmark="demo", name="camp-mugs"))
    assert [type(event) for event in sitting.events] == [catalogue_messages.TaskRead]
    looked.set()
    await sitting.has(catalogue_messages.ProblemsListed)


async def test_nothing_waits_for_a_list_that_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, asked = threading.Event(), []
    entries = DemoBenchmark.catalogue

    def slow(self: DemoBenchmark) -> Sequence[TaskEntry]:
        asked.append(threading.get_ident())
        may_end.wait(30)
        return entries(self)

    monkeypatch.setattr(DemoBenchmark, "catalogue", slow)
    monkeypatch.setattr(session, "PATIENCE", 0.01)
    sitting = Sitting(tmp_path)
    for _ in range(3):
        await sitting.session.handle(catalogue_messages.ListTasks(benchmark="demo"))
    await sitting.session.handle(catalogue_messages.ReadTask(benchmark="demo", name="camp-mugs"))
    await sitting.session.handle(catalogue_messages.ListUnfinished())
    assert [type(event) for event in sitting.events] == [catalogue_messages.UnfinishedListed]
    may_end.set()
    await sitting.has(catalogue_messages.TaskRead)
    while sum(isinstance(event, catalogue_messages.ResultsListed) for event in sitting.events) < 2:
        await asyncio.sleep(0.01)
    assert [type(event) for event in sitting.events[1:]].count(catalogue_messages.TasksListed) == 2
    assert len(asked) == 2, "it was asked for meanwhile, however often: it is read once more"
    assert threading.get_ident() not in asked


async def test_trouble_in_looking_through_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def problems(_: DemoBenchmark) -> Sequence[Problem]:
        raise UsageError("the folder is a file")

    monkeypatch.setattr(DemoBenchmark, "problems", problems)
    sitting = Sitting(tmp_path)
    await sitting.session.handle(catalogue_messages.ListProblems(benchmark="demo"))
    await sitting.has(messages.Trouble)
    assert any(
        isinstance(event, messages.Trouble) and event.message == "the folder is a file"
        for event in sitting.events
    )


def record(
    store: Store, benchmark: str, actor: str, value: float, name: str = "cart", instance: int | None = None
) -> None:
    run = store.start_run(benchmark, actor, 1)
    task = Task(benchmark=benchmark, name=name, instance=instance)
    recorder = store.recorder(run, EpisodeHeader(run="", episode="", task=task, actor=actor, dialect="json"))
    recorder.finish(Score(status=Status.SCORED, value=value), "done")


async def test_results_are_read_of_the_benchmark_that_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(tmp_path)
    store = sitting.session.engine.store
    for benchmark, actor, value in (
        ("demo", "human", 0.5),
        ("demo", "oracle", 1.0),
        ("weblinx", "human", 0.1),
    ):
        record(store, benchmark, actor, value)
    decoded: list[str] = []
    original = codec.decode

    def decode(data: bytes, kind: type[Any]) -> Any:
        record = original(data, kind)
        if isinstance(record, EpisodeSummary):
            decoded.append(record.benchmark)
        return record

    monkeypatch.setattr(codec, "decode", decode)
    await sitting.session.handle(catalogue_messages.ListTasks(benchmark="demo"))
    listed = [event for event in sitting.events if isinstance(event, catalogue_messages.ResultsListed)]
    cart = catalogue_messages.TaskResults(best_human=0.5, best_agent=1.0, last=0.5, attempts=2)
    assert listed == [catalogue_messages.ResultsListed(benchmark="demo", results={"cart": cart})]
    assert decoded == ["demo", "demo"], "the episodes of other benchmarks were read too"


def test_each_instance_has_results_of_its_own(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for instance, actor, value in ((0, "oracle", 1.0), (1, "human", 0.25), (1, "human", 0.5)):
        record(store, "turkingbench", actor, value, "forms", instance)
    found = catalogue.results(store, "turkingbench").results["forms"]
    assert (found.attempts, found.best_human, found.best_agent, found.last) == (3, 0.5, 1.0, 0.5)
    assert found.instances == {
        0: catalogue_messages.TaskResults(best_agent=1.0, attempts=1),
        1: catalogue_messages.TaskResults(best_human=0.5, last=0.5, attempts=2),
    }


def test_a_record_without_the_task_itself_is_started_from_the_benchmark() -> None:
    named = Task(benchmark="demo", name="camp-mugs")
    assert catalogue.startable(recorded(named)).data
    own = Task(benchmark="demo", name="camp-mugs", data={"start": "/own"})
    assert catalogue.startable(recorded(own)) is own
    with pytest.raises(UsageError, match="demo gone, but doesn't hold the task itself"):
        catalogue.startable(recorded(Task(benchmark="demo", name="gone")))


def test_a_record_without_an_end_gets_its_reference_answers_from_the_benchmark() -> None:
    whole = catalogue.read_task("demo", "camp-mugs", 0).task
    without = msgspec.structs.replace(whole, gold={})
    assert catalogue.startable(recorded(without, withheld=True)) == whole
    for other, why in (
        ({"intent": "Buy a tent."}, "it is another task there now"),
        ({"name": "gone"}, "gone"),
    ):
        changed = recorded(msgspec.structs.replace(without, **other), withheld=True)
        with pytest.raises(BadData, match=why) as told:
            catalogue.startable(changed)
        assert "--data" in told.value.hint


def recorded(task: Task, *, withheld: bool = False) -> EpisodeHeader:
    return EpisodeHeader(
        run="", episode="e", task=task, actor="human", dialect="webarena", gold_withheld=withheld
    )
