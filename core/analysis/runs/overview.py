"""The first figures that anybody asks for: rates of runs, differences of pairs, the benchmark's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.analysis.runs.success_rates import Pair, Rates, RunRates
from webbench.core.benchmark.benchmark import Benchmark, figures_of
from webbench.core.json_types import Json
from webbench.core.score.score import Status
from webbench.core.statistics.figures import Cell, Column, Figure, Row, Section, Table
from webbench.core.text.no_value import NO_VALUE

ABOUT = (
    "Only scored episodes enter a rate; what is pending, not scored or an error is counted apart, never as "
    "0. Every task weighs the same, however often it was attempted: it counts as solved where each of its "
    "scored episodes reached 1 (pass@1 of several attempts averages them), and mean scores average them. "
    '"All tasks": the rate if every episode without a score had failed, and if each had reached 1.'
)
RUN_COLUMNS = (
    Column("", "text"),
    Column("agent", "text"),
    Column("tasks"),
    Column("success, Wilson"),
    Column("success, clustered", optional=True),
    Column("mean score"),
    Column("se", optional=True),
    Column("success, all tasks", "text", optional=True),
    Column("not in the rates", "text"),
)
PAIR_COLUMNS = (
    Column("pair", "text"),
    Column("tasks"),
    Column("success difference", optional=True, signed=True),
    Column("score difference", signed=True),
    Column("p McNemar", "p"),
    Column("p flips", "p", optional=True),
    Column("p Holm", "p"),
    Column("only 1st"),
    Column("only 2nd"),
)
SEVERAL = (
    "{count} pairs were tested. Holm's correction ({tests}) keeps the chance of even one false alarm at 5 %: "
    "read that p, or say beforehand which pair counts."
)


def overview_section(
    runs: Mapping[str, RecordedRun], found: Rates, benchmark: Benchmark | None, rules: str
) -> Section:
    """Runs, pairs, the benchmark's own figures.

    Args:
        found: of the same runs, in the same order.
    """
    figures: list[Figure] = [runs_table("Runs", runs, found)]
    if found.pairs:
        figures.append(pairs_table("Pairs, on the tasks that both have scored", runs, found))
    own = _own(runs, benchmark, rules)
    if own is not None:
        figures.append(own)
    return Section(name="overview", title="Overview", about=ABOUT, figures=tuple(figures))


def corrected_section(runs: Mapping[str, RecordedRun], found: Rates, corrected: Rates) -> Section | None:
    """Both numbers where people hold that the evaluator was wrong; None where nobody does."""
    disputed = [
        (letter, one, one.verdict)
        for letter, run in runs.items()
        for one in run.episodes
        if one.verdict is not None and one.is_disputed
    ]
    if not disputed:
        return None
    rows = tuple(
        Row((letter, one.task.id, one.value, verdict.corrected, verdict.why), (one.name,))
        for letter, one, verdict in disputed
    )
    columns = (
        Column("", "text"),
        Column("task", "text"),
        Column("as scored"),
        Column("as corrected"),
        Column("why", "text"),
    )
    figures: list[Figure] = [
        Table(title="Disputed scores", columns=columns, rows=rows),
        runs_table("Runs, as scored", runs, found),
        runs_table("Runs, as corrected", runs, corrected),
    ]
    if corrected.pairs:
        figures.append(pairs_table("Pairs, as corrected", runs, corrected))
    about = "Where people hold that the evaluator was wrong: as it scored, and as they correct it."
    return Section(name="disputed", title="Disputed scores", about=about, figures=tuple(figures))


def runs_table(title: str, runs: Mapping[str, RecordedRun], found: Rates) -> Table:
    rows = tuple(
        Row(
            (letter, one.agent or one.run, len(one.tasks), *_rate_cells(one), left_out(one.states)),
            tuple(episode.name for episode in runs[letter].episodes),
        )
        for letter, one in zip(runs, found.runs, strict=True)
    )
    return Table(title=title, columns=RUN_COLUMNS, rows=rows)


def pairs_table(title: str, runs: Mapping[str, RecordedRun], found: Rates) -> Table:
    letters = {run.run: letter for letter, run in runs.items()}
    tested = [pair.difference.test for pair in found.pairs if pair.p_holm is not None]
    tests = ", ".join(dict.fromkeys(tested))
    return Table(
        title=title,
        columns=PAIR_COLUMNS,
        rows=tuple(_pair_row(pair, letters, runs) for pair in found.pairs),
        note=SEVERAL.format(count=len(tested), tests=tests) if len(tested) > 1 else "",
    )


def left_out(states: Mapping[str, int]) -> str:
    """ "3 pending, 1 error", "–" where every episode is scored."""
    told = [
        f"{count} {state.replace('_', ' ')}"
        for state, count in states.items()
        if state != Status.SCORED.value
    ]
    return ", ".join(told) or NO_VALUE


def _rate_cells(run: RunRates) -> tuple[Cell, ...]:
    return run.success, run.success_clustered, run.mean, run.standard_error, _bounds_text(run)


def _bounds_text(run: RunRates) -> str:
    """ "0.330 to 0.350": with every verdict that nobody gave against the run, and with all for it."""
    return NO_VALUE if run.bounds is None else f"{run.bounds[0]:.3f} to {run.bounds[1]:.3f}"


def _pair_row(pair: Pair, letters: Mapping[str, str], runs: Mapping[str, RecordedRun]) -> Row:
    first, second = letters[pair.first], letters[pair.second]
    apart = {*pair.only_first, *pair.only_second}
    difference = pair.difference
    return Row(
        (
            f"{first} - {second}",
            pair.tasks,
            pair.solved,
            difference.estimate,
            difference.p_mcnemar,
            difference.p_flips,
            pair.p_holm,
            len(pair.only_first),
            len(pair.only_second),
        ),
        tuple(one.name for letter in (first, second) for one in runs[letter].scored if one.task.id in apart),
    )


def _own(runs: Mapping[str, RecordedRun], benchmark: Benchmark | None, rules: str) -> Table | None:
    """The benchmark's own headline figures, one column per run; None for scores that others gave."""
    if benchmark is None or rules not in benchmark.rule_sets:
        return None
    figures = {
        letter: figures_of(benchmark, [one.attempt for one in run.episodes if one.attempt], rules)
        for letter, run in runs.items()
    }
    names: Sequence[str] = list(dict.fromkeys(name for found in figures.values() for name in found))
    if not names:
        return None
    return Table(
        title=f"{benchmark.title}'s own figures, rules {rules}",
        columns=(Column("figure", "text"), *(Column(letter) for letter in runs)),
        rows=tuple(
            Row((name.replace("_", " "), *(_cell(found.get(name)) for found in figures.values())))
            for name in names
        ),
    )


def _cell(value: Json) -> Cell:
    if isinstance(value, list):
        return " to ".join(f"{one:.3f}" if isinstance(one, float) else str(one) for one in value)
    return value if isinstance(value, str | int | float) else None
