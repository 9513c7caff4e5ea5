"""What a browser that we start is given: a private folder, and a process that ends it if we can't."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from webbench.core.browser.starting import reaper
from webbench.core.browser.starting.folder import PrivateFolder, sweep_abandoned
from webbench.core.own_python import NOWHERE, child_environment, script_command

GRACE_SECONDS = 1.0
SWEEPING_SECONDS = 5.0


class Keeper:
    """Ends the process groups it was told of and sweeps the folder: when closed, or when we die.

    Attributes:
        folder: for profile and temporary files; nobody else's.
    """

    def __init__(self, folder: PrivateFolder, process: asyncio.subprocess.Process) -> None:
        self.folder: Path = folder.path
        self._held = folder
        self._process = process
        self._pids: list[int] = []

    @classmethod
    async def start(cls) -> Keeper:
        """Raises `OSError` where the temporary folder can't be used."""
        await asyncio.to_thread(sweep_abandoned)
        folder = PrivateFolder()
        try:
            return cls(folder, await _start_reaper(folder.path))
        except BaseException:
            folder.release()
            raise

    def watch(self, pid: int) -> None:
        """End this process's group with us; it leads one of its own."""
        self._pids.append(pid)
        assert self._process.stdin is not None
        self._process.stdin.write(f"{pid}\n".encode())

    async def end(self) -> None:
        """Wait a moment until the watched processes have left by themselves, then kill them."""
        pids, self._pids = self._pids, []
        for pid in pids:
            await asyncio.to_thread(reaper.end_group, pid, GRACE_SECONDS)

    async def close(self) -> None:
        await self.end()
        if self._process.stdin is not None:
            self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), SWEEPING_SECONDS)
        self._held.release()


async def _start_reaper(folder: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *script_command(reaper.__file__, str(folder)),
        cwd=NOWHERE,
        env=child_environment(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
