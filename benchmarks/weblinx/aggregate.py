"""Averages over many turns: the records that the literature reports."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from statistics import fmean

import msgspec

from webbench.benchmarks.weblinx.intents import (
    CHANGE,
    CLICK,
    LOAD,
    PAPER_ELEMENT_GROUP,
    PAPER_TEXT_GROUP,
    SAY,
    SCROLL,
    SUBMIT,
    TEXT_INPUT,
)
from webbench.benchmarks.weblinx.rules import PAPER, PUBLISHED, TurnMetrics, overall
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject

OVERALL, ELEMENT_GROUP, TEXT_GROUP = "overall", "element-group", "text-group"
EXACT, MATCH = "exact-match", "intent-match"

REPORTED = {
    CHANGE: (EXACT, MATCH, "iou"),
    CLICK: (EXACT, MATCH, "iou"),
    LOAD: (EXACT, MATCH, "urlf"),
    SAY: (EXACT, MATCH, "chrf"),
    SCROLL: (EXACT, MATCH),
    SUBMIT: (EXACT, MATCH, "iou"),
    TEXT_INPUT: (EXACT, MATCH, "chrf", "iou"),
}
"""By reference intent: the metrics that have a record. Other intents have none."""

_DECIMALS = 100
"""Published values are kept to two decimals before any average is taken."""


class Row(
    msgspec.Struct, frozen=True, kw_only=True, gc=False, rename={"exact_match": EXACT, "intent_match": MATCH}
):
    """One scored turn, as result files keep it; None = the metric doesn't exist there."""

    ref_intent: str
    exact_match: float | None = None
    intent_match: float | None = None
    chrf: float | None = None
    iou: float | None = None
    urlf: float | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One average.

    Attributes:
        intent: of the reference, or "overall", "element-group", "text-group".
        score: over the turns on which the metric exists; None without any.
        unconditional_score: the same with 0 for every turn whose intent differs.
    """

    intent: str
    metric: str
    score: float | None
    unconditional_score: float | None


def row_of(wanted: str, metrics: TurnMetrics) -> Row:
    return Row(
        ref_intent=wanted,
        exact_match=metrics.exact_match,
        intent_match=metrics.intent_match,
        chrf=metrics.chrf,
        iou=metrics.iou,
        urlf=metrics.urlf,
    )


def rows_of(data: Iterable[JsonObject]) -> list[Row]:
    """Rows from their JSON form. Raises `BadData` naming what has another shape."""
    try:
        return msgspec.convert(list(data), list[Row])
    except msgspec.ValidationError as error:
        raise BadData(f"a scored turn has another shape: {error}") from error


def records(rows: Sequence[Row], rules: str = PUBLISHED) -> list[Record]:
    """Per reference intent in order of first appearance, then over all turns and over the two groups.

    Published: values are rounded to two decimals first; a turn whose intent differs counts 0 in *both*
    groups; overall is over every turn that has a metric. Paper: nothing is rounded, groups are of the
    reference's intents, and overall is over the turns of the two groups.

    Raises `BadData` without rows and, as published, for an intent without records (hover, copy, tabs, ...).
    """
    if not rows:
        raise BadData("there are no turns to average")
    rows = list(rows) if rules == PAPER else [_rounded(row) for row in rows]
    by_intent: dict[str, list[Row]] = {}
    for row in rows:
        by_intent.setdefault(row.ref_intent, []).append(row)
    found = [
        _record(intent, metric, group, _VALUES[metric])
        for intent, group in by_intent.items()
        for metric in (_reported_by_paper(intent) if rules == PAPER else _reported(intent))
    ]
    return found + (_paper_groups(rows) if rules == PAPER else _published_groups(rows))


def _reported(intent: str) -> tuple[str, ...]:
    try:
        return REPORTED[intent]
    except KeyError:
        known = ", ".join(REPORTED)
        raise BadData(f'turns of intent "{intent}" have no averages: there are those of {known}') from None


def _reported_by_paper(intent: str) -> tuple[str, ...]:
    metrics = REPORTED.get(intent, ())
    in_group = intent in PAPER_ELEMENT_GROUP | PAPER_TEXT_GROUP
    return metrics if in_group else (EXACT, MATCH)


def _published_groups(rows: Sequence[Row]) -> list[Record]:
    return [
        _record(OVERALL, OVERALL, rows, _overall),
        _record(OVERALL, MATCH, rows, _VALUES[MATCH]),
        _record(ELEMENT_GROUP, "iou", rows, _VALUES["iou"]),
        _record(TEXT_GROUP, "chrf-urlf", rows, _larger_text),
    ]


def _paper_groups(rows: Sequence[Row]) -> list[Record]:
    elements = [row for row in rows if row.ref_intent in PAPER_ELEMENT_GROUP]
    texts = [row for row in rows if row.ref_intent in PAPER_TEXT_GROUP]
    either = [row for row in rows if row.ref_intent in PAPER_ELEMENT_GROUP | PAPER_TEXT_GROUP]
    return [
        _record(OVERALL, OVERALL, either, _overall),
        _record(OVERALL, MATCH, rows, _VALUES[MATCH]),
        _record(ELEMENT_GROUP, "iou", elements, _VALUES["iou"]),
        _record(TEXT_GROUP, "chrf-urlf", texts, _text),
    ]


_Value = Callable[[Row], "float | None"]


def _record(intent: str, metric: str, rows: Sequence[Row], value: _Value) -> Record:
    values = list(map(value, rows))
    filled = [0.0 if row.intent_match == 0 else found for row, found in zip(rows, values, strict=True)]
    return Record(intent=intent, metric=metric, score=_mean(values), unconditional_score=_mean(filled))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _overall(row: Row) -> float | None:
    return overall(iou=row.iou, chrf=row.chrf, urlf=row.urlf)


def _larger_text(row: Row) -> float | None:
    """For `load` the larger of chrF and URL-F."""
    if row.urlf is None:
        return row.chrf
    return row.urlf if row.chrf is None else max(row.chrf, row.urlf)


def _text(row: Row) -> float | None:
    """URL-F where it exists, else chrF."""
    return row.chrf if row.urlf is None else row.urlf


_VALUES: dict[str, _Value] = {
    EXACT: attrgetter("exact_match"),
    MATCH: attrgetter("intent_match"),
    "chrf": attrgetter("chrf"),
    "iou": attrgetter("iou"),
    "urlf": attrgetter("urlf"),
}


def _rounded(row: Row) -> Row:
    return Row(
        ref_intent=row.ref_intent,
        exact_match=_two_decimals(row.exact_match),
        intent_match=_two_decimals(row.intent_match),
        chrf=_two_decimals(row.chrf),
        iou=_two_decimals(row.iou),
        urlf=_two_decimals(row.urlf),
    )


def _two_decimals(value: float | None) -> float | None:
    """Half to even after scaling, as array libraries round; what is not a number counts as missing."""
    if value is None or math.isnan(value):
        return None
    return round(value * _DECIMALS) / _DECIMALS if math.isfinite(value) else value
