"""Where the door of a running episode is: a socket in its run's folder, for the owner alone.

A path of a socket may have some 100 bytes, and a store may lie deeper: the folder is named by a descriptor.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from webbench.core.errors import EnvironmentDown

FOLDER = Path("runner", "doors")
"""Not the run's folder itself, which would seem changed with every door."""


def door_path(run: Path, episode: str) -> Path:
    """Where the door of an episode is, if it has one."""
    return run / FOLDER / episode


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
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _short(path) as address:
            connected.connect(address)
    except OSError as error:
        connected.close()
        raise EnvironmentDown(
            f"The episode {path.name} can't be taken over from here: {_why(error)}",
            "its runner must be alive, on this machine and of this user; it can still be looked at",
        ) from error
    connected.setblocking(False)
    return connected


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "nobody plays it on this machine, or its page is still being opened"
    return error.strerror or str(error)


def remove(path: Path) -> None:
    """Take the door away, and the folder with the last one."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        path.parent.rmdir()


@contextlib.contextmanager
def _short(path: Path) -> Iterator[str]:
    """The path as an address; by the folder's descriptor where the system has such names."""
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        by_descriptor = Path(f"/proc/self/fd/{descriptor}")
        yield str(by_descriptor / path.name) if by_descriptor.exists() else str(path)
    finally:
        os.close(descriptor)
