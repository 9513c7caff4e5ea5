"""What a successful attempt at the same task tells: where this one parted from it and never came back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.divergence import unequal_effects
from webbench.core.analysis.compare.milestones import milestones
from webbench.core.analysis.compare.partings import Row
from webbench.core.analysis.compare.told_acts import acts
from webbench.core.analysis.decisive.ranking import Ranking, ranked
from webbench.core.analysis.decisive.rule_level import rules, turns_of
from webbench.core.analysis.decisive.signal import Signal, signal
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

    The last stretch is never repaired where nothing after it is the same; it is told with the checks that
    only the solved attempt met.
    """
    walks = [acts(failed.moments), acts(solved.moments)]
    rows = align(walks).rows
    unequal = {one.row for one in unequal_effects(rows, walks)}
    alike = [not row.apart and at not in unequal for at, row in enumerate(rows)]
    repairs = [same and row.same and not _ends(walks[0], row) for same, row in zip(alike, rows, strict=True)]
    last_same = max((at for at, same in enumerate(repairs) if same), default=-1)
    cost = _checks_cost(failed.trajectory, solved.trajectory)
    before_same = True
    for at, row in enumerate(rows):
        place = row.places[0]
        if alike[at]:
            before_same = True
        elif before_same and place is not None:
            before_same = False
            step = walks[0][place].step
            if at > last_same:
                yield signal("unrepaired-parting", step, cost)
            else:
                yield signal("parting", step)


def _ends(walk: Sequence[Moment], row: Row) -> bool:
    """Whether it stops in this row: that both end alike repairs nothing."""
    place = row.places[0]
    return place is not None and walk[place].verb == "stop"


def _checks_cost(failed: Trajectory, solved: Trajectory) -> str:
    """Checks that only the solved attempt met, in words."""
    lost = [one for one in milestones([failed, solved]) if one.reached[1].met and not one.reached[0].met]
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
