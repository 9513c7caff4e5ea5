"""Turkle server: a private one in a temporary folder, on the loopback interface, for as long as it is needed.

It is a foreign program (`turkle` brings Django); its database is a file of the folder, and read here.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import sqlite3
from collections.abc import AsyncIterator, Mapping

from webbench.benchmarks.turkingbench.turkle import django_site
from webbench.core.agents.command.foreign_program import ForeignProgram, interpreter
from webbench.core.agents.command.output import LineTooLong
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.own_python import child_environment
from webbench.core.text.bounded_json import decode
from webbench.core.text.plain_text import plain_clip
from webbench.core.time_limit import time_limit

PACKAGE = "turkle==3.1.0"
"""The release that this was made for."""

USER = "worker"
START_SECONDS = 120.0
"""Its database is made anew, which takes some seconds of an idle machine."""

TASK_SECONDS = 30.0
CLOSE_SECONDS = 1.0
NEEDED = ("PATH", "LANG", "LC_ALL", "HOME")
"""All that its process is given of our environment, in which there may be keys."""

LONGEST_LINE = 1_000_000
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

    def __init__(self, program: ForeignProgram) -> None:
        self.origin = self.version = ""
        self.password = secrets.token_urlsafe(16)
        self._program = program

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
        path = interpreter(python, INSTALL)
        needed = {name: os.environ[name] for name in NEEDED if name in os.environ}
        program = await ForeignProgram.start(
            lambda folder: (path, "-I", django_site.__file__, str(folder)),
            lambda folder: child_environment(needed, TMPDIR=str(folder)),
            LONGEST_LINE,
        )
        server = cls(program)
        try:
            begun = await server._ask({"username": USER, "password": server.password}, START_SECONDS)
            server.origin = f"http://{django_site.HOST}:{int(begun['port'])}"
            server.version = str(begun["version"])
            yield server
        finally:
            await program.close(CLOSE_SECONDS)

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
        path = self._program.folder / "turkle.sqlite3"
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
        self._program.send(line)
        try:
            async with time_limit(seconds):
                answer = await self._program.output.next()
        except TimeoutError:
            raise EnvironmentDown(f"Turkle gave no answer within {seconds:g} s") from None
        except LineTooLong:
            raise EnvironmentDown("Turkle's process sent too much at once") from None
        told = decode(answer) if answer is not None else None
        if not isinstance(told, dict):
            raise await self._ended()
        return told

    async def _ended(self) -> EnvironmentDown:
        last = await self._program.last_words()
        hint = INSTALL if "ModuleNotFoundError" in last else "`--python` names another interpreter"
        return EnvironmentDown(f"Turkle's process ended: {last}", hint)
