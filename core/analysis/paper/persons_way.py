"""The person's way: how long actors stay on it, step by step, and where over a run they leave it.

Each actor's attempt is laid beside one reference attempt at the same task (`compare`). An actor is still on
the way after its first k steps where these stand in rows that are the same for both; it parts at the step
after. Who stops before it has parted is censored there: nobody knows what would have come next.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.analysis.compare.comparison import Comparison, compare
from webbench.core.analysis.paper.paper_figure import Curves, Histogram, PaperFigure, actor_names, no_figure
from webbench.core.analysis.paper.read_steps import Steps
from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.errors import UsageError
from webbench.core.statistics.estimates import LEVEL
from webbench.core.statistics.figures import Column, Row, Table
from webbench.core.statistics.survival import kaplan_meier
from webbench.core.text.nearest import suggestion

PERSON = "human"
TENTHS = 10
WAY_TITLE, PARTINGS_TITLE = "Still on the person's way", "Where the ways part"


class Parting(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt beside the reference's.

    Attributes:
        kept: steps of its own before it parts, or before it ends.
        parted: whether it parts at all.
        before: steps of the reference before that; `of` how many the reference has.
    """

    actor: str
    task: str
    episode: str
    reference: str
    kept: int
    parted: bool
    before: int
    of: int

    @property
    def group(self) -> int:
        """The tenth of the reference's way in which it parts; one more where it never does."""
        return min(TENTHS - 1, TENTHS * self.before // max(1, self.of)) if self.parted else TENTHS


class Partings(msgspec.Struct, frozen=True, kw_only=True):
    """All of them, and what could not be laid beside a reference."""

    found: tuple[Parting, ...]
    reference: str
    left_out: dict[str, int]
    empty: str = ""


def reference_run(runs: Sequence[RecordedRun], named: str = "") -> RecordedRun | None:
    """The named run, else the one that a person made; None where there is none, or nothing beside it.

    Raises `UsageError` for a name that is none of the runs.
    """
    if named and named not in [run.run for run in runs]:
        known = suggestion(named, [run.run for run in runs])
        raise UsageError(f'The reference "{named}" is none of the runs', known)
    found = next((run for run in runs if run.run == named or (not named and run.agent == PERSON)), None)
    return found if len(runs) > 1 else None


def partings(runs: Sequence[RecordedRun], steps: Steps, named: str = "") -> Partings:
    """Lay every other attempt beside the reference's at the same task."""
    reference = reference_run(runs, named)
    if reference is None:
        why = (
            "no run is a person's, and --reference names none" if len(runs) > 1 else "there is one run alone"
        )
        return Partings(found=(), reference="", left_out={}, empty=why)
    names = actor_names(runs)
    ways = best_by_task(reference.episodes)
    left = {"episodes of tasks that the reference lacks": 0, "episodes without steps on either side": 0}
    found: list[Parting] = []
    others = [(run, one) for run in runs if run is not reference for one in run.episodes]
    for run, one in others:
        way = ways.get(one.task.id)
        if way is None:
            left["episodes of tasks that the reference lacks"] += 1
            continue
        pair = [steps.load(way), steps.load(one)]
        told = [
            trajectory
            for trajectory in pair
            if trajectory is not None and any(s.acted for s in trajectory.steps)
        ]
        if len(told) < 2:
            left["episodes without steps on either side"] += 1
            continue
        found.append(parting(compare(steps.store, told), names[run.run], way, one))
    return Partings(
        found=tuple(found),
        reference="a person" if reference.agent == PERSON else names[reference.run],
        left_out=left,
        empty="" if found else "no attempt has steps beside the reference's",
    )


def best_by_task(episodes: Sequence[Recorded]) -> dict[str, Recorded]:
    """Of several attempts at a task the first that solved it, else the first."""
    found: dict[str, Recorded] = {}
    for one in episodes:
        known = found.get(one.task.id)
        if known is None or (known.value != 1 and one.value == 1):
            found[one.task.id] = one
    return found


def parting(found: Comparison, actor: str, way: Recorded, one: Recorded) -> Parting:
    """What a comparison of two says of the second."""
    places = [(attempt.run, attempt.episode) for attempt in found.attempts]
    theirs, ours = places.index((way.run, way.episode)), places.index((one.run, one.episode))
    rows = found.alignment.rows
    first = len(rows) if found.divergence.first is None else found.divergence.first
    return Parting(
        actor=actor,
        task=one.task.id,
        episode=one.name,
        reference=way.name,
        kept=sum(row.places[ours] is not None for row in rows[:first]),
        parted=any(row.places[ours] is not None for row in rows[first:]),
        before=sum(row.places[theirs] is not None for row in rows[:first]),
        of=sum(row.places[theirs] is not None for row in rows),
    )


def survival_figure(found: Partings) -> PaperFigure:
    """Kaplan and Meier's curve by actor."""
    if not found.found:
        return no_figure("survival", WAY_TITLE, found.empty, found.left_out)
    rows: list[Row] = []
    curves = []
    for actor in dict.fromkeys(one.actor for one in found.found):
        own = [one for one in found.found if one.actor == actor]
        times = [float(one.kept + one.parted) for one in own]
        curve = kaplan_meier(times, [one.parted for one in own])
        curves.append((actor, curve))
        for at, time in enumerate(curve.times):
            behind = tuple(one.episode for one, own_time in zip(own, times, strict=True) if own_time == time)
            counts = (curve.at_risk[at], curve.events[at], curve.censored[at])
            rows.append(
                Row((actor, int(time), *counts, curve.shares[at], curve.low[at], curve.high[at]), behind)
            )
    told = "; ".join(
        f"{actor}: median {'not reached' if curve.median is None else f'step {curve.median:.0f}'}, "
        f"n {curve.n}, censored {sum(curve.censored)}"
        for actor, curve in curves
    )
    columns = (Column("agent", "text"), Column("step"), Column("at risk"), Column("part"), Column("censored"))
    return PaperFigure(
        name="survival",
        title=WAY_TITLE,
        caption=f"Share of attempts that have not parted from the attempt of {found.reference}, by their own "
        f"step (Kaplan and Meier), with pointwise {100 * LEVEL:.0f} % bands (Greenwood, log-log). Ticks: "
        f"attempts that ended before they parted (censored). {told}.",
        plot=Curves(axis="step of the attempt", curves=tuple(curves)),
        table=Table(
            title=WAY_TITLE,
            columns=(*columns, Column("share on the way"), Column("low"), Column("high")),
            rows=tuple(rows),
        ),
        left_out=found.left_out,
    )


def partings_figure(found: Partings) -> PaperFigure:
    """In which tenth of the reference's way attempts part."""
    if not found.found:
        return no_figure("partings", PARTINGS_TITLE, found.empty, found.left_out)
    actors = list(dict.fromkeys(one.actor for one in found.found))
    groups = (*(f"{10 * at}–{10 * at + 10}" for at in range(TENTHS)), "never")
    counts = tuple(
        (
            actor,
            tuple(
                sum(one.actor == actor and one.group == at for one in found.found) for at in range(TENTHS + 1)
            ),
        )
        for actor in actors
    )
    rows = tuple(
        Row(
            (one.actor, one.task, one.kept, int(one.parted), one.before, one.of, one.episode, one.reference),
            (one.episode, one.reference),
        )
        for one in found.found
    )
    columns = (
        *(Column("agent", "text"), Column("task", "text"), Column("own steps before"), Column("parted")),
        *(Column("reference's steps before"), Column("reference's steps")),
        *(Column("episode", "text"), Column("reference", "text")),
    )
    printed = Table(
        title=PARTINGS_TITLE,
        columns=(Column("part of the way, %", "text"), *(Column(actor) for actor in actors)),
        rows=tuple(Row((group, *(counted[at] for _, counted in counts))) for at, group in enumerate(groups)),
    )
    told = "; ".join(f"{actor}: n {sum(counted)}" for actor, counted in counts)
    return PaperFigure(
        name="partings",
        title=PARTINGS_TITLE,
        caption=f"Attempts by the part of the way of {found.reference} at which they first do something "
        f"else, in tenths of its steps; never: they do all alike, or end before they part. {told}.",
        plot=Histogram(
            axis=f"part of the way of {found.reference}, %", groups=groups, counts=counts, apart=1
        ),
        table=Table(title=PARTINGS_TITLE, columns=columns, rows=rows),
        printed=printed,
        left_out=found.left_out,
    )
