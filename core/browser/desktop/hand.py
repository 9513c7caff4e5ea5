"""Our end of the line to a hand: starting it, giving it orders, and telling its troubles as our errors."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec

from webbench.core.browser.acting.input_device import no_such_key
from webbench.core.browser.desktop.display import Display
from webbench.core.errors import ActionFailed, EnvironmentDown
from webbench.core.json_types import Json
from webbench.core.own_python import NOWHERE, child_environment, module_command
from webbench.core.time_limit import time_limit

START_SECONDS = 20.0
ORDER_SECONDS = 60.0
LONGEST_REPLY = 1 << 26
HAND = "webbench.core.browser.desktop.pyautogui_process"
RELEASE_HINT = "move the pointer out of the corner to go on"
PACKAGES = {"Xlib": "python3-xlib", "PIL": "pillow"}


class _Reply(msgspec.Struct, frozen=True):
    id: int
    value: Json = None
    error: str = ""
    kind: str = ""


class About(msgspec.Struct, frozen=True):
    """Size of the display in pixels, and the characters that its keyboard has keys for."""

    width: int
    height: int
    characters: str


class Hand:
    """A running hand on one display. Orders are carried out one after the other.

    Attributes:
        pointing: whose tab the pointer was last moved over.
        front: what was last brought to the front.
    """

    def __init__(self, display: Display, process: asyncio.subprocess.Process) -> None:
        self.display = display
        self.about = About(0, 0, "")
        self.pointing: object = None
        self.front: object = None
        self._process = process
        self._turn = asyncio.Lock()
        self._orders: set[asyncio.Task[Json]] = set()
        self._last = 0

    @classmethod
    async def start(cls, display: Display) -> Hand:
        """Raises `EnvironmentDown` in one line: no display, no authority, a package that is missing."""
        process = await asyncio.create_subprocess_exec(
            *module_command(HAND),
            cwd=NOWHERE,
            env=child_environment(display.environment()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_REPLY,
            start_new_session=True,
        )
        hand = cls(display, process)
        try:
            async with time_limit(START_SECONDS):
                reply = await hand._reply()
        except BaseException as error:
            await hand.close()
            if isinstance(error, TimeoutError):
                raise EnvironmentDown(f"the display {display.name} does not answer") from error
            raise
        if reply.error:
            await hand.close()
            raise _no_hand(reply, display)
        hand.about = msgspec.convert(reply.value, About)
        return hand

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def order(self, verb: str, **arguments: Json) -> Json:
        """Have it done; an order that was begun is finished also where nobody waits for it any more.

        Raises `ActionFailed` for an unknown key and for the fail-safe, `EnvironmentDown` for the rest.
        """
        task = asyncio.create_task(self._ordered(verb, arguments))
        self._orders.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Json]) -> None:
        """Forget it; nobody may be there any more to hear how it failed."""
        self._orders.discard(task)
        if not task.cancelled():
            task.exception()

    async def _ordered(self, verb: str, arguments: dict[str, Json]) -> Json:
        async with self._turn:
            self._last += 1
            line = msgspec.json.encode({"id": self._last, "verb": verb, **arguments})
            stdin = self._process.stdin
            assert stdin is not None
            try:
                stdin.write(line + b"\n")
                await stdin.drain()
                async with time_limit(ORDER_SECONDS):
                    reply = await self._reply()
            except (OSError, TimeoutError) as error:
                await self.close()
                raise EnvironmentDown(f"the display {self.display.name} does not answer") from error
        if reply.error:
            raise _trouble(reply, self.display)
        return reply.value

    async def _reply(self) -> _Reply:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise EnvironmentDown(f"mouse and keyboard of the display {self.display.name} are gone")
        return msgspec.json.decode(line, type=_Reply)

    async def close(self) -> None:
        """Let it release what it holds and end; idempotent, takes bounded time."""
        process = self._process
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with time_limit(2.0):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _no_hand(reply: _Reply, display: Display) -> EnvironmentDown:
    if reply.kind == "package":
        name = reply.error.partition(".")[0]
        package = PACKAGES.get(name, name)
        return EnvironmentDown(
            f"real mouse and keyboard need the Python package {package}", f"run `pip install {package}`"
        )
    if reply.kind == "authority":
        return EnvironmentDown(
            f"the display {display.name} let nobody in: no X authority for it in {display.authority}",
            "set XAUTHORITY to the file that `xauth info` names on that desktop",
        )
    return EnvironmentDown(
        f"the display {display.name} can't be used: {reply.error[:200]}",
        "leave browser.display empty for a private one",
    )


def _trouble(reply: _Reply, display: Display) -> ActionFailed | EnvironmentDown:
    if reply.kind == "corner":
        return ActionFailed("the pointer is in a corner of the screen: PyAutoGUI's fail-safe", RELEASE_HINT)
    if reply.kind == "key":
        return no_such_key(reply.error)
    return EnvironmentDown(f"the display {display.name} failed: {reply.error[:200]}")
