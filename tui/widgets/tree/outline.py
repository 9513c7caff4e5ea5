"""Which rows of an observation are shown, how deep, and with which guide lines. No terminal in here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from webbench.core.observation import AccessibilityNode, Viewport

STRUCTURAL = frozenset(
    {"generic", "none", "presentation", "InlineTextBox", "LineBreak", "GenericContainer", "Section", ""}
)
TEXT = frozenset({"StaticText", "text", "InlineTextBox"})
NOT_ALWAYS_ROWS = STRUCTURAL | TEXT


@dataclass(frozen=True, slots=True)
class NodeFilter:
    """Which nodes are rows: `everything` also shows nameless containers and repeated text.

    `candidates` are those that a ranking takes for likely targets, whatever they are.
    """

    interactive: bool = False
    viewport: bool = False
    everything: bool = False
    candidates: bool = False


@dataclass(slots=True)
class Rows:
    """The visible rows, column by column.

    `indices` are positions in the node sequence, `depths` their shown nesting, `ends` the row after
    each row's last descendant in node positions, `later` a bit per depth: a sibling follows below.
    """

    indices: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    later: list[int] = field(default_factory=list)

    def has_children(self, row: int) -> bool:
        return row + 1 < len(self.depths) and self.depths[row + 1] > self.depths[row]

    def parent(self, row: int) -> int:
        """Row of the shown parent, -1 for a top row."""
        depth = self.depths[row]
        return next((above for above in range(row - 1, -1, -1) if self.depths[above] < depth), -1)


class Outline:
    """A node sequence in document order, made foldable and searchable.

    Building it and every change of filter is linear; all else follows the rows asked for.
    """

    def __init__(
        self,
        nodes: Sequence[AccessibilityNode],
        viewport: Viewport = Viewport(),
        candidates: Set[int] = frozenset(),
    ) -> None:
        self.nodes = nodes
        self.viewport = viewport
        self.candidates = candidates
        self.parents: list[int] = []
        self.ends: list[int] = [len(nodes)] * len(nodes)
        self._nest()

    def _nest(self) -> None:
        above: list[tuple[float, int]] = []  # depth and position of the last node's ancestors
        last_depth, last, parent = float("-inf"), -1, -1
        ends, add_parent = self.ends, self.parents.append
        for index, node in enumerate(self.nodes):
            depth = node.depth
            if depth > last_depth:
                above.append((last_depth, last))
                parent = last
            else:
                ends[last] = index
                if depth < last_depth:
                    while above[-1][0] >= depth:
                        ends[above.pop()[1]] = index
                    parent = above[-1][1]
            add_parent(parent)
            last_depth, last = depth, index

    @cached_property
    def position(self) -> dict[int, int]:
        """Node id to position."""
        return {node.id: index for index, node in enumerate(self.nodes)}

    @cached_property
    def _on_screen(self) -> list[bool]:
        """Per node whether it shows; a node without a box does as its parent does."""
        width, height = self.viewport.width, self.viewport.height
        shown: list[bool] = []
        for node, parent in zip(self.nodes, self.parents, strict=True):
            if node.box is None:
                shown.append(shown[parent] if parent >= 0 else True)
            else:
                shown.append(not node.offscreen and node.box.intersects(width, height))
        return shown

    @cached_property
    def _tidy(self) -> list[bool]:
        """Per node whether it tells something that its parent does not."""
        nodes = self.nodes
        kept: list[bool] = []
        for node, parent in zip(nodes, self.parents, strict=True):
            role = node.role
            if role not in NOT_ALWAYS_ROWS:
                kept.append(True)
            elif role in STRUCTURAL:
                kept.append(bool(node.interactive or (node.name and role == "generic") or node.value))
            else:
                above = nodes[parent].name if parent >= 0 else ""
                text = node.name.strip()
                kept.append(bool(text) and not (above and text in above))
        return kept

    def kept(self, filter: NodeFilter) -> list[bool]:
        """Per node whether the filter lets it be a row, folded or not."""
        kept = [True] * len(self.nodes) if filter.everything or filter.candidates else self._tidy
        if filter.viewport:
            kept = [keep and seen for keep, seen in zip(kept, self._on_screen, strict=True)]
        if filter.interactive:
            kept = [keep and node.interactive for keep, node in zip(kept, self.nodes, strict=True)]
        if filter.candidates:
            kept = [keep and node.id in self.candidates for keep, node in zip(kept, self.nodes, strict=True)]
        return kept

    def rows(self, kept: Sequence[bool], folded: Set[int]) -> Rows:
        """Rows in order; a folded row hides its descendants, a node that is not kept lifts them."""
        rows = Rows()
        add_index, add_depth = rows.indices.append, rows.depths.append
        nodes, ends, index, count = self.nodes, self.ends, 0, len(self.nodes)
        outer_ends: list[int] = []
        end = count  # where the innermost open row ends; `outer_ends` has those around it
        while index < count:
            while index >= end:
                end = outer_ends.pop()
            if kept[index]:
                add_index(index)
                add_depth(len(outer_ends))
                own_end = ends[index]
                if folded and nodes[index].id in folded:
                    index = own_end
                    continue
                if own_end > index + 1:
                    outer_ends.append(end)
                    end = own_end
            index += 1
        rows.later = sibling_bits(rows.depths)
        return rows

    def ancestors(self, index: int) -> Iterable[int]:
        """Positions of the ancestors, nearest first."""
        index = self.parents[index]
        while index >= 0:
            yield index
            index = self.parents[index]

    def matches(self, query: str, kept: Sequence[bool]) -> list[int]:
        """Positions of kept nodes whose name, value, role or id holds the query; case does not matter."""
        wanted = query.casefold()
        if not wanted:
            return []
        number = wanted.strip("[]")
        wanted_id = int(number) if number.isascii() and number.isdigit() and len(number) < 12 else None
        return [
            index
            for index, node in enumerate(self.nodes)
            if kept[index]
            and (
                wanted in node.name.casefold()
                or (node.value is not None and wanted in node.value.casefold())
                or wanted in node.role.casefold()
                or node.id == wanted_id
            )
        ]


def sibling_bits(depths: Sequence[int]) -> list[int]:
    """For each row the depths (as bits) at which a sibling of it or of an ancestor follows below."""
    bits: list[int] = []
    seen, below = 0, -1
    for depth in reversed(depths):
        if depth < below:
            seen &= (2 << depth) - 1
        bits.append(seen)
        if depth != below:
            seen |= 1 << depth
            below = depth
    bits.reverse()
    return bits
