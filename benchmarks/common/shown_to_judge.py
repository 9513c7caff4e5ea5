"""What of an episode is shown to a judge: what was done, screenshots of it, and the answer.

As evidence it is `{"answer": text, "actions": [text], "screenshots": [[step, name]]}`: step of the record,
and name (SHA-256) under which the store keeps the picture; with `"wall": text` where
a site kept the actor out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from webbench.benchmarks.common.blocked import NOT_EXECUTABLE
from webbench.benchmarks.common.noted_actions import LONGEST
from webbench.core.action.action import Remember, Say, Stop
from webbench.core.action.words import action_words
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.score.rule_sets import unknown_rules
from webbench.core.score.score import Score, failed, not_scored
from webbench.core.task import Task
from webbench.core.trajectory import IMPORTED, Step, Trajectory

UNREADABLE = (BadData, msgspec.ValidationError, AttributeError, TypeError, KeyError)
"""What evidence of another shape raises."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge may be shown of an episode.

    Attributes:
        answer: the actor's last words, "" where it gave none.
        actions: what was done, in order; nothing that was only said, for that may be made up.
        screenshots: step and name of each picture, in order: the start page, then the page after each action.
        wall: what kept the actor out of the task's site to the end, "" = nothing.
    """

    answer: str = ""
    actions: tuple[str, ...] = ()
    screenshots: tuple[tuple[int, str], ...] = ()
    wall: str = ""

    @property
    def evidence(self) -> JsonObject:
        """As it is recorded."""
        return {
            "answer": self.answer,
            "actions": list(self.actions),
            "screenshots": [list(one) for one in self.screenshots],
            **({"wall": self.wall} if self.wall else {}),
        }

    @property
    def numbered_actions(self) -> str:
        """One a line, "1. click …", as the field's judges get them."""
        return "\n".join(f"{number}. {words}" for number, words in enumerate(self.actions, start=1))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the screenshots."""
        return tuple(name for _, name in self.screenshots)


def shown_in(evidence: JsonObject) -> Shown:
    """Raises `msgspec.ValidationError` where the evidence has another shape."""
    try:
        return msgspec.convert(evidence, Shown)
    except UnicodeEncodeError as error:  # half a character in the message about another shape
        raise msgspec.ValidationError(str(error)) from error


def unless_walled(score: Score, wall: str) -> Score:
    """The score, but *not scored* where a wall kept the actor out and nobody judged that it succeeded."""
    if not wall or score.value == 1:
        return score
    return not_scored(f"{NOT_EXECUTABLE}: {wall}", rules=score.rules, checks=score.checks)


def judged_score(
    task: Task,
    evidence: JsonObject,
    rules: str,
    rule_sets: Sequence[str],
    score: Callable[[Shown, str], Score],
) -> Score:
    """The score by a rule set, with those by the others beside; an error where the evidence can't be read.

    Args:
        score: scores what is shown by the rule set of this name.
    """
    if rules not in rule_sets:
        return unknown_rules(rules, rule_sets)
    try:
        shown = shown_in(evidence)
        found = {one: unless_walled(score(shown, one), shown.wall) for one in rule_sets}
    except UNREADABLE as error:
        return failed(f"The evidence of {task.id} can't be read: {error}", rules=rules)
    beside = tuple(score for one, score in found.items() if one != rules)
    return msgspec.structs.replace(found[rules], beside=beside)


def shown_of(trajectory: Trajectory) -> Shown:
    """The same of any recorded episode, whoever recorded it."""
    foreign = IMPORTED in trajectory.header.settings
    stops = [step.action for step in trajectory.steps if isinstance(step.action, Stop)]
    return Shown(
        answer=stops[-1].answer if stops else "",
        actions=tuple(_actions(trajectory.steps, foreign=foreign)),
        screenshots=distinct_end(
            [(step.index, step.screenshot) for step in trajectory.steps if step.screenshot],
            stopped=bool(trajectory.steps) and isinstance(trajectory.steps[-1].action, Stop),
        ),
    )


def distinct_end(screenshots: Sequence[tuple[int, str]], *, stopped: bool) -> tuple[tuple[int, str], ...]:
    """Without the last one where the actor only stopped there, and the page is the one before."""
    found = tuple(screenshots)
    same = stopped and len(found) > 1 and found[-1][1] == found[-2][1]
    return found[:-1] if same else found


def _actions(steps: Iterable[Step], *, foreign: bool) -> Iterable[str]:
    """In the words of the tool that recorded them, else in ours."""
    for step in steps:
        if not step.index or isinstance(step.action, Stop | Say | Remember):
            continue
        if foreign and step.text:
            yield step.text[:LONGEST]
        elif step.action is not None:
            failed = f" (failed: {step.error})" if step.error else ""
            yield (action_words(step.action) + failed)[:LONGEST]
