"""Which step decided a failure: rankings against the 42 runs whose decisive step people named.

Only the half to tune on is shown; `--held` shows the half that is held back, and both, once all is decided.
`--learn` prints the weights that the half to tune on teaches, `--each` what is ranked first in its runs.
`"--judge=NAME url=ADDRESS"` asks a model about the shown halves, in three ways or in that of `--way=…`: the
step that it names, behind it the others as rules rank them; `--tokens=` is what a transcript may have.
Without a judge models are not measured, and it is told how much the order in episodes with pages rests on
weights that are set by hand.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

import msgspec

from tests.performance.decisive_steps.baselines import baselines
from tests.performance.decisive_steps.failure import Failure, failures
from tests.performance.decisive_steps.learn import LEARNT, PLACES, learnt, left_out, weights_of
from tests.performance.decisive_steps.measure import HEADINGS, Guess, chance, line
from tests.performance.decisive_steps.steadiness import FOLDERS, steadiness
from tests.performance.suggestions import imported
from tests.shared import shared_folder
from webbench.core.analysis.decisive.model_level import TITLES, WAYS, DecisiveSearch, NamedStep, Way
from webbench.core.analysis.decisive.ranking import Ranking, ranked
from webbench.core.analysis.rubrics.asking_judges import estimate_text
from webbench.core.analysis.rubrics.judged_once import Place
from webbench.core.analysis.rubrics.transcript import TOKENS
from webbench.core.scoring.judges.judge_choice import choose_judge, in_use
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.store import Store

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
    halves = ("dev", "held") if "--held" in sys.argv else ("dev",)
    with imported([shared / "data" / "trajectories" / "who-and-when"]) as store:
        found = failures(store)
        judged = _judged(store, [one for one in found if one.half in halves])
    named = sum(any((turn.step, turn.agent) == (one.step, one.agent) for turn in one.turns) for one in found)
    print(f"{len(found)} runs; the agent that is named is who took the named step in {named}")
    dev = [one for one in found if one.half == "dev"]
    if "--learn" in sys.argv:
        _learn(dev)
    for half in (*halves, "all") if "held" in halves else halves:
        chosen = [one for one in found if half in (one.half, "all")]
        _table(half, chosen, dev)
        for name, named in judged.items():
            print(line(name, chosen, [_of_judge(one, named.get(one.place)) for one in chosen]))
        if not judged:
            print(f"{'models':34} not measured: no judge is named")
    print(f"\n{PUBLISHED}")
    if "--each" in sys.argv:
        for one in dev:
            _told(one)
    if not judged:
        with imported([shared / "data" / "trajectories" / name for name in FOLDERS]) as store:
            print("\n".join(steadiness(store)))
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


def _judged(store: Store, chosen: Sequence[Failure]) -> dict[str, dict[Place, NamedStep]]:
    """What the named model says, by way; what it takes is told before and after."""
    specs = _values("--judge=")
    if not specs:
        return {}
    ways = _values("--way=")
    settings = load_settings()
    judge = choose_judge(specs[0], settings.judge, prices=settings.prices)
    assert isinstance(judge, ModelJudge)
    return asyncio.run(_asked(store, judge, [way for way in WAYS if not ways or way in ways], chosen))


def _values(option: str) -> list[str]:
    return [one.removeprefix(option) for one in sys.argv if one.startswith(option)]


async def _asked(
    store: Store, judge: ModelJudge, ways: Sequence[Way], chosen: Sequence[Failure]
) -> dict[str, dict[Place, NamedStep]]:
    found = {}
    most_tokens = int(next(iter(_values("--tokens=")), TOKENS))
    async with in_use(judge):
        for way in ways:
            search = DecisiveSearch(store, judge, way, [one.place for one in chosen], most_tokens)
            print(f"{judge.name}, {TITLES[way]}, at most: {estimate_text(search.estimate())}", flush=True)
            outcome = await search.ask(lambda one: print(f"  {one.episode[:4]} {one.asks}"[:160], flush=True))
            found[f"{judge.name[:20]}, {TITLES[way]}"] = {one.place: one for one in outcome.named}
            without = sum(one.step is None for one in outcome.named)
            refused = sum(len(one.refused) for one in outcome.named)
            print(f"  named no step in {without} of {len(outcome.named)}; citations refused: {refused}")
    print(msgspec.json.encode(judge.usage).decode())
    return found


def _of_judge(failure: Failure, named: NamedStep | None) -> Guess:
    """The step that is named, then the others as rules rank them; nothing where none is."""
    if named is None or named.step is None:
        return Guess(steps=(), agent="")
    rest = (one.step for one in _ranking(failure).steps if one.step != named.step)
    return Guess(steps=(named.step, *rest), agent=named.agent)


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
