"""The report of a run as text: a table of its episodes, and the figures below it."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.models.spending import spent_text
from webbench.core.runner.status.results import BatchReport, EpisodeResult
from webbench.core.score.explanation import NOT_DEFINED, value_words
from webbench.core.task import Task
from webbench.core.text.no_value import or_dash
from webbench.core.text.plural import counted
from webbench.core.trajectory import ACTOR_STOPPED
from webbench.tui.cli.output import print_table, print_text
from webbench.tui.cli.records.prediction_report import print_figures


def print_report(report: BatchReport) -> None:
    """Everything there is to say, the episodes first."""
    beside = list(dict.fromkeys(rules for result in report.episodes for rules in result.beside))
    if report.episodes:
        print_table(*_table(report, beside), numbers=range(3, 6 + len(beside)), flexible=(6 + len(beside),))
    mean = value_words(report.mean_score)
    print_text(
        f"\n{report.agent} on {report.benchmark}: mean {mean} over {report.scored} scored "
        f"of {report.planned} planned, rules {report.rules}, {report.seconds:.1f} s"
    )
    for rules in beside:
        values = [result.beside.get(rules) for result in report.episodes if not result.mixed]
        print_text(f"  rules {rules}: mean {_mean(values)}")
    if report.figures:
        print_figures(report.figures)
    for k, rate in report.pass_at.items():
        print_text(f"  pass@{k}: {value_words(rate.value)} over {counted(rate.n, 'task')}")
    if taken := spent_text(report.spent):
        print_text(f"  models took {taken}")
    if report.replaced:
        print_text(f"  not counted, because played again: {counted(report.replaced, 'attempt')}")
    if report.mixed:
        print_text(f"  in no figure, because somebody else acted too: {counted(report.mixed, 'episode')}")
    for reason, count in report.not_scored.items():
        print_text(f"  not scored {count}x: {reason}")
    print_text(f"  run {report.run}")


def task_id(name: str, instance: int | None) -> str:
    """As `--task` and `step` take it."""
    return Task(benchmark="", name=name, instance=instance).id


def _table(report: BatchReport, beside: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    headers = ("task", "repeat", "status", "score", *beside, "steps", "seconds", "reason")
    return headers, [_row(result, beside, report.repeats > 1) for result in report.episodes]


def _row(result: EpisodeResult, beside: Sequence[str], repeated: bool) -> tuple[object, ...]:
    return (
        task_id(result.task, result.instance),
        result.repeat + 1 if repeated else "",
        result.status.replace("_", " "),
        or_dash(result.score),
        *(or_dash(result.beside.get(rules)) for rules in beside),
        result.steps,
        f"{result.seconds:.1f}",
        result.reason or _early_end(result) or ("somebody else acted too" if result.mixed else ""),
    )


def _early_end(result: EpisodeResult) -> str:
    """Why an episode ended that its actor didn't end."""
    return "" if result.end_reason == ACTOR_STOPPED else result.end_reason


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.3f} over {len(known)}" if known else NOT_DEFINED
