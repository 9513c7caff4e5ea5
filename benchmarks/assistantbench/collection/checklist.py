"""The checklist that a collected task has to pass before it is saved.

Its items are those of the paper's criteria (section 3.1) and of the checklist that domain experts were given
(figure 10). Two people other than the task's author answer all of it and find the answer themselves: the
authors verified each task by two of them (section 3.1, footnote 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from webbench.benchmarks.assistantbench.collection.collected_candidates import (
    MOST_ANSWERS,
    Candidate,
    Checked,
)
from webbench.benchmarks.assistantbench.scoring.question import question_score
from webbench.core.errors import BadData, UsageError
from webbench.core.labels.label import pseudonym
from webbench.core.score.explanation import given_words
from webbench.core.text.plural import counted
from webbench.core.trajectory import now

ITEMS = {
    "real": "it is likely to answer a real human need",
    "closed": "the answer is closed: only the text, number or JSON that is asked for, which rules verify",
    "stable": "the answer is not likely to change within six months",
    "browsing": "a simple search does not give the answer, and finding it takes several minutes",
    "few": f"it has no more than {MOST_ANSWERS} answers",
    "english": "it is in English",
    "no-login": "no page that is needed asks for a login or an account",
}
CHECKERS = 2
MINUTES = 2.0
"""Below which a task isn't time-consuming ("at least several minutes", section 3.1); the figure is ours."""


class ItemState(msgspec.Struct, frozen=True, kw_only=True):
    """One item of the checklist: who says that it holds, and who says that it doesn't, with the reason."""

    item: str
    asks: str
    yes: tuple[str, ...] = ()
    no: dict[str, str] = {}


def checked(one: Candidate, by: str, yes: Sequence[str], no: Mapping[str, str], found: str) -> Candidate:
    """The candidate with what a person says of it, beside what she said before.

    Raises `UsageError` for its own author, unknown items, an item that holds and doesn't, and a "no" without
    a reason.
    """
    name = pseudonym(by)
    if name == one.by:
        raise UsageError(f"{name} wrote this task", "somebody else has to check it")
    if unknown := sorted({*yes, *no} - ITEMS.keys()):
        raise UsageError(f"The checklist has no {', '.join(unknown)}", f"it asks for {', '.join(ITEMS)}")
    if both := sorted(set(yes) & no.keys()):
        raise UsageError(f"{', '.join(both)} can't hold and not hold", "say one of both")
    if silent := sorted(item for item, why in no.items() if not why.strip()):
        raise UsageError(f"Why does {silent[0]} not hold?", f"write --no {silent[0]}=REASON")
    before = next((check for check in _of_now(one) if check.by == name), None)
    answers = (before.answers if before else {}) | dict.fromkeys(yes, True) | dict.fromkeys(no, False)
    notes = {item: why for item, why in (before.notes if before else {}).items() if not answers[item]}
    said = Checked(
        by=name,
        at=now(),
        sha256=one.sha256,
        answers=answers,
        notes=notes | {item: why.strip() for item, why in no.items()},
        found=found.strip() or (before.found if before else ""),
    )
    others = [check for check in one.checks if check.by != name or check.sha256 != one.sha256]
    return msgspec.structs.replace(one, checks=(*others, said))


def _of_now(one: Candidate) -> list[Checked]:
    """Others' checks of the task as it stands: those of an earlier wording say nothing."""
    return [check for check in one.checks if check.sha256 == one.sha256 and check.by != one.by]


def states(one: Candidate) -> list[ItemState]:
    """Every item, in the order of the checklist."""
    said = _of_now(one)
    return [
        ItemState(
            item=item,
            asks=asks,
            yes=tuple(check.by for check in said if check.answers.get(item) is True),
            no={check.by: check.notes.get(item, "") for check in said if check.answers.get(item) is False},
        )
        for item, asks in ITEMS.items()
    ]


def faults(one: Candidate) -> Iterator[str]:
    """Why the task can't be saved yet; nothing where it passes."""
    if len(one.answers) > MOST_ANSWERS:
        yield f"it has {len(one.answers)} answers, and {MOST_ANSWERS} are the most"
    if one.minutes < MINUTES:
        yield f"it takes {one.minutes:g} minutes, and {MINUTES:g} are the least"
    for state in states(one):
        for by, why in state.no.items():
            yield f"{state.item} does not hold, says {by}: {why}"
    said = _of_now(one)
    for check in said:
        yield from _unlike(one, check)
    complete = checkers(one)
    if len(complete) < CHECKERS:
        people = {0: "nobody", 1: "one person"}[len(complete)]
        yield f"{people} besides its author answered all of the checklist, and {CHECKERS} have to"
        for check in said:
            if missing := list(_unfinished(check)):
                yield f"{check.by} has still to say: {', '.join(missing)}"
    if earlier := len({check.by for check in one.checks} - {check.by for check in said}):
        yield f"{counted(earlier, 'check')} of an earlier wording no longer count{'s' * (earlier == 1)}"


def checkers(one: Candidate) -> list[str]:
    """Who answered all of the checklist for the task as it stands."""
    return [check.by for check in _of_now(one) if not list(_unfinished(check))]


def _unfinished(check: Checked) -> Iterator[str]:
    yield from (item for item in ITEMS if item not in check.answers)
    if not check.found:
        yield "which answer was found"


def _unlike(one: Candidate, check: Checked) -> Iterator[str]:
    """Where a person found another answer, as the benchmark's own rules compare them."""
    if not check.found:
        return
    try:
        worth = question_score(check.found, one.answer).value
    except BadData as error:
        yield f"the answer can't be verified by rules: {error}"
        return
    if worth != 1:
        yield f'{check.by} found "{check.found}", which gets {given_words(worth)} against "{one.answer}"'
