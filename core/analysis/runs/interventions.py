"""How often and where people stepped in while agents worked, and how far they changed what was proposed.

Everything comes from the provenance of recorded steps (`core.provenance`). A proposal is a step, or the note
of a rejection, that a proposal of some agent led to; the rate of interventions is over these. Taking over and
pausing answer no proposal and are counted beside. Records older than the provenance tell nothing of it: an
operator's steps in them are counted as untold, never as none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import median

import msgspec

from webbench.core.action.aim import named
from webbench.core.action.words import action_words
from webbench.core.dialects.dialect import ParseError, find_dialect
from webbench.core.errors import WebbenchError
from webbench.core.guards.guard import BLOCKED
from webbench.core.observation import Observation
from webbench.core.provenance import INTERVENTIONS, Decision, Provenance
from webbench.core.statistics.figures import Bar, Bars, Cell, Column, Figure, Row, Section, Table
from webbench.core.statistics.mean import mean
from webbench.core.trajectory import Step, Trajectory, step_words

SCHEMA_VERSION = 1
MOST_ROWS = 200
"""Interventions that a table lists; `--json` has them all."""

WITHOUT_PROPOSAL: frozenset[Decision] = frozenset(("took over", "paused"))
DECISIONS: tuple[Decision, ...] = (
    *("alone", "accepted", "picked", "edited", "replaced", "rejected"),
    *("took over", "paused", "refused"),
)
Pages = Callable[[int], Observation | None]
"""The page that the actor had before the step at a place of the trajectory."""

QUARTERS = ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter")
ABOUT = (
    "Where people decided on agents' proposals. Changed: share of them that a person rejected or did "
    "otherwise. Alone: nobody was asked. Picked: another candidate than the "
    "agent's first. Replaced: something else was done. Refused: by the guard, with nobody there to confirm. "
    "Words changed is the least number of words to insert, delete, replace or swap between the two actions "
    "in words; of edits and replacements."
)


class Intervention(msgspec.Struct, frozen=True, kw_only=True):
    """One decision that changed an agent's course.

    Attributes:
        place: how far the episode had come, from 0 to 1, by its steps.
        proposed, done: in words; "" where nothing was proposed, or nothing done.
    """

    episode: str
    task: str
    step: int
    place: float
    decision: Decision
    agent: str
    proposed: str = ""
    done: str = ""
    reason: str = ""
    guard: str = ""
    edit_distance: int | None = None
    edit_share: float | None = None


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """What one episode tells.

    Attributes:
        decisions: how many of each.
        interventions: those by a person, and refusals of the guard, in order.
        deciding: seconds that each decision of a person on a proposal took.
        confirmed: what the guard asks about and a person confirmed.
        blocked: requests that the guard let nobody send.
        untold: steps of an operator whose record doesn't say how they came about.
    """

    episode: str
    task: str
    decisions: dict[Decision, int] = {}
    interventions: tuple[Intervention, ...] = ()
    deciding: tuple[float, ...] = ()
    confirmed: int = 0
    blocked: int = 0
    untold: int = 0


class InterventionFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Of several episodes. Rates and means are None where there is nothing to take them over.

    Attributes:
        with_any: episodes in which a person stepped in.
        interventions: by persons; `refused` by the guard are not in it.
        rate: share of proposals that a person changed.
        words_changed: mean over edits and replacements.
        deciding: median seconds.
    """

    episodes: int
    with_any: int
    proposals: int
    interventions: int
    rate: float | None
    decisions: dict[Decision, int]
    words_changed: float | None
    deciding: float | None
    confirmed: int
    blocked: int
    untold: int


def watched(name: str, trajectory: Trajectory, seen_before: Pages = lambda _: None) -> Watched:
    """Read an episode; `name` is "run/episode". The pages name the elements that proposals were about."""
    placed = [(place, step) for place, step in enumerate(trajectory.steps) if step.index > 0]
    steps = [step for _, step in placed]
    told = [(step, step.provenance) for step in steps if step.provenance is not None]
    last = max((step.index for step in steps), default=1)
    found = [
        Intervention(
            episode=name,
            task=trajectory.header.task.id,
            step=step.index,
            place=step.index / last,
            decision=how.decision,
            agent=how.proposed_by,
            proposed=_in_words(
                _proposed(step, how), step.dialect or trajectory.header.dialect, seen_before, place
            ),
            done="" if how.decision in ("rejected", "paused", "refused") else step_words(step),
            reason=how.reason,
            guard=how.guard,
            edit_distance=how.edit_distance,
            edit_share=how.edit_share,
        )
        for place, step in placed
        if (how := step.provenance) is not None
        if how.decision in INTERVENTIONS or how.decision == "refused"
    ]
    return Watched(
        episode=name,
        task=trajectory.header.task.id,
        decisions=dict(Counter(how.decision for _, how in told)),
        interventions=tuple(found),
        deciding=tuple(how.deciding for _, how in told if how.deciding),
        confirmed=sum(bool(how.guard) and how.decision != "refused" for _, how in told),
        blocked=sum(it.text.startswith(BLOCKED) for step in steps for it in step.messages),
        untold=sum(step.actor == "operator" and step.acted and step.provenance is None for step in steps),
    )


def _proposed(step: Step, how: Provenance) -> str:
    """What the agent had wanted most, else what the person's decision was about."""
    if how.decision == "picked" and how.candidates:
        return how.candidates[0]
    return step.proposed or (step.text if how.decision == "refused" else "")


def _in_words(text: str, dialect: str, seen_before: Pages, place: int) -> str:
    """As what was done is told; a text that is no action stands for itself."""
    if not text:
        return ""
    try:
        action = find_dialect(dialect).parse(text)
    except WebbenchError:  # of a plug-in that isn't here
        return text
    if isinstance(action, ParseError):
        return text
    return action_words(named(action, seen_before(place) or Observation()))


def figures_of(episodes: Sequence[Watched]) -> InterventionFigures:
    """The figures of episodes taken together."""
    counts: Counter[Decision] = Counter()
    for one in episodes:
        counts.update(one.decisions)
    proposals = sum(count for decision, count in counts.items() if decision not in WITHOUT_PROPOSAL)
    by_person = sum(counts[decision] for decision in INTERVENTIONS)
    changed = sum(counts[decision] for decision in INTERVENTIONS - WITHOUT_PROPOSAL)
    edits = [it.edit_distance for one in episodes for it in one.interventions if it.edit_distance is not None]
    deciding = [seconds for one in episodes for seconds in one.deciding]
    return InterventionFigures(
        episodes=len(episodes),
        with_any=sum(any(one.decisions.get(it) for it in INTERVENTIONS) for one in episodes),
        proposals=proposals,
        interventions=by_person,
        rate=changed / proposals if proposals else None,
        decisions={decision: counts[decision] for decision in DECISIONS if counts[decision]},
        words_changed=mean(edits),
        deciding=median(deciding) if deciding else None,
        confirmed=sum(one.confirmed for one in episodes),
        blocked=sum(one.blocked for one in episodes),
        untold=sum(one.untold for one in episodes),
    )


def interventions_section(runs: Mapping[str, Sequence[Watched]]) -> Section | None:
    """How often, where on the way, and which; None where nobody stepped in and nothing was refused."""
    found = {letter: [it for one in each for it in one.interventions] for letter, each in runs.items()}
    if not any(found.values()):
        return None
    figures: tuple[Figure, ...] = (_how_often(runs), _where(found), _which(found))
    return Section(name="interventions", title="People beside agents", about=ABOUT, figures=figures)


def _how_often(runs: Mapping[str, Sequence[Watched]]) -> Table:
    figures = {letter: figures_of(episodes) for letter, episodes in runs.items()}
    taken = {decision for one in figures.values() for decision in one.decisions}
    shown: list[Decision] = [decision for decision in DECISIONS if decision in taken]
    rows = []
    for letter, one in figures.items():
        cells: tuple[Cell, ...] = (
            letter,
            f"{one.with_any} of {one.episodes}",
            one.proposals,
            one.rate,
            *(one.decisions.get(decision, 0) for decision in shown),
            one.blocked,
            one.words_changed,
            one.deciding,
        )
        rows.append(Row(cells, tuple(it.episode for it in runs[letter] if it.interventions)))
    untold = sum(one.untold for one in figures.values())
    return Table(
        title="How often",
        columns=(
            *(Column("", "text"), Column("episodes with any", "text"), Column("proposals")),
            Column("changed"),
            *(Column(decision, optional=decision in ("alone", "accepted")) for decision in shown),
            Column("blocked requests", optional=True),
            *(Column("words changed", optional=True), Column("s to decide", optional=True)),
        ),
        rows=tuple(rows),
        note=f"{untold} steps of operators are of records that don't tell how they came about."
        if untold
        else "",
    )


def _where(found: Mapping[str, Sequence[Intervention]]) -> Bars:
    bars = []
    for at, quarter in enumerate(QUARTERS):
        for letter, interventions in found.items():
            here = [one for one in interventions if min(3, int(one.place * 4 - 1e-9)) == at]
            names = tuple(dict.fromkeys(one.episode for one in here))
            bars.append(Bar(group=quarter, actor=letter, value=float(len(here)), n=len(here), episodes=names))
    return Bars(title="Where on the way", unit="count", bars=tuple(bars), over="part of the episode's steps")


def _which(found: Mapping[str, Sequence[Intervention]]) -> Table:
    every = [(letter, one) for letter, interventions in found.items() for one in interventions]
    rows = tuple(
        Row(
            (letter, one.task, one.step, one.decision, one.proposed, one.done, one.reason or one.guard),
            (one.episode,),
        )
        for letter, one in every[:MOST_ROWS]
    )
    left = len(every) - len(rows)
    return Table(
        title="Which",
        columns=(
            *(Column("", "text"), Column("task", "text"), Column("step"), Column("decision", "text")),
            *(Column("proposed", "text"), Column("done", "text"), Column("why", "text")),
        ),
        rows=rows,
        note=f"{left} more are left out here." if left else "",
    )
