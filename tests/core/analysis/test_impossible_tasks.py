"""Impossible tasks: false ones, and answers to those that can't be done."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.benchmarks.webarena.benchmark import create as webarena
from webbench.core.action.action import Noop, Stop
from webbench.core.analysis.runs.whole_run import analyse
from webbench.core.benchmark.benchmark import gives_up
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import Table
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

IMPOSSIBLE: JsonObject = {"eval_types": ["string_match"], "reference_answers": {"fuzzy_match": "N/A"}}
POSSIBLE: JsonObject = {"eval_types": ["string_match"], "reference_answers": {"must_include": ["12"]}}
VERIFIED: JsonObject = {"eval": [{"expected": {"task_type": "retrieve", "status": "SUCCESS"}}]}


def task(name: str, gold: JsonObject) -> Task:
    return Task(benchmark="webarena", name=name, kind="string_match", gold=gold)


def record(store: Store, attempts: list[tuple[Task, str | None, Score]]) -> str:
    run = store.start_run("webarena", "model x", len(attempts))
    for at, (of, answer, score) in enumerate(attempts):
        header = EpisodeHeader(run="", episode="", task=of, actor="model x", dialect="webarena", order=at)
        recorder = store.recorder(run, header, durable=False)
        action = Noop() if answer is None else Stop(answer=answer)
        recorder.write(Step(index=0, at=""))
        recorder.write(Step(index=1, at="", actor="agent", action=action, text="x"))
        recorder.finish(score, "done")
    return run


def value(cell: object) -> tuple[float | None, int]:
    assert isinstance(cell, Estimate)
    assert cell.low is not None
    assert cell.high is not None
    return cell.value, cell.n


def test_both_ways_of_being_wrong_are_told_with_intervals(tmp_path: Path) -> None:
    """What has no score is in neither; a reason that a judge credited is an answer, and counted beside."""
    store = Store(tmp_path)
    solved = Score(status=Status.SCORED, value=1.0)
    failed = Score(status=Status.SCORED, value=0.0)
    run = record(
        store,
        [
            (task("1", POSSIBLE), ' "n/a" ', failed),
            (task("2", POSSIBLE), "12", solved),
            (task("3", POSSIBLE), None, failed),
            (task("4", POSSIBLE), "N/A", Score(status=Status.PENDING, interval=(0.0, 1.0))),
            (task("5", POSSIBLE), "N/A", not_scored("no page")),
            (task("6", IMPOSSIBLE), "N/A", solved),
            (task("7", IMPOSSIBLE), "the shop sells no boats", solved),
            (task("8", IMPOSSIBLE), "42", failed),
            (task("9", IMPOSSIBLE), "", failed),
        ],
    )
    (section,) = (one for one in analyse(store, [run]).analysis.sections if one.name == "impossible")
    (table,) = section.figures
    assert isinstance(table, Table)
    (row,) = table.rows
    assert (row.cells[0], row.cells[1], row.cells[3]) == ("A", 4, 4)
    assert value(row.cells[2]) == (0.5, 4)
    assert [value(row.cells[at]) for at in (4, 5)] == [(0.25, 4), (0.5, 4)]
    assert row.cells[6:] == (1, 1)
    assert len(row.episodes) == 6


def test_nothing_is_told_where_no_task_is_impossible_and_none_was_given_up(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = record(store, [(task("1", POSSIBLE), "12", Score(status=Status.SCORED, value=1.0))])
    assert "impossible" not in [one.name for one in analyse(store, [run]).analysis.sections]


@pytest.mark.parametrize(
    ("answer", "gives"),
    [
        ('{"task_type": "retrieve", "status": "NOT_FOUND_ERROR"}', True),
        ('```json\n{"status": "SUCCESS"}\n```', False),
        ("{broken", False),
        ("N/A", True),
    ],
)
def test_a_status_of_the_verified_edition_gives_up_too(answer: str, gives: bool) -> None:
    of = Task(benchmark="webarena", name="verified.1", gold=VERIFIED)
    assert gives_up(webarena(None), of, answer) is gives
