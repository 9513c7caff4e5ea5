"""Where the doors of a live episode are: sockets in its run's folder, for the owner alone.

A path of a socket may have some 100 bytes, and a store may lie deeper: the folder is named by a descriptor.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path

from webbench.core.engine.cancelling import end
from webbench.core.engine.wire import framing
from webbench.core.errors import EnvironmentDown

FOLDER = Path("runner", "doors")
"""Not the run's folder itself, which would seem changed with every door."""
TALK = ".talk"
"""Ending of the door through which an instructor speaks; the other one takes an episode over."""

TAKING_OVER = ("taken over", "its runner")

Connected = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]


def door_path(run: Path, episode: str) -> Path:
    """Where the door of an episode is, if it has one."""
    return run / FOLDER / episode


def talk_path(run: Path, episode: str) -> Path:
    """Where an instructor is let in to an episode, if anywhere."""
    return run / FOLDER / f"{episode}{TALK}"


def open_talks(store: Path) -> list[Path]:
    """Folders of the episodes into which an instructor is let now; doors of the dead are passed over."""
    found = []
    for path in sorted(store.glob(str(Path("*", FOLDER, f"*{TALK}")))):
        with contextlib.suppress(EnvironmentDown):
            connect(path).close()
            found.append(path.parents[2] / path.name.removesuffix(TALK))
    return found


def listen(path: Path) -> socket.socket:
    """A listening socket at the path, in a folder that only its owner may enter. Raises `OSError`."""
    path.parent.parent.mkdir(exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _short(path) as address:
            listening.bind(address)
        path.chmod(0o600)
        listening.listen()
    except BaseException:
        listening.close()
        raise
    return listening


def connect(path: Path) -> socket.socket:
    """A connection to whoever listens there.

    Raises:
        EnvironmentDown: nobody does, or not on this machine.
    """
    talks = path.name.endswith(TALK)
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _short(path) as address:
            connected.connect(address)
    except OSError as error:
        connected.close()
        wanted, whose = ("instructed", "its stepper (`step --instructor NAME`)") if talks else TAKING_OVER
        raise EnvironmentDown(
            f"The episode {path.name.removesuffix(TALK)} can't be {wanted} from here: {_why(error)}",
            f"{whose} must be alive, on this machine and of this user; it can still be looked at",
        ) from error
    connected.setblocking(False)
    return connected


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "nobody plays it on this machine, or its page is still being opened"
    return error.strerror or str(error)


@contextlib.asynccontextmanager
async def served(path: Path, listening: socket.socket, connected: Connected) -> AsyncIterator[None]:
    """Let people in at a door meanwhile; at the end it is taken away, and who is inside sent out."""
    connections: set[asyncio.Task[None]] = set()

    async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.create_task(connected(reader, writer))
        connections.add(connection)
        connection.add_done_callback(connections.discard)

    server = await asyncio.start_unix_server(come, sock=listening, limit=framing.LIMIT)
    try:
        yield
    finally:
        server.close()
        remove(path)
        for connection in tuple(connections):
            await end(connection)


def remove(path: Path) -> None:
    """Take the door away, and folders that hold nothing besides."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        path.parent.rmdir()
        path.parent.parent.rmdir()


@contextlib.contextmanager
def _short(path: Path) -> Iterator[str]:
    """The path as an address; by the folder's descriptor where the system has such names."""
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        by_descriptor = Path(f"/proc/self/fd/{descriptor}")
        yield str(by_descriptor / path.name) if by_descriptor.exists() else str(path)
    finally:
        os.close(descriptor)
