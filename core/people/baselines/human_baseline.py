"""What a human baseline comes to, as figures and as tables."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.people.baselines.people_and_models import ActorRow, actor_rows
from webbench.core.people.baselines.same_task_agreement import Agreement, agreement
from webbench.core.people.baselines.success_and_time import GROUPS, Rate, rate, rates_by
from webbench.core.people.baselines.trials import Trial, Trials

SCHEMA_VERSION = 1


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is told of a baseline.

    Attributes:
        open: assigned tasks that are still to be done.
        groups: rates by the name of what attempts are taken apart by; without those that tell nothing apart.
        agreement: None where no task was done twice.
        beside: people and models on the same tasks; empty without models.
        corrected: the same with people's values where they dispute a score; None where nobody does.
    """

    open: int
    all: Rate
    groups: dict[str, tuple[Rate, ...]]
    agreement: Agreement | None
    beside: tuple[ActorRow, ...] = ()
    corrected: Results | None = None
    problems: tuple[str, ...] = ()

    @property
    def unscored(self) -> int:
        return self.all.trials - self.all.states.get("scored", 0)


def results(
    found: Trials,
    models: Sequence[tuple[str, Trials]] = (),
    benchmark: Benchmark | None = None,
    *,
    rules: str = "published",
    seed: int = 0,
) -> Results:
    """Of people's attempts, and of models' on the same tasks.

    Args:
        models: name of a run, and its attempts.
    """
    made = _results(found, models, benchmark, rules, seed)
    if not any(told.are_corrected for told in (found, *(told for _, told in models))):
        return made
    corrected = [(run, told.as_corrected()) for run, told in models]
    return msgspec.structs.replace(
        made, corrected=_results(found.as_corrected(), corrected, benchmark, rules, seed)
    )


def _results(
    found: Trials,
    models: Sequence[tuple[str, Trials]],
    benchmark: Benchmark | None,
    rules: str,
    seed: int,
) -> Results:
    people: Sequence[Trial] = found.trials
    groups = {name: rates_by(name, people, seed=seed) for name in GROUPS}
    return Results(
        open=found.open,
        all=rate("all", people, seed=seed),
        groups={name: rates for name, rates in groups.items() if rates},
        agreement=agreement(people, benchmark, rules=rules, seed=seed),
        beside=actor_rows(people, [(run, told.trials) for run, told in models], seed=seed) if models else (),
        problems=(*found.problems, *(problem for _, told in models for problem in told.problems)),
    )
