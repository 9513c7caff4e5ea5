"""Lists of a page's elements as browser agents are shown them, read back into nodes.

One element begins a line: `[9]<button Consent/>` (Browser-Use), `B3[:]<button role="button">Consent</button>`
(Notte), `- [3] <button aria_label="Consent"></button>` (Proxy); its text may go on over further lines.
"""

from __future__ import annotations

import re

from webbench.core.observation import NUMBERED_HERE, AccessibilityNode

MOST_NODES = 20_000
LONGEST_NAME = 300
_BEGINS = re.compile(r"^(?:- )?(?:\[(\d{1,6})\]|([A-Z]\d{1,6})\[:\]) ?<([A-Za-z][\w-]*)", re.MULTILINE)
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_ROLES = {
    "a": "link",
    "button": "button",
    "input": "textbox",
    "textarea": "textbox",
    "select": "combobox",
} | {
    "img": "image",
    "option": "option",
    "iframe": "Iframe",
}
_NAMING = ("aria_label", "aria-label", "alt", "placeholder", "title", "name")
_KEPT = ("id", "name", "type", "href", "placeholder")
_SPACE = re.compile(r"\s+")


def elements_of(text: str) -> dict[str, AccessibilityNode]:
    """The elements by their own ids ("9", "B3"), in order."""
    begins = list(_BEGINS.finditer(text))[:MOST_NODES]
    ends = [*(found.start() for found in begins[1:]), len(text)]
    nodes: dict[str, AccessibilityNode] = {}
    for number, (found, end) in enumerate(zip(begins, ends, strict=False)):
        label = found[1] or found[2]
        identity = int(label) if label.isdecimal() else NUMBERED_HERE + number
        nodes[label] = _node(identity, label, found[3].lower(), text[found.end() : end])
    return nodes


def _node(identity: int, label: str, tag: str, rest: str) -> AccessibilityNode:
    head, closed, tail = rest.partition(">")
    attributes = dict(_ATTRIBUTE.findall(head))
    if head.endswith("/") or not closed:
        words = "" if attributes else _telling(head.removesuffix("/"), tag)
    else:
        words = re.split(r"</|/>", tail, maxsplit=1)[0]
    name = next((attributes[key] for key in _NAMING if attributes.get(key)), "")
    role = attributes.get("role") or _ROLES.get(tag, "generic")
    kept = {key: attributes[key] for key in _KEPT if attributes.get(key)}
    return AccessibilityNode(
        id=identity,
        role=role,
        name=(_SPACE.sub(" ", words).strip() or name)[:LONGEST_NAME],
        value=attributes.get("value") or None,
        depth=1,
        interactive=True,
        tag=tag,
        attributes=kept if label.isdecimal() else kept | {"bid": label},
    )


def _telling(words: str, tag: str) -> str:
    """Of a field, whose words are its attributes' values ("q;Find a recipe;text"), the longest."""
    return max(words.split(";"), key=len) if tag in ("input", "textarea") else words
