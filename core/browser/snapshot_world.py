"""Isolated worlds: our scripts beside the page's own, which can neither see nor change them."""

from __future__ import annotations

import asyncio
import contextlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec

from webbench.core.browser.driver import CdpSession
from webbench.core.errors import ActionFailed
from webbench.core.json_types import Json, JsonObject

if TYPE_CHECKING:
    from webbench.core.browser.driver import FrameTarget, PageTarget, SheetTexts
    from webbench.core.observation import AccessibilityNode

WORLD = "webbench"
SCRIPTS = (
    "snapshot_semantics.js",
    "snapshot_nodes.js",
    "snapshot_rows.js",
    "snapshot_generated.js",
    "snapshot_text.js",
    "snapshot_layout.js",
    "snapshot_parts.js",
    "snapshot_walk.js",
    "snapshot.js",
)
GONE = ("context", "navigated", "frame with the given id", "frame for given id", "no node", "uniqueContextId")


class World(msgspec.Struct, frozen=True, eq=False, weakref=True):
    """One document's isolated world.

    `able`: this Chromium gives scripts its computed roles and names, so the fast path works.
    `sheets`: what its document's style sheets say; None where they were not followed from their beginning.
    """

    session: CdpSession
    context_id: int
    frame_id: str
    able: bool = False
    sheets: SheetTexts | None = None


class Navigated(ActionFailed):
    """The document was replaced while we worked in it; read again."""


class ScriptFailed(ActionFailed):
    """Our own script threw inside the page (a page nested too deep for the stack, for one)."""


@cache
def installer() -> str:
    """The expression that puts `snapshot` into a world, once per document."""
    folder = files("webbench.core.browser")
    source = "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    return f"(() => {{ if (!globalThis.snapshot) {{\n{source}\n}} return snapshot.able }})()"


class Worlds:
    """The worlds of every document read so far, made on demand, forgotten when their document goes.

    Attributes:
        documents: how many documents a world's last read found, for those with frames.
        answers: serial and nodes of the script's last answer in a world, which its next one refers to.
        sheets: the style sheets of tabs that are followed from their beginning.
    """

    def __init__(self) -> None:
        self._worlds: dict[CdpSession, World] = {}
        self.documents: WeakKeyDictionary[World, int] = WeakKeyDictionary()
        self.sheets: dict[CdpSession, SheetTexts] = {}
        self.answers: WeakKeyDictionary[World, tuple[int, list[AccessibilityNode]]] = WeakKeyDictionary()

    async def of(self, page: PageTarget, frame: FrameTarget | None = None) -> World:
        """The world of a tab's main frame or of a cross-process frame.

        Same-process child frames are reached from their root's world. Raises `Navigated`.
        """
        session = frame.session if frame is not None else page.session
        world = self._worlds.get(session)
        if world is None:
            sheets = frame.sheets if frame is not None else self.sheets.get(session)
            world = await self._open(session, sheets)
            self._worlds[session] = world
        return world

    def forget(self, page: PageTarget, *frames: FrameTarget) -> None:
        for session in (page.session, *(frame.session for frame in frames)):
            self._worlds.pop(session, None)

    async def evaluate(self, world: World, expression: str) -> Json:
        """Value of an expression. Raises `Navigated` if the document is gone, `ScriptFailed` if it throws."""
        answer = await self._send(
            world,
            "Runtime.evaluate",
            {"expression": expression, "contextId": world.context_id, "returnByValue": True},
        )
        return answer["result"].get("value")

    async def handle(self, world: World, expression: str) -> str | None:
        """Remote object id of an expression's value, None for null and undefined."""
        answer = await self._send(
            world, "Runtime.evaluate", {"expression": expression, "contextId": world.context_id}
        )
        object_id: str | None = answer["result"].get("objectId")
        return object_id

    async def call(self, world: World, function: str, *object_ids: str) -> Json:
        """Value of a function called on the first object, with the others as arguments."""
        answer = await self._send(
            world,
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "objectId": object_ids[0],
                "arguments": [{"objectId": object_id} for object_id in object_ids[1:]],
                "returnByValue": True,
            },
        )
        return answer["result"].get("value")

    async def resolve(self, world: World, backend_node_id: int) -> str:
        """Remote object, in this world, of a DOM node. Raises `Navigated` if it is gone."""
        answer = await self._send(
            world,
            "DOM.resolveNode",
            {"backendNodeId": backend_node_id, "executionContextId": world.context_id},
        )
        object_id: str = answer["object"]["objectId"]
        return object_id

    async def _open(self, session: CdpSession, sheets: SheetTexts | None) -> World:
        tree = await session.send("Page.getFrameTree")
        frame_id: str = tree["frameTree"]["frame"]["id"]
        try:
            answer = await session.send(
                "Page.createIsolatedWorld",
                {"frameId": frame_id, "worldName": WORLD, "grantUniveralAccess": True},
            )
        except ActionFailed as error:
            raise Navigated(error.message, error.hint) from error
        world = World(session, answer["executionContextId"], frame_id, sheets=sheets)
        await self.hold(world)
        return msgspec.structs.replace(world, able=bool(await self.evaluate(world, installer())))

    async def hold(self, world: World) -> None:
        """Make Chromium keep the accessibility trees of a world's documents between reads.

        `Accessibility.enable` does so for documents that load afterwards; one that was there before, or is
        written by script, would be built anew for every single node.
        """
        tree = await world.session.send("Page.getFrameTree")
        pending, held = [tree["frameTree"]], []
        while pending:
            at = pending.pop()
            held.append(self._hold(world.session, at["frame"]["id"]))
            pending.extend(at.get("childFrames", ()))
        await asyncio.gather(*held)

    async def _hold(self, session: CdpSession, frame_id: str) -> None:
        with contextlib.suppress(ActionFailed):
            await session.send("Accessibility.getRootAXNode", {"frameId": frame_id})

    async def _send(self, world: World, method: str, params: JsonObject) -> JsonObject:
        try:
            answer = await world.session.send(method, params)
        except ActionFailed as error:
            if any(word in error.message.lower() for word in GONE):
                self._worlds.pop(world.session, None)
                raise Navigated("the page navigated while it was being read", "observe again") from error
            raise
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text", "")
            raise ScriptFailed(f"the observation script failed in the page: {text.splitlines()[0]}")
        return answer
