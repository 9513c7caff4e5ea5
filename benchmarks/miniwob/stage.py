"""A MiniWoB++ task made live: its page answered from the package's files, its own report of the end taken.

Nothing is served on a port: the request filter answers every request of the page from the folder, and takes
what `begin.js` tells. The page begins by itself, with the task's seed.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from webbench.benchmarks.miniwob.environments import FLIGHT
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import EnvironmentSetup, NetworkAnswer, NetworkRequest
from webbench.core.errors import EnvironmentDown
from webbench.core.observation import Observation, Viewport
from webbench.core.task import Task
from webbench.core.time_limit import time_limit

ORIGIN = "http://miniwob.localhost"
VIEWPORT, FLIGHT_VIEWPORT = Viewport(width=500, height=320), Viewport(width=600, height=800)
"""The windows that the package itself opens."""
BEGIN_SECONDS = 15.0
LONGEST_TEXT = 10_000
CORE, TOLD = "/core/core.js", "/told"
_BEGIN = Path(__file__).with_name("begin.js")


class Begun(msgspec.Struct, frozen=True):
    """What the page tells when its task is drawn: `began` in ms of Unix time, the time limit in seconds."""

    intent: str
    began: float
    limit: float


class Ended(msgspec.Struct, frozen=True):
    """What the page tells when it ends: its rewards before and after the discount for time, -1 to 1."""

    raw: float
    reward: float
    seconds: float
    reason: str = ""


class MiniWobStage(Stage):
    """One page with one seed.

    Attributes:
        begun, ended_by: the page's first words; a page that is loaded again, or begun again behind its end,
            doesn't change them.
        starts: how often the task was drawn.
    """

    harmless = True

    def __init__(self, task: Task, folder: Path) -> None:
        self.task = task
        self.begun: Begun | None = None
        self.ended_by: Ended | None = None
        self.starts = 0
        self._folder = folder.resolve()
        self._begins = asyncio.Event()
        self.setup = EnvironmentSetup(
            start_urls=(f"{ORIGIN}/{task.data['page']}",),
            viewport=FLIGHT_VIEWPORT if task.name.startswith(FLIGHT) else VIEWPORT,
            request_filter=self._answer,
            timezone="UTC",
        )

    async def opened(self) -> str:
        """What the page asks for. Raises `EnvironmentDown` where it doesn't begin."""
        try:
            async with time_limit(BEGIN_SECONDS):
                await self._begins.wait()
        except TimeoutError as error:
            told = f"the page of {self.task.name} did not begin within {BEGIN_SECONDS:.0f} s"
            raise EnvironmentDown(
                told, "its files may be incomplete: reinstall the package miniwob"
            ) from error
        return self.begun.intent[:LONGEST_TEXT] if self.begun else ""

    async def ended(self, observation: Observation) -> str:
        if self.ended_by is None:
            return ""
        return f"the page ended the episode: reward {self.ended_by.raw:g}"

    async def _answer(self, request: NetworkRequest) -> NetworkAnswer:
        address = urlsplit(request.url)
        if f"{address.scheme}://{address.netloc}" != ORIGIN:
            return NetworkAnswer("abort", reason="it lies outside MiniWoB++")
        path = unquote(address.path)
        if path == TOLD and request.resource_type != "fetch":  # an actor that goes there
            return NetworkAnswer("abort", reason="only the page itself tells its reward")
        if path == TOLD:
            self._hear(parse_qs(address.query).get("what", [""])[0])
            return NetworkAnswer("fulfil")
        file = (self._folder / path.lstrip("/")).resolve()
        if not file.is_relative_to(self._folder) or not file.is_file():
            return NetworkAnswer("fulfil", status=404, body=b"No such file.")
        body = await asyncio.to_thread(file.read_bytes)
        if path == CORE:
            body += b"\n" + self._beginning()
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return NetworkAnswer("fulfil", content_type=kind, body=body)

    def _beginning(self) -> bytes:
        """`begin.js` with what it needs to know."""
        began = self.begun.began if self.begun else 0
        episode = {"seed": self.task.data["seed"], "clock": self.task.data["clock"], "began": began}
        return _BEGIN.read_text("utf-8").replace("(EPISODE)", f"({json.dumps(episode)})").encode()

    def _hear(self, told: str) -> None:
        """The word of the task's page; another page's, or what has another shape, is nobody's."""
        try:
            said = msgspec.json.decode(told, type=dict[str, object])
            if said.get("page") != self.task.data["page"]:
                return
            if "intent" in said:
                self.starts += 1
                self.begun = self.begun or msgspec.convert(said, Begun)
                self._begins.set()
            else:
                self.ended_by = self.ended_by or msgspec.convert(said, Ended)
        except msgspec.MsgspecError:
            return


@asynccontextmanager
async def staged(task: Task, folder: Path) -> AsyncIterator[MiniWobStage]:
    """Nothing is opened: the page's requests are answered while its browser context lasts."""
    yield MiniWobStage(task, folder)
