"""`compare`: attempts at one task, aligned step by step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.core.action import ElementRef
from webbench.core.analysis.comparison import SCHEMA_VERSION, Comparison, compare
from webbench.core.plural import counted
from webbench.core.score import Score
from webbench.core.trajectory import Trajectory
from webbench.tui.headless.output import print_json, print_line, print_table, print_text, say
from webbench.tui.headless.place import find_episode, open_store

SAME, DIFFERENT = "=", "≠"


def compare_episodes(names: Sequence[str], *, store: Path | None, as_json: bool) -> int:
    """Print the alignment: 0, or 4 where part of a record could not be read.

    Raises `UsageError` for fewer than two episodes, unknown ones, or ones of different tasks.
    """
    opened = open_store(store)
    trajectories = [opened.load(find_episode(opened, name)) for name in names]
    found = compare(opened, trajectories)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "comparison": found})
    else:
        _print(found, {one.header.episode: one for one in trajectories})
    problems = [problem for attempt in found.attempts for problem in attempt.problems]
    for problem in problems:
        say(problem)
    return 4 if problems else 0


def _print(found: Comparison, trajectories: dict[str, Trajectory]) -> None:
    print_text(f"{found.benchmark} · {found.task}")
    headers = ["", *(attempt.actor for attempt in found.attempts)]
    columns = [trajectories[attempt.episode] for attempt in found.attempts]
    rows: list[list[str]] = []
    for at, row in enumerate(found.alignment.rows):
        mark = SAME if row.same else "1st " + DIFFERENT if at == found.divergence.first else DIFFERENT
        cells = [
            "" if place is None else _cell(columns[side], found.attempts[side].steps[place])
            for side, place in enumerate(row.places)
        ]
        rows.append([mark, *cells])
    rows.append(["score", *(_score(attempt.score) for attempt in found.attempts)])
    print_table(headers, rows, flexible=tuple(range(1, len(headers))))
    print_line()
    for line in _told(found):
        print_text(line)


def _cell(trajectory: Trajectory, index: int) -> str:
    step = next(step for step in trajectory.steps if step.index == index)
    target = getattr(step.action, "target", None)
    named = f' "{target.name}"' if isinstance(target, ElementRef) and target.name else ""
    return f"{index} {step.text}{named}" + ("" if step.ok else " (no effect)")


def _score(score: Score | None) -> str:
    if score is None:
        return "–"
    return f"{score.value:.3f}" if score.value is not None else score.status.value.replace("_", " ")


def _told(found: Comparison) -> list[str]:
    """What the alignment comes to, in sentences."""
    told = []
    first = found.divergence.first
    if first is None:
        return ["Every step is the same."]
    told.append(f"They part in row {first + 1} of {len(found.alignment.rows)}.")
    if found.divergence.reconvergences:
        rows = ", ".join(str(row + 1) for row in found.divergence.reconvergences)
        told.append(f"They do the same again in row {rows}.")
    for detour in found.divergence.detours:
        actor = found.attempts[detour.actor].actor
        told.append(f"{actor} makes a detour of {counted(detour.length, 'step')} in row {detour.first + 1}.")
    for attempt, stretches, wasted in zip(
        found.attempts, found.divergence.stretches, found.divergence.wasted, strict=True
    ):
        for stretch in stretches:
            first_step, last_step = attempt.steps[stretch.first], attempt.steps[stretch.last]
            where = f"step {first_step}" + ("" if first_step == last_step else f" to {last_step}")
            told.append(f"{attempt.actor}: {stretch.kind} at {where}.")
        if wasted:
            told.append(f"{attempt.actor}: {counted(len(wasted), 'step')} wasted.")
    return told
