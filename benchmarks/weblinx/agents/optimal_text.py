"""A turn as the published models were trained to read it: the paper's optimal text representation (OTR).

Paper, appendices B.1 (representation), B.2 (truncation), B.5 (templates) and B.8 (samples), and where these
leave something open, what the published code does: how far the tree is kept around a candidate, which
attributes go, how a call of the history is written. Parts are cut by tokens, counted by a model's own
tokeniser where its file is given; else as `token_count` does, so that a cut may fall elsewhere than in
training.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING

import msgspec

from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText
from webbench.benchmarks.weblinx.demonstrations.course import CourseTurn
from webbench.benchmarks.weblinx.notation.grammar import written
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.benchmarks.weblinx.turns.history_window import PREVIOUS_TURNS, clock, window
from webbench.benchmarks.weblinx.turns.intents import (
    CHANGE,
    CLICK,
    COPY,
    HOVER,
    LOAD,
    PASTE,
    SAY,
    SUBMIT,
    TEXT_INPUT,
)
from webbench.core.json_types import Json, JsonObject
from webbench.core.models.tokens import Pieces, about, shared_out, token_count, without_middle
from webbench.core.observation import DialogueTurn

if TYPE_CHECKING:
    from lxml.html import HtmlElement

DOTS = "..."
NOBODY = "No instructor utterance"
LONGEST_VALUE = 200
"""Characters of a text or an address in a call of the history."""
BELOW, DEEP, BESIDE = 5, 2, 2
"""Kept of a page: so many elements below a candidate, so many levels deep, so many on each side of it."""

_NONE = "{}"
"""Attributes, of which the published code keeps none here."""
_SEEN = frozenset((CLICK, HOVER, TEXT_INPUT, CHANGE, SUBMIT))
_LOST = ("_", "ng", "x-", "xml", "js", "data-")
"""Beginnings of attributes that go."""
_CLOSED = re.compile(r"</[^>]*>")
_OPENED = re.compile(r"<([^>]*)>")
_PARTS = ("tag", "xpath", "text", "bbox", "attributes", "children")
_CUT_PARTS = ("xpath", "text", "attributes", "children")
_ORDER: Mapping[str, tuple[str, tuple[str, ...]]] = {
    CLICK: ("click", ("uid",)),
    SUBMIT: ("submit", ("uid",)),
    TEXT_INPUT: ("text_input", ("text", "uid")),
    CHANGE: ("change", ("value", "uid")),
    LOAD: ("load", ("url",)),
    SAY: ("say", ("speaker", "utterance")),
    COPY: ("copy", ("text", "timestamp")),
    PASTE: ("paste", ("text", "timestamp")),
    HOVER: ("hover", ("x", "y", "timestamp")),
}
"""By intent: the name that the models know, and its arguments in their order; others stay as they are."""


class Budgets(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of each part (appendix B.7), 2,048 together with the template, and how they are counted."""

    page: int = 700
    utterances: int = 40 * 5
    turns: int = 50 * 5
    candidates: int = 65 * 10
    pieces: Pieces = about


class TrainedText(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a turn's text.

    Attributes:
        page: the pruned tree, "" where the turn has none.
        candidates: one a line, each line ended.
        turns: speaker and call of the latest turns.
    """

    page: str
    candidates: str
    utterances: str
    turns: Sequence[tuple[str, str]]


def trained_text(
    turns: Sequence[CourseTurn],
    candidates: Sequence[CandidateText],
    root: HtmlElement | None,
    budgets: Budgets = Budgets(),
) -> TrainedText:
    """The text of the turn that follows the given ones; what other parts leave goes to the candidates."""
    dialogue, pieces = [turn.told for turn in turns], budgets.pieces
    page = page_text(root, [one.uid for one in candidates], budgets.page, pieces) if root is not None else ""
    utterances = utterance_text(dialogue, budgets.utterances, pieces)
    latest = history(turns[-PREVIOUS_TURNS:], budgets.turns, pieces)
    left = budgets.page + budgets.utterances + budgets.turns
    left -= sum(token_count(text, pieces) for text in (page, utterances, *(text for _, text in latest)))
    return TrainedText(
        page=page,
        candidates=candidate_lines(candidates, budgets.candidates + max(0, left), pieces),
        utterances=utterances,
        turns=latest,
    )


def fitted(values: Sequence[str], whole: int, most: int, pieces: Pieces = about) -> list[str]:
    """The values with what a text of `whole` tokens has too many taken from them, the longest first."""
    lengths = [token_count(value, pieces) for value in values]
    kept = shared_out(lengths, sum(lengths) - max(0, whole - most))
    return [without_middle(value, length, DOTS, pieces) for value, length in zip(values, kept, strict=True)]


def candidate_lines(candidates: Sequence[CandidateText], most: int, pieces: Pieces = about) -> str:
    """`(uid = …) [[tag]] … [[xpath]] …`. Where they are cut, tag and box stay, and empty parts go."""
    whole = "".join(f"(uid = {one.uid}) {one.document.replace(chr(10), ' ')}\n" for one in candidates)
    if token_count(whole, pieces) <= most:
        return whole
    values = [getattr(one, part) for one in candidates for part in _CUT_PARTS]
    cut = fitted(values, token_count(whole, pieces), most, pieces)
    lines = []
    for at, one in enumerate(candidates):
        known = {"tag": one.tag, "bbox": one.bbox}
        known |= dict(zip(_CUT_PARTS, cut[at * len(_CUT_PARTS) :], strict=False))
        told = "".join(f"[[{part}]] {known[part]} " for part in _PARTS if known[part])
        lines.append(f"(uid = {one.uid}) {told}\n")
    return "".join(lines)


def utterance_text(dialogue: Sequence[DialogueTurn], most: int, pieces: Pieces = about) -> str:
    """`[00:05] Hello [00:31] …`: those of the instructor before the latest turns."""
    earlier, _ = window(dialogue)
    said = [turn.text for turn in earlier]
    heads = [f"[{clock(turn.seconds)}] " for turn in earlier]
    cut = fitted(said, token_count("".join((*heads, *said)), pieces), most, pieces)
    return " ".join(head + text for head, text in zip(heads, cut, strict=True)) or NOBODY


def history(turns: Sequence[CourseTurn], most: int, pieces: Pieces = about) -> list[tuple[str, str]]:
    """Speaker and call of each turn; the values of their arguments share the tokens."""
    calls = [called(turn) for turn in turns]
    whole = sum(token_count(written(name, args), pieces) for name, args in calls)
    texts = [value for _, args in calls for value in args.values() if isinstance(value, str)]
    cut = iter(fitted(texts, whole, most, pieces))
    found = []
    for turn, (name, args) in zip(turns, calls, strict=True):
        short = {key: next(cut) if isinstance(value, str) else value for key, value in args.items()}
        found.append((turn.told.speaker, _one_line(written(name, short))))
    return found


def header_text(turns: Sequence[CourseTurn], state: StateText) -> str:
    """The state in one line, as Pix2Act's header has it (figure 7): elements by the mouse's place and tag."""
    dialogue = [turn.told for turn in turns]
    said = utterance_text(dialogue, sys.maxsize)
    calls = " ; ".join(_one_line(written(*_seen_call(turn))) for turn in turns[-PREVIOUS_TURNS:])
    calls = calls.replace(f'"{_NONE}"', _NONE)
    size = f"Viewport(height={state.viewport.height}, width={state.viewport.width})"
    return f"{size} ---- Instructor Utterances: {said} ---- Previous Turns:{calls}"


def _seen_call(turn: CourseTurn) -> tuple[str, JsonObject]:
    """A call of the history for a model that knows no ids of elements."""
    name, args = called(turn)
    timed: JsonObject = {**args, "timestamp": clock(turn.told.seconds)}
    if turn.wanted is None or turn.wanted.intent not in _SEEN:
        return name, timed
    timed.pop("uid", None)
    mouse = turn.turn.state().mouse or (-1, -1)
    place: JsonObject = (
        {"x": int(mouse[0]), "y": int(mouse[1])} if turn.wanted.intent in (CLICK, HOVER) else {}
    )
    when = timed.pop("timestamp")
    tag = str((turn.turn.element or {}).get("tagName") or "").lower()[:20]
    return name, {**place, **timed, "tag": tag, "attrs": _NONE, "timestamp": when}


def _one_line(call: str) -> str:
    return call.replace("\n", "\\n").replace("\t", "\\t")


def called(turn: CourseTurn) -> tuple[str, JsonObject]:
    """A turn as the models' history has it: the name of its call, and its arguments in their order."""
    if turn.wanted is None or not turn.wanted.intent:
        return turn.told.text.partition("(")[0], {}
    attributes = (turn.wanted.element or {}).get("attributes")
    uid = attributes.get(ID) if isinstance(attributes, dict) else None
    mouse = turn.turn.state().mouse or (-1, -1)
    known: JsonObject = {
        **({"x": int(mouse[0]), "y": int(mouse[1])} if turn.wanted.intent == HOVER else {}),
        **turn.wanted.args,
        "uid": uid if isinstance(uid, str) else None,
        "timestamp": clock(turn.told.seconds),
    }
    name, order = _ORDER.get(turn.wanted.intent, (turn.wanted.intent, tuple(turn.wanted.args)))
    return name, {key: _short(key, known[key]) for key in order if key in known}


def _short(key: str, value: Json) -> Json:
    if key == "utterance" or not isinstance(value, str) or len(value) <= LONGEST_VALUE:
        return value
    return value[: LONGEST_VALUE - len(DOTS)] + DOTS


def page_text(root: HtmlElement, uids: Sequence[str], most: int, pieces: Pieces = about) -> str:
    """The page pruned around the elements of these ids, in round brackets; values are cut, tags never."""
    tree = pruned(root, uids)
    text = bracketed(tree)
    for _ in range(5):
        whole = token_count(text, pieces)
        if whole <= most:
            return text
        _cut(tree, whole, most, pieces)
        text = bracketed(tree)
    return without_middle(text, most, DOTS, pieces)


def pruned(root: HtmlElement, uids: Sequence[str]) -> HtmlElement:
    """A copy with what stands around the elements; only they keep their ids.

    An element without attributes and with at most one child gives way to it, and its own text is lost with
    it, as in the published code.
    """
    tree = deepcopy(root)
    nodes = [node for node in tree.iter() if isinstance(node.tag, str)]
    known = set(uids)
    wanted = {node for node in nodes if node.get(ID) in known}
    kept = set(wanted)
    for node in wanted:
        kept.update(node.iterancestors())
        kept.update(list(_below(node, DEEP))[:BELOW])
        parent = node.getparent()
        if parent is not None:
            at = parent.index(node)
            kept.update(parent[max(0, at - BESIDE) : at + BESIDE + 1])
    for node in reversed(nodes):
        parent = node.getparent()
        if node not in wanted:
            node.attrib.pop(ID, None)
        if parent is None:
            continue
        if node not in kept:
            parent.remove(node)
        elif not node.attrib and len(node) <= 1:
            for child in list(node):
                node.addprevious(child)
            parent.remove(node)
    for node in tree.iter():
        for name in [name for name in node.attrib if name != ID and (name == "id" or name.startswith(_LOST))]:
            del node.attrib[name]
    return tree


def _below(node: HtmlElement, levels: int) -> Iterator[HtmlElement]:
    for child in node if levels else ():
        yield child
        yield from _below(child, levels - 1)


def bracketed(tree: HtmlElement) -> str:
    """`(div class="a"(a href="/"Home))`; what HTML doesn't close, such as `input`, isn't closed here."""
    import lxml.html

    markup: str = lxml.html.tostring(tree, encoding="unicode")
    text = html.unescape(_OPENED.sub(r"(\1", _CLOSED.sub(")", markup)))
    return re.sub(r"\( +\(", "((", re.sub(r"\) +\)", "))", " ".join(text.split())))


def _cut(tree: HtmlElement, whole: int, most: int, pieces: Pieces) -> None:
    """Take from the longest texts and attributes what the tree has too many."""
    places = [
        (node, name, value)
        for node in tree.iter()
        for name, value in (("", (node.text or "").strip()), *node.attrib.items())
        if value and name != ID
    ]
    for (node, name, value), short in zip(
        places, fitted([value for *_, value in places], whole, most, pieces), strict=True
    ):
        if short == value:
            continue
        if name:
            node.set(name, short)
        else:
            node.text = short
