"""An operation against the reference's: F1 over the sets of words of "TYPE red shoes".

As the evaluation that Mind2Web published has it: words are parted at blanks and compared as they stand, case
and punctuation included; a word that comes twice counts once.
"""

from __future__ import annotations

from webbench.core.score.score import Check


def operation_text(operation: str, value: str) -> str:
    """Operation and value as one text: "CLICK", "TYPE red shoes"."""
    return f"{operation.strip()} {value.strip()}".strip()


def operation_f1(predicted: str, reference: str) -> float:
    """F1 of the words; 1 where both are empty, 0 where one is."""
    found, wanted = set(predicted.split()), set(reference.split())
    if not found or not wanted:
        return float(found == wanted)
    common = len(found & wanted)
    return 2 * common / (len(found) + len(wanted))


def operation_check(predicted: str, reference: str) -> Check:
    """The line of one step's operation: text -> words -> the reference's."""
    value = operation_f1(predicted, reference)
    found, wanted = sorted(set(predicted.split())), sorted(set(reference.split()))
    common = len(set(found) & set(wanted))
    return Check(
        name="operation F1",
        target="operation",
        actual=predicted,
        normalised=list(found),
        expected=reference,
        value=value,
        why=f"{common} words in common, of {len(found)} and {len(wanted)}",
    )
