"""A demo task made live: fresh sites on the embedded server, nothing reachable but them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from webbench.benchmarks.sample_sites.server import DemoServer, running_server
from webbench.benchmarks.sample_sites.world import World
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import EnvironmentSetup, refuse_all
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation
from webbench.core.task import Task

SITES = ("shop", "annotation")


class DemoStage(Stage):
    """One episode's own shop and annotation site."""

    def __init__(self, server: DemoServer, world: World, task: Task) -> None:
        self._server = server
        self._world = world
        self._job: str = task.gold.get("job", "")
        self.harmless = not task.data.get("guarded", False)
        sources = {rule["from"].split(".")[0] for rule in task.gold["checks"]}
        self.needs_page = bool(sources & {"page", "fields", "checkout"})
        self.base = f"{server.origin}/{world.token}"
        self.setup = EnvironmentSetup(
            start_urls=tuple(self.base + path for path in task.data["open"]),
            request_filter=refuse_all,
            passthrough=(f"{server.origin}/",),
        )

    def snapshot(self) -> JsonObject:
        """State of every site, by name."""
        return self._server.snapshot(self._world)

    def site_path(self, path: str) -> str:
        """A URL's path without this episode's token, "" for a page of somebody else."""
        prefix = f"/{self._world.token}/"
        return path.removeprefix(prefix[:-1]) if path.startswith(prefix) else ""

    async def ended(self, observation: Observation) -> str:
        """A submitted annotation form ends its episode; in the shop the actor stops."""
        if self._job and self._job in self.snapshot()["annotation"]["submitted"]:
            return "the form was submitted"
        return ""


@asynccontextmanager
async def staged(task: Task) -> AsyncIterator[DemoStage]:
    """Open fresh sites for the task; they vanish with the episode."""
    server = await asyncio.to_thread(running_server)
    world = server.open(task.data["start"], tuple(dict.fromkeys((*SITES, task.site))))
    try:
        yield DemoStage(server, world, task)
    finally:
        server.close(world)
