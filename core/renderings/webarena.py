"""WebArena's accessibility-tree text: one line per node, `[id] role 'name' property: value`, by tabs.

The rules (which properties, which unnamed nodes, which repeated text is left out) are those of the
observation that the WebArena paper describes (Zhou et al., 2023), so prompts made for it can be used.
"""

from __future__ import annotations

from collections import deque

from webbench.core.observation import AccessibilityNode, Observation, StateValue
from webbench.core.renderings.viewport import shown

LEFT_OUT = frozenset({"focusable", "editable", "readonly", "level", "settable", "multiline", "invalid"})
DROPPED_UNNAMED = frozenset(
    {
        "generic", "img", "image", "list", "strong", "paragraph", "banner", "navigation", "Section",
        "LabelText", "Legend", "listitem",
    }
)  # fmt: skip
NEARBY_LINES = 3


def webarena_text(observation: Observation, *, viewport_only: bool = False) -> str:
    """Tabs line, URL line, empty line, tree."""
    tree = webarena_tree(observation, viewport_only=viewport_only)
    return f"{tabs_line(observation)}\nURL: {observation.url}\n\n{tree}"


def tabs_line(observation: Observation) -> str:
    """`Tab 0 (current): title | Tab 1: title`."""
    if not observation.tabs:
        return f"Tab 0 (current): {one_line(observation.title)}"
    return " | ".join(
        f"Tab {tab.index}{' (current)' if tab.active else ''}: {one_line(tab.title)}"
        for tab in observation.tabs
    )


def webarena_tree(observation: Observation, *, viewport_only: bool = False) -> str:
    """The tree alone, as WebArena's own agents get it."""
    lines: list[str] = []
    nearby: deque[str] = deque(maxlen=NEARBY_LINES)
    dropped: list[int] = []  # depths of the dropped nodes above
    for node in shown(observation, viewport_only):
        while dropped and dropped[-1] >= node.depth:
            dropped.pop()
        properties = _properties(node.states)
        if not properties and node.role in DROPPED_UNNAMED and not node.name.strip():
            dropped.append(node.depth)
            continue
        line = _line(node, properties, node.depth - len(dropped))
        if node.role == "StaticText" and _repeats(node.name, nearby):
            continue
        lines.append(line)
        nearby.append(line)
    return "\n".join(lines)


def _line(node: AccessibilityNode, properties: str, depth: int) -> str:
    return "\t" * depth + f"[{node.id}] {node.role} {node.name!r}{properties}"


def _properties(states: dict[str, StateValue]) -> str:
    if not states:
        return ""
    return "".join(f" {name}: {value}" for name, value in states.items() if name not in LEFT_OUT)


def _repeats(name: str, nearby: deque[str]) -> bool:
    """Text that says nothing, or what one of the lines just above already says."""
    text = repr(name)[1:-1]
    return not text or any(text in line for line in nearby)


def one_line(text: str) -> str:
    """Page text that can't break the line it stands in."""
    return " ".join(text.split())
