"""What a successful attempt at the same task tells: where this one parted from it and never came back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.divergence import unequal_effects
from webbench.core.analysis.compare.milestones import Milestone, milestones
from webbench.core.analysis.compare.parting_rows import Row
from webbench.core.analysis.compare.told_acts import acts
from webbench.core.analysis.decisive.ranking import Ranking, ranked
from webbench.core.analysis.decisive.rule_level import rules, turns_of
from webbench.core.analysis.decisive.signal import Kind, Signal, signal
from webbench.core.analysis.decisive.spoilt_checks import spoilt_checks
from webbench.core.analysis.findings.suggestion import Subject
from webbench.core.analysis.recorded.step_observations import look_into
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted
from webbench.core.trajectory import Trajectory

SHOWN = 3


def partings(failed: Subject, solved: Subject) -> Iterator[Signal]:
    """The first step of each stretch in which the failed attempt does otherwise than the solved one.

    The same act without the effect it had there is otherwise, too; what one of them needs besides is not.

    The last stretch is never repaired where nothing after it is the same. Each is told with the checks that
    it cost: the more there are, the more it weighs, up to twice as much.
    """
    walks = [acts(failed.moments), acts(solved.moments)]
    rows = align(walks).rows
    unequal = {one.row for one in unequal_effects(rows, walks)}
    alike = [not row.apart and at not in unequal for at, row in enumerate(rows)]
    repairs = [same and row.same and not _ends(walks[0], row) for same, row in zip(alike, rows, strict=True)]
    last_same = max((at for at, same in enumerate(repairs) if same), default=-1)
    begun: list[tuple[int, int]] = []
    before_same = True
    for at, row in enumerate(rows):
        place = row.places[0]
        if alike[at]:
            before_same = True
        elif before_same and place is not None:
            before_same = False
            begun.append((at, walks[0][place].step))
    checks = milestones([failed.trajectory, solved.trajectory])
    met = sum(one.reached[1].met for one in checks)
    met_in = {
        step: at
        for at, row in reversed([*enumerate(rows)])
        if (step := _step(walks[1], row.places[1])) is not None
    }
    cost: list[list[Milestone]] = [[] for _ in begun]
    for one in checks:
        if begun and one.reached[1].met and not one.reached[0].met:
            cost[_costing([row for row, _ in begun], met_in, one.reached[1].step)].append(one)
    for lost, (at, step) in zip(cost, begun, strict=True):
        kind: Kind = "unrepaired-parting" if at > last_same else "parting"
        yield signal(kind, step, _lost_in_words(lost), strength=1 + len(lost) / (met or 1))


def _ends(walk: Sequence[Moment], row: Row) -> bool:
    """Whether it stops in this row: that both end alike repairs nothing."""
    place = row.places[0]
    return place is not None and walk[place].verb == "stop"


def _step(walk: Sequence[Moment], place: int | None) -> int | None:
    return None if place is None else walk[place].step


def _costing(begun: Sequence[int], met_in: Mapping[int, int], step: int | None) -> int:
    """Which stretch cost a check that the solved attempt met at this step: the last that had begun by then.

    The last of all where no step is recorded, or none had begun.
    """
    if step is None or step not in met_in:
        return -1
    return sum(row <= met_in[step] for row in begun) - 1


def _lost_in_words(lost: Sequence[Milestone]) -> str:
    """Checks that only the solved attempt met, in words."""
    if not lost:
        return ""
    named = ", ".join(plain_clip(f"{one.target} ({one.name})", 60) for one in lost[:SHOWN])
    return f"{counted(len(lost), 'check')} that only the other met, {named}"


def rank_steps(
    store: Store, failed: Trajectory, others: Sequence[Trajectory] = (), *, blind: bool = False
) -> Ranking | None:
    """The steps of a stored episode that failed: by rules, by its own checks, by an attempt that succeeded.

    None for one that was solved or goes on. Talks are ranked by rules alone: they have no pages by which two
    could be laid side by side. An observation that can't be read counts as none.

    Args:
        others: attempts at the same task; the first of them that succeeded is the reference.
        blind: look at neither score nor reference answers; then episodes that were solved are ranked, too.
    """
    subject = Subject(failed, look_into(store, failed, []))
    if (subject.is_solved and not blind) or not failed.header.ended or len(failed.steps) < 2:
        return None
    taken = turns_of(subject)
    found = [*rules(subject, taken, blind=blind), *(() if blind else spoilt_checks(failed))]
    if subject.shows_pages and not blind:
        prepared = (Subject(one, look_into(store, one, [])) for one in others)
        solved = next((one for one in prepared if one.is_solved), None)
        found += partings(subject, solved) if solved is not None else ()
    return ranked(taken, found, is_talk=not subject.shows_pages)
