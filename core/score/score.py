"""A score that explains itself: a status, a value, and the checks it was combined from.

A score is never invented: *pending* (needs a judge), *not scored* (with a reason) and *error* are
states of their own and carry no value.
"""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from webbench.core.json_types import Json, read_fields

SCHEMA_VERSION = 1


class Status(enum.StrEnum):
    """Whether there is a value, and if not, why not: a judge is awaited, nothing was scored, or it failed.

    Example:
        >>> [one for one in wb.Store().episodes() if one.status is wb.Status.PENDING]
    """

    SCORED = "scored"
    PENDING = "pending"
    NOT_SCORED = "not_scored"
    ERROR = "error"

    @property
    def words(self) -> str:
        """ "not scored" for `NOT_SCORED`."""
        return self.value.replace("_", " ")


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One comparison inside a score.

    Attributes:
        name: the metric or rule, e.g. "ROUGE-L" or "exact match".
        target: what is compared: a form field, "answer", "url", a key node.
        actual: what the page or actor gave, as recorded.
        normalised: `actual` after the evaluator's normalisation.
        expected: what was wanted: all labels with votes, alternatives, or one value.
        value: the check's own score; None unless `status` is scored.
        counted: False for a check that is shown but left out of the denominator.
        why: one sentence a person can read.
        clause: where `published` and `paper` differ, which clause makes the difference.
        combination: how `value` follows from `checks`, in words ("product of 2"), "" for a leaf.

    Example:
        >>> [(check.target, check.value, check.why) for check in score.checks]
    """

    name: str
    target: str
    actual: Json = None
    normalised: Json = None
    expected: Json = None
    status: Status = Status.SCORED
    value: float | None = None
    counted: bool = True
    why: str = ""
    clause: str = ""
    combination: str = ""
    checks: tuple[Check, ...] = ()


class Loophole(msgspec.Struct, frozen=True, kw_only=True):
    """A known weakness of an evaluator that this very score rests on.

    Attributes:
        id: short name, e.g. "substring-answer".
        text: one sentence for the reader.
        source: where it was first described.
    """

    id: str
    text: str
    source: str


class Later(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A score that was given after the episode's end, from its record, which it leaves as it is.

    Attributes:
        at: when (UTC, ISO 8601); by: the annotator who asked for it, "" where nobody is named.
        judge: who decided, "" where rules alone did.
        recorded: what the episode ended with.
    """

    at: str
    by: str = ""
    judge: str = ""
    recorded: Score | None = None

    @property
    def words(self) -> str:
        """ "given later, 2026-11-28 07:12 UTC, by m-1 for ada"."""
        who = f", by {self.judge or 'rules'}" + (f" for {self.by}" if self.by else "")
        return f"given later, {self.at[:16].replace('T', ' ')} UTC{who}"


class Score(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The headline and everything it rests on.

    Attributes:
        rules: the rule set: "published", "paper", ...
        combination: how `value` follows from the checks, in words ("mean of 4 fields").
        metrics: further figures, e.g. {"rouge-l": 0.4}; None = not defined.
        beside: the same evidence under other rule sets.
        interval: of a pending score, lowest and highest value it can still take.
        loopholes: warnings that hold for this score.
        evaluator: name and version.
        data_sha256, evidence_sha256: of the canonical JSON of gold data and evidence.

    Example:
        >>> score.headline(), score.status, [check.why for check in score.checks]
    """

    status: Status
    value: float | None = None
    reason: str = ""
    rules: str = "published"
    combination: str = ""
    checks: tuple[Check, ...] = ()
    metrics: dict[str, float | None] = {}
    beside: tuple[Score, ...] = ()
    interval: tuple[float, float] | None = None
    loopholes: tuple[Loophole, ...] = ()
    evaluator: str = ""
    data_sha256: str = ""
    evidence_sha256: str = ""
    later: Later | None = None
    schema_version: int = SCHEMA_VERSION

    def headline(self) -> str:
        """ "0.750 (mean of 4 fields)", "pending: …", "not scored: …"."""
        if self.status is Status.SCORED and self.value is not None:
            how = "; ".join(filter(None, (self.combination, self.later_words)))
            return f"{self.value:.3f}" + (f" ({how})" if how else "")
        return f"{self.status.words}: {self.reason or 'no reason given'}"

    @property
    def later_words(self) -> str:
        """Who gave it when, where that was after the episode's end; "" for any other."""
        return self.later.words if self.later is not None else ""

    @property
    def how(self) -> str:
        """How the value came about, or why there is none."""
        return "; ".join(filter(None, (self.combination or self.reason, self.later_words)))

    def clauses(self) -> tuple[str, ...]:
        """What makes the rule sets differ for this score: the clauses of all checks, each once."""
        return tuple(dict.fromkeys(check.clause for check in every_check(self.checks) if check.clause))


def every_check(checks: Iterable[Check]) -> Iterator[Check]:
    """The checks and, after each, those it was combined from."""
    for check in checks:
        yield check
        yield from every_check(check.checks)


def leaf_checks(checks: Iterable[Check]) -> Iterator[Check]:
    """The checks that are combined from no others, in order."""
    return (check for check in every_check(checks) if not check.checks)


def not_scored(reason: str, *, rules: str = "published", checks: Sequence[Check] = ()) -> Score:
    """There is nothing that a score could be of; `reason` says why. It is no 0."""
    return Score(status=Status.NOT_SCORED, reason=reason, rules=rules, checks=tuple(checks))


def failed(reason: str, *, rules: str = "published", checks: Sequence[Check] = ()) -> Score:
    """The evaluator itself could not give a number; `reason` names the input and the cause."""
    return Score(status=Status.ERROR, reason=reason, rules=rules, checks=tuple(checks))


def digest(value: Json) -> str:
    """SHA-256 of the canonical JSON form: sorted keys, no blanks, UTF-8 with surrogates escaped."""
    return hashlib.sha256(_CANONICAL.encode(value).encode()).hexdigest()


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)


read_fields(Score)
