"""The section of an analysis that tells agreement: all figures of it as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from webbench.core.analysis.agreement.annotator_agreement import Agreement, CodeAgreement, agreement
from webbench.core.analysis.agreement.rated_items import NO_CODE
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import Book
from webbench.core.statistics.bootstrap import RESAMPLES
from webbench.core.statistics.estimates import LEVEL
from webbench.core.statistics.figures import Cell, Column, Figure, Row, Section, Table
from webbench.core.statistics.inter_rater import ConfusionMatrix
from webbench.core.text.plural import counted

ABOUT = (
    "Labels as raters gave them, before anybody settled a disagreement, in episodes that two or more are "
    "done with. An item is a place that one of them labelled; whoever passed it by said "
    f'"{NO_CODE}". Places that nobody labelled are left out, and counted as such. {100 * LEVEL:.0f} % '
    f"intervals: percentile bootstrap over items, {RESAMPLES:,} resamples, steps drawn by episode; none "
    "where all agree or labels are too few. Behind rows of the first table are the episodes in which raters "
    "differ."
)
WHOLE = "(which)"
CODES = (
    Column("question", "text"),
    Column("code", "text"),
    Column("unit", "text", optional=True),
    Column("n"),
    Column("unlabelled", optional=True),
    Column("no rank", optional=True),
    Column("percent", optional=True),
    Column("kappa", optional=True),
    Column("alpha"),
    Column("level", "text", optional=True),
)
CODES_NOTE = (
    f"{WHOLE}: the question as a whole. n: items used; unlabelled: places of the same episodes that nobody "
    "labelled; no rank: items with fewer than two answers on an ordered question's scale. percent: agreeing "
    "pairs of raters; kappa: Cohen's, of two raters, with quadratic weights where codes are ordered; alpha: "
    "Krippendorff's."
)
STEPS = (
    Column("question", "text"),
    Column("code", "text"),
    Column("labels"),
    Column("episodes"),
    Column("same step"),
    Column("nearby"),
    Column("segments", optional=True),
)
PAIRS = (
    Column("question", "text"),
    Column("code", "text"),
    Column("unit", "text", optional=True),
    Column("raters", "text"),
    Column("n"),
    Column("both", optional=True),
    Column("only 1st", optional=True),
    Column("only 2nd", optional=True),
    Column("neither", optional=True),
    Column("percent", optional=True),
    Column("kappa"),
)
PAIRS_NOTE = (
    "Items that one of the two labelled. Of a code: both gave it, only the first or the second, neither "
    "(another code then). Kappa of an ordered question is over what both ranked, with quadratic weights."
)


def runs_agreement_section(
    runs: Mapping[str, RecordedRun], book: Book, codebook: Codebook, *, seed: int = 0
) -> Section | None:
    """Agreement in every taxonomy used in these runs; None where nobody labelled an episode twice."""
    last = {(one.run, one.episode): one.steps for run in runs.values() for one in run.episodes}
    used = dict.fromkeys(one.taxonomy for one in book.labels if (one.run, one.episode) in last)
    known = [codebook.taxonomies[name] for name in used if name in codebook.taxonomies]
    return agreement_section([agreement(book, one, last, seed=seed) for one in known])


def agreement_section(found: Sequence[Agreement]) -> Section | None:
    """None where there is nothing to compare."""
    figures = [figure for one in found if one.codes for figure in _figures(one)]
    if not figures:
        return None
    return Section(name="agreement", title="How far raters agree", about=ABOUT, figures=tuple(figures))


def _figures(found: Agreement) -> Iterator[Figure]:
    waiting = f" {counted(found.waiting, 'episode')} waiting for a second rater." if found.waiting else ""
    yield Table(
        title=f"Agreement of {counted(len(found.raters), 'rater')} on {found.title}",
        columns=CODES,
        rows=tuple(_code_row(one) for one in found.codes),
        note=f"{', '.join(found.raters)}; {counted(found.episodes, 'episode')}.{waiting} {CODES_NOTE}",
    )
    if found.located:
        yield _located(found)
    rows = [_pair_row(one, pair) for one in found.codes for pair in one.pairs]
    if rows:
        yield Table(
            title=f"Pairs of raters on {found.title}", columns=PAIRS, rows=tuple(rows), note=PAIRS_NOTE
        )
    for one in found.codes:
        if not one.code:
            yield from (_matrix(one, pair) for pair in one.pairs)


def _code_row(one: CodeAgreement) -> Row:
    return Row(
        (
            *(one.question, one.code or WHOLE, one.unit, one.items, one.unlabelled, one.unranked),
            *(one.percent, one.kappa, one.alpha, one.level),
        ),
        one.differing,
    )


def _located(found: Agreement) -> Table:
    tolerance = found.located[0].tolerance
    return Table(
        title=f"Steps of {found.title}: near misses and segments",
        columns=STEPS,
        rows=tuple(
            Row(
                (
                    *(one.question, one.code or "(any)", sum(one.labels.values()), one.episodes),
                    *(one.exact, one.near, one.segments),
                )
            )
            for one in found.located
        ),
        note=(
            "same step: positive specific agreement (F1) of labels with the same code at the same step; "
            f"nearby: at most {counted(tolerance, 'step')} apart, each with one of the other's. segments: "
            "boundary similarity (Fournier 2013) of where labels begin and end, boundaries up to "
            f"{tolerance} apart as near misses. Pairs of raters summed up, intervals over episodes; none of "
            "these takes chance off."
        ),
    )


def _pair_row(one: CodeAgreement, pair: ConfusionMatrix) -> Row:
    cells: tuple[Cell, ...] = (None, None, None, None)
    if one.code:
        (both, only_first), (only_second, neither) = pair.counts
        cells = (both, only_first, only_second, neither)
    who = f"{pair.first} × {pair.second}"
    return Row((one.question, one.code or WHOLE, one.unit, who, pair.n, *cells, pair.percent, pair.kappa))


def _matrix(one: CodeAgreement, pair: ConfusionMatrix) -> Table:
    used = [
        at
        for at in range(len(pair.codes))
        if sum(pair.counts[at]) or sum(counts[at] for counts in pair.counts)
    ]
    return Table(
        title=f"Confusion matrix: {one.question} ({one.unit}), {pair.first} × {pair.second}",
        columns=(Column(pair.first, "text"), *(Column(pair.codes[at]) for at in used)),
        rows=tuple(Row((pair.codes[row], *(pair.counts[row][column] for column in used))) for row in used),
        note=(
            f"rows: {pair.first}, columns: {pair.second}; {counted(pair.n, 'item')}; codes that neither gave "
            "are not shown"
        ),
    )
