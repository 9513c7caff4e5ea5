"""The whole analysis of runs as one page: methods told, tables, drawings, every task."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from webbench.core.report.figures.bars import bars_drawing, heat_drawing
from webbench.core.report.figures.sankey import flow_drawing
from webbench.core.report.pages.standalone_page import fill, resource, self_contained
from webbench.core.statistics.figures import Analysis, Bars, Figure, Flow, HeatMap, Section, Table, cell_text

MOST_EPISODES = 40
"""Episodes behind a row that are named."""


class CellView(msgspec.Struct, frozen=True):
    text: str
    number: bool


class RowView(msgspec.Struct, frozen=True):
    """A row, the episodes behind it, and how many more there are."""

    cells: Sequence[CellView]
    episodes: Sequence[str]
    more: int = 0


class FigureView(msgspec.Struct, frozen=True, kw_only=True):
    """A figure as the template takes it; `drawing` where it is more than a table."""

    name: str
    title: str
    note: str
    columns: Sequence[CellView] = ()
    rows: Sequence[RowView] = ()
    drawing: Markup | None = None


def analysis_page(analysis: Analysis) -> str:
    """An analysis as a page."""
    sections = [
        (section, [_view(figure, f"{section.name}-{at}") for at, figure in enumerate(section.figures, 1)])
        for section in analysis.sections
    ]
    agents = ", ".join(dict.fromkeys(actor.agent or actor.run for actor in analysis.actors))
    body = fill("runs.html.jinja", analysis=analysis, agents=agents, sections=sections)
    title = f"{analysis.benchmark or 'Runs'}: {agents}"[:200]
    return self_contained(title, body, style=resource("runs.css"))


def drawings(sections: Sequence[Section]) -> dict[str, Markup]:
    """Every figure that is more than a table as an SVG file, by a name for it: "steps-1"."""
    found = {
        f"{section.name}-{at}": draw(figure, alone=True)
        for section in sections
        for at, figure in enumerate(section.figures, 1)
    }
    return {name: drawn for name, drawn in found.items() if drawn is not None}


def draw(figure: Figure, *, alone: bool = False) -> Markup | None:
    """A figure as SVG; None for a table, and where there is nothing to draw."""
    match figure:
        case Bars() if figure.bars:
            return bars_drawing(figure, alone=alone)
        case HeatMap():
            return heat_drawing(figure, alone=alone)
        case Flow() if figure.links:
            return flow_drawing(figure, alone=alone)
    return None


def _view(figure: Figure, name: str) -> FigureView:
    if isinstance(figure, Table):
        return FigureView(
            name=name,
            title=figure.title,
            note=figure.note,
            columns=[CellView(column.title, column.kind != "text") for column in figure.columns],
            rows=[
                RowView(
                    [
                        CellView(cell_text(cell, column.kind), column.kind != "text")
                        for cell, column in zip(row.cells, figure.columns, strict=True)
                    ],
                    row.episodes[:MOST_EPISODES],
                    max(0, len(row.episodes) - MOST_EPISODES),
                )
                for row in figure.rows
            ],
        )
    return FigureView(name=name, title=figure.title, note=figure.note, drawing=draw(figure))
