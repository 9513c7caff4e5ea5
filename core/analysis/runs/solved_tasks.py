"""Which tasks one actor solves and another doesn't, and how everybody did on every task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.analysis.runs.success_rates import TaskScore, task_scores
from webbench.core.statistics.figures import Cell, Column, Row, Section, Table, cell_text
from webbench.core.text.plural import counted

MOST_APART = 3
"""Runs of which every pair has tables of its own; of more they would be too many to read."""

ABOUT = (
    "A task is solved where every scored episode of it reached 1. What has no score is in no comparison: a "
    "missing score is not a failure."
)

Scores = Mapping[str, Mapping[str, TaskScore]]
"""By letter and task."""


def solved_section(runs: Mapping[str, RecordedRun]) -> Section:
    """Tasks that one solves and another doesn't, tasks that nobody solves, then the grid of all tasks.

    Args:
        runs: by letter.
    """
    scores = {letter: {one.task: one for one in task_scores(run.episodes)} for letter, run in runs.items()}
    intents = {one.task.id: one.task.intent for run in runs.values() for one in run.episodes}
    tables: list[Table] = []
    if len(runs) > MOST_APART:
        tables.append(_pairs(scores))
        tables += [_alone(letter, scores, intents) for letter in runs]
    else:
        pairs = ((one, two) for pair in combinations(runs, 2) for one, two in (pair, pair[::-1]))
        tables += [_only(first, second, scores, intents) for first, second in pairs]
    if len(runs) > 1:
        tables.append(_nobody(scores, intents))
    return Section(
        name="tasks", title="Who solves what", about=ABOUT, figures=(*tables, _grid(runs, intents))
    )


def _apart(first: str, second: str, scores: Scores) -> list[str]:
    """Tasks that the first solves and the second, which has scored them, doesn't."""
    ours, theirs = scores[first], scores[second]
    return [task for task, one in ours.items() if task in theirs and one.solved and not theirs[task].solved]


def _only(first: str, second: str, scores: Scores, intents: Mapping[str, str]) -> Table:
    apart = _apart(first, second, scores)
    both = len(scores[first].keys() & scores[second].keys())
    return _tasks(
        f"{first} solves, {second} doesn't: {len(apart)} of {counted(both, 'task')}",
        apart,
        {letter: scores[letter] for letter in (first, second)},
        intents,
    )


def _pairs(scores: Scores) -> Table:
    rows = []
    for first, second in permutations(scores, 2):
        apart = _apart(first, second, scores)
        both = len(scores[first].keys() & scores[second].keys())
        behind = tuple(name for task in apart for one in (first, second) for name in scores[one][task].names)
        rows.append(Row((first, second, len(apart), both), behind))
    columns = (Column("solves", "text"), Column("doesn't", "text"), Column("tasks"), Column("in common"))
    return Table(title="One solves, the other doesn't", columns=columns, rows=tuple(rows))


def _alone(letter: str, scores: Scores, intents: Mapping[str, str]) -> Table:
    others = [one for one in scores if one != letter]
    alone = [
        task
        for task, one in scores[letter].items()
        if one.solved and all(task in scores[two] and not scores[two][task].solved for two in others)
    ]
    return _tasks(f"{letter} alone solves: {counted(len(alone), 'task')}", alone, scores, intents)


def _nobody(scores: Scores, intents: Mapping[str, str]) -> Table:
    common = [task for task in next(iter(scores.values())) if all(task in found for found in scores.values())]
    unsolved = [task for task in common if not any(found[task].solved for found in scores.values())]
    title = f"Nobody solves: {len(unsolved)} of {counted(len(common), 'task')} that all have scored"
    return _tasks(title, unsolved, scores, intents)


def _tasks(title: str, tasks: Sequence[str], scores: Scores, intents: Mapping[str, str]) -> Table:
    rows = [
        Row(
            (task, *(found[task].score for found in scores.values()), intents[task]),
            tuple(name for found in scores.values() for name in found[task].names),
        )
        for task in tasks
    ]
    columns = (*(Column(letter) for letter in scores), Column("intent", "text", optional=True))
    return Table(title=title, columns=(Column("task", "text"), *columns), rows=tuple(rows))


def _grid(runs: Mapping[str, RecordedRun], intents: Mapping[str, str]) -> Table:
    by_task: dict[str, dict[str, list[str]]] = {}
    cells: dict[tuple[str, str], Cell] = {}
    for letter, run in runs.items():
        for one in run.episodes:
            by_task.setdefault(one.task.id, {}).setdefault(letter, []).append(one.name)
            cells[one.task.id, letter] = one.state.replace("_", " ")
        for scored in task_scores(run.episodes):
            cells[scored.task, letter] = scored.score
        for corrected in task_scores(run.as_corrected().episodes):
            before = cells[corrected.task, letter]
            if before != corrected.score:
                cells[corrected.task, letter] = f"{cell_text(before)} ({corrected.score:.3f})"
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
