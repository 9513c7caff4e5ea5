"""The process of a foreign environment, as we see it: commands to it, answers from it, and its end.

It runs with packages of its own and is trusted with nothing: each answer is a line of bounded length within
bounded time, and its process group ends with us, also after `kill -9`.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import webbench.core
from webbench.core.agents.command.output import LineTooLong, OutputLines
from webbench.core.browser.starting.keeper import Keeper, kept_process
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.own_python import INTERPRETER, child_environment
from webbench.core.text.bounded_json import decode
from webbench.core.text.plain_text import plain_clip, plain_text

LONGEST_LINE = 32 * 1024 * 1024
"""Bytes of one answer: a task's pictures are in it."""

NUMBER = "number"
"""Key under which a command has its number, and the answers to it have the same."""

CLOSE_SECONDS = 10.0
"""For the task's own tidying."""

STDERR_LINES = 30
OURS = "WEBBENCH_"
PAGES = "MINIWOB_URL"
"""Where browsergym-miniwob finds its pages; the package `miniwob` has them."""

BOOT = """\
import sys
sys.path[:] = [entry for entry in sys.path if entry]
sys.path.append(sys.argv.pop(1))
from webbench.benchmarks.browsergym.foreign import environment_host
sys.path.pop()
environment_host.main()
"""
"""The working folder is off the path, where `-c` puts it. Ours is on it only until our own modules are there:
the environment finds its own packages."""


class Silent(EnvironmentDown):
    """It gave no answer, and has been ended."""


class EnvironmentProcess:
    """One process; made by `start`.

    Attributes:
        folder: its working folder, also for temporary files, with the profile of its browser. The user's own
            is none: `datasets.load_dataset(NAME)` runs the script of a folder NAME that lies there.
    """

    def __init__(self, process: asyncio.subprocess.Process, keeper: Keeper) -> None:
        assert process.stdout is not None
        self.folder = keeper.folder
        self._process = process
        self._keeper = keeper
        self._output = OutputLines(process.stdout, LONGEST_LINE)
        self._over = False
        self._asked = 0
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._drain = asyncio.create_task(self._keep_stderr())

    @classmethod
    async def start(cls, python: str) -> EnvironmentProcess:
        """Raises `EnvironmentDown` where the interpreter can't be run, `UsageError` where there is none."""
        ours = str(Path(next(iter(webbench.core.__path__))).parent.parent)
        command = (interpreter(python), "-u", "-c", BOOT, ours)
        return cls(*await kept_process(lambda _: command, partial(variables, os.environ)))

    @property
    def log(self) -> str:
        """The last lines that it wrote to stderr."""
        return "\n".join(self._stderr)

    async def ask(self, command: JsonObject, seconds: float) -> JsonObject:
        """The answer to a command. Raises `Silent` where none comes in time, or it has ended.

        Commands are numbered, so that the answer to one whose wait was cancelled answers no other.
        """
        self._asked += 1
        stdin = self._process.stdin
        with suppress(OSError):
            if stdin is not None:
                stdin.write(json.dumps({**command, NUMBER: self._asked}).encode() + b"\n")
        return await self.answer(seconds)

    async def answer(self, seconds: float) -> JsonObject:
        """The next line that answers the last command. Raises as `ask`."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    answer = await self._line()
                    if answer.pop(NUMBER, None) == self._asked:
                        return answer
        except TimeoutError:
            await self.end()
            raise Silent(f"the environment's process gave no answer within {seconds:g} s") from None
        except LineTooLong:
            await self.end()
            raise Silent(f"the environment's process sent more than {LONGEST_LINE:,} bytes at once") from None

    async def _line(self) -> JsonObject:
        """Raises `Silent` where it has ended, or sent what is no answer; `LineTooLong`."""
        line = await self._output.next()
        if line is None:
            raise await self._ended()
        try:
            answer = decode(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            await self.end()
            raise Silent("the environment's process sent what is no answer")
        return answer

    async def close(self) -> None:
        """Let it tidy up, then end it with its browser; idempotent."""
        if self._over:
            return
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.write(b'{"do": "close"}\n')
                self._process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), CLOSE_SECONDS)
        await self.end()

    async def end(self) -> None:
        """End it at once, with its browser; idempotent."""
        if self._over:
            return
        self._over = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._keeper.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), CLOSE_SECONDS)
        self._drain.cancel()

    async def _ended(self) -> Silent:
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._drain), CLOSE_SECONDS)
        last = next(filter(None, map(str.strip, reversed(self._stderr))), "it said nothing")
        return Silent(f"the environment's process ended: {plain_clip(last, 300)}")

    async def _keep_stderr(self) -> None:
        stream = self._process.stderr
        while stream is not None and (chunk := await stream.read(65536)):
            for line in chunk.decode(errors="replace").splitlines():
                self._stderr.append(plain_text(line, limit=500))


def interpreter(python: str) -> str:
    """The path of the interpreter that was named, "" for ours. Raises `UsageError`."""
    named = str(Path(python).expanduser()) if python else INTERPRETER
    if (found := shutil.which(named)) is None:
        raise UsageError(
            f'There is no Python "{plain_clip(named, 80)}"',
            "the setting browsergym.pythons names interpreters",
        )
    return str(Path(found).absolute())


def variables(given: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The environment of the process: all of ours but what is meant for webbench-tui alone.

    The packages read addresses, accounts and keys of their sites from it.
    """
    kept = {name: value for name, value in given.items() if not name.startswith(OURS)}
    spec = find_spec("miniwob") if PAGES not in kept else None
    for place in (spec.submodule_search_locations or ())[:1] if spec is not None else ():
        kept[PAGES] = f"{(Path(place) / 'html' / 'miniwob').as_uri()}/"
    return child_environment(kept, TMPDIR=str(folder), PYTHONUNBUFFERED="1")
