"""Aggregates over many turns: the records that the literature reports, its headline figures and its tables.

`records` averages rows; `averages_of` takes the scores of turns, as files of results have them; `figures` and
`BREAKDOWNS` take stepped demonstrations, whose scores hold a check for each turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter

import msgspec

from webbench.benchmarks.common.counted_scores import in_state
from webbench.benchmarks.weblinx.scoring.rules import PAPER, PUBLISHED, TurnMetrics, overall
from webbench.benchmarks.weblinx.turns.intents import (
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
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.aggregates import Attempt, Breakdown, Measured
from webbench.core.score.score import Check, Score, Status, every_check
from webbench.core.statistics.mean import mean

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

TURNS_LEFT = "turns_left"

_HEADLINES = {
    "overall": (OVERALL, OVERALL),
    "intent_match": (OVERALL, MATCH),
    "element_group": (ELEMENT_GROUP, "iou"),
    "text_group": (TEXT_GROUP, "chrf-urlf"),
}
"""Figure: intent and metric of its record."""

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
    return Record(intent=intent, metric=metric, score=mean(values), unconditional_score=mean(filled))


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


def row_of_score(intent: str, score: Score, rules: str) -> Row | None:
    """What a turn gives to the averages; None for one that is in none: an error, a dropped turn, and, as
    published, an intent without averages.
    """
    metrics = score.metrics
    if metrics.get(MATCH) is None or (rules == PUBLISHED and intent not in REPORTED):
        return None
    return Row(
        ref_intent=intent,
        exact_match=metrics[EXACT],
        intent_match=metrics[MATCH],
        chrf=metrics["chrf"],
        iou=metrics["iou"],
        urlf=metrics["urlf"],
    )


class Averages(msgspec.Struct, frozen=True):
    """The averages over some turns.

    Attributes:
        found: as published or by the paper; empty without turns.
        turns: how many are behind them.
        left_out, errors: how many are not: dropped or without an average, and those that can't be scored.
    """

    found: Sequence[Record]
    turns: int
    left_out: int
    errors: int

    def records(self) -> list[JsonObject]:
        """As plain objects."""
        plain: list[JsonObject] = msgspec.to_builtins(self.found)
        return plain

    def headline(self) -> dict[str, Json]:
        """The four figures of the literature, and how many turns are behind them.

        Each figure counts turns of another intent as 0; "..._conditional" leaves them out.
        """
        by_name = {(one.intent, one.metric): one for one in self.found}
        nothing = Record(intent="", metric="", score=None, unconditional_score=None)
        figures: dict[str, Json] = {}
        for name, key in _HEADLINES.items():
            record = by_name.get(key, nothing)
            figures[name] = record.unconditional_score
            if name != "intent_match":
                figures[f"{name}_conditional"] = record.score
        return figures | {"turns": self.turns, "left_out": self.left_out, "errors": self.errors}


def averages_of(scores: Sequence[tuple[str, Score]], rules: str) -> Averages:
    """The averages of turns given as (reference intent, score under `rules`)."""
    rows = [row for one in scores if (row := row_of_score(*one, rules)) is not None]
    errors = in_state((score for _, score in scores), Status.ERROR)
    found = records(rows, rules) if rows else []
    return Averages(found, len(rows), len(scores) - len(rows) - errors, errors)


def figures(attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    """The four figures over all predicted turns, and where there are several splits, over those of each.

    A demonstration that is in two splits counts in both. `turns_left` tells how many turns nobody predicted,
    because an episode ended before.
    """
    found = _figures_together(attempts, rules)
    splits = list(dict.fromkeys(split for attempt in attempts for split in splits_of_attempt(attempt)))
    if len(splits) > 1:
        for split in splits:
            inside = [attempt for attempt in attempts if split in splits_of_attempt(attempt)]
            found |= {f"{split} {name}": value for name, value in _figures_together(inside, rules).items()}
    return found


def splits_of_attempt(attempt: Attempt) -> Sequence[str]:
    """All that its demonstration is in."""
    listed = attempt.task.data.get("splits")
    return listed if isinstance(listed, list) else [attempt.task.split]


def _figures_together(attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    scores = [attempt.under(rules) for attempt in attempts]
    turns = [check for score in scores for check in score.checks]
    rows = [row for turn in turns if (row := row_of_turn(turn, rules)) is not None]
    errors = sum(turn.status is Status.ERROR for turn in turns)
    averages = Averages(
        records(rows, rules) if rows else [], len(rows), len(turns) - len(rows) - errors, errors
    )
    left = sum(int(score.metrics.get(TURNS_LEFT) or 0) for score in scores)
    return averages.headline() | {TURNS_LEFT: left}


def row_of_turn(turn: Check, rules: str) -> Row | None:
    """What a turn's check gives to the averages; None for a turn that is in none of them."""
    values = {check.name: check.value for check in every_check(turn.checks)}
    if values.get("intent match") is None or (rules == PUBLISHED and turn.name not in REPORTED):
        return None
    return Row(
        ref_intent=turn.name,
        exact_match=values.get("exact match"),
        intent_match=values["intent match"],
        chrf=values.get("chrF"),
        iou=values.get("IoU"),
        urlf=values.get("URL-F"),
    )


def by_intent(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """Every metric of every predicted turn, under the intent of its reference."""
    for turn in attempt.under(rules).checks:
        row = row_of_turn(turn, rules)
        if row is None:
            continue
        metrics = {
            "intent match": row.intent_match,
            "exact match": row.exact_match,
            "IoU": row.iou,
            "chrF": row.chrf,
            "URL-F": row.urlf,
        }
        for metric, value in metrics.items():
            if value is not None:
                yield Measured(row.ref_intent, value, metric)


def by_split(attempt: Attempt, rules: str) -> Iterator[Measured]:
    """Turn scores and intent matches; a demonstration that is in two splits counts in both."""
    for turn in attempt.under(rules).checks:
        row = row_of_turn(turn, rules)
        for split in splits_of_attempt(attempt) if row is not None else ():
            if turn.counted and turn.status is Status.SCORED and turn.value is not None:
                yield Measured(split, turn.value, "turn score")
            if row is not None and row.intent_match is not None:
                yield Measured(split, row.intent_match, "intent match")


BREAKDOWNS = (
    Breakdown(name="split", source="WebLINX, results per split", measures=by_split),
    Breakdown(name="intent", source="WebLINX, results per intent", measures=by_intent),
)
