"""When an episode is given up: too many transitions, an agent that goes round in circles, or babbles.

Source: WebArena, section 3 and its published agent loop: 30 transitions, the same action 3 times on the same
observation, 3 texts in a row that are no action.

Besides, a person may allow an episode so many steps, seconds, tokens and dollars. Whichever limit is reached,
the episode ends as by the benchmark's own step limit: its score is that of what is there, without an answer
where none was given, and the limit is its stated reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from webbench.core.action.action import Action, Noop
from webbench.core.benchmark.benchmark import Benchmark, Limited, Limits
from webbench.core.episode.idle import IdleTime
from webbench.core.episode.options import EpisodeOptions
from webbench.core.models.spending import Spent, added
from webbench.core.observation import Observation
from webbench.core.settings.settings import Settings


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What a person allows one episode; 0 leaves it to the settings, and those to the benchmark.

    Attributes:
        seconds: of wall time since its page was asked for, breaks left out; those before a resumption count.
        tokens: that its agents read and write, rejected proposals included.
        cost: of these, in US dollars.

    Example:
        >>> wb.play("demo/camp-mugs", "model gpt-x", limits=wb.Budget(steps=15, cost=0.5))
    """

    steps: int = 0
    seconds: float = 0.0
    tokens: int = 0
    cost: float = 0.0


def with_limits(
    options: EpisodeOptions, benchmark: Benchmark, settings: Settings, budget: Budget = Budget()
) -> EpisodeOptions:
    """The options with the limits of the budget, else of the settings, else the benchmark's own."""
    own = benchmark.limits if isinstance(benchmark, Limited) else Limits()
    steps = _chosen(settings.step_limit, benchmark.step_limit, lowered="step_limit" in settings.lowered)
    repeats = _chosen(settings.repeat_limit, own.repeats, lowered="repeat_limit" in settings.lowered)
    invalid = _chosen(settings.invalid_limit, own.invalid, lowered="invalid_limit" in settings.lowered)
    return msgspec.structs.replace(
        options,
        step_limit=budget.steps or steps,
        repeat_limit=repeats,
        invalid_limit=invalid,
        seconds_limit=budget.seconds or settings.seconds_limit,
        token_limit=budget.tokens or settings.token_limit,
        cost_limit=budget.cost or settings.cost_limit,
    )


def _chosen(setting: int, own: int, *, lowered: bool) -> int:
    """0 stands for the benchmark's own limit, a negative setting for none.

    A limit that was `lowered` by a project file is none above the benchmark's own.
    """
    if lowered and own:
        return min(setting, own)
    return 0 if setting < 0 else setting or own


class LimitCount:
    """Counts the transitions, the time and the spending of one episode against its limits.

    Only an agent goes round in circles: a person may press a key as often as they like. Waiting is no
    repetition, for the page may need it.

    Args:
        seconds_before: that the episode had taken before it was resumed.
        clock: any that never goes back, in seconds.

    Attributes:
        time: since the episode began, breaks left out.
        spent: so far.
    """

    def __init__(
        self,
        options: EpisodeOptions,
        *,
        seconds_before: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.time = IdleTime(clock)
        self.spent = Spent()
        self._options = options
        self._seconds_before = seconds_before
        self._told_unknown = False
        self._transitions = 0
        self._invalid = 0
        self._repeats = 0
        self._last: tuple[Action, Observation] | None = None

    @property
    def count(self) -> int:
        """Transitions so far, those that were repeated of an earlier episode among them."""
        return self._transitions

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

    def pay(self, spent: Spent) -> str:
        """An agent was asked, whatever becomes of its proposal.

        Gives, once, the limits that can't be kept because the agent doesn't tell what it spends: "tokens".
        """
        self.spent = added((self.spent, spent))
        known = {
            "tokens": (self._options.token_limit, spent.tokens),
            "cost": (self._options.cost_limit, spent.cost),
        }
        unknown = [name for name, (limit, figure) in known.items() if limit and figure is None]
        told, self._told_unknown = self._told_unknown, self._told_unknown or bool(unknown)
        return "" if told else " and ".join(unknown)

    @property
    def seconds_left(self) -> float | None:
        """None where time is not limited."""
        limit = self._options.seconds_limit
        return max(0.0, limit - self._seconds_before - self.time.seconds) if limit else None

    def left(self) -> dict[str, float]:
        """What there is still of steps, seconds, tokens and cost in US dollars; only what is limited."""
        options, spent = self._options, self.spent
        rest: dict[str, float] = {"steps": options.step_limit - self._transitions}
        if self.seconds_left is not None:
            rest["seconds"] = round(self.seconds_left, 3)
        if options.token_limit:
            rest["tokens"] = options.token_limit - (spent.tokens or 0)
        if options.cost_limit:
            rest["cost"] = options.cost_limit - (spent.cost or 0.0)
        return {name: max(0, value) for name, value in rest.items()}

    def out_of_budget(self) -> str:
        """Which limit of time, tokens or cost is used up, in words, or ""."""
        options = self._options
        if self.seconds_left == 0.0:
            return f"time limit of {options.seconds_limit:g} s reached"
        if 0 < options.token_limit <= (self.spent.tokens or 0):
            return f"token limit of {options.token_limit:,} reached: {self.spent.tokens:,} were used"
        if 0 < options.cost_limit <= (self.spent.cost or 0.0):
            return f"cost limit of ${options.cost_limit:.10g} reached: ${self.spent.cost:.4f} were spent"
        return ""

    def reached(self) -> str:
        """Which limit was reached, in words, or ""."""
        options = self._options
        if 0 < options.invalid_limit <= self._invalid:
            return f"{self._invalid} invalid actions in a row"
        if 0 < options.repeat_limit <= self._repeats:
            return f"the same action {self._repeats} times in a row on the same observation"
        if self._transitions >= options.step_limit:
            return f"step limit of {options.step_limit} reached"
        return self.out_of_budget()


def _same(one: Observation, other: Observation) -> bool:
    """Whether an actor perceives the same."""
    first, second = ((it.url, it.tabs, it.dialog, it.focused, it.nodes) for it in (one, other))
    return first == second
