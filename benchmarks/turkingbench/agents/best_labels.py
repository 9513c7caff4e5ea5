"""Which gold label to give for a field: the one that the published rules value most."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.turkingbench.agents.form import FormField
from webbench.benchmarks.turkingbench.scoring.field_score import CHOSEN, WRITTEN, field_verdict
from webbench.benchmarks.turkingbench.scoring.gold import Label, blanks_as_text, is_blank
from webbench.benchmarks.turkingbench.scoring.instance import NO_ANSWER_TEXTS
from webbench.benchmarks.turkingbench.scoring.normalise import (
    canonical_text,
    normalised_answer,
    sorted_options,
)
from webbench.core.errors import BadData


class Answer(msgspec.Struct, frozen=True):
    """What to leave in a field: a text, one value, or the ticked options; `worth` by the rules."""

    values: tuple[str, ...]
    worth: float


def best_answer(field: FormField, labels: Sequence[Label]) -> Answer | None:
    """The best answer the field can hold, None where it doesn't count or no label fits it."""
    if field.type in WRITTEN:
        wanted = [label for label in labels if not is_blank(label) and label not in NO_ANSWER_TEXTS]
        candidates: list[tuple[str, ...]] = [(_typed(field, label),) for label in wanted]
    elif field.type == "checkbox":
        wanted = [sorted_options(label) for label in blanks_as_text(labels, field.type)]
        candidates = [(), *(_ticked(field, label) for label in wanted)]
    elif field.type in CHOSEN:
        wanted = blanks_as_text(labels, field.type)
        candidates = [(option,) for option in dict.fromkeys(field.options)]
        candidates += [()] if field.type == "radio" else []
    else:
        wanted = [label for label in labels if not is_blank(label)]
        candidates = [(canonical_text(label),) for label in wanted]
    valued = [Answer(values, _worth(field, wanted, values)) for values in candidates]
    return max(valued, key=lambda answer: answer.worth, default=None)


def _worth(field: FormField, wanted: Sequence[Label], values: tuple[str, ...]) -> float:
    prediction = "|".join(sorted(map(canonical_text, values)))
    try:
        return field_verdict(wanted, field.type, prediction).value or 0.0
    except BadData:
        return 0.0


def _typed(field: FormField, label: Label) -> str:
    """The label as this field holds it: one line in a text field, plain line ends in a textarea."""
    text = label if isinstance(label, str) else canonical_text(label)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if field.type == "textarea" else text.replace("\n", " ")


def _ticked(field: FormField, label: Label) -> tuple[str, ...]:
    wanted = {normalised_answer(part) for part in str(label).split("|")} - {""}
    return tuple(dict.fromkeys(option for option in field.options if normalised_answer(option) in wanted))
