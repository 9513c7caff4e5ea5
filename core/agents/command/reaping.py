"""Nothing of a program that is an agent is left when we die without a farewell, as by `kill -9`."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from webbench.core.browser.starting.keeper import start_reaper


class Survivor:
    """A process that outlives us, and then ends a program's process group."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def beside(cls, group: int) -> Survivor | None:
        """None where no process can be started."""
        with suppress(OSError):
            process = await start_reaper()
            assert process.stdin is not None
            process.stdin.write(f"{group}\n".encode())
            return cls(process)
        return None

    async def dismiss(self) -> None:
        """The program has ended: its number may be another's by now."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
