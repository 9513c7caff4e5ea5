"""What a run sets out to do, written before its first episode: `<store>/<run>/plan.json`.

It is all that another process, or another machine with the same store, needs to go on with the run: which
tasks and instances, how often, in which order, with which seeds, by which agent and under which rules. Tasks
are named by their ids and held against a fingerprint, so that a run never goes on over other data.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.observation import Viewport
from webbench.core.runner.plan.run_request import Order
from webbench.core.store.records import codec
from webbench.core.task import Task

FILE = "plan.json"
SCHEMA_VERSION = 1
GIVE_DATA = "give the data that the run began with (--data)"


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """How the tasks were chosen from the benchmark, as `Benchmark.tasks` takes it."""

    split: str = ""
    names: tuple[str, ...] = ()
    instances: int | None = None


class PlannedEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """One episode to be played.

    Attributes:
        order: its place in the run, from 0; recorded in the header of each attempt at it.
        task: the task's id.
        repeat: which repetition of the task, from 0.
        seed: of the agent.
    """

    order: int
    task: str
    repeat: int = 0
    seed: int = 0


class RunConfig(msgspec.Struct, frozen=True, kw_only=True):
    """How a run is played: what its plan keeps of the request.

    Attributes:
        agent: its spec, "name option ...".
        dialect: "" for the benchmark's own.
        reset: put each task's sites back to their first state, where they were changed.
        site_safety: tasks that change a site run alone on it, and after those they depend on.
        hang_seconds: an episode in which nothing happens for so long is ended as not scored.
        retry: what has no score is played once more, at the end.
        workers, cost_limit: as in `Work`, unless whoever goes on with the run says otherwise.
        viewport: size of the pages whose stage asks for none.
        settings: by name what else bears on what is measured: how the browser is driven, what is guarded.
    """

    agent: str
    dialect: str = ""
    options: EpisodeOptions = EpisodeOptions()
    reset: bool = False
    site_safety: bool = True
    hang_seconds: float = 600.0
    retry: bool = False
    workers: int = 1
    cost_limit: float = 0.0
    seed: int = 0
    repeats: int = 1
    order: Order = "given"
    selection: Selection = Selection()
    viewport: Viewport = Viewport()
    settings: JsonObject = {}


class RunPlan(RunConfig, frozen=True, kw_only=True):
    """The plan of a run.

    Attributes:
        agent_parts: fingerprints of the agent's preset and prompts, by what they are called.
        fingerprints: of each task's data, by id.
        episodes: in the order in which they are begun.
    """

    benchmark: str
    agent_parts: dict[str, str] = {}
    fingerprints: dict[str, str] = {}
    episodes: tuple[PlannedEpisode, ...] = ()
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def task_ids(self) -> tuple[str, ...]:
        """Of every planned episode, in order."""
        return tuple(one.task for one in self.episodes)


def planned(tasks: Sequence[Task], *, repeats: int, order: Order, seed: int) -> tuple[PlannedEpisode, ...]:
    """Every task so many times: all of them once, then all of them again.

    A repetition has a seed of its own, or an agent that draws lots would only do the same again. A random
    order is drawn anew for every repetition, from `seed`.
    """
    lots = random.Random(seed)
    found: list[PlannedEpisode] = []
    for repeat in range(repeats):
        ids = [task.id for task in tasks]
        if order == "random":
            lots.shuffle(ids)
        for task_id in ids:
            found.append(PlannedEpisode(order=len(found), task=task_id, repeat=repeat, seed=seed + repeat))
    return tuple(found)


def fingerprint(task: Task) -> str:
    """Of all that the task is: what is asked, on which data, held against what.

    What is empty is left out, so that a field which a later release adds doesn't make it another task.
    """
    filled = {
        name: value for name, value in msgspec.structs.asdict(task).items() if value not in ("", {}, None)
    }
    return hashlib.sha256(codec.encode(filled)).hexdigest()[:16]


def fingerprints(tasks: Sequence[Task]) -> dict[str, str]:
    """By id."""
    return {task.id: fingerprint(task) for task in tasks}


def selected(plan: RunPlan, benchmark: Benchmark) -> Sequence[Task]:
    """What the plan's selection gives now. Raises `BadData` where it gives nothing any more."""
    wanted = plan.selection
    try:
        return benchmark.tasks(wanted.split, wanted.names, wanted.instances)
    except UsageError as error:
        raise BadData(f"{error.message}, which the run planned", GIVE_DATA) from error


def tasks_of(plan: RunPlan, found: Sequence[Task]) -> dict[str, Task]:
    """The planned tasks by id, from what the benchmark has now.

    Raises `BadData` where one is missing or is another task than the one that was planned.
    """
    by_id = {task.id: task for task in found}
    missing = [one for one in plan.fingerprints if one not in by_id]
    if missing:
        raise BadData(
            f"{plan.benchmark} has no task {missing[0]}, which the run planned"
            + (f", nor {len(missing) - 1} others" if missing[1:] else ""),
            GIVE_DATA,
        )
    changed = [one for one, known in plan.fingerprints.items() if fingerprint(by_id[one]) != known]
    if changed:
        raise BadData(
            f"task {changed[0]} of {plan.benchmark} is not what it was when the run was planned"
            + (f", nor are {len(changed) - 1} others" if changed[1:] else ""),
            f"{GIVE_DATA}, or begin a new run",
        )
    return {one: by_id[one] for one in plan.fingerprints}


def plan_file(plan: RunPlan) -> Mapping[str, bytes]:
    """As `Store.start_run` puts it beside the run's header."""
    return {FILE: codec.encode(plan)}


def read_plan(folder: Path) -> RunPlan:
    """The plan in a run's folder.

    Raises `UsageError` where there is none, `BadData` where it can't be read.
    """
    path = folder / FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise UsageError(
            f"the run {folder.name} has no plan",
            "it was stepped by hand, imported, or made by an older release: only what `run` began has one",
        ) from error
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error
    plan = codec.decode_record(data, RunPlan, SCHEMA_VERSION, str(path))
    # Records leave out a default text only where it is the very same object.
    options = msgspec.structs.replace(plan.options, rules=sys.intern(plan.options.rules))
    return msgspec.structs.replace(plan, options=options)
