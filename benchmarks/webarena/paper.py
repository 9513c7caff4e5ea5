"""WebArena's paper: its tables filled from runs, or from the per-task results that others published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from webbench.benchmarks.webarena.statistics import DATA_FILLS
from webbench.benchmarks.webarena.task_traits import is_unachievable_task, traits
from webbench.core.analysis.impossible_tasks import answered_impossible, ended, false_impossible
from webbench.core.analysis.printed.filled_table import (
    Evidence,
    Filled,
    FilledRow,
    counted,
    percent,
    rows_of_runs,
    share_percent,
    success_rate,
    unscored,
)
from webbench.core.analysis.printed.printed_table import Filler, Paper, read_paper
from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.analysis.runs.success_rates import task_scores
from webbench.core.errors import BadData
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.mean import mean

FILE = Path(__file__).with_name("paper.json")
NEEDS_RUNS = "name a run: `webbench-tui paper webarena --table NAME RUN`"
OTHER_TASKS = (
    "{count} of the tasks are bundled ones: same form, other sites and intents than the paper's 812."
)
OTHER_RATES = (
    "the leaderboard prints another rate than its own rows give for {agents}; `webbench-tui data tables "
    "leaderboard_check` has both."
)
UNFILLED = {
    "table 1": "it shows examples of evaluators; `webbench-tui tasks webarena TASK` shows a task's own",
    "table 4": "it compares benchmarks by their features, without numbers",
}
BINS = ("up to 25 %", "up to 50 %", "up to 75 %", "below 100 %", "100 %")


def create() -> Paper:
    """The entry point."""
    return read_paper(
        "webarena",
        FILE,
        {
            **DATA_FILLS,
            "section 3.2": Filler("runs", human_performance),
            "table 2": Filler("runs; without one the leaderboard's results of each task", success_rates),
            "section 5.2": Filler("runs", given_up),
            "table 3": Filler("runs", within_templates),
            "table 5": Filler("runs", at_temperature_zero),
        },
        UNFILLED,
    )


def human_performance(evidence: Evidence) -> Filled:
    """Time and success by whether a task seeks information."""
    rows = []
    for at, run in evidence.lettered():
        seconds = [one.seconds for _, one in evidence.trajectories(run) if one.seconds]
        kinds = {one.name: traits(one.task).seeks_information for one in run.scored}
        values = (
            counted(mean(seconds), len(seconds)),
            success_rate(one for one in run.scored if kinds[one.name]),
            success_rate(one for one in run.scored if kinds[one.name] is False),
            success_rate(run.scored),
        )
        if run.scored:
            rows.append(FilledRow(source=at, labels=(run.agent,), values=values, episodes=tuple(kinds)))
    return _filled(evidence, rows)


def success_rates(evidence: Evidence) -> Filled:
    """SR over all tasks, over those that can be done, and over those that can't."""
    if not evidence.runs:
        return _published(evidence.data)

    def values(episodes: Sequence[Recorded]) -> list[Estimate | None]:
        impossible = {one.name: is_unachievable_task(one.task) for one in episodes}
        return [
            success_rate(episodes),
            success_rate(one for one in episodes if not impossible[one.name]),
            success_rate(one for one in episodes if impossible[one.name]),
        ]

    return _filled(evidence, rows_of_runs(evidence, _unknown_prompt, values))


def at_temperature_zero(evidence: Evidence) -> Filled:
    """SR alone."""
    rows = rows_of_runs(evidence, _unknown_prompt, lambda episodes: [success_rate(episodes)])
    return _filled(evidence, rows)


def given_up(evidence: Evidence) -> Filled:
    """Share of tasks that can be done whose episode ended with the answer that they can't, and of the others
    that ended with another answer, which the paper doesn't print."""
    from webbench.benchmarks.webarena.benchmark import create as benchmark

    own = benchmark(None)
    rows = []
    for at, run in evidence.lettered():
        pairs = evidence.trajectories(run)
        found = [
            told
            for one, steps in pairs
            if one.value is not None and (told := ended(one, steps, own)) is not None
        ]
        if found:
            values = (
                percent(false_impossible(found, seed=evidence.seed)),
                percent(answered_impossible(found, seed=evidence.seed)),
            )
            names = tuple(one.name for one in found)
            rows.append(FilledRow(source=at, labels=("–", run.agent), values=values, episodes=names))
    return _filled(evidence, rows)


def within_templates(evidence: Evidence) -> Filled:
    """How many templates have which success rate, without those in which nothing was solved."""
    rows: list[FilledRow] = []
    alone = 0
    for at, run in evidence.lettered():
        tasks = task_scores(run.scored)
        sizes = Counter(one.template for one in tasks if one.template)
        solved = Counter(one.template for one in tasks if one.template and one.solved)
        alone += sum(not one.template for one in tasks)
        bars = Counter(_bin(solved[template] / sizes[template]) for template in solved)
        rows += [
            FilledRow(source=at, labels=(run.agent, name), values=(counted(bars[name], len(sizes)),))
            for name in BINS
            if sizes
        ]
    filled = _filled(evidence, rows)
    return Filled(
        rows=filled.rows,
        missing=filled.missing,
        not_comparable=filled.not_comparable,
        left_out=filled.left_out | {"tasks without a template": alone},
    )


def _bin(rate: float) -> str:
    return BINS[4] if rate == 1 else BINS[min(3, int(4 * rate - 1e-9))]


def _unknown_prompt(run: RecordedRun) -> tuple[str, str, str]:
    """A run's prompt isn't recorded as these two switches."""
    return "–", "–", run.agent


def _filled(evidence: Evidence, rows: Iterable[FilledRow]) -> Filled:
    found = tuple(rows)
    bundled = sum(one.task.split not in ("test", "") for run in evidence.runs for one in run.scored)
    return Filled(
        rows=found,
        not_comparable=(OTHER_TASKS.format(count=bundled),) if bundled else (),
        left_out=unscored(evidence),
        missing="" if found else NEEDS_RUNS if not evidence.runs else "no episode of these runs fits",
    )


def _published(data: Path | None) -> Filled:
    """Per-task results of agents on the leaderboard, where the data has them."""
    from webbench.benchmarks.webarena.benchmark import create as benchmark
    from webbench.benchmarks.webarena.published_tables import (
        REPORTED,
        leaderboard_check,
        leaderboard_models,
        leaderboard_results,
    )

    try:
        results = leaderboard_results(data)
        checked = leaderboard_check(results, leaderboard_models(data))
    except BadData as error:
        return Filled(missing=f"{NEEDS_RUNS}; published results: {error}")
    impossible = {
        int(task.name): is_unachievable_task(task)
        for task in benchmark(data).tasks()
        if task.split == "test" and task.name.isdecimal()
    }
    unknown = 0
    rows = []
    for agent, frame in results.groupby("agent"):
        outcomes = list(zip(frame["task_id"].tolist(), frame["success"].tolist(), strict=True))
        unknown += sum(task not in impossible for task, _ in outcomes)
        rows.append(
            FilledRow(
                source=f"published, {agent}",
                labels=("–", "–", str(agent)),
                values=(
                    share_percent(bool(solved) for _, solved in outcomes),
                    share_percent(bool(solved) for task, solved in outcomes if impossible.get(task) is False),
                    share_percent(bool(solved) for task, solved in outcomes if impossible.get(task)),
                ),
            )
        )
    apart = checked[checked["why"] == REPORTED]["agent"].tolist()
    return Filled(
        rows=tuple(rows),
        not_comparable=(OTHER_RATES.format(agents=", ".join(apart)),) if apart else (),
        left_out={"results of tasks that are not in the data, in SR alone": unknown},
    )
