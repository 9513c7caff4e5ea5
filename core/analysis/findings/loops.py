"""Loops, oscillations, invalid actions that are repeated, elements that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from webbench.core.action.action import ElementRef, Say, target_of
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.findings.suggestion import Subject, Suggestion, suggested
from webbench.core.analysis.recorded.search import done_words
from webbench.core.observation import Observation
from webbench.core.text.caseless import caseless
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted
from webbench.core.trajectory import Step

REPEATS_UNSEEN = 3
"""Times in a row that the same is done before it counts as a loop where no pages are recorded."""

WORTH_REPEATING = 25
"""Characters that a text has at least which nobody says twice by chance."""

HARMLESS = frozenset({"scroll", "noop"})
"""Verbs that are meant to be repeated, and do something else each time."""

_GONE = re.compile(
    r"not on the page|no (?:such )?element|(?:could|can) ?(?:not|n't|'t) find|does not exist|not attached"
    r"|stale",
    re.IGNORECASE,
)


def loops(subject: Subject) -> Iterator[Suggestion]:
    """The same action on the same page state as before; without pages, the same three times in a row."""
    places = subject.moments
    texts = {step.index: step.text for step in subject.steps}
    for stretch in subject.stretches:
        first, last = places[stretch.first], places[stretch.last]
        if (
            stretch.kind == "loop"
            and last.verb != "noop"
            and (last.element or last.selector or texts[first.step] == texts[last.step])
        ):
            text = f"does the same on the same page as at step {first.step}: {_done(subject, last)}"
            yield suggested("loop", last.step, text, first=first.step)
    for run in _unseen_repeats(places, texts):
        often = f"does the same {len(run)} times with at most scrolling between, pages unseen"
        text = f"{often}: {_done(subject, run[-1])}"
        yield suggested("loop", run[-1].step, text, first=run[0].step)
    yield from _said_again(subject)


def _said_again(subject: Subject) -> Iterator[Suggestion]:
    """In a record of talk alone: somebody says the same again, be it after others have spoken."""
    if subject.shows_pages:
        return
    said: dict[tuple[str, str], list[int]] = {}
    for step in subject.steps:
        if isinstance(step.action, Say):
            text = caseless(step.action.text)
            if len(text) >= WORTH_REPEATING:
                said.setdefault((step.note, text), []).append(step.index)
    for (speaker, text), places in said.items():
        if len(places) > 1:
            told = f"{speaker or 'somebody'} says the same as at step {places[0]}"
            yield suggested("loop", places[-1], told, first=places[0], quote=plain_clip(text, 200))


def _unseen_repeats(places: Sequence[Moment], texts: Mapping[int, str]) -> Iterator[list[Moment]]:
    """The same deed in the same words, again and again, on pages that aren't recorded."""
    run: list[Moment] = []
    for moment in places:
        if moment.shingles or moment.verb in HARMLESS or _is_nameless(moment):
            continue
        if run and _deed(run[-1]) == _deed(moment) and texts[run[-1].step] == texts[moment.step]:
            run.append(moment)
            continue
        if len(run) >= REPEATS_UNSEEN:
            yield run
        run = [moment]
    if len(run) >= REPEATS_UNSEEN:
        yield run


def oscillations(subject: Subject) -> Iterator[Suggestion]:
    """Two page states that take turns."""
    for stretch in subject.stretches:
        if stretch.kind == "oscillation":
            first, last = subject.moments[stretch.first], subject.moments[stretch.last]
            pages = " and ".join(
                dict.fromkeys(one.url for one in (first, subject.moments[stretch.first + 1]) if one.url)
            )
            steps = counted(stretch.last - stretch.first + 1, "step")
            where = pages if " and " in pages else f"two states of {pages or 'a page'}"
            text = f"{steps} to and fro between {where}"
            yield suggested("oscillation", last.step, text, first=first.step)


def repeated_invalid(subject: Subject) -> Iterator[Suggestion]:
    """Actions in a row that could not be done, or texts that were none, the same or not: two or more."""
    by_index = {step.index: step for step in subject.steps}
    run: list[Moment] = []
    for moment in [*subject.moments, None]:
        if moment is not None and not moment.ok:
            run.append(moment)
            continue
        if len(run) > 1:
            error = by_index[run[-1].step].error
            same = "the same action" if len({_deed(one) for one in run}) == 1 else "actions"
            text = f"{same} without effect {len(run)} times in a row"
            yield suggested(
                "repeated-invalid", run[-1].step, text, first=run[0].step, quote=plain_clip(error, 200)
            )
        run = []


def dead_elements(subject: Subject) -> Iterator[Suggestion]:
    """An id that the observation before doesn't have, or an error that says so."""
    before: Step | None = None
    for step in subject.steps:
        target = target_of(step.action) if step.action is not None else None
        if target is not None and (told := _gone(subject, step, target, before)):
            yield suggested("dead-element", step.index, told, quote=plain_clip(step.error, 200))
        if step.url or step.observation:
            before = step


def _gone(subject: Subject, step: Step, target: ElementRef, before: Step | None) -> str:
    if not step.ok and _GONE.search(step.error):
        return f"names {_called(target)}, and there is no such element"
    seen = subject.seen(before) if before is not None else None
    if target.id is None or seen is None or not seen.nodes or seen.viewport_only:
        return ""
    if any(node.id == target.id for node in seen.nodes):
        return ""
    return (
        f"names {_called(target)}, which the observation of step {before.index if before else 0} doesn't have"
    )


def _called(target: ElementRef) -> str:
    name = f' {target.role} "{target.name}"' if target.role else ""
    return plain_clip(f"[{target.id}]{name}" if target.id is not None else name.strip() or "an element", 80)


def _is_nameless(moment: Moment) -> bool:
    """Done to an element of which nothing but a role is known: each time it may be another."""
    return moment.element is not None and not moment.element[1] and not moment.selector


def _deed(moment: Moment) -> tuple[object, ...]:
    return moment.verb, moment.element, moment.selector, moment.value


def _done(subject: Subject, moment: Moment) -> str:
    """What a step did, in words; the page before it names what the action has only an id of."""
    at = next(at for at, step in enumerate(subject.steps) if step.index == moment.step)
    before = subject.seen(subject.steps[at - 1]) if at else None
    return plain_clip(done_words(subject.steps[at], before or Observation(url="")), 120)
