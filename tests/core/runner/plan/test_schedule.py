"""Which episodes may run side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from webbench.core.benchmark.benchmark import SiteUse
from webbench.core.errors import BadData
from webbench.core.runner.plan.plan import PlannedEpisode
from webbench.core.runner.plan.schedule import Schedule

SHOP, FORUM = {"SHOPPING": "http://shop"}, {"REDDIT": "http://forum"}
READS = SiteUse(sites=SHOP)
WRITES = SiteUse(sites=SHOP, changes=True)
ELSEWHERE = SiteUse(sites=FORUM, changes=True)


def schedule(
    uses: Sequence[SiteUse | None], *, exclusive: bool = False, repeats: int = 1
) -> tuple[Schedule, list[int]]:
    """Tasks "0", "1", ... with these uses; None shares nothing."""
    tasks = [str(number) for number in range(len(uses))]
    episodes = [
        PlannedEpisode(order=repeat * len(tasks) + at, task=task, repeat=repeat)
        for repeat in range(repeats)
        for at, task in enumerate(tasks)
    ]
    known: Mapping[str, SiteUse] = {task: use for task, use in zip(tasks, uses, strict=True) if use}
    return Schedule(episodes, known, exclusive=exclusive), [one.order for one in episodes]


def begun(rules: Schedule, waiting: list[int], running: Sequence[int] = ()) -> list[int]:
    """What begins with as many workers as there are episodes."""
    now = list(running)
    left = [order for order in waiting if order not in now]
    while (order := rules.next(left, now)) is not None:
        now.append(order)
        left.remove(order)
    return now


def test_readers_share_a_site_and_a_writer_has_it_to_itself() -> None:
    rules, orders = schedule([READS, READS, WRITES, None, ELSEWHERE])
    assert begun(rules, orders) == [0, 1, 3, 4]
    assert begun(rules, [2], [0]) == [0]
    assert begun(rules, [2], [4]) == [4, 2]
    assert begun(rules, [0, 1], [2]) == [2]


def test_a_reader_does_not_overtake_a_writer_that_waits_for_its_site() -> None:
    rules, orders = schedule([READS, WRITES, READS, READS, None])
    assert begun(rules, orders) == [0, 4]


def test_sites_that_are_reset_before_every_task_are_never_shared() -> None:
    rules, orders = schedule([READS, READS, ELSEWHERE], exclusive=True)
    assert begun(rules, orders) == [0, 2]


def test_a_task_waits_for_those_it_depends_on_within_its_repetition() -> None:
    rules, orders = schedule([SiteUse(after=("2", "not planned")), None, None], repeats=2)
    assert begun(rules, orders) == [1, 2, 4, 5]
    assert rules.next([0, 3], [5]) == 0, "2 is through, 5 is not"
    assert rules.next([3], [5]) is None


def test_tasks_that_wait_for_each_other_are_refused() -> None:
    with pytest.raises(BadData, match="wait for each other: 0, 1"):
        schedule([SiteUse(after=("1",)), SiteUse(after=("0",)), SiteUse(after=("1",))])


def test_an_episode_to_be_played_alone_has_nothing_beside_it() -> None:
    rules, _ = schedule([None, None, None])
    assert rules.next([1, 2], [0], alone={1}) == 2
    assert rules.next([1, 2], [], alone={1}) == 1
    assert rules.next([2], [1], alone={1}) is None
