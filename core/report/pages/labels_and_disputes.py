"""What people said of an episode: labels that may be shown, and disputes of its score."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.errors import BadData
from webbench.core.labels.corrections import Case, corrected
from webbench.core.labels.label import Label, step_order
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.labels.visibility import sight
from webbench.core.report.pages.score_rows import Badge, value_badge
from webbench.core.store.store import Store
from webbench.core.text.no_value import or_dash
from webbench.core.trajectory import EpisodeHeader


class LabelView(msgspec.Struct, frozen=True, kw_only=True):
    place: str
    taxonomy: str
    question: str
    code: str
    note: str
    evidence: str
    confidence: str
    by: str


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    by: str
    scored: str
    corrected: str
    check: str
    reason: str
    evidence: str
    state: str


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be shown of it.

    Attributes:
        corrected: the score as people hold it to be, None where nobody disputes it.
        correction: by whom, and whether anybody confirmed it.
        hidden: labels that may not be shown yet.
    """

    corrected: Badge | None = None
    correction: str = ""
    disputes: Sequence[DisputeView] = ()
    labels: Sequence[LabelView] = ()
    hidden: int = 0


def what_people_said(store: Store, header: EpisodeHeader) -> Said:
    """Labels and disputes of an episode; nothing where those of a newer release can't be read."""
    try:
        book = ledger_of(store).book()
    except BadData:
        return Said()
    scored = header.score.value if header.score is not None else None
    verdict = corrected(book, header.run, header.episode, scored)
    labels, hidden = _labels(book, header)
    return Said(
        corrected=value_badge(verdict.corrected) if verdict.is_disputed else None,
        correction=verdict.why,
        disputes=[_dispute(case) for case in verdict.cases],
        labels=labels,
        hidden=hidden,
    )


def _labels(book: Book, header: EpisodeHeader) -> tuple[list[LabelView], int]:
    place = (header.run, header.episode)
    own = [label for label in book.labels if (label.run, label.episode) == place]
    seen = sight(book, labels=own)
    ordered = sorted(seen.labels, key=lambda label: step_order(label.step))
    return [_label(label) for label in ordered], sum(seen.hidden.values())


def _label(label: Label) -> LabelView:
    return LabelView(
        place="episode" if label.step is None else str(label.step),
        taxonomy=f"{label.taxonomy} {label.version}",
        question=label.question,
        code=label.answer,
        note=label.note,
        evidence="" if label.evidence is None else f"step {label.evidence}",
        confidence="" if label.confidence is None else str(label.confidence),
        by=label.annotator + (f", between {' and '.join(label.settles)}" if label.settles else ""),
    )


def _dispute(case: Case) -> DisputeView:
    dispute = case.dispute
    step = "" if dispute.evidence is None else f"step {dispute.evidence}"
    return DisputeView(
        by=dispute.annotator,
        scored=or_dash(dispute.scored),
        corrected=or_dash(dispute.corrected),
        check=dispute.check or "the verdict as a whole",
        reason=dispute.reason,
        evidence=": ".join(filter(None, (step, dispute.quote))),
        state=case.state,
    )
