"""A person's own tasks stand beside those of bundles, alike in every benchmark whose tasks stand in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.benchmarks.common import own_and_bundled
from webbench.benchmarks.common.own_and_bundled import BUNDLE, LoadedTasks, OwnAndBundledBenchmark
from webbench.benchmarks.common.siteless_bundle import SitelessBundle
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.task import Task


class Lamps(OwnAndBundledBenchmark):
    name = "lamps"
    title = "Lamps"


def load(path: Path) -> LoadedTasks:
    if not path.exists():
        raise BadData(f"{path.name} can't be read")
    names = path.read_text().split()
    tasks = tuple(Task(benchmark="lamps", name=name, intent=path.name, split="own") for name in names)
    return LoadedTasks(tasks, (Problem(path.name, "a stain"),))


def lamps(data: Path | None) -> Lamps:
    return Lamps(data, load, "ask for them")


@pytest.fixture(autouse=True)
def bundles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[SitelessBundle]:
    """One can be read, of the other nothing is left."""
    (tmp_path / "desk").write_text("red green")
    found = [
        SitelessBundle(name=name, benchmark="lamps", title=name, licence="", data=tmp_path / name)
        for name in ("desk", "gone")
    ]
    monkeypatch.setattr(own_and_bundled, "bundles_of", lambda _: found)
    return found


def test_own_tasks_come_first_and_hide_bundled_ones_of_their_name(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("blue red")
    benchmark = lamps(own)
    assert [(task.name, task.intent, task.split) for task in benchmark.tasks()] == [
        ("blue", "own", "own"),
        ("red", "own", "own"),
        ("green", "desk", "desk"),
    ]
    assert [task.data.get(BUNDLE) for task in benchmark.tasks()] == [None, None, "desk"]
    assert benchmark.splits() == ("own", "desk")
    assert benchmark.status().detail == f"2 tasks in {own}; 1 of the bundle desk; 0 of the bundle gone"
    (told,) = (problem for problem in benchmark.problems() if problem.severity == "note")
    assert (told.where, told.message) == (
        "the bundle desk",
        "1 task hidden by your own of the same name: red",
    )


def test_what_is_wrong_is_told_of_bundles_too() -> None:
    assert [(one.message, one.severity) for one in lamps(None).problems()] == [
        ("a stain", "warning"),
        ("gone can't be read", "error"),
    ]


def test_what_is_missing_is_told_and_without_any_task_it_needs_data(
    tmp_path: Path, bundles: list[SitelessBundle]
) -> None:
    told = "2 tasks of the bundle desk; 0 of the bundle gone"
    assert lamps(None).status().detail == f"{told}; for the others ask for them"
    assert lamps(tmp_path / "lost").status().detail == f"{told}; lost can't be read"
    bundles.clear()
    status = lamps(tmp_path / "lost").status()
    assert (status.state, status.detail) == ("needs data", "lost can't be read")


def test_a_task_of_a_bundle_that_is_gone_names_it() -> None:
    stray = Task(benchmark="lamps", name="red", data={BUNDLE: "attic"})
    with pytest.raises(BadData, match='red: the bundle "attic" is not installed'):
        lamps(None).oracle(stray)
