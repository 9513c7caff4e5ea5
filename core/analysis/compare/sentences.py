"""A comparison in sentences: where attempts part and how, where they meet again, what went wrong in each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webbench.core.analysis.compare.comparison import Attempt, Comparison, Done
from webbench.core.analysis.compare.wasted_steps import Kind
from webbench.core.analysis.recorded.known_solution import LONGEST_EXPLANATION
from webbench.core.labels.label import Label
from webbench.core.labels.taxonomy import Code
from webbench.core.score.explanation import NO_SCORE, given_words, value_words
from webbench.core.score.score import Score
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted

STRETCH_WORDS: dict[Kind, str] = {
    "loop": "in a loop (the same action on the same page)",
    "oscillation": "to and fro between two pages",
    "invalid": "invalid (it could not be done, or is no action)",
}
SAME_WAY = "Every step is the same."
LONGEST_ACTION = 70


def summary(found: Comparison, longest: int = LONGEST_ACTION) -> str:
    """One line: where they part and how, and whether they meet again; actions cut to `longest` cells."""
    first = found.divergence.first
    rows = found.alignment.rows
    if first is None:
        besides = sum(not row.same for row in rows)
        return f"They never part; {counted(besides, 'row')} only one of them needs." if besides else SAME_WAY
    how = _unequal_parting(found, longest) or _parting(found, longest)
    if any(row.same for row in rows):
        return f"They part in row {first + 1} of {len(rows)} and {_meeting(found)}. There, {how}."
    return f"No step is the same for all. At first, {how}."


def sureness_words(found: Comparison) -> str:
    """How sure it is where they part, and why not."""
    return f"Where they part is {found.sureness.words}."


def details(found: Comparison) -> list[str]:
    """All that is to be said beyond the summary, a sentence each."""
    said = (_unequal, _detours, _stretches, _unrecorded, _solutions, _labels)
    return [line for about in said for line in about(found)]


def label_words(label: Label, code: Code | None) -> str:
    """What was said of a step or an episode, as it was chosen, by whom and why."""
    why = f": {label.note}" if label.note else ""
    return f"{label.question} {chosen_words(label, code)}, by {label.annotator}{why}"


def chosen_words(label: Label, code: Code | None) -> str:
    """The title under which a code is chosen; its name where no codebook has it any more."""
    return code.title if code is not None else label.answer


def score_words(attempt: Attempt) -> str:
    """The figure of an attempt, or why there is none: "1.000", "pending", "not scored", "no score".

    Where somebody disputes it, as corrected besides: "0.000, corrected 1.000".
    """
    words = _scored(attempt.score)
    if attempt.verdict is None:
        return words
    return f"{words}, corrected {given_words(attempt.verdict.corrected)}"


def _scored(score: Score | None) -> str:
    return NO_SCORE if score is None else value_words(score.value, score.status)


def outcome_words(done: Done, longest: int = LONGEST_ACTION) -> str:
    """What became of an act: "the page changed", "it could not be done (covered)"."""
    if done.error:
        reason = done.error.strip().partition("\n")[0].rstrip(".")
        return f"it could not be done ({plain_clip(reason, longest)})"
    match done.effect:
        case "changed":
            return "the page changed"
        case "unchanged":
            return "the page stayed as it was"
        case "failed":
            return "it could not be done"
    return "what became of it isn't recorded"


def _unequal_parting(found: Comparison, longest: int) -> str:
    """Both effects of the act at which they part; "" where what they do, or who does it, tells them apart."""
    first = found.divergence.first
    if first is None or all(one.row != first for one in found.divergence.unequal):
        return ""
    row = found.alignment.rows[first]
    if not row.act or None in row.places:
        return ""
    told = "; ".join(
        f"{attempt.name}: {_next_words(found, actor, longest)}: {outcome_words(attempt.done[place], longest)}"
        for actor, (attempt, place) in enumerate(zip(found.attempts, row.places, strict=True))
        if place is not None
    )
    return f"the same act has not the same effect. {told}"


def _parting(found: Comparison, longest: int) -> str:
    words = [_next_words(found, actor, longest) for actor in range(len(found.attempts))]
    what = {one.partition(", ")[2] for one in words}
    if len(what) == 1 and "" not in what:
        return f"all do the same with another effect or on another page, {what.pop()}"
    return "; ".join(f"{one.name}: {told}" for one, told in zip(found.attempts, words, strict=True))


def _next_words(found: Comparison, actor: int, longest: int) -> str:
    """What an actor does where the attempts part."""
    place = found.divergence.parted[actor]
    attempt = found.attempts[actor]
    if place is None:
        return "has ended" if attempt.steps else "has no step at all"
    return f"step {attempt.steps[place]}, {plain_clip(attempt.done[place].words, longest)}"


def _meeting(found: Comparison) -> str:
    again = found.divergence.reconvergences
    if not again:
        return "never do the same again"
    return f"do the same again in {_numbered('row', [row + 1 for row in again])}"


def _unequal(found: Comparison) -> list[str]:
    """Like steps stand in a row: where their words differ, each is told in its own."""
    told = []
    for one in found.divergence.unequal:
        some, none = (
            _listed(found.attempts[at].name for at in group) for group in (one.with_effect, one.without)
        )
        did, tried = (_row_words(found, one.row, group[0]) for group in (one.with_effect, one.without))
        told.append(
            f"Row {one.row + 1}: {tried} had an effect for {some} and none for {none}."
            if did == tried
            else f"Row {one.row + 1}: {did} had an effect for {some}, {tried} had none for {none}."
        )
    return told


def _row_words(found: Comparison, row: int, actor: int) -> str:
    place = found.alignment.rows[row].places[actor]
    return "" if place is None else plain_clip(found.attempts[actor].done[place].words, LONGEST_ACTION)


def _detours(found: Comparison) -> list[str]:
    told = []
    for one in found.divergence.detours:
        attempt, rows = found.attempts[one.actor], found.alignment.rows[one.first : one.last + 1]
        steps = {attempt.steps[place] for row in rows if (place := row.places[one.actor]) is not None}
        told.append(
            f"{attempt.name} makes a detour of {counted(len(steps), 'step')} from row {one.first + 1}."
        )
    return told


def _stretches(found: Comparison) -> list[str]:
    told = []
    divergence = found.divergence
    for attempt, stretches, wasted in zip(
        found.attempts, divergence.stretches, divergence.wasted, strict=True
    ):
        for kind, words in STRETCH_WORDS.items():
            where = [_span(attempt, one.first, one.last) for one in stretches if one.kind == kind]
            if where:
                told.append(f"{attempt.name}: {words} at {_numbered('step', where)}.")
        if wasted:
            steps = counted(attempt.step_count, "step")
            lost = len({attempt.steps[place] for place in wasted})
            told.append(f"{attempt.name}: {lost} of {steps} wasted (in a loop, or without effect).")
    return told


def _unrecorded(found: Comparison) -> list[str]:
    told = []
    for attempt in found.attempts:
        if attempt.unrecorded:
            which = "them" if len(attempt.unrecorded) > 1 else "it"
            steps = _numbered("step", attempt.unrecorded)
            told.append(f"{attempt.name}: nothing is recorded of {steps}, so no row stands for {which}.")
    return told


def _solutions(found: Comparison) -> list[str]:
    """How the task is solved, and who opened the pages where the answer can be verified."""
    known = [(attempt.name, attempt.solution) for attempt in found.attempts if attempt.solution is not None]
    explained = dict.fromkeys(solution.explanation for _, solution in known if solution.explanation)
    lines = [f"How it is solved: {plain_clip(one, LONGEST_EXPLANATION)}" for one in explained]
    for name, solution in known:
        if solution.pages and solution.followed:
            pages = counted(len(solution.pages), "page")
            lines.append(f"{name} opened {solution.opened} of {pages} where the answer can be verified.")
    return lines


def _labels(found: Comparison) -> list[str]:
    return [
        f"{attempt.name}, {_place_words(label)}: {label_words(label, code)}"
        for attempt in found.attempts
        for label, code in zip(attempt.labels, attempt.codes, strict=True)
    ]


def _place_words(label: Label) -> str:
    return "the episode" if label.step is None else f"step {label.step}"


def _span(attempt: Attempt, first: int, last: int) -> str:
    one, other = attempt.steps[first], attempt.steps[last]
    return f"{one}" if one == other else f"{one} to {other}"


def _numbered(noun: str, numbers: Sequence[object]) -> str:
    """ "row 4", "rows 4 and 7"."""
    return f"{noun}{'s' if len(numbers) > 1 else ''} {_listed(map(str, numbers))}"


def _listed(words: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
