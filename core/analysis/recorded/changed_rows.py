"""What changed on a page as rows of text, the same for screens, commands and reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from webbench.core.analysis.recorded.observation_difference import FieldChange, ObservationDifference
from webbench.core.observation import AccessibilityNode
from webbench.core.text.no_value import NO_VALUE

Kind = Literal["page", "changed", "added", "removed"]
TEXTS = ("StaticText", "InlineTextBox", "LabelText")
SIGNS: dict[Kind, str] = {"page": "@", "changed": "~", "added": "+", "removed": "-"}


class DifferenceRow(NamedTuple):
    """`node` is None for the page itself."""

    kind: Kind
    node: AccessibilityNode | None
    text: str

    @property
    def line(self) -> str:
        """With the node's id and role before the text."""
        return self.text if self.node is None else f"{self.node.id_text}{self.node.role} {self.text}"


def difference_rows(difference: ObservationDifference) -> tuple[DifferenceRow, ...]:
    """The page first, then what changed, came and went. Texts are foreign.

    A text that only repeats the name of the element around it, which came or went with it, is left out.
    """
    rows = [DifferenceRow("page", None, change_text(change)) for change in difference.page]
    for changed in difference.changed:
        named = "" if any(one.name == "name" for one in changed.fields) else f'"{changed.after.name}" '
        fields = ", ".join(map(change_text, changed.fields))
        rows.append(DifferenceRow("changed", changed.after, f"{named}{fields}"))
    rows += [DifferenceRow("added", node, _node_text(node)) for node in _telling(difference.added)]
    rows += [DifferenceRow("removed", node, _node_text(node)) for node in _telling(difference.removed)]
    return tuple(rows)


def _telling(nodes: Sequence[AccessibilityNode]) -> Iterator[AccessibilityNode]:
    around: AccessibilityNode | None = None
    for node in nodes:
        inside = around is not None and node.depth > around.depth
        if inside and around is not None and node.role in TEXTS and node.name == around.name:
            continue
        around = node
        yield node


def counts_text(difference: ObservationDifference) -> str:
    """`+12 -3 ~2 · 40 moved · 210 same`; "" where it isn't known."""
    if not difference.known:
        return ""
    counts = f"+{len(difference.added):,} -{len(difference.removed):,} ~{len(difference.changed):,}"
    moved = f" · {difference.moved:,} moved" if difference.moved else ""
    return f"{counts}{moved} · {difference.same:,} same"


def change_text(change: FieldChange) -> str:
    """`value "" → "tea"`."""
    return f"{change.name} {_value_text(change.before)} → {_value_text(change.after)}"


def _value_text(value: object) -> str:
    return NO_VALUE if value is None else f'"{value}"' if isinstance(value, str) else str(value)


def _node_text(node: AccessibilityNode) -> str:
    return f'"{node.name}"' + (f" = {node.value}" if node.value else "")
