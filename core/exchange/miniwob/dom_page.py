"""A page of a MiniWoB recording as an observation: DOM nodes with boxes, in CSS pixels.

Tag names carry the type of a field (`INPUT_text`), `t` is a text node, `ref` identifies a node. The task is
160 x 210 pixels in a wider body.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from webbench.core.action.action import ElementRef
from webbench.core.json_types import Json, JsonObject, number_of
from webbench.core.observation import AccessibilityNode, Box, Observation, StateValue, Viewport

WIDTH, HEIGHT = 160, 210
MOST_NODES = 20_000
DEEPEST = 60
_ROLES = (
    {"BODY": "RootWebArea", "t": "StaticText", "A": "link", "BUTTON": "button", "TEXTAREA": "textbox"}
    | {"LI": "listitem", "UL": "list", "OL": "list", "TABLE": "table", "TR": "row", "TD": "cell"}
    | {"TH": "columnheader", "P": "paragraph", "LABEL": "LabelText", "FORM": "form", "SELECT": "combobox"}
    | {"H1": "heading", "H2": "heading", "H3": "heading", "OPTION": "option", "IMG": "image"}
)
_INPUTS = {
    "checkbox": "checkbox",
    "radio": "radio",
    "button": "button",
    "submit": "button",
    "range": "slider",
} | {"number": "spinbutton", "date": "Date", "time": "InputTime"}
INVENTED = "password"
"""Its fields count as texts: their passwords are made up and stand in the published instruction, which would
be blotted out with them."""
_PLAIN = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_CONTROLS = frozenset({"link", "button", "textbox", "combobox", "option", *_INPUTS.values()})


class Page:
    """The nodes of one state."""

    def __init__(self, dom: JsonObject) -> None:
        nodes: list[AccessibilityNode] = []
        self._focused: int | None = None
        self._selectors: dict[int, str] = {}
        self._times: Counter[str] = Counter()
        waiting: list[tuple[Json, int]] = [(dom, 0)]
        while waiting and len(nodes) < MOST_NODES:
            raw, depth = waiting.pop()
            if not isinstance(raw, dict):
                continue
            nodes.append(_node(raw, depth))
            self._selectors[nodes[-1].id] = selector = _selector(raw)
            self._times[selector] += 1
            if raw.get("focused"):
                self._focused = nodes[-1].id
            children = raw.get("children")
            if isinstance(children, list) and depth < DEEPEST:
                waiting += [(child, depth + 1) for child in reversed(children)]
        self.nodes = tuple(nodes)

    @cached_property
    def observation(self) -> Observation:
        return Observation(
            nodes=self.nodes,
            viewport=Viewport(width=WIDTH, height=HEIGHT),
            focused=self._focused,
        )

    def reference(self, ref: int | None) -> ElementRef | None:
        """How an action names the node; None where the page doesn't hold it."""
        node = next((node for node in self.nodes if node.id == ref), None) if ref is not None else None
        if node is None:
            return None
        selector = self._selectors[node.id]
        return ElementRef(
            id=node.id,
            role=node.role,
            name=node.name,
            selector=selector if self._times[selector] == 1 else "",
            box=node.box,
        )

    def scrolled(self, ref: int | None, later: Page) -> float:
        """How far the content of a node moved up until a later page, in pixels."""
        index = next((index for index, node in enumerate(self.nodes) if node.id == ref), -1)
        inside = self.nodes[index + 1] if 0 <= index < len(self.nodes) - 1 else None
        moved = next((node for node in later.nodes if inside is not None and node.id == inside.id), None)
        if inside is None or moved is None or inside.box is None or moved.box is None:
            return 0.0
        return inside.box.y - moved.box.y


def _node(raw: JsonObject, depth: int) -> AccessibilityNode:
    tag, _, kind = str(raw.get("tag", "")).partition("_")
    role = _INPUTS.get(kind, "textbox") if tag == "INPUT" else _ROLES.get(tag, "generic")
    value = raw.get("value")
    states: dict[str, StateValue] = {"focused": True} if raw.get("focused") else {}
    if isinstance(value, bool):
        states["checked"] = value
    attributes = {"id": str(raw.get("id") or ""), "type": "" if kind == INVENTED else kind}
    left, top, width, height = (number_of(raw.get(side)) for side in ("left", "top", "width", "height"))
    box = Box(left, top, width, height)
    return AccessibilityNode(
        id=int(number_of(raw.get("ref"))),
        role=role,
        name=str(raw.get("text") or ""),
        value=value if isinstance(value, str) else None,
        depth=depth,
        box=box,
        states=states,
        interactive=role in _CONTROLS,
        offscreen=not box.intersects(WIDTH, HEIGHT),
        tag="" if tag == "t" else tag.lower(),
        attributes={name: text for name, text in attributes.items() if text},
    )


def _selector(raw: JsonObject) -> str:
    """By id, else by classes, else by tag; of a text node ""."""
    tag = str(raw.get("tag", "")).partition("_")[0].lower()
    if tag == "t" or not _PLAIN.fullmatch(tag):
        return ""
    identity = str(raw.get("id") or "")
    if _PLAIN.fullmatch(identity):
        return f"#{identity}"
    classes = [name for name in str(raw.get("classes") or "").split() if _PLAIN.fullmatch(name)]
    return ".".join([tag, *classes])
