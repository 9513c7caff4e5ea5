"""The steps of an episode as a report shows them: what was done on which page, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.core.action import ElementRef, target_of
from webbench.core.action_words import step_words
from webbench.core.errors import BadData
from webbench.core.observation import Observation, PageMessage
from webbench.core.renderings.state import with_state
from webbench.core.renderings.webarena import webarena_tree
from webbench.core.report.pictures import Gallery, Shown, marks, place_of
from webbench.core.report.scores import Badge, CheckRow, check_rows, score_badge, score_story, shortened
from webbench.core.score import Status
from webbench.core.store.store import Store
from webbench.core.trajectory import Seconds, Step, Trajectory

LONGEST_TEXT = 200_000
LONGEST_WORDS = 240
"""Characters of an action in a heading; the whole of it is among the texts."""
LONGEST_LINE = 2_000
MOST_LINES = 5_000
MOST_MESSAGES = 200
WHO = {"human": "human", "agent": "agent", "operator": "operator"}


class TreeLine(msgspec.Struct, frozen=True):
    text: str
    target: bool = False
    """The action was done to this node."""


class StepScore(msgspec.Struct, frozen=True):
    badge: Badge
    story: str
    checks: list[CheckRow]
    """Empty where they are those of the step before."""


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One step.

    Attributes:
        words: what was done.
        before, after: the page as the action found it and left it, with the element marked on the first.
        unplaced: why the element isn't marked, "" where it is, or where there is none.
        tree: the accessibility tree that the action was chosen on.
        tree_after: what the last step left behind; of others it is the next one's `tree`.
        facts: label and text of what else is known, in order.
        texts: heading and text of what is long.
        unread: what of the record could not be read.
    """

    index: int
    words: str
    who: str
    ok: bool
    error: str
    before: Shown | None
    after: Shown | None
    unplaced: str
    tree: list[TreeLine]
    tree_after: list[TreeLine]
    facts: list[tuple[str, str]]
    texts: list[tuple[str, str]]
    messages: list[PageMessage]
    score: StepScore | None
    unread: list[str]


class StepReader:
    """Reads steps in order; each page is read once.

    Args:
        gallery: takes the pictures in; None leaves them out.
    """

    def __init__(self, store: Store, trajectory: Trajectory, gallery: Gallery | None) -> None:
        self._store, self._trajectory, self._gallery = store, trajectory, gallery
        self._page: Step | None = None
        self._seen = Observation()
        self._scored: Step | None = None

    def views(self) -> Iterator[StepView]:
        """One view a step. What can't be read is told in it."""
        for step in self._trajectory.steps:
            yield self._view(step, last=step is self._trajectory.steps[-1])

    def _view(self, step: Step, *, last: bool) -> StepView:
        unread: list[str] = []
        before = self._picture(self._page, unread, step)
        unplaced = _unplaced(before, _target(step), self._seen)
        tree = tree_lines(self._seen, step)
        if step.observation:
            self._seen = self._observation(step, unread)
        if step.observation or step.screenshot:
            self._page = step
        after = self._picture(step, unread) if step.screenshot else None
        words = step_words(step) or _without_action(step)
        view = StepView(
            index=step.index,
            words=words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…",
            who=WHO.get(step.actor, step.actor) if step.index else "",
            ok=step.ok,
            error=step.error,
            before=before if step.index else None,
            after=after,
            unplaced=unplaced,
            tree=tree if step.index else [],
            tree_after=tree_lines(self._seen) if last else [],
            facts=list(_facts(step)),
            texts=[(name, shortened(text, LONGEST_TEXT)) for name, text in _texts(step, words) if text],
            messages=list(step.messages[:MOST_MESSAGES]),
            score=self._score(step),
            unread=unread,
        )
        self._scored = step if step.score is not None else self._scored
        return view

    def _observation(self, step: Step, unread: list[str]) -> Observation:
        try:
            return self._store.observation(self._trajectory, step)
        except BadData as error:
            unread.append(str(error))
            return Observation()

    def _picture(self, page: Step | None, unread: list[str], acting: Step | None = None) -> Shown | None:
        """The picture recorded with `page`, marked where `acting` did something to it."""
        if self._gallery is None or page is None or not page.screenshot:
            return None
        try:
            picture = self._store.screenshot(self._trajectory, page)
        except BadData as error:
            if acting is None:
                unread.append(str(error))
            return None
        if picture is None:
            return None
        found = marks(acting.action, self._seen, picture) if acting is not None else []
        alt = f"Screenshot after step {page.index}" if page.index else "Screenshot of the start"
        return self._gallery.show(page.screenshot, picture, found, alt)

    def _score(self, step: Step) -> StepScore | None:
        """Checks are shown where they are others than those of the step before."""
        if step.score is None or (step.score.status is Status.NOT_SCORED and not step.score.checks):
            return None
        before = self._scored.score if self._scored is not None else None
        same = before is not None and before.checks == step.score.checks
        checks = [] if same else list(check_rows(step.score.checks))
        return StepScore(score_badge(step.score), score_story(step.score), checks)


def tree_lines(seen: Observation, acting: Step | None = None) -> list[TreeLine]:
    """The accessibility tree in WebArena's text form, the node that was acted on marked."""
    if not seen.nodes and seen.condition == "ok":
        return []
    target = _target(acting) if acting is not None else None
    sign = f"[{target.id}] " if target is not None and target.id is not None else ""
    lines = with_state(webarena_tree(seen), seen).split("\n")
    found = [
        TreeLine(shortened(line, LONGEST_LINE), bool(sign) and line.lstrip("\t").startswith(sign))
        for line in lines[:MOST_LINES]
    ]
    more = len(lines) - MOST_LINES
    return found if more <= 0 else [*found, TreeLine(f"… {more:,} more lines are in the record")]


def _unplaced(before: Shown | None, target: ElementRef | None, seen: Observation) -> str:
    if before is None or before.marks or target is None:
        return ""
    known = place_of(target, seen) is not None
    return "the element is outside of the picture" if known else "where the element was is not recorded"


def _target(step: Step) -> ElementRef | None:
    return target_of(step.action) if step.action is not None else None


def seconds_words(seconds: Seconds) -> str:
    """ "idle 4.0 s, agent 1.2 s"; parts that took no time are left out."""
    parts = (
        ("idle", seconds.idle),
        ("agent", seconds.agent),
        ("page", seconds.environment),
        ("scoring", seconds.scoring),
    )
    return ", ".join(f"{name} {spent:.1f} s" for name, spent in parts if spent >= 0.05)


def _without_action(step: Step) -> str:
    return "start" if step.index == 0 else "note" if step.note else "no action"


def _facts(step: Step) -> Iterator[tuple[str, str]]:
    usage = ", ".join(f"{name} {_figure(value)}" for name, value in step.usage.items())
    facts = (
        ("page", step.title),
        ("address", step.url),
        ("condition", "" if step.condition == "ok" else step.condition),
        ("as sent", step.text if step.action is not None else ""),
        ("element found by", step.matched_by),
        ("time", seconds_words(step.seconds)),
        ("tokens and cost", usage),
        ("recorded", step.at),
    )
    yield from ((name, shortened(text, LONGEST_LINE)) for name, text in facts if text)


def _texts(step: Step, words: str) -> Iterator[tuple[str, str]]:
    yield "Action", words if len(words) > LONGEST_WORDS else ""
    yield "Note", step.note
    yield "Proposed by the agent", step.proposed
    yield "Reasoning", step.reasoning
    yield "Output of the action", step.output
    yield "Model input", step.prompt
    yield "Model output", step.reply


def _figure(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
