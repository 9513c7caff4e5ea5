"""Tables of an analysis as files: each as CSV in full and as a table for LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from webbench.core.exchange.atomic_output import appearing
from webbench.core.report.paper.number_tables import csv_text, latex_of
from webbench.core.statistics.figures import Figure, Table


def write_tables(folder: Path, figures: Sequence[Figure], *, force: bool = False) -> list[Path]:
    """A folder with `<number>-<title>.csv` and `.tex` of each table, in order; the files in it.

    Raises as `appearing`.
    """
    tables = [figure for figure in figures if isinstance(figure, Table)]
    with appearing(folder, force=force) as made:
        made.mkdir()
        for number, table in enumerate(tables, 1):
            name = f"{number:02}-{_slug(table.title)}"
            (made / f"{name}.csv").write_text(csv_text(table), "utf-8")
            caption = f"{table.title}. {table.note}"
            (made / f"{name}.tex").write_text(latex_of(table, caption, _slug(table.title)), "utf-8")
    return sorted(folder.expanduser().iterdir())


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:80]
