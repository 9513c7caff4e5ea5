"""Which labels hand a click on to a field: field labels, which the browser then takes for clickable.

It stands here because agents' processes import it, which load nothing of ours that takes time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

FIELDS = frozenset({"input", "select", "textarea", "button"})


class Element(NamedTuple):
    """What is asked of a node; `enabled`: it is not said to be disabled."""

    id: int
    depth: int
    frame: int
    tag: str
    attributes: Mapping[str, str]
    enabled: bool


def field_labels(nodes: Iterable[Element]) -> set[int]:
    """Ids of the labels of fields that take a click; `nodes` are those of a page in its order."""
    elements = list(nodes)
    fields = {
        (one.frame, one.attributes.get("id", "")) for one in elements if one.tag in FIELDS and one.enabled
    }
    return {
        one.id
        for place, one in enumerate(elements)
        if one.tag == "label"
        and (
            (one.frame, one.attributes["for"]) in fields
            if one.attributes.get("for")
            else _holds_field(elements, place)
        )
    }


def _holds_field(elements: Sequence[Element], place: int) -> bool:
    """Whether the first field in it takes a click."""
    for inner in islice(elements, place + 1, None):
        if inner.depth <= elements[place].depth:
            break
        if inner.tag in FIELDS:
            return inner.enabled
    return False
