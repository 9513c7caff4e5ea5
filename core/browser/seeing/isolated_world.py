"""Isolated worlds: our scripts beside the page's own, which can neither see nor change them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec

from webbench.core.browser.driver import CdpSession
from webbench.core.errors import ActionFailed, WebbenchError
from webbench.core.json_types import Json, JsonObject
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from webbench.core.browser.driver import FrameTarget, PageTarget, SheetTexts
    from webbench.core.observation import AccessibilityNode

WORLD = "webbench"
SCRIPTS = (
    "snapshot_semantics.js",
    "snapshot_nodes.js",
    "snapshot_clickable.js",
    "snapshot_rows.js",
    "snapshot_generated.js",
    "snapshot_text.js",
    "snapshot_layout.js",
    "snapshot_parts.js",
    "snapshot_walk.js",
    "snapshot.js",
)
GONE = (
    *("context", "navigated", "frame with the given id", "frame for given id", "no node"),
    "object with given id",
)
STALE = "cannot find context"
FRAME_SECONDS = 3.0


class World(msgspec.Struct, frozen=True, eq=False, weakref=True):
    """One document's isolated world.

    Attributes:
        context_id: number of its execution context, which only holds within its process: another process
            may have one of the same number.
        root: remote object of its `globalThis`, whose name is the only one of its kind. What is asked of it
            is asked of this very world, or of none.
        able: this Chromium gives scripts its computed roles and names, so the fast path works.
        sheets: what its document's style sheets say; None where they were not followed from their beginning.
        document: backend node id of its document, 0 where the browser did not tell it.
    """

    session: CdpSession
    context_id: int
    frame_id: str
    root: str
    able: bool = False
    document: int = 0
    sheets: SheetTexts | None = None


class InnerFrame(msgspec.Struct, eq=False):
    """A frame of another origin in its parent's process: a `FrameTarget` in its parent's session."""

    session: CdpSession
    frame_id: str
    sheets: SheetTexts | None


class Navigated(ActionFailed):
    """The document was replaced while we worked in it; read again."""

    def __init__(
        self, message: str = "the page navigated while it was being read", hint: str = "observe again"
    ) -> None:
        super().__init__(message, hint)


class Stale(Navigated):
    """The document was gone before it was asked: nothing of what was asked was done."""


class ScriptFailed(ActionFailed):
    """Our own script threw inside the page (a page nested too deep for the stack, for one)."""


@cache
def installer() -> str:
    """The expression that puts `snapshot` into a world, once per document."""
    folder = Path(__file__).parent
    source = "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    return f"(() => {{ if (!globalThis.snapshot) {{\n{source}\n}} return snapshot.able }})()"


class Opened(msgspec.Struct, frozen=True):
    """An isolated world just opened: see `World`. `frames` are its frame and those below it."""

    frame_id: str
    context_id: int
    root: str
    frames: list[JsonObject]


async def isolated(session: CdpSession, name: str, frame_id: str = "") -> Opened:
    """Open the isolated world of this name in a frame, "" = the session's topmost one.

    Raises `Navigated` where the document goes meanwhile: then the number of the world's context may be that
    of another process's world. Of the two last questions, sent in one flight, the second is answered last.
    """
    document = (await _frames(session, frame_id))[0]
    try:
        opening: JsonObject = {"frameId": document["id"], "worldName": name, "grantUniveralAccess": True}
        context_id: int = (await session.send("Page.createIsolatedWorld", opening))["executionContextId"]
        asked: JsonObject = {"expression": "globalThis", "contextId": context_id}
        answer, frames = await asyncio.gather(
            session.send("Runtime.evaluate", asked), _frames(session, document["id"])
        )
        root: str = answer["result"]["objectId"]
    except ActionFailed as error:
        raise Navigated() if _is_gone(error) else Navigated(error.message, error.hint) from error
    if frames[0]["loaderId"] != document["loaderId"]:
        raise Navigated()
    return Opened(document["id"], context_id, root, frames)


async def ask(session: CdpSession, root: str, expression: str, given: Json = None) -> JsonObject:
    """The answer of `Runtime` to an expression in a world; waits for promises. Raises `ActionFailed`.

    Args:
        given: what the expression calls `given`. An expression without figures of its own is compiled once.
    """
    command: JsonObject = {"functionDeclaration": f"(given) => ({expression})", "objectId": root}
    return await session.send(
        "Runtime.callFunctionOn",
        command | {"arguments": [{"value": given}], "returnByValue": True, "awaitPromise": True},
    )


@asynccontextmanager
async def within(frame: FrameTarget | None) -> AsyncIterator[None]:
    """Bound a question to a frame, which may be stuck by itself; one to the main frame (None) is not bounded.

    Raises `Navigated` where no answer comes in `FRAME_SECONDS`.
    """
    if frame is None:
        yield
        return
    try:
        async with time_limit(FRAME_SECONDS):
            yield
    except TimeoutError as error:
        raise Navigated(f"a frame did not answer within {FRAME_SECONDS:g} s", "observe again") from error


async def _frames(session: CdpSession, frame_id: str = "") -> list[JsonObject]:
    """A frame, "" = the session's topmost one, and those below it. Raises `Navigated` where it is gone."""
    tree = await session.send("Page.getFrameTree")
    pending, found = [(tree["frameTree"], frame_id == "")], []
    while pending:
        at, within = pending.pop()
        within = within or at["frame"]["id"] == frame_id
        if within:
            found.append(at["frame"])
        pending.extend((child, within) for child in at.get("childFrames", ()))
    if not found:
        raise Navigated("its document went away, or is in another process", "observe again")
    return found


class Worlds:
    """The worlds of every document read so far, made on demand, forgotten when their document goes.

    Attributes:
        documents: how many documents a world's last read found, for those with frames.
        answers: serial and nodes of the script's last answer in a world, which its next one refers to.
        sheets: the style sheets of tabs that are followed from their beginning.
        unread: ids of frames that could not be read last; nothing is looked for in them.
    """

    def __init__(self) -> None:
        self._worlds: dict[CdpSession, dict[str, World]] = {}
        self._inner: dict[CdpSession, dict[str, InnerFrame]] = {}
        self._frame_ids: WeakKeyDictionary[World, dict[int, str]] = WeakKeyDictionary()
        self._holders: dict[str, tuple[FrameTarget | None, int]] = {}
        self.documents: WeakKeyDictionary[World, int] = WeakKeyDictionary()
        self.unread: set[str] = set()
        self.sheets: dict[CdpSession, SheetTexts] = {}
        self.answers: WeakKeyDictionary[World, tuple[int, list[AccessibilityNode]]] = WeakKeyDictionary()

    async def of(self, page: PageTarget, frame: FrameTarget | None = None) -> World:
        """The world of a tab's main frame, or of a frame of another process or origin.

        Child frames of the same origin are reached from the world of the frame that holds them. Raises
        `Navigated`.
        """
        session = frame.session if frame is not None else page.session
        name = frame.frame_id if frame is not None else ""
        world = self._worlds.get(session, {}).get(name)
        if world is None:
            sheets = frame.sheets if frame is not None else self.sheets.get(session)
            world = await self._open(session, name, sheets)
            self._worlds.setdefault(session, {})[name] = world
        return world

    async def frames(self, page: PageTarget) -> list[FrameTarget]:
        """The frames that have worlds of their own and can be read, parents before children.

        They are of other processes, or of other origins than the frames that hold them.
        """
        frames = await page.frames()
        apart = {frame.frame_id: frame for frame in frames if frame.frame_id not in self.unread}
        found: list[FrameTarget] = []
        holders: list[FrameTarget | None] = [None]
        for holder in holders:
            new = [frame for frame in await self._inside(page, holder, apart) if frame not in found]
            found.extend(new)
            holders.extend(new)
        return [*found, *(frame for frame in apart.values() if frame not in found)]

    async def _inside(
        self, page: PageTarget, holder: FrameTarget | None, apart: Mapping[str, FrameTarget]
    ) -> list[FrameTarget]:
        """Those that lie in the world of a frame; none where it can't be read."""
        for _ in range(2):
            try:
                async with within(holder):
                    world = await self.of(page, holder)
                    windows = await self.evaluate(world, "snapshot.windows()")
                    frames = [await self._frame(world, holder, window, apart) for window in windows]
            except Stale:
                continue
            except WebbenchError:
                break
            return [frame for frame in frames if frame is not None and frame.frame_id not in self.unread]
        return []

    async def frame(
        self, page: PageTarget, world: World, holder: FrameTarget | None, window: int
    ) -> FrameTarget | None:
        """The frame that is a window of a world, by its number there; None where there is none (any more).

        Args:
            holder: the frame whose world it is, None = the main frame.
        """
        apart = {frame.frame_id: frame for frame in await page.frames()}
        return await self._frame(world, holder, window, apart)

    async def _frame(
        self, world: World, holder: FrameTarget | None, window: int, apart: Mapping[str, FrameTarget]
    ) -> FrameTarget | None:
        known = self._frame_ids.setdefault(world, {})
        if window not in known:
            element = await self.handle(world, f"snapshot.frameOf({window})")
            if element is None:
                return None
            answer = await self.send(world, "DOM.describeNode", {"objectId": element})
            known[window] = answer["node"].get("frameId", "")
        frame_id = known[window]
        if not frame_id:
            return None
        self._holders[frame_id] = (holder, window)
        if frame_id in apart:
            return apart[frame_id]
        inner = self._inner.setdefault(world.session, {})
        return inner.setdefault(frame_id, InnerFrame(world.session, frame_id, world.sheets))

    def has_own(self, world: World, frame_id: str) -> bool:
        """Whether a frame in a world's process is known to be of another origin, with a world of its own."""
        return frame_id in self._inner.get(world.session, {})

    async def holder(self, page: PageTarget, frame: FrameTarget) -> tuple[FrameTarget | None, World, int]:
        """The frame that holds a frame, None = the main one, its world, and the number of the window there.

        Raises `Navigated` where the frame is gone.
        """
        if frame.frame_id not in self._holders:
            await self.frames(page)
        if frame.frame_id not in self._holders:
            raise Navigated("the frame of the element is gone", "observe again")
        holder, window = self._holders[frame.frame_id]
        return holder, await self.of(page, holder), window

    async def origin(self, page: PageTarget, frame: FrameTarget) -> tuple[float, float]:
        """Where a frame's content begins in the top viewport (CSS px)."""
        holder, world, window = await self.holder(page, frame)
        corner = await self.evaluate(world, f"snapshot.origin({window})")
        if corner is None:
            raise Navigated("the frame of the element is gone", "observe again")
        left, top = await self.origin(page, holder) if holder is not None else (0.0, 0.0)
        return left + corner[0], top + corner[1]

    def forget(self, page: PageTarget, *frames: FrameTarget) -> None:
        """The worlds of a tab's process, or of these frames' processes."""
        for session in {frame.session for frame in frames} or {page.session}:
            self._worlds.pop(session, None)

    async def evaluate(self, world: World, expression: str, given: Json = None) -> Json:
        """Value of an expression, in which `given` has the value given, or of the promise that it is.

        Raises `ScriptFailed` if it throws, `Navigated` if its document is gone (`Stale`: before that).
        """
        answer = await self.asked(world, expression, given)
        _raise_script_error(answer)
        return answer["result"].get("value")

    async def asked(self, world: World, expression: str, given: Json = None) -> JsonObject:
        """The same as the protocol tells it: with `exceptionDetails` where it throws."""
        return await self._living(world, ask(world.session, world.root, expression, given))

    async def handle(self, world: World, expression: str) -> str | None:
        """Remote object id of an expression's value, None for null and undefined."""
        answer = await self.send(
            world,
            "Runtime.callFunctionOn",
            {"functionDeclaration": f"() => ({expression})", "objectId": world.root},
        )
        object_id: str | None = answer["result"].get("objectId")
        return object_id

    async def call(self, world: World, function: str, *object_ids: str) -> Json:
        """Value of a function called on the first object, with the others as arguments."""
        answer = await self.send(
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

    async def resolve(self, world: World, backend_node_id: int, group: str = "") -> str | None:
        """Remote object, in this world, of a DOM node; None for one of another origin.

        Args:
            group: by whose name it is released with others.

        Raises `Navigated` if it is gone.
        """
        answer = await self.send(
            world,
            "DOM.resolveNode",
            {"backendNodeId": backend_node_id, "executionContextId": world.context_id, "objectGroup": group},
        )
        object_id: str | None = answer["object"].get("objectId")
        if object_id is not None and _context_of(object_id) != _context_of(world.root):
            raise self._gone(world, Stale)
        return object_id

    async def _open(self, session: CdpSession, frame_id: str, sheets: SheetTexts | None) -> World:
        opened = await isolated(session, WORLD, frame_id)
        world = World(session, opened.context_id, opened.frame_id, opened.root, sheets=sheets)
        held, able = await asyncio.gather(
            self._hold(session, opened.frames), self.evaluate(world, installer())
        )
        told = held[0]
        document = 0 if isinstance(told, BaseException) else told.get("node", {}).get("backendDOMNodeId", 0)
        return msgspec.structs.replace(world, able=bool(able), document=document)

    async def hold(self, world: World) -> None:
        """Make Chromium keep the accessibility trees of a world's documents between reads.

        `Accessibility.enable` does so for documents that load afterwards; one that was there before, or is
        written by script, would be built anew for every single node.
        """
        await self._hold(world.session, await _frames(world.session, world.frame_id))

    async def _hold(
        self, session: CdpSession, frames: Sequence[JsonObject]
    ) -> list[JsonObject | BaseException]:
        """What the browser tells of each frame's tree, or why it doesn't."""
        asked = [session.send("Accessibility.getRootAXNode", {"frameId": frame["id"]}) for frame in frames]
        return await asyncio.gather(*asked, return_exceptions=True)

    async def send(self, world: World, method: str, params: JsonObject) -> JsonObject:
        """The answer to a command about a world. Raises as `evaluate` does."""
        answer = await self._living(world, world.session.send(method, params))
        _raise_script_error(answer)
        return answer

    async def _living(self, world: World, asking: Awaitable[JsonObject]) -> JsonObject:
        try:
            return await asking
        except ActionFailed as error:
            if _is_gone(error):
                kind = Stale if STALE in error.message.lower() else Navigated
                raise self._gone(world, kind) from error
            raise

    def _gone(self, world: World, kind: type[Navigated]) -> Navigated:
        """The world is forgotten: its frame gets a new one when it is asked for next."""
        living = self._worlds.get(world.session, {})
        for name in [name for name, known in living.items() if known is world]:
            del living[name]
        return kind()


def _is_gone(error: ActionFailed) -> bool:
    """Whether the browser says so because the document is not there any more."""
    return any(words in error.message.lower() for words in GONE)


def _raise_script_error(answer: JsonObject) -> None:
    if "exceptionDetails" in answer:
        details = answer["exceptionDetails"]
        text = details.get("exception", {}).get("description") or details.get("text", "")
        raise ScriptFailed(f"the observation script failed in the page: {text.splitlines()[0]}")


def _context_of(object_id: str) -> str:
    """The part of a remote object's id that names its world."""
    return object_id.rpartition(".")[0]
