"""Between Playwright and a Firefox of the system: a command that this Firefox lacks is answered here.

Playwright speaks WebDriver BiDi to such a Firefox, and sends each context the command
`emulation.setMediaFeaturesOverride`, which Firefox ESR 153 doesn't know. It would only set what the context
has anyway. All else passes as it is. As Firefox itself does, it takes no connection of a page, which names
its origin.

Run as a program with Firefox's path and arguments, in place of Firefox.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
from collections.abc import Sequence

ANSWERED = frozenset({"emulation.setMediaFeaturesOverride"})
CHUNK = 65536
_LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


async def serve(command: Sequence[str]) -> int:
    """Run Firefox, and give Playwright an address of ours in place of Firefox's; Firefox's exit code."""
    from websockets.asyncio.client import connect
    from websockets.asyncio.server import ServerConnection
    from websockets.asyncio.server import serve as listen

    firefox = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    address = await _address(firefox)

    async def pass_on(playwright: ServerConnection) -> None:
        path = playwright.request.path if playwright.request is not None else ""
        async with connect(address + path, max_size=None, compression=None, proxy=None) as browser:

            async def commands() -> None:
                async for text in playwright:
                    told = json.loads(text)
                    if told.get("method") in ANSWERED:
                        answer = {"type": "success", "id": told["id"], "result": {}}
                        await playwright.send(json.dumps(answer))
                    else:
                        await browser.send(text)

            async def answers() -> None:
                async for text in browser:
                    await playwright.send(text)

            both = [asyncio.create_task(commands()), asyncio.create_task(answers())]
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for one in both:
                one.cancel()

    if address:
        async with listen(pass_on, "127.0.0.1", 0, origins=[None], max_size=None, compression=None) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            _say(f"WebDriver BiDi listening on ws://127.0.0.1:{port}\n")
            await _drained(firefox)
    return await firefox.wait()


async def _address(firefox: asyncio.subprocess.Process) -> str:
    """Where it listens, "" where it ends before it does; what it says else is handed on."""
    assert firefox.stderr is not None
    while line := (await firefox.stderr.readline()).decode(errors="replace"):
        if found := _LISTENING.search(line):
            return found[1]
        _say(line)
    return ""


async def _drained(firefox: asyncio.subprocess.Process) -> None:
    """Hand on what it says; a page can have it say a line of any length."""
    assert firefox.stderr is not None
    while said := await firefox.stderr.read(CHUNK):
        _say(said.decode(errors="replace"))


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(asyncio.run(serve(sys.argv[1:])))
