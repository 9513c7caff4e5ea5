"""A display to work on: a private Xvfb with an authority file of its own, or one that is there."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import re
import secrets
import shutil
import socket
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from webbench.core.browser.starting.start_failure import DIED_HINT, DiedAtStart
from webbench.core.errors import EnvironmentDown
from webbench.core.time_limit import time_limit

START_SECONDS = 15.0
END_SECONDS = 1.0
XVFB_HINT = "install it (Debian and Ubuntu: apt install xvfb), or name a running display in browser.display"
MACOS_HINT = "use --input browser; macOS has no X display"
FAMILY_LOCAL, FAMILY_WILD = 256, 65535
COOKIE = b"MIT-MAGIC-COOKIE-1"


class Display(msgspec.Struct, frozen=True, kw_only=True):
    """Where a program finds a display.

    Attributes:
        name: as in the variable DISPLAY, e.g. ":7".
        authority: the file with its key.
        private: started by us; nobody else is on it.
    """

    name: str
    authority: Path
    private: bool

    @property
    def variables(self) -> dict[str, str]:
        """What a program's environment needs to run on it."""
        return {"DISPLAY": self.name, "XAUTHORITY": str(self.authority)}

    def environment(self) -> dict[str, str]:
        """Our own environment, for a program that is to run on it; of Wayland it must know nothing."""
        kept = {key: value for key, value in os.environ.items() if key != "WAYLAND_DISPLAY"}
        return {**kept, **self.variables}


class Xvfb:
    """A private display; `display` is there once `start` is through.

    It ends by itself when its last window is gone, which holds for whatever becomes of us.
    """

    def __init__(self, folder: Path, width: int, height: int) -> None:
        self._folder = folder
        self._log = folder / "display.log"
        self._size = (width, height)
        self._process: asyncio.subprocess.Process | None = None
        self.display: Display | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> Display:
        """Raises `EnvironmentDown` where it is not installed, or does not come up."""
        program = xvfb()
        cookie = secrets.token_bytes(16)
        key = self._folder / "display.key"
        await asyncio.to_thread(write_authority, key, "", cookie)
        reading, writing = os.pipe()
        errors = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            width, height = self._size
            self._process = await asyncio.create_subprocess_exec(
                *(program, "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24"),
                *("-auth", str(key), "-nolisten", "tcp", "-dpi", "96", "-terminate"),
                pass_fds=(writing,),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        finally:
            os.close(writing)
            os.close(errors)
        number = await self._number(reading)
        await asyncio.to_thread(write_authority, key, number, cookie)
        self.display = Display(name=f":{number}", authority=key, private=True)
        return self.display

    async def _number(self, reading: int) -> str:
        """The number of the display. Xvfb writes it, and then the line's end: it must be read to there."""
        loop = asyncio.get_running_loop()
        stream = asyncio.StreamReader()
        with os.fdopen(reading, "rb") as pipe:
            transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
            try:
                async with time_limit(START_SECONDS):
                    line = await stream.readline()
            except TimeoutError:
                line = b""
            finally:
                transport.close()
        if not line.endswith(b"\n"):
            told = f"Xvfb did not start: {await self._last_words()}"
            died = not line and await self._was_killed()
            raise DiedAtStart(told, DIED_HINT) if died else EnvironmentDown(told, XVFB_HINT)
        return line.decode().strip()

    async def _was_killed(self) -> bool:
        """By a signal: one that leaves by itself has a reason, and would have it again."""
        assert self._process is not None
        try:
            async with time_limit(END_SECONDS):
                return await self._process.wait() < 0
        except TimeoutError:
            return False

    async def _last_words(self) -> str:
        text = await asyncio.to_thread(self._log.read_text, "utf-8", "replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        telling = [line for line in lines if "rror" in line or "annot" in line]
        return (telling or lines or [f"no display within {START_SECONDS:g} s"])[0][:300]

    async def close(self) -> None:
        """Let it end by itself, as it does without windows, or end it; idempotent, takes bounded time."""
        process, self._process = self._process, None
        if process is None:
            return
        for end in (process.terminate, process.kill):
            try:
                async with time_limit(END_SECONDS):
                    await process.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    end()
            else:
                return
        await process.wait()


def xvfb() -> str:
    """Path of the program. Raises `EnvironmentDown` where it is not installed."""
    if sys.platform == "darwin":
        raise EnvironmentDown("real mouse and keyboard need an X display", MACOS_HINT)
    program = shutil.which("Xvfb")
    if program is None:
        raise EnvironmentDown("Xvfb, the private display for real mouse and keyboard, is not here", XVFB_HINT)
    return program


def existing(name: str, folder: Path) -> Display:
    """A display that is there already; without any authority file an empty one, which python-xlib wants."""
    authority = Path(os.environ.get("XAUTHORITY") or Path.home() / ".Xauthority")
    if not authority.is_file():
        authority = folder / "display.key"
        authority.touch(mode=0o600)
    return Display(name=name, authority=authority, private=False)


@contextlib.contextmanager
def taken(display: Display) -> Iterator[None]:
    """Hold a display that has one pointer for one browser. Raises `EnvironmentDown` while another does."""
    name = f"webbench-display-{os.getuid()}-{re.sub(r'[^A-Za-z0-9.]', '_', display.name)}"
    lock = os.open(Path(tempfile.gettempdir()) / name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        told = f"another episode has the mouse and keyboard of the display {display.name}"
        raise EnvironmentDown(
            told, "wait for it, or leave browser.display empty for a private one"
        ) from error
    try:
        yield
    finally:
        os.close(lock)


def write_authority(path: Path, number: str, cookie: bytes) -> None:
    """An X authority file for a display of this machine ("" = of any number).

    Entries are family, address, number, name and key, each but the first counted, big-endian (Xau(3)).
    The C library takes the wildcard entry, whatever this machine is called; python-xlib wants its name.
    """
    entries = b"".join(
        struct.pack(">H", family) + b"".join(struct.pack(">H", len(part)) + part for part in parts)
        for family, *parts in (
            (FAMILY_LOCAL, socket.gethostname().encode(), number.encode(), COOKIE, cookie),
            (FAMILY_WILD, b"", number.encode(), COOKIE, cookie),
        )
    )
    fresh = path.with_suffix(".new")
    fresh.touch(mode=0o600)
    fresh.write_bytes(entries)
    fresh.rename(path)
