"""Where a step and its observation hold what was typed into password fields."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import msgspec

from webbench.core.action.action import ElementRef, Press, Type
from webbench.core.json_types import JsonObject
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.provenance import Provenance
from webbench.core.store.secrets.redaction import MARKER
from webbench.core.trajectory import Step

_MASK = frozenset("•●*∙⦁")
_CHARACTER = re.compile(r"(Shift\+)?.\Z", re.DOTALL)
"""A key that types something, not one like Enter or Control+a."""

_INPUT = re.compile(r"<input\b[^>]*>", re.IGNORECASE)
_PASSWORD = re.compile(r"""\btype\s*=\s*["']?password\b""", re.IGNORECASE)
_VALUE = re.compile(r"""(\bvalue\s*=\s*)("([^"]*)"|'([^']*)'|[^\s"'>]+)""", re.IGNORECASE)


def is_password(node: AccessibilityNode) -> bool:
    """Whether it is a field whose text is never recorded."""
    return node.attributes.get("type", "").lower() == "password"


def _password_fields(observation: Observation) -> list[AccessibilityNode]:
    return [node for node in observation.nodes if node.attributes and is_password(node)]


def typed_secret(step: Step, before: Observation) -> str:
    """What the step typed into a password field of the page it acted on, "" where it did not."""
    action = step.action
    if isinstance(action, Type) and _meets_password(action.target, before):
        return action.text
    if isinstance(action, Press) and _CHARACTER.match(action.keys) and _meets_password(action.target, before):
        return action.keys[-1]
    return ""


def conceal(step: Step) -> Step:
    """A redacted step without what it typed, also where that was too short or oddly spelled to be found."""
    action = step.action
    if isinstance(action, Type):
        action = msgspec.structs.replace(action, text=MARKER)
    elif isinstance(action, Press):
        action = msgspec.structs.replace(action, keys=MARKER)
    return msgspec.structs.replace(
        step,
        action=action,
        text=_concealed(step.text),
        proposed=_concealed(step.proposed),
        reply=_concealed(step.reply),
        calls=tuple(
            msgspec.structs.replace(call, reply=_concealed(call.reply), tools=()) for call in step.calls
        ),
        provenance=_without_candidates(step.provenance),
        agent_state={},
        source=_without_arguments(step.source),
    )


def _without_candidates(provenance: Provenance | None) -> Provenance | None:
    if provenance is None:
        return None
    return msgspec.structs.replace(provenance, candidates=tuple(map(_concealed, provenance.candidates)))


def _without_arguments(source: JsonObject) -> JsonObject:
    """What the source says besides, without the arguments of a call that are kept as they were."""
    call = source.get("call")
    if not isinstance(call, dict) or "arguments" not in call:
        return source
    return source | {"call": call | {"arguments": MARKER}}


def _concealed(text: str) -> str:
    return text if MARKER in text or not text else MARKER


def is_told(secret: str, task: str) -> bool:
    """Whether the words of a task hold it as a word of its own."""
    return bool(secret) and re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", task) is not None


def shown_secrets(observation: Observation) -> set[str]:
    """Values of password fields that the accessibility tree gives in the clear."""
    values = (node.value for node in _password_fields(observation))
    return {value for value in values if value and not set(value) <= _MASK}


def without_values(observation: Observation) -> Observation:
    """The observation with the content of its password fields replaced, also in their text nodes."""
    if not _password_fields(observation):
        return observation
    around = {name: without_html_values(html) for name, html in observation.relevant_html.items()}
    return msgspec.structs.replace(observation, nodes=tuple(_masked(observation.nodes)), relevant_html=around)


def secrets_in_html(text: str) -> set[str]:
    """`value` attributes of password fields."""
    found: set[str] = set()
    for field in _INPUT.finditer(text):
        if _PASSWORD.search(field[0]):
            for value in _VALUE.finditer(field[0]):
                found.add(html.unescape(value[2].strip("\"'")))
    return found - {""}


def without_html_values(text: str) -> str:
    """The HTML with the `value` attributes of its password fields replaced."""

    def masked(field: re.Match[str]) -> str:
        return _VALUE.sub(rf'\g<1>"{MARKER}"', field[0]) if _PASSWORD.search(field[0]) else field[0]

    return _INPUT.sub(masked, text)


def _masked(nodes: tuple[AccessibilityNode, ...]) -> Iterator[AccessibilityNode]:
    inside: int | None = None
    for node in nodes:
        if inside is not None and node.depth <= inside:
            inside = None
        if is_password(node):
            inside = node.depth
            yield msgspec.structs.replace(node, value=MARKER) if node.value else node
        elif inside is not None and (node.name or node.value):
            yield msgspec.structs.replace(
                node, name=MARKER if node.name else "", value=MARKER if node.value else node.value
            )
        else:
            yield node


def _meets_password(target: ElementRef | None, before: Observation) -> bool:
    """Whether the action's element, or what has the focus where it names none, is a password field."""
    if target is None:
        return any(node.id == before.focused and is_password(node) for node in before.nodes)
    if target.secret or _PASSWORD.search(target.selector):
        return True
    return any(is_password(node) and _same(node, target) for node in before.nodes)


def _same(node: AccessibilityNode, target: ElementRef) -> bool:
    if target.id is not None:
        return node.id == target.id
    name, element_id = node.attributes.get("name", ""), node.attributes.get("id", "")
    return (
        bool(target.field and target.field == name)
        or bool(element_id and target.selector.endswith(f"#{element_id}"))
        or bool(target.name and target.name == node.name)
        or (target.box is not None and target.box == node.box)
    )
