"""How far what a person did is from what an agent had proposed.

The measure is the least number of words to insert, delete, replace, or swap with their neighbour (optimal
string alignment) that turns one action in words (`action_words`) into the other. A word is a run of letters,
digits and underscores, or one other sign that is no blank; case counts. The share divides by the words of
the longer one. Words, not characters: "mug" for "lamp" is one change, whatever they share in letters. Actions
in words, not their texts: another id for the same element, or another language, is no change; another element
of the same role and name is one.
"""

from __future__ import annotations

import re

import msgspec

from webbench.core.action.action import Action, target_of
from webbench.core.action.aim import named
from webbench.core.action.words import action_words
from webbench.core.observation import Observation
from webbench.core.text.nearest import edit_distance

LONGEST = 400
"""Words of an action that are compared; the rest of a very long text is left out."""

_WORD = re.compile(r"\w+|[^\w\s]")


class Edit(msgspec.Struct, frozen=True):
    """`distance` in words; `share` from 0 (the same) to 1 (nothing in common)."""

    distance: int
    share: float


def edit_between(proposed: Action | str, done: Action | str, page: Observation) -> Edit:
    """From what was proposed on a page to what was done there; a text that is no action stands for itself."""
    one, other = words_of(proposed, page), words_of(done, page)
    longer = max(len(one), len(other))
    distance = edit_distance(one, other) or int(_twins(proposed, done))
    return Edit(distance, distance / longer if longer else 0.0)


def words_of(action: Action | str, page: Observation) -> list[str]:
    """What is compared: elements are named by role and name as they are on the page."""
    text = action if isinstance(action, str) else action_words(named(action, page))
    return _WORD.findall(text)[:LONGEST]


def _twins(one: Action | str, other: Action | str) -> bool:
    """Whether the two are about different elements, as far as ids tell."""
    if isinstance(one, str) or isinstance(other, str):
        return False
    first, second = target_of(one), target_of(other)
    ids = [ref.id for ref in (first, second) if ref is not None and ref.id is not None]
    return len(ids) == 2 and ids[0] != ids[1]
