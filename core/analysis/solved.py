"""Which tasks one actor solves and another doesn't, and how everybody did on every task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from webbench.core.analysis.figures import Cell, Column, Row, Section, Table, cell_text
from webbench.core.analysis.rates import TaskScore, task_scores
from webbench.core.analysis.recorded import RecordedRun
from webbench.core.plural import counted

ABOUT = (
    "A task is solved where every scored episode of it reached 1. What has no score is in no comparison: a "
    "missing score is not a failure."
)


def solved_section(runs: Mapping[str, RecordedRun]) -> Section:
    """Tables of the tasks that one solves and another doesn't, then the grid of all tasks.

    Args:
        runs: by letter.
    """
    scores = {letter: {one.task: one for one in task_scores(run.episodes)} for letter, run in runs.items()}
    intents = {one.task.id: one.task.intent for run in runs.values() for one in run.episodes}
    tables = [
        table
        for first, second in combinations(runs, 2)
        for table in (
            _only(first, second, scores[first], scores[second], intents),
            _only(second, first, scores[second], scores[first], intents),
        )
    ]
    return Section(
        name="tasks",
        title="Who solves what",
        about=ABOUT,
        figures=(*tables, _grid(runs, intents)),
    )


def _only(
    first: str,
    second: str,
    ours: Mapping[str, TaskScore],
    theirs: Mapping[str, TaskScore],
    intents: Mapping[str, str],
) -> Table:
    rows = [
        Row(
            (task, ours[task].score, theirs[task].score, intents[task]),
            (*ours[task].names, *theirs[task].names),
        )
        for task in ours
        if task in theirs and ours[task].solved and not theirs[task].solved
    ]
    both = len(ours.keys() & theirs.keys())
    return Table(
        title=f"{first} solves, {second} doesn't: {len(rows)} of {counted(both, 'task')}",
        columns=(
            Column("task", "text"),
            Column(first),
            Column(second),
            Column("intent", "text", optional=True),
        ),
        rows=tuple(rows),
    )


def _grid(runs: Mapping[str, RecordedRun], intents: Mapping[str, str]) -> Table:
    by_task: dict[str, dict[str, list[str]]] = {}
    cells: dict[tuple[str, str], Cell] = {}
    for letter, run in runs.items():
        for one in run.episodes:
            by_task.setdefault(one.task.id, {}).setdefault(letter, []).append(one.name)
            cells[one.task.id, letter] = one.state.replace("_", " ")
        corrected = {one.task: one.score for one in task_scores(run.as_corrected().episodes)}
        for scored in task_scores(run.episodes):
            cells[scored.task, letter] = scored.score
        for task, score in corrected.items():
            before = cells[task, letter]
            if before != score:
                cells[task, letter] = f"{cell_text(before)} ({score:.3f})"
    rows = tuple(
        Row(
            (task, *(cells.get((task, letter)) for letter in runs), intents[task]),
            tuple(name for letter in runs for name in found.get(letter, ())),
        )
        for task, found in by_task.items()
    )
    columns: Sequence[Column] = [Column(letter) for letter in runs]
    return Table(
        title=f"Every task: {counted(len(rows), 'task')}",
        columns=(Column("task", "text"), *columns, Column("intent", "text", optional=True)),
        rows=rows,
        note='Means of scored episodes, or why there is no score; "–" where a task was not attempted. Where '
        "people correct a score, the mean with it stands in brackets.",
    )
