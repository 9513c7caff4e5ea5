"""Lines of stdin, one after the other, while an agent may be at work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine

from webbench.core.agent import Agent
from webbench.core.errors import UsageError
from webbench.tui.cli.stdin_lines import stdin_lines
from webbench.tui.cli.stepping.answers import Answers
from webbench.tui.cli.stepping.line_commands import PAUSE, PROPOSE, Sitting


async def follow_lines(sitting: Sitting, answers: Answers, agent: Agent | None = None) -> None:
    """Until the input or the episode ends; an agent that is given goes on by itself from the start."""
    lines = _Lines(stdin_lines())
    try:
        if agent is not None and not sitting.episode.ended:
            sitting.copilot.choose(agent)
            sitting.copilot.go()
            await _let_work(sitting.run(), sitting, "", lines, answers)
        while not sitting.episode.ended and (line := await lines.next()) is not None:
            await _follow(sitting, line.strip(), lines, answers)
    finally:
        await lines.close()
        await sitting.close()


class _Lines:
    """Lines that can be waited for without being taken."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines
        self._coming: asyncio.Task[str | None] | None = None

    def coming(self) -> asyncio.Task[str | None]:
        """The next line, None at the end of the input; the same one until `next` takes it."""
        if self._coming is None:
            self._coming = asyncio.create_task(self._read())
        return self._coming

    async def next(self) -> str | None:
        line = await self.coming()
        self._coming = None
        return line

    async def close(self) -> None:
        if self._coming is not None:
            self._coming.cancel()
            await asyncio.wait([self._coming])

    async def _read(self) -> str | None:
        return await anext(self._lines, None)


async def _follow(sitting: Sitting, text: str, lines: _Lines, answers: Answers) -> None:
    """Carry one line out, and let the agent go on where that is what it means."""
    if not text.startswith(":"):
        if text:
            error = await sitting.act(text)
            answers.step() if error is None else answers.refused(text, error)
        return
    if text.split()[0] == PROPOSE:
        await _let_work(sitting.command(text), sitting, text, lines, answers)
        return
    try:
        await sitting.command(text)
    except UsageError as error:
        answers.command(text, str(error))
        return
    if sitting.going:
        await _let_work(sitting.run(), sitting, text, lines, answers)
    else:
        answers.command(text)


async def _let_work(
    asked: Coroutine[None, None, None], sitting: Sitting, text: str, lines: _Lines, answers: Answers
) -> None:
    """Let the agent work; `:pause` is heard meanwhile, and every other line waits until it is done."""
    work = asyncio.create_task(asked)
    paused = False
    while not work.done():
        coming = lines.coming()
        await asyncio.wait({work} if coming.done() else {work, coming}, return_when=asyncio.FIRST_COMPLETED)
        if coming.done() and not work.done() and (coming.result() or "").strip() == PAUSE:
            await lines.next()
            sitting.copilot.interruption.request()
            paused = True
    try:
        await work
        answers.command(text)
        if paused and not sitting.episode.ended:
            await sitting.command(PAUSE)
            answers.command(PAUSE)
    except UsageError as error:
        answers.command(PAUSE if paused else text, str(error))
