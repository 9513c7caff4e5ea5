"""Which elements hear clicks: the browser tells, as no script of another world can, and our world is told."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from itertools import islice
from weakref import WeakKeyDictionary

import msgspec

from webbench.core.browser.seeing.isolated_world import World, Worlds
from webbench.core.json_types import JsonObject

PRESSES = frozenset({"click", "mousedown", "mouseup", "DOMActivate"})
"""Events by which Chromium's tree keeps an element."""

POINTING = PRESSES | {"dblclick", "pointerdown", "pointerup"}
PRESSED, HANDLED = 1, 2
"""As the script knows them: what the tree keeps, and what a person's click does something to."""

EVERYTHING = 20
"""Who hears so many kinds of events is where a framework hears them for all that is inside."""

MOST_AT_ONCE = 5_000
"""Elements that are handed over with one reading; those of a page with more come with the next ones."""

GROUP = "webbench-listeners"


class Listeners:
    """What is known of the listeners in each world, so that only what changed is handed over."""

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        self._documents: WeakKeyDictionary[World, str] = WeakKeyDictionary()
        self._known: WeakKeyDictionary[World, dict[int, int]] = WeakKeyDictionary()

    def asked(self, world: World) -> bool:
        """Whether the world was told before."""
        return world in self._known

    async def update(self, world: World) -> bool:
        """Ask the browser and tell the world; whether there was news. Raises `Navigated`."""
        found = await self._found(world)
        known = self._known.setdefault(world, {})
        gone = [node for node in known if node not in found]
        all_new = ((node, how) for node, how in found.items() if known.get(node) != how)
        new = dict(islice(all_new, MOST_AT_ONCE))
        if not gone and not new:
            return False
        for node in gone:
            del known[node]
        known.update(new)
        objects = await asyncio.gather(*(self._worlds.resolve(world, node, GROUP) for node in new))
        there = [(node, how) for (node, how), handle in zip(new.items(), objects, strict=True) if handle]
        told = msgspec.json.encode([there, gone]).decode()
        body = f"function(...elements) {{ snapshot.hear(...{told}, ...elements) }}"
        await self._worlds.call(world, body, world.root, *filter(None, objects))
        await self._worlds.send(world, "Runtime.releaseObjectGroup", {"objectGroup": GROUP})
        return True

    async def _found(self, world: World) -> dict[int, int]:
        """How the elements hear that do, by backend node id."""
        if world not in self._documents:
            self._documents[world] = await self._document(world)
        asked: JsonObject = {"objectId": self._documents[world], "depth": -1, "pierce": True}
        answer = await self._worlds.send(world, "DOMDebugger.getEventListeners", asked)
        kinds: defaultdict[int, set[str]] = defaultdict(set)
        for listener in answer["listeners"]:
            if "backendNodeId" in listener:
                kinds[listener["backendNodeId"]].add(listener["type"])
        return {node: how for node, heard in kinds.items() if (how := _how(heard))}

    async def _document(self, world: World) -> str:
        """The document as the page's own world has it.

        Asked of ours, Chromium now and then makes wrappers of elements there that belong to the page's world,
        by which the page's scripts would be seen in place of the browser's own.
        """
        document = world.document
        if not document:
            ours = await self._worlds.handle(world, "document") or ""
            told = await self._worlds.send(world, "DOM.describeNode", {"objectId": ours})
            document = told["node"]["backendNodeId"]
        asked: JsonObject = {"backendNodeId": document}
        object_id: str = (await self._worlds.send(world, "DOM.resolveNode", asked))["object"]["objectId"]
        return object_id


def _how(kinds: set[str]) -> int:
    pressed = PRESSED if kinds & PRESSES else 0
    return pressed | (HANDLED if kinds & POINTING and len(kinds) < EVERYTHING else 0)
