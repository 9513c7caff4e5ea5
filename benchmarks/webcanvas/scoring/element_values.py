"""Element values and texts: what is compared, and how."""

from __future__ import annotations

from webbench.core.errors import BadData
from webbench.core.json_types import Json

SELECT_PHRASE = "Select an option value"
NAMING_ATTRIBUTES = ("title", "placeholder", "aria-label", "aria-checked")


def value_exact_match(value: Json, reference: Json) -> int:
    """1 where both are equal, untrimmed and with case, else 0."""
    return int(value == reference)


def value_include_match(value: Json, reference: Json) -> int:
    """1 where the reference is part of the value, else 0. Raises `BadData` where one of them is no text."""
    try:
        return int(reference in value)
    except TypeError:
        raise BadData(f"the value {value!r} can't be searched for {reference!r}") from None


def text_exact_match(text: Json, reference: Json) -> int:
    """1 where both are equal in lower case, else 0. Raises `BadData` where one of them is no text."""
    given, wanted = _lower_case(text, reference)
    return int(given == wanted)


def text_include_match(text: Json, reference: Json) -> int:
    """1 where the reference is part of the text in lower case, else 0. Raises as `text_exact_match`."""
    given, wanted = _lower_case(text, reference)
    return int(wanted in given)


def element_value(node: Json) -> Json:
    """The text that a clicked element is taken to have: its own, or what an attribute calls it.

    A submit button without any is "submit", a `select` (lower case) a fixed phrase, anything else "".
    Only what is needed is looked at: an element with a text may lack everything else.

    Args:
        node: {"text", "attributes": {name: value}, "tagName"}.

    Raises `BadData` where something needed is missing.
    """
    text = _field(node, "text")
    if text:
        return text
    attributes = _field(node, "attributes")
    if not isinstance(attributes, dict):
        raise BadData(f'the "attributes" of the element are {attributes!r}, which is no object')
    named = next((attributes[name] for name in NAMING_ATTRIBUTES if attributes.get(name)), "")
    if named:
        return named
    if attributes.get("type") == "submit":
        return "submit"
    return SELECT_PHRASE if _field(node, "tagName") == "select" else ""


def _field(node: Json, name: str) -> Json:
    if not isinstance(node, dict) or name not in node:
        raise BadData(f'the element {node!r} has no "{name}"')
    return node[name]


def _lower_case(text: Json, reference: Json) -> tuple[str, str]:
    if not isinstance(text, str) or not isinstance(reference, str):
        raise BadData(f"{text!r} can't be compared with {reference!r}: both have to be texts")
    return text.lower(), reference.lower()
