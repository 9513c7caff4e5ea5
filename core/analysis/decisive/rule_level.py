"""All signals that rules find in one episode, without a model and without another attempt."""

from __future__ import annotations

from webbench.core.analysis.decisive.claims import accepted, claims, made_up
from webbench.core.analysis.decisive.dropped_constraints import dropped
from webbench.core.analysis.decisive.signal import Signal
from webbench.core.analysis.decisive.symptoms import parts_of_pages, repeats, walked_back, went_wrong
from webbench.core.analysis.decisive.turn import Turn, turns
from webbench.core.analysis.findings.suggest import found_in
from webbench.core.analysis.findings.suggestion import Subject


def rules(subject: Subject, taken: tuple[Turn, ...], *, blind: bool = False) -> tuple[Signal, ...]:
    """Each kind once a step.

    Args:
        blind: leave out what rests on the score or on reference answers.
    """
    intent = subject.trajectory.header.task.intent
    start = subject.page_text(subject.steps[0]) if subject.shows_pages and subject.steps else ""
    found = (
        *claims(taken, f"{intent}\n{start}"),
        *made_up(taken),
        *accepted(taken),
        *dropped(taken, intent),
        *went_wrong(taken),
        *parts_of_pages(taken),
        *repeats(taken),
        *walked_back(taken, found_in(subject, blind=blind)),
    )
    return tuple({(one.step, one.kind): one for one in found}.values())


def turns_of(subject: Subject) -> tuple[Turn, ...]:
    """The steps of an episode as turns."""
    return turns(subject.trajectory, subject.page_text if subject.shows_pages else None)
