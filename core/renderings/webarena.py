"""WebArena's accessibility-tree text: one line per node, `[id] role 'name' property: value`, by tabs.

The rules (which properties, which unnamed nodes, which repeated text is left out) are those of the
observation that the WebArena paper describes (Zhou et al., 2023), so prompts made for it can be used.
"""

from __future__ import annotations

from webbench.core.observation import Observation, StateValue
from webbench.core.renderings.page_heading import with_state
from webbench.core.renderings.viewport import shown

LEFT_OUT = frozenset({"focusable", "editable", "readonly", "level", "settable", "multiline", "invalid"})
DROPPED_UNNAMED = frozenset(
    {
        "generic", "img", "image", "list", "strong", "paragraph", "banner", "navigation", "Section",
        "LabelText", "Legend", "listitem",
    }
)  # fmt: skip
NEARBY_LINES = 3


def webarena_text(observation: Observation, *, viewport_only: bool = False, acted_on: bool = False) -> str:
    """Tabs line, URL line, empty line, what is the matter with the page if anything is, tree."""
    tree = webarena_tree(observation, viewport_only=viewport_only, acted_on=acted_on)
    return f"{tabs_line(observation)}\nURL: {observation.url}\n\n{with_state(tree, observation)}"


def tabs_line(observation: Observation) -> str:
    """`Tab 0 (current): title | Tab 1: title`."""
    if not observation.tabs:
        return f"Tab 0 (current): {one_line(observation.title)}"
    return " | ".join(
        f"Tab {tab.index}{' (current)' if tab.active else ''}: {one_line(tab.title)}"
        for tab in observation.tabs
    )


def webarena_tree(observation: Observation, *, viewport_only: bool = False, acted_on: bool = False) -> str:
    """The tree alone, as WebArena's own agents get it.

    Args:
        acted_on: also a line for everything that a person can act on, which the published format leaves out
            where it has no name, or isn't in Chromium's tree; what has no name is told by how it looks.
    """
    lines = [""] * NEARBY_LINES  # ahead of the first, for looking back
    dropped: list[int] = []  # depths of the dropped nodes above
    told: dict[int, str] = {}  # nodes share their states
    tab = "\t"
    for node in shown(observation, viewport_only, acted_on):
        depth, role, name, states = node.depth, node.role, node.name, node.states
        while dropped and dropped[-1] >= depth:
            dropped.pop()
        properties = told.get(id(states))
        if properties is None:
            properties = told[id(states)] = _properties(states)
        told_apart = bool(properties) or role not in DROPPED_UNNAMED or bool(name.strip())
        if not told_apart and not (acted_on and node.interactive):
            dropped.append(depth)
            continue
        if acted_on and not name.strip():
            name = node.looks or name
        shown_name = repr(name)
        if role == "StaticText" and _repeats(shown_name[1:-1], lines):
            continue
        lines.append(f"{tab * (depth - len(dropped))}[{node.id}] {role} {shown_name}{properties}")
    return "\n".join(lines[NEARBY_LINES:])


def _properties(states: dict[str, StateValue]) -> str:
    if not states:
        return ""
    return "".join(f" {name}: {value}" for name, value in states.items() if name not in LEFT_OUT)


def _repeats(text: str, lines: list[str]) -> bool:
    """Text that says nothing, or what one of the lines just above already says."""
    return not text or text in lines[-1] or text in lines[-2] or text in lines[-3]


def one_line(text: str) -> str:
    """Page text that can't break the line it stands in."""
    return " ".join(text.split())
