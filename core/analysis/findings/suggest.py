"""All suggestions for a trajectory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webbench.core.analysis.findings.blocked_pages import blocked_pages, page_errors
from webbench.core.analysis.findings.endings import answers_seen, budget_spent, early_stops, pages_missed
from webbench.core.analysis.findings.loops import dead_elements, loops, oscillations, repeated_invalid
from webbench.core.analysis.findings.suggestion import Subject, Suggestion
from webbench.core.analysis.recorded.step_observations import look_into
from webbench.core.observation import Observation
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

SCHEMA_VERSION = 1

MOST_OF_A_KIND = 5

Detector = Callable[[Subject], Iterator[Suggestion]]

_BLIND: tuple[Detector, ...] = (
    loops,
    oscillations,
    repeated_invalid,
    dead_elements,
    blocked_pages,
    page_errors,
    budget_spent,
)
_KNOWING: tuple[Detector, ...] = (early_stops, answers_seen, pages_missed)
"""These look at the score or at reference answers."""


def suggest(
    trajectory: Trajectory, look: Callable[[Step], Observation | None], *, blind: bool = False
) -> tuple[Suggestion, ...]:
    """What may have gone wrong, in order of steps; the first few of each kind.

    Args:
        look: gives what was seen after a step, None where that isn't recorded.
        blind: leave out what rests on the score or on reference answers.
    """
    return found_in(Subject(trajectory, look), blind=blind)


def found_in(subject: Subject, *, blind: bool = False) -> tuple[Suggestion, ...]:
    """The same for a trajectory that is prepared already."""
    found: list[Suggestion] = []
    for detector in _BLIND if blind else _BLIND + _KNOWING:
        own = list(detector(subject))
        found += own[:MOST_OF_A_KIND]
    return tuple(sorted(found, key=lambda one: (one.step, one.kind)))


def suggest_for(store: Store, trajectory: Trajectory, *, blind: bool = False) -> tuple[Suggestion, ...]:
    """The same for a stored episode; an observation that can't be read counts as none."""
    return suggest(trajectory, look_into(store, trajectory, []), blind=blind)
