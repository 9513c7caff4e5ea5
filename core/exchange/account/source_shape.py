"""The shape of a source: which kind a value is of, by the keys that lead to it.

A rule stands at a path such as `step_list.dict_result.action_type`; a list adds nothing to the path, each of
its items is met; `*` stands for any key. Where nothing is declared, a value is one of the kind "values" and
has to stand in the record word for word. So a format declares what it takes apart, and what it leaves out;
a key that it doesn't know can't be lost in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from webbench.core.exchange.account.kinds import Kind


class Whole(msgspec.Struct, frozen=True):
    """One of a kind, however many values it is made of: a tree as objects, a list that is one prompt."""

    kind: Kind


class Left(msgspec.Struct, frozen=True):
    """Left out of the record, for this reason; a list or object counts as one."""

    kind: Kind
    why: str


class Again(msgspec.Struct, frozen=True):
    """What the source has told elsewhere too, so that nothing is lost without it; counts as one."""

    kind: Kind
    why: str


class Figures(msgspec.Struct, frozen=True):
    """An object of figures of a model's use; each is tokens, cost or a value by its name."""


class Frame(msgspec.Struct, frozen=True):
    """Only holds together what is in it: a type's name, a count of what follows. Nothing to be counted."""


class Both(msgspec.Struct, frozen=True):
    """One value that counts as one of several kinds: an action that is a step."""

    kinds: tuple[Kind, ...]


Rule: TypeAlias = Kind | Whole | Left | Again | Figures | Frame | Both


class Shape:
    """Rules as a tree of keys; made once, when a format is imported.

    Args:
        rules: by path; a kind alone counts each scalar, or each object of a list, and goes on into the object
            where there are rules below it.

    Attributes:
        below: shapes of keys; `any_key`: of those that are not named.
        kinds: that a value counts as; `is_whole`: so does a list, in place of its items.

    Example:
        >>> Shape({"steps": "steps", "steps.thought": "reasoning", "version": Frame()})
    """

    __slots__ = ("any_key", "below", "is_whole", "kinds", "path", "rule")

    def __init__(self, rules: Mapping[str, Rule], path: str = "") -> None:
        self.path = path
        self.rule: Rule | None = rules.get("")
        self.kinds = _kinds_of(self.rule)
        self.is_whole = isinstance(self.rule, Whole | Left | Again)
        inner: dict[str, dict[str, Rule]] = {}
        for where, rule in rules.items():
            if where:
                key, _, rest = where.partition(".")
                inner.setdefault(key, {})[rest] = rule
        self.below = {key: Shape(found, f"{path}.{key}" if path else key) for key, found in inner.items()}
        self.any_key = self.below.get("*")


def _kinds_of(rule: Rule | None) -> tuple[Kind, ...]:
    """What one value counts as."""
    if isinstance(rule, str):
        return (rule,)
    if isinstance(rule, Both):
        return rule.kinds
    return (rule.kind,) if isinstance(rule, Whole | Left | Again) else ()
