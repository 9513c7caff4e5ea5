"""An operation against the reference's: F1 over the sets of words of "TYPE red shoes".

As the evaluation that Mind2Web published has it: words are parted at blanks and compared as they stand, case
included; a word that comes twice counts once. A word that is punctuation alone doesn't count, where it stands
so in ASCII's order of punctuation: "-" and "&", but not "--".
"""

from __future__ import annotations

import string

from webbench.core.score.score import Check


def operation_text(operation: str, value: str) -> str:
    """Operation and value as one text: "CLICK", "TYPE red shoes"."""
    return f"{operation.strip()} {value.strip()}".strip()


def operation_f1(predicted: str, reference: str) -> float:
    """F1 of the words; 1 where both are empty, 0 where one is."""
    found, wanted = _words(predicted), _words(reference)
    if not found or not wanted:
        return float(found == wanted)
    common = len(found & wanted)
    return 2 * common / (len(found) + len(wanted))


def _words(text: str) -> set[str]:
    return {word for word in text.split() if word not in string.punctuation}


def operation_check(predicted: str, reference: str) -> Check:
    """The line of one step's operation: text -> words -> the reference's."""
    found, wanted = _words(predicted), _words(reference)
    common = len(found & wanted)
    return Check(
        name="operation F1",
        target="operation",
        actual=predicted,
        normalised=sorted(found),
        expected=reference,
        value=operation_f1(predicted, reference),
        why=f"{common} words in common, of {len(found)} and {len(wanted)}",
    )
