"""Told actions: what a browser-use process tells of an action, as a proposal of ours."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from webbench.core.action.action import Action, ElementRef, Noop
from webbench.core.action.references import map_references
from webbench.core.agent import Done, Proposal
from webbench.core.agents.command.answer_lines import MOST_CALLS
from webbench.core.dialects.notations.browser_use import action_in, element_of
from webbench.core.errors import ActionFailed, AgentFailed
from webbench.core.json_types import Json, JsonObject
from webbench.core.model_call import ModelCall
from webbench.core.models.prices import Price
from webbench.core.observation import AccessibilityNode, Box, Observation
from webbench.core.text.bounded_json import decode
from webbench.core.text.plain_text import plain_clip

NEAR = 2.0
"""CSS px by which the sides of one box may differ between two programs that measure it."""
LONGEST_ARGUMENTS = 400


class Told(msgspec.Struct, kw_only=True):
    """A line of the process that proposes.

    Attributes:
        name, arguments: of the action.
        element: what browser-use knows of the element that it is on, as in its history.
        tabs: addresses of its tabs, by the ids that it calls them by.
        calls: of models since the last line.
        error: why it goes on no more.
    """

    name: str = ""
    arguments: JsonObject = {}
    element: JsonObject | None = None
    tabs: dict[str, str] = {}
    reasoning: str = ""
    reply: str = ""
    calls: list[ModelCall] = []
    error: str = ""


class _Outcome(msgspec.Struct, kw_only=True):
    output: str = ""
    target: str = ""
    error: str = ""


def read_told(line: str, called: str, price: Price) -> Told:
    """Raises `AgentFailed`, with the calls of models, where the process says that it goes on no more."""
    try:
        told = msgspec.convert(decode(line), Told)
    except (ValueError, msgspec.ValidationError) as error:
        what = f"{called} wrote what is no line of the protocol"
        raise AgentFailed(f"{what}: {plain_clip(line, 200)}") from error
    told.calls = priced(told.calls[:MOST_CALLS], price)
    if told.error or not told.name:
        why = plain_clip(told.error or "it named no action", 500)
        raise AgentFailed(f"{called} failed: {why}", calls=tuple(told.calls))
    return told


def read_outcome(line: str) -> Done:
    """What became of an action. Raises `ActionFailed` where it failed."""
    try:
        told = msgspec.convert(decode(line), _Outcome)
    except (ValueError, msgspec.ValidationError) as error:
        raise ActionFailed(f"browser-use told nothing of it: {plain_clip(line, 200)}") from error
    if told.error:
        raise ActionFailed(told.error)
    return Done(told.output, told.target)


def priced(calls: Sequence[ModelCall], price: Price) -> list[ModelCall]:
    """With their cost, where the price is known and they don't tell it."""
    return [
        msgspec.structs.replace(call, cost=price.cost(call.prompt_tokens, call.completion_tokens))
        if call.cost is None
        else call
        for call in calls
    ]


def known_action(told: Told, page: Observation) -> Action | None:
    """In our words, on the element as our observation has it; None for what no action of ours is."""
    places = {name: _place(url, page) for name, url in told.tabs.items()}
    tabs = {name: place for name, place in places.items() if place is not None}
    element = element_of(told.arguments.get("index"), told.element)
    action = action_in(told.name, told.arguments, element, tabs)
    return None if action is None else map_references(action, lambda ref: as_observed(ref, page))


def _place(url: str, page: Observation) -> int | None:
    return next((tab.index for tab in page.tabs if tab.url == url), None)


def as_observed(ref: ElementRef, page: Observation) -> ElementRef:
    """The element by our id where our observation shows one of this box, best of its role and name.

    browser-use's number is its own: without such an element the reference has none.
    """
    bare = msgspec.structs.replace(ref, id=None, path="")
    box = ref.box
    if box is None:
        return bare
    scrolled = Box(box.x - page.viewport.scroll_x, box.y - page.viewport.scroll_y, box.width, box.height)
    near = [one for one in page.nodes if one.box is not None and _is_near(one.box, scrolled)]
    if not near:
        return bare
    node = max(near, key=lambda one: _likeness(one, ref))
    return msgspec.structs.replace(bare, id=node.id, role=node.role, name=node.name or ref.name, box=node.box)


def _is_near(ours: Box, theirs: Box) -> bool:
    pairs = zip(msgspec.structs.astuple(ours), msgspec.structs.astuple(theirs), strict=True)
    return all(abs(one - other) <= NEAR for one, other in pairs)


def _likeness(node: AccessibilityNode, ref: ElementRef) -> tuple[bool, bool, bool]:
    return node.role == ref.role, bool(node.name) and node.name == ref.name, node.interactive


def in_words(told: Told) -> str:
    """The action as browser-use calls it."""
    return plain_clip(f"{told.name}({json.dumps(told.arguments, ensure_ascii=False)})", LONGEST_ARGUMENTS)


def proposal_of(told: Told, action: Action | None) -> Proposal:
    """An action that is none of ours stands as one that waits for nothing; its name is in the reasoning."""
    reasons = (told.reasoning, "" if action is not None else f"browser-use's own action: {in_words(told)}")
    return Proposal(
        action=Noop() if action is None else action,
        reasoning="\n\n".join(filter(None, reasons)),
        reply=told.reply,
        calls=tuple(told.calls),
    )


def line_of(kind: str, **fields: Json) -> JsonObject:
    """A message to the process."""
    return {"type": kind, **fields}
