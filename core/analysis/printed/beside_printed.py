"""Ours beside printed numbers: each row of a paper's table, what fills it, and the difference of both.

Of percentages the difference has an interval: by Zou and Donner's way (2008) of two intervals, Wilson's for
the printed one, where the paper says what it is over; else the printed number is taken as fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.analysis.paper.paper_figure import Interval, Intervals, Panel, PaperFigure
from webbench.core.analysis.printed.filled_table import Evidence, Filled, FilledRow, is_human
from webbench.core.analysis.printed.printed_table import Labels, Measure, Paper, PrintedRow, PrintedTable
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.statistics.estimates import Estimate, unpaired_difference, wilson
from webbench.core.statistics.figures import Cell, Column, Row, Table
from webbench.core.text.no_value import NO_VALUE

SCHEMA_VERSION = 1
PAPER = "paper"
"""Source of the printed lines."""
DRAWN = 60
"""Lines of a picture; a longer table is drawn up to there, which its caption tells."""

Kind = Literal["printed", "ours", "difference"]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line: a printed row, one of ours, or how far ours is from the printed one."""

    kind: Kind
    source: str
    labels: Labels
    values: tuple[Estimate | None, ...]
    episodes: tuple[str, ...] = ()


class BesidePrinted(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a paper with what fills it.

    Attributes:
        sources: what each letter stands for: run and agent.
        not_comparable: why numbers are not of the same thing, a sentence each.
        missing: what it takes to fill it, where nothing does.
    """

    benchmark: str
    paper: str
    table: PrintedTable
    lines: tuple[Line, ...]
    sources: dict[str, str] = {}
    not_comparable: tuple[str, ...] = ()
    left_out: dict[str, int] = {}
    missing: str = ""
    problems: tuple[str, ...] = ()


def beside_printed(paper: Paper, name: str, evidence: Evidence, *, against: str = "") -> BesidePrinted:
    """The table of this name, filled.

    Args:
        against: words of the printed row that rows of ours without one of their own are held against.

    Raises `UsageError` for an unknown table or row, and `BadData` where a fill doesn't fit its table.
    """
    table = paper.table(name)
    held = table.row_called(against) if against else None
    filler = paper.fills.get(table.name)
    filled = filler.fill(evidence) if filler else Filled(missing=paper.unfilled.get(table.name, ""))
    people = {at for at, run in evidence.lettered() if is_human(run)}
    pairs = [(row, _beside(table, row, held, by_person=row.source in people)) for row in filled.rows]
    lines: list[Line] = []
    for printed in table.rows:
        lines.append(_printed(table, printed))
        for row, beside in pairs:
            if beside == printed:
                lines += _ours(table, row, printed)
    for row, beside in pairs:
        if beside is None:
            lines += _ours(table, row, None)
    return BesidePrinted(
        benchmark=paper.benchmark,
        paper=paper.title,
        table=table,
        lines=tuple(lines),
        sources={at: f"{run.run}, {run.agent}" for at, run in evidence.lettered()},
        not_comparable=filled.not_comparable,
        left_out=filled.left_out,
        missing=filled.missing,
        problems=tuple(evidence.problems),
    )


def _beside(
    table: PrintedTable, row: FilledRow, held: PrintedRow | None, *, by_person: bool
) -> PrintedRow | None:
    if len(row.labels) != len(table.labels) or len(row.values) != len(table.measures):
        raise BadData(f"A row of {row.source} doesn't fit {table.name}: {' '.join(row.labels)}")
    same = table.row(row.beside or row.labels)
    if same is not None:
        return same
    if held is not None:
        return held
    return table.row(table.human if by_person and table.human else table.headline)


def _printed(table: PrintedTable, row: PrintedRow) -> Line:
    values = tuple(
        None if value is None else Estimate(value=value, n=table.n_of(row, at))
        for at, value in enumerate(row.values)
    )
    return Line(kind="printed", source=PAPER, labels=row.labels, values=values)


def _ours(table: PrintedTable, row: FilledRow, printed: PrintedRow | None) -> list[Line]:
    ours = Line(kind="ours", source=row.source, labels=row.labels, values=row.values, episodes=row.episodes)
    if printed is None:
        return [ours]
    differences = tuple(
        _difference(measure, table.n_of(printed, at), one, theirs)
        for at, (measure, one, theirs) in enumerate(
            zip(table.measures, row.values, printed.values, strict=True)
        )
    )
    source = f"{row.source} − {PAPER}"
    return [ours, Line(kind="difference", source=source, labels=printed.labels, values=differences)]


def _difference(measure: Measure, n: int, ours: Estimate | None, printed: float | None) -> Estimate | None:
    if ours is None or ours.value is None or printed is None:
        return None
    theirs = Estimate(value=printed, low=printed, high=printed, n=n)
    if measure.unit == "percent" and n:
        share = wilson(round(printed / 100 * n), n)
        if share.low is not None and share.high is not None:
            low, high = min(100 * share.low, printed), max(100 * share.high, printed)
            theirs = msgspec.structs.replace(theirs, low=low, high=high)
    return unpaired_difference(ours, theirs)


def as_table(found: BesidePrinted) -> Table:
    """The lines as a table of texts, in the paper's own decimals."""
    table = found.table
    columns = (
        *(Column(title, "text") for title in table.labels),
        Column("from", "text"),
        *(Column(one.title) for one in table.measures),
    )
    rows = tuple(
        Row(
            (*line.labels, line.source, *_cells(table, line)),
            line.episodes,
        )
        for line in found.lines
    )
    title = f"{table.name[:1].upper()}{table.name[1:]}: {table.title}"
    return Table(title=title, columns=columns, rows=rows, note=" ".join(_notes(found)))


def _cells(table: PrintedTable, line: Line) -> list[Cell]:
    return [
        None if value is None else value_text(value, measure.decimals, signed=line.kind == "difference")
        for value, measure in zip(line.values, table.measures, strict=True)
    ]


def value_text(value: Estimate, decimals: int, *, signed: bool = False) -> str:
    """ "11.70 [9.56, 14.10]", with a sign before a difference; "–" where there is none."""
    if value.value is None:
        return NO_VALUE

    def told(number: float) -> str:
        text = f"{number:{'+' if signed else ''}.{decimals}f}"
        return text.replace("-", "−")

    if value.low is None or value.high is None or value.low == value.high:
        return told(value.value)
    return f"{told(value.value)} [{told(value.low)}, {told(value.high)}]"


def _notes(found: BesidePrinted) -> list[str]:
    table = found.table
    units = dict.fromkeys(one.unit for one in table.measures)
    told = [f"{found.paper}, {table.where}.", f"In {', '.join(units)}.", table.note]
    if any(line.kind == "difference" for line in found.lines):
        fixed = any(
            one.unit != "percent" or not table.n_of(row, at)
            for at, one in enumerate(table.measures)
            for row in table.rows
        )
        told.append("Differences are ours minus the printed number.")
        told.append(
            "Where the paper doesn't say what a number is over it is taken as fixed." if fixed else ""
        )
    told += [f"Not comparable: {why}" for why in found.not_comparable]
    out = "; ".join(f"{what}: {count:,}" for what, count in found.left_out.items() if count)
    told.append(f"Left out: {out}." if out else "")
    told.append(f"Nothing of ours: {found.missing}" if found.missing else "")
    return [one for one in told if one]


def beside_printed_json(found: BesidePrinted) -> JsonObject:
    """The whole of it; numbers in the units of the measures."""
    table = found.table
    return {
        "schema_version": SCHEMA_VERSION,
        "benchmark": found.benchmark,
        "paper": found.paper,
        "table": table.name,
        "title": table.title,
        "where": table.where,
        "labels": list(table.labels),
        "measures": [{"title": one.title, "unit": one.unit} for one in table.measures],
        "lines": [
            {
                "kind": line.kind,
                "from": line.source,
                "labels": list(line.labels),
                "values": [_json(one) for one in line.values],
                "episodes": list(line.episodes),
            }
            for line in found.lines
        ],
        "sources": dict(found.sources),
        "not_comparable": list(found.not_comparable),
        "left_out": dict(found.left_out),
        "missing": found.missing,
        "problems": list(found.problems),
    }


def _json(value: Estimate | None) -> Json:
    if value is None or value.value is None:
        return None
    return {"value": value.value, "low": value.low, "high": value.high, "n": value.n, "method": value.method}


def as_figure(found: BesidePrinted) -> PaperFigure:
    """A picture of printed numbers and ours, a panel for each measure, and the table for CSV and LaTeX."""
    table, numbers = as_table(found), _numbers(found)
    shown = [line for line in found.lines if line.kind != "difference"][:DRAWN]
    panels = tuple(
        Panel(title=measure.title, axis=_axis(measure), scale="amount", rows=rows)
        for at, measure in enumerate(found.table.measures)
        if (rows := _intervals(found.table, shown, at))
    )
    undrawn = sum(line.kind != "difference" for line in found.lines) - len(shown)
    actors = tuple(dict.fromkeys(row.actor for panel in panels for row in panel.rows))
    return PaperFigure(
        name=f"{found.benchmark}-{found.table.name.replace(' ', '-')}",
        title=table.title,
        caption=f"{table.title}. {table.note}",
        plot=Intervals(panels=panels, actors=actors) if panels else None,
        table=numbers,
        printed=table,
        left_out=found.left_out | ({"lines that stand in the table alone": undrawn} if undrawn else {}),
        empty="" if panels else found.missing or "there is no number",
    )


def _axis(measure: Measure) -> str:
    return f"{measure.title} ({measure.unit})"


def _intervals(table: PrintedTable, lines: Sequence[Line], at: int) -> tuple[Interval, ...]:
    return tuple(
        Interval(label=row_name(table, line.labels), actor=line.source, estimate=value)
        for line in lines
        if (value := line.values[at]) is not None and value.value is not None
    )


def row_name(table: PrintedTable, labels: Labels) -> str:
    """Labels in one line: "CoT, no UA hint, GPT-4" where the table has "yes", "no" and a model."""
    told = {"yes": "{title}", "no": "no {title}", "–": ""}
    names = (
        told[label].format(title=title) if label in told else label
        for title, label in zip(table.labels, labels, strict=True)
    )
    return ", ".join(filter(None, names))


def _numbers(found: BesidePrinted) -> Table:
    """For CSV: estimates as they are."""
    columns = (
        *(Column(title, "text") for title in found.table.labels),
        Column("from", "text"),
        Column("kind", "text"),
        *(Column(one.title) for one in found.table.measures),
    )
    rows = tuple(Row((*line.labels, line.source, line.kind, *line.values)) for line in found.lines)
    return Table(title=found.table.title, columns=columns, rows=rows)
