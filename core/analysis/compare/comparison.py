"""Recorded episodes of one task side by side, ready for a screen, a table, a page or JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from webbench.core.action.action import Type
from webbench.core.action.words import action_words
from webbench.core.analysis.compare.alignment import Alignment
from webbench.core.analysis.compare.compared_step import Effect, Moment, moments
from webbench.core.analysis.compare.divergence import (
    Divergence,
    Phase,
    Sureness,
    diverge,
    phases,
    surely_aligned,
)
from webbench.core.analysis.compare.milestones import Milestone, milestones
from webbench.core.analysis.compare.row_marks import MarkedRow, marked_rows
from webbench.core.analysis.compare.told_acts import acts
from webbench.core.analysis.recorded.known_solution import KnownSolution, known_solution
from webbench.core.analysis.recorded.step_observations import look_into
from webbench.core.analysis.recorded.time_profile import time_profile
from webbench.core.errors import UsageError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.corrections import Verdict, corrected
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.labels.taxonomy import Code
from webbench.core.labels.visibility import sight
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Seconds, Step, Trajectory, step_words

LONGEST_PSEUDONYM = 16
SCHEMA_VERSION = 1


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What an actor did in one step.

    Attributes:
        words: the action as a person reads it, or the text that was no action; of a step that tells several
            acts the words of this one.
        error: why it had no effect, "" where it could be done.
        effect: what became of the page.
        seconds: all that the step took; 0 where no time is recorded, and for its further acts.
    """

    words: str
    error: str = ""
    effect: Effect = ""
    seconds: float = 0.0


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One actor's column.

    Attributes:
        name: the actor, numbered where several attempts are of the same one.
        steps: indices of the steps that the alignment's places stand for.
        unrecorded: indices of steps of which neither an action nor a note is recorded; they stand in no row.
        done: what was done in each of them.
        spent: where the attempt's time went.
        labels: what people said of the episode and its steps, as far as it may be shown.
        codes: what each of them says in its codebook, None where that no longer has it.
        verdict: the score both ways, None where nobody disputes it.
        problems: what of the record could not be read.
        solution: how the task is solved, held against the attempt; None where that isn't told, or it goes on.
    """

    run: str
    episode: str
    actor: str
    name: str
    steps: tuple[int, ...]
    done: tuple[Done, ...]
    score: Score | None
    seconds: float
    spent: Seconds
    labels: tuple[Label, ...] = ()
    codes: tuple[Code | None, ...] = ()
    verdict: Verdict | None = None
    problems: tuple[str, ...] = ()
    unrecorded: tuple[int, ...] = ()
    solution: KnownSolution | None = None

    @property
    def step_count(self) -> int:
        """How many steps acted; one that tells several acts stands for each of them in `steps`."""
        return len(set(self.steps))

    def labels_of(self, step: int | None) -> tuple[Label, ...]:
        """Those of a step, or of the episode as a whole for None."""
        return tuple(label for label in self.labels if label.step == step)

    def said_of(self, step: int | None) -> tuple[tuple[Label, Code | None], ...]:
        """The same with what each says in its codebook."""
        said = zip(self.labels, self.codes, strict=True)
        return tuple((label, code) for label, code in said if label.step == step)


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two or more attempts at a task, people's first where there are any.

    Attributes:
        marks: what stands at each row of the alignment.
        sureness: how far the parting can be relied on.
        phases: stretches of rows, with each actor's steps and time.
        milestones: the task's checks, with the step at which each actor met them.

    Example:
        >>> found = wb.compare(one, other)
        >>> found.divergence.first, [milestone.name for milestone in found.milestones]
    """

    task: str
    benchmark: str
    intent: str
    attempts: tuple[Attempt, ...]
    alignment: Alignment
    divergence: Divergence
    marks: tuple[MarkedRow, ...]
    phases: tuple[Phase, ...]
    sureness: Sureness
    milestones: tuple[Milestone, ...]


def compare(store: Store, trajectories: Sequence[Trajectory], annotator: str = "") -> Comparison:
    """Align recorded episodes.

    Args:
        annotator: who looks at it: her own labels are shown, those of others once both are done.

    Raises `UsageError` for fewer than two, for one named twice, and for episodes of different tasks;
    `BadData` for labels that a newer release wrote.
    """
    comparable([one.header for one in trajectories])
    chosen = ordered(trajectories)
    problems: list[list[str]] = [list(one.problems) for one in chosen]
    walks = [
        acts(moments(one, look_into(store, one, told))) for one, told in zip(chosen, problems, strict=True)
    ]
    alignment, sureness = surely_aligned(walks)
    divergence = diverge(alignment, walks)
    parts = zip(chosen, _names(chosen), walks, problems, strict=True)
    attempts = tuple(_attempt(one, name, walk, told) for one, name, walk, told in parts)
    task = chosen[0].header.task
    found = Comparison(
        benchmark=task.benchmark,
        task=task.id,
        intent=task.intent,
        attempts=attempts,
        alignment=alignment,
        divergence=divergence,
        marks=marked_rows(alignment, divergence),
        sureness=sureness,
        phases=phases(
            alignment.rows,
            [[done.seconds for done in one.done] for one in attempts],
            [one.steps for one in attempts],
        ),
        milestones=milestones(chosen),
    )
    return labelled(store, found, annotator)


def labelled(store: Store, found: Comparison, annotator: str = "") -> Comparison:
    """With the labels and disputes that the store has now, as `compare` shows them.

    Raises `BadData` for what a newer release wrote.
    """
    ledger = ledger_of(store)
    book = ledger.book()
    places = {(one.run, one.episode) for one in found.attempts}
    labels = [said for said in sight(book, annotator).labels if (said.run, said.episode) in places]
    codebook = load_codebook(written=ledger.codebooks) if labels else None
    attempts = []
    for one in found.attempts:
        own = tuple(said for said in labels if (said.run, said.episode) == (one.run, one.episode))
        defined = [codebook.definition(said) if codebook is not None else None for said in own]
        codes = tuple(known[1] if known is not None else None for known in defined)
        changed = {"labels": own, "codes": codes, "verdict": _verdict(book, one)}
        attempts.append(msgspec.structs.replace(one, **changed))
    return msgspec.structs.replace(found, attempts=tuple(attempts))


def _verdict(book: Book, attempt: Attempt) -> Verdict | None:
    scored = attempt.score.value if attempt.score is not None else None
    found = corrected(book, attempt.run, attempt.episode, scored)
    return found if found.is_disputed else None


def ordered(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    """As a comparison has them: people's attempts first, otherwise as they are given."""
    return sorted(trajectories, key=lambda one: not is_by_person(one))


def is_by_person(trajectory: Trajectory) -> bool:
    """Whether nobody but a person acted in it."""
    acted = {step.actor for step in trajectory.steps if step.acted}
    return trajectory.header.actor == "human" or acted == {"human"}


def comparable(headers: Sequence[EpisodeHeader]) -> None:
    """Raise `UsageError` for fewer than two episodes, for one named twice, and for different tasks."""
    if len(headers) < 2:
        raise UsageError(
            "There is nothing to compare with", "name two or more episodes of one task; --others lists them"
        )
    twice = Counter((one.run, one.episode) for one in headers)
    again = next((episode for (_, episode), times in twice.items() if times > 1), "")
    if again:
        raise UsageError(f"{again} is named twice", "name each episode once")
    tasks = list(dict.fromkeys((one.task.benchmark, one.task.id) for one in headers))
    if len(tasks) > 1:
        told = " and ".join(f"{benchmark} {task}" for benchmark, task in tasks[:3])
        raise UsageError(f"These episodes are of different tasks: {told}", "compare attempts at the same one")


def _names(trajectories: Sequence[Trajectory]) -> list[str]:
    """Actors; several of one name are told apart by their pseudonyms, else numbered."""
    actors = [one.header.actor for one in trajectories]
    several = {actor for actor, times in Counter(actors).items() if times > 1}
    given = [_pseudonym(one) for one in trajectories]
    alone = {name for name, times in Counter(given).items() if name and times == 1}
    numbers = [str(actors[: at + 1].count(actor)) for at, actor in enumerate(actors)]
    apart = [name if name in alone else number for name, number in zip(given, numbers, strict=True)]
    return [f"{actor} {apart[at]}" if actor in several else actor for at, actor in enumerate(actors)]


def _pseudonym(trajectory: Trajectory) -> str:
    """A short one, as studies give them; "" where there is none."""
    given = trajectory.header.settings.get("annotator")
    return given if isinstance(given, str) and len(given) <= LONGEST_PSEUDONYM else ""


def _attempt(trajectory: Trajectory, name: str, walk: Sequence[Moment], problems: list[str]) -> Attempt:
    header = trajectory.header
    steps = {step.index: step for step in trajectory.steps}
    return Attempt(
        run=header.run,
        episode=header.episode,
        actor=header.actor,
        name=name,
        steps=tuple(moment.step for moment in walk),
        done=tuple(
            _done(steps[moment.step], moment, first=not at or walk[at - 1].step != moment.step)
            for at, moment in enumerate(walk)
        ),
        score=header.score,
        seconds=trajectory.seconds,
        spent=time_profile(trajectory.steps).total,
        problems=tuple(problems),
        unrecorded=tuple(
            step.index for step in trajectory.steps if step.index and not (step.acted or step.note)
        ),
        solution=known_solution(header.task, trajectory.steps) if header.ended else None,
    )


def _done(step: Step, moment: Moment, *, first: bool) -> Done:
    """What a step did; the time of one that tells several acts is that of its first."""
    error = "" if step.ok else step.error or "it had no effect"
    return Done(
        words=_words(step, moment),
        error=error,
        effect=moment.effect,
        seconds=step.seconds.total if first else 0.0,
    )


def _words(step: Step, moment: Moment) -> str:
    """Typing that ends with Enter is two acts: the Enter stands in a row of its own."""
    if moment.enter and isinstance(step.action, Type):
        return action_words(msgspec.structs.replace(step.action, enter=False))
    return moment.told or step_words(step)
