"""This program's own commands, called from its screens: their JSON, or why not in their own words."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from webbench.core.errors import WebbenchError
from webbench.core.own_python import child_environment, module_command

Answer = TypeVar("Answer")


class Refused(WebbenchError):
    """The command could not do it."""

    def __init__(self, message: str, hint: str, exit_code: int) -> None:
        super().__init__(message, hint)
        self.exit_code = exit_code


def own_command(words: Sequence[str]) -> list[str]:
    """This program with these words, whatever is called `webbench-tui` on the path."""
    return module_command("webbench.tui", *words)


async def answer(words: Sequence[str], store: Path, kind: type[Answer]) -> Answer:
    """What `webbench-tui WORDS --json` prints about this store; whoever stops waiting ends it.

    Raises `Refused` where it prints no such JSON.
    """
    process = await asyncio.create_subprocess_exec(
        *own_command([*words, "--store", str(store), "--json"]),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=child_environment(),
        start_new_session=True,
    )
    try:
        printed, said = await process.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        raise
    if process.returncode in (0, 1):
        with contextlib.suppress(msgspec.DecodeError):
            return msgspec.json.decode(printed, type=kind)
    raise refusal(said.decode(errors="replace"), process.returncode or 1)


def refusal(said: str, code: int, most: int = 12) -> Refused:
    """What a command said last on stderr."""
    lines = [line.strip() for line in said.splitlines() if line.strip()][-most:]
    message, *hints = lines or [f"its process ended with code {code} and said nothing"]
    return Refused(message.removeprefix("webbench-tui: "), "\n".join(hints), code if code > 0 else 1)
