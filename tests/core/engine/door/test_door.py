"""Looking in on an episode that a runner plays in a real browser, taking it over, handing it back."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from webbench.core.agent import AgentView, Proposal
from webbench.core.browser.launch import Browser
from webbench.core.engine import catalogue
from webbench.core.engine.door import door, following
from webbench.core.engine.door.attachment import Attachment
from webbench.core.engine.door.door import Door
from webbench.core.engine.engine import Engine, EpisodeRequest
from webbench.core.engine.wire import messages
from webbench.core.engine.wire import socket_place as door_place
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.store.store import Store

pytestmark = pytest.mark.browser

E = TypeVar("E")
TASK = catalogue.read_task("demo", "camp-mugs", 0).task


class Scroller:
    """An agent that scrolls until it has seen enough; `views` are those it was asked with."""

    name = "scroller"

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.views: list[AgentView] = []

    async def propose(self, view: AgentView) -> Proposal:
        self.views.append(view)
        await asyncio.sleep(0.1)
        return Proposal(text="stop [seen]" if len(self.views) > self.turns else "scroll [down]")

    async def close(self) -> None:
        pass


class Onlooker:
    """An attachment with what it told."""

    def __init__(self, store: Store, episode: Episode) -> None:
        self.events: list[messages.Event] = []
        self.attachment = Attachment(store, episode.header.run, episode.header.episode)
        self.running = asyncio.create_task(self.attachment.run(self.events.append))

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def steps(self) -> list[int]:
        return [event.step.index for event in self.all(messages.StepRecorded)]

    def notes(self) -> list[str]:
        return [event.step.note for event in self.all(messages.StepRecorded) if event.step.note]

    async def until(self, kind: type[E], count: int = 1) -> E:
        async with asyncio.timeout(30):
            while len(self.all(kind)) < count:
                await asyncio.sleep(0.02)
        return self.all(kind)[-1]


@asynccontextmanager
async def played(
    folder: Path, browser: Browser, agent: Scroller, *, silence: float = door.LONGEST_SILENCE
) -> AsyncIterator[tuple[Episode, asyncio.Task[None]]]:
    """An episode as a runner plays it, begun, with the task that ends with it."""
    async with Engine(Store(folder), drain=False, browser=browser) as engine:
        run = engine.store.start_run(benchmark="demo", agent=agent.name, planned=1)
        request = EpisodeRequest(
            benchmark=catalogue.benchmark("demo", ""),
            task=TASK,
            run=run,
            actor=agent.name,
            options=EpisodeOptions(live_score=False, step_limit=60),
        )
        entrance = Door(engine, lambda _event: None, silence=silence)
        async with engine.episode(request, entrance.emit) as episode:
            await episode.start()
            async with entrance.opened(episode, agent):
                playing = asyncio.create_task(entrance.play(episode, agent))
                yield episode, playing
                await playing


async def test_a_person_looks_in_takes_over_and_hands_back(chromium: Browser, tmp_path: Path) -> None:
    agent = Scroller(turns=6)
    async with played(tmp_path, chromium, agent) as (episode, playing):
        onlooker = Onlooker(Store(tmp_path), episode)
        await onlooker.until(messages.StepRecorded, 2)
        assert onlooker.all(messages.EpisodeStarted)[0].header.task.id == TASK.id
        assert onlooker.all(messages.Pictured), "the picture is read from the record"
        await onlooker.attachment.send(messages.SendAction(text="go_back"))
        assert onlooker.all(messages.Trouble)[-1].message == "This episode is only looked at"
        assert await onlooker.attachment.take_over()
        changed = await onlooker.until(messages.AgentChanged, 2)
        assert (changed.name, changed.running) == ("scroller", False)
        asked, seconds = len(agent.views), episode.limits.time.seconds
        await onlooker.attachment.send(messages.SendAction(text="scroll [up]", actor="operator"))
        await onlooker.attachment.send(messages.ChooseAgent(spec="random"))
        told = await onlooker.until(messages.Trouble, 2)
        assert "its task and its agent stay" in told.message
        assert len(agent.views) == asked, "the agent waits"
        assert episode.limits.time.seconds == seconds, "its limit of seconds is not for the person's time"
        await onlooker.attachment.hand_back()
        await playing
        ended = await onlooker.until(messages.EpisodeEnded)
        await onlooker.running
    assert ended.header.actor == "scroller + human"
    assert onlooker.notes() == [door.TAKEN, door.DONE]
    recorded = Store(tmp_path).load(ended.header.episode)
    assert onlooker.steps() == [step.index for step in recorded.steps], "every step is told once"
    assert [step.actor for step in recorded.steps if step.text == "scroll [up]"] == ["operator"]


async def test_steps_that_were_recorded_since_the_last_look_are_told_at_the_door(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "POLL_SECONDS", 60.0)
    agent = Scroller(turns=3)
    async with played(tmp_path, chromium, agent) as (episode, playing):
        onlooker = Onlooker(Store(tmp_path), episode)
        await onlooker.until(messages.EpisodeStarted)
        looked = len(onlooker.steps())
        while len(episode.steps) < looked + 2:
            await asyncio.sleep(0.02)
        assert await onlooker.attachment.take_over()
        while door.TAKEN not in onlooker.notes():
            await asyncio.sleep(0.02)
        assert onlooker.steps() == [step.index for step in episode.steps]
        await onlooker.attachment.close()
        await playing


async def test_the_agent_goes_on_when_the_persons_program_dies(chromium: Browser, tmp_path: Path) -> None:
    agent = Scroller(turns=3)
    async with played(tmp_path, chromium, agent) as (episode, playing):
        path = door_place.door_path(tmp_path / episode.header.run, episode.header.episode)
        assert stat.S_IMODE(os.stat(path.parent).st_mode) == 0o700
        connected = door_place.connect(path)
        connected.setblocking(True)
        assert await asyncio.to_thread(connected.recv, 4), "the episode is ours"
        late = Onlooker(Store(tmp_path), episode)
        assert await late.attachment.take_over()
        told = await late.until(messages.Trouble)
        assert "somebody else has it in hand" in told.message
        connected.shutdown(socket.SHUT_RDWR)
        connected.close()
        await playing
        await late.until(messages.EpisodeEnded)
    assert [step.note for step in episode.steps if step.note] == [door.TAKEN, door.GONE]
    assert not path.exists()
    assert not await late.attachment.take_over(), "nobody is there any more"


@pytest.mark.thorough
async def test_silence_hands_back(chromium: Browser, tmp_path: Path) -> None:
    async with played(tmp_path, chromium, Scroller(turns=2), silence=0.3) as (episode, playing):
        onlooker = Onlooker(Store(tmp_path), episode)
        await onlooker.until(messages.StepRecorded)
        assert await onlooker.attachment.take_over()
        await playing
        await onlooker.until(messages.EpisodeEnded)
    assert onlooker.notes()[-1] == door.SILENT.format(0.3 / 60)
