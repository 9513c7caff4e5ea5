"""Corrections of scores: as evaluators gave them and as people hold them to be, always both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from webbench.core.labels.label import Dispute, Ruling
from webbench.core.labels.ledger import Book
from webbench.core.statistics.mean import mean

SCHEMA_VERSION = 1

State = Literal["open", "accepted", "rejected", "outdated"]


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute with what became of it.

    Attributes:
        state: "outdated" where the record no longer holds the verdict that was disputed.
    """

    dispute: Dispute
    state: State
    ruling: Ruling | None = None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """One episode's score both ways.

    Attributes:
        scored: as the evaluator gave it, None where it gave none.
        corrected: the same, or what a dispute says that holds.
        cases: all disputes of it.
        why: "" where nothing is corrected, else by whom and whether anybody confirmed it; also why a
            dispute changes nothing.
    """

    scored: float | None
    corrected: float | None
    cases: tuple[Case, ...] = ()
    why: str = ""

    @property
    def is_disputed(self) -> bool:
        return bool(self.cases)

    @property
    def differs(self) -> bool:
        return self.scored != self.corrected


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of several episodes both ways.

    Attributes:
        scored, corrected: None where there is nothing to average.
        scored_count, corrected_count: episodes that each is the mean of.
        changed: episodes whose score differs; unconfirmed: those of them that nobody ruled on.
        disputed: episodes with a dispute, whatever became of it.
    """

    scored: float | None
    corrected: float | None
    scored_count: int
    corrected_count: int
    changed: int = 0
    unconfirmed: int = 0
    disputed: int = 0


def cases(book: Book) -> tuple[Case, ...]:
    """The queue: every dispute that wasn't withdrawn, those nobody ruled on first, then by time."""
    return _cases(book, book.disputes)


def _cases(book: Book, disputes: Iterable[Dispute]) -> tuple[Case, ...]:
    rulings = {(one.run, one.episode, one.disputed_by): one for one in book.rulings}
    found = []
    for dispute in disputes:
        ruling = rulings.get((dispute.run, dispute.episode, dispute.annotator))
        state = ruling.verdict if ruling is not None else "open"
        found.append(Case(dispute=dispute, state=state, ruling=ruling))
    return tuple(sorted(found, key=lambda case: (case.state != "open", case.dispute.at)))


def corrected(book: Book, run: str, episode: str, scored: float | None) -> Verdict:
    """An episode's score as recorded (`scored`) and as corrected.

    A dispute that was accepted holds; one that nobody ruled on holds too and is told as unconfirmed; where
    such disputes contradict each other, or the record's score is no longer the disputed one, none does.
    """
    own = [one for one in book.disputes if (one.run, one.episode) == (run, episode)]
    if not own:
        return Verdict(scored=scored, corrected=scored)
    current = tuple(
        msgspec.structs.replace(case, state="outdated") if case.dispute.scored != scored else case
        for case in _cases(book, own)
    )
    for state in ("accepted", "open"):
        holding = [case for case in current if case.state == state]
        values = {case.dispute.corrected for case in holding}
        if len(values) > 1:
            return Verdict(
                scored=scored, corrected=scored, cases=current, why=f"{state} disputes contradict each other"
            )
        if holding:
            return Verdict(
                scored=scored,
                corrected=values.pop(),
                cases=current,
                why=_correction_words(holding, state == "open"),
            )
    return Verdict(scored=scored, corrected=scored, cases=current, why=f"{current[0].state} dispute")


def corrected_means(book: Book, scores: Iterable[tuple[str, str, float | None]]) -> Means:
    """The mean of (run, episode, score as recorded), both ways; what has no value is left out."""
    verdicts = [corrected(book, run, episode, value) for run, episode, value in scores]
    before = [one.scored for one in verdicts if one.scored is not None]
    after = [one.corrected for one in verdicts if one.corrected is not None]
    changed = [one for one in verdicts if one.differs]
    return Means(
        scored=mean(before),
        corrected=mean(after),
        scored_count=len(before),
        corrected_count=len(after),
        changed=len(changed),
        unconfirmed=sum(all(case.state != "accepted" for case in one.cases) for one in changed),
        disputed=sum(one.is_disputed for one in verdicts),
    )


def _correction_words(holding: Sequence[Case], unconfirmed: bool) -> str:
    names = " and ".join(case.dispute.annotator for case in holding)
    return f"disputed by {names}" + (", not confirmed" if unconfirmed else ", accepted")
