"""From an `ElementRef` to a live element: finding it, telling how, and preparing it for input."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal
from weakref import WeakSet

import msgspec

from webbench.core.action.action import ElementRef
from webbench.core.browser.driver import CdpSession, FrameTarget, PageTarget
from webbench.core.browser.seeing.isolated_world import Stale, World, within
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.errors import ActionFailed
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Box
from webbench.core.time_limit import time_limit

LIBRARY = "webbenchActing"
SCRIPTS = ("elements.js", "elements_acting.js", "elements_purpose.js")
GOING_ON = frozenset({"submitForm", "wheelLeft", "wheelRest"})
QUIET_SLACK = 1.0
MOST_HTML_FIELDS = 500
MOST_HTML = 100_000
"""Characters of the fields' HTML in one observation."""
HTML_MILLISECONDS = 2000
Rest = Literal["calm", "growing", "changing"]
"""How a document was last seen: at rest, with elements still being put in, or with other changes only."""

LONGEST_NAME = 200


class Facts(msgspec.Struct, frozen=True, rename="camel"):
    """What an element is and can take; `checked` is None where it has no such state.

    `context`: it takes its text by an `EditContext`, and holds none of its own.
    `speck`: it is too small to show a text.
    `painted`: it stands in for what a canvas shows, and is not shown itself.
    `behind`: a dialog is open that keeps the rest of the page from being used.
    """

    tag: str
    type: str
    editable: bool
    context: bool
    disabled: bool
    read_only: bool
    rendered: bool
    speck: bool
    painted: bool
    checked: bool | None
    multiple: bool
    focused: bool
    inert: bool
    behind: bool


class Fingerprint(msgspec.Struct, frozen=True):
    """What an element is found again by on another page; see `ElementRef`. Boxes are in CSS px."""

    role: str
    name: str
    path: str
    selector: str
    box: Box
    frame_url: str
    secret: bool


class Prepared(msgspec.Struct, frozen=True):
    """`point` (CSS px of its process's root frame) is where the element itself is hit, None if nowhere.

    `closable`: what covers it lies over the page as a whole, as a dialog does, and not only over the element.
    `over`: what gets the event at a point that was asked for: its component has laid that over all of it.
    """

    facts: Facts | None = None
    fingerprint: Fingerprint | None = None
    point: tuple[float, float] | None = None
    cover: str = ""
    over: str = ""
    closable: bool = True
    gone: bool = False


class Element(msgspec.Struct, frozen=True, kw_only=True):
    """A live element: where it lives, how it was found, and the reference to record."""

    session: CdpSession
    object_id: str
    world: World
    frame: FrameTarget | None
    ref: ElementRef
    matched_by: str
    label: str


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What one way of naming has found.

    `sure`: it is no guess. `there`: it is in a document of the address told.
    """

    element: Element
    sure: bool
    there: bool

    @property
    def rank(self) -> tuple[bool, bool]:
        return self.sure, self.there


class Elements:
    """Finds elements of one tab and runs our functions on them, in the snapshotter's isolated worlds.

    Attributes:
        mouse: where an action put it last (CSS px of the viewport).
    """

    def __init__(self, page: PageTarget, snapshotter: Snapshotter) -> None:
        self.page = page
        self.snapshotter = snapshotter
        self.mouse = (0.0, 0.0)
        self._installed: WeakSet[World] = WeakSet()

    async def world(self, frame: FrameTarget | None = None) -> World:
        """The world of the page, or of a frame with a world of its own, with our library in it."""
        world = await self.snapshotter.worlds.of(self.page, frame)
        if world not in self._installed:
            await self.snapshotter.worlds.evaluate(world, library())
            self._installed.add(world)
        return world

    async def frames(self) -> list[FrameTarget]:
        """The frames that have worlds of their own, parents before children."""
        return await self.snapshotter.worlds.frames(self.page)

    async def evaluate(self, call: str, *arguments: Json, frame: FrameTarget | None = None) -> Json:
        """Value of a library function in a frame's world, or of the promise that it gives.

        Where the world's document was gone already the new one's is asked, but for what goes on with
        something begun before.
        """
        listed = ", ".join(map(_literal, arguments))
        expression = f"{LIBRARY}.{call}({listed})"
        try:
            return await self.snapshotter.worlds.evaluate(await self.world(frame), expression)
        except Stale:
            if call in GOING_ON:
                raise
        return await self.snapshotter.worlds.evaluate(await self.world(frame), expression)

    async def call(self, element: Element, function: str, *arguments: Json) -> Json:
        """Value of a library function whose first argument is the element."""
        listed = ", ".join(("this", *map(_literal, arguments)))
        body = f"function() {{ return {LIBRARY}.{function}({listed}) }}"
        return await self.snapshotter.worlds.call(element.world, body, element.object_id)

    async def probe(self, script: str, argument: Json) -> Json:
        """Value of a foreign function expression. Raises `ActionFailed` if it throws."""
        worlds = self.snapshotter.worlds
        expression = f"({script})({_literal(argument)})"
        try:
            answer = await worlds.asked(await self.world(), expression)
        except ActionFailed:
            worlds.forget(self.page)
            answer = await worlds.asked(await self.world(), expression)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            thrown = details.get("exception", {})
            raise ActionFailed(str(thrown.get("description") or details.get("text", "it threw")))
        return answer["result"].get("value")

    async def wait_quiet(self, calm: float, cap: float) -> Rest:
        """Wait until the main document didn't change for `calm` ms, at most `cap` ms; how that ended.

        Raises `ActionFailed` where the document went away meanwhile.
        """
        try:
            async with time_limit(cap / 1000 + QUIET_SLACK):
                ended: Rest = await self.evaluate("quiet", calm, cap)
                return ended
        except TimeoutError:
            return "changing"
        except ActionFailed:
            self.snapshotter.worlds.forget(self.page)
            raise

    async def relevant_html(self) -> dict[str, str]:
        """The HTML around each named field of the main frame, bounded, for agents of forms.

        Empty where the document went away.
        """
        bounds = (MOST_HTML_FIELDS, MOST_HTML, HTML_MILLISECONDS)
        try:
            return dict(await self.evaluate("relevantHtmlOfFields", *bounds))
        except ActionFailed:
            return {}

    async def find(self, ref: ElementRef) -> Element:
        """The element meant: by id where the fingerprint doesn't contradict, by field, else by fingerprint.

        Raises `ActionFailed` naming what was looked for.
        """
        dead: ActionFailed | None = None
        ref = msgspec.structs.replace(ref, name=short(ref.name))
        if ref.id is not None:
            try:
                element = await self._by_id(ref)
            except ActionFailed as error:
                dead = error
            else:
                if not (ref.role or ref.selector) or await self._agrees(element):
                    return element
        for way in _ways(ref):
            if (found := await self._by(way, ref)) is not None:
                return found
        if dead is not None and not _ways(ref):
            raise dead
        raise ActionFailed(f"{called(ref)} is not on the page", "observe the page and name an element of it")

    async def prepare(
        self, element: Element, pointer: bool, at: tuple[float, float] | None = None
    ) -> Prepared:
        """Scroll into view, look for a point that hits it, and take its fingerprint, in one call.

        Args:
            at: the only point that will do, in percent of its width and height.
        """
        answer = await self.call(element, "prepare", list(at) if at is not None else pointer)
        prepared = msgspec.convert(answer, Prepared)
        if prepared.fingerprint is not None and not element.world.able:
            prepared = msgspec.structs.replace(
                prepared, fingerprint=await _as_observed(element, prepared.fingerprint)
            )
        if prepared.point is None or element.frame is None:
            return prepared
        return await self._lift(prepared, element.frame)

    async def _lift(self, prepared: Prepared, frame: FrameTarget) -> Prepared:
        """Carry a point of a frame with a world of its own up to the top-level viewport."""
        current: FrameTarget | None = frame
        point = prepared.point
        worlds = self.snapshotter.worlds
        while current is not None and point is not None:
            holder, _, window = await worlds.holder(self.page, current)
            world = await self.world(holder)
            owner = await worlds.handle(world, f"snapshot.frameOf({window})")
            if owner is None:
                raise ActionFailed("the frame of the element is gone", "observe again")
            body = f"function() {{ return {LIBRARY}.frameOffset(this, {point[0]}, {point[1]}) }}"
            answer = await worlds.call(world, body, owner)
            if "cover" in answer:
                return msgspec.structs.replace(prepared, point=None, cover=answer["cover"])
            point, current = tuple(answer["point"]), holder
        return msgspec.structs.replace(prepared, point=point)

    async def place(self, element: Element) -> Box | None:
        """Its box in the top-level viewport as it is now, whatever covers it; None where it draws nothing."""
        found = await self.call(element, "placeInRoot")
        if found is None:
            return None
        x, y, width, height = found
        current, worlds = element.frame, self.snapshotter.worlds
        while current is not None:
            holder, _, window = await worlds.holder(self.page, current)
            world = await self.world(holder)
            owner = await worlds.handle(world, f"snapshot.frameOf({window})")
            if owner is None:
                raise ActionFailed("the frame of the element is gone", "observe again")
            body = f"function() {{ return {LIBRARY}.contentInRoot(this) }}"
            left, top = await worlds.call(world, body, owner)
            x, y, current = x + left, y + top, holder
        return Box(x, y, width, height)

    async def _by_id(self, ref: ElementRef) -> Element:
        assert ref.id is not None
        located = await self.snapshotter.locate(self.page, ref.id)
        return Element(
            session=located.session,
            object_id=located.object_id,
            world=await self.world(located.frame),
            frame=located.frame,
            ref=ref,
            matched_by="id",
            label=self.snapshotter.describe(ref.id) or f"[{ref.id}]",
        )

    async def _agrees(self, element: Element) -> bool:
        prepared = await self.prepare(element, pointer=False)
        seen = prepared.fingerprint
        ref = element.ref
        return seen is not None and (seen.role, seen.name) == (ref.role, ref.name)

    async def _by(self, way: str, ref: ElementRef) -> Element | None:
        """The first frame's answer for one way of naming.

        A sure one wins over a guess, and of two equally sure ones that in a document of the address told.
        """
        best = await self._in_frame(None, way, ref)
        if best is None or not (best.sure and (best.there or not ref.frame_url)):
            for frame in await self.frames():
                try:
                    found = await self._in_frame(frame, way, ref)
                except ActionFailed:  # it went away, or can't be read
                    continue
                if found is not None and (best is None or found.rank > best.rank):
                    best = found
        if best is None:
            return None
        return best.element if best.sure or way != "selector" else await self._second_look(best.element)

    async def _in_frame(self, frame: FrameTarget | None, way: str, ref: ElementRef) -> Found | None:
        async with within(frame):
            answer = await self.evaluate("find", way, msgspec.to_builtins(ref), frame=frame)
            if not answer["count"]:
                return None
            sure, there = bool(answer["sure"]), bool(answer["there"])
            element = await self._taken(frame, ref, way if sure else f"{way}, unsure")
        return Found(element=element, sure=sure, there=there)

    async def _second_look(self, guess: Element) -> Element:
        """A selector that now names something else yields to role and name, where they name one element."""
        ref = guess.ref
        if ref.role and ref.path:
            other = await self._by("role+name+path", ref)
            if other is not None and not other.matched_by.endswith("unsure"):
                return other
        return guess

    async def taken(self, frame: FrameTarget | None = None) -> Element:
        """The element that a library function has left in `state.found`."""
        return await self._taken(frame, ElementRef(), "")

    async def _taken(self, frame: FrameTarget | None, ref: ElementRef, matched_by: str) -> Element:
        world = await self.world(frame)
        handle = await self.snapshotter.worlds.handle(world, f"{LIBRARY}.state.found")
        if handle is None:
            raise ActionFailed(f"{called(ref)} went away meanwhile", "observe again")
        return Element(
            session=world.session,
            object_id=handle,
            world=world,
            frame=frame,
            ref=ref,
            matched_by=matched_by,
            label=called(ref),
        )


async def _as_observed(element: Element, seen: Fingerprint) -> Fingerprint:
    """With the role and name that observations give, where this Chromium doesn't tell scripts.

    What scripts make of labels and contents by themselves is often another name.
    """
    wanted: JsonObject = {"objectId": element.object_id, "fetchRelatives": False}
    try:
        node = (await element.session.send("Accessibility.getPartialAXTree", wanted))["nodes"][0]
    except ActionFailed:
        return seen
    if node["ignored"]:
        return seen
    role, name = (str(node.get(key, {}).get("value", "")) for key in ("role", "name"))
    return msgspec.structs.replace(seen, role=role, name=short(name))


@cache
def library() -> str:
    """The expression that puts our functions into a world, once."""
    folder = Path(__file__).parent
    source = "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    return f"(() => {{ if (globalThis.{LIBRARY}) return;\n{source}\n}})()"


def short(name: str) -> str:
    """A name as fingerprints have it, elements.js's `short`: single blanks, none around, and not too long."""
    return " ".join(name.split())[:LONGEST_NAME]


def called(ref: ElementRef) -> str:
    """How an error names the element that an actor asked for."""
    if ref.field:
        option = f" with value {ref.option!r}" if ref.option else ""
        return f"the field {ref.field!r}{option}"
    if ref.role or ref.name:
        words = f'{ref.role or "element"} "{ref.name}"'
        return f"[{ref.id}] {words}" if ref.id is not None else words
    if ref.id is not None:
        return f"[{ref.id}]"
    return f"the element {ref.selector}" if ref.selector else "the element"


def _ways(ref: ElementRef) -> list[str]:
    ways = ["field"] if ref.field else []
    if ref.selector:
        ways.append("selector")
    if ref.role and ref.path:
        ways.append("role+name+path")
    if ref.box is not None:
        ways.append("box")
    return ways


def _literal(value: Json) -> str:
    """JavaScript source of a JSON value."""
    return msgspec.json.encode(value).decode()
