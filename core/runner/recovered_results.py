"""What a killed runner recorded and didn't write into its log: made up from the records themselves."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.environment import PAGE_LOST
from webbench.core.errors import BadData
from webbench.core.models.spending import added, spent
from webbench.core.runner.player import BROWSER_LOST, INTERRUPTED
from webbench.core.runner.run_log import Began, Ended
from webbench.core.runner.status.progress import RunProgress
from webbench.core.score.score import Status
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader


def unlogged(store: Store, run: str, progress: RunProgress) -> Iterator[Ended]:
    """Of the attempts that the log leaves open those whose record has an end."""
    for state in progress.states.values():
        if state.began is None:
            continue
        try:
            header = store.header(run, state.began.episode)
            if header.ended and header.score is not None:
                yield _ended(store, run, state.began, header)
        except BadData:
            continue


def _ended(store: Store, run: str, began: Began, header: EpisodeHeader) -> Ended:
    trajectory = store.load(store.root / run / began.episode)
    score = header.score
    assert score is not None
    reason = score.reason or header.end_reason
    lost = header.end_reason == BROWSER_LOST or reason.startswith(PAGE_LOST)
    return Ended(
        at=header.ended,
        order=began.order,
        attempt=began.attempt,
        status=score.status,
        episode=began.episode,
        score=score.value if score.status is Status.SCORED else None,
        beside={other.rules: other.value for other in score.beside},
        reason=reason,
        steps=max(0, header.steps - 1),
        seconds=trajectory.seconds,
        spent=added(spent(step.usage) for step in trajectory.steps),
        again=lost or header.end_reason == INTERRUPTED,
        alone=lost,
        mixed=header.mixed,
    )
