"""What completion looks up on a page, computed once per observation."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from webbench.core.dialects.forms import Value
from webbench.core.observation import AccessibilityNode, Observation

_NAME_CHARACTERS = 80
_MOST_HITS = 4000
_OPTION_ROLES = frozenset({"option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem"})


class ElementIndex:
    """Search over the interactive nodes of one observation, in one string that C code scans."""

    def __init__(self, observation: Observation) -> None:
        self.observation = observation
        candidates = [node for node in observation.nodes if node.interactive]
        on_screen = [node for node in candidates if not node.offscreen]
        off_screen = [node for node in candidates if node.offscreen]
        self._nodes = on_screen + off_screen
        self._by_id: dict[int, int] = {node.id: at for at, node in enumerate(observation.nodes)}

    @cached_property
    def _lines(self) -> tuple[str, list[int]]:
        """One line "name role" per candidate, and where each line starts."""
        lines = [
            f"{node.name[:_NAME_CHARACTERS]} {node.role}".lower().replace("\n", " ") for node in self._nodes
        ]
        starts: list[int] = []
        position = 0
        for line in lines:
            starts.append(position)
            position += len(line) + 1
        return "\n".join(lines), starts

    @cached_property
    def fields(self) -> dict[str, AccessibilityNode]:
        """The first node of each HTML name, in document order."""
        fields: dict[str, AccessibilityNode] = {}
        for node in self.observation.nodes:
            name = node.attributes.get("name", "") if node.attributes else ""
            if name:
                fields.setdefault(name, node)
        return fields

    def named(self, reference: Value) -> list[AccessibilityNode]:
        """The node of an id, or all fields of a name."""
        text = str(reference).strip().removeprefix("id=")
        if text.isascii() and text.isdecimal() and len(text) < 19 and int(text) in self._by_id:
            return [self.observation.nodes[self._by_id[int(text)]]]
        return [node for node in self.observation.nodes if node.attributes.get("name") == text]

    def options(self, node: AccessibilityNode) -> Iterator[AccessibilityNode]:
        """The options below a list or menu."""
        at = self._by_id[node.id] + 1
        nodes = self.observation.nodes
        while at < len(nodes) and nodes[at].depth > node.depth:
            if nodes[at].role in _OPTION_ROLES:
                yield nodes[at]
            at += 1

    def search(self, typed: str, most: int) -> list[AccessibilityNode]:
        """Nodes whose id starts with the text, or whose name and role hold it, best first.

        Best: the id itself, the start of the name, the start of a word, anywhere, then the same
        letters in the same order with others between. On screen before off screen.
        """
        wanted = typed.strip().strip("'\"").lower()[:_NAME_CHARACTERS].replace("\n", " ")
        if not wanted:
            return self._nodes[:most]
        if wanted.isascii() and wanted.isdecimal():
            found = [node for node in self._nodes if str(node.id).startswith(wanted)]
            exact = self.named(wanted)
            named = self._by_name(wanted, most) if len(found) < most else []
            best = {node.id: node for node in (*exact, *found, *named)}
            return list(best.values())[:most]
        return self._by_name(wanted, most)

    def _by_name(self, wanted: str, most: int) -> list[AccessibilityNode]:
        lines, _ = self._lines
        ranked: tuple[dict[int, None], ...] = ({}, {}, {})
        for at, row in self._hits(re.escape(wanted)):
            if at == 0 or lines[at - 1] == "\n":
                ranked[0][row] = None
            else:
                ranked[2 if lines[at - 1].isalnum() else 1][row] = None
        rows = dict.fromkeys(row for rows in ranked for row in rows)
        if len(rows) < most and not wanted.isdecimal():
            first, *others = map(re.escape, wanted)
            scattered = first + "".join(f"[^{letter}\n]*+{letter}" for letter in others)
            rows.update(dict.fromkeys(row for _, row in self._hits(scattered)))
        return [self._nodes[row] for row in list(rows)[:most]]

    def _hits(self, pattern: str) -> Iterator[tuple[int, int]]:
        """Where the pattern occurs: offset and row."""
        lines, starts = self._lines
        for match in islice(re.finditer(pattern, lines), _MOST_HITS):
            yield match.start(), bisect_right(starts, match.start()) - 1


_latest: ElementIndex | None = None


def element_index(observation: Observation) -> ElementIndex:
    """The index of an observation; the latest one is kept, as typing asks for it at every key."""
    global _latest
    index = _latest
    if index is None or index.observation is not observation:
        _latest = index = ElementIndex(observation)
    return index
