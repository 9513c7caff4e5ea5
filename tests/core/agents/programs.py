"""Programs that are agents, in episodes of the bundled dialogue: real processes, and no browser."""

from __future__ import annotations

import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from webbench.core.agents.command.command import CommandAgent
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.wire import messages
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.store.store import Store

BENCHMARK = find_benchmark("weblinx")
(TASK,) = BENCHMARK.tasks("shop-talk")[:1]


class Place:
    """A folder with programs, and a store; `events` are those of its episodes."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        self.folder = folder
        self.engine = engine
        self.made: list[CommandAgent] = []
        self.events: list[messages.Event] = []

    def agent(self, source: str, *words: str, flags: str = "") -> CommandAgent:
        script = self.folder / "agent.py"
        script.write_text(source)
        program = shlex.join((sys.executable, str(script), *words))
        agent = make_agent(f"command --observation text {flags} {program}", BENCHMARK, TASK)
        assert isinstance(agent, CommandAgent)
        self.made.append(agent)
        return agent

    @asynccontextmanager
    async def episode(self, **more: object) -> AsyncIterator[Episode]:
        run = self.engine.store.start_run(benchmark="weblinx", agent="command", planned=1)
        options = EpisodeOptions(live_score=False, pictures=False, html=False)
        request = EpisodeRequest(benchmark=BENCHMARK, task=TASK, run=run, options=options)
        async with self.engine.episode(
            msgspec.structs.replace(request, **more), self.events.append
        ) as episode:
            await episode.start()
            yield episode


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with Engine(Store(tmp_path / "store")) as engine:
        place = Place(tmp_path, engine)
        yield place
        for agent in place.made:
            await agent.close()
