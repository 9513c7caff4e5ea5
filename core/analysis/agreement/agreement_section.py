"""The section of an analysis that tells agreement: all figures of it as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from webbench.core.analysis.agreement.annotator_agreement import Agreement, CodeAgreement, agreement
from webbench.core.analysis.agreement.rated_items import NO_CODE
from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.ledger import Book
from webbench.core.statistics.bootstrap import RESAMPLES
from webbench.core.statistics.estimates import LEVEL, Estimate
from webbench.core.statistics.figures import Cell, Column, Figure, Row, Section, Table
from webbench.core.statistics.inter_rater import ConfusionMatrix
from webbench.core.text.plural import counted

ABOUT = (
    "Raters' own labels, before anybody settled a disagreement. An item is a place that one labelled, "
    f'in an episode that two are done with; whoever passed it by said "{NO_CODE}". What nobody labelled is '
    f"left out. {100 * LEVEL:.0f} % intervals: percentile bootstrap over items (steps by episode), "
    f"{RESAMPLES:,} resamples; none where all agree or labels are too few. Behind a row are the "
    "episodes where raters differ."
)
WHOLE = "(which)"
CODES = (
    Column("question", "text"),
    Column("code", "text"),
    Column("unit", "text"),
    Column("n"),
    Column("percent", optional=True),
    Column("kappa", optional=True),
    Column("level", "text", optional=True),
    Column("unlabelled", optional=True),
    Column("no rank", optional=True),
    Column("to be read again", optional=True),
    Column("alpha"),
)
CODES_NOTE = (
    f"{WHOLE}: the question as a whole. unit: what an item is; any step: steps rolled up, so that an episode "
    "has a code if one of its steps has. n: items used; unlabelled: places of the same episodes that nobody "
    "labelled; no rank: items with fewer than two answers on an ordered question's scale; to be read again: "
    "a label of the code that was split into this one stands there, and in its episode all parts count as "
    "that code. percent: agreeing pairs of raters; kappa: Cohen's, of two raters, with quadratic weights "
    "where codes are ordered; alpha: Krippendorff's, its level nominal or ordinal."
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
    Column("unit", "text"),
    Column("raters", "text"),
    Column("n"),
    Column("percent", optional=True),
    Column("neither", optional=True),
    Column("only 2nd", optional=True),
    Column("only 1st", optional=True),
    Column("both", optional=True),
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
    columns, rows = _telling(CODES, [_code_row(one) for one in found.codes])
    yield Table(
        title=f"Agreement of {counted(len(found.raters), 'rater')} on {found.title}",
        columns=columns,
        rows=rows,
        note=f"{', '.join(found.raters)}; {counted(found.episodes, 'episode')}.{waiting} {CODES_NOTE}",
    )
    if found.located:
        yield _located(found)
    pairs = tuple(_pair_row(one, pair) for one in found.codes for pair in one.pairs)
    if pairs:
        yield Table(title=f"Pairs of raters on {found.title}", columns=PAIRS, rows=pairs, note=PAIRS_NOTE)
    for one in found.codes:
        if not one.code:
            yield from (_matrix(one, pair) for pair in one.pairs)


def _code_row(one: CodeAgreement) -> Row:
    return Row(
        (
            *(one.question, one.code or WHOLE, one.unit, one.items, one.percent, one.kappa, one.level),
            *(one.unlabelled, one.unranked, one.unread, one.alpha),
        ),
        one.differing,
    )


def _telling(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[tuple[Column, ...], tuple[Row, ...]]:
    """Without the kappa that more than two raters don't have, and without empty counts of what is out."""
    said = {
        at
        for at, column in enumerate(columns)
        if column.title not in ("kappa", "no rank", "to be read again")
        or any(_is_told(row.cells[at]) for row in rows)
    }
    kept = tuple(
        Row(tuple(cell for at, cell in enumerate(row.cells) if at in said), row.episodes) for row in rows
    )
    return tuple(column for at, column in enumerate(columns) if at in said), kept


def _is_told(cell: Cell) -> bool:
    return cell.value is not None if isinstance(cell, Estimate) else bool(cell)


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
        cells = (neither, only_second, only_first, both)
    who = f"{pair.first} × {pair.second}"
    return Row((one.question, one.code or WHOLE, one.unit, who, pair.n, pair.percent, *cells, pair.kappa))


def _matrix(one: CodeAgreement, pair: ConfusionMatrix) -> Table:
    used = [
        at
        for at in range(len(pair.codes))
        if sum(pair.counts[at]) or sum(counts[at] for counts in pair.counts)
    ]
    return Table(
        title=f"Confusion of {pair.first} × {pair.second}: {one.question} ({one.unit})",
        columns=(Column(pair.first, "text"), *(Column(pair.codes[at]) for at in used)),
        rows=tuple(Row((pair.codes[row], *(pair.counts[row][column] for column in used))) for row in used),
        note=(
            f"rows: {pair.first}, columns: {pair.second}; {counted(pair.n, 'item')}; codes that neither gave "
            "are not shown"
        ),
    )
