"""Changing the elements that an action refers to."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from webbench.core.action.action import Action, ElementRef


def map_references(action: Action, change: Callable[[ElementRef], ElementRef]) -> Action:
    """The action with `change` applied to every element it names."""
    changed = {
        field: change(reference)
        for field in ("source", "target")
        if (reference := getattr(action, field, None)) is not None
    }
    return msgspec.structs.replace(action, **changed) if changed else action


def without_id(action: Action) -> Action:
    """The action for another life of the page, where ids mean nothing; a bare id is kept.

    An element with a name is not looked for by its place: what stands there under another name is
    something else.
    """
    return map_references(action, _fingerprint_only)


def _fingerprint_only(reference: ElementRef) -> ElementRef:
    box = None if reference.name else reference.box
    bare = msgspec.structs.replace(reference, id=None, box=box)
    return reference if bare == ElementRef() else bare
