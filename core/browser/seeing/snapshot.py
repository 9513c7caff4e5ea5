"""Reading a page: one script per world, or two protocol calls per frame, into one Observation.

The fast path walks the page in an isolated world of a Chromium started with
`--enable-blink-features=ComputedAccessibilityInfo` and takes the browser's own roles and names; one
round trip per world, whatever the size of the page. A world reaches the frames of its own process and
origin; each other frame has a world of its own. Where the fast path is not to be had, `slow_path`
reads the same from the accessibility tree and a layout snapshot.
"""

from __future__ import annotations

import asyncio
import time
from typing import Literal, TypeAlias

import msgspec

from webbench.core.browser.driver import CdpSession, FrameTarget, PageTarget
from webbench.core.browser.seeing.frame_reading import ProcessReading, RemoteFrame, visible
from webbench.core.browser.seeing.isolated_world import Navigated, ScriptFailed, World, Worlds, within
from webbench.core.browser.seeing.listeners import Listeners
from webbench.core.browser.seeing.world_reader import ProcessReader, Way
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.observation import AccessibilityNode, ObservationOptions, Timing, Viewport
from webbench.core.time_limit import time_limit

ATTEMPTS = 5
PAUSE = 0.1
NAME_LENGTH = 80
SHARE, SHARE_OF_UNREAD = 1 / 3, 1 / 10
"""What a frame may take of the time left for the whole page, and one that could not be read before."""

FRAME_ATTEMPTS = 2
"""So often a page is read anew because a frame in it changed; then that one is told as unreadable."""

UNREADABLE = "unreadable"
"""The state of an iframe whose document can't be read: why."""


Place: TypeAlias = tuple[World, FrameTarget | None, RemoteFrame]
"""Where a frame lies: in which world, whose frame that is (None = the main frame), and where there."""


class PageReading(msgspec.Struct, frozen=True, kw_only=True):
    """What one read of a page gives: the fields of `Observation` that come from the page itself."""

    nodes: tuple[AccessibilityNode, ...]
    viewport: Viewport
    focused: int | None
    url: str
    title: str
    frames: tuple[str, ...]
    source: Literal["script", "cdp"]
    timing: Timing
    loading: bool = False
    left: int = 0


class Located(msgspec.Struct, frozen=True, kw_only=True):
    """The live element of an id.

    Attributes:
        world: the isolated world that reaches it.
        frame: the frame that the world belongs to, None = the main frame.
        object_id: remote object of the element in that world (a text's parent, a document's root, the field
            a browser-made part belongs to).
        frame_offset: where the viewport of its own frame begins in the top viewport (CSS px).
    """

    world: World
    frame: FrameTarget | None
    object_id: str
    frame_offset: tuple[float, float]

    @property
    def session(self) -> CdpSession:
        """The session of the process its frame lives in."""
        return self.world.session


class Whole(msgspec.Struct, frozen=True):
    """The reading of a whole page.

    Attributes:
        started: as `time.perf_counter` counts.
        bound: of the time that it may take.
        again: a frame that changes meanwhile ends the reading; else it is told as one that can't be read.
    """

    started: float
    bound: asyncio.Timeout
    again: bool

    @property
    def left(self) -> float:
        """Seconds."""
        return (self.bound.when() or 0.0) - asyncio.get_running_loop().time()


class Snapshotter:
    """Reads pages of one episode and keeps the ids: one per DOM node, never given twice."""

    def __init__(self) -> None:
        self.worlds = Worlds()
        self._listeners = Listeners(self.worlds)
        self._next = 1
        self._names: dict[int, tuple[str, str]] = {}
        self._latest: tuple[AccessibilityNode, ...] = ()

    async def read(self, page: PageTarget, options: ObservationOptions = ObservationOptions()) -> PageReading:
        """Read a page, again (a bounded number of times) if it navigates meanwhile.

        Raises:
            ActionFailed: the page did not answer in `options.timeout` seconds, or never held still.
            EnvironmentDown: the page is gone.
        """
        try:
            async with time_limit(options.timeout) as bound:
                return await self._settled(page, options, bound)
        except TimeoutError as error:
            raise ActionFailed(
                f"the page could not be read within {options.timeout:g} s",
                "it may be busy: wait, reload it, or go elsewhere",
            ) from error

    async def _settled(
        self, page: PageTarget, options: ObservationOptions, bound: asyncio.Timeout
    ) -> PageReading:
        for attempt in range(ATTEMPTS):
            last = attempt == ATTEMPTS - 1
            try:
                return await self._once(page, options, bound, again=attempt < FRAME_ATTEMPTS)
            except ScriptFailed:
                if attempt > 0:
                    raise
            except Navigated:
                if last:
                    raise
            self.worlds.forget(page)
            await asyncio.sleep(PAUSE * attempt)
        raise AssertionError("unreachable")

    async def _once(
        self, page: PageTarget, options: ObservationOptions, bound: asyncio.Timeout, *, again: bool
    ) -> PageReading:
        started = time.perf_counter()
        first_new = self._next
        world = await self.worlds.of(page)
        way: Way = options.prefer if world.able else "cdp"
        whole = Whole(started, bound, again)
        try:
            reading = await self._by(way, page, world, options, whole)
        except ScriptFailed:
            if way == "cdp":
                raise
            reading = await self._by("cdp", page, world, options, whole)
        self._remember(reading.nodes, first_new)
        return reading

    async def _by(
        self, way: Way, page: PageTarget, world: World, options: ObservationOptions, whole: Whole
    ) -> PageReading:
        reader = ProcessReader(self.worlds, self._listeners, way, options, self._next)
        grafts: dict[int, list[AccessibilityNode]] = {}
        reasons: dict[int, str] = {}
        try:
            top = await reader.read(world)
            frames, focused, left = list(top.frames), top.focused, top.left
            pending: list[Place] = [(world, None, remote) for remote in top.remotes]
            for outer, holder, remote in pending:
                frame = await self._frame(page, (outer, holder, remote), whole)
                if frame is None:
                    continue
                inner = await self._inside(page, frame, remote, reader, len(frames), whole)
                if isinstance(inner, str):
                    reasons[remote.id] = inner
                    continue
                reading = inner[1]
                grafts[remote.id] = reading.nodes
                frames.extend(reading.frames)
                left += reading.left
                focused = reading.focused if reading.focused is not None else focused
                pending.extend((inner[0], frame, deeper) for deeper in reading.remotes)
        finally:
            self._next = reader.next
        nodes = _grafted(top.nodes, grafts, reasons) if grafts or reasons else top.nodes
        if way == "cdp" and options.viewport_only:
            nodes = visible(nodes)
        return PageReading(
            nodes=tuple(nodes),
            viewport=top.viewport,
            focused=focused,
            url=top.url,
            title=top.title,
            frames=tuple(frames),
            source=way,
            timing=reader.timing((time.perf_counter() - whole.started) * 1000),
            loading=top.loading,
            left=left,
        )

    async def _frame(self, page: PageTarget, place: Place, whole: Whole) -> FrameTarget | None:
        """The frame that lies at a place, None if it just went. Raises `Navigated`."""
        world, holder, remote = place
        try:
            return await self.worlds.frame(page, world, holder, remote.window)
        except Navigated:
            if whole.again:
                raise
            return None

    async def _inside(
        self,
        page: PageTarget,
        frame: FrameTarget,
        remote: RemoteFrame,
        reader: ProcessReader,
        index: int,
        whole: Whole,
    ) -> tuple[World, ProcessReading] | str:
        """The frame's world and what it reads, or why it can't be read.

        Raises `Navigated` where the page is to be read again, `ScriptFailed` where another way may do, and
        `EnvironmentDown` where the whole page is gone.
        """
        known = frame.frame_id in self.worlds.unread
        seconds = whole.left * (SHARE_OF_UNREAD if known else SHARE)
        try:
            async with time_limit(seconds):
                world = await self.worlds.of(page, frame)
                reading = await reader.read(world, remote, index)
        except Navigated as error:
            self.worlds.forget(page, frame)
            if whole.again and not known:
                raise
            reason = error.message
        except TimeoutError:
            reason = f"it did not answer within {max(1, round(seconds))} s"
        except ActionFailed as error:
            if isinstance(error, ScriptFailed) and reader.way == "script":
                raise
            reason = error.message
        except EnvironmentDown as error:
            if frame.session is page.session:
                raise
            reason = error.message
        else:
            self.worlds.unread.discard(frame.frame_id)
            return world, reading
        self.worlds.unread.add(frame.frame_id)
        return reason

    def _remember(self, nodes: tuple[AccessibilityNode, ...], first_new: int) -> None:
        self._latest = nodes
        for node in nodes:
            if node.id >= first_new:
                self._names[node.id] = (node.role, node.name[:NAME_LENGTH])

    def describe(self, id: int) -> str | None:
        """`[12] button "Add to cart"` for an id given at any time, None for one never given."""
        if id not in self._names:
            return None
        role, name = next(
            ((node.role, node.name[:NAME_LENGTH]) for node in self._latest if node.id == id), self._names[id]
        )
        return f'[{id}] {role} "{name}"' if name else f"[{id}] {role}"

    async def locate(self, page: PageTarget, id: int) -> Located:
        """Find the live element of an id.

        Raises `ActionFailed` if the id was never given, or its node is no longer on the page.
        """
        known = self.describe(id)
        if known is None:
            raise ActionFailed(f"no element [{id}] on this page", self._nearest(id))
        located = await self._located(page, None, id)
        if located is None:
            for frame in await self.worlds.frames(page):
                located = located or await self._located(page, frame, id)
        if located is None:
            raise ActionFailed(f"{known} is no longer on the page", "observe again and use a current id")
        return located

    async def _located(self, page: PageTarget, frame: FrameTarget | None, id: int) -> Located | None:
        try:
            async with within(frame):
                world = await self.worlds.of(page, frame)
                handle = await self.worlds.handle(world, f"snapshot.element({id})")
                if handle is None:
                    return None
                x, y = await self.worlds.call(world, "function() { return snapshot.offset(this) }", handle)
                left, top = await self.worlds.origin(page, frame) if frame is not None else (0.0, 0.0)
        except Navigated:
            return None
        return Located(world=world, frame=frame, object_id=handle, frame_offset=(left + x, top + y))

    def _nearest(self, id: int) -> str:
        if not self._latest:
            return "observe the page first"
        closest = sorted(self._latest, key=lambda node: (abs(node.id - id), node.id))[:3]
        return "nearest: " + ", ".join(filter(None, (self.describe(node.id) for node in closest)))


def _grafted(
    nodes: list[AccessibilityNode], grafts: dict[int, list[AccessibilityNode]], reasons: dict[int, str]
) -> list[AccessibilityNode]:
    whole: list[AccessibilityNode] = []
    for node in nodes:
        if node.id in reasons:
            node = msgspec.structs.replace(node, states={**node.states, UNREADABLE: reasons[node.id]})
        whole.append(node)
        if node.id in grafts:
            whole.extend(_grafted(grafts[node.id], grafts, reasons))
    return whole
