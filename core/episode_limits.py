"""When an episode is given up: too many transitions, an agent that goes round in circles, or babbles.

Source: WebArena, section 3 and its published agent loop: 30 transitions, the same action 3 times on the same
observation, 3 texts in a row that are no action.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec

from webbench.core.action import Action, Noop
from webbench.core.episode_options import EpisodeOptions
from webbench.core.observation import Observation
from webbench.core.settings import Settings
from webbench.core.task import Benchmark


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a benchmark may set beside its `step_limit`; 0 = no such limit."""

    repeats: int = 0
    invalid: int = 3


@runtime_checkable
class Limited(Protocol):
    """What a `Benchmark` may have besides: limits of its own."""

    limits: Limits


def with_limits(options: EpisodeOptions, benchmark: Benchmark, settings: Settings) -> EpisodeOptions:
    """The options with the limits of the settings, else the benchmark's own."""
    own = benchmark.limits if isinstance(benchmark, Limited) else Limits()
    return msgspec.structs.replace(
        options,
        step_limit=settings.step_limit or benchmark.step_limit,
        repeat_limit=_chosen(settings.repeat_limit, own.repeats),
        invalid_limit=_chosen(settings.invalid_limit, own.invalid),
    )


def _chosen(setting: int, own: int) -> int:
    """0 stands for the benchmark's own limit, a negative setting for none."""
    return 0 if setting < 0 else setting or own


class LimitCount:
    """Counts the transitions of one episode against its limits.

    Only an agent goes round in circles: a person may press a key as often as they like. Waiting is no
    repetition, for the page may need it.
    """

    def __init__(self, options: EpisodeOptions) -> None:
        self._options = options
        self._transitions = 0
        self._invalid = 0
        self._repeats = 0
        self._last: tuple[Action, Observation] | None = None

    def acted(self, action: Action, seen: Observation, *, by_agent: bool) -> None:
        """An action was carried out by somebody who saw this."""
        self._transitions += 1
        self._invalid = 0
        if not by_agent or isinstance(action, Noop):
            self._last, self._repeats = None, 0
            return
        again = self._last is not None and self._last[0] == action and _same(self._last[1], seen)
        self._repeats = self._repeats + 1 if again else 1
        self._last = (action, seen)

    def no_action(self) -> None:
        """An agent gave a text that is no action."""
        self._transitions += 1
        self._invalid += 1
        self._last, self._repeats = None, 0

    def reached(self) -> str:
        """Which limit was reached, in words, or ""."""
        options = self._options
        if 0 < options.invalid_limit <= self._invalid:
            return f"{self._invalid} invalid actions in a row"
        if 0 < options.repeat_limit <= self._repeats:
            return f"the same action {self._repeats} times in a row on the same observation"
        if self._transitions >= options.step_limit:
            return f"step limit of {options.step_limit} reached"
        return ""


def _same(one: Observation, other: Observation) -> bool:
    """Whether an actor perceives the same."""
    first, second = ((it.url, it.tabs, it.dialog, it.focused, it.nodes) for it in (one, other))
    return first == second
