"""Elements of a page as a lettered choice, for models that see a picture and name no ids.

Source of the convention: SeeAct, "textual choices": first what to do is told in words, then the element is
chosen among those that the page offers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from webbench.core.browser.seeing.set_of_marks import marked
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.plain_text import plain_clip

_LETTERS = 26
_LONGEST = 120
_MOST_OPTIONS = 40
_LISTS = frozenset({"combobox", "listbox"})
_NAMED = re.compile(r"[(\[*\"'\s]*([A-Za-z]{1,3})(?![A-Za-z])[*\"']*([).\]:,]?)(.*)", re.DOTALL)


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """An element that may be chosen.

    Attributes:
        letter: "A" to "Z", then "AA" and on.
        text: role, name, value and options, e.g. "combobox 'Size' = 'M', options: 'S', 'M', 'L'".
    """

    letter: str
    node: int
    text: str


def choices_of(observation: Observation, most: int) -> list[Choice]:
    """The visible elements that can be acted on, in reading order, at most so many."""
    nodes = marked(observation)[:most]
    options = _options(observation)
    return [
        Choice(letter=letter(at), node=node.id, text=_text(node, options.get(node.id, ())))
        for at, node in enumerate(nodes)
    ]


def left_out(observation: Observation, choices: Sequence[Choice]) -> int:
    """How many visible elements there are besides."""
    return len(marked(observation)) - len(choices)


def chosen(choices: Sequence[Choice], said: str) -> Choice | None:
    """The one that a reply names: its letter, with what a model writes around it.

    Words after a bare letter have to be those of the element: "A button at the top" names none.
    """
    found = _NAMED.match(said.strip())
    if found is None:
        return None
    letters, sign, rest = found.groups()
    one = next((one for one in choices if one.letter == letters.upper()), None)
    if one is None or sign or not rest or rest.startswith("\n"):
        return one
    return one if one.text.startswith(rest.strip().partition(" ")[0]) else None


def letter(at: int) -> str:
    """Of the element at this position, from 0."""
    above, here = divmod(at, _LETTERS)
    return (letter(above - 1) if above else "") + chr(ord("A") + here)


def _text(node: AccessibilityNode, options: Sequence[str]) -> str:
    value = f" = {plain_clip(node.value, _LONGEST)!r}" if node.value else ""
    offered = f", options: {', '.join(map(repr, options))}" if options else ""
    return f"{node.role} {plain_clip(node.name, _LONGEST)!r}{value}{offered}"


def _options(observation: Observation) -> dict[int, list[str]]:
    """The first options of each list that one is chosen from: a picture of a closed one shows none."""
    found: dict[int, list[str]] = {}
    owner: AccessibilityNode | None = None
    for node in observation.nodes:
        if owner is not None and node.depth <= owner.depth:
            owner = None
        if node.role in _LISTS and owner is None:
            owner = node
        elif node.role == "option" and owner is not None:
            listed = found.setdefault(owner.id, [])
            if len(listed) < _MOST_OPTIONS:
                listed.append(plain_clip(node.name, _LONGEST))
    return found
