"""`stats`: runs as figures, and pairs of runs on the tasks that both attempted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.core.analysis.rates import SCHEMA_VERSION, Pair, Rates, RunRates, rates
from webbench.core.analysis.statistics import Estimate
from webbench.tui.headless.output import print_json, print_line, print_table, print_text, say
from webbench.tui.headless.place import open_store

RUN_HEADERS = ("", "run", "agent", "tasks", "success", "95 %", "mean", "95 %", "se", "left out")
PAIR_HEADERS = ("pair", "tasks", "difference", "95 %", "p", "p (Holm)", "only 1st", "only 2nd", "test")
SCORED = "scored"


def print_stats(runs: Sequence[str], *, seed: int, store: Path | None, as_json: bool) -> int:
    """Print the figures: 0, or 4 where an episode could not be read."""
    found = rates(open_store(store), [run.rstrip("/") for run in runs], seed=seed)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "rates": found})
    else:
        _print(found)
    problems = [problem for run in found.runs for problem in run.problems]
    for problem in problems:
        say(problem)
    return 4 if problems else 0


def _print(found: Rates) -> None:
    letters = {run.run: chr(ord("A") + at % 26) + str(at // 26 or "") for at, run in enumerate(found.runs)}
    rows = [(letters[run.run], *_run_row(run)) for run in found.runs]
    print_table(RUN_HEADERS, rows, numbers=(3, 4, 6, 8), flexible=(1, 2, 9))
    first = found.runs[0]
    print_text(f"\nsuccess: score of 1, {first.success.method}; mean: {first.mean.method or 'no score'}")
    if not found.pairs:
        return
    print_line()
    pairs = [(f"{letters[pair.first]} - {letters[pair.second]}", *_pair_row(pair)) for pair in found.pairs]
    print_table(PAIR_HEADERS, pairs, numbers=(1, 2, 4, 5, 6, 7), flexible=(8,))
    if len(pairs) > 1:
        print_text(
            f"\n{len(pairs)} pairs were tested: read the corrected p, or say beforehand which one counts"
        )


def _run_row(run: RunRates) -> tuple[object, ...]:
    left_out = [
        f"{count} {state.replace('_', ' ')}" for state, count in run.states.items() if state != SCORED
    ]
    return (
        run.run,
        run.agent,
        len(run.tasks),
        _figure(run.success.value),
        _interval(run.success),
        _figure(run.mean.value),
        _interval(run.mean),
        _figure(run.standard_error),
        ", ".join(left_out) or "–",
    )


def _pair_row(pair: Pair) -> tuple[object, ...]:
    return (
        pair.tasks,
        _figure(pair.difference.estimate.value),
        _interval(pair.difference.estimate),
        _p(pair.difference.p),
        _p(pair.p_holm),
        len(pair.only_first),
        len(pair.only_second),
        pair.difference.test,
    )


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.low:.3f} to {estimate.high:.3f}"
