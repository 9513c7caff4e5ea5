"""What a typed action amounts to before it is sent: what it acts on, or why it is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from webbench.core.action.action import Action, ElementRef, Type, target_of, verb
from webbench.core.action.text_taking import instead_of_typing, takes_text
from webbench.core.dialects.dialect import Dialect, ParseError
from webbench.core.observation import AccessibilityNode
from webbench.core.text.plain_text import plain_text


@dataclass(frozen=True, slots=True)
class Verdict:
    """`kind`: "empty", "ok", "doubtful" (can be sent; its target isn't there or takes no text), "wrong"."""

    kind: Literal["empty", "ok", "doubtful", "wrong"]
    text: str = ""
    action: Action | None = None
    node: AccessibilityNode | None = None


def judge_action(text: str, dialect: Dialect | None, nodes: Sequence[AccessibilityNode]) -> Verdict:
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


def _with_target(action: Action, nodes: Sequence[AccessibilityNode]) -> Verdict:
    name = verb(action)
    target = target_of(action)
    if target is None:
        return Verdict("ok", name, action)
    if target.id is not None:
        node = next((one for one in nodes if one.id == target.id), None)
        if node is None:
            return Verdict("doubtful", f"{name}: there is no [{target.id}] on this page", action)
        return _on_node(action, f"{name} {node_words(node)}", node)
    if target.field:
        field = plain_text(target.field, limit=60)
        found = field_node(target, nodes)
        if found is None:
            return Verdict("doubtful", f'{name}: no field "{field}" is in the accessibility tree', action)
        return _on_node(action, f'{name} field "{field}": {node_words(found)}', found)
    words = target.selector or target.name or target.role or "what the action describes"
    return Verdict("ok", f"{name} {plain_text(words, limit=80)}", action)


def _on_node(action: Action, words: str, node: AccessibilityNode) -> Verdict:
    """Typing is doubted where the element takes no text, by the rule of the browser that would refuse it."""
    type_ = node.attributes.get("type", "").lower()
    editable = "editable" in node.states
    if not isinstance(action, Type) or not node.tag or takes_text(node.tag, type_, editable=editable):
        return Verdict("ok", words, action, node)
    instead = instead_of_typing(node.tag, type_, node.role.lower(), ticked="checked" in node.states)
    return Verdict("doubtful", f"{words} · takes no text: {instead}", action, node)


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
