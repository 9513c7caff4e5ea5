"""Which nodes a rendering shows."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.observation import AccessibilityNode, Observation

_LISTS = frozenset({"combobox", "listbox", "ComboBoxSelect", "ListBox"})
_OPTIONS = frozenset({"option", "menuitem", "MenuListOption"})


def shown(observation: Observation, viewport_only: bool, added: bool = True) -> Sequence[AccessibilityNode]:
    """All nodes, or those in the viewport with the nodes above them that give the nesting.

    The options of a closed list are nowhere on the page; they are shown with their list, as WebArena shows
    them: nobody could choose one otherwise.

    Args:
        added: also those that Chromium's accessibility tree leaves out.
    """
    nodes = observation.nodes
    if not added and any(node.added for node in nodes):
        nodes = tuple(node for node in nodes if not node.added)
    if not viewport_only or observation.viewport_only:
        return nodes
    offered = _offered(nodes)
    kept: list[AccessibilityNode] = []
    wanted = -1
    for node in reversed(nodes):
        if _visible(node) or node.id in offered or node.depth == wanted:
            kept.append(node)
            wanted = node.depth - 1
    kept.reverse()
    return kept


def _visible(node: AccessibilityNode) -> bool:
    return node.box is not None and not node.offscreen


def _offered(nodes: Sequence[AccessibilityNode]) -> set[int]:
    """Ids of the options of visible lists that have no place of their own."""
    found: set[int] = set()
    holder: AccessibilityNode | None = None
    for node in nodes:
        if holder is not None and node.depth <= holder.depth:
            holder = None
        if holder is None and node.role in _LISTS and _visible(node):
            holder = node
        elif holder is not None and node.box is None and node.role in _OPTIONS:
            found.add(node.id)
    return found
