"""What one read of one frame process gives, and its decoding."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from webbench.core.observation import AccessibilityNode, Viewport

LONE_SURROGATE = re.compile(
    r"\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}"
)


class RemoteFrame(msgspec.Struct, frozen=True):
    """An iframe whose document lives in another process: its element, and where its content begins."""

    id: int
    depth: int
    x: float
    y: float
    clip: tuple[float, float, float, float]


class ProcessReading(msgspec.Struct, frozen=True):
    """What the script returns for one frame and its same-process frames.

    Attributes:
        remotes: iframes whose documents live in other processes.
        suspects: how many elements may have a closed shadow root.
        next: the first id not given yet.
        sheets: addresses of style sheets that scripts may not read.
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


def decode(text: str) -> ProcessReading:
    """Decode the script's answer: JSON with ` for ". Half characters, no valid text, become U+FFFD."""
    text = text.replace("`", '"')
    try:
        return msgspec.json.decode(text, type=ProcessReading)
    except msgspec.DecodeError:
        return msgspec.json.decode(LONE_SURROGATE.sub("\\\\ufffd", text), type=ProcessReading)


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
