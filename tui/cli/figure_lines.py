"""Tables, bars, heat maps and flows as lines of characters that never exceed a width.

Drawn here and by no plotting library: what terminals need is few and must not rest on colour alone (letters
name the actors, numbers stand beside every bar), and nothing has to be installed or imported for it.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import (
    Bar,
    Bars,
    Cell,
    Column,
    Figure,
    Flow,
    HeatMap,
    Row,
    Section,
    Table,
    cell_text,
)
from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plain_text import display_width, plain_clip, plain_text
from webbench.tui import ascii_signs
from webbench.tui.cli.output import folded, print_line, print_text, table, width, wrapped

Part = Literal["title", "head", "rule", "row", "note"]

LEAST_PLOT = 12
MOST_PLOT = 60
SHADES = " ░▒▓█"
GAP = "  "
"""Between a table and the drawing beside it."""


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One line; `episodes` are those behind it, "run/episode" each."""

    text: str
    part: Part = "row"
    episodes: tuple[str, ...] = ()


def section_lines(figures: Sequence[Figure], width: int, *, makes_room: bool = False) -> list[FigureLine]:
    """Figures one below the other, each under its title; `makes_room` as in `figure_lines`."""
    lines: list[FigureLine] = []
    for figure in figures:
        lines += [FigureLine("", "note")] if lines else []
        lines += [
            FigureLine(plain_clip(figure.title, width), "title"),
            *figure_lines(figure, width, makes_room=makes_room),
        ]
    return lines


def in_ascii(text: str) -> str:
    """The same line for terminals that show nothing but ASCII."""
    return ascii_signs.in_ascii(text.replace("±", "+-"))


def figure_lines(figure: Figure, width: int, *, makes_room: bool = False) -> list[FigureLine]:
    """A figure without its title, at most `width` cells wide where that is possible.

    Args:
        makes_room: what is optional in a table gives way to a drawing of its estimates.
    """
    match figure:
        case Table():
            lines = _table(figure.columns, figure.rows, width, makes_room=makes_room)
        case Bars():
            lines = _bars(figure, width)
        case HeatMap():
            lines = _heat(figure, width)
        case Flow():
            lines = _flow(figure, width)
    note = figure.note
    return [*lines, *(FigureLine(line, "note") for line in folded(plain_text(note), width) if line)]


def _table(
    columns: Sequence[Column], rows: Sequence[Row], width: int, *, makes_room: bool = False
) -> list[FigureLine]:
    """Where a table is too wide, intervals give way before anything is cut off at the edge.

    What room there is beside it goes to a drawing of its first estimates.
    """
    if not rows:
        return [FigureLine("none", "note")]
    drawn = _drawn(columns, [row.cells for row in rows], width)
    told: list[str] = []
    if display_width(drawn[0]) > width:
        drawn = _drawn(columns, [tuple(map(_value_alone, row.cells)) for row in rows], width)
        if any(isinstance(cell, Estimate) for row in rows for cell in row.cells):
            told = ["numbers of intervals left out for want of room"]
    at = _to_draw(columns, rows)
    if at is not None and makes_room and _room_beside(drawn, width) < LEAST_PLOT:
        drawn, told = _narrower(columns, rows, at, width) or (drawn, told)
    plot = min(MOST_PLOT, _room_beside(drawn, width))
    if at is not None and plot >= LEAST_PLOT:
        drawn = _beside(drawn, [row.cells[at] for row in rows], plot, signed=columns[at].signed)
        told.append(f"drawn: {columns[at].title}")
    return [
        FigureLine(plain_clip(drawn[0], width), "head"),
        FigureLine(plain_clip(drawn[1], width), "rule"),
        *(
            FigureLine(plain_clip(line, width), "row", row.episodes)
            for line, row in zip(drawn[2:], rows, strict=True)
        ),
        *(FigureLine(line, "note") for text in told for line in folded(text, width)),
    ]


def _room_beside(drawn: Sequence[str], width: int) -> int:
    return width - max(map(display_width, drawn)) - len(GAP)


def _narrower(
    columns: Sequence[Column], rows: Sequence[Row], at: int, width: int
) -> tuple[list[str], list[str]] | None:
    """The table in fewer cells, for a drawing beside it, and what had to go; None where that isn't enough.

    Optional columns go; then the numbers of the interval that is drawn anyhow, then those of all intervals.
    """
    room = width - LEAST_PLOT - len(GAP)
    everywhere = range(len(columns))
    for bare, what in (((), ""), ((at,), f"the interval of {columns[at].title}"), (everywhere, "intervals")):
        cells = [
            [_value_alone(cell) if one in bare else cell for one, cell in enumerate(row.cells)]
            for row in rows
        ]
        drawn = _drawn(columns, cells, room)
        if max(map(display_width, drawn)) <= room:
            shown = re.split(" {2,}", drawn[0].strip())
            gone = [column.title for column in columns if column.optional and column.title not in shown]
            gone += [f"numbers of {what}"] if what else []
            return drawn, [f"left out for want of room: {', '.join(gone)}"] if gone else []
    return None


def _drawn(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int) -> list[str]:
    return table(
        [column.title for column in columns],
        [
            tuple(cell_text(cell, column.kind) for cell, column in zip(row, columns, strict=True))
            for row in rows
        ],
        numbers=[at for at, column in enumerate(columns) if column.kind != "text"],
        flexible=[at for at, column in enumerate(columns) if column.kind == "text"],
        optional=[at for at, column in enumerate(columns) if column.optional],
        room=width,
    ).split("\n")


def _to_draw(columns: Sequence[Column], rows: Sequence[Row]) -> int | None:
    """The column whose estimates are drawn: the first that is no optional one, if any."""
    known = [
        at
        for at in range(len(columns))
        if any(
            isinstance(row.cells[at], Estimate) and _value_alone(row.cells[at]) is not None for row in rows
        )
    ]
    return min(known, key=lambda at: (columns[at].optional, at), default=None)


def _beside(drawn: Sequence[str], cells: Sequence[Cell], plot: int, *, signed: bool) -> list[str]:
    """Lines of a table, each with its estimate drawn behind it; scale and rule go on above."""
    estimates = [cell if isinstance(cell, Estimate) else Estimate(value=None) for cell in cells]
    ends = [end for one in estimates for end in (one.value, one.low, one.high) if end is not None]
    signed = signed or min(ends, default=0.0) < 0
    top = _top(max(map(abs, ends), default=0.0)) if signed or max(ends, default=0.0) > 1 else 1.0
    low = -top if signed else 0.0
    plots = [_interval(one, low, top, plot) for one in estimates]
    added = [_scale(low, top, plot), "─" * plot, *plots]
    width = max(map(display_width, drawn))
    return [
        f"{line}{' ' * (width - display_width(line))}{GAP}{more}"
        for line, more in zip(drawn, added, strict=True)
    ]


def _top(most: float) -> float:
    """The end of a scale: the next 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(most)) if most > 0 else 1.0
    return next(step * power for step in (1, 2, 5, 10) if step * power >= most * (1 - 1e-9))


def _value_alone(cell: Cell) -> Cell:
    return cell.value if isinstance(cell, Estimate) else cell


def _bars(figure: Bars, width: int) -> list[FigureLine]:
    if not figure.bars:
        return [FigureLine("no scored episode", "note")]
    label = min(max(map(display_width, figure.groups)), max(8, width // 4))
    values = [_value(bar, figure.unit) for bar in figure.bars]
    told = max(map(len, values))
    plot = min(MOST_PLOT, max(LEAST_PLOT, width - label - told - 6))
    middle = figure.unit == "share"
    scale = f"{'':{label}}    {_scale(0.0, figure.top, plot, with_middle=middle)}"
    lines = [FigureLine(scale, "head")]
    before = ""
    for bar, value in zip(figure.bars, values, strict=True):
        group = "" if bar.group == before else plain_clip(bar.group, label)
        before = bar.group
        estimate = Estimate(value=bar.value, low=bar.low, high=bar.high)
        share = figure.unit == "share"
        drawn = _interval(estimate, 0.0, 1.0, plot) if share else _filled(bar.value, figure.top, plot)
        blank = " " * (label - display_width(group))
        lines.append(FigureLine(f"{group}{blank}  {bar.actor:<2}{drawn}  {value}", "row", bar.episodes))
    if figure.over:
        lines.append(FigureLine(f"groups: {figure.over}", "note"))
    return lines


def _value(bar: Bar, unit: Literal["share", "count"]) -> str:
    if unit == "count":
        return f"{bar.value:.0f} of {bar.n}"
    error = f" ± {bar.high - bar.value:.3f}" if bar.high is not None else ""
    return f"{bar.value:.3f}{error} n {bar.n}"


def _scale(low: float, top: float, plot: int, *, with_middle: bool = True) -> str:
    """Numbers over the ends and the middle of the plot."""
    left, right = f"{low:g}", f"{top:g}"
    middle = f"{(low + top) / 2:g}" if with_middle else ""
    half = plot // 2
    return f"{left}{middle:>{half + 1 - len(left) + len(middle) // 2}}".ljust(plot - len(right)) + right


def _interval(estimate: Estimate, low: float, top: float, plot: int) -> str:
    """A point on a scale with its whisker: "  ├──●──┤   "; the scale alone where there is no value."""
    cells = ["·" if at in (0, plot // 2, plot - 1) else " " for at in range(plot)]

    def place(value: float) -> int:
        return round(max(0.0, min(1.0, (value - low) / (top - low))) * (plot - 1))

    if estimate.low is not None and estimate.high is not None:
        left, right = place(estimate.low), place(estimate.high)
        cells[left : right + 1] = "─" * (right - left + 1)
        cells[left], cells[right] = "├", "┤"
    if estimate.value is not None:
        cells[place(estimate.value)] = "●"
    return "".join(cells)


def _filled(value: float, top: float, plot: int) -> str:
    return ("█" * round(value / top * plot) or ("▏" if value else "")).ljust(plot)


def _heat(figure: HeatMap, width: int) -> list[FigureLine]:
    label = max(map(display_width, figure.rows))
    count = max(len(str(count)) for count in figure.counts)
    cell = max(5, *(len(column) + 1 for column in figure.columns))
    fitting = max(1, (width - label - count - 4) // cell)
    columns = range(len(figure.columns))[-fitting:]
    head = "".join(f"{figure.columns[at]:>{cell}}" for at in columns)
    lines = [FigureLine(f"{'':{label}}{head}  {'n':>{count}}", "head")]
    for name, values, n, episodes in zip(
        figure.rows, figure.values, figure.counts, figure.episodes, strict=True
    ):
        shown = "".join(f"{_percent(values[at]):>{cell}}" for at in columns)
        lines.append(FigureLine(f"{name:<{label}}{shown}  {n:>{count}}", "row", episodes))
    return [*lines, FigureLine(f"columns: {figure.over}; cells in percent", "note")]


def _percent(value: float | None) -> str:
    """Shade and number, so that it reads without colour: "▒ 45"."""
    if value is None:
        return NO_VALUE
    shade = SHADES[min(len(SHADES) - 1, int(value * len(SHADES)))]
    return f"{shade}{value * 100:>3.0f}"


def _flow(figure: Flow, width: int) -> list[FigureLine]:
    most = max((link.total for link in figure.links), default=1)
    bar = max(6, min(24, width // 6))
    rows = []
    before: tuple[int, str] | None = None
    for link in figure.links:
        here = (link.place, link.source)
        rows.append(
            Row(
                (
                    "" if before and before[0] == link.place else link.place or "",
                    link.source if here != before else "",
                    f"→ {link.target}",
                    *(link.counts.get(actor, 0) or "" for actor in figure.actors),
                    _filled(link.total, most, bar).rstrip(),
                ),
                link.episodes,
            )
        )
        before = here
    columns = (
        Column("page"),
        Column("from", "text"),
        Column("to", "text"),
        *(Column(actor) for actor in figure.actors),
        Column("episodes", "text"),
    )
    return _table(columns, rows, width)


def print_section(section: Section) -> None:
    """Title, what it tells, and its figures, in ASCII where the terminal has no more."""
    print_line()
    print_line(f"{section.title.upper()}  ({section.name})")
    print_line(wrapped(section.about))
    print_line()
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    for line in section_lines(section.figures, width()):
        print_text(in_ascii(line.text) if plain else line.text)
