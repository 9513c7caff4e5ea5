"""AssistantBench's paper: its tables filled from runs, or from predictions that its authors published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from webbench.benchmarks.assistantbench.scoring.evaluate import ANSWERED, AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.statistics import DATA_FILLS
from webbench.benchmarks.assistantbench.tasks import load_tasks
from webbench.core.analysis.printed.filled_table import (
    Evidence,
    Filled,
    FilledRow,
    code_shares,
    mean_percent,
    share_percent,
    steps_rows,
    unscored,
)
from webbench.core.analysis.printed.printed_table import Filler, Paper, read_paper
from webbench.core.analysis.recorded.run_records import Recorded
from webbench.core.models.spending import added, spent
from webbench.core.score.aggregates import Attempt
from webbench.core.scoring.offline.reading import read_tasks
from webbench.core.statistics.estimates import Estimate, clustered_mean
from webbench.core.task import Task
from webbench.core.trajectory import Trajectory

FILE = Path(__file__).with_name("paper.json")
PREDICTIONS = Path("predictions", "fallback_gpt4_seeplanact_predictions.jsonl")
NEEDS_RUNS = "name a run: `webbench-tui paper assistantbench --table NAME RUN`"
CAUSES = {
    "Navigation error": "navigation",
    "Technical issue": "technical-issue",
    "No answer": "no-answer",
    "Wrong answer": "wrong-answer",
}
"""Codes of the taxonomy `assistantbench` by the rows of table 4."""

COLLECTIONS = ("seed", "expanded", "experts")
DIFFICULTIES = ("Easy", "Medium", "Hard")
TIMES = ("static", "stable", "unlikely")
BINS = ((0, "below 5"), (5, "5 to 9"), (10, "10 to 14"), (15, "15 and more"))

Attempts = Sequence[Attempt]


def create() -> Paper:
    """The entry point."""
    published = "runs; without one the predictions that the authors published for the dev set"
    collected = "runs on tasks that say how they were collected (`collection` in the task file)"
    return read_paper(
        "assistantbench",
        FILE,
        {
            **DATA_FILLS,
            "table 1": Filler("runs on the test set", partial(whole_sets, names=2, of="test")),
            "table 2": Filler("runs on FanOutQA's tasks", partial(whole_sets, names=1, of="fanoutqa")),
            "table 3": Filler(collected, partial(parts, key="collection", of=COLLECTIONS)),
            "figure 5": Filler("runs", accuracy_by_steps),
            "table 4": Filler("failed episodes labelled by the taxonomy assistantbench", by_cause),
            "table 6": Filler("runs whose models have a price", costs),
            "table 7": Filler("runs on the test set", partial(whole_sets, names=2, of="test")),
            "table 8": Filler(published, partial(whole_sets, names=1, of="dev")),
            "table 9": Filler(published, partial(parts, key="difficulty", of=DIFFICULTIES)),
            "table 10": Filler(collected, by_collection),
            "table 12": Filler(published, partial(parts, key="time_dependency", of=TIMES)),
        },
        {
            "table 5": "it shows example tasks",
            "table 11": "it shows tasks of the dev set: `webbench-tui tasks assistantbench`",
        },
    )


def whole_sets(evidence: Evidence, *, names: int, of: str) -> Filled:
    """Accuracy, answer rate, precision and exact match over all tasks.

    Args:
        names: how many labels the table has; the last one is the model.
        of: the set that the printed numbers are of.
    """
    return _filled(evidence, lambda attempts: four_figures(attempts, evidence.seed), names=names, of=of)


def parts(evidence: Evidence, *, key: str, of: Sequence[str]) -> Filled:
    """Accuracy in each part of the tasks, by what they say under `key`."""

    def values(attempts: Attempts) -> list[Estimate | None]:
        return [accuracy(_with(attempts, key, part), evidence.seed) for part in of]

    return _filled(evidence, values, of="test", key=key)


def by_collection(evidence: Evidence) -> Filled:
    """Answer rate, precision and exact match in each part of the tasks."""

    def values(attempts: Attempts) -> list[Estimate | None]:
        found = [four_figures(_with(attempts, "collection", part), evidence.seed) for part in COLLECTIONS]
        return [figures[at] for at in (1, 2, 3) for figures in found]

    return _filled(evidence, values, of="test", key="collection")


def four_figures(attempts: Attempts, seed: int = 0) -> list[Estimate | None]:
    """Accuracy, answer rate, precision, exact match (section 3.4), in percent."""
    answered = [one for one in attempts if one.score.metrics.get(ANSWERED) == 1]
    return [
        accuracy(attempts, seed),
        share_percent(one.score.metrics.get(ANSWERED) == 1 for one in attempts),
        accuracy(answered, seed),
        share_percent(one.score.value == 1 for one in attempts),
    ]


def accuracy(attempts: Attempts, seed: int = 0) -> Estimate | None:
    """The mean score in percent; a task's several attempts are drawn together."""
    scored = [(one.score.value, one.task.id) for one in attempts if one.score.value is not None]
    return mean_percent([value for value, _ in scored], [task for _, task in scored], seed=seed)


def accuracy_by_steps(evidence: Evidence) -> Filled:
    """Accuracy of episodes with so many steps."""
    rows = steps_rows(evidence, BINS, lambda episodes: accuracy(_attempts(episodes), evidence.seed))
    return Filled(rows=tuple(rows), left_out=unscored(evidence), missing="" if rows else _missing(evidence))


def by_cause(evidence: Evidence) -> Filled:
    """Shares of labelled failures by their cause, each run beside SPA."""
    found, left_out = code_shares(evidence, "assistantbench", "error", CAUSES.values())
    rows = tuple(
        FilledRow(
            source=one.source,
            labels=(cause, one.run.agent),
            values=(one.shares[code],),
            beside=(cause, "SPA"),
            episodes=one.episodes,
        )
        for one in found
        for cause, code in CAUSES.items()
    )
    missing = "" if rows else "label failed episodes: `webbench-tui label RUN --taxonomy assistantbench`"
    return Filled(rows=rows, left_out=left_out, missing=missing)


def costs(evidence: Evidence) -> Filled:
    """Dollars per episode, over those that tell what their models cost."""
    rows, untold = [], 0
    for at, run in evidence.lettered():
        told = {one.name: _cost(trajectory) for one, trajectory in evidence.trajectories(run)}
        known = [cost for cost in told.values() if cost is not None]
        untold += len(told) - len(known)
        if known:
            each = clustered_mean(known, range(len(known)), seed=evidence.seed)
            rows.append(FilledRow(source=at, labels=(run.agent,), values=(each,), episodes=tuple(told)))
    missing = "" if rows else NEEDS_RUNS if not evidence.runs else "no episode of these runs tells a cost"
    return Filled(rows=tuple(rows), left_out={"episodes without a cost": untold}, missing=missing)


def _cost(trajectory: Trajectory) -> float | None:
    return added(spent(step.usage) for step in trajectory.steps).cost


def _with(attempts: Attempts, key: str, part: str) -> list[Attempt]:
    return [one for one in attempts if part_of(one.task, key).casefold() == part.casefold()]


def part_of(task: Task, key: str) -> str:
    """What a task says under "difficulty", "time_dependency" or "collection"; "" for nothing."""
    return task.kind if key == "difficulty" else str(task.data.get(key, ""))


def _filled(
    evidence: Evidence,
    values: Callable[[Attempts], list[Estimate | None]],
    *,
    of: str,
    names: int = 1,
    key: str = "",
) -> Filled:
    """A row for each run, or for the published predictions where they are of the set that is asked for.

    Args:
        of: the set that the printed numbers are of.
        key: what tasks have to tell to be counted.
    """
    sources = [
        (at, run.agent, _attempts(run.scored), tuple(one.name for one in run.scored))
        for at, run in evidence.lettered()
    ]
    if not evidence.runs and (of == "dev" or key):
        sources = [("published", "SPA→CB", _published(evidence.data), ())]
    rows, sets, silent = [], Counter[str](), 0
    for source, agent, attempts, episodes in sources:
        silent += sum(not part_of(one.task, key) for one in attempts) if key else 0
        found = values(attempts)
        if any(value is not None for value in found):
            sets.update(one.task.split for one in attempts)
            labels = ("–",) * (names - 1) + (agent,)
            rows.append(FilledRow(source=source, labels=labels, values=tuple(found), episodes=episodes))
    others = {split or "no set": count for split, count in sets.items() if split != of}
    told = ", ".join(f"{count} of {split}" for split, count in others.items())
    left_out = unscored(evidence) | ({f"attempts at tasks without {key}": silent} if key else {})
    return Filled(
        rows=tuple(rows),
        not_comparable=(f"the printed numbers are of the {of} set, ours also of other tasks: {told}.",)
        if told
        else (),
        left_out=left_out,
        missing="" if rows else _missing(evidence),
    )


def _missing(evidence: Evidence) -> str:
    return "no episode of these runs fits" if evidence.runs else NEEDS_RUNS


def _attempts(episodes: Iterable[Recorded]) -> list[Attempt]:
    return [attempt for one in episodes if (attempt := one.attempt) is not None]


def _published(data: Path | None) -> list[Attempt]:
    """The predictions that lie beside the tasks, scored here; none where they aren't there."""
    file = data / PREDICTIONS if data is not None and data.is_dir() else None
    if file is None or not file.is_file():
        return []
    tasks = {task.name: task for task in load_tasks(data).tasks} if data is not None else {}
    evaluator, found = AssistantBenchEvaluator(), []
    for record in read_tasks(file).records:
        task = tasks.get(str(record.data.get("id")))
        if task is not None and "answer" in record.data:
            found.append(Attempt(task, evaluator.score(task, {"answer": record.data["answer"]})))
    return found
