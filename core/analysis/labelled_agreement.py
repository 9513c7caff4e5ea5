"""How far those agree who labelled the episodes of an analysis."""

from __future__ import annotations

from collections.abc import Mapping

from webbench.core.analysis.figures import Column, Row, Table
from webbench.core.analysis.recorded import RecordedRun
from webbench.core.labels.agreeing import CodeAgreement, agreement
from webbench.core.labels.ledger import Book
from webbench.core.labels.taxonomy import Taxonomy

COLUMNS = (
    Column("question", "text"),
    Column("label", "text"),
    Column("of", "text", optional=True),
    Column("items"),
    Column("percent"),
    Column("kappa", optional=True),
    Column("alpha"),
)
NOTE = (
    "Items that two or more annotators have finished; intervals by bootstrap over episodes. Kappa is "
    "Cohen's and needs two annotators (of episodes with its large-sample interval), alpha is Krippendorff's, "
    "nominal; where all agree, or labels are too few, there is no interval. Rows without a label "
    "are of the whole question."
)


def agreement_table(
    runs: Mapping[str, RecordedRun], book: Book, taxonomy: Taxonomy, *, seed: int = 0
) -> Table | None:
    """Percent, kappa and alpha of every question and label; None where nobody labelled an episode twice."""
    last = {(one.run, one.episode): one.steps for run in runs.values() for one in run.episodes}
    found = agreement(book, taxonomy, last, seed=seed)
    if not found.episodes:
        return None
    return Table(
        title=f"Agreement of {len(found.annotators)} annotators on {taxonomy.title}",
        columns=COLUMNS,
        rows=tuple(_row(code) for code in found.codes if code.code == "" or any(code.given.values())),
        note=NOTE,
    )


def _row(code: CodeAgreement) -> Row:
    return Row(
        (code.question, code.code, code.place, code.items, code.percent, code.kappa, code.alpha),
    )
