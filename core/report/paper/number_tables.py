"""The numbers of a figure for programs and for papers: CSV in full, LaTeX with booktabs as people read it."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from webbench.core.analysis.paper.paper_figure import PaperFigure
from webbench.core.exchange.atomic_output import appearing
from webbench.core.exchange.own.table_exporter import neutralised
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.figures import Cell, Column, Figure, Table, cell_text
from webbench.core.text.latex import latex, latex_row
from webbench.core.text.plain_text import plain_clip, plain_text

LONG = 40
"""Rows of a table that still stands on one page."""
WIDEST = 60
"""Cells of the longest text in a table for LaTeX; the CSV has it whole."""
PACKAGES = "% needs \\usepackage{booktabs}, and longtable for tables of more than a page\n"


def csv_text(table: Table) -> str:
    """Every row in full: an estimate takes columns for its ends and its n, and what isn't known is empty."""
    columns = list(_columns(table))
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([name for name, _ in columns])
    for row in table.rows:
        writer.writerow([_csv_cell(row.cells[at], part) for at, part in _parts(table)])
    return written.getvalue()


def _parts(table: Table) -> Iterator[tuple[int, str]]:
    """Place of each column of the CSV in a row, and which part of an estimate it is."""
    for at in range(len(table.columns)):
        yield at, ""
        if any(isinstance(row.cells[at], Estimate) for row in table.rows):
            yield from ((at, part) for part in ("low", "high", "n"))


def _columns(table: Table) -> Iterator[tuple[str, int]]:
    for at, part in _parts(table):
        name = table.columns[at].title.replace(" ", "_") or "name"
        yield (f"{name}_{part}" if part else name), at


def _csv_cell(cell: Cell, part: str) -> str | int | float | None:
    if isinstance(cell, Estimate):
        found: float | int | None = getattr(cell, part or "value")
        return found
    if part:
        return None
    return neutralised(plain_text(cell)) if isinstance(cell, str) else cell


def latex_table(figure: PaperFigure) -> str:
    """The table of a figure with its caption and its label, to be read in by `\\input`."""
    return latex_of(figure.printed or figure.table, figure.whole_caption, figure.name)


def latex_of(table: Table, caption: str, label: str) -> str:
    """A table that is referred to as `tab:<label>`."""
    kinds = "".join("l" if column.kind == "text" else "r" for column in table.columns)
    head = latex_row(latex(column.title) for column in table.columns)
    rows = [_latex_row(row.cells, table.columns) for row in table.rows]
    caption = rf"\caption{{{latex(caption)}}}\label{{tab:{label}}}"
    if len(rows) > LONG:
        parts = [
            rf"\begin{{longtable}}{{{kinds}}}",
            caption + r" \\",
            *(r"\toprule", head, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"),
            *rows,
            r"\end{longtable}",
        ]
    else:
        parts = [
            *(r"\begin{table}", r"\centering", caption, rf"\begin{{tabular}}{{{kinds}}}"),
            *(r"\toprule", head, r"\midrule", *rows, r"\bottomrule"),
            *(r"\end{tabular}", r"\end{table}"),
        ]
    return PACKAGES + "\n".join(parts) + "\n"


def _latex_row(cells: tuple[Cell, ...], columns: tuple[Column, ...]) -> str:
    told = (
        latex(plain_clip(cell_text(cell, column.kind), WIDEST))
        for cell, column in zip(cells, columns, strict=True)
    )
    return latex_row(told)


def write_tables(folder: Path, figures: Sequence[Figure], *, force: bool = False) -> list[Path]:
    """A folder with `<number>-<title>.csv` and `.tex` of each table, in order; the files in it.

    A title's second table is referred to as `tab:<title>:2`.

    Raises as `appearing`.
    """
    tables = [figure for figure in figures if isinstance(figure, Table)]
    slugs: Counter[str] = Counter()
    with appearing(folder, force=force) as made:
        made.mkdir()
        for number, table in enumerate(tables, 1):
            slug = _slug(table.title)
            slugs[slug] += 1
            label = slug if slugs[slug] == 1 else f"{slug}:{slugs[slug]}"
            name = f"{number:02}-{slug}"
            (made / f"{name}.csv").write_text(csv_text(table), "utf-8")
            caption = f"{table.title}. {table.note}"
            (made / f"{name}.tex").write_text(latex_of(table, caption, label), "utf-8")
    return sorted(folder.expanduser().iterdir())


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:80]
