"""Success and time of people's attempts: of all attempts, and of those at tasks that are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from webbench.core.people.baselines.trials import Trial
from webbench.core.statistics.estimates import Estimate, clustered_mean
from webbench.core.statistics.mean import mean

OUTCOMES = ("submitted", "gave up", "time limit", "step limit", "other")
UNKNOWN = "not known"


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """Attempts that are alike in something.

    Attributes:
        group: what they are alike in.
        tasks, people: how many different ones.
        states: number of attempts by the state of their score; only "scored" ones are in `success`.
        success: share with a score of 1, its interval clustered by template (by task without templates).
        mean_seconds, median_seconds: over attempts with times (`timed` of them), None without any.
        outcomes: number of attempts by how they ended, as far as that is known.
        mean_difficulty, mean_confidence: from 1 to 5, over the answers that were given.
    """

    group: str
    trials: int
    tasks: int
    people: int
    states: dict[str, int]
    success: Estimate
    timed: int
    mean_seconds: float | None
    median_seconds: float | None
    mean_steps: float | None
    median_steps: float | None
    outcomes: dict[str, int]
    mean_difficulty: float | None
    mean_confidence: float | None
    episodes: tuple[str, ...] = ()


def rate(group: str, trials: Sequence[Trial], *, seed: int = 0) -> Rate:
    """The figures of a group of trials; the success rate's interval takes those of one template together."""
    known = [(one, one.success) for one in trials if one.success is not None]
    seconds = [one.seconds for one in trials if one.seconds is not None]
    steps = [one.steps for one in trials]
    outcomes = Counter(one.outcome for one in trials if one.outcome)
    return Rate(
        group=group,
        trials=len(trials),
        tasks=len({one.task for one in trials}),
        people=len({one.who for one in trials}),
        states=dict(Counter(one.state for one in trials)),
        success=clustered_mean(
            [value for _, value in known if value is not None], [one.cluster for one, _ in known], seed=seed
        ),
        timed=len(seconds),
        mean_seconds=mean(seconds),
        median_seconds=median(seconds) if seconds else None,
        mean_steps=mean(steps),
        median_steps=median(steps) if steps else None,
        outcomes={name: outcomes[name] for name in OUTCOMES if outcomes[name]},
        mean_difficulty=mean(one.difficulty for one in trials),
        mean_confidence=mean(one.confidence for one in trials),
        episodes=tuple(one.name for one in trials),
    )


def seeks(trial: Trial) -> str:
    """By WebArena's two groups: "information seeking", "other"; else "not known"."""
    told = trial.drawn.traits.seeks_information
    return UNKNOWN if told is None else "information seeking" if told else "other"


def achievable(trial: Trial) -> str:
    """ "achievable", "unachievable"; else "not known"."""
    told = trial.drawn.traits.achievable
    return UNKNOWN if told is None else "achievable" if told else "unachievable"


GROUPS: dict[str, Callable[[Trial], str]] = {
    "category": seeks,
    "achievable": achievable,
    "site": lambda trial: trial.drawn.site,
    "difficulty": lambda trial: trial.drawn.traits.difficulty,
    "template": lambda trial: trial.drawn.template,
    "task": lambda trial: "" if trial.drawn.template else trial.task,
    "annotator": lambda trial: trial.who,
}
"""What attempts are taken apart by, by name."""


def rates_by(name: str, trials: Sequence[Trial], *, seed: int = 0) -> tuple[Rate, ...]:
    """One for each value; attempts without one are in none. Empty where nothing is told apart.

    Tasks are told apart where they name no template, and tasks and people where some have several attempts.
    """
    found: dict[str, list[Trial]] = {}
    for one in trials:
        if value := GROUPS[name](one):
            found.setdefault(value, []).append(one)
    tells_nothing = name in ("task", "annotator") and all(len(one) == 1 for one in found.values())
    if set(found) <= {UNKNOWN} or tells_nothing:
        return ()
    order = sorted(found, key=lambda value: (len(value), value) if value.isdecimal() else (0, value))
    return tuple(rate(value, found[value], seed=seed) for value in order)
