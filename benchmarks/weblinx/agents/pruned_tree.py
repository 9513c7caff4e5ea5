"""The part of a page that is shown with its candidates: what stands around them in the tree.

Source: WebLINX, section 5.1 and appendix (pruned and truncated DOM). Shown are the candidates, all that
stands above them, and a few nodes below and beside each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.models.tokens import token_count, truncated
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.plain_text import plain_text

BELOW = 5
BESIDE = 3
_LONGEST_NAME = 500
_SILENT = 2
"""Rank of what says nothing."""
_QUOTES = 2
"""Tokens of the signs around a text."""


class _Line(msgspec.Struct, frozen=True):
    """A node: its place, what names it (`[12] link`), what it says; the least `rank` stays longest."""

    place: int
    head: str
    text: str
    rank: int

    @property
    def tokens(self) -> int:
        """Without its text."""
        return token_count(self.head) + (_QUOTES if self.text else 0)


def lines_around(observation: Observation, most_tokens: int) -> list[str]:
    """The kept nodes in document order, one a line, indented by how deep they stand, within so many tokens.

    Texts are shortened, the longest first; ids and roles never, for half an id names nothing. Where these are
    too many, nodes without a text go first, then others around the candidates, then candidates.
    """
    nodes = observation.nodes
    places = {node.id: place for place, node in enumerate(nodes)}
    candidates = {places[one.node] for one in observation.candidates if one.node in places}
    kept: set[int] = set()
    for place in candidates:
        kept.update(_around(nodes, place))
    lines = _fitting([_line(nodes, place, place in candidates) for place in kept], most_tokens)
    texts = truncated([line.text for line in lines], most_tokens - sum(line.tokens for line in lines))
    return [f"{line.head} {text!r}" if text else line.head for line, text in zip(lines, texts, strict=True)]


def _fitting(lines: Sequence[_Line], most_tokens: int) -> list[_Line]:
    """Those that find room, in document order; nodes without a text leave half of it to the others' texts."""
    found: list[_Line] = []
    used = 0
    for line in sorted(lines, key=lambda one: (one.rank, one.place)):
        used += line.tokens
        if used > (most_tokens // 2 if line.rank == _SILENT else most_tokens):
            break
        found.append(line)
    return sorted(found, key=lambda one: one.place)


def _around(nodes: Sequence[AccessibilityNode], place: int) -> Iterator[int]:
    """The node itself, those above it, the first below it, the next ones beside it."""
    yield place
    depth = nodes[place].depth
    for above in range(place - 1, -1, -1):
        if nodes[above].depth < depth:
            depth = nodes[above].depth
            yield above
    yield from _following(nodes, place)


def _following(nodes: Sequence[AccessibilityNode], place: int) -> Iterator[int]:
    depth, below, beside = nodes[place].depth, 0, 0
    for at in range(place + 1, len(nodes)):
        if nodes[at].depth < depth or beside > BESIDE:
            return
        if nodes[at].depth == depth:
            beside += 1
            if beside <= BESIDE:
                yield at
        elif not beside and below < BELOW:
            below += 1
            yield at


def _line(nodes: Sequence[AccessibilityNode], place: int, is_candidate: bool) -> _Line:
    node = nodes[place]
    text = plain_text(node.name, limit=_LONGEST_NAME)
    rank = 0 if is_candidate else 1 if text else _SILENT
    return _Line(place, f"{' ' * min(node.depth, 20)}[{node.id}] {node.role}", text, rank)
