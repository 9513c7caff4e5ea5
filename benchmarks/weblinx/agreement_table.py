"""The agreement of annotators who predicted the same demonstrations, as a table (paper, appendix C.6).

By intent of what an annotator did, and over all: intent match, IoU of elements, chrF and URL-F of texts, and
the overall score, each against the nearest of the others. The columns are those of the paper's tables of
results; that table 20 has the same ones rests on our notes of the paper, whose figures we don't have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from webbench.benchmarks.weblinx.action import TurnAction
from webbench.benchmarks.weblinx.agreement import Agreement, agreements
from webbench.benchmarks.weblinx.evidence import predicted_action_of
from webbench.benchmarks.weblinx.rules import TurnMetrics
from webbench.core.analysis.figures import Column, Row, Table
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject

Turn = tuple[str, int]
"""A demonstration and the number of a turn."""

METRICS: dict[str, Callable[[TurnMetrics], float | None]] = {
    "intent match": lambda metrics: metrics.intent_match,
    "IoU": lambda metrics: metrics.iou,
    "chrF": lambda metrics: metrics.chrf,
    "URL-F": lambda metrics: metrics.urlf,
    "overall": lambda metrics: metrics.unconditional,
}
ALL = "all"


def agreement_table(evidence: Mapping[str, Sequence[JsonObject]], rules: str) -> Table | None:
    """Of each annotator's episodes; None where no turn was done by two. Raises `BadData` for bad evidence."""
    annotations: dict[Turn, dict[str, TurnAction]] = {}
    for annotator, episodes in evidence.items():
        for episode in episodes:
            for turn, action in _turns(episode, rules):
                annotations.setdefault(turn, {})[annotator] = action
    found = agreements(annotations, rules)
    if not found:
        return None
    groups: dict[str, list[Agreement[Turn]]] = {}
    for one in found:
        groups.setdefault(annotations[one.turn][one.annotator].intent or "none", []).append(one)
    rows = [_row(intent, groups[intent]) for intent in sorted(groups)]
    rows.append(_row(ALL, found))
    rows += [
        _row(f"by {annotator}", [one for one in found if one.annotator == annotator])
        for annotator in dict.fromkeys(one.annotator for one in found)
    ]
    turns = len({one.turn for one in found})
    return Table(
        title="WebLINX agreement score (appendix C.6)",
        columns=(Column("intent", "text"), Column("n"), *map(Column, METRICS)),
        rows=tuple(rows),
        note=f"rules {rules}, {turns} turns done by several; n counts annotations. That these are the "
        "columns of table 20 rests on notes of the paper",
    )


def _row(title: str, found: Sequence[Agreement[Turn]]) -> Row:
    return Row((title, len(found), *(_mean(found, metric) for metric in METRICS.values())))


def _mean(found: Sequence[Agreement[Turn]], metric: Callable[[TurnMetrics], float | None]) -> float | None:
    """Over the annotations that have it; an IoU of boxes without end is none."""
    values = [metric(one.metrics) for one in found]
    known = [value for value in values if value is not None and not math.isnan(value)]
    return fmean(known) if known else None


def _turns(evidence: JsonObject, rules: str) -> list[tuple[Turn, TurnAction]]:
    turns, name = evidence.get("turns"), evidence.get("demonstration")
    if not isinstance(turns, list) or not isinstance(name, str):
        raise BadData("the evidence of a demonstration lacks its turns, or its name")
    found = []
    for turn in turns:
        index = turn.get("turn") if isinstance(turn, dict) else None
        if not isinstance(index, int):
            raise BadData(f"a turn of the demonstration {name} has no number")
        found.append(((name, index), predicted_action_of(turn, rules)))
    return found
