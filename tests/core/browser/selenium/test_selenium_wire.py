"""What a wire owes to those who wait when it breaks."""

from __future__ import annotations

import asyncio
import gc

import pytest
from websockets.asyncio.server import ServerConnection, serve

from webbench.core.browser.selenium.websocket import SocketWire
from webbench.core.errors import EnvironmentDown

LARGE = {"expression": "x" * 2**24}


async def test_a_connection_that_breaks_while_we_write_is_told_once() -> None:
    """asyncio prints what nobody has taken from a future."""
    printed: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: printed.append(context))

    async def broken(socket: ServerConnection) -> None:
        socket.transport.pause_reading()
        await asyncio.sleep(0.05)
        socket.transport.abort()

    async with serve(broken, "127.0.0.1", 0) as server:
        wire = await SocketWire.open(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        waiting = [asyncio.create_task(wire.send("", "Runtime.evaluate", LARGE)) for _ in range(2)]
        while waiting:
            with pytest.raises(EnvironmentDown, match="the page is gone"):
                await waiting.pop(0)
        await wire.close()
    gc.collect()
    await asyncio.sleep(0)
    assert printed == []
