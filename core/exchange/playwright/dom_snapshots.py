"""The DOM snapshots of a Playwright trace, put together as HTML again.

A snapshot is a node: a text, `[name, {attributes}, child, ...]`, or `[[n, k]]`: the k-th node, children
before parents, of the n-th snapshot before this one of the same frame. Such references multiply, so what is
written is bounded. Only main frames are taken; scripts and styles stay out, for nothing here runs them.
"""

from __future__ import annotations

import html
from collections.abc import Iterator

from webbench.core.exchange.episode_building import text_of
from webbench.core.json_types import Json, JsonObject

MOST_NODES = 500_000
"""Of all snapshots of a trace together."""
LARGEST_HTML = 4 * 1024 * 1024
"""Characters of one page."""
_EMPTY = frozenset(
    {"AREA", "BASE", "BR", "COL", "EMBED", "HR", "IMG", "INPUT", "LINK", "META", "SOURCE", "WBR"}
)
_UNSAID = frozenset({"SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "LINK"})
_DEEPEST = 400


class TooLarge(ValueError):
    """A page would be longer than `LARGEST_HTML`, or nested deeper than pages are."""


class DomSnapshots:
    """Snapshots by frame, and where each one is by its name."""

    def __init__(self) -> None:
        self._roots: dict[str, list[Json]] = {}
        self._nodes: dict[tuple[str, int], list[Json]] = {}
        self._named: dict[str, tuple[str, int]] = {}
        self._urls: dict[str, str] = {}
        self._left = MOST_NODES

    def take(self, snapshot: JsonObject) -> str:
        """Keep one; what is wrong with it, "" where nothing is."""
        if not snapshot.get("isMainFrame"):
            return "frames within pages"
        frame = text_of(snapshot.get("frameId"))
        roots = self._roots.setdefault(frame, [])
        roots.append(snapshot.get("html") if self._left > 0 else None)
        nodes = list(_numbered(roots[-1]))
        self._left -= len(nodes)
        self._nodes[frame, len(roots) - 1] = nodes
        name = text_of(snapshot.get("snapshotName"))
        self._named[name] = (frame, len(roots) - 1)
        self._urls[name] = text_of(snapshot.get("frameUrl"))
        return "" if self._left > 0 else f"snapshots of pages beyond {MOST_NODES:,} nodes"

    def url(self, name: str) -> str:
        """The address of a snapshot's page, "" for an unknown one."""
        return self._urls.get(name, "")

    def html(self, name: str) -> str:
        """A snapshot as HTML, "" for an unknown one. Raises `TooLarge`."""
        if name not in self._named:
            return ""
        frame, index = self._named[name]
        writing = _Writing()
        self._write(writing, frame, index, self._roots[frame][index], 0)
        return "".join(writing.pieces)

    def _write(self, to: _Writing, frame: str, index: int, node: Json, depth: int) -> None:
        if depth > _DEEPEST:
            raise TooLarge(f"its page is nested deeper than {_DEEPEST} levels")
        if isinstance(node, str):
            to.add(html.escape(node, quote=False))
        elif _is_reference(node):
            index -= node[0][0]
            known = self._nodes.get((frame, index), [])
            if 0 <= node[0][1] < len(known):
                self._write(to, frame, index, known[node[0][1]], depth + 1)
        elif _is_element(node) and node[0] not in _UNSAID:
            tag = _tag(node[0])
            to.add(f"<{tag}{_attributes(node[1] if len(node) > 1 else None)}>")
            for child in node[2:]:
                self._write(to, frame, index, child, depth + 1)
            if node[0] not in _EMPTY:
                to.add(f"</{tag}>")


class _Writing:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._left = LARGEST_HTML

    def add(self, text: str) -> None:
        self._left -= len(text) + 1
        if self._left < 0:
            raise TooLarge(f"its page is longer than {LARGEST_HTML // 1024**2} MiB")
        self.pieces.append(text)


def _numbered(node: Json) -> Iterator[Json]:
    """What references count: texts and elements, children before parents."""
    if isinstance(node, str):
        yield node
    elif _is_element(node):
        for child in node[2:]:
            yield from _numbered(child)
        yield node


def _is_element(node: Json) -> bool:
    return isinstance(node, list) and bool(node) and isinstance(node[0], str)


def _is_reference(node: Json) -> bool:
    if not isinstance(node, list) or not node or not isinstance(node[0], list) or len(node[0]) != 2:
        return False
    return all(isinstance(one, int) and one >= 0 for one in node[0])


def _tag(name: str) -> str:
    known = "".join(character for character in name.lower() if character.isalnum() or character in "-:")
    return known or "div"


def _attributes(given: Json) -> str:
    """Without the names that Playwright adds for its viewer."""
    if not isinstance(given, dict):
        return ""
    kept = {name: value for name, value in given.items() if _is_plain(name)}
    return "".join(f' {name}="{html.escape(text_of(value))}"' for name, value in kept.items())


def _is_plain(name: str) -> bool:
    usual = all(character.isalnum() or character in "-_:." for character in name)
    return usual and bool(name) and not name.startswith("__") and not name.lower().startswith("on")
