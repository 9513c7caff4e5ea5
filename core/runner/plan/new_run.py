"""A new run: what is asked for becomes a plan on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.core.benchmark.benchmark import Benchmark, SiteUse, site_uses_of
from webbench.core.runner.plan.agent_fingerprint import agent_parts
from webbench.core.runner.plan.plan import RunConfig, RunPlan, fingerprints, plan_file, planned
from webbench.core.runner.plan.schedule import Schedule
from webbench.core.store.store import Store
from webbench.core.task import Task


class BatchRequest(RunConfig, frozen=True, kw_only=True):
    """What a new run is to be: tasks in order, one agent; nothing has to be looked up any more."""

    benchmark: Benchmark
    tasks: Sequence[Task]


def new_run(store: Store, request: BatchRequest) -> str:
    """Write the plan of a new run; its name. Raises `StoreUnwritable`, `BadData` for impossible plans."""
    plan = plan_of(request)
    parts = agent_parts(plan.agent)
    plan = msgspec.structs.replace(plan, agent=store.redacted(plan.agent), agent_parts=parts)
    Schedule(plan.episodes, site_uses(plan, request.benchmark, request.tasks))
    return store.start_run(
        benchmark=plan.benchmark,
        agent=plan.agent,
        planned=len(plan.episodes),
        task_ids=plan.task_ids,
        settings={
            "workers": plan.workers,
            "seed": plan.seed,
            "repeats": plan.repeats,
            "order": plan.order,
            "rules": plan.options.rules,
            "reset": plan.reset,
        },
        beside=plan_file(plan),
    )


def plan_of(request: BatchRequest) -> RunPlan:
    """Everything that is decided before the first episode."""
    shared = {name: getattr(request, name) for name in RunConfig.__struct_fields__}
    return RunPlan(
        **shared,
        benchmark=request.benchmark.name,
        fingerprints=fingerprints(request.tasks),
        episodes=planned(request.tasks, repeats=request.repeats, order=request.order, seed=request.seed),
    )


def site_uses(plan: RunPlan, benchmark: Benchmark, tasks: Sequence[Task]) -> Mapping[str, SiteUse]:
    """What the tasks do to sites, by id; nothing where nobody shall mind."""
    return site_uses_of(benchmark, tasks) if plan.site_safety else {}
