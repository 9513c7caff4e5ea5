"""TurkingBench's paper: its tables filled from runs, from its authors' score files, and from the data."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from webbench.benchmarks.turkingbench import review
from webbench.benchmarks.turkingbench.recorded.former_names import present_name
from webbench.benchmarks.turkingbench.statistics import DATA_FILLS
from webbench.core.analysis.printed.filled_table import (
    Evidence,
    Filled,
    FilledRow,
    counted,
    mean_percent,
    share_percent,
    unscored,
)
from webbench.core.analysis.printed.printed_table import Filler, Paper, read_paper
from webbench.core.analysis.recorded.run_records import Recorded
from webbench.core.errors import BadData
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.visibility import sight
from webbench.core.statistics.estimates import Estimate

FILE = Path(__file__).with_name("paper.json")
SCORES = "model_scores"
LARGEST_FILE = 16 * 1024 * 1024
NEEDS_REVIEW = "judge responses: `webbench-tui turkingbench review RUN --screen --as NAME`"
NEEDS_RUNS = "name a run: `webbench-tui paper turkingbench --table NAME RUN`"
KINDS = ("checkbox", "radio", "text", "textarea")
OTHER_TASKS = (
    "the paper's Test has 16 of the tasks in evaluation_tasks_easy.txt, 20 instances each; ours are {tasks} "
    "tasks, {instances} instances."
)


class _Published(msgspec.Struct, frozen=True):
    """A score file of the authors.

    Attributes:
        begins: how its name begins.
        row: labels of the row of table 4 that it is of.
    """

    begins: str
    name: str
    row: tuple[str, ...]


PUBLISHED = (
    _Published("claude_test_easy", "Claude", ("Claude2.1", "–", "T", "full", "7", "82k")),
    _Published(
        "gpt4-text_1_use-relevant-html_True", "GPT4 text", ("GPT4", "–", "T", "relevant", "1", "1.2k")
    ),
)


class TaskMeans(msgspec.Struct, frozen=True, kw_only=True):
    """Of one actor, by task: the mean of its instances, whole and by field type.

    Attributes:
        agent: as rows name it.
        beside: the row of table 4 that it is of, () where none is known.
        instances: how many there are in all, 0 where that isn't told.
    """

    source: str
    agent: str
    whole: dict[str, float]
    kinds: dict[str, dict[str, float]]
    beside: tuple[str, ...] = ()
    instances: int = 0
    episodes: tuple[str, ...] = ()


RowsOf = Callable[[TaskMeans], Sequence[FilledRow]]


def create() -> Paper:
    """The entry point."""
    either = "runs; without one the score files that the authors published"
    return read_paper(
        "turkingbench",
        FILE,
        {
            **DATA_FILLS,
            "table 4": Filler(either, scores),
            "table 5": Filler(either, by_field_type),
            "figure 5": Filler(either, by_task),
            "section 4.5": Filler("responses that people judged (`turkingbench review`)", reviewed),
        },
        {
            "table 1": "it compares benchmarks by their features, without numbers",
            "table 3": "it lists the actions of the library",
            "table 6": "it shows single responses; `webbench-tui turkingbench review RUN` lists yours",
            "figure 6": "a picture of rows of table 4, whose numbers it has",
        },
    )


def scores(evidence: Evidence) -> Filled:
    """The mean over tasks of the mean over their instances."""
    return _filled(
        evidence,
        lambda one: [
            FilledRow(
                source=one.source,
                labels=(one.agent, "–", "–", "–", "–", "–"),
                values=(_mean(one.whole.values(), evidence.seed),),
                beside=one.beside,
                episodes=one.episodes,
            )
        ],
    )


def by_field_type(evidence: Evidence) -> Filled:
    """The same by the type of the field; tasks without a field of the type are not in it."""

    def row(one: TaskMeans) -> list[FilledRow]:
        kinds = [
            _mean((of[kind] for of in one.kinds.values() if kind in of), evidence.seed) for kind in KINDS
        ]
        values = (_mean(one.whole.values(), evidence.seed), *kinds)
        labels = (one.agent, "–", "–", "–")
        return [FilledRow(source=one.source, labels=labels, values=values, episodes=one.episodes)]

    return _filled(evidence, row)


def by_task(evidence: Evidence) -> Filled:
    """A row for each task."""

    def rows(one: TaskMeans) -> list[FilledRow]:
        return [
            FilledRow(source=one.source, labels=(one.agent, task), values=(counted(100 * value),))
            for task, value in one.whole.items()
        ]

    return _filled(evidence, rows)


def reviewed(evidence: Evidence) -> Filled:
    """How often people held an answer to be right, of the responses that they judged."""
    if evidence.store is None or not evidence.runs:
        return Filled(missing=NEEDS_REVIEW)
    labels = sight(ledger_of(evidence.store).book()).labels
    rows, left_out = [], Counter[str]()
    for at, run in evidence.lettered():
        found = review.reviewed(evidence.store, (run,), labels)
        evidence.problems.extend(found.problems)
        judged = [one for one in found.responses if one.answer and one.answer != review.UNCLEAR]
        left_out.update(found.left_out)
        left_out["responses that nobody judged, or could judge"] += len(found.responses) - len(judged)
        share = share_percent(one.answer == review.RIGHT for one in judged)
        if share is not None:
            names = tuple(dict.fromkeys(f"{one.run}/{one.episode}" for one in judged))
            rows.append(FilledRow(source=at, labels=(run.agent,), values=(share,), episodes=names))
    why = ("the paper reviewed one instance of each of 16 tasks.",) if rows else ()
    return Filled(
        rows=tuple(rows),
        left_out=dict(left_out),
        not_comparable=why,
        missing="" if rows else NEEDS_REVIEW,
    )


def _filled(evidence: Evidence, rows: RowsOf) -> Filled:
    found = _of_runs(evidence) if evidence.runs else _published(evidence.data)
    made = tuple(row for one in found for row in rows(one))
    tasks = {task for one in found for task in one.whole}
    told = OTHER_TASKS.format(tasks=len(tasks), instances=sum(one.instances for one in found) or "unknown")
    return Filled(
        rows=made,
        not_comparable=(told,) if made else (),
        left_out=unscored(evidence),
        missing="" if made else "no episode of these runs is scored" if evidence.runs else NEEDS_RUNS,
    )


def _of_runs(evidence: Evidence) -> list[TaskMeans]:
    return [
        TaskMeans(
            source=at,
            agent=run.agent,
            whole=_task_means(run.scored),
            kinds=_kind_means(run.scored),
            instances=len(run.scored),
            episodes=tuple(one.name for one in run.scored),
        )
        for at, run in evidence.lettered()
        if run.scored
    ]


def _task_means(episodes: Sequence[Recorded]) -> dict[str, float]:
    of: dict[str, list[float]] = {}
    for one in episodes:
        of.setdefault(one.task.name, []).append(one.value or 0.0)
    return {task: fmean(values) for task, values in of.items()}


def _kind_means(episodes: Sequence[Recorded]) -> dict[str, dict[str, float]]:
    of: dict[str, dict[str, list[float]]] = {}
    for one in episodes:
        score = one.header.score
        for kind, value in (score.metrics if score else {}).items():
            if value is not None:
                of.setdefault(one.task.name, {}).setdefault(kind, []).append(value)
    return {task: {kind: fmean(values) for kind, values in kinds.items()} for task, kinds in of.items()}


def _published(data: Path | None) -> list[TaskMeans]:
    """The authors' score files: a row for each task, with the means of its field types."""
    folder = data / SCORES if data is not None else None
    if folder is None or not folder.is_dir():
        return []
    found = []
    for one in PUBLISHED:
        for file in sorted(folder.glob(f"{one.begins}*.csv"))[:1]:
            rows = {present_name(row["project"]): row for row in _rows(file)}
            found.append(
                TaskMeans(
                    source=f"published, {one.name}",
                    agent=one.name,
                    whole={
                        task: value
                        for task, row in rows.items()
                        if (value := _number(row["all"])) is not None
                    },
                    kinds={task: _kinds(row) for task, row in rows.items()},
                    beside=one.row,
                )
            )
    return found


def _rows(file: Path) -> list[dict[str, str]]:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise BadData(f"{file} is larger than {LARGEST_FILE // 1024**2} MiB")
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = list(csv.DictReader(lines))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadData(f"{file} can't be read: {error}") from error
    if rows and not {"project", "all"} <= rows[0].keys():
        raise BadData(f"{file} has no columns project and all")
    return rows


def _kinds(row: dict[str, str]) -> dict[str, float]:
    return {kind: value for kind in KINDS if (value := _number(row.get(kind))) is not None}


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError as error:
        raise BadData(f'"{text[:40] if text else ""}" is no score') from error


def _mean(values: Iterable[float], seed: int) -> Estimate | None:
    return mean_percent(list(values), seed=seed)
