"""What the Compare screen shows: the comparison, and each actor's page in a row. Read off the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path

from webbench.core.action.aim import Aim
from webbench.core.analysis.compare.compared_step import url_pattern
from webbench.core.analysis.compare.comparison import Comparison, Done, compare, labelled, ordered
from webbench.core.analysis.compare.row_marks import score_at, standing
from webbench.core.analysis.compare.sentences import label_words
from webbench.core.analysis.decisive.model_level import NamedStep, named_steps
from webbench.core.analysis.decisive.ranking import Ranking
from webbench.core.analysis.decisive.reference_level import rank_steps
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.shared_targets import Pointed, SharedTargets, shared_targets
from webbench.core.benchmark.benchmark import reference_boxes
from webbench.core.benchmark.installed import installed_benchmark
from webbench.core.errors import BadData
from webbench.core.labels.label import Label
from webbench.core.labels.taxonomy import Code
from webbench.core.observation import Observation
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory
from webbench.tui.screens.compare.actor_pane import ActorView


@dataclass(frozen=True, slots=True)
class Questions:
    """Which step decided an attempt's failure, as rules and judges ask; `problem` tells what is unread."""

    ranking: Ranking | None
    named: tuple[NamedStep, ...] = ()
    problem: str = ""

    @property
    def first_step(self) -> int | None:
        """The step that is asked about first."""
        if self.ranking is not None and self.ranking.steps:
            return self.ranking.steps[0].step
        return next((one.step for one in self.named), None)


class Compared:
    """A comparison with the episodes it is of, in the order of its columns."""

    def __init__(self, store: Store, trajectories: Sequence[Trajectory], annotator: str) -> None:
        self._store = store
        self.found: Comparison = compare(store, trajectories, annotator)
        self._annotator = annotator
        self.episodes = [RecordedEpisode(store, one) for one in ordered(trajectories)]
        benchmark = installed_benchmark(self.found.benchmark)
        self._references = [reference_boxes(benchmark, one.trajectory) for one in self.episodes]
        self.questions = _questions(store, self.found, ordered(trajectories))

    @property
    def decisive_row(self) -> int:
        """Where it happens: the row in which they part, else of the step that most likely decided it."""
        if self.found.divergence.first is not None:
            return self.found.divergence.first
        for actor, asked in enumerate(self.questions):
            step = asked.first_step
            for at, row in enumerate(self.found.alignment.rows if step is not None else ()):
                place = row.places[actor]
                if place is not None and self.found.attempts[actor].steps[place] == step:
                    return at
        return 0

    def folders(self, root: Path) -> list[Path]:
        """Of the actors' episodes."""
        return [root / attempt.run / attempt.episode for attempt in self.found.attempts]

    def read_labels(self) -> None:
        """Read again what people said of the attempts. Raises `BadData`."""
        self.found = labelled(self._store, self.found, self._annotator)

    def step_at(self, row: int, actor: int) -> int | None:
        """Index of an actor's step in a row, of its next one, or of its last; None where it has none."""
        steps = self.found.attempts[actor].steps
        place = standing(self.found.alignment, row, actor)
        return steps[place] if place is not None else steps[-1] if steps else None

    def page_place(self, row: int, actor: int, *, after: bool) -> int | None:
        """Place of the step that recorded the page an actor saw in a row; None where none did."""
        episode = self.episodes[actor]
        at = episode.place_of(self.step_at(row, actor) or 0) or 0
        acts = self.found.alignment.rows[row].places[actor] is not None
        ended = standing(self.found.alignment, row, actor) is None
        return at if ended or (after and acts) else episode.before(at)

    def targets(self, row: int, actor: int) -> SharedTargets:
        """What those who act in a row, and the reference, acted on; on the chosen actor's page if it acts."""
        acts = [
            one
            for at in range(len(self.episodes))
            if self.found.alignment.rows[row].places[at] is not None
            and (one := self._pointed(row, at)) is not None
        ]
        return shared_targets(acts, self.found.attempts[actor].name)

    def _pointed(self, row: int, actor: int) -> Pointed | None:
        """None where no page is recorded before its step."""
        episode, attempt = self.episodes[actor], self.found.attempts[actor]
        place = self.found.alignment.rows[row].places[actor]
        at = episode.place_of(self.step_at(row, actor) or 0)
        page = self.page_place(row, actor, after=False)
        if at is None or page is None or place is None:
            return None
        frame = episode.frame(page)
        return Pointed(
            name=attempt.name,
            words=_what(attempt.done[place]),
            page=url_pattern(frame.step.url),
            seen=frame.observation or Observation(),
            picture=frame.screenshot,
            aim=episode.aim(at),
            reference=self._references[actor].get(episode.steps[at].index),
        )

    def view(self, row: int, actor: int, *, after: bool) -> ActorView:
        """What an actor saw in a row, and its score so far."""
        episode, attempt = self.episodes[actor], self.found.attempts[actor]
        place = self.found.alignment.rows[row].places[actor]
        acts, ended = place is not None, standing(self.found.alignment, row, actor) is None
        index = self.step_at(row, actor) or 0
        at = episode.place_of(index) or 0
        late = ended or (after and acts)
        page = self.page_place(row, actor, after=after)
        score, scored = score_at(episode.trajectory, index if acts or ended else index - 1)
        return ActorView(
            name=attempt.name,
            where=_where(index, acts, ended, after),
            what=_what(attempt.done[place]) if place is not None else "",
            step=episode.steps[at] if acts else None,
            labels=tuple(starmap(_label, attempt.said_of(index))) if acts else (),
            frame=episode.frame(page) if page is not None and episode.steps else None,
            aim=episode.aim(at) if acts and not late else Aim(),
            score=score,
            score_words="of the episode" if scored is None else f"after step {scored}",
        )


def read_compared(store: Store, folders: Sequence[Path], annotator: str) -> Compared:
    """Load and align episodes; `annotator` is who looks at them, "" for nobody named.

    Raises `UsageError` for what can't be compared, `BadData`.
    """
    return Compared(store, [store.load(folder) for folder in folders], annotator)


def _questions(store: Store, found: Comparison, trajectories: Sequence[Trajectory]) -> tuple[Questions, ...]:
    """Of each attempt, in the order of columns."""
    problem = ""
    try:
        named = named_steps(store)
    except BadData as error:
        named, problem = {}, f"what judges said can't be read: {error}"
    return tuple(
        Questions(rank_steps(store, trajectory, trajectories), named.get((one.run, one.episode), ()), problem)
        for one, trajectory in zip(found.attempts, trajectories, strict=True)
    )


def _label(label: Label, code: Code | None) -> str:
    """With the whole definition below it."""
    defined = f"\n{code.definition}" if code is not None and code.definition else ""
    return f"{label_words(label, code)}{defined}"


def _where(index: int, acts: bool, ended: bool, after: bool) -> str:
    if ended:
        return f"ended after step {index}"
    if acts:
        return f"{'after' if after else 'before'} step {index}"
    return f"next: step {index}"


def _what(done: Done) -> str:
    if done.error:
        return f"{done.words} · {done.error}"
    return f"{done.words} · the page stayed as it was" if done.effect == "unchanged" else done.words
