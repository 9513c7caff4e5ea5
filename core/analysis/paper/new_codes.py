"""New codes by episode read: where the curve is flat, reading on brings nothing new."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.analysis.paper.paper_figure import Growth, PaperFigure, no_figure
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import Book
from webbench.core.labels.saturation import saturation
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.labels.visibility import sight
from webbench.core.statistics.figures import Column, Row, Table

TITLE = "Codes by episodes read"
COLUMNS = (
    *(Column("read"), Column("episode", "text"), Column("new codes"), Column("codes so far")),
    Column("which are new", "text"),
)


def saturation_figures(runs: Sequence[RecordedRun], book: Book, codebook: Codebook) -> list[PaperFigure]:
    """One for each taxonomy by which episodes of these runs are labelled."""
    own = {(one.run, one.episode) for run in runs for one in run.episodes}
    labels = [label for label in book.labels if (label.run, label.episode) in own]
    named = dict.fromkeys(label.taxonomy for label in sight(book, labels=labels).labels)
    used = [codebook.taxonomies[name] for name in named if name in codebook.taxonomies]
    found = [_figure(book, taxonomy, own) for taxonomy in used]
    return found or [no_figure("saturation", TITLE, "no episode of these runs has labels that may be shown")]


def _figure(book: Book, taxonomy: Taxonomy, own: set[tuple[str, str]]) -> PaperFigure:
    points = saturation(book, taxonomy, among=own)
    rows = tuple(
        Row((one.number, one.episode, len(one.new), one.total, ", ".join(one.new)), (one.episode,))
        for one in points
    )
    return PaperFigure(
        name=f"saturation-{taxonomy.name}",
        title=f"{TITLE}: {taxonomy.title}",
        caption=f"{len(points)} episodes in the order of their first label, whoever gave it. Bars: codes "
        "that no earlier episode has; line: codes found so far, as the codebook has them now (what was "
        "merged counts once).",
        plot=Growth(axis="episodes read", new=tuple(len(one.new) for one in points)),
        table=Table(title=TITLE, columns=COLUMNS, rows=rows),
        left_out={"episodes that nobody has read": len(own) - len(points)},
    )
