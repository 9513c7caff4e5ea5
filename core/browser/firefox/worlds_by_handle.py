"""Scripts of ours in Firefox: run in the page's own world, beside a scope that only we hold.

Playwright offers no isolated world there. Our scripts are evaluated inside an object that no name of the page
leads to, so a page can't reach what they keep; but it can replace the browser's functions that they call.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webbench.core.errors import ActionFailed
from webbench.core.json_types import Json, JsonObject

if TYPE_CHECKING:
    from playwright.async_api import Frame, JSHandle

_COMPUTED = re.compile(r"(\w+)\.computed(Role|Name)\b")
_ABLE = '"computedRole" in Element.prototype'
_RUN = """async ([self, scope, args]) => {
  try {
    with (scope) { return { value: await (FUNCTION).apply(self, args) }; }
  } catch (error) { return { thrown: String((error && error.stack && error + "") || error) }; }
}"""
_KEEP = """([self, scope, args]) => { with (scope) { return (FUNCTION).apply(self, args); } }"""
_SCOPE = """() => { const scope = Object.create(null); scope.globalThis = scope; return scope; }"""


@cache
def _rules() -> str:
    return Path(__file__).parent.joinpath("roles_by_rule.js").read_text(encoding="utf-8")


def by_rule(source: str) -> str:
    """A script of ours that asks for computed roles and names, asking the rules for them instead."""
    if "computed" not in source:
        return source
    return _COMPUTED.sub(
        lambda found: f"byRule.{found[2].lower()}({found[1]})", source.replace(_ABLE, "true")
    )


MOST_OBJECTS = 4_000
"""Objects of one tab that are held at a time; of more the oldest are given back, and asked for anew."""

GIVEN = "given"
"""Key of what the browser gave without being asked for it."""


class Scope:
    """One document's scope.

    Attributes:
        key: what the ids of its objects begin with.
    """

    def __init__(self, frame: Frame, handle: JSHandle, key: str) -> None:
        self.frame = frame
        self.handle = handle
        self.key = key


class Handles:
    """The objects of one tab that were asked for, by id, as `Runtime` of DevTools gives them."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._objects: dict[str, tuple[JSHandle, Scope]] = {}
        self._nodes: dict[int, str] = {}
        self.scopes: dict[int, Scope] = {}
        self._going: set[asyncio.Task[None]] = set()

    async def scope(self, frame: Frame) -> int:
        """A fresh one in a frame's document; its number."""
        number = next(self._numbers)
        scope = Scope(frame, await frame.evaluate_handle(_SCOPE), f"scope{number}")
        self.scopes[number] = scope
        await self._run(scope, scope.handle, f"() => {{ {_rules()} }}", [])
        return number

    def root(self, number: int) -> str:
        scope = self._scope(number)
        object_id = f"{scope.key}.root"
        self._objects[object_id] = scope.handle, scope
        return object_id

    async def call(self, params: JsonObject) -> JsonObject:
        """`Runtime.callFunctionOn`."""
        handle, scope = self.of(params["objectId"])
        given = [self.of(one["objectId"])[0] if "objectId" in one else one.get("value")
                 for one in params.get("arguments", ())]  # fmt: skip
        function = by_rule(str(params["functionDeclaration"]))
        if params.get("returnByValue"):
            answer = await self._run(scope, handle, function, given)
            if "thrown" in answer:
                return {"result": {}, "exceptionDetails": {"text": str(answer["thrown"])}}
            return {"result": {"value": answer.get("value")}}
        kept = await scope.frame.evaluate_handle(
            _KEEP.replace("FUNCTION", function), [handle, scope.handle, given]
        )
        if str(kept) in ("null", "undefined"):
            return {"result": {}}
        return {"result": {"objectId": self._kept(kept, scope)}}

    async def describe(self, object_id: str) -> JsonObject:
        """`DOM.describeNode`: its number, and the frame in it."""
        handle, _ = self.of(object_id)
        number = next(self._numbers)
        self._nodes[number] = object_id
        element = handle.as_element()
        inner = await element.content_frame() if element is not None else None
        return {"backendNodeId": number} | ({"frame": inner} if inner is not None else {})

    def node(self, number: int) -> str:
        if number not in self._nodes:
            raise ActionFailed("no node of that number", "observe again")
        return self._nodes[number]

    def keep(self, handle: JSHandle) -> int:
        """The number of a node that the browser gave."""
        number = next(self._numbers)
        scope = Scope(None, handle, GIVEN)  # type: ignore[arg-type]  # nothing is run in it
        self._nodes[number] = self._kept(handle, scope)
        return number

    def of(self, object_id: str) -> tuple[JSHandle, Scope]:
        if object_id not in self._objects:
            raise ActionFailed("cannot find context with specified id", "observe again")
        return self._objects[object_id]

    def forget(self, frame: Frame) -> None:
        """Its document went."""
        gone = {number for number, scope in self.scopes.items() if scope.frame == frame}
        keys = {self.scopes.pop(number).key for number in gone}
        self._objects = {
            name: one for name, one in self._objects.items() if one[1].key not in keys and one[1].key != GIVEN
        }
        self._forget_nodes()

    def _forget_nodes(self) -> None:
        """Numbers of nodes whose object is held no more."""
        self._nodes = {number: name for number, name in self._nodes.items() if name in self._objects}

    def _give_back(self) -> None:
        """The older half of what is held, but for the scopes themselves."""
        names = [name for name, (handle, scope) in self._objects.items() if handle is not scope.handle]
        for name in names[: len(names) // 2]:
            handle, _ = self._objects.pop(name)
            task = asyncio.create_task(_disposed(handle))
            self._going.add(task)
            task.add_done_callback(self._going.discard)
        self._forget_nodes()

    def _scope(self, number: int) -> Scope:
        if number not in self.scopes:
            raise ActionFailed("cannot find context with specified id", "observe again")
        return self.scopes[number]

    def _kept(self, handle: JSHandle, scope: Scope) -> str:
        if len(self._objects) >= MOST_OBJECTS:
            self._give_back()
        object_id = f"{scope.key}.{next(self._numbers)}"
        self._objects[object_id] = handle, scope
        return object_id

    async def _run(self, scope: Scope, self_: JSHandle, function: str, given: list[Any]) -> dict[str, Json]:
        source = _RUN.replace("FUNCTION", function)
        answer: dict[str, Json] = await scope.frame.evaluate(source, [self_, scope.handle, given])
        return answer


async def _disposed(handle: JSHandle) -> None:
    """Never raises: its document may be gone."""
    from playwright.async_api import Error

    with suppress(Error):
        await handle.dispose()
