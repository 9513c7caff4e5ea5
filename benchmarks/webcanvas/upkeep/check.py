"""Checking workflows: each recorded way is gone again, and what changed is told once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from webbench.benchmarks.webcanvas.recording import read_recording
from webbench.benchmarks.webcanvas.scoring.evaluate import read_evidence
from webbench.benchmarks.webcanvas.scoring.judge_replies import semantic_question
from webbench.benchmarks.webcanvas.scoring.key_nodes import task_alternatives, task_nodes
from webbench.benchmarks.webcanvas.scoring.matched_key_node import PUBLISHED
from webbench.benchmarks.webcanvas.scoring.outcomes import VerdictMissing
from webbench.benchmarks.webcanvas.scoring.progress import outcomes
from webbench.benchmarks.webcanvas.upkeep.findings import Finding, Kind, findings
from webbench.benchmarks.webcanvas.upkeep.walk import Walk, walk
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.engine.engine import Engine, EpisodeRequest
from webbench.core.engine.session import agent_turns
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import WebbenchError
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import Trajectory

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.benchmark import WebCanvasBenchmark

SCHEMA_VERSION = 1
MOST_STEPS = 200


class Workflow(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded way through a task; `store` holds its pages and pictures.

    Attributes:
        way: number of the alternative that it goes, 0 = the key nodes themselves, or not known.
    """

    task: Task
    trajectory: Trajectory
    store: Store
    source: str
    way: int = 0


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a workflow meets a change; `nodes` are not reached any more."""

    task: str
    step: int
    told: str
    nodes: tuple[int, ...] = ()


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that changed, wherever it is met."""

    kind: Kind
    change: str
    places: tuple[Place, ...]


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """How one workflow fared; `error` says why it could not be checked at all."""

    task: str
    intent: str
    source: str
    steps: int
    steps_done: int = 0
    key_nodes: int = 0
    key_nodes_held: int = 0
    error: str = ""


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What `webcanvas check --json` prints."""

    workflows: tuple[Checked, ...]
    changes: tuple[Change, ...]
    schema_version: int = SCHEMA_VERSION


class Pictures(msgspec.Struct, frozen=True):
    """The page when the workflow was recorded, and now: PNG or WebP, b"" where there is none."""

    then: bytes = b""
    now: bytes = b""


class CheckResult(msgspec.Struct, frozen=True):
    """The report, and by `Change.change` what it looks like at the first place."""

    report: CheckReport
    pictures: dict[str, Pictures]


async def record_references(
    engine: Engine, benchmark: WebCanvasBenchmark, ways: Sequence[tuple[Task, int]]
) -> list[Workflow]:
    """The workflows of reference lists, recorded on the sites that they were written for.

    Args:
        ways: each task with the number of the alternative that is gone, 0 = the task's own reference list.
    """
    run = engine.store.start_run(benchmark.name, "oracle", len(ways))
    found: list[Workflow] = []
    for order, (task, way) in enumerate(ways):
        agent = benchmark.ways(task)[way] if way else benchmark.oracle(task)
        request = _request(benchmark, task, run, order)
        async with engine.episode(request) as episode:
            await episode.start()
            await agent_turns.run(episode, agent)
            if not episode.ended:
                await episode.finish("the reference list ends here")
            name = episode.header.episode
        trajectory = engine.store.load(name)
        source = f"reference list of alternative {way}" if way else "reference list"
        found.append(Workflow(task=task, trajectory=trajectory, store=engine.store, source=source, way=way))
    return found


async def check(
    engine: Engine,
    benchmark: Benchmark,
    workflows: Sequence[Workflow],
    told: Callable[[Checked], None] = lambda _checked: None,
) -> CheckResult:
    """Go every workflow again on the benchmark's sites as they are now; `told` hears of each."""
    run = engine.store.start_run(benchmark.name, "check", len(workflows))
    checked: list[Checked] = []
    met: list[tuple[Workflow, Walk, Finding]] = []
    for order, workflow in enumerate(workflows):
        one, found = await _checked(engine, _request(benchmark, workflow.task, run, order), workflow)
        checked.append(one)
        met += found
        told(one)
    changes = tuple(_merged([(workflow, finding) for workflow, _, finding in met]))
    pictures: dict[str, Pictures] = {}
    for workflow, gone, finding in met:
        if finding.change not in pictures:
            pictures[finding.change] = _pictures(workflow, gone, finding)
    return CheckResult(CheckReport(workflows=tuple(checked), changes=changes), pictures)


async def _checked(
    engine: Engine, request: EpisodeRequest, workflow: Workflow
) -> tuple[Checked, list[tuple[Workflow, Walk, Finding]]]:
    recording = read_recording(workflow.trajectory, workflow.store)
    one = Checked(
        task=workflow.task.id,
        intent=workflow.task.intent,
        source=workflow.source,
        steps=len(recording.steps),
    )
    try:
        nodes, alternatives = task_nodes(workflow.task), task_alternatives(workflow.task)
        async with engine.episode(request) as episode:
            gone = await walk(episode, recording)
        then = recording.outcomes(nodes, alternatives=alternatives)
        now = outcomes(nodes, read_evidence(gone.evidence).steps, _unasked, PUBLISHED, alternatives)
    except WebbenchError as error:
        return msgspec.structs.replace(one, error=str(error)), []
    reached = [before.value >= 1 for before in then]
    held = [before and after.value >= 1 for before, after in zip(reached, now, strict=True)]
    one = msgspec.structs.replace(
        one,
        steps_done=sum(footing.ok for footing in gone.footings),
        key_nodes=sum(reached),
        key_nodes_held=sum(held),
    )
    return one, [(workflow, gone, finding) for finding in findings(gone, then, now)]


def _request(benchmark: Benchmark, task: Task, run: str, order: int) -> EpisodeRequest:
    options = EpisodeOptions(live_score=False, step_limit=MOST_STEPS)
    return EpisodeRequest(
        benchmark=benchmark, task=task, run=run, actor="check", options=options, order=order
    )


def _merged(met: Sequence[tuple[Workflow, Finding]]) -> Iterator[Change]:
    """Each change once, with everything that meets it; in order of first appearance."""
    by_change: dict[str, list[tuple[Workflow, Finding]]] = {}
    for workflow, finding in met:
        by_change.setdefault(finding.change, []).append((workflow, finding))
    for change, members in by_change.items():
        places = tuple(
            Place(
                task=workflow.task.id,
                step=finding.step,
                told=f"alternative {workflow.way}: {finding.told}" if workflow.way else finding.told,
                nodes=finding.nodes,
            )
            for workflow, finding in members
        )
        yield Change(kind=members[0][1].kind, change=change, places=places)


def _pictures(workflow: Workflow, gone: Walk, finding: Finding) -> Pictures:
    """Around the step: the page after it, or the one on which its element stood."""
    footing = next((one for one in gone.footings if one.step.number == finding.step), None)
    if footing is None:
        return Pictures()
    now = footing.after if finding.after_step else footing.before
    index = footing.step.index
    shown = [step for step in workflow.trajectory.steps if step.screenshot]
    shown = [step for step in shown if step.index <= index - (not finding.after_step)]
    if not shown:
        return Pictures(now=now)
    try:
        picture = workflow.store.screenshot(workflow.trajectory, shown[-1])
    except WebbenchError:
        picture = None
    return Pictures(picture.data if picture else b"", now)


def _unasked(answer: str, requirement: str) -> float:
    raise VerdictMissing(semantic_question(answer, requirement))
