"""MindAct text: a turn as that model reads it, in the format of Mind2Web (paper, appendix B.8.1).

Each element is its tag and the words of its attributes' values, without their names; those that are
candidates have a number in the page's order, `id=4`, by which the lines of the choices name them too. What
the sample leaves open is as in Mind2Web's published code: which attributes speak, and how many words of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from webbench.benchmarks.weblinx.agents.optimal_text import Budgets, called, pruned, utterance_text
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText
from webbench.benchmarks.weblinx.demonstrations.course import CourseTurn
from webbench.benchmarks.weblinx.notation.grammar import written
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.benchmarks.weblinx.turns.history_window import PREVIOUS_TURNS
from webbench.core.models.tokens import Pieces, first_tokens, shared_out, token_count

if TYPE_CHECKING:
    from lxml.html import HtmlElement

SPEAKING = (
    *("role", "type", "alt", "aria-description", "aria-label", "label", "title", "name"),
    *("value", "placeholder", "class"),
)
"""Attributes whose values are told, in this order."""

SILENT = frozenset({"hidden", "none", "presentation", "null", "undefined"})
"""Values that say nothing of what an element is."""

VALUE_WORDS, META_WORDS, TEXT_WORDS = 5, 20, 20
"""Words of one value, of all values of an element, and of a text."""

CHOICE_WORDS = 10
"""Words of a choice, which begins with the element and goes on with the text behind it, as in the sample."""

LONGEST_WORD = 14
"""Characters; what is longer is usually no word."""


class MindActText(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a turn's text.

    Attributes:
        page: the pruned tree, "" where the turn has none.
        choices: a line for each candidate, best first: `(uid = …) (input id=6 search q …`.
        history: the calls of the latest turns, `action(intent="say", …)`, in one line.
    """

    page: str
    choices: str
    utterances: str
    history: str


def mindact_text(
    turns: Sequence[CourseTurn],
    candidates: Sequence[CandidateText],
    root: HtmlElement | None,
    budgets: Budgets = Budgets(),
) -> MindActText:
    """The text of the turn that follows the given ones; page and choices are cut at their ends.

    A choice has the words of the sample, and fewer where their budget is used up.
    """
    page, choices, pieces = "", ["" for _ in candidates], budgets.pieces
    if root is not None:
        tree = pruned(root, [one.uid for one in candidates])
        known = {one.uid for one in candidates}
        numbers: dict[str, int] = {}
        nodes = {}
        for node in tree.iter():
            if isinstance(node.tag, str) and (uid := node.get(ID)) in known and uid not in numbers:
                numbers[uid], nodes[uid] = len(numbers), node
        page = first_tokens(told(tree, numbers), budgets.page, pieces)
        choices = [
            _choice(nodes[one.uid], numbers) if one.uid in nodes else f"({one.tag} )" for one in candidates
        ]
    room = shared_out([token_count(choice, pieces) for choice in choices], budgets.candidates)
    lines = [
        f"(uid = {one.uid}) {first_tokens(choice, most, pieces)}"
        for one, choice, most in zip(candidates, choices, room, strict=True)
    ]
    dialogue = [turn.told for turn in turns]
    return MindActText(
        page=page,
        choices="\n".join(lines),
        utterances=utterance_text(dialogue, budgets.utterances, pieces),
        history=_history(turns[-PREVIOUS_TURNS:], budgets.turns, pieces),
    )


def told(node: HtmlElement, numbers: dict[str, int]) -> str:
    """`(a id=0 rc-link(span id=1 textEXPLORE))`: the element with what is in it, without its tail."""
    number = numbers.get(node.get(ID) or "")
    head = " ".join(filter(None, (str(node.tag), "" if number is None else f"id={number}", meta(node))))
    inner = _first_words(node.text)
    for child in node:
        if isinstance(child.tag, str):
            inner += told(child, numbers)
        if tail := _first_words(child.tail):
            inner += f" {tail}"
    return f"({head}{inner})" if inner else f"({head} )"


def _choice(node: HtmlElement, numbers: dict[str, int]) -> str:
    return " ".join(f"{told(node, numbers)} {_first_words(node.tail)}".split()[:CHOICE_WORDS])


def meta(node: HtmlElement) -> str:
    """The words of an element's attributes, each value once."""
    values: dict[str, None] = {}
    for name in SPEAKING:
        value = (node.get(name) or "").strip().lower()
        if not value or value in SILENT or value.startswith("http"):
            continue
        words = [word for word in value.split() if len(word) <= LONGEST_WORD][:VALUE_WORDS]
        if words:
            values[" ".join(words)] = None
    return " ".join(" ".join(values).split()[:META_WORDS])


def _first_words(text: str | None) -> str:
    return " ".join((text or "").split()[:TEXT_WORDS])


def _history(turns: Sequence[CourseTurn], most: int, pieces: Pieces) -> str:
    """`action(intent="click", uid="…") action(intent="say", …)`; without times, which the sample lacks."""
    calls = []
    for turn in turns:
        name, args = called(turn)
        args = {key: value for key, value in args.items() if key != "timestamp"}
        calls.append(written("action", {"intent": name, **args}).replace("\n", "\\n").replace("\t", "\\t"))
    room = shared_out([token_count(call, pieces) for call in calls], most)
    return " ".join(first_tokens(call, one, pieces) for call, one in zip(calls, room, strict=True))
