"""Impossible tasks: who gives up on what can be done, and who answers what can't.

Source: WebArena, section 5.2: GPT-4 with the hint that a task may be unachievable answered "N/A" to 54.9 %
of the tasks that can be done. The other way round an agent that never gives up answers a task that has no
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from webbench.core.action.action import Stop
from webbench.core.analysis.recorded.run_records import Recorded
from webbench.core.benchmark.benchmark import Benchmark, gives_up, traits_of
from webbench.core.score.score import Status
from webbench.core.statistics.estimates import Estimate, clustered_mean, wilson
from webbench.core.statistics.figures import Cell, Column, Row, Section, Table
from webbench.core.trajectory import Trajectory

ABOUT = (
    "Tasks that can't be done are to be answered so. False impossible: the share of attempts at tasks that "
    "can be done that ended with that answer (WebArena, section 5.2: 54.9 % for GPT-4 with the hint). "
    "Answered though impossible: the share of attempts at the others that ended with some other answer; a "
    "judge may have credited it as a reason why the task can't be done, and those are counted beside. "
    "Attempts that are scored or wait for a judge; Wilson's intervals, where a task was attempted twice by "
    "cluster bootstrap over tasks."
)

Ending = Literal["gave up", "answered", "no answer"]


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How one attempt ended.

    Attributes:
        name: "run/episode".
        credited: it reached a score of 1.
    """

    name: str
    task: str
    achievable: bool
    ending: Ending
    credited: bool = False


def ending_of(benchmark: Benchmark | None, trajectory: Trajectory) -> Ending:
    """What its last action was: the answer that the task can't be done, another one, or none."""
    acted = [step.action for step in trajectory.steps if step.action is not None]
    last = acted[-1] if acted else None
    if not isinstance(last, Stop) or not last.answer.strip():
        return "no answer"
    return "gave up" if gives_up(benchmark, trajectory.header.task, last.answer) else "answered"


def ended(one: Recorded, trajectory: Trajectory, benchmark: Benchmark | None) -> Ended | None:
    """None of an attempt without a score to come, and of a task of which it isn't known whether it can be
    done."""
    achievable = traits_of(benchmark, one.task).achievable
    if achievable is None or one.state not in (Status.SCORED.value, Status.PENDING.value):
        return None
    ending = ending_of(benchmark, trajectory)
    return Ended(
        name=one.name,
        task=one.task.id,
        achievable=achievable,
        ending=ending,
        credited=one.value == 1,
    )


def false_impossible(found: Iterable[Ended], *, seed: int = 0) -> Estimate | None:
    """Share of attempts at tasks that can be done that gave up; None without such an attempt."""
    return _share([one for one in found if one.achievable], lambda one: one.ending == "gave up", seed)


def answered_impossible(found: Iterable[Ended], *, seed: int = 0) -> Estimate | None:
    """Share of attempts at tasks that can't be done that gave another answer; None without one."""
    return _share([one for one in found if not one.achievable], lambda one: one.ending == "answered", seed)


def impossible_section(runs: Mapping[str, Sequence[Ended]], *, seed: int = 0) -> Section | None:
    """A row for each run; None where no attempt was at a task that can't be done, and none gave up."""
    if not any(not one.achievable or one.ending == "gave up" for found in runs.values() for one in found):
        return None
    table = Table(
        title="Given up, and answered though impossible",
        columns=(
            Column("", "text"),
            Column("can be done"),
            Column("false impossible"),
            Column("can't be done"),
            Column("said so"),
            Column("answered"),
            Column("of these credited", optional=True),
            Column("no answer", optional=True),
        ),
        rows=tuple(_row(letter, found, seed) for letter, found in runs.items() if found),
    )
    return Section(name="impossible", title="Impossible tasks", about=ABOUT, figures=(table,))


def _row(letter: str, found: Sequence[Ended], seed: int) -> Row:
    can = [one for one in found if one.achievable]
    cannot = [one for one in found if not one.achievable]
    cells: tuple[Cell, ...] = (
        letter,
        len(can),
        false_impossible(can, seed=seed),
        len(cannot),
        _share(cannot, lambda one: one.ending == "gave up", seed),
        answered_impossible(cannot, seed=seed),
        sum(one.ending == "answered" and one.credited for one in cannot) if cannot else None,
        sum(one.ending == "no answer" for one in cannot) if cannot else None,
    )
    telling = [one for one in found if one.ending == "gave up" or not one.achievable]
    return Row(cells, tuple(one.name for one in telling))


def _share(found: Sequence[Ended], is_so: Callable[[Ended], bool], seed: int) -> Estimate | None:
    if not found:
        return None
    tasks: list[Hashable] = [one.task for one in found]
    if len(set(tasks)) == len(tasks):
        return wilson(sum(map(is_so, found)), len(found))
    return clustered_mean([float(is_so(one)) for one in found], tasks, seed=seed)
