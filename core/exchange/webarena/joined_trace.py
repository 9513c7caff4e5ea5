"""A Playwright trace beside an agent's own record: clocks, console, network and pages for its steps.

WebArena takes one screenshot of each state that the agent sees, and acts between them. So the n-th call of
`Page.screenshot` is the n-th state; what was called until the next one is the step between. Where the numbers
differ the two can't be told to belong together, and nothing but the trace's network is taken over.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.action.action import Action
from webbench.core.action.references import map_references
from webbench.core.errors import BadData
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.import_format import Picture
from webbench.core.exchange.place import Place
from webbench.core.exchange.playwright.dom_snapshots import TooLarge
from webbench.core.exchange.playwright.trace import Call, Trace, picture_of, read_trace
from webbench.core.exchange.reading.archive import Archive
from webbench.core.exchange.webarena.result_page import RenderedState
from webbench.core.observation import Box
from webbench.core.trajectory import Seconds, Step

TRACES = "traces"
_POINTING = frozenset({"mouseClick", "mouseMove"})
_WATCHING = frozenset({"evaluateExpression", "evaluateExpressionHandle", "screenshot", "content", "title"})


class Joined:
    """A trace spread over the states of a record; without one it adds nothing.

    Args:
        views: the calls that show the states, in order; empty where they can't be told.
    """

    def __init__(
        self, place: Place | None = None, trace: Trace | None = None, views: Sequence[Call] = ()
    ) -> None:
        self._place = place
        self.trace = trace or Trace()
        self._views = list(views)

    def at(self, number: int) -> str:
        """When a state was seen, "" where nothing tells."""
        return self.trace.wall(self._views[number].end) if number < len(self._views) else ""

    def enriched(self, step: Step, number: int) -> Step:
        """The step that leads to state `number`, with its time, its seconds and what pages said meanwhile."""
        exchanges = [found for _, found in self.trace.exchanges]
        if number >= len(self._views):
            evidence = {"har_events": exchanges} if exchanges else {}
            last = self._views[-1].end if self._views else 0.0
            at = self.trace.wall(last) if self._views else ""
            return msgspec.structs.replace(step, at=step.at or at, evidence=evidence)
        end = self._views[number].end
        start = self._views[number - 1].end if number else 0.0
        calls = self._calls(start, self._views[number].start)
        acted = calls[0].start if calls else end
        return msgspec.structs.replace(
            step,
            at=step.at or self.trace.wall(acted),
            messages=self.trace.between(start, end),
            seconds=Seconds(
                agent=(acted - start) / 1000 if number and calls else 0.0,
                environment=(end - acted) / 1000 if calls else 0.0,
            ),
            action=_placed(step.action, calls),
            output=step.output or "\n".join(call.words for call in calls[:20]),
        )

    def picture(self, state: RenderedState, number: int, lost: Lost) -> Picture | None:
        """The record's own screenshot, else the last frame of the trace's screencast."""
        if state.picture:
            return Picture(state.picture)
        if number >= len(self._views) or self._place is None:
            return None
        view = self._views[number]
        frame = self.trace.frame_at(view.end, view.page)
        try:
            with Archive(self._place) as archive:
                data = picture_of(archive, frame)
        except BadData as error:
            lost.append(str(error))
            return None
        return Picture(data) if data else None

    def html(self, number: int, lost: Lost) -> str:
        """The page of a state as the trace's snapshot has it, "" without one."""
        if number >= len(self._views):
            return ""
        try:
            return self.trace.snapshots.html(f"after@{self._views[number].id}")
        except TooLarge as error:
            lost.append(f"the HTML of state {number}: {error}")
            return ""

    def _calls(self, start: float, end: float) -> list[Call]:
        """What was done, rather than looked at, in this time."""
        return [
            call for call in self.trace.calls if start <= call.start < end and call.method not in _WATCHING
        ]


def _placed(action: Action | None, calls: Sequence[Call]) -> Action | None:
    """The action with the point where the mouse was, as a box of one pixel, where it has no box itself."""
    points = (call.params for call in calls if call.method in _POINTING)
    point = next(points, None)
    if action is None or point is None:
        return action
    x, y = point.get("x"), point.get("y")
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        return action
    box = Box(float(x), float(y), 1.0, 1.0)
    return map_references(
        action, lambda found: found if found.box else msgspec.structs.replace(found, box=box)
    )


def join_trace(page: Place, number: str, states: int, lost: Lost) -> Joined:
    """The trace of a task beside its page; what is not taken over of it is told."""
    folder = page.parent / TRACES
    name = f"{number}.zip"
    if name not in folder.names:
        return Joined()
    place = folder / name
    try:
        with Archive(place) as archive:
            trace = read_trace(archive)
    except BadData as error:
        lost.append(str(error))
        return Joined()
    lost += [f"left out of the trace: {what}" for what in trace.lost]
    views = [call for call in trace.calls if call.method == "screenshot"]
    if len(views) != states:
        lost.append(f"times of the trace: it has {len(views)} screenshots, the page {states} states")
        views = []
    return Joined(place, trace, views)
