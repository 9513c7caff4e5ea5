"""The way round for browsers that give scripts no accessibility: two protocol calls per frame, joined here.

`Accessibility.getFullAXTree` brings roles, names and states, `DOMSnapshot.captureSnapshot` the boxes and
attributes; both name DOM nodes by backend id. A small script only tells which node has which of our ids, so
that an id means the same node on either way.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urljoin

import msgspec

from webbench.core.browser.seeing.frame_reading import ProcessReading, RemoteFrame
from webbench.core.browser.seeing.isolated_world import Navigated, World, Worlds
from webbench.core.errors import ActionFailed
from webbench.core.observation import CLICKABLE, AccessibilityNode, Box, Clickable, StateValue, Viewport

RELATIONS = frozenset(
    {
        "url", "labelledby", "describedby", "owns", "controls", "details", "errormessage", "activedescendant",
        "flowto", "roledescription", "keyshortcuts", "actions",
    }
)  # fmt: skip
CONTROL_ROLES = frozenset(
    {
        "button", "checkbox", "ColorWell", "combobox", "Date", "DateTime", "DisclosureTriangle",
        "DisclosureTriangleGrouped", "gridcell", "InputTime", "link", "listbox", "menuitem",
        "menuitemcheckbox", "menuitemradio", "option", "radio", "scrollbar", "searchbox", "slider",
        "spinbutton", "switch", "tab", "textbox", "treeitem",
    }
)  # fmt: skip
FIELD_TAGS = frozenset({"input", "textarea", "select"})
FIELD_ROLES = frozenset(
    {"textbox", "searchbox", "combobox", "spinbutton", "slider", "Date", "DateTime", "InputTime", "ColorWell"}
)
ATTRIBUTES = ("id", "name", "type", "placeholder")
TICKED = ("radio", "checkbox")
BUTTONS = ("submit", "reset", "button", "image")
Clip = tuple[float, float, float, float]


class Hole(msgspec.Struct, frozen=True):
    """An iframe.

    Attributes:
        document, place: where it stands, by number.
        inside: number of the document in it, -1 for one that the world doesn't reach.
        window: as `RemoteFrame` has it.
        content: left and top of its content in its document's viewport (CSS px).
        size: width and height of that.
    """

    document: int
    place: int
    inside: int
    window: int
    content: tuple[float, float]
    size: tuple[float, float]


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """What a person can click, or might by its role.

    Attributes:
        document, place: where it stands, by number.
        reason: place in `CLICKABLE` of why, 0 where nothing but role or focus may tell.
        looks, name: in our words, and in its own.
        box: of an area of an image, in its document's viewport (CSS px).
    """

    document: int
    place: int
    reason: int
    looks: str
    name: str
    box: tuple[float, float, float, float] | None


class DomOrder(msgspec.Struct, frozen=True):
    """What the script tells of each document.

    Attributes:
        types, ids: per document, node types in order and the ids given so far (0 = none).
        focus: per document, whether it, or one in it, has the keyboard.
        holes: the iframes in them.
        marks: what can be clicked, and the areas of images.
        disabled: per document, places of what the page says is disabled, or shows in such an element.
    """

    types: list[list[int]]
    ids: list[list[int]]
    focus: list[bool]
    holes: list[Hole]
    marks: list[Mark]
    disabled: list[list[int]]
    viewport: Viewport
    title: str
    url: str
    next: int
    loading: bool


class Document:
    """One document of a layout snapshot, by backend node id."""

    def __init__(self, raw: dict[str, Any], strings: list[str]) -> None:
        nodes, layout = raw["nodes"], raw["layout"]
        self.url = strings[raw["documentURL"]]
        self.base = strings[raw["baseURL"]] or self.url
        self.frame_id = strings[raw["frameId"]]
        self.scroll = (raw.get("scrollOffsetX", 0.0), raw.get("scrollOffsetY", 0.0))
        self.size = (raw.get("contentWidth", 0.0), raw.get("contentHeight", 0.0))
        self.backend: list[int] = nodes["backendNodeId"]
        self.index = {backend: index for index, backend in enumerate(self.backend)}
        self.parents: list[int] = nodes["parentIndex"]
        self.types: list[int] = nodes["nodeType"]
        self.names = nodes["nodeName"]
        self.attributes = nodes["attributes"]
        self.strings = strings
        self.has_canvas = any(strings[name] == "CANVAS" for name in self.names)
        self.shadow = _rare(nodes["shadowRootType"], strings)
        self.pseudo = _rare(nodes["pseudoType"], strings)
        contents = nodes["contentDocumentIndex"]
        self.contents: dict[int, int] = dict(zip(contents["index"], contents["value"], strict=True))
        self.bounds: dict[int, list[float]] = {}
        for at, bounds in zip(layout["nodeIndex"], layout["bounds"], strict=True):
            self.bounds.setdefault(at, bounds)

    def tag(self, index: int) -> str:
        return self.strings[self.names[index]].lower() if self.types[index] == 1 else ""

    def attributes_of(self, index: int) -> dict[str, str]:
        flat = self.attributes[index]
        pairs = zip(flat[::2], flat[1::2], strict=True)
        return {self.strings[name]: self.strings[value] for name, value in pairs}

    def own_nodes(self) -> list[int]:
        """Indices of the nodes that scripts can see, in order: no pseudo elements, no fields' insides."""
        hidden: set[int] = set()
        for index, parent in enumerate(self.parents):
            if parent in hidden or self.shadow.get(index) == "user-agent" or index in self.pseudo:
                hidden.add(index)
        return [index for index in range(len(self.types)) if index not in hidden]

    def ancestry(self, index: int) -> Iterator[str]:
        """The tags of an element and of those above it, up to the next root."""
        while index >= 0 and self.types[index] == 1:
            yield self.tag(index)
            index = self.parents[index]

    def is_painted(self, index: int) -> bool:
        """Whether it stands in for what a canvas shows, and lies nowhere itself."""
        return self.has_canvas and "canvas" in list(self.ancestry(index))[1:]

    def host(self, index: int) -> tuple[int, str]:
        """The page's own node that a browser-made one belongs to, and its pseudo type on the way."""
        pseudo = ""
        at, found = index, index
        while at >= 0:
            if at in self.pseudo:
                pseudo = pseudo or self.pseudo[at]
                found = self.parents[at]
            elif self.shadow.get(at) == "user-agent":
                found = self.parents[at]
            at = self.parents[at]
        return found, pseudo


class CdpReader:
    """Reads what one world of a page reaches; ids come from, and go back to, that world."""

    def __init__(self, worlds: Worlds, world: World) -> None:
        self._worlds = worlds
        self._world = world
        self._nodes: list[AccessibilityNode] = []
        self._remotes: list[RemoteFrame] = []
        self._frames: list[str] = []
        self._focused: int | None = None
        self._given: list[tuple[int, int, str, int]] = []  # document, order, part, id
        self._next = 1
        self._documents: list[Document] = []
        self._trees: list[list[dict[str, Any]]] = []
        self._orders: list[dict[int, int]] = []
        self._known: list[list[int]] = []
        self._focus: list[bool] = []
        self._holes: dict[tuple[int, int], Hole] = {}
        self._marks: list[dict[int, Mark]] = []
        self._disabled: list[set[int]] = []
        self._areas: list[dict[int, tuple[float, float, float, float]]] = []
        self._frame_base = 0

    async def read(
        self, next_id: int, place: RemoteFrame | None, first_frame: int
    ) -> tuple[ProcessReading, float, float]:
        """The world's nodes; then milliseconds spent on the accessibility tree and on the layout."""
        session = self._world.session
        started = time.perf_counter()
        snapshot = await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
        captured = [Document(raw, snapshot["strings"]) for raw in snapshot["documents"]]
        laid_out = time.perf_counter()
        trees = await self._trees_of(self._here(captured))
        finished = time.perf_counter()
        order = msgspec.json.decode(
            await self._worlds.evaluate(self._world, f"snapshot.order({next_id})"), type=DomOrder
        )
        self._next = max(next_id, order.next)
        if self._has_unknown_roots(captured, order):
            return _unread(order), 0.0, 0.0
        self._focus = order.focus
        trees |= await self._trees_of([one for one in self._documents if one.frame_id not in trees])
        self._trees = [trees[document.frame_id] for document in self._documents]
        view = order.viewport
        clip = place.clip if place else (0.0, 0.0, float(view.width), float(view.height))
        self._frame_base = first_frame
        self._document(0, place.depth if place else 0, (place.x, place.y) if place else (0.0, 0.0), clip)
        await self._hand_back()
        reading = ProcessReading(
            nodes=self._nodes,
            frames=self._frames,
            focused=self._focused,
            url=order.url,
            title=order.title,
            viewport=view,
            remotes=self._remotes,
            suspects=0,
            next=self._next,
            loading=order.loading,
        )
        return reading, (finished - laid_out) * 1000, (laid_out - started) * 1000

    def _here(self, captured: list[Document]) -> list[Document]:
        """The documents of the world's frame and in it, but for those known to be another world's."""
        pending = [document for document in captured if document.frame_id == self._world.frame_id]
        for document in pending:
            inside = [captured[place] for place in document.contents.values()]
            pending.extend(one for one in inside if not self._worlds.has_own(self._world, one.frame_id))
        return pending

    async def _trees_of(self, documents: Sequence[Document]) -> dict[str, list[dict[str, Any]]]:
        """Accessibility trees by frame."""
        asked = [{"frameId": document.frame_id} for document in documents]
        send = self._world.session.send
        try:
            trees = await asyncio.gather(*(send("Accessibility.getFullAXTree", one) for one in asked))
        except ActionFailed as error:
            raise Navigated() from error
        return {one["frameId"]: tree["nodes"] for one, tree in zip(asked, trees, strict=True)}

    def _has_unknown_roots(self, captured: list[Document], order: DomOrder) -> bool:
        """Join the script's order of nodes with the snapshot's, document by document.

        Whether there are closed shadow roots that the world has not been handed yet. Raises `Navigated`.
        """
        top = next((one for one in captured if one.frame_id == self._world.frame_id), None)
        holes = {hole.inside: hole for hole in order.holes}
        own: list[list[int]] = []
        for number, types in enumerate(order.types):
            document = top
            if number > 0:
                outer, at = holes[number].document, holes[number].place
                place = self._documents[outer].contents.get(own[outer][at])
                document = captured[place] if place is not None else None
            nodes = document.own_nodes() if document is not None else []
            if document is not None and "closed" in document.shadow.values() and len(nodes) > len(types):
                return True
            if document is None or [document.types[index] for index in nodes] != types:
                return True  # an empty closed root, or the page changed: then nothing is found to hand over
            self._documents.append(document)
            own.append(nodes)
            self._orders.append({index: at for at, index in enumerate(nodes)})
            self._known.append(order.ids[number])
            marks = [mark for mark in order.marks if mark.document == number]
            self._disabled.append({nodes[place] for place in order.disabled[number]})
            self._marks.append({nodes[mark.place]: mark for mark in marks if mark.box is None})
            self._areas.append({nodes[mark.place]: mark.box for mark in marks if mark.box is not None})
        self._holes = {(hole.document, own[hole.document][hole.place]): hole for hole in order.holes}
        return False

    def _document(self, number: int, depth: int, origin: tuple[float, float], clip: Clip) -> None:
        document = self._documents[number]
        frame = self._frame_base + len(self._frames)
        self._frames.append(document.url)
        tree = self._trees[number]
        if not tree:
            return
        shift = (origin[0] - document.scroll[0], origin[1] - document.scroll[1])
        counts: Counter[tuple[int, str]] = Counter()
        added = self._added(number, tree)
        levels: dict[int, int] = {}
        for node, level, near in _walk(tree, document.index):
            index = document.index[near] if near else 0
            host, pseudo = document.host(index)
            own = host == index and node.get("backendDOMNodeId") == near
            if own:
                while added and added[-1] < index:
                    self._add(number, added.pop(), levels, depth, frame, shift, clip)
                levels[index] = level
            identity = self._identity(number, host, "" if own else pseudo, own, node, counts)
            index = host
            row = self._row(number, index, node, identity, own, depth + level, frame)
            bounds = [0.0, 0.0, *document.size] if index == 0 else self._bounds(number, index)
            self._nodes.append(_placed(row, bounds, shift, clip))
            listens = depth == 0 or self._focus[number]
            if listens and row.states.get("focused") and (self._focused is None or level > 0):
                self._focused = identity
            if row.tag in ("iframe", "frame", "object"):
                self._iframe(number, index, identity, depth + level + 1, origin, clip)
        while added:
            self._add(number, added.pop(), levels, depth, frame, shift, clip)

    def _bounds(self, number: int, index: int) -> list[float] | None:
        document = self._documents[number]
        area = self._areas[number].get(index)
        if area is None:
            return document.bounds.get(index)
        return [area[0] + document.scroll[0], area[1] + document.scroll[1], *area[2:]]

    def _added(self, number: int, tree: list[dict[str, Any]]) -> list[int]:
        """What can be clicked and isn't in the tree, the last first."""
        document = self._documents[number]
        there = {document.index.get(node.get("backendDOMNodeId", 0)) for node in tree if not node["ignored"]}
        marks = self._marks[number]
        return sorted(
            (
                index
                for index, mark in marks.items()
                if mark.reason
                and index not in there
                and all((self._bounds(number, index) or [0, 0, 0, 0])[2:])
                and not document.is_painted(index)
                and index not in self._disabled[number]
            ),
            reverse=True,
        )

    def _add(
        self,
        number: int,
        index: int,
        levels: dict[int, int],
        depth: int,
        frame: int,
        shift: tuple[float, float],
        clip: Clip,
    ) -> None:
        """A row of its own, around nothing, for what the tree leaves out."""
        document, mark = self._documents[number], self._marks[number][index]
        at = document.parents[index]
        while at >= 0 and at not in levels:
            at = document.parents[at]
        tag = document.tag(index)
        drawn = tag == "img" or "svg" in document.ancestry(index)
        row = AccessibilityNode(
            id=self._given_id(number, index),
            role="link" if tag == "area" else "image" if drawn else "generic",
            name=mark.name,
            depth=depth + levels.get(at, 0) + 1,
            interactive=True,
            clickable=CLICKABLE[mark.reason],
            added=True,
            looks="" if mark.name else mark.looks,
            tag=tag,
            attributes=_kept(tag, document.attributes_of(index), document.base),
            frame=frame,
        )
        self._nodes.append(_placed(row, self._bounds(number, index), shift, clip))

    def _given_id(self, number: int, index: int) -> int:
        order = self._orders[number].get(index, 0)
        if known := self._known[number][order]:
            return known
        identity = self._next
        self._next += 1
        self._given.append((number, order, "", identity))
        return identity

    def _iframe(
        self,
        number: int,
        index: int,
        identity: int,
        depth: int,
        origin: tuple[float, float],
        clip: Clip,
    ) -> None:
        hole = self._holes.get((number, index))
        if hole is None or index not in self._documents[number].bounds:
            return
        x, y = origin[0] + hole.content[0], origin[1] + hole.content[1]
        right, bottom = x + hole.size[0], y + hole.size[1]
        inner = (max(clip[0], x), max(clip[1], y), min(clip[2], right), min(clip[3], bottom))
        if hole.inside >= 0:
            self._document(hole.inside, depth, (x, y), inner)
        else:
            self._remotes.append(RemoteFrame(identity, depth, x, y, inner, hole.window))

    def _identity(
        self,
        number: int,
        host: int,
        pseudo: str,
        own: bool,
        node: dict[str, Any],
        counts: Counter[tuple[int, str]],
    ) -> int:
        """The node's id: the one it has, or a new one that is handed back to the page's world."""
        if own:
            return self._given_id(number, host)
        document = self._documents[number]
        role = node["role"].get("value", "")
        order = self._orders[number].get(host, 0)
        part = _part(document.tag(host), pseudo, role, counts, host)
        identity = self._next
        self._next += 1
        self._given.append((number, order, part, identity))
        return identity

    async def _hand_back(self) -> None:
        """Tell the world which ids were given; parts may turn out to have one already."""
        given = msgspec.json.encode(self._given).decode()
        changed = await self._worlds.evaluate(self._world, f"snapshot.assign({given})")
        renamed = dict(msgspec.json.decode(changed, type=list[tuple[int, int]]))
        if renamed:
            self._nodes = [
                msgspec.structs.replace(node, id=renamed[node.id]) if node.id in renamed else node
                for node in self._nodes
            ]

    def _row(
        self,
        number: int,
        index: int,
        node: dict[str, Any],
        identity: int,
        own: bool,
        depth: int,
        frame: int,
    ) -> AccessibilityNode:
        document = self._documents[number]
        states = _states(node)
        tag = document.tag(index) if own else ""
        role = "link" if tag == "area" else node["role"].get("value", "")
        attributes = document.attributes_of(index) if tag else {}
        mark = self._marks[number].get(index) if own else None
        clickable: Clickable = ""
        shut = document.is_painted(index) or index in self._disabled[number]
        shut = shut or bool(states.get("disabled"))
        if own and role != "RootWebArea" and not shut:
            clickable = _reason(role, attributes, states, mark)
        elif role == "DisclosureTriangle" and not own and not shut:
            clickable = "role"  # the browser's own heading of a disclosure
        name = node.get("name", {}).get("value", "")
        value = node.get("value", {}).get("value", "" if tag in FIELD_TAGS and role in FIELD_ROLES else None)
        return AccessibilityNode(
            id=identity,
            role=role,
            name=name,
            value=f"{value:g}" if isinstance(value, int | float) else value,
            depth=depth,
            states=states,
            interactive=clickable != "",
            clickable=clickable,
            looks=mark.looks if mark is not None and clickable and not name else "",
            tag=tag,
            attributes=_kept(tag, attributes, document.base)
            if clickable or role in CONTROL_ROLES
            else _field_of(tag, attributes),
            frame=frame,
        )


def _reason(
    role: str, attributes: dict[str, str], states: dict[str, StateValue], mark: Mark | None
) -> Clickable:
    """Why a person can act on a node of the tree, "" for one that is only to be read."""
    if role in CONTROL_ROLES:
        return "href" if role == "link" and "href" in attributes else "role"
    if mark is not None and mark.reason:
        return CLICKABLE[mark.reason]
    return "focus" if "focusable" in states else ""


def _unread(order: DomOrder) -> ProcessReading:
    """The answer that asks for the closed roots first."""
    return ProcessReading(
        [], [], None, order.url, order.title, order.viewport, [], 1, order.next, order.loading
    )


def _walk(tree: list[dict[str, Any]], index: dict[int, int]) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Non-ignored nodes in order, with depth and the backend id of the nearest known DOM node (0: none)."""
    by_id = {node["nodeId"]: node for node in tree}
    pending = [(tree[0], 0, 0)]
    while pending:
        node, depth, near = pending.pop()
        if node["role"].get("value") == "InlineTextBox":
            continue
        backend = node.get("backendDOMNodeId", 0)
        near = backend if backend in index else near
        if not node["ignored"]:
            yield node, depth, near
            depth += 1
        children = [by_id[child] for child in node.get("childIds", ()) if child in by_id]
        pending.extend((child, depth, near) for child in reversed(children))


def _states(node: dict[str, Any]) -> dict[str, StateValue]:
    return {
        entry["name"]: entry["value"]["value"]
        for entry in node.get("properties", ())
        if entry["name"] not in RELATIONS and "value" in entry["value"]
    }


def _field_of(tag: str, attributes: dict[str, str]) -> dict[str, str]:
    """Of a label, the field that it says it is for."""
    return {"for": attributes["for"]} if tag == "label" and attributes.get("for") else {}


def _kept(tag: str, attributes: dict[str, str], base: str) -> dict[str, str]:
    kept = {name: attributes[name] for name in ATTRIBUTES if attributes.get(name)}
    kept |= _field_of(tag, attributes)
    if tag == "input" and attributes.get("type", "").lower() in TICKED:
        kept["value"] = attributes.get("value", "on")
    elif attributes.get("value") and (
        tag == "button" or (tag == "input" and kept.get("type", "").lower() in BUTTONS)
    ):
        kept["value"] = attributes["value"]
    if attributes.get("href"):
        href = attributes["href"]
        kept["href"] = urljoin(base, href) + ("#" if href.endswith("#") else "")
    return kept


def _part(tag: str, pseudo: str, role: str, counts: Counter[tuple[int, str]], host: int) -> str:
    """The name by which the script knows a browser-made node of this host."""
    if role == "ListMarker":
        return "::marker"
    if pseudo:
        counts[host, f"{pseudo} {role}"] += 1
        number = counts[host, f"{pseudo} {role}"] - 1
        return f"::{pseudo}" + {"image": f" image{number}", "generic": " box"}.get(role, "")
    if role == "MenuListPopup":
        return "popup"
    breaks = counts[host, "LineBreak"]
    if role == "LineBreak":
        counts[host, "LineBreak"] += 1
        return f"break{breaks}"
    field = tag in ("input", "textarea")
    count = counts[host, role]
    counts[host, role] += 1
    if role == "generic" and count == 0:
        return "editor" if field else "content"
    if role == "StaticText" and field:
        return f"line{breaks}" if counts[host, "generic"] else "label"
    return f"{role}{count}"


def _placed(
    row: AccessibilityNode, bounds: list[float] | None, shift: tuple[float, float], clip: Clip
) -> AccessibilityNode:
    if bounds is None:
        return row
    x, y = round(bounds[0] + shift[0], 1), round(bounds[1] + shift[1], 1)
    width, height = round(bounds[2], 1), round(bounds[3], 1)
    outside = (
        x >= clip[2] or y >= clip[3] or x + width < clip[0] or y + height < clip[1]
        or (width > 0 and x + width <= clip[0]) or (height > 0 and y + height <= clip[1])
    )  # fmt: skip
    return msgspec.structs.replace(row, box=Box(x, y, width, height), offscreen=outside)


def _rare(data: dict[str, list[int]], strings: list[str]) -> dict[int, str]:
    return {index: strings[value] for index, value in zip(data["index"], data["value"], strict=True)}
