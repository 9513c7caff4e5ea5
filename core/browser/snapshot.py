"""Reading a page: one script per frame process, or two protocol calls per frame, into one Observation.

The fast path walks the page in an isolated world of a Chromium started with
`--enable-blink-features=ComputedAccessibilityInfo` and takes the browser's own roles and names; one
round trip per frame process, whatever the size of the page. Where that is not to be had, `snapshot_cdp`
reads the same from the accessibility tree and a layout snapshot.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.browser.driver import CdpSession, FrameTarget, PageTarget
from webbench.core.browser.snapshot_process import ProcessReader, Way
from webbench.core.browser.snapshot_reading import ProcessReading, RemoteFrame, visible
from webbench.core.browser.snapshot_world import Navigated, ScriptFailed, World, Worlds
from webbench.core.errors import ActionFailed
from webbench.core.observation import AccessibilityNode, ObservationOptions, Timing, Viewport

ATTEMPTS = 5
PAUSE = 0.1
NAME_LENGTH = 80


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


class Located(msgspec.Struct, frozen=True, kw_only=True):
    """The live element of an id.

    Attributes:
        session: the session of the process its frame lives in.
        object_id: remote object of the element in the isolated world (a text's parent, a document's root,
            the field a browser-made part belongs to).
        context_id: the isolated world's execution context.
        frame_offset: where the viewport of its own frame begins in the top viewport (CSS px).
    """

    session: CdpSession
    object_id: str
    context_id: int
    frame_offset: tuple[float, float]


class Snapshotter:
    """Reads pages of one episode and keeps the ids: one per DOM node, never given twice."""

    def __init__(self) -> None:
        self.worlds = Worlds()
        self._next = 1
        self._names: dict[int, tuple[str, str]] = {}
        self._latest: tuple[AccessibilityNode, ...] = ()
        self._owners: dict[str, tuple[World, int]] = {}

    async def read(self, page: PageTarget, options: ObservationOptions = ObservationOptions()) -> PageReading:
        """Read a page, again (a bounded number of times) if it navigates meanwhile.

        Raises:
            ActionFailed: the page did not answer in `options.timeout` seconds, or never held still.
            EnvironmentDown: the page is gone.
        """
        try:
            async with asyncio.timeout(options.timeout):
                return await self._settled(page, options)
        except TimeoutError as error:
            raise ActionFailed(
                f"the page could not be read within {options.timeout:g} s",
                "it may be busy: wait, reload it, or go elsewhere",
            ) from error

    async def _settled(self, page: PageTarget, options: ObservationOptions) -> PageReading:
        for attempt in range(ATTEMPTS):
            try:
                return await self._once(page, options)
            except Navigated:
                self.worlds.forget(page)
                if attempt == ATTEMPTS - 1:
                    raise
                await asyncio.sleep(PAUSE * attempt)
        raise AssertionError("unreachable")

    async def _once(self, page: PageTarget, options: ObservationOptions) -> PageReading:
        started = time.perf_counter()
        first_new = self._next
        world = await self.worlds.of(page)
        way: Way = options.prefer if world.able else "cdp"
        try:
            reading = await self._by(way, page, world, options, started)
        except ScriptFailed:
            if way == "cdp":
                raise
            reading = await self._by("cdp", page, world, options, started)
        self._remember(reading.nodes, first_new)
        return reading

    async def _by(
        self, way: Way, page: PageTarget, world: World, options: ObservationOptions, started: float
    ) -> PageReading:
        reader = ProcessReader(self.worlds, way, options, self._next)
        try:
            top = await reader.read(world)
            frames = list(top.frames)
            grafts: dict[int, list[AccessibilityNode]] = {}
            focused = top.focused
            if top.remotes:
                pending = {remote.id: (world, remote) for remote in top.remotes}
                for frame in await page.frames():
                    inner = await self._remote(page, frame, pending, len(frames), reader)
                    if inner is None:
                        continue
                    owner, reading = inner
                    grafts[owner] = reading.nodes
                    frames.extend(reading.frames)
                    focused = reading.focused if reading.focused is not None else focused
        finally:
            self._next = reader.next
        nodes = _grafted(top.nodes, grafts) if grafts else top.nodes
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
            timing=reader.timing((time.perf_counter() - started) * 1000),
            loading=top.loading,
        )

    async def _remote(
        self,
        page: PageTarget,
        frame: FrameTarget,
        pending: dict[int, tuple[World, RemoteFrame]],
        index: int,
        reader: ProcessReader,
    ) -> tuple[int, ProcessReading] | None:
        """Read a cross-process frame into its place; None if its element is not shown (or just went)."""
        try:
            owner = await self._owner(frame, [world for world, _ in pending.values()])
            if owner not in pending:
                return None
            place = pending[owner][1]
            world = await self.worlds.of(page, frame)
            reading = await reader.read(world, place, index)
        except Navigated:
            self.worlds.forget(page, frame)
            raise
        pending.update({remote.id: (world, remote) for remote in reading.remotes})
        return owner, reading

    async def _owner(self, frame: FrameTarget, candidates: Sequence[World]) -> int:
        """Id of the iframe element that holds a cross-process frame, 0 if none of these worlds has it."""
        cached = self._owners.get(frame.frame_id)
        if cached is not None and cached[0] in candidates:
            return cached[1]
        for world in dict.fromkeys(candidates):
            try:
                answer = await world.session.send("DOM.getFrameOwner", {"frameId": frame.frame_id})
            except ActionFailed:
                continue
            handle = await self.worlds.resolve(world, answer["backendNodeId"])
            owner = int(await self.worlds.call(world, "function() { return snapshot.id(this) }", handle))
            self._owners[frame.frame_id] = (world, owner)
            return owner
        return 0

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

    async def world(self, page: PageTarget, frame: FrameTarget | None = None) -> tuple[CdpSession, int]:
        """Session and execution context of the isolated world of a tab or a cross-process frame."""
        world = await self.worlds.of(page, frame)
        return world.session, world.context_id

    async def locate(self, page: PageTarget, id: int) -> Located:
        """Find the live element of an id.

        Raises `ActionFailed` if the id was never given, or its node is no longer on the page.
        """
        known = self.describe(id)
        if known is None:
            raise ActionFailed(f"no element [{id}] on this page", self._nearest(id))
        offset = (0.0, 0.0)
        for frame in (None, *await page.frames()):
            try:
                world = await self.worlds.of(page, frame)
                handle = await self.worlds.handle(world, f"snapshot.element({id})")
            except Navigated:
                continue
            if handle is not None:
                inner = await self.worlds.call(world, "function() { return snapshot.offset(this) }", handle)
                if frame is not None:
                    offset = await self._frame_origin(page, frame)
                return Located(
                    session=world.session,
                    object_id=handle,
                    context_id=world.context_id,
                    frame_offset=(offset[0] + inner[0], offset[1] + inner[1]),
                )
        raise ActionFailed(f"{known} is no longer on the page", "observe again and use a current id")

    async def _frame_origin(self, page: PageTarget, frame: FrameTarget) -> tuple[float, float]:
        """Where a cross-process frame's content begins in the top viewport."""
        world, owner = self._owners[frame.frame_id]
        x, y = await self.worlds.evaluate(world, f"snapshot.origin({owner})")
        if world.session is page.session:
            return x, y
        parent = next(one for one in await page.frames() if one.session is world.session)
        left, top = await self._frame_origin(page, parent)
        return left + x, top + y

    def _nearest(self, id: int) -> str:
        if not self._latest:
            return "observe the page first"
        closest = sorted(self._latest, key=lambda node: (abs(node.id - id), node.id))[:3]
        return "nearest: " + ", ".join(filter(None, (self.describe(node.id) for node in closest)))


def _grafted(
    nodes: list[AccessibilityNode], grafts: dict[int, list[AccessibilityNode]]
) -> list[AccessibilityNode]:
    whole: list[AccessibilityNode] = []
    for node in nodes:
        whole.append(node)
        if node.id in grafts:
            whole.extend(_grafted(grafts[node.id], grafts))
    return whole
