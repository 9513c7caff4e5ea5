"""`runs`, `show` and `score`: what is in the store."""

from __future__ import annotations

from pathlib import Path

from webbench.core import registry
from webbench.core.errors import BadData
from webbench.core.score import Status
from webbench.core.score_text import score_text
from webbench.core.trajectory import Step, Trajectory
from webbench.tui.headless.output import print_json, print_text, say, table
from webbench.tui.headless.place import data_folder, open_store

SCHEMA_VERSION = 1


def list_runs(*, store: Path | None, as_json: bool) -> int:
    """Runs, newest first."""
    found = open_store(store).runs()
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "runs": found})
        return 0
    if not found:
        say("The store has no runs yet: try `webbench-tui demo`, or `webbench-tui run demo --agent oracle`")
        return 0
    rows = [
        (
            run.run,
            run.benchmark,
            run.agent,
            run.planned,
            run.scored,
            "–" if run.mean_score is None else f"{run.mean_score:.3f}",
            run.started,
        )
        for run in found
    ]
    headers = ("run", "benchmark", "agent", "planned", "scored", "mean", "started")
    print(table(headers, rows, numbers=(3, 4, 5)))
    return 0


def show_episode(name: str, *, store: Path | None, as_json: bool) -> int:
    """An episode step by step. Exit code 4 when part of the record could not be read."""
    trajectory = open_store(store).load(name)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "trajectory": trajectory})
    else:
        _print_trajectory(trajectory)
    for problem in trajectory.problems:
        say(problem)
    return 4 if trajectory.problems else 0


def _print_trajectory(trajectory: Trajectory) -> None:
    header = trajectory.header
    print_text(f"{header.task.benchmark} · {header.task.id} · {header.actor} · {header.started}")
    print_text(f"intent: {header.task.intent}")
    print(table(("step", "by", "action", "result", "score", "s"), [_row(step) for step in trajectory.steps]))
    print_text(f"\nended: {header.end_reason or 'not ended (interrupted, or still running)'}")
    score = header.score or next((s.score for s in reversed(trajectory.steps) if s.score), None)
    if score is not None:
        print_text(score_text(score))


def _row(step: Step) -> tuple[object, ...]:
    result = step.note or step.error or ("ok" if step.ok else "no effect")
    value = step.score.value if step.score and step.score.status is Status.SCORED else None
    seconds = step.seconds.idle + step.seconds.agent + step.seconds.environment + step.seconds.scoring
    shown = "–" if value is None else f"{value:.3f}"
    return step.index, step.actor, step.text, result, shown, f"{seconds:.1f}"


def score_episode(name: str, *, rules: str, store: Path | None, as_json: bool) -> int:
    """Score recorded evidence again, offline.

    Raises:
        BadData: the episode holds no evidence.
    """
    trajectory = open_store(store).load(name)
    task = trajectory.header.task
    step = next((step for step in reversed(trajectory.steps) if step.evidence), None)
    if step is None:
        raise BadData(f"Episode {name} holds no evidence to score", "it ended before anything was read")
    benchmark = registry.benchmark(task.benchmark, data_folder(task.benchmark, None))
    score = benchmark.evaluator.score(task, step.evidence, rules)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "episode": name, "step": step.index, "score": score})
    else:
        print_text(score_text(score))
    return 0 if score.status is Status.SCORED else 1
