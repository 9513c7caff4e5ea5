"""What a step changed on the page, in lines that a report shows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.analysis.observation_difference import NodeChange, ObservationDifference
from webbench.core.observation import AccessibilityNode
from webbench.core.report.scores import shortened

MOST = 100
"""Nodes of a kind that are named."""
LONGEST = 300


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """Counts in one line, and the nodes: sign ("+", "-", "~") and text of each, at most `MOST` of a kind."""

    summary: str
    lines: Sequence[tuple[str, str]]


def page_changes(difference: ObservationDifference) -> Changes | None:
    """None where the page was not recorded on both sides."""
    if not difference.known:
        return None
    counts = (
        (len(difference.added), "added"),
        (len(difference.removed), "removed"),
        (len(difference.changed), "changed"),
        (difference.moved, "moved"),
    )
    told = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    lines = [
        *(("~", f"{one.name}: {_value(one.before)} → {_value(one.after)}") for one in difference.page),
        *_listed("+", [_node(node) for node in difference.added]),
        *_listed("-", [_node(node) for node in difference.removed]),
        *_listed("~", [_changed(one) for one in difference.changed]),
    ]
    return Changes(summary=told or "nothing", lines=lines)


def _listed(sign: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    found = [(sign, shortened(text, LONGEST)) for text in texts[:MOST]]
    more = len(texts) - MOST
    return found if more <= 0 else [*found, (sign, f"… and {more:,} more")]


def _node(node: AccessibilityNode) -> str:
    return f'{node.id_text}{node.role} "{node.name}"'


def _changed(change: NodeChange) -> str:
    fields = ", ".join(f"{one.name}: {_value(one.before)} → {_value(one.after)}" for one in change.fields)
    return f"{_node(change.after)} {fields}"


def _value(value: object) -> str:
    return "none" if value is None else f'"{value}"' if isinstance(value, str) else str(value).lower()
