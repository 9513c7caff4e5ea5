"""Which tasks a run may be of, and what the fields of the form come to."""

from __future__ import annotations

import pytest

from webbench.core.benchmark.subsets import Subset
from webbench.core.episode.limits import Budget
from webbench.core.errors import UsageError
from webbench.core.runner.plan.run_request import RunRequest
from webbench.core.task import TaskEntry
from webbench.tui.screens.library.batch_form import TaskChoice, request_of, task_choices

ENTRIES = (
    TaskEntry(benchmark="demo", name="mugs", split="shop"),
    TaskEntry(benchmark="demo", name="bags", split="shop", parts=("hard",)),
    TaskEntry(benchmark="demo", name="forms", split="desk", instances=3),
)
BASE = RunRequest(benchmark="demo", agent="oracle")


def test_what_the_list_shows_comes_first() -> None:
    choices = task_choices(
        "Demo",
        ENTRIES,
        ENTRIES[:1],
        marked=("bags",),
        split="shop",
        filtered=True,
        here=ENTRIES[2],
        instance=1,
    )
    assert choices == [
        TaskChoice("the 1 marked task", names=("bags",)),
        TaskChoice("the 1 task that the list shows", names=("mugs",)),
        TaskChoice("split shop of Demo: 2 tasks", split="shop"),
        TaskChoice("all of Demo: 3 tasks"),
        TaskChoice("only forms", names=("forms",)),
        TaskChoice("only forms#1", names=("forms#1",)),
    ]


def test_a_named_subset_is_a_split_and_a_filter_that_leaves_nothing_is_no_choice() -> None:
    labels = [one.label for one in task_choices("Demo", ENTRIES, (), split="hard", filtered=True)]
    assert labels == ["split hard of Demo: 1 task", "all of Demo: 3 tasks"]


def test_a_subset_that_is_shown_comes_first_and_every_other_one_can_be_chosen() -> None:
    own = [Subset(name=name, benchmark="demo", tasks=("mugs",)) for name in ("pilot", "rest")]
    choices = task_choices("Demo", ENTRIES, ENTRIES[:1], filtered=True, subsets=own, subset="@rest")
    assert [one.names for one in choices if one.names] == [("@rest",), ("mugs",), ("@pilot",)]


def test_empty_fields_are_the_defaults_of_the_command() -> None:
    assert request_of(BASE, TaskChoice("all"), {}) == BASE


def test_fields_become_options() -> None:
    filled = {"workers": "4", "repeats": "2", "seed": "-7", "instances": "10", "limit_steps": "30"}
    filled |= {"limit_seconds": "90.5", "limit_cost": "0.25", "run_cost": " 12 "}
    found = request_of(BASE, TaskChoice("one", split="shop", names=("mugs",)), filled)
    assert (found.split, found.tasks, found.workers, found.repeats) == ("shop", ("mugs",), 4, 2)
    assert (found.seed, found.instances, found.run_cost) == (-7, 10, 12.0)
    assert found.budget == Budget(steps=30, seconds=90.5, cost=0.25)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("workers", "0", 'Workers is a whole number from 1, not "0"'),
        ("repeats", "2.5", 'Repeat is a whole number from 1, not "2.5"'),
        ("limit_cost", "nan", 'US$ each is a number from 0, not "nan"'),
        ("run_cost", "-1", 'US$ total is a number from 0, not "-1"'),
        ("seed", "x", 'Seed is a whole number, not "x"'),
        ("limit_steps", "9" * 20, "Steps is a whole number from 0"),
    ],
)
def test_what_is_no_such_number_is_told(name: str, text: str, told: str) -> None:
    with pytest.raises(UsageError) as raised:
        request_of(BASE, TaskChoice("all"), {name: text})
    assert told in raised.value.message
