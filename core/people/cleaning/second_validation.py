"""Second validation: another person than the one who edited says whether a cleaned copy is valid.

WebLINX' demonstrations were validated by a different annotator (section 3), WebCanvas' tasks reviewed by two
others (appendix B). What they say is a label of the taxonomy `cleaned-copy`.
"""

from __future__ import annotations

from webbench.core.errors import UsageError
from webbench.core.exchange.training import trusted_verdicts
from webbench.core.labels.label import Done, Label, pseudonym
from webbench.core.labels.ledger import Book, Ledger
from webbench.core.people.cleaning.cleaned_copy import Cleaning
from webbench.core.trajectory import EpisodeHeader

TAXONOMY, VERSION, QUESTION = trusted_verdicts.CLEANED_COPY, 1, "copy"
VALID, INVALID = "valid", trusted_verdicts.INVALID


def validate(
    ledger: Ledger, header: EpisodeHeader, cleaning: Cleaning, *, by: str, valid: bool, note: str
) -> None:
    """Write down what a second person says.

    Raises `UsageError` for the editor, and for an objection without a reason.
    """
    if pseudonym(by) == cleaning.by:
        raise UsageError(f"{by} edited this copy", "somebody else has to validate it")
    if not valid and not note.strip():
        raise UsageError("An objection needs a reason", "say with --note what is wrong")
    label = Label(
        run=header.run,
        episode=header.episode,
        taxonomy=TAXONOMY,
        annotator=by,
        version=VERSION,
        question=QUESTION,
        code=VALID if valid else INVALID,
        note=note,
    )
    done = Done(run=header.run, episode=header.episode, taxonomy=TAXONOMY, annotator=by)
    ledger.add([label, done])


def validations(book: Book, header: EpisodeHeader, cleaning: Cleaning) -> dict[str, str]:
    """By person what they say of the copy, the editor's own word left out."""
    return {
        label.annotator: label.code
        for label in book.labels
        if (label.run, label.episode, label.taxonomy) == (header.run, header.episode, TAXONOMY)
        and label.annotator != cleaning.by
    }
