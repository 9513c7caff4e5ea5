"""Faults planted into an action language are found, each by its own rule; our own languages have none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from webbench.core.action.action import Action, Click, Type
from webbench.core.conformance import dialect_contract
from webbench.core.conformance.rule import Broken, Finding, Ledger
from webbench.core.dialects.dialect import Completion, ParseError, VerbHelp, find_dialect
from webbench.core.observation import Observation

GOOD = find_dialect("weblinx")


class Changed:
    """A good language, of which a planted fault takes one part."""

    name = "changed"

    def verbs(self) -> Sequence[VerbHelp]:
        return GOOD.verbs()

    def parse(self, text: str) -> Action | ParseError:
        return GOOD.parse(text)

    def format(self, action: Action) -> str:
        return GOOD.format(action)

    def complete(self, text: str, observation: Observation | None) -> Sequence[Completion]:
        return GOOD.complete(text, observation)

    def render(self, observation: Observation) -> str:
        return GOOD.render(observation)


class Raises(Changed):
    def parse(self, text: str) -> Action | ParseError:
        if "\x00" in text:
            raise KeyError(text)
        return GOOD.parse(text)


class Forgets(Changed):
    def format(self, action: Action) -> str:
        return GOOD.format(msgspec.structs.replace(action, text="") if isinstance(action, Type) else action)


class Silent(Changed):
    def parse(self, text: str) -> Action | ParseError:
        read = GOOD.parse(text)
        return msgspec.structs.replace(read, nearest="") if isinstance(read, ParseError) else read


class Misleading(Changed):
    def parse(self, text: str) -> Action | ParseError:
        read = GOOD.parse(text)
        return msgspec.structs.replace(read, nearest="hop(3)") if isinstance(read, ParseError) else read


class NoJson(Changed):
    def parse(self, text: str) -> Action | ParseError:
        return ParseError(0, "no JSON here", "click") if text.startswith("{") else GOOD.parse(text)


class Talkative(Changed):
    def complete(self, text: str, observation: Observation | None) -> Sequence[Completion]:
        return [Completion("click", 0)] * 51


class Beside(Changed):
    def complete(self, text: str, observation: Observation | None) -> Sequence[Completion]:
        return [Completion("click", len(text) + 1)]


class Blind(Changed):
    def render(self, observation: Observation) -> str:
        return observation.nodes[0].name


class Unhelpful(Changed):
    def verbs(self) -> Sequence[VerbHelp]:
        return [VerbHelp("fly(high)", "rise", "fly(high)")]


@pytest.mark.parametrize(
    ("dialect", "ask", "told"),
    [
        (Forgets(), lambda one: dialect_contract.round_trips(one, 1), "which is read as"),
        (Silent(), lambda one: dialect_contract.never_raises(one, 1), "the error says"),
        (Misleading(), dialect_contract.errors_help, "is told with 'hop"),
        (NoJson(), dialect_contract.shared_notation, "is read as ParseError"),
        (Talkative(), lambda one: dialect_contract.completes(one, 1), "has 51 completions"),
        (Beside(), lambda one: dialect_contract.completes(one, 1), "completions start at"),
        (Blind(), dialect_contract.renders, "of a page with"),
        (Unhelpful(), dialect_contract.help_kept, "the example 'fly"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Changed) else "",
)
def test_a_planted_fault_is_found(dialect: Changed, ask: Any, told: str) -> None:
    with pytest.raises(Broken, match=told):
        ask(dialect)
    ask(GOOD)


def test_one_that_raises_is_told_with_the_place() -> None:
    told: list[Finding] = []
    rule = dialect_contract.NEVER_RAISES
    assert not Ledger("dialects", "raises", told.append).ask(
        rule, lambda: dialect_contract.never_raises(Raises(), 1)
    )
    assert told[0].state == "broken"
    assert told[0].found.startswith("it raised KeyError at test_dialect_contract.py:")
    assert (told[0].expected, told[0].contract) == (rule.expected, rule.contract)


def test_every_kind_of_action_is_drawn_with_all_its_fields() -> None:
    import random

    from webbench.core.conformance.generated import ACTIONS, any_action

    chance = random.Random(3)
    drawn = {kind: [any_action(kind, chance) for _ in range(30)] for kind in ACTIONS}
    assert all(type(one) is kind for kind, made in drawn.items() for one in made)
    clicks = [one for one in drawn[Click] if isinstance(one, Click)]
    assert {one.target.box is None for one in clicks} == {True, False}
    assert {one.button for one in clicks} == {"left", "right", "middle"}
