"""How much the order of steps rests on weights that are set by hand: those of episodes with pages.

Nobody has named decisive steps of such episodes, so that nothing says how often the order is right. What can
be said is whether it hangs on the numbers chosen: each weight is halved and doubled, one at a time, and it is
counted how often another step comes first.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from webbench.core.analysis.decisive.ranking import ranked, weights
from webbench.core.analysis.decisive.reference_level import rank_steps
from webbench.core.analysis.decisive.rule_level import turns_of
from webbench.core.analysis.findings.suggestion import Subject
from webbench.core.analysis.recorded.step_observations import look_into
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

FOLDERS = ("agentlab", "open-operator-evals", "webarena-native", "webarena-verified-logs", "webcanvas-result")
FACTORS = (0.5, 2.0)
ALIKE = 1e-9


def steadiness(store: Store) -> Iterator[str]:
    """Lines to print, of every failed episode with pages in the store."""
    names = weights().pages
    moved = dict.fromkeys(names, 0)
    seen = dict.fromkeys(names, 0)
    episodes = silent = tied = turned = 0
    for one, others in _failed(store):
        ranking = rank_steps(store, one, others)
        if ranking is None or ranking.is_measured:
            continue
        episodes += 1
        first = ranking.steps[0]
        silent += not first.signals
        tied += len(ranking.steps) > 1 and first.share - ranking.steps[1].share < ALIKE
        signals = [signal for step in ranking.steps for signal in step.signals]
        turns = turns_of(Subject(one, look_into(store, one, [])))
        turns_here = 0
        for name in {signal.kind for signal in signals}:
            seen[name] += 1
            for factor in FACTORS:
                weigh = functools.partial(_weight, name, factor)
                other = ranked(turns, signals, is_talk=False, weight=weigh).steps[0].step != first.step
                moved[name] += other
                turns_here += other
        turned += bool(turns_here)
    yield f"\nepisodes with pages, weights set by hand: {episodes} failed"
    yield f"nothing speaks for any step: {silent}; the first two are alike: {tied}"
    yield f"another step comes first where some weight is halved or doubled: {turned}"
    for name in names:
        if seen[name]:
            yield f"  {name:20} seen in {seen[name]:>3}, moves it in {moved[name]:>3} of {2 * seen[name]}"


def _weight(changed: str, factor: float, name: str) -> float:
    found = weights().pages[name].weight if name in weights().pages else 0.0
    return found * factor if name == changed else found


def _failed(store: Store) -> Iterator[tuple[Trajectory, list[Trajectory]]]:
    """Each that was scored below 1, with the other attempts at its task."""
    values = {
        (one.run, one.episode): (one.task, one.value) for one in store.episodes() if one.state == "ended"
    }
    for place, (task, value) in values.items():
        if value is None or value >= 1:
            continue
        beside = [where for where, (name, _) in values.items() if name == task and where != place]
        load = [store.load(store.root / run / episode) for run, episode in (place, *beside)]
        yield load[0], load[1:]
