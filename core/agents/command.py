"""The agent that is any program: one observation per line in, one action per line out.

The protocol is documented in `docs/command-agents.md`. The program runs in a process group of its own,
without a shell unless asked for one; what it writes to stderr is kept for the error message.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shlex
import shutil
import signal
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from webbench.core import registry
from webbench.core.agents.command_answers import read_answer
from webbench.core.agents.contract import AgentRequest, AgentView, Proposal
from webbench.core.errors import AgentFailed, UsageError, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.plain_text import plain_clip, plain_text

PROTOCOL = 1
LONGEST_LINE = 4 * 1024 * 1024
"""Bytes of one answer; a longer one is an error."""

_STDERR_LINES = 20
_GRACE_SECONDS = 2.0
_INTERRUPTED_SECONDS = 1.0
_PARTS = ("both", "text", "nodes")


class CommandOptions(msgspec.Struct, frozen=True):
    """What stands after "command": flags, then the program with its arguments."""

    program: tuple[str, ...]
    timeout: float = 120.0
    """Seconds for one answer."""
    shell: bool = False
    observation: str = "both"
    screenshot: bool = False


class CommandAgent:
    """Starts the program at the first step; see the module."""

    name = "command"

    def __init__(self, request: AgentRequest, options: CommandOptions) -> None:
        self._request = request
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._drain: asyncio.Task[None] | None = None
        self._owed = 0

    async def propose(self, view: AgentView) -> Proposal:
        """The program's answer to this view.

        Raises `AgentFailed` where the program can't be started, ends, is silent for too long, or sends
        an endless line; it is ended then, and started anew when asked again. An answer that is no action
        is passed on: the dialect says what is wrong with it. Where the wait for an answer is cancelled, so is
        the program's work: see `_interrupt`.
        """
        try:
            process = self._process or await self._start(view)
            await self._send(process, observation_line(view, self._options))
            self._owed += 1
            line = ""
            while self._owed:
                line = await self._receive(process)
                self._owed -= 1
        except AgentFailed:
            await self.close()
            raise
        except asyncio.CancelledError:
            await self._interrupt()
            raise
        return read_answer(line)

    async def _interrupt(self) -> None:
        """Nobody waits for its answer: SIGINT; a program that gives none soon after is ended."""
        process = self._process
        if process is None or not self._owed:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGINT)
        try:
            async with asyncio.timeout(_INTERRUPTED_SECONDS):
                while self._owed:
                    await self._receive(process)
                    self._owed -= 1
        except (TimeoutError, AgentFailed):
            await self.close()

    async def close(self) -> None:
        """Say goodbye, wait two seconds, then end the whole process group."""
        process, self._process = self._process, None
        self._owed = 0
        if process is None:
            return
        if process.returncode is None and process.stdin:
            with suppress(OSError):
                process.stdin.write(b'{"type": "bye"}\n')
                process.stdin.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _GRACE_SECONDS)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(TimeoutError):
            await asyncio.wait_for(_finish(process), _GRACE_SECONDS)
        if self._drain:
            self._drain.cancel()

    async def _start(self, view: AgentView) -> asyncio.subprocess.Process:
        program = self._options.program
        words = ["/bin/sh", "-c", " ".join(program)] if self._options.shell else list(program)
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise AgentFailed(f"{self._called()} can't be started: {error}", "is it executable?") from error
        self._process = process
        self._drain = asyncio.create_task(self._keep_stderr(process))
        await self._send(process, self._hello(view))
        return process

    async def _keep_stderr(self, process: asyncio.subprocess.Process) -> None:
        stream = process.stderr
        while stream and (chunk := await stream.read(65536)):
            for line in chunk.decode(errors="replace").splitlines():
                self._stderr.append(plain_text(line, limit=500))

    def _hello(self, view: AgentView) -> JsonObject:
        task = view.task
        try:
            verbs = [msgspec.to_builtins(verb) for verb in registry.dialect(view.dialect).verbs()]
        except WebbenchError:
            verbs = []
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "seed": self._request.seed,
            "dialect": view.dialect,
            "verbs": verbs,
            "task": {
                "benchmark": task.benchmark,
                "id": task.id,
                "intent": task.intent,
                "site": task.site,
                "kind": task.kind,
            },
        }

    async def _send(self, process: asyncio.subprocess.Process, message: JsonObject) -> None:
        if process.stdin is None:
            return
        process.stdin.write(json.dumps(message).encode() + b"\n")
        with suppress(BrokenPipeError, ConnectionResetError, TimeoutError):
            await asyncio.wait_for(process.stdin.drain(), self._options.timeout)

    async def _receive(self, process: asyncio.subprocess.Process) -> str:
        """The next line that isn't blank."""
        try:
            async with asyncio.timeout(self._options.timeout):
                while process.stdout:
                    line = await process.stdout.readline()
                    if not line:
                        break
                    if line.strip():
                        return line.decode(errors="replace").rstrip("\r\n")
        except TimeoutError:
            raise self._failure(f"gave no answer within {self._options.timeout:g} s") from None
        except ValueError:
            raise self._failure(f"sent a line of more than {LONGEST_LINE:,} bytes") from None
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE_SECONDS)
            if self._drain:
                await asyncio.wait_for(asyncio.shield(self._drain), _GRACE_SECONDS)
        code = process.returncode
        raise self._failure("closed its output" if code is None else f"ended with exit code {code}")

    def _failure(self, what: str) -> AgentFailed:
        said = " | ".join(self._stderr)
        hint = f"it said: {said}" if said else "it wrote nothing to stderr"
        return AgentFailed(f"{self._called()} {what}", hint)

    def _called(self) -> str:
        return f'The agent "{plain_clip(shlex.join(self._options.program), 80)}"'


async def _finish(process: asyncio.subprocess.Process) -> None:
    """Read what is left, without which a paused pipe would keep `wait` from ending."""
    while process.stdout and await process.stdout.read(65536):
        pass
    await process.wait()


def observation_line(view: AgentView, options: CommandOptions) -> JsonObject:
    line: JsonObject = {
        "type": "observation",
        "step": view.step,
        "url": view.observation.url,
        "title": view.observation.title,
        "condition": view.observation.condition,
        "problem": view.observation.problem,
        "dialog": msgspec.to_builtins(view.observation.dialog),
        "last_action": view.last_action,
        "last_error": view.last_error,
        "last_output": view.last_output,
        "rejected": view.rejected,
        "memory": list(view.memory),
    }
    if options.observation != "nodes":
        line["text"] = _rendered(view)
    if options.observation != "text":
        line["observation"] = msgspec.to_builtins(view.observation)
        line["observation"].pop("relevant_html")
    if view.observation.relevant_html:
        line["relevant_html"] = view.observation.relevant_html
    if options.screenshot and view.screenshot:
        shown: JsonObject = {
            name: getattr(view.screenshot, name) for name in ("format", "width", "height", "scale")
        }
        line["screenshot"] = {**shown, "base64": base64.b64encode(view.screenshot.data).decode()}
    return line


def _rendered(view: AgentView) -> str:
    try:
        return registry.dialect(view.dialect).render(view.observation)
    except WebbenchError:
        return ""


def read_command(words: Sequence[str]) -> CommandOptions:
    """Flags, then the program. Raises `UsageError` for a bad flag or a program that isn't there."""
    rest = deque(words)
    flags: JsonObject = {}
    while rest and rest[0].startswith("--"):
        flag = rest.popleft()
        if flag == "--":
            break
        if flag in ("--shell", "--screenshot"):
            flags[flag[2:]] = True
        elif flag in ("--timeout", "--observation") and rest:
            flags[flag[2:]] = rest.popleft()
        else:
            raise UsageError(
                f'The agent "command" has no flag "{plain_clip(flag, 40)}"',
                "flags: --timeout SECONDS --observation both|text|nodes --screenshot --shell",
            )
    if not rest:
        raise UsageError('The agent "command" needs a program', 'write: "command ./agent.py --its-own-flags"')
    if "timeout" in flags:
        flags["timeout"] = _seconds(flags["timeout"])
    if flags.get("observation", "both") not in _PARTS:
        raise UsageError(f"--observation is one of {', '.join(_PARTS)}")
    options = CommandOptions(program=tuple(rest), **flags)
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
