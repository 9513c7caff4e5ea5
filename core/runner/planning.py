"""Beginning a run: what is asked for becomes a plan on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.core.episode_options import EpisodeOptions
from webbench.core.json_types import JsonObject
from webbench.core.observation import Viewport
from webbench.core.runner.plan import Order, RunPlan, Selection, fingerprints, plan_file, planned
from webbench.core.runner.planned_agent import agent_parts
from webbench.core.runner.schedule import Schedule
from webbench.core.site_use import SiteUse, site_uses_of
from webbench.core.store.store import Store
from webbench.core.task import Benchmark, Task


class BatchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a new run is to be: tasks in order, one agent; see `RunPlan`."""

    benchmark: Benchmark
    tasks: Sequence[Task]
    agent: str
    workers: int = 1
    cost_limit: float = 0.0
    repeats: int = 1
    order: Order = "given"
    seed: int = 0
    dialect: str = ""
    options: EpisodeOptions = EpisodeOptions()
    hang_seconds: float = 600.0
    retry: bool = False
    reset: bool = False
    site_safety: bool = True
    selection: Selection = Selection()
    viewport: Viewport = Viewport()
    settings: JsonObject = {}


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
    return RunPlan(
        benchmark=request.benchmark.name,
        agent=request.agent,
        dialect=request.dialect,
        options=request.options,
        reset=request.reset,
        site_safety=request.site_safety,
        hang_seconds=request.hang_seconds,
        retry=request.retry,
        workers=request.workers,
        cost_limit=request.cost_limit,
        seed=request.seed,
        repeats=request.repeats,
        order=request.order,
        selection=request.selection,
        viewport=request.viewport,
        settings=request.settings,
        fingerprints=fingerprints(request.tasks),
        episodes=planned(request.tasks, repeats=request.repeats, order=request.order, seed=request.seed),
    )


def site_uses(plan: RunPlan, benchmark: Benchmark, tasks: Sequence[Task]) -> Mapping[str, SiteUse]:
    """What the tasks do to sites, by id; nothing where nobody shall mind."""
    return site_uses_of(benchmark, tasks) if plan.site_safety else {}
