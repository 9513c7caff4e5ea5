"""Confusion of raters: the codes of each two crossed, question by question, as they gave them."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.analysis.agreement.annotator_agreement import confusions
from webbench.core.analysis.agreement.rated_items import finished
from webbench.core.analysis.paper.paper_figure import Cell, Matrices, Matrix, PaperFigure, no_figure
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import Book
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.statistics.figures import Column, Row, Table, cell_text
from webbench.core.statistics.inter_rater import ConfusionMatrix
from webbench.core.text.plural import counted

MOST_MATRICES = 6
TITLE = "Confusion of raters"
COLUMNS = (
    *(Column("question", "text"), Column("unit", "text"), Column("first rater", "text")),
    *(Column("second rater", "text"), Column("first's code", "text"), Column("second's code", "text")),
    Column("items"),
)
PRINTED = (
    *(Column("question", "text"), Column("unit", "text"), Column("first rater", "text")),
    *(Column("second rater", "text"), Column("items"), Column("percent"), Column("kappa")),
)


def confusion_figures(
    runs: Sequence[RecordedRun], book: Book, codebook: Codebook, *, seed: int = 0
) -> list[PaperFigure]:
    """One for each taxonomy by which two raters have finished an episode."""
    last = {(one.run, one.episode): one.steps for run in runs for one in run.episodes}
    named = dict.fromkeys(label.taxonomy for label in book.labels if (label.run, label.episode) in last)
    made = [
        _figure(book, codebook.taxonomies[name], last, seed) for name in named if name in codebook.taxonomies
    ]
    found = [one for one in made if one is not None]
    return found or [no_figure("raters", TITLE, "no two raters are done with the same episode")]


def _figure(
    book: Book, taxonomy: Taxonomy, last: dict[tuple[str, str], int], seed: int
) -> PaperFigure | None:
    matrices: list[tuple[str, str, ConfusionMatrix]] = [
        (question.name, unit, pair)
        for question in taxonomy.questions
        for unit in question.places
        for pair in confusions(book, taxonomy, question.name, last, unit=unit, seed=seed)
        if pair.n
    ]
    if not matrices:
        return None
    rows = tuple(
        Row((question, unit, pair.first, pair.second, row, column, pair.counts[at][beside]))
        for question, unit, pair in matrices
        for at, row in enumerate(pair.codes)
        for beside, column in enumerate(pair.codes)
    )
    printed = tuple(
        Row((question, unit, pair.first, pair.second, pair.n, pair.percent, pair.kappa))
        for question, unit, pair in matrices
    )
    shown = sorted(matrices, key=lambda one: -one[2].n)[:MOST_MATRICES]
    more = len(matrices) - len(shown)
    rest = f" Of {len(matrices)} matrices those with most items are drawn." if more else ""
    return PaperFigure(
        name=f"raters-{taxonomy.name}",
        title=f"{TITLE}: {taxonomy.title}",
        caption="Items that both raters have finished and one of them labelled, by the code that each gave; "
        f"darker is a larger share of the row.{rest} Labels are as raters gave them, before any was settled.",
        plot=Matrices(matrices=tuple(_drawn(*one) for one in shown), key="darker: a larger share of the row"),
        table=Table(title=TITLE, columns=COLUMNS, rows=rows),
        printed=Table(title=TITLE, columns=PRINTED, rows=printed),
        left_out={
            "episodes that no two raters are done with": finished(book, taxonomy, last).waiting,
            "matrices that stand in the table alone": more,
        },
    )


def _drawn(question: str, unit: str, pair: ConfusionMatrix) -> Matrix:
    """Codes that neither gave are left out of the drawing."""
    used = [at for at, row in enumerate(pair.counts) if sum(row) or any(one[at] for one in pair.counts)]
    codes = tuple(pair.codes[at] for at in used)
    rows = [pair.counts[at] for at in used]
    return Matrix(
        title=f"{question}, {counted(pair.n, unit)}, kappa {cell_text(pair.kappa)}",
        rows=codes,
        columns=codes,
        cells=tuple(tuple(Cell(row[at] / (sum(row) or 1), str(row[at])) for at in used) for row in rows),
        down=pair.first,
        across=pair.second,
    )
