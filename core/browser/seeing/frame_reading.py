"""What one read of one world gives, and its decoding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from webbench.core.observation import CLICKABLE, AccessibilityNode, Box, StateValue, Viewport

LONE_SURROGATE = re.compile(
    r"\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}"
)


class RemoteFrame(msgspec.Struct, frozen=True):
    """An iframe whose document is of another process or origin, which a world of its own has to read.

    Attributes:
        id, depth: the iframe's id, and the depth of what is in it.
        x, y: where its content begins in the top viewport (CSS px).
        clip: what is seen of it: left, top, right, bottom there.
        window: number of the window in it, by which its world knows it; 0 where it has none.
    """

    id: int
    depth: int
    x: float
    y: float
    clip: tuple[float, float, float, float]
    window: int


class ProcessReading(msgspec.Struct, frozen=True):
    """What one world reaches: a frame and the frames of its origin in it.

    Attributes:
        remotes: iframes whose documents are of other processes or origins.
        suspects: how many elements may have a closed shadow root.
        next: the first id not given yet.
        sheets: addresses of style sheets that scripts may not read.
        serial: the number of the script's answer; the next one may leave out what this one told.
        left: how many nodes there are besides.
    """

    nodes: list[AccessibilityNode]
    frames: list[str]
    focused: int | None
    url: str
    title: str
    viewport: Viewport
    remotes: list[RemoteFrame]
    suspects: int
    next: int
    loading: bool
    sheets: list[str] = []
    serial: int = 0
    left: int = 0


Row: TypeAlias = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int]
"""id, role, depth, name, box (left, top, width, height; tenths of a CSS px), flags, tag, states,
extra (0 = none), frame."""

ADDED, OFFSCREEN, PLACED = 1, 2, 4
REASON_BITS = 3
"""So far up the place of the reason in `CLICKABLE` begins."""


class PackedReading(msgspec.Struct, frozen=True):
    """The script's answer: rows that give names, roles, tags and states by their place in tables.

    `runs` puts the reading together: (place, count) of nodes of the answer before, or (-1, count) of `rows`.
    """

    rows: list[Row]
    runs: list[tuple[int, int]]
    serial: int
    names: list[str]
    roles: list[str]
    tags: list[str]
    states: list[dict[str, StateValue]]
    extras: list[tuple[str | None, dict[str, str], str]]
    frames: list[str]
    focused: int | None
    url: str
    title: str
    viewport: Viewport
    remotes: list[RemoteFrame]
    suspects: int
    sheets: list[str]
    next: int
    loading: bool
    left: int = 0


def decode(text: str, before: Sequence[AccessibilityNode] = ()) -> ProcessReading:
    """Decode the script's answer: JSON with ` for ". Half characters, no valid text, become U+FFFD.

    Args:
        before: the nodes of the answer whose serial the script was given; those unchanged are used again.
    """
    text = text.replace("`", '"')
    try:
        packed = msgspec.json.decode(text, type=PackedReading)
    except msgspec.DecodeError:
        packed = msgspec.json.decode(LONE_SURROGATE.sub("\\\\ufffd", text), type=PackedReading)
    return ProcessReading(
        nodes=_joined(packed, before),
        frames=packed.frames,
        focused=packed.focused,
        url=packed.url,
        title=packed.title,
        viewport=packed.viewport,
        remotes=packed.remotes,
        suspects=packed.suspects,
        next=packed.next,
        loading=packed.loading,
        sheets=packed.sheets,
        serial=packed.serial,
        left=packed.left,
    )


def _joined(packed: PackedReading, before: Sequence[AccessibilityNode]) -> list[AccessibilityNode]:
    fresh = _unpacked(packed)
    nodes: list[AccessibilityNode] = []
    used = 0
    for place, count in packed.runs:
        if place < 0:
            nodes += fresh[used : used + count]
            used += count
        else:
            nodes += before[place : place + count]
    return nodes


def _unpacked(packed: PackedReading) -> list[AccessibilityNode]:
    """The nodes; those with equal states share one dictionary."""
    names, roles, tags, states = packed.names, packed.roles, packed.tags, packed.states
    extras: list[tuple[str | None, dict[str, str], str]] = [(None, {}, ""), *packed.extras]
    return [
        AccessibilityNode(
            id=identity,
            role=roles[role],
            name=names[name],
            value=extras[extra][0],
            depth=depth,
            box=Box(x / 10, y / 10, width / 10, height / 10) if flags & PLACED else None,
            states=states[state],
            interactive=flags >> REASON_BITS != 0,
            clickable=CLICKABLE[flags >> REASON_BITS],
            added=flags & ADDED != 0,
            looks=extras[extra][2],
            offscreen=flags & OFFSCREEN != 0,
            tag=tags[tag],
            attributes=extras[extra][1],
            frame=frame,
        )
        for identity, role, depth, name, x, y, width, height, flags, tag, state, extra, frame in packed.rows
    ]


def bounded(reading: ProcessReading, most: int) -> ProcessReading:
    """The first nodes, as many as that, and of the others those in the viewport."""
    if len(reading.nodes) <= most:
        return reading
    nodes = reading.nodes[:most] + visible(reading.nodes[most:])
    there = {node.id for node in nodes}
    return msgspec.structs.replace(
        reading,
        nodes=nodes,
        remotes=[remote for remote in reading.remotes if remote.id in there],
        left=len(reading.nodes) - len(nodes),
    )


def visible(nodes: Sequence[AccessibilityNode]) -> list[AccessibilityNode]:
    """Those in the viewport, and those above them that give the nesting."""
    kept: list[AccessibilityNode] = []
    wanted = -1
    for node in reversed(nodes):
        if (node.box is not None and not node.offscreen) or node.depth == wanted:
            kept.append(node)
            wanted = node.depth - 1
    kept.reverse()
    return kept
