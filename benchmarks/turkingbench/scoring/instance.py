"""All fields of one instance: which are left out, what the others are worth, and their mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.benchmarks.turkingbench.scoring.field_score import (
    PAPER,
    PUBLISHED,
    WRITTEN,
    Verdict,
    field_verdict,
    paper_differs,
)
from webbench.benchmarks.turkingbench.scoring.fields import EXCLUDED_NAMES
from webbench.benchmarks.turkingbench.scoring.gold import Label, is_blank
from webbench.benchmarks.turkingbench.scoring.normalise import clean_values, sorted_options
from webbench.core.errors import BadData
from webbench.core.json_types import Json

NO_ANSWER_TEXTS = ("", "{}", "'{}'", "nan")
"""Labels of written fields that mean a worker left it empty: nothing, an empty answer of Mechanical Turk's,
that in quotes, and how pandas writes a blank."""


class FieldReading(msgspec.Struct, frozen=True, kw_only=True):
    """A form field as it was read from the page; `values` are all texts, or the checked ones."""

    name: str
    type: str
    values: tuple[Json, ...] = ()
    displayed: bool = True

    @property
    def prediction(self) -> Json:
        """The answer: checked options in order of their text joined by "|", else the first value."""
        if self.type == "checkbox":
            return "|".join(sorted(str(value) for value in self.values))
        return self.values[0] if self.values else ""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a field.

    Attributes:
        labels: of all workers, as they were given.
        skipped: why it is left out of the mean, "" where it counts.
        verdict: of the rule; None where the field is left out or an error.
        value: what it counts in the instance (a published range counts 1 whatever its verdict).
        error: why it could not be scored.
    """

    field: FieldReading
    labels: tuple[Label, ...] = ()
    skipped: str = ""
    verdict: Verdict | None = None
    value: float | None = None
    error: str = ""


class InstanceResult(msgspec.Struct, frozen=True, kw_only=True):
    """`score` is the mean of what the counted fields are worth, 0 where none counts (as published)."""

    outcomes: tuple[Outcome, ...]

    @property
    def counted(self) -> list[float]:
        return [outcome.value for outcome in self.outcomes if outcome.value is not None]

    @property
    def score(self) -> float:
        return sum(self.counted) / len(self.counted) if self.counted else 0.0

    @property
    def error(self) -> str:
        """The first field's error, "" where every field could be scored."""
        return next((outcome.error for outcome in self.outcomes if outcome.error), "")

    @property
    def per_type(self) -> dict[str, list[float]]:
        """The rules' own values by field type: what the published table is made of."""
        found: dict[str, list[float]] = {}
        for outcome in self.outcomes:
            if outcome.verdict is not None and outcome.verdict.value is not None:
                found.setdefault(outcome.field.type, []).append(outcome.verdict.value)
        return found


def score_fields(
    fields: Sequence[FieldReading], labels: Mapping[str, Sequence[Label]], rules: str = PUBLISHED
) -> InstanceResult:
    """Score every field of an instance; errors are kept beside the field they belong to."""
    return InstanceResult(outcomes=tuple(_outcome(field, labels, rules) for field in fields))


def score_by_rules(
    fields: Sequence[FieldReading], labels: Mapping[str, Sequence[Label]]
) -> dict[str, InstanceResult]:
    """Every rule set's result; fields that both score alike are scored once."""
    published = score_fields(fields, labels, PUBLISHED)
    paper = tuple(
        _outcome(field, labels, PAPER) if paper_differs(field.type) else outcome
        for field, outcome in zip(fields, published.outcomes, strict=True)
    )
    return {PUBLISHED: published, PAPER: InstanceResult(outcomes=paper)}


def _outcome(field: FieldReading, labels: Mapping[str, Sequence[Label]], rules: str) -> Outcome:
    given = tuple(labels.get(field.name, ()))
    skipped = _left_out(field)
    if skipped:
        return Outcome(field=field, labels=given, skipped=skipped)
    if field.name not in labels:
        return Outcome(field=field, error=f'field "{field.name}": there are no gold labels of this name')
    wanted: Sequence[Label] = given
    if field.type in WRITTEN:
        wanted = clean_values([label for label in given if not _no_answer(label)])
        if not wanted:
            return Outcome(field=field, labels=given, skipped="every worker left it empty")
    elif field.type == "checkbox":
        wanted = [sorted_options(label) for label in given]
    try:
        verdict = field_verdict(wanted, field.type, field.prediction, rules)
    except BadData as error:
        return Outcome(field=field, labels=given, error=f'field "{field.name}": {error.message}')
    if verdict.value is None:
        return Outcome(field=field, labels=given, skipped=verdict.why)
    always = rules == PUBLISHED and field.type == "range"
    return Outcome(field=field, labels=given, verdict=verdict, value=1.0 if always else verdict.value)


def _no_answer(label: Label) -> bool:
    return is_blank(label) or label in NO_ANSWER_TEXTS


def _left_out(field: FieldReading) -> str:
    if not field.displayed:
        return "not displayed on the page"
    if field.type == "submit":
        return "a submit button holds no answer"
    if field.name in EXCLUDED_NAMES:
        return "a bookkeeping field"
    return ""
