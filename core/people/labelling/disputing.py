"""Disputing a score: a dispute names a recorded verdict, a reason and a person; so does a ruling."""

from __future__ import annotations

from typing import Literal, cast, get_args

import msgspec

from webbench.core.errors import UsageError
from webbench.core.labels.label import Dispute, Ruling, pseudonym
from webbench.core.labels.ledger import Book
from webbench.core.people.labelling.labelled_episode import Subject
from webbench.core.text.plain_text import plain_clip

Decision = Literal["accepted", "rejected", "open"]


def disputed(
    place: Subject,
    annotator: str,
    *,
    corrected: float | None,
    reason: str,
    evidence: int | None = None,
    quote: str = "",
    check: str = "",
) -> Dispute:
    """A dispute of the episode's recorded verdict.

    Raises `UsageError` without a score from 0 to 1 that differs, without a reason, and for a step that isn't
    there.
    """
    if corrected is None or not 0 <= corrected <= 1:
        raise UsageError("A dispute says what the score should be", "give a score from 0 to 1")
    if corrected == place.scored:
        raise UsageError(f"The score is {corrected:g} already", "there is nothing to dispute")
    if not reason.strip():
        raise UsageError("A dispute needs a reason", "say in a sentence why the verdict is wrong")
    if evidence is not None and not 0 <= evidence <= place.last:
        raise UsageError(f"The episode has no step {evidence}", f"its steps are 0 to {place.last}")
    return Dispute(
        run=place.run,
        episode=place.episode,
        check=check,
        rules=place.rules,
        status=place.status,
        scored=place.scored,
        corrected=corrected,
        reason=reason,
        evidence=evidence,
        quote=quote,
        annotator=pseudonym(annotator),
    )


def withdrawn(book: Book, place: Subject, annotator: str) -> Dispute:
    """The annotator's dispute of the episode, taken back. Raises `UsageError` where there is none."""
    for dispute in book.disputes:
        if (dispute.run, dispute.episode, dispute.annotator) == (place.run, place.episode, annotator):
            return msgspec.structs.replace(dispute, withdrawn=True, at="")
    raise UsageError(f"{annotator} disputes nothing there", "`webbench-tui label disputes` lists them")


def ruled(
    book: Book, place: tuple[str, str], annotator: str, verdict: str, *, by: str = "", note: str = ""
) -> Ruling:
    """A ruling on the one dispute of the episode, or on that of `by`.

    Raises `UsageError` for an unknown verdict, and where it isn't clear which dispute is meant.
    """
    if verdict not in get_args(Decision):
        known = ", ".join(get_args(Decision))
        raise UsageError(f'"{plain_clip(verdict, 40)}" is no verdict on a dispute', f"it is one of {known}")
    found = [one for one in book.disputes if (one.run, one.episode) == place and by in ("", one.annotator)]
    if len(found) != 1:
        names = ", ".join(one.annotator for one in found)
        told = f"{len(found)} dispute it: {names}" if found else "Nobody disputes this score"
        raise UsageError(told, "say whose with --disputed-by" if found else "`label disputes` lists them")
    return Ruling(
        run=place[0],
        episode=place[1],
        disputed_by=found[0].annotator,
        verdict=cast("Decision", verdict),
        note=note,
        annotator=pseudonym(annotator),
    )
