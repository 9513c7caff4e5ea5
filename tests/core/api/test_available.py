"""Benchmarks and tasks by the public door."""

from __future__ import annotations

import pytest

import webbench as wb
from webbench.core.api.available import chosen_task


def test_the_state_of_every_benchmark_is_told() -> None:
    demo = next(one for one in wb.benchmarks() if one.name == "demo")
    assert (demo.state, demo.rule_sets[0]) == ("ready", "published")
    assert demo.tasks == len(wb.benchmark("demo").catalogue())


def test_tasks_are_chosen_by_what_they_are() -> None:
    every = wb.tasks("demo")
    shop = wb.tasks("demo", site="shop", kind="cart")
    assert [one.name for one in shop] == [
        one.name for one in every if (one.site, one.kind) == ("shop", "cart")
    ]
    assert [one.name for one in wb.tasks("demo", names="camp-mugs")] == ["camp-mugs"]
    assert [one.name for one in wb.tasks("demo", where=lambda task: "mug" in task.name)] == ["camp-mugs"]


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    with pytest.raises(wb.UsageError, match="camp-mugs"):
        wb.tasks("demo", names=["camp-mug"])
    with pytest.raises(wb.UsageError, match="demo"):
        wb.tasks("dema")


def test_a_task_is_named_in_one_word() -> None:
    assert chosen_task("demo/camp-mugs").id == "camp-mugs"
    assert chosen_task("demo/review-sentiment").instance == 0
    assert chosen_task("demo/review-sentiment#2").id == "review-sentiment#2"
    task = wb.tasks("demo")[0]
    assert chosen_task(task) is task


@pytest.mark.parametrize("name", ["camp-mugs", "demo/", "demo/camp-mug", "demo/review-sentiment#99"])
def test_a_word_that_names_no_task_is_refused(name: str) -> None:
    with pytest.raises(wb.UsageError):
        chosen_task(name)
