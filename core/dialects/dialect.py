"""The contract of an action language: text <-> Action, and the observation text that goes with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol, cast

import msgspec

from webbench.core.action.action import Action
from webbench.core.observation import Observation
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import DIALECTS


class ParseError(msgspec.Struct, frozen=True):
    """Why a text is no action.

    Attributes:
        position: offset in characters where parsing gave up.
        reason: one sentence.
        nearest: what to try: the closest valid form, e.g. "click [id]", or where none is near "one of" and
            the verbs; never empty.
    """

    position: int
    reason: str
    nearest: str


def one_of(verbs: Sequence[str]) -> str:
    """What to try where no form is near."""
    return f"one of {', '.join(verbs)}"


class Completion(msgspec.Struct, frozen=True):
    """One way to go on: `text` replaces the input from `start` on; `label` says what it is."""

    text: str
    start: int
    label: str = ""


class VerbHelp(msgspec.Struct, frozen=True):
    """One line of a dialect's help: form, meaning, example."""

    form: str
    meaning: str
    example: str


def verb_word(verb: VerbHelp) -> str:
    """The verb alone: "click" of "click [id]" and of "click(uid=…)"."""
    return verb.form.replace("(", " ").replace("[", " ").split()[0]


class Dialect(Protocol):
    """Found through the entry point group `webbench.dialects`; stateless, safe to share."""

    name: str

    def verbs(self) -> Sequence[VerbHelp]: ...

    def parse(self, text: str) -> Action | ParseError:
        """Never raises, whatever the text."""
        ...

    def format(self, action: Action) -> str:
        """The action in this language; `parse(format(a))` gives `a` for everything it can express.

        An action it cannot express is given as the nearest form of the shared JSON notation, which
        every dialect also parses: `{"verb": "click", "target": {"id": 12}}`.
        """
        ...

    def complete(self, text: str, observation: Observation | None) -> Sequence[Completion]:
        """Verbs, then ids with role and name, field names, keys, tabs; best first, at most 50."""
        ...

    def render(self, observation: Observation) -> str:
        """The observation as the text an agent of this language reads."""
        ...


@cache
def find_dialect(name: str) -> Dialect:
    """The action language of this name.

    Raises `UsageError` where there is none, `PluginBroken` where it can't be made.
    """
    factory = cast("Callable[[], Dialect]", entry_points.find(DIALECTS, "dialect", name)())
    return entry_points.make(DIALECTS, name, factory)
