"""Rescoring a whole run: each episode from its record, and the benchmark's figures of what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from webbench.core.api.defaults import chosen_rules, data_folder
from webbench.core.api.naming import find_episodes
from webbench.core.api.rescoring import Rescored, rescored
from webbench.core.benchmark.benchmark import figures_of
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import Json
from webbench.core.score.aggregates import Attempt
from webbench.core.scoring.judges.human import AskPerson
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

SCHEMA_VERSION = 1


class RescoredRun(msgspec.Struct, frozen=True, kw_only=True):
    """What the episodes of a run score now.

    Attributes:
        episodes: in their order; of one that was played again the last attempt alone.
        figures: the benchmark's own, by rule set, the headline's first.
        problems: episodes that could not be scored, each with the reason.
    """

    run: str
    rules: str
    episodes: tuple[Rescored, ...]
    figures: dict[str, dict[str, Json]]
    problems: tuple[str, ...] = ()
    schema_version: int = SCHEMA_VERSION


def counting_episodes(store: Store, run: str) -> tuple[list[Trajectory], list[str]]:
    """The last attempt of each episode of a run or pool, in order, and why others can't be read.

    Raises `UsageError` where there is no such run.
    """
    last: dict[tuple[str, int, int], Trajectory] = {}
    problems: list[str] = []
    for folder in find_episodes(store, [run]):
        try:
            one = store.load(folder)
        except BadData as error:
            problems.append(f"{folder.name}: {error}")
            continue
        header = one.header
        place = header.run, header.order, header.repeat
        if place not in last or last[place].header.attempt <= header.attempt:
            last[place] = one
    return list(last.values()), problems


def rescored_run(
    store: Store,
    run: str,
    episodes: Sequence[Trajectory],
    *,
    rules: str = "",
    judge: str = "none",
    anyway: bool = False,
    data: Path | None = None,
    ask_person: AskPerson | None = None,
    told: Callable[[Rescored], None] = lambda _one: None,
) -> RescoredRun:
    """Score these again, one after the other; for the arguments see `rescored`.

    Args:
        run: what they are called together.
        told: called with each one as soon as it is scored.

    Raises `UsageError` for another rule set or judge, and for episodes of several benchmarks.
    """
    names = {one.header.task.benchmark for one in episodes}
    if len(names) != 1:
        raise UsageError(f"{run} has episodes of {len(names)} benchmarks", "name a run of one")
    (name,) = names
    benchmark = find_benchmark(name, data_folder(name, data))
    found: list[Rescored] = []
    attempts: list[Attempt] = []
    problems: list[str] = []
    for one in episodes:
        try:
            again = rescored(
                one, store, rules=rules, judge=judge, anyway=anyway, data=data, ask_person=ask_person
            )
        except BadData as error:
            problems.append(f"{one.header.episode}: {error}")
            continue
        told(again)
        found.append(again)
        attempts.append(Attempt(one.header.task, again.score or again.recorded))
    chosen = chosen_rules(rules, benchmark.rule_sets, benchmark.name)
    figures = {
        each: figures_of(benchmark, attempts, each) for each in dict.fromkeys((chosen, *benchmark.rule_sets))
    }
    return RescoredRun(
        run=run, rules=chosen, episodes=tuple(found), figures=figures, problems=tuple(problems)
    )
