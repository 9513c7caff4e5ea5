"""The steps of an episode as a report shows them: what was done on which page, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.action.action import target_of
from webbench.core.action.aim import Aim, aim
from webbench.core.analysis.recorded.changed_rows import SIGNS, difference_rows
from webbench.core.analysis.recorded.observation_difference import (
    ObservationDifference,
    observation_difference,
)
from webbench.core.analysis.recorded.recorded_episode import Frame, RecordedEpisode
from webbench.core.analysis.recorded.search import done_words
from webbench.core.analysis.recorded.time_profile import seconds_words
from webbench.core.models.call_text import call_texts
from webbench.core.observation import Observation, PageMessage
from webbench.core.provenance import provenance_words
from webbench.core.renderings.page_heading import with_state
from webbench.core.renderings.webarena import webarena_tree
from webbench.core.report.pages.report_pictures import Gallery, Shown, marks
from webbench.core.report.pages.score_rows import (
    Badge,
    CheckRow,
    check_rows,
    score_badge,
    score_story,
    shortened,
)
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

LONGEST_TEXT = 200_000
LONGEST_WORDS = 240
"""Characters of an action in a heading; the whole of it is among the texts."""
LONGEST_LINE = 2_000
MOST_LINES = 5_000
MOST_MESSAGES = 200
MOST_CHANGES = 100
"""Nodes of a kind that are named."""
LONGEST_CHANGE = 300


class TreeLine(msgspec.Struct, frozen=True):
    text: str
    target: bool = False
    """The action was done to this node."""


class StepScore(msgspec.Struct, frozen=True):
    badge: Badge
    story: str
    checks: list[CheckRow]
    """Empty where they are those of the step before."""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """Counts in one line, and sign (of `SIGNS`) and text of each change, at most `MOST_CHANGES` of a kind."""

    summary: str
    lines: Sequence[tuple[str, str]]


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One step.

    Attributes:
        words: what was done.
        before, after: the page as the action found it and left it, with the element marked on the first.
        unplaced: why the element isn't marked, "" where it is, or where there is none.
        changes: what it changed on the page, None where that isn't recorded.
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
    changes: Changes | None
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
        self._episode = RecordedEpisode(store, trajectory)
        self._gallery = gallery
        self._scored: Score | None = None

    def views(self) -> Iterator[StepView]:
        """One view a step. What can't be read is told in it."""
        frames: dict[int, Frame] = {}
        for place in range(len(self._episode.steps)):
            frame = self._episode.frame(place, picture=self._gallery is not None)
            at = self._episode.before(place)
            before = frames.get(at) if at is not None else None
            yield self._view(frame, before)
            frames = {one.place: one for one in (before, frame) if one is not None}

    def _view(self, frame: Frame, before: Frame | None) -> StepView:
        step = frame.step
        seen = before.observation if before is not None else None
        aimed = aim(step.action, seen or Observation())
        shown = self._marked_picture(before, marks_for=aimed)
        words = done_words(step, seen or Observation())
        last = frame.place == len(self._episode.steps) - 1
        view = StepView(
            index=step.index,
            words=words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…",
            who=step.actor if step.index else "",
            ok=step.ok,
            error=step.error,
            before=shown,
            after=self._marked_picture(frame),
            unplaced=_unplaced(shown, step, aimed),
            changes=page_changes(observation_difference(seen, frame.observation)),
            tree=tree_lines(seen, aimed.node),
            tree_after=tree_lines(frame.observation) if last else [],
            facts=list(_facts(step)),
            texts=[(name, shortened(text, LONGEST_TEXT)) for name, text in _texts(step, words) if text],
            messages=list(step.messages[:MOST_MESSAGES]),
            score=self._score(step),
            unread=list(frame.problems),
        )
        self._scored = step.score or self._scored
        return view

    def _marked_picture(self, frame: Frame | None, marks_for: Aim | None = None) -> Shown | None:
        """The picture of a frame, marked where an action was aimed on it."""
        if self._gallery is None or frame is None or frame.screenshot is None:
            return None
        picture = frame.screenshot
        seen = frame.observation or Observation()
        found = marks(marks_for, seen, picture) if marks_for is not None else []
        index = frame.step.index
        alt = f"Screenshot after step {index}" if index else "Screenshot of the start"
        return self._gallery.show(frame.step.screenshot, picture, found, alt)

    def _score(self, step: Step) -> StepScore | None:
        """Checks are shown where they are others than those of the step before."""
        if step.score is None or (step.score.status is Status.NOT_SCORED and not step.score.checks):
            return None
        same = self._scored is not None and self._scored.checks == step.score.checks
        checks = [] if same else list(check_rows(step.score.checks))
        return StepScore(score_badge(step.score), score_story(step.score), checks)


def tree_lines(seen: Observation | None, target: int | None = None) -> list[TreeLine]:
    """The accessibility tree in WebArena's text form, the node with this id marked."""
    if seen is None or (not seen.nodes and seen.condition == "ok"):
        return []
    sign = f"[{target}] "
    lines = with_state(webarena_tree(seen), seen).split("\n")
    found = [
        TreeLine(shortened(line, LONGEST_LINE), target is not None and line.lstrip("\t").startswith(sign))
        for line in lines[:MOST_LINES]
    ]
    more = len(lines) - MOST_LINES
    return found if more <= 0 else [*found, TreeLine(f"… {more:,} more lines are in the record")]


def _unplaced(before: Shown | None, step: Step, aimed: Aim) -> str:
    if before is None or before.marks or step.action is None or target_of(step.action) is None:
        return ""
    if aimed.known:
        return "the element is outside of the picture"
    return "where the element was is not recorded"


def _facts(step: Step) -> Iterator[tuple[str, str]]:
    usage = ", ".join(f"{name} {_figure(value)}" for name, value in step.usage.items())
    facts = (
        ("page", step.title),
        ("address", step.url),
        ("condition", "" if step.condition == "ok" else step.condition),
        ("as sent", step.text if step.action is not None else ""),
        ("element found by", step.matched_by),
        ("how it came about", provenance_words(step.provenance)),
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
    for heading, text in call_texts(step.calls):
        yield f"Model's {heading}", text


def _figure(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def page_changes(difference: ObservationDifference) -> Changes | None:
    """None where the page was not recorded on both sides."""
    if not difference.known:
        return None
    counts = (
        (len(difference.added), "added"),
        (len(difference.removed), "removed"),
        (len(difference.changed), "changed"),
        (difference.moved, "moved"),
    )
    told = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    rows = difference_rows(difference)
    lines = [
        line
        for kind, sign in SIGNS.items()
        for line in _listed(sign, [row.line for row in rows if row.kind == kind])
    ]
    return Changes(summary=told or "nothing", lines=lines)


def _listed(sign: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    found = [(sign, shortened(text, LONGEST_CHANGE)) for text in texts[:MOST_CHANGES]]
    more = len(texts) - MOST_CHANGES
    return found if more <= 0 else [*found, (sign, f"… and {more:,} more")]
