"""What the demo plays where there is no terminal: a few bundled tasks of every benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cli.program import environment
from webbench.core.engine import catalogue
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.tui.cli.installation.demo import FEW, requests, spread


@pytest.mark.parametrize("count", range(8))
def test_a_few_are_spread_over_all(count: int) -> None:
    names = [str(number) for number in range(count)]
    chosen = spread(names)
    assert len(chosen) == len(set(chosen)) == min(count, FEW)
    assert {chosen[0], chosen[-1]} == {names[0], names[-1]} if names else not chosen


def test_every_benchmark_that_has_bundled_tasks_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    chosen = requests()
    assert chosen[0].benchmark == "demo"
    without = {"browsergym", "miniwob", "page"}  # packages bring them; and which has any page
    assert {request.benchmark for request in chosen} == set(entry_points.load(BENCHMARKS)) - without
    for request in chosen:
        tasks = catalogue.benchmark(request.benchmark).tasks(names=request.tasks, instances=1)
        assert {task.name for task in tasks} == set(request.tasks)
        assert len(tasks) == len(request.tasks)
