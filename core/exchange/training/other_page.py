"""An action on another page: the same elements by the ids that they have there."""

from __future__ import annotations

import msgspec

from webbench.core.action.action import Action, ElementRef
from webbench.core.action.references import map_references
from webbench.core.observation import AccessibilityNode, Observation


class _NotThere(Exception):
    """An element isn't on the page, or more than one could be it."""


def on_page(action: Action, page: Observation) -> Action | None:
    """The action with each element's id on this page; None where an element can't be told.

    An element is the only node of its role and name, or, of several, the one that has the same id.
    """
    try:
        return map_references(action, lambda reference: _there(reference, page))
    except _NotThere:
        return None


def _there(reference: ElementRef, page: Observation) -> ElementRef:
    if reference.id is None:
        return reference
    alike = [node for node in page.nodes if _is(node, reference)]
    same = [node for node in alike if node.id == reference.id]
    found = same or alike
    if len(found) != 1 or not reference.role:
        raise _NotThere
    return msgspec.structs.replace(reference, id=found[0].id)


def _is(node: AccessibilityNode, reference: ElementRef) -> bool:
    return (node.role, node.name) == (reference.role, reference.name)
