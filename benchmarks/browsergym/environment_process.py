"""The process of a foreign environment, as we see it: commands to it, answers from it, and its end.

It is a foreign program: each answer is a line of bounded length, and comes within bounded time.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from webbench.core.agents.command.foreign_program import ForeignProgram, interpreter
from webbench.core.agents.command.output import LineTooLong
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.own_python import child_environment, foreign_command
from webbench.core.text.bounded_json import decode
from webbench.core.time_limit import time_limit

HOST = "webbench.benchmarks.browsergym.foreign.environment_host"
LONGEST_LINE = 32 * 1024 * 1024
"""Bytes of one answer: a task's pictures are in it."""

NUMBER = "number"
"""Key under which a command has its number, and the answers to it have the same."""

CLOSE_SECONDS = 10.0
"""For the task's own tidying."""

PYTHONS = "the setting browsergym.pythons names interpreters"
OURS = "WEBBENCH_"
PAGES = "MINIWOB_URL"
"""Where browsergym-miniwob finds its pages; the package `miniwob` has them."""


class Silent(EnvironmentDown):
    """It gave no answer, and has been ended."""


class EnvironmentProcess:
    """One process; made by `start`.

    Attributes:
        folder: its working folder, also for temporary files, with the profile of its browser. The user's own
            is none: `datasets.load_dataset(NAME)` runs the script of a folder NAME that lies there.
    """

    def __init__(self, program: ForeignProgram) -> None:
        self.folder = program.folder
        self._program = program
        self._asked = 0

    @classmethod
    async def start(cls, python: str) -> EnvironmentProcess:
        """Raises `EnvironmentDown` where the interpreter can't be run, `UsageError` where there is none."""
        command = foreign_command(interpreter(python, PYTHONS), HOST)
        variables_in = partial(variables, os.environ)
        return cls(await ForeignProgram.start(lambda _: command, variables_in, LONGEST_LINE))

    @property
    def log(self) -> str:
        """The last lines that it wrote to stderr."""
        return self._program.log

    async def ask(self, command: JsonObject, seconds: float) -> JsonObject:
        """The answer to a command. Raises `Silent` where none comes in time, or it has ended.

        Commands are numbered, so that the answer to one whose wait was cancelled answers no other.
        """
        self._asked += 1
        self._program.send({**command, NUMBER: self._asked})
        return await self.answer(seconds)

    async def answer(self, seconds: float) -> JsonObject:
        """The next line that answers the last command. Raises as `ask`."""
        try:
            async with time_limit(seconds):
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
        line = await self._program.output.next()
        if line is None:
            raise Silent(f"the environment's process ended: {await self._program.last_words()}")
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
        self._program.send({"do": "close"})
        await self._program.close(CLOSE_SECONDS)

    async def end(self) -> None:
        """End it at once, with its browser; idempotent."""
        await self._program.end()


def variables(given: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The environment of the process: all of ours but what is meant for webbench-tui alone.

    The packages read addresses, accounts and keys of their sites from it.
    """
    kept = {name: value for name, value in given.items() if not name.startswith(OURS)}
    spec = find_spec("miniwob") if PAGES not in kept else None
    for place in (spec.submodule_search_locations or ())[:1] if spec is not None else ():
        kept[PAGES] = f"{(Path(place) / 'html' / 'miniwob').as_uri()}/"
    return child_environment(kept, TMPDIR=str(folder), PYTHONUNBUFFERED="1")
