"""The agent that is any program: one observation per line in, one action per line out.

The protocol is documented in `docs/command-agents.md`. The program runs in a process group of its own,
without a shell unless asked for one; what it writes to stderr is kept for the error message.

Written `command [--timeout SECONDS] [--observation both|text|nodes] [--screenshot] [--shell] [--isolate]
[--env NAME] PROGRAM …`.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import signal
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec

from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.command import isolation as surroundings
from webbench.core.agents.command.answer_lines import read_answer, ready_protocol
from webbench.core.agents.command.kept_state import ProgramState, handed_on, mark_of, to_record
from webbench.core.agents.command.output import LineTooLong, OutputLines, keep_lines
from webbench.core.agents.command.protocol import PARTS, PROTOCOLS, hello_line, observation_line
from webbench.core.agents.command.reaping import Survivor
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import AgentFailed, UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.settings.load_settings import load_settings
from webbench.core.text.plain_text import plain_clip
from webbench.core.time_limit import time_limit

T = TypeVar("T")
LONGEST_LINE = 4 * 1024 * 1024
"""Bytes of one answer; a longer one is an error."""

NAME = "command"
"""Where no preset gives it another."""

_STAY = "it has to answer every observation until bye"
_STDERR_LINES = 20
_GRACE_SECONDS = 2.0
_INTERRUPTED_SECONDS = 1.0

_groups: set[int] = set()
"""Process groups of the programs that run now."""


class CommandOptions(msgspec.Struct, frozen=True):
    """What stands after "command": flags, then the program with its arguments."""

    program: tuple[str, ...]
    called: str = ""
    """What messages call it; "" for the program with its words."""
    timeout: float = 120.0
    """Seconds for one answer."""
    shell: bool = False
    observation: str = "both"
    screenshot: bool = False
    isolate: bool = False
    """It doesn't see what may hold reference answers."""
    env: tuple[str, ...] = ()
    """Variables that it is given besides those that every agent is."""
    identity: str = ""
    """What tells it from others of its name; "" for the name of its preset, or else its words."""
    keeps: type[ProgramState] = ProgramState
    """The form of what it keeps."""
    greeting: Callable[[AgentView], JsonObject] = lambda _: {}
    """What it is told besides when it is greeted."""


class CommandAgent:
    """Starts the program at the first step; see the module. A preset gives it its name."""

    def __init__(self, request: AgentRequest, options: CommandOptions) -> None:
        self.name = request.called or NAME
        identity = options.identity or ("" if self.name == NAME else self.name)
        self._mark = mark_of([identity] if identity else options.program)
        self._request = request
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self._output: OutputLines | None = None
        self._survivor: Survivor | None = None
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._drain: asyncio.Task[None] | None = None
        self._owed = 0
        self._interrupted = False
        self.reach = surroundings.ISOLATED if options.isolate else surroundings.NOT_ISOLATED

    async def propose(self, view: AgentView) -> Proposal:
        """The program's answer to this view.

        Raises `AgentFailed` where the program can't be started, ends, is silent for too long, sends an
        endless line, or says that it failed; it is ended then, and started anew when asked again. An answer
        that is no action is passed on: the dialect says what is wrong with it. Where the wait for an answer
        is cancelled, so is the program's work: see `_interrupt`. A program that had answered by then, and is
        ended by the interruption all the same, is started anew.
        """
        options = self._options
        seen = observation_line(view, parts=options.observation, screenshot=options.screenshot)
        return await self.exchange(view, seen, self._read)

    async def exchange(self, view: AgentView, message: JsonObject, read: Callable[[str], T]) -> T:
        """What `read` makes of the program's answer to a message. Raises as `propose`, and as `read` does.

        Args:
            view: that a program is greeted with, which is started where there is none.
        """
        until = asyncio.get_running_loop().time() + self._options.timeout
        try:
            process = self._process or await self._start(view, until)
            self._owed += 1
            await self._send(process, message, until)
            line = ""
            while self._owed:
                line = await self._receive(process, until)
                self._owed -= 1
            self._interrupted = False
            return read(line)
        except AgentFailed:
            too_late = (
                self._interrupted and self._process is not None and self._process.returncode is not None
            )
            await self.close()
            if not too_late:
                raise
            return await self.exchange(view, message, read)
        except asyncio.CancelledError:
            await self._interrupt()
            raise

    def _read(self, line: str) -> Proposal:
        try:
            answer = read_answer(line)
        except ValueError as error:
            raise AgentFailed(f"{self._called()} failed: {plain_clip(str(error), 500)}") from error
        return msgspec.structs.replace(answer, state=to_record(answer.state, self._mark))

    async def _interrupt(self) -> None:
        """Nobody waits for its answer: SIGINT; a program that gives none soon after is ended.

        So is one that wasn't greeted yet.
        """
        process = self._process
        if process is None or not self._owed:
            await self.close()
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGINT)
        self._interrupted = True
        until = asyncio.get_running_loop().time() + _INTERRUPTED_SECONDS
        try:
            while self._owed:
                await self._receive(process, until)
                self._owed -= 1
        except AgentFailed:
            await self.close()

    async def close(self) -> None:
        """Say goodbye, wait two seconds, then end the whole process group."""
        process, self._process = self._process, None
        self._owed, self._interrupted = 0, False
        if process is None:
            return
        if process.returncode is None and process.stdin:
            with suppress(OSError):
                process.stdin.write(b'{"type": "bye"}\n')
                process.stdin.close()
            with suppress(TimeoutError):
                async with time_limit(_GRACE_SECONDS):
                    await process.wait()
        _end_group(process.pid)
        if self._survivor is not None:
            await self._survivor.dismiss()
        with suppress(TimeoutError):
            async with time_limit(_GRACE_SECONDS):
                await _finish(process)
        if self._drain:
            self._drain.cancel()

    async def _start(self, view: AgentView, until: float) -> asyncio.subprocess.Process:
        program = self._options.program
        words = ["/bin/sh", "-c", " ".join(program)] if self._options.shell else list(program)
        if self._options.isolate:
            hidden = surroundings.with_answers(self._request.benchmark, self._request.store)
            words = await asyncio.to_thread(surroundings.isolated, words, hidden)
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=surroundings.environment((*load_settings().agent_env, *self._options.env)),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise AgentFailed(f"{self._called()} can't be started: {error}", "is it executable?") from error
        self._process = process
        self._stderr.clear()
        self._output = OutputLines(process.stdout, LONGEST_LINE) if process.stdout else None
        _groups.add(process.pid)
        self._survivor = await Survivor.beside(process.pid)
        self._drain = asyncio.create_task(keep_lines(process.stderr, self._stderr))
        place = handed_on(view, self.name, self._mark, self._options.keeps)
        greeting = hello_line(view, self._request.seed, place) | self._options.greeting(view)
        await self._send(process, greeting, until)
        return process

    async def _send(self, process: asyncio.subprocess.Process, message: JsonObject, until: float) -> None:
        if process.stdin is None:
            return
        process.stdin.write(json.dumps(message).encode() + b"\n")
        with suppress(BrokenPipeError, ConnectionResetError, TimeoutError):
            async with asyncio.timeout_at(until):  # `wait_for` may swallow a cancellation
                await process.stdin.drain()

    async def _receive(self, process: asyncio.subprocess.Process, until: float) -> str:
        """The next answer: a line that isn't blank, and doesn't only say that the program is ready."""
        try:
            async with asyncio.timeout_at(until):
                while self._output is not None and (line := await self._output.next()) is not None:
                    text = _text_of(line)
                    spoken = ready_protocol(text)
                    if spoken is not None:
                        self._agree(spoken)
                    elif text.strip():
                        return text
        except TimeoutError:
            raise self._silent(process) from None
        except LineTooLong:
            what = f"sent a line of more than {LONGEST_LINE:,} bytes"
            raise self._failure(what, "an answer is one short line: end it with a line feed") from None
        with suppress(TimeoutError):
            async with time_limit(_GRACE_SECONDS):
                await process.wait()
            if self._drain:
                async with time_limit(_GRACE_SECONDS):
                    await asyncio.shield(self._drain)
        last = _text_of(self._output.rest()) if self._output is not None else ""
        if last.strip() and not process.returncode:
            return last
        raise self._failure(ended(process.returncode) + _within(last), _STAY)

    def _silent(self, process: asyncio.subprocess.Process) -> AgentFailed:
        """Why there is no answer: none was begun, its line has no end, or only a child of it goes on."""
        begun = _text_of(self._output.begun) if self._output is not None else ""
        what = f"gave no answer within {self._options.timeout:g} s"
        if begun:
            return self._failure(what + _within(begun), "end each answer with a line feed, and flush")
        if process.returncode is not None:
            return self._failure(f"{ended(process.returncode)}, and what it had started {what}", _STAY)
        return self._failure(what, "--timeout SECONDS gives it more")

    def _agree(self, protocol: Json) -> None:
        """Raises `AgentFailed` where the program speaks a version that isn't spoken here."""
        if protocol not in PROTOCOLS:
            spoken = " and ".join(map(str, PROTOCOLS))
            told = plain_clip(str(protocol), 20)
            raise AgentFailed(
                f"{self._called()} speaks protocol {told}, and here {spoken} is spoken",
                "docs/command-agents.md describes it",
            )

    def _failure(self, what: str, advice: str) -> AgentFailed:
        said = " | ".join(self._stderr)
        told = f"it said: {said}" if said else "it wrote nothing to stderr"
        return AgentFailed(f"{self._called()} {what}", f"{told}; {advice}")

    def _called(self) -> str:
        return f'The agent "{plain_clip(self._options.called or shlex.join(self._options.program), 80)}"'


def ended(code: int | None) -> str:
    """How a program came to its end, by its exit code; None where it goes on without an output."""
    if code is None:
        return "closed its output"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def _text_of(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\r\n")


def _within(begun: str) -> str:
    """Tells of a line that has no end, if there is one."""
    return f', in the middle of the line "{plain_clip(begun, 60)}"' if begun.strip() else ""


def end_all() -> None:
    """End every program at once, for a process that leaves without a farewell."""
    for group in tuple(_groups):
        _end_group(group)


def _end_group(group: int) -> None:
    _groups.discard(group)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


async def _finish(process: asyncio.subprocess.Process) -> None:
    """Read what is left, without which a paused pipe would keep `wait` from ending."""
    while process.stdout and await process.stdout.read(65536):
        pass
    await process.wait()


def read_command(words: Sequence[str]) -> CommandOptions:
    """Flags, then the program. Raises `UsageError` for a bad flag or a program that isn't there."""
    rest = deque(words)
    flags: JsonObject = {}
    while rest and rest[0].startswith("--"):
        flag = rest.popleft()
        if flag == "--":
            break
        if flag in ("--shell", "--screenshot", "--isolate"):
            flags[flag[2:]] = True
        elif flag == "--env" and rest:
            flags["env"] = (*flags.get("env", ()), rest.popleft())
        elif flag in ("--timeout", "--observation") and rest:
            flags[flag[2:]] = rest.popleft()
        else:
            raise UsageError(
                f'The agent "command" has no flag "{plain_clip(flag, 40)}"',
                "flags: --timeout SECONDS --observation both|text|nodes --screenshot --shell --isolate "
                "--env NAME",
            )
    if not rest:
        raise UsageError('The agent "command" needs a program', 'write: "command ./agent.py --its-own-flags"')
    if "timeout" in flags:
        flags["timeout"] = _seconds(flags["timeout"])
    if flags.get("observation", "both") not in PARTS:
        raise UsageError(f"--observation is one of {', '.join(PARTS)}")
    options = CommandOptions(program=tuple(rest), **flags)
    if options.isolate:
        surroundings.require_isolation()
    if not options.shell and shutil.which(options.program[0]) is None:
        raise UsageError(
            f'The program "{plain_clip(options.program[0], 80)}" is not there or not executable',
            'for a script: chmod +x, or "command python3 script.py"',
        )
    return options


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 86_400:
        raise UsageError(f'--timeout wants seconds, but got "{plain_clip(word, 40)}"')
    return seconds


def create(request: AgentRequest) -> CommandAgent:
    """The entry point. Options: see `read_command`."""
    return CommandAgent(request, read_command(request.options))
