"""Which elements take text, and what can be done with the others: to act by, and to tell beforehand."""

from __future__ import annotations

TEXT_TYPES = frozenset({"text", "search", "email", "url", "tel", "password", "number", ""})
PICKED_TYPES = frozenset({"date", "time", "datetime-local", "month", "week", "color", "range"})
"""Fields with a picker of their own: their value is set at once, in HTML's notation."""
CLICKED = frozenset({"button", "link", "tab", "menuitem", "option", "treeitem"})


def takes_text(tag: str, type: str, *, editable: bool) -> bool:
    """Whether text can be typed into an element of this HTML tag and type."""
    return editable or tag == "textarea" or (tag == "input" and type in TEXT_TYPES | PICKED_TYPES)


def instead_of_typing(tag: str, type: str, role: str, *, ticked: bool) -> str:
    """What can be done with an element that takes no text.

    Args:
        ticked: it is a box or a button that is on or off.
    """
    if type == "file":
        return "upload a file to it"
    if ticked:
        return "check or uncheck it"
    if tag == "select" or role.startswith("combobox") or role == "listbox":
        return "select one of its options"
    if tag in ("a", "button", "input", "summary") or role in CLICKED:
        return "click it"
    return "name a field, or click it and type where the focus is"
