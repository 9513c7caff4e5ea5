"""Naming the clause at every comparison that two rule sets value differently."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from webbench.benchmarks.webarena.rules import (
    BOTH_CLAUSE,
    EXACT_CLAUSE,
    INCLUDE_CLAUSE,
    PAPER,
    PUBLISHED,
    TAB_CLAUSE,
    UNACHIEVABLE_CLAUSE,
    URL_CLAUSE,
    VERDICT_CLAUSE,
)
from webbench.core.score import Check, Score

_CLAUSES = {
    "exact_match": EXACT_CLAUSE,
    "must_include": INCLUDE_CLAUSE,
    "fuzzy_match": VERDICT_CLAUSE,
    "unachievable_match": VERDICT_CLAUSE,
    "url_match": URL_CLAUSE,
}


def with_clauses(scores: Mapping[str, Score]) -> dict[str, Score]:
    """Both scores with the clauses of their differing checks named."""
    pairs = zip(scores[PUBLISHED].checks, scores[PAPER].checks, strict=False)
    marked = [_marked(one, other) for one, other in pairs]
    return {
        PUBLISHED: msgspec.structs.replace(scores[PUBLISHED], checks=tuple(one for one, _ in marked)),
        PAPER: msgspec.structs.replace(scores[PAPER], checks=tuple(other for _, other in marked)),
    }


def with_tab_clause(published: Score, other: Score) -> Score:
    """The score under `libwebarena` with its clause named where it parts from the published one."""
    pairs = zip(published.checks, other.checks, strict=False)
    checks = tuple(
        theirs if ours == theirs else msgspec.structs.replace(theirs, clause=TAB_CLAUSE)
        for ours, theirs in pairs
    )
    return msgspec.structs.replace(other, checks=checks)


def _marked(one: Check, other: Check) -> tuple[Check, Check]:
    """The same check under both rule sets, down to where they part."""
    if one.status is other.status and one.value == other.value and one.counted == other.counted:
        return one, other
    names = [check.name for check in one.checks], [check.name for check in other.checks]
    if one.checks and names[0] == names[1] and one.name != "url_match":
        below = [_marked(*pair) for pair in zip(one.checks, other.checks, strict=True)]
        return (
            msgspec.structs.replace(one, checks=tuple(pair[0] for pair in below)),
            msgspec.structs.replace(other, checks=tuple(pair[1] for pair in below)),
        )
    clause = _CLAUSES.get(one.name) or (UNACHIEVABLE_CLAUSE if one.name == "string_match" else BOTH_CLAUSE)
    return msgspec.structs.replace(one, clause=clause), msgspec.structs.replace(other, clause=clause)
