"""An episode on a bundled task in the shared browser, without an engine around it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.dialects.dialect import find_dialect
from webbench.core.engine.wire import messages
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.episode.recording import StepRecorder
from webbench.core.guards.guard import Guard
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader

Opened = tuple[Episode, list[messages.Event]]


@asynccontextmanager
async def opened(
    environment: BrowserEnvironment,
    store: Store,
    options: EpisodeOptions = EpisodeOptions(pictures=False),
    wrap: Callable[[Recorder], StepRecorder] = lambda recorder: recorder,
    name: str = "price-of-lantern",
    guard: Guard | None = None,
    of: str = "demo",
) -> AsyncIterator[Opened]:
    """A started episode of a bundled task, and its events; `of` names the benchmark."""
    benchmark = find_benchmark(of)
    task = benchmark.tasks(names=(name,))[0]
    run = store.start_run(of, "human", 1)
    header = EpisodeHeader(run=run, episode="", task=task, actor="human", dialect="webarena")
    recorder = store.recorder(run, header)
    events: list[messages.Event] = []
    async with benchmark.stage(task) as stage:
        episode = Episode(
            task=task,
            environment=environment,
            stage=stage,
            setup=stage.setup,
            evaluator=benchmark.evaluator,
            dialect=find_dialect("webarena"),
            recorder=wrap(recorder),
            header=recorder.header,
            options=options,
            emit=events.append,
            guard=guard,
        )
        await episode.start()
        yield episode, events
    recorder.close()


def link_id(episode: Episode, name: str) -> int:
    """Of the first link whose name begins so."""
    return next(n.id for n in episode.observation.nodes if n.role == "link" and n.name.startswith(name))
