"""Matrices drawn: shaded cells with their numbers, letters where there is no number; long ones in columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.core.analysis.paper.paper_figure import Cell, Matrices, Matrix
from webbench.core.report.paper.plot_style import SOFT, WIDTH, new_figure, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLOCK = 40
"""Rows that stand below each other; longer matrices go on in the next column."""
MOST_BLOCKS = 4
"""Columns of blocks; of still longer matrices rows get narrow and lose their names."""
CELL = 0.18
"""Inches of a row."""
SHADES = "Blues"
DARK = 0.55
"""Shade from which on the number is white."""


def matrix_plot(plot: Matrices) -> Figure:
    """All matrices; one alone with many rows in several columns."""
    if len(plot.matrices) == 1 and len(plot.matrices[0].rows) > BLOCK:
        return _in_blocks(plot.matrices[0], plot.key)
    across = min(2, len(plot.matrices))
    down = math.ceil(len(plot.matrices) / across)
    tallest = max(len(one.rows) for one in plot.matrices)
    figure = new_figure(down * (CELL * max(3, tallest) + 1.6) + 0.3)
    every = list(figure.subplots(down, across, squeeze=False).ravel())
    for axes, matrix in zip(every, plot.matrices, strict=False):
        _cells(axes, matrix.cells, len(matrix.columns), numbers=True)
        _names(axes, matrix.rows, 46 // across)
        axes.set_xticks(
            [at + 0.5 for at in range(len(matrix.columns))], [shown(one, 30) for one in matrix.columns]
        )
        axes.tick_params(axis="x", rotation=90 if len(matrix.columns) > 2 else 0, length=0, labelsize=7)
        axes.set_title(shown(matrix.title, 60), loc="left", fontsize=7)
        axes.set_xlabel(shown(matrix.across), fontsize=7)
        axes.set_ylabel(shown(matrix.down), fontsize=7)
    for axes in every[len(plot.matrices) :]:
        axes.set_axis_off()
    figure.supxlabel(shown(plot.key, 130), fontsize=7, color=SOFT)
    return figure


def _in_blocks(matrix: Matrix, key: str) -> Figure:
    """Columns are numbered, and their names stand below."""
    per = max(BLOCK, math.ceil(len(matrix.rows) / MOST_BLOCKS))
    count = math.ceil(len(matrix.rows) / per)
    named = per <= 2 * BLOCK
    figure = new_figure(min(8.5, (CELL if per == BLOCK else 0.1) * per + 0.6), width=WIDTH)
    every = list(figure.subplots(1, count, squeeze=False)[0])
    for at, axes in enumerate(every):
        part = slice(at * per, (at + 1) * per)
        _cells(axes, matrix.cells[part], len(matrix.columns), numbers=per == BLOCK, rows=per)
        if named:
            _names(axes, matrix.rows[part], 60 // count - 4, size=6 if per == BLOCK else 4)
        else:
            axes.set_yticks([])
            axes.set_ylabel(
                f"{matrix.down} {at * per + 1} to {min((at + 1) * per, len(matrix.rows))}", fontsize=7
            )
        axes.set_xticks(
            [place + 0.5 for place in range(len(matrix.columns))], range(1, len(matrix.columns) + 1)
        )
        axes.tick_params(axis="x", length=0, labelsize=7, top=False, labeltop=True, labelbottom=False)
    numbered = [f"{at} {shown(name, 40)}" for at, name in enumerate(matrix.columns, 1)]
    lines = ["   ".join(numbered[at : at + 3]) for at in range(0, len(numbered), 3)]
    figure.supxlabel("\n".join([*lines, shown(key, 130)]), fontsize=7, color=SOFT)
    return figure


def _names(axes: Axes, rows: Sequence[str], width: int, *, size: float = 7) -> None:
    axes.set_yticks([at + 0.5 for at in range(len(rows))], [shown(one, width) for one in rows])
    axes.tick_params(axis="y", length=0, labelsize=size, pad=2)


def _cells(
    axes: Axes, cells: Sequence[Sequence[Cell]], columns: int, *, numbers: bool, rows: int = 0
) -> None:
    """One rectangle each, so that they stay sharp at every size; `rows` keeps blocks equally high."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex
    from matplotlib.patches import Rectangle

    shades = colormaps[SHADES]
    for down, line in enumerate(cells):
        for across, cell in enumerate(line):
            hatch = "/////" if cell.shade is None and cell.text else ""
            inside = "white" if cell.shade is None else to_hex(shades(0.04 + 0.86 * cell.shade))
            edge = "#999999" if hatch else "white"
            axes.add_patch(
                Rectangle((across, down), 1, 1, facecolor=inside, edgecolor=edge, linewidth=0.4, hatch=hatch)
            )
            if numbers and cell.text:
                light = cell.shade is not None and cell.shade > DARK
                behind = {"facecolor": "white", "edgecolor": "none", "pad": 0.6} if hatch else None
                axes.text(
                    *(across + 0.5, down + 0.5, shown(cell.text, 8)),
                    color="white" if light else "black",
                    fontsize=6,
                    ha="center",
                    va="center",
                    bbox=behind,
                )
    axes.set_xlim(0, columns)
    axes.set_ylim(rows or len(cells), 0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
