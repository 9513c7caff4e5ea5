"""Turkle server: a private one in a temporary folder, on the loopback interface, for as long as it is needed.

It runs with packages of its own (`turkle` brings Django), in a process that ends with us, also after
`kill -9`; its database is a file of the folder, and read here.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from webbench.benchmarks.turkingbench.turkle import django_site
from webbench.core.agents.command.output import LineTooLong, OutputLines
from webbench.core.browser.starting.keeper import Keeper, kept_process
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.own_python import INTERPRETER, child_environment
from webbench.core.text.bounded_json import decode
from webbench.core.text.plain_text import plain_clip, plain_text

PACKAGE = "turkle==3.1.0"
"""The release that this was made for."""

USER = "worker"
START_SECONDS = 120.0
"""Its database is made anew, which takes some seconds of an idle machine."""

TASK_SECONDS = 30.0
NEEDED = ("PATH", "LANG", "LC_ALL", "HOME")
"""All that its process is given of our environment, in which there may be keys."""

LONGEST_LINE = 1_000_000
STDERR_LINES = 20
INSTALL = (
    f"python -m venv turkle-env && turkle-env/bin/pip install {PACKAGE}, then --python turkle-env/bin/python"
)


class TurkleServer:
    """Made by `running`.

    Attributes:
        origin: "http://127.0.0.1:PORT".
        password: of `USER`, who is the only one.
        version: of Turkle.
    """

    def __init__(self, process: asyncio.subprocess.Process, keeper: Keeper) -> None:
        assert process.stdout is not None
        self.origin = self.version = ""
        self.password = secrets.token_urlsafe(16)
        self._process = process
        self._keeper = keeper
        self._output = OutputLines(process.stdout, LONGEST_LINE)
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._drain = asyncio.create_task(self._keep_stderr())

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, python: str = "") -> AsyncIterator[TurkleServer]:
        """A server while the context lasts.

        Args:
            python: the interpreter that has the package; "" is ours.

        Raises:
            UsageError: there is no such interpreter.
            EnvironmentDown: it doesn't start, as where the package is not installed.
        """
        program = interpreter(python)
        needed = {name: os.environ[name] for name in NEEDED if name in os.environ}
        process, keeper = await kept_process(
            lambda folder: (program, "-I", django_site.__file__, str(folder)),
            lambda folder: child_environment(needed, TMPDIR=str(folder)),
        )
        server = cls(process, keeper)
        try:
            begun = await server._ask({"username": USER, "password": server.password}, START_SECONDS)
            server.origin = f"http://{django_site.HOST}:{int(begun['port'])}"
            server.version = str(begun["version"])
            yield server
        finally:
            await server._close()

    async def add(self, title: str, template: str, inputs: Mapping[str, str]) -> int:
        """A batch of one row of a task; its number. Raises `BadData` where Turkle refuses it."""
        told = await self._ask({"title": title, "template": template, "inputs": dict(inputs)}, TASK_SECONDS)
        if "error" in told:
            raise BadData(f"Turkle refuses the template: {plain_clip(str(told['error']), 300)}")
        return int(told["batch"])

    def accept_address(self, batch: int) -> str:
        """Where the next task of a batch is accepted; Turkle asks for a login first."""
        return f"{self.origin}/batch/{batch}/accept_next_task/"

    def login_address(self, following: str) -> str:
        return f"{self.origin}/accounts/login/?next={following.removeprefix(self.origin)}"

    async def answers(self, batch: int) -> JsonObject | None:
        """What its database holds as the answers of a batch's only task; None until they are submitted.

        A text by name of a field, or a list of texts where several were sent. Raises `BadData`.
        """
        return await asyncio.to_thread(self._answers, batch)

    def _answers(self, batch: int) -> JsonObject | None:
        asked = (
            "SELECT answers FROM turkle_taskassignment AS one "
            "JOIN turkle_task AS task ON one.task_id = task.id WHERE one.completed AND task.batch_id = ?"
        )
        path = self._keeper.folder / "turkle.sqlite3"
        try:
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
                row = database.execute(asked, (batch,)).fetchone()
        except sqlite3.Error as error:
            raise BadData(f"Turkle's database can't be read: {error}") from error
        if row is None:
            return None
        try:
            found = json.loads(row[0])
        except ValueError as error:
            raise BadData(f"Turkle's database holds answers that can't be read: {error}") from error
        return found if isinstance(found, dict) else {}

    async def _ask(self, line: JsonObject, seconds: float) -> JsonObject:
        """Raises `EnvironmentDown` where no answer comes."""
        stdin = self._process.stdin
        with contextlib.suppress(OSError):
            if stdin is not None:
                stdin.write(json.dumps(line).encode() + b"\n")
                await stdin.drain()
        try:
            async with asyncio.timeout(seconds):
                answer = await self._output.next()
        except TimeoutError:
            raise EnvironmentDown(f"Turkle gave no answer within {seconds:g} s") from None
        except LineTooLong:
            raise EnvironmentDown("Turkle's process sent too much at once") from None
        told = decode(answer) if answer is not None else None
        if not isinstance(told, dict):
            raise await self._ended()
        return told

    async def _ended(self) -> EnvironmentDown:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._drain), 5.0)
        last = next(filter(None, map(str.strip, reversed(self._stderr))), "it said nothing")
        missing = "ModuleNotFoundError" in last
        hint = INSTALL if missing else "`--python` names another interpreter"
        return EnvironmentDown(f"Turkle's process ended: {plain_clip(last, 300)}", hint)

    async def _close(self) -> None:
        """Let it leave by itself, then end it and its folder."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._keeper.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 5.0)
        self._drain.cancel()

    async def _keep_stderr(self) -> None:
        stream = self._process.stderr
        while stream is not None and (chunk := await stream.read(65536)):
            for line in chunk.decode(errors="replace").splitlines():
                self._stderr.append(plain_text(line, limit=500))


def interpreter(python: str) -> str:
    """The path of the interpreter that was named, "" for ours. Raises `UsageError`."""
    named = str(Path(python).expanduser()) if python else INTERPRETER
    if (found := shutil.which(named)) is None:
        raise UsageError(f'There is no Python "{plain_clip(named, 80)}"', INSTALL)
    return str(Path(found).absolute())
