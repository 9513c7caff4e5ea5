"""The reader of one world of a page, by script or by protocol calls, closed shadow roots included."""

from __future__ import annotations

import asyncio
import time
from typing import Literal, TypeAlias

import msgspec

from webbench.core.browser.seeing.frame_reading import ProcessReading, RemoteFrame, bounded, decode
from webbench.core.browser.seeing.isolated_world import Navigated, World, Worlds
from webbench.core.browser.seeing.listeners import Listeners
from webbench.core.browser.seeing.slow_path import CdpReader
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import MOST_NODES, ObservationOptions, Timing

Way: TypeAlias = Literal["script", "cdp"]
CLOSED_ROOT_ROUNDS = 3
WALK_SHARE = 4
"""Of the time for an observation, the part that the script may take to walk one process of a page."""


class ProcessReader:
    """Reads the worlds of one page, one after the other, and adds up what it cost.

    Attributes:
        way: by script or by protocol calls.
        next: the first id not given yet.
    """

    def __init__(
        self, worlds: Worlds, listeners: Listeners, way: Way, options: ObservationOptions, first_id: int
    ) -> None:
        self._worlds = worlds
        self._listeners = listeners
        self.way = way
        self._options = options
        self._decoding = 0.0
        self._tree = 0.0
        self._layout = 0.0
        self.next = first_id

    async def read(self, world: World, place: RemoteFrame | None = None, frame: int = 0) -> ProcessReading:
        """Read a world; `place` and `frame` say where in the page it lies. Raises `Navigated`."""
        reading = await self._heard(world, place, frame)
        for _ in range(CLOSED_ROOT_ROUNDS):
            if not reading.suspects or not await self._adopt_closed_roots(world):
                break
            reading = await self._run(world, place, frame)
        if not reading.nodes:
            raise Navigated("the page changed while it was being read", "observe again")
        await self._hold(world, reading)
        if reading.sheets:
            await self._hand_sheets(world, reading.sheets)
        return reading

    async def _heard(self, world: World, place: RemoteFrame | None, frame: int) -> ProcessReading:
        """A reading that knows who hears clicks; where that was known already, both are asked at a time.

        The listeners are the second question, so that of nothing that was read they are not known yet.
        """
        if not self._listeners.asked(world) or self.way == "cdp":
            await self._listeners.update(world)
            return await self._run(world, place, frame)
        reading, news = await asyncio.gather(self._run(world, place, frame), self._listeners.update(world))
        return await self._run(world, place, frame) if news else reading

    async def _hand_sheets(self, world: World, addresses: list[str]) -> None:
        """Give the world the style sheets it may not read, so that it knows where generated text can be.

        Where they can't be had, it looks for it everywhere.
        """
        texts = await world.sheets.texts(addresses) if world.sheets is not None else None
        arguments = msgspec.json.encode([addresses, texts]).decode()
        await self._worlds.evaluate(world, f"snapshot.sheets(...{arguments})")

    async def _hold(self, world: World, reading: ProcessReading) -> None:
        """New frames came since the world was opened: the next read is to be as fast as this one."""
        documents = len(reading.frames)
        if documents > 1 and self._worlds.documents.get(world) != documents:
            await self._worlds.hold(world)
            self._worlds.documents[world] = documents

    def timing(self, total: float) -> Timing:
        """Milliseconds per part; by script, reading the tree and the layout is one thing."""
        tree = self._tree if self.way == "cdp" else total - self._decoding
        join = total - self._tree - self._layout if self.way == "cdp" else self._decoding
        return Timing(accessibility=tree, layout=self._layout, join=join, total=total)

    async def _run(self, world: World, place: RemoteFrame | None, frame: int) -> ProcessReading:
        if self.way == "cdp":
            reading, tree, layout = await CdpReader(self._worlds, world).read(self.next, place, frame)
            self._tree += tree
            self._layout += layout
            if not self._options.whole and not self._options.viewport_only:
                reading = bounded(reading, MOST_NODES)
        else:
            serial, before = self._worlds.answers.get(world, (0, []))
            text = await self._worlds.evaluate(
                world, "snapshot.read(given)", self._given(place, frame, serial)
            )
            started = time.perf_counter()
            reading = decode(text, before)
            self._worlds.answers[world] = reading.serial, reading.nodes
            self._decoding += (time.perf_counter() - started) * 1000
        self.next = max(self.next, reading.next)
        return reading

    def _given(self, place: RemoteFrame | None, frame: int, serial: int) -> JsonObject:
        """What the script is told of this reading."""
        return {
            "next": self.next,
            "since": serial,
            "frame": frame,
            "depth": place.depth if place else 0,
            "x": place.x if place else 0,
            "y": place.y if place else 0,
            "clip": list(place.clip) if place else None,
            "viewportOnly": self._options.viewport_only,
            "most": None if self._options.whole else MOST_NODES,
            "milliseconds": None if self._options.whole else self._options.timeout * 1000 / WALK_SHARE,
        }

    async def _adopt_closed_roots(self, world: World) -> bool:
        """Hand the world every closed shadow root of its documents; whether there was a new one."""
        handle = await self._worlds.handle(world, "document")
        answer = await world.session.send(
            "DOM.describeNode", {"objectId": handle, "depth": -1, "pierce": True}
        )
        found = False
        for host, root in _closed_roots(answer["node"]):
            objects = [await self._worlds.resolve(world, node) for node in (host, root)]
            if None in objects:
                continue  # it is in a frame of another origin, whose own world gets it
            adopt = "function(root) { return snapshot.adopt(this, root) }"
            found = bool(await self._worlds.call(world, adopt, *filter(None, objects))) or found
        return found


def _closed_roots(node: Json) -> list[tuple[int, int]]:
    """(host, root) backend node ids of every closed shadow root below a described node."""
    found: list[tuple[int, int]] = []
    pending = [node]
    while pending:
        at = pending.pop()
        for root in at.get("shadowRoots", ()):
            if root.get("shadowRootType") == "closed":
                found.append((at["backendNodeId"], root["backendNodeId"]))
            if root.get("shadowRootType") != "user-agent":
                pending.append(root)
        pending.extend(at.get("children", ()))
        if "contentDocument" in at:
            pending.append(at["contentDocument"])
    return found
