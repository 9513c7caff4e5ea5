"""The agent that tries something: a seeded baseline that acts on what it sees.

Per step it picks one of the interactive elements and does to it what a person might: tick, choose, type
words of the page, move the slider, click. The same seed and task on the same pages give the same steps. One
that is made anew in mid-episode keeps count of its steps, and draws lots of its own from there.

Options: `steps=20`, after which it stops, and `seed=N` in place of the run's.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from webbench.core.action.action import (
    Action,
    AnswerDialog,
    Back,
    Check,
    Click,
    ElementRef,
    Scroll,
    Select,
    SetRange,
    Stop,
    Submit,
    Type,
)
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.resumed_state import taken_up
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import UsageError
from webbench.core.observation import AccessibilityNode, Observation, StateValue
from webbench.core.text.plain_text import plain_clip

_TEXT_ROLES = frozenset({"textbox", "searchbox", "textField"})
_LIST_ROLES = frozenset({"combobox", "listbox", "ComboBoxSelect", "ListBox"})
_TICK_ROLES = frozenset({"checkbox", "switch", "menuitemcheckbox"})
_NOT_ACTED_ON = frozenset({"RootWebArea", "option", "MenuListOption", "listitem"})
_WORDS_TYPED = 6
_ELSEWHERE: list[Action] = [
    Scroll(dy=1.0, unit="viewports"),
    Scroll(dy=1.0, unit="viewports"),
    Scroll(dy=-1.0, unit="viewports"),
    Back(),
]


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """How many steps were proposed, the one that this is recorded with included."""

    taken: Annotated[int, Meta(ge=0)]


class RandomAgent:
    """Args: `seed` and task name feed the generator; after `steps` steps it stops."""

    name = "random"

    def __init__(self, seed: int, task: str, steps: int) -> None:
        self._seed = f"{seed}:{task}"
        self._random = random.Random(self._seed)
        self._steps = steps
        self._taken = 0
        self._fresh = True

    async def propose(self, view: AgentView) -> Proposal:
        before = taken_up(view, self.name, Taken) if self._fresh else None
        if before is not None:
            self._taken = before.taken
            self._random = random.Random(f"{self._seed}:{before.taken}")
        self._fresh = False
        self._taken += 1
        return Proposal(action=self._choose(view.observation), state={"taken": self._taken})

    async def close(self) -> None:
        """Nothing to give back."""

    def _choose(self, observation: Observation) -> Action:
        if self._taken > self._steps + 1:
            return Stop()
        if observation.dialog:
            return AnswerDialog(accept=self._random.random() < 0.5)
        if self._taken > self._steps:
            return Submit()
        nodes = [
            node
            for node in observation.nodes
            if node.interactive and not node.states.get("disabled") and node.role not in _NOT_ACTED_ON
        ]
        if not nodes or self._random.random() < 0.1:
            return self._random.choice(_ELSEWHERE)
        return self._act_on(self._random.choice(nodes), observation)

    def _act_on(self, node: AccessibilityNode, observation: Observation) -> Action:
        target = ElementRef(id=node.id)
        if node.role in _TEXT_ROLES or node.tag == "textarea":
            return Type(target=target, text=self._text_of_page(observation))
        if node.role in _TICK_ROLES:
            return Check(target=target, checked=node.states.get("checked") is not True)
        if node.role == "radio":
            return Check(target=target)
        if node.role == "slider":
            return SetRange(target=target, value=self._value(node))
        options = _options(node, observation.nodes) if node.role in _LIST_ROLES else []
        if options:
            return Select(target=target, options=(self._random.choice(options),))
        return Click(target=target)

    def _text_of_page(self, observation: Observation) -> str:
        """A few neighbouring words of a text on the page."""
        texts = [node.name for node in observation.nodes if node.role == "StaticText" and node.name.strip()]
        words = self._random.choice(texts).split() if texts else ["text"]
        start = self._random.randrange(len(words))
        return " ".join(words[start : start + self._random.randint(1, _WORDS_TYPED)])

    def _value(self, node: AccessibilityNode) -> float:
        low = _number(node.states.get("valuemin"), 0.0)
        high = _number(node.states.get("valuemax"), 100.0)
        return float(round(self._random.uniform(min(low, high), max(low, high))))


def _options(node: AccessibilityNode, nodes: Sequence[AccessibilityNode]) -> list[str]:
    """Names of the options below a list."""
    at = next(index for index, other in enumerate(nodes) if other.id == node.id) + 1
    names: list[str] = []
    while at < len(nodes) and nodes[at].depth > node.depth:
        if nodes[at].role in ("option", "MenuListOption") and nodes[at].name:
            names.append(nodes[at].name)
        at += 1
    return names


def _number(state: StateValue | None, default: float) -> float:
    if state is None:
        return default
    try:
        return float(state)
    except (TypeError, ValueError):
        return default


def create(request: AgentRequest) -> RandomAgent:
    """The entry point. Options: `steps=N` (20), then it submits and stops; `seed=N` (the run's seed).

    Raises `UsageError` for other options.
    """
    options = _read_options("random", request.options, {"steps": 20, "seed": request.seed})
    return RandomAgent(options["seed"], request.task.id, options["steps"])


def _read_options(agent: str, words: Sequence[str], known: dict[str, int]) -> dict[str, int]:
    """The known options with the values given. Raises `UsageError` naming the ones there are."""
    values = dict(known)
    for word in words:
        name, _, value = word.partition("=")
        if name not in known or not value.isascii() or not value.isdecimal() or len(value) > 18:
            shown = ", ".join(f"{key}={default}" for key, default in known.items())
            raise UsageError(
                f'The agent "{agent}" has no option "{plain_clip(word, 40)}"',
                f"options, with defaults: {shown}",
            )
        values[name] = int(value)
    return values
