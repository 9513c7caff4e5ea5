"""Task by agent: how everybody did on every task, those that most solve first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from webbench.core.analysis.paper.paper_figure import (
    Cell,
    Matrices,
    Matrix,
    PaperFigure,
    actor_names,
    without_score,
)
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.analysis.runs.success_rates import task_scores
from webbench.core.statistics.figures import Column, Row, Table

TITLE = "Every task by agent"
LETTERS = {"pending": "p", "not_scored": "n", "error": "e", "no end": "o"}
KEY = (
    "Darker is a higher score; hatched: no score (p pending, n not scored, e error, o no end); "
    "blank: not attempted"
)


def task_matrix(runs: Sequence[RecordedRun]) -> PaperFigure:
    """Tasks by runs: the mean score of each pair, or its state where there is none."""
    names = actor_names(runs)
    scores = {run.run: {one.task: one for one in task_scores(run.episodes)} for run in runs}
    states = {
        run.run: {
            task: Counter(one.state for one in run.episodes if one.task.id == task) for task in _tasks([run])
        }
        for run in runs
    }
    solved = Counter(task for found in scores.values() for task, one in found.items() if one.solved)
    sums = {
        task: sum(found[task].score for found in scores.values() if task in found) for task in _tasks(runs)
    }
    tasks = sorted(
        sums, key=lambda task: (-solved[task], -sums[task], -sum(task in one for one in scores.values()))
    )
    rows: list[Row] = []
    cells: list[tuple[Cell, ...]] = []
    printed: list[Row] = []
    for task in tasks:
        line = []
        for run in runs:
            one, counts = scores[run.run].get(task), states[run.run].get(task, Counter())
            state = next(iter(counts), "")
            line.append(
                Cell(None, LETTERS.get(state, "")) if one is None else Cell(one.score, _short(one.score))
            )
            told = "scored" if one else state.replace("_", " ") or "not attempted"
            sizes = (counts.total(), one.episodes if one else 0)
            rows.append(
                Row(
                    (task, names[run.run], told, one.score if one else None, *sizes),
                    one.names if one else (),
                )
            )
        cells.append(tuple(line))
        values = (cell.text if cell.shade is None else cell.shade for cell in line)
        printed.append(Row((task, *values)))
    columns = (Column("task", "text"), Column("agent", "text"), Column("state", "text"), Column("score"))
    agents = tuple(names[run.run] for run in runs)
    matrix = Matrix(title="", rows=tuple(tasks), columns=agents, cells=tuple(cells), down="task")
    return PaperFigure(
        name="tasks",
        title=TITLE,
        caption=f"Mean score of the scored episodes of each of {len(tasks)} tasks, tasks that most agents "
        f"solve first. {KEY}. None of these is a 0.",
        plot=Matrices(matrices=(matrix,), key=KEY) if tasks else None,
        table=Table(
            title=TITLE, columns=(*columns, Column("episodes"), Column("scored episodes")), rows=tuple(rows)
        ),
        printed=Table(
            title=TITLE,
            columns=(Column("task", "text"), *(Column(one) for one in agents)),
            rows=tuple(printed),
        ),
        left_out=without_score(runs),
        empty="" if tasks else "these runs have no episode",
    )


def _tasks(runs: Sequence[RecordedRun]) -> list[str]:
    return list(dict.fromkeys(one.task.id for run in runs for one in run.episodes))


def _short(score: float) -> str:
    return f"{score:.2f}".rstrip("0").rstrip(".")
