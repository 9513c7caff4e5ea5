"""What the Compare screen shows: the comparison, and each actor's page in a row. Read off the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.core.analysis.comparison import Comparison, compare, ordered
from webbench.core.analysis.sight import page_after, page_before, score_at, see, standing
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory
from webbench.tui.widgets.actor_pane import ActorView


class Compared:
    """A comparison with the trajectories it is of, in the order of its columns."""

    def __init__(self, store: Store, trajectories: Sequence[Trajectory]) -> None:
        self._store = store
        self.found: Comparison = compare(store, trajectories)
        self.trajectories = ordered(trajectories)

    def view(self, row: int, actor: int, *, after: bool) -> ActorView:
        """What an actor saw in a row, and its score so far."""
        trajectory, attempt = self.trajectories[actor], self.found.attempts[actor]
        place = self.found.alignment.rows[row].places[actor]
        following = standing(self.found.alignment, row, actor)
        last = attempt.steps[-1] if attempt.steps else 0
        index = attempt.steps[following] if following is not None else last
        ended = following is None
        page = page_after if ended or (after and place is not None) else page_before
        score, scored = score_at(trajectory, index if place is not None or ended else index - 1)
        done = attempt.done[place] if place is not None else None
        step = next((one for one in trajectory.steps if one.index == index), None)
        return ActorView(
            name=attempt.name,
            where=_where(index, place is not None, ended, after),
            what=f"{done.words}  ({done.error})" if done and done.error else done.words if done else "",
            step=step if place is not None else None,
            sight=see(self._store, trajectory, page(trajectory, index)),
            score=score,
            score_words="of the episode" if scored is None else f"after step {scored}",
        )


def read_compared(store: Store, folders: Sequence[Path]) -> Compared:
    """Load and align episodes. Raises `UsageError` for what can't be compared, `BadData`."""
    return Compared(store, [store.load(folder) for folder in folders])


def _where(index: int, acts: bool, ended: bool, after: bool) -> str:
    if ended:
        return f"ended after step {index}"
    if acts:
        return f"{'after' if after else 'before'} step {index}"
    return f"no step in this row; before step {index}"
