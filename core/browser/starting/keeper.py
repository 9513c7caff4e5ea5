"""What a browser that we start is given: a private folder, and a process that ends it if we can't."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from webbench.core.browser.starting import reaper
from webbench.core.browser.starting.folder import PrivateFolder, sweep_abandoned
from webbench.core.errors import EnvironmentDown
from webbench.core.own_python import NOWHERE, child_environment, script_command
from webbench.core.time_limit import time_limit

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
            return cls(folder, await start_reaper(folder.path))
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
            async with time_limit(SWEEPING_SECONDS):
                await self._process.wait()
        self._held.release()


async def kept_process(
    command: Callable[[Path], Sequence[str]], variables: Callable[[Path], Mapping[str, str]]
) -> tuple[asyncio.subprocess.Process, Keeper]:
    """A process in a folder of its own that is spoken to over pipes, and ends with us.

    Args:
        command: the program and its arguments, by the folder.
        variables: all that it finds in its environment, by the folder.

    Raises `EnvironmentDown` where the folder can't be made, or the program not be started.
    """
    try:
        keeper = await Keeper.start()
    except OSError as error:
        raise EnvironmentDown(f"no folder for a process could be made: {error}") from error
    try:
        process = await asyncio.create_subprocess_exec(
            *command(keeper.folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=keeper.folder,
            env=dict(variables(keeper.folder)),
            start_new_session=True,
        )
    except BaseException as error:
        await keeper.close()
        if isinstance(error, OSError):
            raise EnvironmentDown(f"{command(keeper.folder)[0]} can't be started: {error}") from error
        raise
    keeper.watch(process.pid)
    return process, keeper


async def start_reaper(folder: Path | str = "") -> asyncio.subprocess.Process:
    """The process that outlives us; see `reaper`. Raises `OSError` where none can be started."""
    return await asyncio.create_subprocess_exec(
        *script_command(reaper.__file__, str(folder)),
        cwd=NOWHERE,
        env=child_environment(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
