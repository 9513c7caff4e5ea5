"""The rule sets, the clauses in which they differ, and which clause parts two checks of the same evidence.

`published` is the code of the WebArena repository that the literature's numbers come from. `paper` is the
text of "WebArena: A Realistic Web Environment for Building Autonomous Agents" (section 3.2), read
literally. `libwebarena` is the packaged port, which reads each page in a tab of its own; it stands beside a
score where that makes a difference. `verified` belongs to the tasks of WebArena-Verified alone. The folder's
README.md lists the departures.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from webbench.core.score.score import Check, Score

PUBLISHED, PAPER, LIBWEBARENA, VERIFIED = "published", "paper", "libwebarena", "verified"
RULE_SETS = (PUBLISHED, PAPER)
"""Those that every score of the original edition holds."""

LIVE_RULE_SETS = (*RULE_SETS, LIBWEBARENA, VERIFIED)

EXACT_CLAUSE = (
    "exact_match: published = equal without case, outer blanks and one pair of outer quotes; "
    "paper = identical"
)
INCLUDE_CLAUSE = (
    "must_include: published = contained without case, a lone one-character reference as a whole token; "
    "paper = contained as it is written"
)
UNACHIEVABLE_CLAUSE = (
    "N/A: published = a judge's verdict replaces the product so far unless that is 1; "
    "paper = it is one factor, and asked for only where the answer isn't N/A"
)
VERDICT_CLAUSE = "judge: published = verdict words anywhere in the reply; paper = the reply's verdict line"
URL_CLAUSE = (
    "url: published = host and path of some alternative contained, each query key with a value of any "
    "alternative (GOLD in PRED); paper = identical to one alternative"
)
TAB_CLAUSE = (
    "pages: published = one page goes from target to target, and later checks find it there; libwebarena = "
    "each target in a tab of its own, the others on the page the actor ended on"
)
BOTH_CLAUSE = (
    "page contents: published = must_include is ignored beside exact_match; paper = both have to hold"
)


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
    marked = [_with_parting_clause(one, other) for one, other in pairs]
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


def _with_parting_clause(one: Check, other: Check) -> tuple[Check, Check]:
    """The same check under both rule sets, down to where they part."""
    if one.status is other.status and one.value == other.value and one.counted == other.counted:
        return one, other
    names = [check.name for check in one.checks], [check.name for check in other.checks]
    if one.checks and names[0] == names[1] and one.name != "url_match":
        below = [_with_parting_clause(*pair) for pair in zip(one.checks, other.checks, strict=True)]
        return (
            msgspec.structs.replace(one, checks=tuple(pair[0] for pair in below)),
            msgspec.structs.replace(other, checks=tuple(pair[1] for pair in below)),
        )
    clause = _CLAUSES.get(one.name) or (UNACHIEVABLE_CLAUSE if one.name == "string_match" else BOTH_CLAUSE)
    return msgspec.structs.replace(one, clause=clause), msgspec.structs.replace(other, clause=clause)
