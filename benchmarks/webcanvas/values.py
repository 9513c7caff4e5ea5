"""Element values and texts: what is compared, and how."""

from __future__ import annotations

from collections.abc import Mapping

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


def element_value(tag: str, text: str | None, attributes: Mapping[str, str]) -> str:
    """The text that a clicked element is taken to have: its own, or what an attribute calls it.

    A submit button without any is "submit", a `select` (lower case) a fixed phrase, anything else "".
    """
    if text:
        return text
    named = next((attributes[name] for name in NAMING_ATTRIBUTES if attributes.get(name)), "")
    if named:
        return named
    if attributes.get("type") == "submit":
        return "submit"
    return SELECT_PHRASE if tag == "select" else ""


def _lower_case(text: Json, reference: Json) -> tuple[str, str]:
    if not isinstance(text, str) or not isinstance(reference, str):
        raise BadData(f"{text!r} can't be compared with {reference!r}: both have to be texts")
    return text.lower(), reference.lower()
