"""How a node looks in one line: the class of its role, its sign, its states as glyphs and words."""

from __future__ import annotations

from webbench.core.observation import AccessibilityNode
from webbench.tui.widgets.lines.glyphs import Glyphs

CLASSES: dict[str, str] = {
    **dict.fromkeys(("link",), "link"),
    **dict.fromkeys(("button", "menuitem", "tab", "DisclosureTriangle", "PopUpButton"), "button"),
    **dict.fromkeys(("textbox", "searchbox", "spinbutton", "slider", "textField", "TextField"), "field"),
    **dict.fromkeys(("combobox", "listbox", "option", "MenuListPopup", "MenuListOption"), "choice"),
    **dict.fromkeys(("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"), "choice"),
    **dict.fromkeys(("heading",), "heading"),
    **dict.fromkeys(("img", "image", "Canvas", "Video", "Audio", "graphics-document", "figure"), "image"),
    **dict.fromkeys(("StaticText", "text", "paragraph", "LabelText", "code", "emphasis", "strong"), "text"),
    **dict.fromkeys(
        ("RootWebArea", "WebArea", "main", "navigation", "banner", "contentinfo", "complementary"), "landmark"
    ),
    **dict.fromkeys(("form", "search", "region", "dialog", "alertdialog", "Iframe", "article"), "landmark"),
    **dict.fromkeys(("alert", "status", "log", "marquee", "timer"), "alert"),
}

SIGNS: dict[str, str] = {
    "link": "link",
    "button": "button",
    "heading": "heading",
    "image": "image",
    "landmark": "landmark",
    "text": "text",
    "field": "field",
    "choice": "choice",
    "alert": "warning",
}

ROLE_SIGNS: dict[str, str] = {
    **dict.fromkeys(("list", "listbox", "menu", "menubar", "radiogroup", "tablist", "tree"), "list"),
    **dict.fromkeys(("listitem", "option", "ListMarker", "treeitem"), "item"),
    **dict.fromkeys(("table", "grid", "row", "cell", "gridcell", "columnheader", "rowheader"), "table"),
}

NAMES: dict[str, str] = {
    "RootWebArea": "page",
    "StaticText": "text",
    "Iframe": "frame",
    "LabelText": "label",
    "DisclosureTriangle": "disclosure",
    "PopUpButton": "popup button",
    "generic": "group",
}

WORDS: tuple[str, ...] = ("expanded", "pressed", "readonly", "invalid", "busy", "modal")


def role_class(role: str) -> str:
    """One of link, button, field, choice, heading, image, text, landmark, alert, other."""
    return CLASSES.get(role, "other")


def role_name(role: str) -> str:
    """The role in the words people use."""
    return NAMES.get(role, role)


def role_sign(node: AccessibilityNode, glyphs: Glyphs) -> str:
    """The sign before the role; check boxes and radio buttons show their state in it."""
    checked = node.states.get("checked")
    if checked is not None and node.role != "option":
        if node.role in ("radio", "menuitemradio"):
            return glyphs.chosen if is_on(checked) else glyphs.unchosen
        if checked == "mixed":
            return glyphs.mixed
        return glyphs.checked if is_on(checked) else glyphs.unchecked
    name = ROLE_SIGNS.get(node.role) or SIGNS.get(role_class(node.role), "other")
    return str(getattr(glyphs, name))


def is_on(state: object) -> bool:
    return state in (True, "true")


def state_words(node: AccessibilityNode, glyphs: Glyphs) -> list[tuple[str, str]]:
    """What holds of the node, as (word, kind): kind is "state", "warning" or "focus"."""
    words: list[tuple[str, str]] = []
    states = node.states
    if is_on(states.get("focused")):
        words.append((f"{glyphs.focused} focus", "focus"))
    if "level" in states and node.role == "heading":
        words.append((f"h{states['level']}", "state"))
    if is_on(states.get("selected")):
        words.append((f"{glyphs.selected} selected", "state"))
    if is_on(states.get("required")):
        words.append((f"required{glyphs.required}", "warning"))
    if is_on(states.get("disabled")):
        words.append((f"{glyphs.disabled} disabled", "state"))
    words.extend((name, "state") for name in WORDS if states.get(name) not in (None, False, "false", "none"))
    if states.get("expanded") in (False, "false"):
        words.append(("collapsed", "state"))
    low, high = states.get("valuemin"), states.get("valuemax")
    if low is not None and high is not None:
        words.append((f"{low} to {high}", "state"))
    if node.offscreen:
        words.append((glyphs.offscreen, "state"))
    return words
