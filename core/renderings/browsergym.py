"""BrowserGym's flattened text: `[id] role 'name' value='…', clickable, visible, property='value'`, by tabs.

The rules are those BrowserGym's documentation and recorded episodes show (Chezelles et al., 2024).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.renderings.page_heading import with_state
from webbench.core.renderings.viewport import shown
from webbench.core.text.field_labels import Element, field_labels

LEFT_OUT = frozenset({"editable", "readonly", "level", "settable", "multiline", "invalid", "focusable"})
BY_LOOKS = frozenset({"cursor", "label", "shape"})
"""What BrowserGym doesn't take for clickable: it goes by listeners and by what takes clicks of itself."""

FLAGS = frozenset({"required", "focused", "atomic"})


def browsergym_text(
    observation: Observation,
    *,
    viewport_only: bool = False,
    clickable: bool = True,
    visible: bool = True,
    acted_on: bool = False,
) -> str:
    """The tree as text, below what is the matter with the page if anything is.

    Args:
        clickable: mark the nodes a person could act on.
        visible: mark the nodes that lie in the viewport.
        acted_on: also a line for everything that a person can act on, which the published format leaves out
            where it is generic without properties, or isn't in Chromium's tree.
    """
    lines: list[str] = []
    labels = _field_labels(observation.nodes) if clickable else set()
    open_nodes: list[tuple[int, str, bool]] = []  # depth, name, shown; of the nodes above
    for node in shown(observation, viewport_only, acted_on):
        while open_nodes and open_nodes[-1][0] >= node.depth:
            open_nodes.pop()
        above = open_nodes[-1][1] if open_nodes else ""
        line = _line(node, above, clickable, visible, acted_on, labels)
        if line:
            indent = sum(1 for _, _, printed in open_nodes if printed)
            lines.append("\t" * indent + line)
        open_nodes.append((node.depth, node.name, bool(line)))
    return with_state("\n".join(lines), observation)


def _field_labels(nodes: Iterable[AccessibilityNode]) -> set[int]:
    return field_labels(
        Element(one.id, one.depth, one.frame, one.tag, one.attributes, "disabled" not in one.states)
        for one in nodes
    )


def _line(
    node: AccessibilityNode, above: str, clickable: bool, visible: bool, acted_on: bool, labels: set[int]
) -> str:
    """The node's line without indent, "" for a node that is left out."""
    role, name = node.role, node.name
    if role == "StaticText":
        return "" if name in above else f"StaticText {name.strip()!r}"
    if role == "LineBreak":
        return ""
    properties = list(_properties(node)) if node.states else []
    if role == "generic" and not properties and not (acted_on and node.interactive):
        return ""
    if acted_on:
        name = name or node.looks
    if role == "RootWebArea" and node.depth == 0:
        return ", ".join([f"{role} {name.strip()!r}", *properties])
    marks: list[str] = []
    taken = node.interactive and (acted_on or node.clickable not in BY_LOOKS)
    if clickable and (taken or node.id in labels):
        marks.append("clickable")
    if visible and node.box is not None and not node.offscreen:
        marks.append("visible")
    text = f"[{node.id}] {role}" if role == "generic" and not name else f"[{node.id}] {role} {name.strip()!r}"
    if node.value is not None:
        text += f" value={node.value!r}"
    return ", ".join([text, *marks, *properties])


def _properties(node: AccessibilityNode) -> Iterator[str]:
    for name, value in node.states.items():
        if name in LEFT_OUT:
            continue
        if name not in FLAGS:
            yield f"{name}={value!r}"
        elif value:
            yield name
