"""Labels and disputes as flat rows, for CSV and JSON lines."""

from __future__ import annotations

from collections.abc import Iterable

from webbench.core.json_types import JsonObject
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.corrections import Case
from webbench.core.labels.label import Label, step_order
from webbench.core.labels.settled import counting

SCHEMA_VERSION = 1


def label_rows(codebook: Codebook, labels: Iterable[Label]) -> list[JsonObject]:
    """One row a label, in order of place, with its title and what it means in the merged taxonomy.

    `counts` is False for a label that a settled one stands in for.
    """
    ordered = sorted(
        labels,
        key=lambda one: (
            one.run,
            one.episode,
            step_order(one.step),
            one.question,
            one.annotator,
        ),
    )
    counted = {id(one) for one in counting(ordered)}
    return [_label_row(codebook, label, counts=id(label) in counted) for label in ordered]


def dispute_rows(cases: Iterable[Case]) -> list[JsonObject]:
    """One row a dispute, with both scores and what became of it."""
    return [_dispute_row(case) for case in cases]


def _label_row(codebook: Codebook, label: Label, *, counts: bool) -> JsonObject:
    found = codebook.definition(label)
    return {
        "schema_version": SCHEMA_VERSION,
        "run": label.run,
        "episode": label.episode,
        "step": label.step,
        "taxonomy": label.taxonomy,
        "version": label.version,
        "question": label.question,
        "code": label.code,
        "title": found[1].title if found else "",
        "merged": " ".join(codebook.meanings(label)),
        "annotator": label.annotator,
        "confidence": label.confidence,
        "evidence": label.evidence,
        "note": label.note,
        "settles": " ".join(label.settles),
        "counts": counts,
        "in_sight": " ".join(label.in_sight),
        "source": label.source,
        "at": label.at,
    }


def _dispute_row(case: Case) -> JsonObject:
    dispute, ruling = case.dispute, case.ruling
    return {
        "schema_version": SCHEMA_VERSION,
        "run": dispute.run,
        "episode": dispute.episode,
        "check": dispute.check,
        "rules": dispute.rules,
        "status": dispute.status.value,
        "scored": dispute.scored,
        "corrected": dispute.corrected,
        "reason": dispute.reason,
        "evidence": dispute.evidence,
        "quote": dispute.quote,
        "annotator": dispute.annotator,
        "at": dispute.at,
        "state": case.state,
        "ruled_by": ruling.annotator if ruling else "",
        "ruling_note": ruling.note if ruling else "",
    }
