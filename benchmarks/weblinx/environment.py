"""A recorded world: shows the page as it was on a turn, takes a prediction, and goes on as recorded.

Nothing that an actor does changes what comes next: after each prediction the demonstration itself moves on,
with what was really done as history (teacher forcing, as in the paper's evaluation).
"""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from webbench.benchmarks.weblinx.candidates.candidates import SHOWN, Candidates, no_candidates
from webbench.benchmarks.weblinx.candidates.encoder_text import StateText
from webbench.benchmarks.weblinx.demonstrations.course import Course, CourseTurn
from webbench.benchmarks.weblinx.demonstrations.turn_observation import PageView, page_view
from webbench.benchmarks.weblinx.notation.prediction import Prediction, predicted, selector_of, uid_in
from webbench.benchmarks.weblinx.turns.files import read_text
from webbench.core.action.action import Action, ElementRef, Noop, Scroll, target_of
from webbench.core.action.references import map_references
from webbench.core.environment import OUTER_HTML, Environment, EnvironmentSetup, SecondPage, StepResult
from webbench.core.errors import ActionFailed, BadData, EnvironmentDown
from webbench.core.json_types import Json
from webbench.core.observation import (
    Candidate,
    DialogueTurn,
    Observation,
    ObservationOptions,
    Screenshot,
    ScreenshotOptions,
)

if TYPE_CHECKING:
    from webbench.core.store.records.blobs import PictureFormat

LARGEST_PICTURE = 32 << 20
"""Bytes."""


class RecordedWorld(Environment):
    """A demonstration, turn by turn.

    Attributes:
        course: what is walked.
        predictions: by turn, in the order in which they were made.
    """

    def __init__(self, course: Course, candidates: Candidates = no_candidates) -> None:
        self.course = course
        self._candidates = candidates
        self.predictions: dict[int, Prediction] = {}
        self._ids: dict[str, int] = {}
        self._given = 0
        self._view: tuple[int, PageView] | None = None

    @property
    def turn(self) -> CourseTurn | None:
        """The turn that is to be predicted now, None when the demonstration is over."""
        place = len(self.predictions)
        return self.course.turns[self.course.predicted[place]] if place < len(self.course.predicted) else None

    async def reset(self, setup: EnvironmentSetup) -> None:
        """Back to the first turn."""
        self.predictions.clear()
        self._view = None

    async def observe(self, options: ObservationOptions = ObservationOptions()) -> Observation:
        """The page as it was when the turn was taken, and all that was said and done before it."""
        started = time.perf_counter()
        observation = await asyncio.to_thread(self._observed)
        if options.viewport_only:
            nodes = tuple(node for node in observation.nodes if not node.offscreen)
            observation = msgspec.structs.replace(observation, nodes=nodes, viewport_only=True)
        milliseconds = (time.perf_counter() - started) * 1000
        timing = msgspec.structs.replace(observation.timing, total=milliseconds)
        return msgspec.structs.replace(observation, timing=timing)

    async def screenshot(self, options: ScreenshotOptions = ScreenshotOptions()) -> Screenshot | None:
        """The recorded picture, as it was recorded; None where there is none."""
        path = self._shown_turn.shown.screenshot
        if path is None:
            return None
        return await asyncio.to_thread(picture_of, path, self._page.observation.viewport.width)

    async def act(self, action: Action) -> StepResult:
        """Take it as the prediction for this turn and tell what was really done."""
        turn = self.turn
        if isinstance(action, Noop):
            return StepResult(action=action)
        if turn is None:
            return StepResult(action=action, ok=False, error="the demonstration is over")
        page = await asyncio.to_thread(turn.turn.page)
        try:
            prediction = predicted(self._in_pixels(action), page, self._uid)
        except (ActionFailed, BadData) as error:
            return StepResult(action=action, ok=False, error=str(error))
        done = map_references(action, self._fingerprint)
        self.predictions[turn.index] = prediction
        told = f"turn {turn.index} was: {turn.answer}"
        return StepResult(action=done, output=told, matched_by="id" if target_of(action) else "")

    async def probe(self, script: str, argument: Json = None) -> Json:
        """The recorded HTML; no other script can run where there is no browser."""
        if script != OUTER_HTML:
            raise EnvironmentDown("a recorded page can't run scripts")
        path = self._shown_turn.shown.page
        return "" if path is None else await asyncio.to_thread(read_text, path)

    def second_page(self) -> AbstractAsyncContextManager[SecondPage]:
        """There is none: no score of a turn needs it."""
        raise EnvironmentDown("a recorded world has no browser to open a page in")

    async def close(self) -> None:
        """Nothing to give back."""

    # -- what is shown now ---------------------------------------------------------------------

    @property
    def _shown_turn(self) -> CourseTurn:
        """The turn to predict, and after the end the last one."""
        return self.turn or self.course.turns[-1]

    @property
    def _page(self) -> PageView:
        """The page of the present turn, read when it is first asked for."""
        turn = self._shown_turn
        if self._view is None or self._view[0] != turn.index:
            page = self.course.turns[max(0, turn.shown_at)].turn.page
            self._view = (turn.index, page_view(turn, page, self._number))
        return self._view[1]

    def _number(self, uid: str) -> int:
        """Short ids stay with an element as long as its id in the markup does."""
        if uid in self._ids:
            return self._ids[uid]
        self._given += 1
        if uid:
            self._ids[uid] = self._given
        return self._given

    def _observed(self) -> Observation:
        turn = self.turn
        index = len(self.course.turns) if turn is None else turn.index
        dialogue = self.course.history(index)
        candidates = () if turn is None else self._ranked(turn, dialogue)
        return msgspec.structs.replace(self._page.observation, dialogue=dialogue, candidates=candidates)

    def _ranked(self, turn: CourseTurn, dialogue: tuple[DialogueTurn, ...]) -> tuple[Candidate, ...]:
        """The likeliest elements of the page that are in its tree."""
        page = self._page
        state = StateText(page.observation.viewport, dialogue)
        found = self._candidates(self.course.name, turn.index, state, page.texts)
        shown = {node.id for node in page.observation.nodes}
        return tuple(
            Candidate(node=node, score=round(score, 6), text=text.words)
            for text, score in found
            if (node := self._ids.get(text.uid)) in shown and node is not None
        )[:SHOWN]

    # -- elements ------------------------------------------------------------------------------

    def _in_pixels(self, action: Action) -> Action:
        """A scroll by viewports as one to a place, which is all that WebLINX has."""
        if not isinstance(action, Scroll) or action.unit == "pixels":
            return action
        viewport = self._page.observation.viewport
        return Scroll(dx=action.dx * viewport.width, dy=action.dy * viewport.height)

    def _uid(self, reference: ElementRef) -> str:
        """Raises `ActionFailed` for an element that the page doesn't have."""
        page = self._page
        if uid := uid_in(reference.selector):
            return uid
        if reference.id is not None:
            found = page.uids.get(reference.id, "")
            if not found:
                raise ActionFailed(f"no element [{reference.id}] with an id in its markup is on this page")
            return found
        named = [
            node
            for node in page.observation.nodes
            if (reference.field and node.attributes.get("name") == reference.field)
            or (reference.role and (node.role, node.name) == (reference.role, reference.name))
        ]
        if named:
            return page.uids.get(named[0].id, "")
        if reference.field or reference.role:
            raise ActionFailed(
                f"no {reference.role or 'field'} {reference.name or reference.field!r} is on this page"
            )
        return ""

    def _fingerprint(self, reference: ElementRef) -> ElementRef:
        uid = self._uid(reference)
        if not uid:
            return reference
        node = next((one for one in self._page.observation.nodes if one.id == self._ids.get(uid)), None)
        if node is None:
            return ElementRef(selector=selector_of(uid))
        return ElementRef(id=node.id, role=node.role, name=node.name, selector=selector_of(uid), box=node.box)


def picture_of(path: Path, viewport_width: int) -> Screenshot | None:
    """A picture file with its size; None for what is no picture, or one too large to be shown."""
    import io

    from PIL import Image

    try:
        if path.stat().st_size > LARGEST_PICTURE:
            return None
        data = path.read_bytes()
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as picture:
            kind, (width, height) = (picture.format or "").lower(), picture.size
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    if not width:
        return None
    return Screenshot(data, cast("PictureFormat", kind), width, height, width / viewport_width)
