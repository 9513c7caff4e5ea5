"""A task made of a demonstration is written once a near miss fails its checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webbench.benchmarks.webarena.authored_task import Checks, Ending, faults, task_entry, write_task
from webbench.benchmarks.webarena.tasks import read_task_files
from webbench.core.errors import UsageError


def ending(name: str, price: str) -> Ending:
    return Ending(
        episode=name,
        start="http://shop.test/",
        url=f"http://shop.test/{name}",
        answer=f"It costs {price}",
        page=f"<h1>Mug</h1><p>It costs {price}</p>",
        texts=(f"It costs {price}",),
    )


BLUE, RED, AGAIN = ending("blue", "12 euros"), ending("red", "9 euros"), ending("blue", "12 euros")
TEMPLATE = "Find what the {{colour}} mug costs"


def test_checks_have_to_part_the_demonstration_from_a_near_miss(tmp_path: Path) -> None:
    loose = task_entry(7, TEMPLATE, {"colour": "blue"}, BLUE, Checks(answer=("euros",)))
    assert "no near miss was tried" in next(faults(loose, BLUE, (), ()))
    assert "red is wrong and meets every check" in next(faults(loose, BLUE, (RED,), ()))
    sound = Checks(answer=("12",), address=True, shows=("12 euros",))
    entry = task_entry(7, TEMPLATE, {"colour": "blue"}, BLUE, sound)
    assert list(faults(entry, BLUE, (RED,), (AGAIN,))) == []
    assert "red should meet every check" in next(faults(entry, BLUE, (RED,), (RED,)))
    file = tmp_path / "tasks.json"
    for one in (loose, entry):
        write_task(file, one)
    loaded = read_task_files([file])
    assert [(task.name, task.intent) for task in loaded.tasks] == [("7", "Find what the blue mug costs")]
    assert (loaded.problems, json.loads(file.read_text())) == ((), [entry])


def test_an_intent_and_its_values_fit_and_something_is_checked() -> None:
    with pytest.raises(UsageError, match="differ in colour"):
        task_entry(7, TEMPLATE, {}, BLUE, Checks(address=True))
    with pytest.raises(UsageError, match="Nothing is checked"):
        task_entry(7, TEMPLATE, {"colour": "blue"}, BLUE, Checks())
