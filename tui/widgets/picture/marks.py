"""Which nodes are marked on a picture, where their labels go, and which node a point means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment

from webbench.core.observation import AccessibilityNode, Box, Observation
from webbench.tui.pictures.viewfinder import Viewfinder

SNAP_CELLS = 2.0
"""How far from a node a click may be and still mean it, in columns."""

HOLDERS = frozenset({"link", "button", "LabelText", "label", "combobox", "listbox"})


def marked_nodes(observation: Observation, *, full_page: bool) -> list[AccessibilityNode]:
    """Interactive nodes that show, without those inside the box of a marked link, button or label."""
    marked: list[AccessibilityNode] = []
    holder: Box | None = None
    for node in observation.nodes:
        if not node.interactive or (node.offscreen and not full_page):
            continue
        box = node.box
        if box is None or box.width <= 0 or box.height <= 0 or node.role == "option":
            continue
        if holder is not None and inside(box, holder):
            continue
        holder = box if node.role in HOLDERS else None
        marked.append(node)
    return marked


def inside(inner: Box, outer: Box) -> bool:
    return (
        inner.x >= outer.x - 1
        and inner.y >= outer.y - 1
        and inner.x + inner.width <= outer.x + outer.width + 1
        and inner.y + inner.height <= outer.y + outer.height + 1
    )


def place_labels(
    nodes: Sequence[AccessibilityNode],
    labels: Mapping[int, str],
    view: Viewfinder,
    *,
    text: Mapping[int, Sequence[tuple[int, Segment]]] | None = None,
) -> dict[int, list[tuple[int, str, int]]]:
    """Labels by row of the pane: (column, text, node id), left to right, none over another.

    Nodes outside the shown part of the picture get none. A label stands at its node's upper left
    corner, or as near as the others leave room; they avoid the `text` pieces written
    over the picture where they can.
    """
    placed: dict[int, list[tuple[int, str, int]]] = {}
    (columns, rows), margin = view.cells, view.margin
    for node in nodes:
        label = labels.get(node.id, str(node.id))
        if node.box is None:
            continue
        at_column, at_row = view.to_cell(node.box.x, node.box.y + min(2.0, node.box.height / 2))
        column, row = math.floor(at_column) - margin[0], math.floor(at_row) - margin[1]
        if not (0 <= row < rows and 0 <= column <= columns - len(label)):
            continue
        column, row = column + margin[0], row + margin[1]
        spots: Sequence[tuple[int, int]] = ((0, 0), (1, 0), (0, 2), (-1, 0), (0, -2), (1, 3))
        if text:
            spots = ((0, -len(label)), (-1, -len(label)), (-1, 0), (1, -len(label)), *spots)
        for tight in (False, True) if text else (True,):
            spot = next(
                (
                    (row + down, column + along)
                    for down, along in spots
                    if 0 <= row + down < view.rows
                    and free_spot(placed.get(row + down, ()), column + along, len(label), view.columns)
                    and (tight or not covers(text, row + down, column + along, len(label)))
                ),
                None,
            )
            if spot is not None:
                placed.setdefault(spot[0], []).append((spot[1], label, node.id))
                break
    for row_labels in placed.values():
        row_labels.sort()
    return placed


def covers(
    text: Mapping[int, Sequence[tuple[int, Segment]]] | None, row: int, column: int, width: int
) -> bool:
    """Whether a label there would hide letters of the page."""
    pieces = (text or {}).get(row, ())
    return any(
        column < start + cell_len(piece.text.rstrip()) and start < column + width for start, piece in pieces
    )


def free_spot(taken: Sequence[tuple[int, str, int]], column: int, width: int, columns: int) -> bool:
    if column < 0 or column + width > columns:
        return False
    return all(column >= start + cell_len(text) + 1 or column + width < start for start, text, _ in taken)


def node_at(nodes: Sequence[AccessibilityNode], x: float, y: float, reach: float) -> AccessibilityNode | None:
    """The smallest marked node under a page point, else the nearest within `reach` CSS px."""
    under = [node for node in nodes if node.box is not None and node.box.contains(x, y)]
    if under:
        return min(under, key=lambda node: node.box.width * node.box.height if node.box else 0)
    near = [(distance(node.box, x, y), node.id, node) for node in nodes if node.box is not None]
    best = min(near, default=None, key=lambda entry: entry[:2])
    return best[2] if best is not None and best[0] <= reach else None


def distance(box: Box, x: float, y: float) -> float:
    """From a point to the nearest edge of a box, 0 inside."""
    dx = max(box.x - x, 0.0, x - box.x - box.width)
    dy = max(box.y - y, 0.0, y - box.y - box.height)
    return float((dx * dx + dy * dy) ** 0.5)
