"""The line to a real engine: killed in the middle of an episode, it comes back with the same steps."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from webbench.core.browser.launch import LaunchOptions
from webbench.core.engine import catalogue
from webbench.core.engine.process.engine_options import HostOptions
from webbench.core.engine.wire import messages
from webbench.core.episode.events import EventBase
from webbench.tui.engine_link import EngineLink

pytestmark = pytest.mark.browser


class Listener:
    """Keeps what the link posts and lets a test wait for the next event of a kind."""

    def __init__(self) -> None:
        self.events: list[messages.Event] = []
        self._seen = 0
        self._more = asyncio.Event()

    def post(self, event: messages.Event) -> None:
        self.events.append(event)
        self._more.set()

    async def next(self, kind: type[EventBase], **wanted: object) -> messages.Event:
        """The next event of this kind whose attributes are as wanted; those before it are passed over."""
        async with asyncio.timeout(60):
            while True:
                while self._seen < len(self.events):
                    event = self.events[self._seen]
                    self._seen += 1
                    if isinstance(event, kind) and all(getattr(event, k) == v for k, v in wanted.items()):
                        return event
                self._more.clear()
                await self._more.wait()


@asynccontextmanager
async def linked(store: Path) -> AsyncIterator[tuple[EngineLink, Listener]]:
    options = HostOptions(store=str(store), browser=LaunchOptions())
    link, listener = EngineLink(lambda: options, store / "engine.log"), Listener()
    running = asyncio.create_task(link.run(listener.post))
    try:
        yield link, listener
    finally:
        await link.close()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def step(link: EngineLink, listener: Listener, text: str) -> messages.StepRecorded:
    await link.send(messages.SendAction(text=text))
    recorded = await listener.next(messages.StepRecorded)
    assert isinstance(recorded, messages.StepRecorded)
    return recorded


async def test_a_killed_engine_is_restarted_and_the_episode_resumed(tmp_path: Path) -> None:
    task = catalogue.read_task("demo", "open-product", 0).task
    async with linked(tmp_path) as (link, listener):
        await link.send(messages.StartEpisode(benchmark="demo", task=task))
        first = await listener.next(messages.StepRecorded)
        assert isinstance(first, messages.StepRecorded)
        await step(link, listener, "scroll [down]")
        assert link.pid is not None
        killed = link.pid
        os.kill(killed, signal.SIGKILL)
        trouble = await listener.next(messages.Trouble)
        assert isinstance(trouble, messages.Trouble)
        assert "ended unexpectedly" in trouble.message
        started = await listener.next(messages.EpisodeStarted)
        assert isinstance(started, messages.EpisodeStarted)
        assert started.header.resumed_from
        replayed = [await listener.next(messages.StepRecorded) for _ in range(2)]
        assert [one.step.text for one in replayed if isinstance(one, messages.StepRecorded)] == [
            "",
            "scroll [down]",
        ]
        assert link.pid != killed
        after = await step(link, listener, "scroll [up]")
        assert after.step.index == 2


@pytest.mark.thorough
async def test_the_agent_comes_back_paused_and_the_clock_goes_on(tmp_path: Path) -> None:
    task = catalogue.read_task("demo", "home-wishes", 0).task
    start = messages.StartEpisode(benchmark="demo", task=task)
    async with linked(tmp_path) as (link, listener):
        await link.send(start)
        await listener.next(messages.StepRecorded)
        await link.send(start)
        await listener.next(messages.EpisodeStarted)
        await listener.next(messages.StepRecorded)
        await link.send(messages.ChooseAgent(spec="oracle"))
        await listener.next(messages.AgentChanged)
        await link.send(messages.ChooseAgent(spec="nobody"))
        await listener.next(messages.Trouble)
        await asyncio.sleep(1.2)
        await link.send(messages.RunAgent())
        for _ in range(3):
            await listener.next(messages.StepRecorded)
        assert link.pid is not None
        os.kill(link.pid, signal.SIGKILL)
        started = await listener.next(messages.EpisodeStarted)
        assert isinstance(started, messages.EpisodeStarted)
        assert started.header.elapsed_before > 1.2
        assert started.header.actor == "oracle"
        agent = await listener.next(messages.AgentChanged)
        assert isinstance(agent, messages.AgentChanged)
        assert (agent.name, agent.running, agent.spec) == ("oracle", False, "oracle")
        replayed = await listener.next(messages.Replayed)
        assert isinstance(replayed, messages.Replayed)
        assert (replayed.steps >= 3, replayed.failed, replayed.unreached) == (True, 0, 0)
        await link.send(messages.RunAgent(steps=1))
        await listener.next(messages.StepRecorded)


@pytest.mark.thorough
async def test_what_is_sent_while_the_engine_is_down_waits_for_the_resumed_episode(tmp_path: Path) -> None:
    task = catalogue.read_task("demo", "open-product", 0).task
    async with linked(tmp_path) as (link, listener):
        await link.send(messages.StartEpisode(benchmark="demo", task=task))
        await listener.next(messages.StepRecorded)
        assert link.pid is not None
        os.kill(link.pid, signal.SIGKILL)
        await listener.next(messages.Trouble)
        await link.send(messages.SendAction(text="scroll [down]"))
        await listener.next(messages.EpisodeStarted)
        await listener.next(messages.StepRecorded)
        acted = await listener.next(messages.StepRecorded)
        assert isinstance(acted, messages.StepRecorded)
        assert acted.step.text == "scroll [down]"


async def test_closing_leaves_no_process(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, listener):
        await listener.next(messages.Progress, stage="idle")
        pid = link.pid
        assert pid is not None
    assert not Path(f"/proc/{pid}").exists()
