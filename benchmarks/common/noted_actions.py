"""Noted actions: what was done in an episode, in words, for a judge who reads it."""

from __future__ import annotations

from webbench.core.action.words import action_words
from webbench.core.environment import StepResult
from webbench.core.observation import Observation
from webbench.core.store.secrets.passwords import typed_secret
from webbench.core.trajectory import Step

LONGEST = 300
"""Characters of the words of one action."""


class NotedActions:
    """The words of each action, and why it failed; what was typed into a password field is in none.

    Args:
        most: so many are kept, the latest.

    Attributes:
        taken: how many there were in all.
    """

    def __init__(self, most: int) -> None:
        self.taken = 0
        self._most = most
        self._words: list[str] = []
        self._seen = Observation()

    @property
    def words(self) -> tuple[str, ...]:
        """Those that are kept, in order."""
        return tuple(self._words)

    @property
    def first(self) -> int:
        """Number of the first one that is kept, counted from 1."""
        return self.taken - len(self._words) + 1

    def note(self, result: StepResult) -> None:
        """Add what was done."""
        self.taken += 1
        hidden = typed_secret(Step(index=0, at="", action=result.action), self._seen)
        words = "type a password" if hidden else action_words(result.action)
        told = words + (f" (failed: {result.error})" if result.error else "")
        self._words = [*self._words, told[:LONGEST]][-self._most :]

    def look(self, observation: Observation) -> None:
        """Remember the page that the next action is done on: it tells which fields are for passwords."""
        self._seen = observation
