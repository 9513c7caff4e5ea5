"""Tasks of Online-Mind2Web: the published file as it is, and files with something wrong in them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.shared import need_shared
from webbench.benchmarks.online_mind2web.benchmark import create
from webbench.benchmarks.online_mind2web.tasks import load_tasks
from webbench.core.datasets.data_family import data_families
from webbench.core.datasets.first_look import Look
from webbench.core.errors import BadData
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import Score, Status

GOOD = {
    "task_id": "a",
    "confirmed_task": "Find a mug",
    "website": "https://shop.example/",
    "reference_length": 3,
    "level": "easy",
}


def test_the_published_file_is_read_whole() -> None:
    file = need_shared("data", "trajectories", "online-mind2web", "Online_Mind2Web.json")
    loaded = load_tasks(file)
    assert loaded.problems == ()
    assert Counter(task.kind for task in loaded.tasks) == {"easy": 80, "medium": 143, "hard": 77}
    first = loaded.tasks[0]
    assert (first.site, first.data) == ("www.traderjoes.com", {"start": "https://www.traderjoes.com/"})
    assert first.gold == {"reference_length": 6}
    (family,) = (one for one in data_families() if one.benchmark == "online-mind2web")
    assert family.recognise(Look(file))


def test_what_can_not_be_used_is_told_and_the_rest_is_there(tmp_path: Path) -> None:
    rows = [
        GOOD,
        GOOD,
        GOOD | {"task_id": "b", "website": "javascript:alert(1)"},
        GOOD | {"task_id": "c", "confirmed_task": " "},
        GOOD | {"task_id": "d", "level": "extreme", "reference_length": "3"},
        {k: v for k, v in GOOD.items() if k != "task_id"},
    ]
    file = tmp_path / "tasks.json"
    file.write_text(json.dumps(rows))
    loaded = load_tasks(file)
    assert [(task.name, task.kind, task.gold) for task in loaded.tasks] == [
        ("a", "easy", {"reference_length": 3}),
        ("d", "", {}),
    ]
    assert Counter(problem.severity for problem in loaded.problems) == {"error": 4, "warning": 2}
    file.write_text("[]")
    with pytest.raises(BadData):
        load_tasks(file)


def test_rates_are_by_level_and_none_while_a_judge_is_awaited() -> None:
    benchmark = create()
    easy, medium = (
        next(task for task in benchmark.tasks() if task.kind == kind) for kind in ("easy", "medium")
    )
    done = Attempt(easy, Score(status=Status.SCORED, value=1.0))
    waiting = Attempt(medium, Score(status=Status.PENDING, interval=(0.0, 1.0)))
    assert benchmark.figures([done], "published")["success_rate"] == 1.0
    found = benchmark.figures([done, waiting], "published")
    assert (found["success_rate"], found["success_rate_interval"]) == (None, [0.5, 1.0])
    assert (found["success_rate_easy"], found["success_rate_medium"]) == (1.0, None)
