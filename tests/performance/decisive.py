"""Which step decided a failure: rankings against the 42 runs whose decisive step people named.

Only the half to tune on is shown; `--held` shows the half that is held back, and both, once all is decided.
`--learn` prints the weights that the half to tune on teaches, `--each` what is ranked first in its runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.performance.decisive_steps.baselines import baselines
from tests.performance.decisive_steps.failure import Failure, failures
from tests.performance.decisive_steps.learn import LEARNT, PLACES, learnt, left_out, weights_of
from tests.performance.decisive_steps.measure import HEADINGS, Guess, chance, line
from tests.performance.suggestions import imported
from tests.shared import shared_folder
from webbench.core.analysis.decisive.ranking import Ranking, ranked

PUBLISHED = "published for models over all 184 runs (Zhang et al. 2025): agent 53.5 %, step 14.2 %"
SHOWN = 5
TOKEN = 0.2
"""Weight of signals that bought nothing where they were learnt; see `weights.toml`."""


def main() -> list[str]:
    """Nothing is missed: the figures are what they are."""
    shared = shared_folder()
    if shared is None:
        print("no shared data: nothing is compared")
        return []
    with imported([shared / "data" / "trajectories" / "who-and-when"]) as store:
        found = failures(store)
    named = sum(any((turn.step, turn.agent) == (one.step, one.agent) for turn in one.turns) for one in found)
    print(f"{len(found)} runs; the agent that is named is who took the named step in {named}")
    dev = [one for one in found if one.half == "dev"]
    if "--learn" in sys.argv:
        _learn(dev)
    for half in ("dev", "held", "all") if "--held" in sys.argv else ("dev",):
        _table(half, [one for one in found if half in (one.half, "all")], dev)
    print(f"\n{PUBLISHED}")
    if "--each" in sys.argv:
        for one in dev:
            _told(one)
    return []


def _table(half: str, chosen: Sequence[Failure], dev: Sequence[Failure]) -> None:
    print(f"\n{half}: {len(chosen)} runs\n{HEADINGS}")
    for name, guess in baselines(dev).items():
        print(line(name, chosen, [guess(one) for one in chosen]))
    print(chance(chosen))
    places = weights_of(dev, PLACES)
    print(line("places alone", chosen, [_guess(_ranking(one, places, 0.0)) for one in chosen]))
    if half == "dev":
        without = left_out(dev, LEARNT)
        guesses = [_ranking(one, without[one.trajectory.header.task.name]) for one in chosen]
        print(line("rules, question left out", chosen, [_guess(one) for one in guesses]))
    print(line("rules", chosen, [_guess(_ranking(one)) for one in chosen]))


def _ranking(failure: Failure, weights: dict[str, float] | None = None, other: float = TOKEN) -> Ranking:
    weigh = None if weights is None else lambda name: weights.get(name, other)
    return ranked(failure.turns, failure.signals, is_talk=True, weight=weigh)


def _guess(ranking: Ranking) -> Guess:
    return Guess(steps=tuple(one.step for one in ranking.steps), agent=ranking.agents[0])


def _learn(dev: Sequence[Failure]) -> None:
    print()
    for name, weight in sorted(learnt(dev).items(), key=lambda item: -item[1].weight):
        told = f"weight = {weight.weight}, hits = {weight.hits}, made = {weight.made}, buys = {weight.buys}"
        print(f"{name} = {{ {told} }}")


def _told(failure: Failure) -> None:
    ranking = _ranking(failure)
    print(f"\n{failure.name}: step {failure.step} by {failure.agent}, ranked {ranking.place(failure.step)}")
    for one in ranking.steps[:SHOWN]:
        print(f"   {one.share:.2f} {one.agent}: {one.question}"[:200])


if __name__ == "__main__":
    main()
