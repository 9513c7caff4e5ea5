"""Roles, names and states of HTML elements, as far as the markup alone tells them.

A recorded page has no browser behind it. What follows is the part of HTML's mapping to accessibility roles
that needs no style sheet, under the role names that Chromium uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from webbench.core.observation import StateValue

if TYPE_CHECKING:
    from lxml.html import HtmlElement

LONGEST_NAME = 300
"""Characters of a name taken from content."""

GENERIC = "generic"

NOT_SHOWN = frozenset(
    ("head", "script", "style", "template", "noscript", "meta", "link", "title", "base", "source", "track")
)

_BY_TAG = {
    "address": "group",
    "article": "article",
    "aside": "complementary",
    "audio": "Audio",
    "blockquote": "blockquote",
    "button": "button",
    "canvas": "Canvas",
    "code": "code",
    "dd": "definition",
    "details": "group",
    "dialog": "dialog",
    "dl": "DescriptionList",
    "dt": "term",
    "em": "emphasis",
    "fieldset": "group",
    "figcaption": "Figcaption",
    "figure": "figure",
    "footer": "contentinfo",
    "form": "form",
    "header": "banner",
    "hr": "separator",
    "iframe": "Iframe",
    "img": "image",
    "label": "LabelText",
    "legend": "Legend",
    "li": "listitem",
    "main": "main",
    "menu": "list",
    "meter": "meter",
    "nav": "navigation",
    "ol": "list",
    "optgroup": "group",
    "option": "option",
    "output": "status",
    "p": "paragraph",
    "pre": "Pre",
    "progress": "progressbar",
    "section": "Section",
    "strong": "strong",
    "summary": "DisclosureTriangle",
    "svg": "image",
    "table": "table",
    "tbody": "rowgroup",
    "td": "cell",
    "textarea": "textbox",
    "tfoot": "rowgroup",
    "th": "columnheader",
    "thead": "rowgroup",
    "time": "time",
    "tr": "row",
    "ul": "list",
    "video": "Video",
} | {f"h{level}": "heading" for level in range(1, 7)}

_BY_INPUT_TYPE = {
    "button": "button",
    "checkbox": "checkbox",
    "color": "ColorWell",
    "file": "button",
    "image": "button",
    "number": "spinbutton",
    "radio": "radio",
    "range": "slider",
    "reset": "button",
    "search": "searchbox",
    "submit": "button",
}
_BUTTON_TYPES = frozenset(("button", "submit", "reset"))

CONTROLS = frozenset(
    (
        *("button", "link", "checkbox", "radio", "textbox", "searchbox", "combobox", "listbox", "option"),
        *("slider", "spinbutton", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio"),
        *("treeitem", "ColorWell", "DisclosureTriangle"),
    )
)
"""Roles that a person acts on."""

_NAMED_BY_CONTENT = frozenset(
    (
        *("button", "link", "option", "heading", "tab", "menuitem", "menuitemcheckbox", "menuitemradio"),
        *("treeitem", "cell", "columnheader", "rowheader", "switch", "DisclosureTriangle", "tooltip"),
    )
)


def role_of(element: HtmlElement) -> str:
    """The role of its `role` attribute, else the one of its tag."""
    named = (element.get("role") or "").split()
    if named and named[0] not in ("none", "presentation"):
        return str(named[0])[:40]
    tag = element.tag
    if tag == "a" or tag == "area":
        return "link" if element.get("href") is not None else GENERIC
    if tag == "input":
        kind = (element.get("type") or "text").lower()
        return "combobox" if element.get("list") else _BY_INPUT_TYPE.get(kind, "textbox")
    if tag == "select":
        return "listbox" if element.get("multiple") is not None else "combobox"
    return _BY_TAG.get(tag, GENERIC)


def hidden(element: HtmlElement) -> bool:
    """Whether the markup itself hides the element and all that is in it."""
    if element.tag in NOT_SHOWN or element.get("hidden") is not None:
        return True
    if element.tag == "input" and (element.get("type") or "").lower() == "hidden":
        return True
    style = (element.get("style") or "").replace(" ", "").lower()
    return element.get("aria-hidden") == "true" or "display:none" in style or "visibility:hidden" in style


def name_of(element: HtmlElement, role: str, labels: Mapping[str, str]) -> str:
    """The accessible name; "" where the markup gives none.

    Args:
        labels: text of the labels of a page, by the id of their field.
    """
    for attribute in ("aria-label", "alt"):
        if given := (element.get(attribute) or "").strip():
            return given[:LONGEST_NAME]
    if element.tag == "input" and (element.get("type") or "").lower() in _BUTTON_TYPES:
        return (element.get("value") or "")[:LONGEST_NAME]
    if element.tag in ("input", "select", "textarea"):
        found = labels.get(element.get("id") or "") or _label_around(element)
        return found or (element.get("placeholder") or element.get("title") or "")[:LONGEST_NAME]
    if role in _NAMED_BY_CONTENT and (content := text_of(element)):
        return content
    return (element.get("title") or "")[:LONGEST_NAME]


def text_of(element: HtmlElement) -> str:
    """Its text and the alternatives of its pictures, in one line."""
    parts: list[str] = []
    length = 0
    for inner in element.iter():
        if isinstance(inner.tag, str) and inner.tag not in NOT_SHOWN:
            alternative = inner.get("alt") or inner.get("aria-label") if inner is not element else None
            parts += filter(None, (alternative, inner.text))
        if inner is not element and inner.tail:
            parts.append(inner.tail)
        length += len(parts[-1]) if parts else 0
        if length > 4 * LONGEST_NAME:
            break
    return " ".join(" ".join(parts).split())[:LONGEST_NAME]


def _label_around(element: HtmlElement) -> str:
    label = next(element.iterancestors("label"), None)
    return "" if label is None else text_of(label)


def value_of(element: HtmlElement) -> str | None:
    """What a field shows, None for what is no field."""
    if element.tag == "input":
        kind = (element.get("type") or "text").lower()
        return (
            None if kind in ("checkbox", "radio", "password", *_BUTTON_TYPES) else element.get("value") or ""
        )
    if element.tag == "textarea":
        return element.text or ""
    if element.tag == "select":
        options = list(element.iter("option"))
        chosen = [option for option in options if option.get("selected") is not None] or options[:1]
        return text_of(chosen[0]) if chosen else ""
    return None


def states_of(element: HtmlElement, role: str) -> dict[str, StateValue]:
    states: dict[str, StateValue] = {}
    if role in ("checkbox", "radio", "switch"):
        states["checked"] = element.get("checked") is not None or element.get("aria-checked") == "true"
    if role == "heading" and element.tag[1:].isdigit():
        states["level"] = int(element.tag[1:])
    if role == "option":
        states["selected"] = element.get("selected") is not None
    for name in ("disabled", "required", "readonly"):
        if element.get(name) is not None or element.get(f"aria-{name}") == "true":
            states[name] = True
    for name in ("expanded", "pressed"):
        if (told := element.get(f"aria-{name}")) in ("true", "false"):
            states[name] = told == "true"
    return states


def interactive(element: HtmlElement, role: str) -> bool:
    """Whether a person could act on it."""
    tabindex = element.get("tabindex") or ""
    return (
        role in CONTROLS
        or tabindex.isdecimal()
        or element.get("onclick") is not None
        or element.get("contenteditable") in ("", "true")
    )
