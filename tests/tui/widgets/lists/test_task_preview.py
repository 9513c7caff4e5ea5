"""Earlier results in the preview are those of the instance that is previewed."""

from __future__ import annotations

from webbench.core.engine.wire.catalogue_messages import TaskResults
from webbench.tui.widgets.lists.task_preview import result_entries

ONE = TaskResults(best_human=0.5, last=0.5, attempts=2)
FOUND = TaskResults(best_human=0.5, last=0.5, attempts=2, instances={1: ONE})


def told(found: TaskResults, instance: int | None) -> dict[str, str]:
    return {entry.label: entry.text for entry in result_entries(found, instance)}


def test_another_instance_has_no_part_in_them() -> None:
    assert told(FOUND, 0) == {
        "attempts": "none at this instance",
        "all instances": "best human 0.500 · my last 0.500 · attempts 2",
    }


def test_an_instance_shows_its_own() -> None:
    assert told(FOUND, 1)["my last"] == "0.500"
    assert told(FOUND, 1)["attempts"] == "2"


def test_a_task_without_instances_shows_the_tasks() -> None:
    assert told(TaskResults(best_agent=1.0, attempts=3), None) == {"best agent": "1.000", "attempts": "3"}
