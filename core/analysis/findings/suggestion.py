"""A suggestion, and a trajectory prepared for looking for some."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal

import msgspec

from webbench.core.action.action import Say, Stop
from webbench.core.analysis.compare.compared_step import Moment, moments
from webbench.core.analysis.compare.wasted_steps import Stretch, circles
from webbench.core.observation import Observation
from webbench.core.trajectory import Step, Trajectory

Kind = Literal[
    "loop",
    "oscillation",
    "repeated-invalid",
    "dead-element",
    "early-stop",
    "answer-seen",
    "pages-missed",
    "blocked-page",
    "page-error",
    "budget-spent",
]

TITLES: dict[Kind, str] = {
    "loop": "went in a loop",
    "oscillation": "went to and fro",
    "repeated-invalid": "repeated an invalid action",
    "dead-element": "named an element that is not there",
    "early-stop": "stopped early",
    "answer-seen": "saw the answer and did not give it",
    "pages-missed": "never opened a page with the answer",
    "blocked-page": "was kept out of a page",
    "page-error": "met a page error",
    "budget-spent": "spent its budget",
}

MEANINGS: dict[Kind, tuple[str, ...]] = {
    "loop": ("cause.repetition",),
    "oscillation": ("cause.repetition",),
    "repeated-invalid": ("cause.form",),
    "dead-element": ("cause.grounding",),
    "early-stop": ("cause.stopping",),
    "answer-seen": ("cause.misread",),
    "pages-missed": ("cause.navigation",),
    "blocked-page": ("environment.blocked",),
    "page-error": ("environment.page-error",),
    "budget-spent": ("cause.budget",),
}
"""Codes of the merged taxonomy that a person who confirms it would most likely give."""

LONGEST_PAGE = 200_000
"""Characters of a page's text that are looked through."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """Something that may have gone wrong.

    Attributes:
        step: the step that shows it.
        first, last: the steps it stretches over.
        text: what was found, in a sentence.
        quote: the text it was found in, "" where there is none.
        means: codes of the merged taxonomy, as "question.code".
    """

    kind: Kind
    step: int
    first: int
    last: int
    text: str
    quote: str = ""
    means: tuple[str, ...] = ()


class Subject:
    """A trajectory to look through; every observation is read once.

    Args:
        look: gives what was seen after a step, None where that isn't recorded.
    """

    def __init__(self, trajectory: Trajectory, look: Callable[[Step], Observation | None]) -> None:
        self.trajectory = trajectory
        self.steps = trajectory.steps
        self._look = look
        self._seen: dict[int, Observation | None] = {}

    def seen(self, step: Step) -> Observation | None:
        """What was seen after the step."""
        if step.index not in self._seen:
            self._seen[step.index] = self._look(step)
        return self._seen[step.index]

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        return moments(self.trajectory, self.seen)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """Circles; where the record tells nothing of an action's element, its words tell it from others."""
        texts = {step.index: step.text for step in self.steps}
        return circles(
            [
                one if one.element or one.selector else msgspec.structs.replace(one, selector=texts[one.step])
                for one in self.moments
            ]
        )

    @cached_property
    def shows_pages(self) -> bool:
        """Whether anything of a page is recorded; where not, what was said stands for it."""
        return any(self.seen(step) is not None or step.url for step in self.steps)

    def page_text(self, step: Step) -> str:
        """What can be read on the page after the step: its title, names and values of its nodes.

        In a record of talk alone, what others said to the actor who answered in the end.
        """
        seen = self.seen(step)
        if seen is not None and seen.nodes:
            parts = [seen.title]
            for node in seen.nodes:
                parts.append(node.name)
                if node.value:
                    parts.append(node.value)
            return "\n".join(parts)[:LONGEST_PAGE]
        if not self.shows_pages and isinstance(step.action, Say):
            return step.action.text[:LONGEST_PAGE]
        return "\n".join(filter(None, (step.title, step.output)))[:LONGEST_PAGE]

    @cached_property
    def answer(self) -> tuple[Step | None, str]:
        """The step that ended it with an answer, and the answer; in a talk the last thing said."""
        for step in reversed(self.steps):
            if isinstance(step.action, Stop):
                return step, step.action.answer
            if not self.shows_pages and isinstance(step.action, Say):
                return step, step.action.text
        return None, ""

    @property
    def is_solved(self) -> bool:
        score = self.trajectory.header.score
        return score is not None and score.value == 1


def suggested(kind: Kind, step: int, text: str, *, first: int | None = None, quote: str = "") -> Suggestion:
    """A suggestion that ends at its evidence step."""
    begun = step if first is None else first
    return Suggestion(
        kind=kind, step=step, first=begun, last=step, text=text, quote=quote, means=MEANINGS[kind]
    )
