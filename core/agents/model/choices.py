"""Elements of a page as a lettered choice, for models that see a picture and name no ids.

Source of the convention: SeeAct, "textual choices": first what to do is told in words, then the element is
chosen among those that the page offers.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.browser.marks import marked
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.plain_text import plain_clip

_LETTERS = 26
_LONGEST = 120


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """An element that may be chosen.

    Attributes:
        letter: "A" to "Z", then "AA" and on.
        text: role, name and value, e.g. "button 'Search'".
    """

    letter: str
    node: int
    text: str


def choices_of(observation: Observation, most: int) -> list[Choice]:
    """The visible elements that can be acted on, in reading order, at most so many."""
    nodes = marked(observation)[:most]
    return [Choice(letter=letter(at), node=node.id, text=_text(node)) for at, node in enumerate(nodes)]


def chosen(choices: Sequence[Choice], said: str) -> Choice | None:
    """The one that a reply names: its letter, with what a model writes around it."""
    word = said.strip().strip("()[].*\"'").split(maxsplit=1)
    name = word[0].strip("().:,*\"'").upper() if word else ""
    return next((one for one in choices if one.letter == name), None)


def letter(at: int) -> str:
    """Of the element at this position, from 0."""
    above, here = divmod(at, _LETTERS)
    return (letter(above - 1) if above else "") + chr(ord("A") + here)


def _text(node: AccessibilityNode) -> str:
    value = f" = {plain_clip(node.value, _LONGEST)!r}" if node.value else ""
    return f"{node.role} {plain_clip(node.name, _LONGEST)!r}{value}"
