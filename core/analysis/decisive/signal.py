"""A signal: something about a step by which it may have decided the failure, with its evidence."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal[
    "first-unseen-claim",
    "unseen-claim",
    "made-up",
    "first-drop",
    "drop",
    "first-failed",
    "failed",
    "first-empty",
    "empty",
    "part-of-page",
    "trusts-part",
    "accepts",
    "repeats",
    "before-symptom",
    "check-undone",
    "left-wrong",
    "page-gone",
    "handed-in",
    "parting",
    "unrepaired-parting",
]

FOLLOWS: dict[Kind, str] = {
    "first-unseen-claim": "it is the first to claim what nothing before it shows",
    "unseen-claim": "it claims what nothing before it shows",
    "made-up": "it works with made-up data",
    "first-drop": "it is the first search that leaves out what the task asks for",
    "drop": "it searches without what the task asks for",
    "first-failed": "it is the first after which something went wrong",
    "failed": "what came of it says that something went wrong",
    "first-empty": "it is the first of which nothing came",
    "empty": "nothing came of it",
    "part-of-page": "it saw only a part of the page, and nobody looked at the rest",
    "trusts-part": "it goes on from a page of which only a part was seen",
    "accepts": "it accepts a result without a look of its own",
    "repeats": "it does the same as before",
    "before-symptom": "it led to what went wrong later",
    "check-undone": "it undid a check that had been met",
    "left-wrong": "it leaves what a check reads at a wrong value, which stood to the end",
    "page-gone": "from here on the page is gone, so that no check can pass any more",
    "handed-in": "it hands in an answer that is refused, after which nothing can be put right",
    "parting": "here it parts from an attempt that succeeded",
    "unrepaired-parting": "here it parts from an attempt that succeeded, and never comes back",
}
"""What stands behind the question "Did step 7 decide it?"."""


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a rule saw at a step.

    Attributes:
        text: what it saw, in a sentence that follows the question.
        quote: the words it saw, "" where there are none.
        strength: how many times the weight of its kind it has.
    """

    kind: Kind
    step: int
    text: str
    quote: str = ""
    strength: float = 1.0


def signal(kind: Kind, step: int, more: str = "", quote: str = "", strength: float = 1.0) -> Signal:
    """With what the kind always says, and `more` behind it."""
    text = FOLLOWS[kind]
    return Signal(
        kind=kind, step=step, text=f"{text}: {more}" if more else text, quote=quote, strength=strength
    )
