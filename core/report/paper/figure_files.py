"""Paper figures as files: pictures in the formats that papers take, CSV, a table for LaTeX, captions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from webbench.core.analysis.paper.paper_figure import (
    Curves,
    Flowing,
    Growth,
    Histogram,
    Intervals,
    MarkedPicture,
    Matrices,
    PaperFigure,
    Plot,
    Scatters,
)
from webbench.core.errors import UsageError
from webbench.core.exchange.atomic_output import appearing
from webbench.core.report.paper.curve_plot import curve_plot, growth_plot, histogram_plot, scatter_plot
from webbench.core.report.paper.flow_plot import flow_plot
from webbench.core.report.paper.interval_plot import interval_plot
from webbench.core.report.paper.matrix_plot import matrix_plot
from webbench.core.report.paper.number_tables import csv_text, latex_table
from webbench.core.report.paper.picture_plot import picture_plot
from webbench.core.report.paper.plot_style import plotting, saved_with_fonts
from webbench.core.text.nearest import suggestion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None, "ModDate": None},
    "png": {},
}
"""With what keeps the time out of each, so that the same numbers give the same bytes."""


def formats_of(text: str) -> tuple[str, ...]:
    """ "svg,pdf" as names. Raises `UsageError` for another format."""
    found = tuple(dict.fromkeys(one.strip().lower() for one in text.split(",") if one.strip()))
    for one in found:
        if one not in FORMATS:
            raise UsageError(f'Figures are not written as "{one}"', suggestion(one, list(FORMATS)))
    return found or tuple(FORMATS)


class Written(msgspec.Struct, frozen=True):
    """A folder of figures: its files, and the figures with what could not be drawn of them."""

    files: tuple[Path, ...]
    figures: tuple[PaperFigure, ...]


def write_figures(
    folder: Path,
    figures: Sequence[PaperFigure],
    formats: Sequence[str] = tuple(FORMATS),
    *,
    force: bool = False,
) -> Written:
    """A folder of figures, each `<name>.svg`, `.pdf`, `.png`, `.csv`, `.tex`.

    Raises as `appearing`, and `UsageError` without matplotlib.
    """
    with plotting(), appearing(folder, force=force) as made:
        made.mkdir()
        written = tuple(write_figure(made, figure, formats) for figure in figures)
    return Written(tuple(sorted(folder.expanduser().iterdir())), written)


def write_figure(folder: Path, figure: PaperFigure, formats: Sequence[str]) -> PaperFigure:
    """The files of one figure; it with what could not be drawn. Call it within `plotting`.

    Without a plot it has its numbers alone, if any.
    """
    if not figure.table.columns:
        return figure
    if figure.plot is not None:
        drawn = drawing_of(figure.plot)

        def save() -> None:
            for one in formats:
                path = folder / f"{figure.name}.{one}"
                drawn.savefig(path, format=one, metadata=FORMATS[one], bbox_inches="tight", pad_inches=0.04)

        figure = msgspec.structs.replace(figure, undrawn=saved_with_fonts(drawn, save))
    (folder / f"{figure.name}.csv").write_text(csv_text(figure.table), "utf-8")
    (folder / f"{figure.name}.tex").write_text(latex_table(figure), "utf-8")
    return figure


def drawing_of(plot: Plot) -> Figure:
    """Draw it; call it within `plotting`. Raises `BadData` for a screenshot that can't be read."""
    match plot:
        case Intervals():
            return interval_plot(plot)
        case Matrices():
            return matrix_plot(plot)
        case Scatters():
            return scatter_plot(plot)
        case Curves():
            return curve_plot(plot)
        case Histogram():
            return histogram_plot(plot)
        case Growth():
            return growth_plot(plot)
        case Flowing():
            return flow_plot(plot)
        case MarkedPicture():
            return picture_plot(plot)
