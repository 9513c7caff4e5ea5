"""People beside models: the same figures of both, on the tasks that both attempted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import msgspec

from webbench.core.people.baselines.success_and_time import Rate, achievable, rate, seeks
from webbench.core.people.baselines.trials import Trial
from webbench.core.statistics.estimates import Difference, paired_difference

PEOPLE = "human"


class ActorRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line: people, or a model.

    Attributes:
        actor, run: "human" without a run, else the agent and its run.
        all, seeking, others, achievable, unachievable: over the tasks of the table.
        difference: people minus the model on the tasks that both have scored; None for people.
        left_out: the run's episodes of other tasks.
    """

    actor: str
    run: str = ""
    all: Rate
    seeking: Rate
    others: Rate
    achievable: Rate
    unachievable: Rate
    difference: Difference | None = None
    left_out: int = 0


def actor_rows(
    people: Sequence[Trial], models: Sequence[tuple[str, Sequence[Trial]]], *, seed: int = 0
) -> tuple[ActorRow, ...]:
    """People first, then each (run, trials), restricted to the tasks that people did."""
    tasks = {one.task for one in people}
    rows = [_row(PEOPLE, "", people, seed)]
    for run, trials in models:
        common = [one for one in trials if one.task in tasks]
        name = ", ".join(dict.fromkeys(one.who for one in trials)) or "nobody"
        row = _row(name, run, common, seed)
        rows.append(
            msgspec.structs.replace(
                row, difference=_difference(people, common, seed), left_out=len(trials) - len(common)
            )
        )
    return tuple(rows)


def _row(actor: str, run: str, trials: Sequence[Trial], seed: int) -> ActorRow:
    def part(told: Callable[[Trial], str], group: str) -> Rate:
        return rate(group, [one for one in trials if told(one) == group], seed=seed)

    return ActorRow(
        actor=actor,
        run=run,
        all=rate("all", trials, seed=seed),
        seeking=part(seeks, "information seeking"),
        others=part(seeks, "other"),
        achievable=part(achievable, "achievable"),
        unachievable=part(achievable, "unachievable"),
    )


def _difference(people: Sequence[Trial], model: Sequence[Trial], seed: int) -> Difference | None:
    ours, theirs = _by_task(people), _by_task(model)
    both = [task for task in ours if task in theirs]
    if not both:
        return None
    clusters = {one.task: one.cluster for one in people}
    return paired_difference(
        [ours[task] for task in both],
        [theirs[task] for task in both],
        [clusters[task] for task in both],
        seed=seed,
    )


def _by_task(trials: Sequence[Trial]) -> dict[str, float]:
    """Mean success on each task with a value."""
    found: dict[str, list[float]] = {}
    for one in trials:
        if one.success is not None:
            found.setdefault(one.task, []).append(one.success)
    return {task: fmean(values) for task, values in found.items()}
