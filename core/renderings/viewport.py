"""Which nodes a rendering shows."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.observation import AccessibilityNode, Observation


def shown(observation: Observation, viewport_only: bool) -> Sequence[AccessibilityNode]:
    """All nodes, or those in the viewport with the nodes above them that give the nesting."""
    nodes = observation.nodes
    if not viewport_only or observation.viewport_only:
        return nodes
    kept: list[AccessibilityNode] = []
    wanted = -1
    for node in reversed(nodes):
        visible = node.box is not None and not node.offscreen
        if visible or node.depth == wanted:
            kept.append(node)
            wanted = node.depth - 1
    kept.reverse()
    return kept
