"""The report on a file of predictions, as text: headline figures, groups, weaknesses, items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from webbench.core.json_types import Json, JsonObject
from webbench.core.score.explanation import FLEXIBLE, HEADERS, NUMBERS, score_table, score_text
from webbench.core.score.score import Score, Status
from webbench.core.scoring.offline.offline_scorer import ItemScore, OfflineReport
from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plain_text import plain_text
from webbench.tui.cli.output import print_line, print_table, print_text, width, wrapped

if TYPE_CHECKING:
    from webbench.core.judge import Judge


def print_report(report: OfflineReport, judge: Judge | None, *, both: bool, items: bool) -> None:
    """Print it.

    Args:
        both: also the other rule sets beside every item, and the clause that makes the difference.
        items: a table of all items, then of the checks of each; those without a score are listed anyway,
            but for those that a rule leaves out.
    """
    print_text(f"{report.benchmark}, {report.rules} rules: {_states(report.items)}")
    print_line()
    _print_pending(report)
    print_figures({report.rules: report.summary, **report.beside})
    for name, rows in report.groups.items():
        if rows:
            print_text(f"\nby {name.replace('_', ' ')}")
            _print_rows(rows)
    _print_loopholes(report.items)
    if judge is not None:
        _print_judge(judge)
    if items or both:
        print_line()
        _print_items(report, both=both)
        if items:
            print_checks(report.items, as_table=True)
    else:
        _print_unscored(report.items)


def _states(items: Sequence[ItemScore]) -> str:
    counts = Counter(item.score.status for item in items if not item.left_out)
    named = [f"{counts[status]} {status.words}" for status in Status if counts[status]]
    left_out = sum(item.left_out for item in items)
    return ", ".join(named + [f"{left_out} left out by rule"] * bool(left_out)) or "no items"


def print_checks(items: Sequence[ItemScore], *, as_table: bool) -> None:
    """What each item's score rests on, down to every comparison: as a tree with reasons, or as tables."""
    for item in items:
        print_text(f"\n{item.id}" + (f": {item.note}" if item.note else ""))
        if as_table:
            print_table(HEADERS, score_table(item.score), numbers=NUMBERS, flexible=FLEXIBLE, whole=True)
        else:
            print_text(score_text(item.score, width=min(width(), 120)))


def _print_pending(report: OfflineReport) -> None:
    """What is known of the figures that wait for a judge, for each rule set."""
    for rules, figures in {report.rules: report.summary, **report.beside}.items():
        for name in figures:
            told = _pending(figures, name)
            if told:
                print_line(wrapped(told, f"{plain_text(name.replace('_', ' '))}, {plain_text(rules)}: "))
    if any(item.score.status is Status.PENDING for item in report.items):
        print_text("figures below are of scored items alone")


def _pending(figures: Mapping[str, Json], name: str) -> str:
    """ "1.000 of 2 scored, 12 pending: between 0.143 and 0.857", "" for a figure that waits for nothing.

    A scorer says so by `name` of null beside `name`_scored and `name`_interval.
    """
    limits = figures.get(f"{name}_interval")
    if figures[name] is not None or not isinstance(limits, list) or not figures.get("pending"):
        return ""
    known = f"{figure(figures.get(f'{name}_scored'))} of {figure(figures.get('scored'))} scored"
    lowest, highest = map(figure, limits)
    return f"{known}, {figure(figures['pending'])} pending: between {lowest} and {highest}"


def print_figures(figures: Mapping[str, Mapping[str, Json]]) -> None:
    """A table of named figures, one column per rule set."""
    names = [name for column in figures.values() for name in column]
    rows = [
        (name.replace("_", " "), *(figure(column.get(name)) for column in figures.values()))
        for name in _telling(names, tuple(figures.values()))
    ]
    print_table(("", *figures), rows, numbers=tuple(range(1, 1 + len(figures))), flexible=(0,))


def _print_rows(rows: Sequence[JsonObject]) -> None:
    headers = _telling([name for row in rows for name in row], rows)
    numbers = [
        index
        for index, name in enumerate(headers)
        if all(isinstance(row.get(name), int | float | None) for row in rows)
    ]
    texts = [index for index in range(len(headers)) if index not in numbers]
    cells = [[figure(row.get(name)) for name in headers] for row in rows]
    print_table([name.replace("_", " ") for name in headers], cells, numbers=numbers, flexible=texts)


def _telling(names: Iterable[str], figures: Sequence[Mapping[str, Json]]) -> list[str]:
    """The names, each once, without what says nothing more of a figure that waits for no judge anywhere."""
    open_ones = {
        name for one in figures for name, value in one.items() if value is None and one.get("pending")
    }
    listed = dict.fromkeys(names)
    bases = {f"{name}_{what}": name for name in listed for what in ("scored", "interval")}
    return [name for name in listed if name not in bases or bases[name] in open_ones]


def _print_loopholes(items: Sequence[ItemScore]) -> None:
    holds = [loophole for item in items for loophole in item.score.loopholes]
    texts = {loophole.id: loophole for loophole in holds}
    if holds:
        print_text("\nbeware of what these scores rest on")
    for name, count in Counter(loophole.id for loophole in holds).most_common():
        loophole = texts[name]
        print_line(wrapped(f"{loophole.text} ({loophole.source})", f"{count:>6}  {plain_text(name)}  "))


def _print_judge(judge: Judge) -> None:
    from webbench.core.scoring.judges.model import ModelJudge

    if not isinstance(judge, ModelJudge):
        print_text(f"\njudge: {judge.name}")
        return
    usage = judge.usage
    cost = "cost not known" if usage.cost is None else f"US$ {usage.cost:.4f}"
    print_text(
        f"\njudge: {judge.name}, {usage.asked} asked ({usage.failed} failed), {usage.cached} from the cache, "
        f"{usage.prompt_tokens} + {usage.completion_tokens} tokens, {cost}"
    )


def _print_items(report: OfflineReport, *, both: bool) -> None:
    others = [name for name in report.beside if both]
    others += [
        score.rules
        for item in report.items
        if both
        for score in item.score.beside
        if score.rules not in others
    ]
    others = list(dict.fromkeys(others))
    rows = [
        (
            item.id,
            value_text(item.score),
            *(_beside(item.score, name) for name in others),
            "; ".join(item.score.clauses()) if both else "",
            _remark(item),
        )
        for item in report.items
    ]
    headers = ("id", report.rules, *others, "clause", "note")
    last = len(headers) - 1
    print_table(headers, rows, numbers=range(1, 2 + len(others)), flexible=(last - 1, last), whole=True)


def _print_unscored(items: Sequence[ItemScore]) -> None:
    rows = [
        (item.id, value_text(item.score), _remark(item))
        for item in items
        if item.score.status is not Status.SCORED and not item.left_out
    ]
    if rows:
        print_line()
        print_table(("without a score", "state", "why"), rows, flexible=(2,), whole=True)


def value_text(score: Score) -> str:
    """The value, or the state that it has none in; of a pending one also what it can still become."""
    if score.status is Status.SCORED:
        return figure(score.value)
    state = score.status.words
    if score.interval is None:
        return state
    return f"{state} {score.interval[0]:.3f}-{score.interval[1]:.3f}"


def _beside(score: Score, rules: str) -> str:
    return next((value_text(other) for other in score.beside if other.rules == rules), NO_VALUE)


def _remark(item: ItemScore) -> str:
    return "; ".join(filter(None, (item.score.reason, item.note)))


def figure(value: Json) -> str:
    """A cell: three decimals for a fraction, a dash for what is not defined or empty."""
    if value is None or value in ({}, []):
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {figure(item)}" for name, item in value.items())
    return ", ".join(map(figure, value)) if isinstance(value, list | tuple) else str(value)
