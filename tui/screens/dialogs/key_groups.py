"""Groups of keys that work from where the focus is: the one list behind help screen and palette."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

from webbench.tui.commands import key_sign

Reach = tuple[str, str, str, tuple[str, DOMNode]]
"""Keys, title, help, and (action, namespace) as `App.run_action` takes them."""


def reachable_actions(screen: Screen[object]) -> Iterator[Reach]:
    """Every action that a key reaches now, the focused widget's first; re-bound keys are the new ones."""
    keys: dict[tuple[DOMNode, str], list[str]] = {}
    shown: dict[tuple[DOMNode, str], tuple[str, str]] = {}
    for key, active in screen.active_bindings.items():
        binding = active.binding
        if binding.system or not binding.description:
            continue
        place = (active.node, binding.action)
        keys.setdefault(place, []).append(binding.key_display or key_sign(screen.app, key))
        shown[place] = (binding.description, active.tooltip or binding.tooltip or binding.description)
    for (node, action), (title, help_text) in shown.items():
        yield " ".join(dict.fromkeys(keys[node, action])), title, help_text, (action, node)


def help_groups(screen: Screen[object]) -> list[tuple[str, list[tuple[str, str]]]]:
    """(heading, [(keys, what they do)]) from the focused widget outwards."""
    groups: dict[DOMNode, list[tuple[str, str]]] = {}
    for keys, title, help_text, (_, node) in reachable_actions(screen):
        text = title if help_text == title else f"{title} · {help_text}"
        groups.setdefault(node, []).append((keys, text))
    inner = [node for node in groups if not isinstance(node, App | Screen)]
    outer = [node for node in groups if isinstance(node, Screen)]
    last = [node for node in groups if isinstance(node, App)]
    return [(_heading(node), groups[node]) for node in (*inner, *outer, *last)]


def _heading(node: DOMNode) -> str:
    if isinstance(node, App):
        return "Everywhere"
    name = type(node).__name__.removesuffix("Screen")
    return "".join(f" {char.lower()}" if char.isupper() and at else char for at, char in enumerate(name))
