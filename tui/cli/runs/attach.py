"""`attach` without a screen: what happens in a running episode, a line each; with actions from stdin."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.engine.door.attachment import Attachment
from webbench.core.engine.wire import messages
from webbench.core.errors import UsageError
from webbench.core.runner.status.run_status import run_status
from webbench.core.score.score import Status
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.called_runs import runs_meant
from webbench.core.store.store import Store
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import flush, print_json_line, print_text, say
from webbench.tui.cli.place import find_episode, open_store
from webbench.tui.cli.stdin_lines import stdin_lines
from webbench.tui.terminal import at_terminal

SCHEMA_VERSION = 1
TOLD = messages.EpisodeStarted | messages.StepRecorded | messages.AgentChanged | messages.EpisodeEnded
"""Events of the answer; pages and pictures are in the store."""


def attach_command(
    name: Annotated[
        str, typer.Argument(help="Episode that is being played, or a run that is playing just one.")
    ],
    take_over: Annotated[
        bool,
        typer.Option(
            "--take-over", help="Stop the agent and send lines of stdin as actions, without a screen."
        ),
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Look on at an episode of a running batch in the stepper, and take it over there if need be.

    Looking on reads the store and works from any machine that has it. Taking over stops the agent after the
    step in flight, on the machine that plays the episode; leaving hands it back. Without a terminal every
    step is told in a line; with --take-over lines of stdin are actions, and their end hands back.

    Exit 0 when the episode ended with a score, 1 without one, 2 for an unknown episode, 3 when it can't be
    taken over from here.
    """
    from webbench.tui.cli.place import open_store

    if as_json or take_over or not at_terminal():
        raise typer.Exit(attach(name, take_over=take_over, store=store, as_json=as_json))
    open_attached(running_episode(open_store(store), name))


def running_episode(store: Store, name: str) -> Path:
    """The folder of an episode by its name, or of the only one that a run is playing.

    Raises `UsageError` where no episode, or more than one, answers to the name.
    """
    runs = runs_meant(store, name)
    if len(runs) != 1:
        return find_episode(store, name)
    running = run_status(store.root, runs[0]).running
    if len(running) == 1:
        return store.root / runs[0] / running[0].episode
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


def open_attached(folder: Path) -> None:
    """An episode that is being played elsewhere. Raises `BadData` for one that can't be read."""
    from webbench.core.store.records.reader import read_header
    from webbench.tui.cli.opening_screens import run_screens
    from webbench.tui.opening import Opening

    read_header(folder)
    run_screens(Opening(store=folder.parent.parent, attached=folder), load_settings())


class _Onlooker:
    """Prints what an attachment tells."""

    def __init__(self, store: Store, folder: Path, as_json: bool) -> None:
        self._attachment = Attachment(store, folder.parent.name, folder.name)
        self._as_json = as_json
        self._status: Status | None = None

    async def look_on(self, *, take_over: bool) -> int:
        """Until the episode ends; whatever happens here, it is handed back."""
        running = asyncio.create_task(self._attachment.run(self._say_event))
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

    def _say_event(self, event: messages.Event) -> None:
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
            print_text(_event_words(event))
        flush()


def _event_words(event: TOLD) -> str:
    match event:
        case messages.EpisodeStarted(header=header):
            return header.task.heading
        case messages.AgentChanged(name=name, running=running):
            return f"— {name} {'acts' if running else 'waits'}"
        case messages.StepRecorded(step=step):
            told = step.note or step.text or "start"
            error = f"\n! {step.error}" if step.error else ""
            return f"— step {step.index} {step.actor}: {told}{error}\n  {step.url}".rstrip()
        case messages.EpisodeEnded(header=header):
            score = header.score.headline() if header.score is not None else "none"
            return f"ended: {header.end_reason}\nscore: {score}"
