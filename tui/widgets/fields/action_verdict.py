"""What a typed action amounts to before it is sent: what it acts on, or why it is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from webbench.core.action.action import Action, ElementRef, target_of, verb
from webbench.core.dialects.dialect import Dialect, ParseError
from webbench.core.observation import AccessibilityNode
from webbench.core.text.plain_text import plain_text


@dataclass(frozen=True, slots=True)
class Verdict:
    """`kind`: "empty", "ok", "doubtful" (can be sent, but its target is not on the page), "wrong"."""

    kind: Literal["empty", "ok", "doubtful", "wrong"]
    text: str = ""
    action: Action | None = None
    node: AccessibilityNode | None = None


def judge_action(text: str, dialect: Dialect | None, nodes: Mapping[int, AccessibilityNode]) -> Verdict:
    """Read a text in a dialect and look its target up on the page."""
    if not text.strip():
        return Verdict("empty")
    if dialect is None:
        return Verdict("ok", "no dialect chosen: it will be sent as it is")
    action = dialect.parse(text)
    if isinstance(action, ParseError):
        reason = plain_text(action.reason, limit=160)
        return Verdict(
            "wrong", f"at {action.position + 1}: {reason} · try: {plain_text(action.nearest, limit=80)}"
        )
    return _with_target(action, nodes)


def _with_target(action: Action, nodes: Mapping[int, AccessibilityNode]) -> Verdict:
    name = verb(action)
    target = target_of(action)
    if target is None:
        return Verdict("ok", name, action)
    if target.id is not None:
        node = nodes.get(target.id)
        if node is None:
            return Verdict("doubtful", f"{name}: there is no [{target.id}] on this page", action)
        return Verdict("ok", f"{name} {node_words(node)}", action, node)
    if target.field:
        field = plain_text(target.field, limit=60)
        found = field_node(target, nodes.values())
        if found is None:
            return Verdict("doubtful", f'{name}: no field "{field}" is in the accessibility tree', action)
        return Verdict("ok", f'{name} field "{field}": {node_words(found)}', action, found)
    words = target.selector or target.name or target.role or "what the action describes"
    return Verdict("ok", f"{name} {plain_text(words, limit=80)}", action)


def field_node(target: ElementRef, nodes: Iterable[AccessibilityNode]) -> AccessibilityNode | None:
    """The node of a field that is named: of several of that name the one with the value, else the first."""
    named = [node for node in nodes if node.attributes.get("name") == target.field != ""]
    exact = [node for node in named if not target.option or node.attributes.get("value") == target.option]
    return next(iter(exact or named), None)


def node_words(node: AccessibilityNode) -> str:
    """`[12] button "Add to cart"`, with what speaks against acting on it."""
    words = f'[{node.id}] {plain_text(node.role, limit=40)} "{plain_text(node.name, limit=80)}"'
    if node.states.get("disabled") in (True, "true"):
        words += " · disabled"
    if node.offscreen:
        words += " · off screen"
    return words
