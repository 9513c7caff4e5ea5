"""The engine as a process: an episode over the pipe, resumption, no orphans."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from tests.core.engine.processes import alive, descendants, gone
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.engine import catalogue
from webbench.core.engine.process import client as client_module
from webbench.core.engine.process.client import EngineClient
from webbench.core.engine.process.engine_options import HostOptions
from webbench.core.engine.wire import messages
from webbench.core.errors import EnvironmentDown
from webbench.core.score.score import Status
from webbench.core.store.store import Store
from webbench.core.trajectory import Step

pytestmark = pytest.mark.browser

E = TypeVar("E")
TASK = catalogue.read_task("demo", "price-of-lantern", 0).task


class Conversation:
    """A client with its events collected, and waiting for one of a kind."""

    def __init__(self, client: EngineClient) -> None:
        self.client = client
        self.events: list[messages.Event] = []
        self._arrived = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for event in self.client.events():
            self.events.append(event)
            self._arrived.set()

    async def wait(self, kind: type[E], start: int = 0) -> E:
        async with asyncio.timeout(60):
            while True:
                for event in self.events[start:]:
                    if isinstance(event, kind):
                        return event
                self._arrived.clear()
                await self._arrived.wait()

    async def recorded(self, index: int) -> Step:
        """The step of this number, as it was recorded."""
        seen = 0
        while True:
            event = await self.wait(messages.StepRecorded, seen)
            if event.step.index == index:
                return event.step
            seen = self.events.index(event) + 1


@asynccontextmanager
async def conversation(store: Path) -> AsyncIterator[Conversation]:
    client = EngineClient(HostOptions(store=str(store)), store.parent / "engine.log")
    await client.start()
    try:
        yield Conversation(client)
    finally:
        await client.close()


async def test_a_log_that_has_grown_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LARGEST_LOG", 10)
    log = tmp_path / "engine.log"
    for text in ("an older log", "an old log"):
        log.write_text(text + " of an engine")
        async with conversation(tmp_path / "store"):
            pass
    assert (tmp_path / "engine.log.old").read_text() == "an old log of an engine"
    assert "old" not in log.read_text()


async def test_an_episode_over_the_pipe(tmp_path: Path) -> None:
    async with conversation(tmp_path / "store") as talk:
        await talk.client.send(messages.StartEpisode(benchmark="demo", task=TASK))
        started = await talk.wait(messages.EpisodeStarted)
        observed = await talk.wait(messages.Observed)
        assert observed.observation.condition == "ok"
        assert any(node.role == "link" for node in observed.observation.nodes)
        picture = await talk.wait(messages.Pictured)
        assert picture.width == 1280

        await talk.client.send(messages.SendAction(text="clik [1]"))
        refused = await talk.wait(messages.ActionRefused)
        assert "click" in refused.nearest

        await talk.client.send(messages.SendAction(text="stop [$74.50]"))
        ended = await talk.wait(messages.EpisodeEnded)
        assert ended.header.score is not None
        assert ended.header.score.status is Status.SCORED

    trajectory = Store(tmp_path / "store").load(started.header.episode)
    assert [step.text for step in trajectory.steps] == ["", "stop [$74.50]"]
    assert trajectory.header.end_reason == "the actor stopped"


@pytest.mark.thorough
async def test_nothing_outlives_a_closed_engine(tmp_path: Path) -> None:
    async with conversation(tmp_path / "store") as talk:
        await talk.client.send(messages.StartEpisode(benchmark="demo", task=TASK))
        await talk.wait(messages.Observed)
        assert talk.client.pid is not None
        family = descendants(talk.client.pid) | {talk.client.pid}
        assert len(family) > 3
    assert await gone(family)


async def test_nothing_outlives_a_killed_engine(tmp_path: Path) -> None:
    async with conversation(tmp_path / "store") as talk:
        await talk.client.send(messages.StartEpisode(benchmark="demo", task=TASK))
        await talk.wait(messages.Observed)
        assert talk.client.pid is not None
        family = descendants(talk.client.pid)
        os.kill(talk.client.pid, signal.SIGKILL)
        assert await gone(family)
        while talk.client.running:
            await asyncio.sleep(0.05)
        with pytest.raises(EnvironmentDown, match="engine"):
            await talk.client.send(messages.WarmUp())


PARENT = """
import asyncio, sys
from pathlib import Path
from typing import TypeVar
from webbench.core.engine import catalogue
from webbench.core.engine.wire import messages
from webbench.core.engine.process.client import EngineClient
from webbench.core.engine.process.engine_options import HostOptions

async def main():
    store = Path(sys.argv[1])
    client = EngineClient(HostOptions(store=str(store)), store.parent / "engine.log")
    await client.start()
    task = catalogue.read_task("demo", "price-of-lantern", 0).task
    await client.send(messages.StartEpisode(benchmark="demo", task=task))
    async for event in client.events():
        if isinstance(event, messages.Pictured):
            print("ready", flush=True)

asyncio.run(main())
"""


async def test_nothing_outlives_a_killed_screen(tmp_path: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, str(tmp_path / "store"), stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    async with asyncio.timeout(60):
        assert (await parent.stdout.readline()).strip() == b"ready"
    family = descendants(parent.pid)
    assert len(family) > 3
    parent.kill()
    await parent.wait()
    assert await gone(family), [pid for pid in family if alive(pid)]


@pytest.mark.thorough
async def test_an_interrupted_episode_is_resumed_from_its_record(tmp_path: Path) -> None:
    async with conversation(tmp_path / "store") as talk:
        await talk.client.send(messages.StartEpisode(benchmark="demo", task=TASK))
        first = await talk.wait(messages.EpisodeStarted)
        observed = await talk.wait(messages.Observed)
        link = next(node for node in observed.observation.nodes if node.name == "Orders")
        await talk.client.send(messages.SendAction(text=f"click [{link.id}]"))
        await talk.recorded(1)
        assert talk.client.pid is not None
        os.kill(talk.client.pid, signal.SIGKILL)

    async with conversation(tmp_path / "store") as talk:
        intent = messages.StartEpisode(benchmark="demo", task=TASK, resume=first.header.episode)
        await talk.client.send(intent)
        again = await talk.wait(messages.EpisodeStarted)
        assert again.header.resumed_from == first.header.episode
        repeated = await talk.recorded(1)
        assert repeated.ok
        assert repeated.matched_by


async def test_a_login_at_a_browsers_address_is_on_no_command_line(tmp_path: Path) -> None:
    browser = LaunchOptions(endpoint="http://me:key-of-mine@127.0.0.1:9")
    client = EngineClient(HostOptions(store=str(tmp_path), browser=browser), tmp_path / "log")
    await client.start()
    try:
        command = Path(f"/proc/{client.pid}/cmdline")
        async with asyncio.timeout(20):
            while b"webbench.core.engine.process.host" not in command.read_bytes():
                await asyncio.sleep(0.01)  # it is empty for a moment while the program begins
        assert b"key-of-mine" not in command.read_bytes()
        await client.send(messages.Shutdown())
        assert [event async for event in client.events()] == []
    finally:
        await client.close()
    assert (tmp_path / "log").read_text() == ""
