"""`attach` without a screen: what happens in a running episode, a line each; with actions from stdin."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from webbench.core.engine import messages
from webbench.core.engine.attachment import Attachment
from webbench.core.errors import UsageError
from webbench.core.runner.status import run_status
from webbench.core.score import Status
from webbench.core.store.store import Store
from webbench.tui.headless.lines import stdin_lines
from webbench.tui.headless.output import flush, print_json_line, print_text, say
from webbench.tui.headless.place import find_episode, open_store

SCHEMA_VERSION = 1
TOLD = messages.EpisodeStarted | messages.StepRecorded | messages.AgentChanged | messages.EpisodeEnded
"""Events of the answer; pages and pictures are in the store."""


def running_episode(store: Store, name: str) -> Path:
    """The folder of an episode by its name, or of the only one that a run is playing.

    Raises `UsageError` where no episode, or more than one, answers to the name.
    """
    if not (store.root / name / "run.json").is_file():
        return find_episode(store, name)
    running = run_status(store.root, name).running
    if len(running) == 1:
        return store.root / name / running[0].episode
    if not running:
        raise UsageError(
            f"the run {name} is playing no episode now", "`webbench-tui show RUN` lists what it has"
        )
    several = ", ".join(one.episode for one in running[:5])
    raise UsageError(f"the run {name} is playing {len(running)} episodes: {several}", "name one of them")


def attach(name: str, *, take_over: bool, store: Path | None, as_json: bool) -> int:
    """Tell what happens until the episode ends; 0 when it has a score then, 1 when it has none.

    Raises:
        UsageError: no such episode.
        EnvironmentDown: it is to be taken over, and its runner can't be reached.
    """
    opened = open_store(store)
    folder = running_episode(opened, name)
    return asyncio.run(_Onlooker(opened, folder, as_json).look_on(take_over=take_over))


class _Onlooker:
    """Prints what an attachment tells."""

    def __init__(self, store: Store, folder: Path, as_json: bool) -> None:
        self._attachment = Attachment(store, folder.parent.name, folder.name)
        self._as_json = as_json
        self._status: Status | None = None

    async def look_on(self, *, take_over: bool) -> int:
        """Until the episode ends; whatever happens here, it is handed back."""
        running = asyncio.create_task(self._attachment.run(self._tell))
        try:
            if take_over:
                await self._attachment.require()
                await self._act(running)
            await running
        finally:
            await self._attachment.close()
            running.cancel()
        return 0 if self._status is Status.SCORED else 1

    async def _act(self, running: asyncio.Task[None]) -> None:
        """Send lines as actions until there are no more, or the episode has ended."""
        sending = asyncio.create_task(self._send_lines())
        await asyncio.wait([sending, running], return_when=asyncio.FIRST_COMPLETED)
        sending.cancel()
        await self._attachment.hand_back()

    async def _send_lines(self) -> None:
        async for line in stdin_lines():
            if text := line.strip():
                await self._attachment.send(messages.SendAction(text=text, actor="operator"))

    def _tell(self, event: messages.Event) -> None:
        if isinstance(event, messages.EpisodeEnded):
            self._status = event.header.score.status if event.header.score is not None else None
        if isinstance(event, messages.Trouble):
            say(f"{event.message} ({event.hint})" if event.hint else event.message)
        elif isinstance(event, messages.ActionRefused):
            say(f"no action: {event.reason}; try {event.nearest}")
        elif not isinstance(event, TOLD):
            return
        elif self._as_json:
            print_json_line({"schema_version": SCHEMA_VERSION} | msgspec.to_builtins(event))
        else:
            print_text(_words(event))
        flush()


def _words(event: TOLD) -> str:
    match event:
        case messages.EpisodeStarted(header=header):
            return f"task: {header.task.benchmark} {header.task.id}\nintent: {header.task.intent}"
        case messages.AgentChanged(name=name, running=running):
            return f"— {name} {'acts' if running else 'waits'}"
        case messages.StepRecorded(step=step):
            told = step.note or step.text or "start"
            error = f"\n! {step.error}" if step.error else ""
            return f"— step {step.index} {step.actor}: {told}{error}\n  {step.url}".rstrip()
        case messages.EpisodeEnded(header=header):
            score = header.score.headline() if header.score is not None else "none"
            return f"ended: {header.end_reason}\nscore: {score}"
