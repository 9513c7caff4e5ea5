"""Precision and recall of automatic suggestions against labelled shared data, whatever they are.

Who&When names the decisive step of 42 failed runs: a suggestion is right where its stretch of steps holds
that step. AgentRewardBench's experts judged episodes (looping, success) that are not public, so nothing can
be looked for in them. Episodes with a score tell besides how often a suggestion comes with a failure.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.shared import shared_folder
from webbench.core.analysis.findings.suggest import suggest_for
from webbench.core.analysis.findings.suggestion import TITLES, Suggestion
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.labels.ledger import ledger_of
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

NEAR = 2
"""Steps beside the decisive one that still count as near."""
SCORED = ("agentlab", "open-operator-evals", "webarena-native", "webarena-verified-logs", "webcanvas-result")
KNOWS_SCORE = ("early-stop", "answer-seen", "pages-missed")


def main() -> list[str]:
    """Nothing is missed: the figures are what they are."""
    shared = shared_folder()
    if shared is None:
        print("no shared data: nothing is compared")
        return []
    _against_decisive_steps(shared / "data" / "trajectories" / "who-and-when")
    _against_scores(shared / "data" / "trajectories")
    _expert_judgements(shared / "data" / "trajectories" / "agent-reward-bench-annotations")
    return []


def _against_decisive_steps(folder: Path) -> None:
    runs: list[tuple[int, int, tuple[Suggestion, ...]]] = []
    with imported([folder]) as store:
        decisive = {
            (label.run, label.episode): label.step
            for label in ledger_of(store).book().labels
            if label.taxonomy == "who-and-when" and label.step is not None
        }
        for trajectory, found in looked_through(store):
            step = decisive.get((trajectory.header.run, trajectory.header.episode))
            if step is not None:
                runs.append((step, len(trajectory.steps) - 1, found))
    print(f"\nWho&When: the decisive step of {len(runs)} failed runs")
    print(f"{'suggestion':18}  made  on it  near  after  precision  chance  recall")
    for kind in TITLES:
        made = [(step, count, one) for step, count, found in runs for one in found if one.kind == kind]
        on = sum(one.first <= step <= one.last for step, _, one in made)
        near = sum(one.first - NEAR <= step <= one.last + NEAR for step, _, one in made)
        after = sum(one.first > step for step, _, one in made)
        chance = sum((one.last - one.first + 1) / count for _, count, one in made)
        hit = sum(
            any(one.kind == kind and one.first <= step <= one.last for one in found)
            for step, _, found in runs
        )
        print(
            f"{kind:18} {len(made):>5} {on:>6} {near:>5} {after:>6} {_share(on, len(made)):>10} "
            f"{_share(chance, len(made)):>7} {_share(hit, len(runs)):>7}"
        )
    print("after: it begins later than the decisive step, as what follows from a mistake does")
    print("chance: how often a stretch of the same length, put anywhere, would hold the step")


def _against_scores(folder: Path) -> None:
    failed: list[set[str]] = []
    solved: list[set[str]] = []
    with imported([folder / name for name in SCORED]) as store:
        for trajectory, found in looked_through(store):
            score = trajectory.header.score
            if score is not None and score.value is not None and len(trajectory.steps) > 2:
                (solved if score.value == 1 else failed).append({one.kind for one in found})
    print(f"\nscored episodes with steps: {len(failed)} not solved, {len(solved)} solved")
    print(f"{'suggestion':18}  failed  solved  precision  recall")
    for kind in TITLES:
        lost, won = (sum(kind in kinds for kinds in group) for group in (failed, solved))
        circular = "  looks at the score itself" if kind in KNOWS_SCORE else ""
        print(
            f"{kind:18} {lost:>7} {won:>7} {_share(lost, lost + won):>10} "
            f"{_share(lost, len(failed)):>7}{circular}"
        )


def _expert_judgements(folder: Path) -> None:
    with imported([folder]) as store:
        labels = [one for one in ledger_of(store).book().labels if one.taxonomy == "agent-reward-bench"]
        looping = [one for one in labels if one.question == "looping"]
        with_steps = sum(episode.steps > 0 for episode in store.episodes())
    print(
        f"\nAgentRewardBench: {len(looping)} judgements of looping, "
        f"{sum(one.code == 'yes' for one in looping)} yes; episodes with steps to look through: {with_steps}"
    )
    if not with_steps:
        print("not comparable: the judged episodes are not public, only the judgements are")


@contextlib.contextmanager
def imported(folders: list[Path]) -> Iterator[Store]:
    """A store that holds what lies there, gone afterwards."""
    with tempfile.TemporaryDirectory() as place:
        store = Store(Path(place))
        for folder in folders:
            if folder.is_dir():
                list(bring_in(folder, known_formats(), store))
        yield store


def looked_through(store: Store) -> Iterator[tuple[Trajectory, tuple[Suggestion, ...]]]:
    for episode in store.episodes():
        if episode.state != "unreadable":
            trajectory = store.load(store.root / episode.run / episode.episode)
            yield trajectory, suggest_for(store, trajectory)


def _share(part: float, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"


if __name__ == "__main__":
    main()
