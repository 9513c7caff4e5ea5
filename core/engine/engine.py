"""What episodes need to run: one browser, one store, and the order in which things open and close."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core.agent import Agent
from webbench.core.agents.agent_spec import create_agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.benchmark.benchmark import Benchmark, KeepsOpen, Stage
from webbench.core.browser.launch import Browser, LaunchOptions, kill, launch
from webbench.core.browser.visiting import as_set, asked_visitor
from webbench.core.dialects.dialect import find_dialect
from webbench.core.engine.site_resets import SiteWatch, reset_sites, warnings_of
from webbench.core.engine.wire import messages
from webbench.core.engine.wire.messages import Emit
from webbench.core.environment import Environment, EnvironmentSetup
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.episode.utterances import SETTING
from webbench.core.errors import BadData, WebbenchError
from webbench.core.guards.guard import Guard, GuardOptions, configured_guard
from webbench.core.judge import Judge
from webbench.core.observation import Viewport, Visitor
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Origin, Trajectory, now

if TYPE_CHECKING:
    from types import TracebackType


LOOK_SECONDS, LOOKS = 0.05, 100
"""How often, and how many times, is looked whether a browser that was ended is gone."""
RESET_HINT = "scores may differ from those on a fresh site; --reset runs the commands set as reset.…"


class EpisodeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to be made.

    Attributes:
        run: id of the run it belongs to (see `Store.start_run`).
        actor: "human" or the agent's name.
        dialect: "" for the benchmark's own.
        order, repeat, attempt: its place in its run, which repetition of its task it is, and how many records
            of attempts at this very one came before.
        resumes: the recorded episode that it repeats first (see `replay`), None = none.
        fork_step: it is a fork of that episode: it repeats it up to this step only.
        takes_back: its actor takes back what came after that step: the time of that counts on.
        annotator: pseudonym of the person at work, "" where it isn't known.
        instructor: pseudonym of the person who is to be let in to instruct, "" where nobody is.
        lends: its agent acts in the browser by itself: it has one of its own, with a DevTools port.
        judge: who is asked at the end what no rule decides; None = nobody.
        reset: put the sites that it starts on back to their first state, where they were changed; other
            episodes on them wait.
    """

    benchmark: Benchmark
    task: Task
    run: str
    actor: str = "human"
    dialect: str = ""
    options: EpisodeOptions = EpisodeOptions()
    order: int = 0
    repeat: int = 0
    attempt: int = 0
    seed: int = 0
    resumes: Trajectory | None = None
    fork_step: int | None = None
    takes_back: bool = False
    judge: Judge | None = None
    reset: bool = False
    annotator: str = ""
    instructor: str = ""
    agent_reach: str = ""
    lends: bool = False


class Engine:
    """A browser that is started once and on demand, and a store; episodes are opened from it.

    Use as an async context manager; `wb.engine` makes one by the settings. Several episodes may be open at
    once, each in a browser context of its own.

    Args:
        store: where the episodes are recorded.
        launch_options: which browser is started, and how.
        viewport: size of the pages whose stage asks for none.
        drain: finish re-encoding pictures before leaving; without it some stay PNG.
        browser: one that is running already, and that is left running; None = start one.
        guard: what is watched in every episode; None = by the settings.

    Example:
        >>> async with wb.engine("my-store") as engine:
        ...     for task in wb.tasks("demo"):
        ...         async with wb.open(task, engine=engine) as episode:
        ...             await episode.act("stop []")
    """

    def __init__(
        self,
        store: Store,
        launch_options: LaunchOptions = LaunchOptions(),
        *,
        viewport: Viewport = Viewport(),
        drain: bool = True,
        browser: Browser | None = None,
        guard: GuardOptions | None = None,
    ) -> None:
        self.store = store
        self._guard = guard
        self.launch_options = launch_options
        self.viewport = viewport
        self._drain = drain
        self._browser = browser
        self._launching = asyncio.Lock()
        self._site_locks: dict[str, asyncio.Lock] = {}
        self._kept_open: set[str] = set()
        self._going_on = 0
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Engine:
        await asyncio.to_thread(self.store.sweep)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._stack.aclose()
        await asyncio.to_thread(self.store.close, drain=self._drain)

    async def browser(self) -> Browser:
        """The running browser; started at the first call, and again after it died.

        It stays the same object, so that other episodes whose page died with it can go on in it.
        """
        async with self._launching:
            if self._browser is None:
                self._browser = await self._stack.enter_async_context(launch(self.launch_options))
            await self._browser.connected()
            return self._browser

    async def end_silent_browser(self, within: float) -> bool:
        """End the browser where it doesn't answer for so many seconds; whether it is gone then.

        One that we didn't start is left alone.
        """
        browser = self._browser
        if browser is None or (pid := browser.pid) is None or await browser.answers(within):
            return False
        if browser.pid == pid:
            kill(pid)
        for _ in range(LOOKS):
            if browser.pid != pid or not browser.alive:
                break
            await asyncio.sleep(LOOK_SECONDS)
        return True

    async def keep_open(self, benchmark: Benchmark) -> None:
        """Hold what its stages share until the engine is left, for whoever plays many of them."""
        if benchmark.name not in self._kept_open:
            self._kept_open.add(benchmark.name)
            if isinstance(benchmark, KeepsOpen):
                await self._stack.enter_async_context(benchmark.kept_open())

    @asynccontextmanager
    async def episode(
        self, request: EpisodeRequest, emit: Emit = lambda _event: None
    ) -> AsyncIterator[Episode]:
        """Stage, browser context and recorder for one attempt; not yet started."""
        dialect = find_dialect(request.dialect or request.benchmark.dialect)
        async with AsyncExitStack() as stack:
            concurrent = stack.enter_context(self._counted())
            stage = await stack.enter_async_context(request.benchmark.stage(request.task))
            guard = Guard(
                self._guard or configured_guard(load_settings().guard),
                harmless=stage.harmless,
                sites=stage.sites,
            )
            watch = SiteWatch(self.store.changed_sites, stage.sites, emit)
            warnings = await self._prepare_sites(request, stage, emit, stack)
            warnings += await _made_ready(stage, emit)
            environment, browser = await self._environment(stage, stack, lends=request.lends)
            stack.push_async_callback(environment.close)
            asked, gave_way = as_set(stage.setup, load_settings().browser)
            if browser is not None:
                warnings += _warned([*filter(None, [browser.differs]), *gave_way], emit)
            header = header_of(request, dialect.name)
            header = msgspec.structs.replace(
                header,
                settings={**header.settings, "guard": guard.told},
                versions=versions(browser),
                driver=browser.driving if browser is not None else "",
                visitor=asked_visitor(asked) if browser is not None else Visitor(),
                concurrent=concurrent,
                warnings=tuple(warnings),
            )
            recorder = self.store.recorder(request.run, header)
            stack.callback(recorder.close)
            recorder.redact(stage.secrets)
            watch.episode = recorder.header.episode
            downloads = stack.enter_context(self.store.temporary_folder("downloads"))
            episode = Episode(
                task=request.task,
                environment=environment,
                stage=stage,
                setup=self._setup(asked, stage, downloads, watch),
                evaluator=request.benchmark.evaluator,
                dialect=dialect,
                recorder=recorder,
                header=recorder.header,
                options=request.options,
                emit=emit,
                judge=request.judge,
                guard=guard,
            )
            try:
                yield episode
            except WebbenchError as error:
                await episode.fail(str(error))
                raise
            except Exception as error:
                await episode.fail(f"{type(error).__name__}: {error}", broken=True)
                raise

    async def _environment(
        self, stage: Stage, stack: AsyncExitStack, *, lends: bool
    ) -> tuple[Environment, Browser | None]:
        """The stage's own world, or a fresh one in the browser.

        A display has one pointer and one focus, and who joins a browser sees all that is in it: there every
        episode has a browser of its own.
        """
        if stage.environment is not None:
            return stage.environment, getattr(stage.environment, "browser", None)
        if lends and self.launch_options.can_be_joined:
            options = msgspec.structs.replace(self.launch_options, devtools=True)
            browser = await stack.enter_async_context(launch(options))
        elif self.launch_options.input == "desktop":
            browser = await stack.enter_async_context(launch(self.launch_options))
        else:
            browser = await self.browser()
        return browser.environment(), browser

    def _setup(
        self, setup: EnvironmentSetup, stage: Stage, downloads: Path, watch: SiteWatch
    ) -> EnvironmentSetup:
        """The stage's own wishes first, then the settings."""
        folder = load_settings().uploads
        return msgspec.structs.replace(
            setup,
            uploads=setup.uploads or (Path(folder).expanduser() if folder else None),
            viewport=self.viewport if setup.viewport == Viewport() else setup.viewport,
            downloads=setup.downloads or downloads,
            on_request=watch.request if stage.sites else setup.on_request,
        )

    async def _prepare_sites(
        self, request: EpisodeRequest, stage: Stage, emit: Emit, stack: AsyncExitStack
    ) -> list[str]:
        """Reset the lasting sites where that is asked; what is to be known of them now."""
        if not stage.sites:
            return []
        memory = self.store.changed_sites
        if request.reset:
            for address in sorted(set(stage.sites.values())):
                await stack.enter_async_context(self._site_locks.setdefault(address, asyncio.Lock()))
            await reset_sites(request.benchmark.name, stage.sites, memory, emit)
        try:
            warnings = warnings_of(memory.changed(stage.sites))
        except BadData as error:
            warnings = [f"whether earlier episodes changed the sites isn't known: {error}"]
        for warning in warnings:
            emit(messages.Trouble(message=warning, hint=RESET_HINT, warning=True))
        return warnings

    @contextmanager
    def _counted(self) -> Iterator[int]:
        """How many other episodes are going on."""
        self._going_on += 1
        try:
            yield self._going_on - 1
        finally:
            self._going_on -= 1


async def _made_ready(stage: Stage, emit: Emit) -> list[str]:
    """What is to be known of an episode on it. Raises `EnvironmentDown` as `Stage.ready` does."""
    await stage.ready()
    return _warned(stage.warnings, emit)


def _warned(warnings: Sequence[str], emit: Emit) -> list[str]:
    for warning in warnings:
        emit(messages.Trouble(message=warning, hint="", warning=True))
    return list(warnings)


def header_of(request: EpisodeRequest, dialect: str) -> EpisodeHeader:
    """What is known of an episode from its request alone."""
    resumed = request.resumes if request.fork_step is None else None
    before = request.resumes if request.takes_back else resumed
    return EpisodeHeader(
        run=request.run,
        episode="",
        task=request.task,
        actor=request.actor,
        dialect=dialect,
        rules=request.options.rules,
        seed=request.seed,
        order=request.order,
        repeat=request.repeat,
        attempt=request.attempt,
        started=now(),
        resumed_from=resumed.header.episode if resumed else "",
        origin=_origin(request),
        elapsed_before=before.seconds if before else 0.0,
        agent_reach=request.agent_reach,
        settings=msgspec.to_builtins(request.options)
        | ({"annotator": request.annotator} if request.annotator else {})
        | ({SETTING: request.instructor} if request.instructor else {}),
    )


def _origin(request: EpisodeRequest) -> Origin | None:
    """What it is forked from; an interrupted fork that is resumed stays one."""
    if request.resumes is None:
        return None
    if request.fork_step is None:
        return request.resumes.header.origin
    return request.resumes.origin_at(request.fork_step)


def make_agent(
    spec: str, benchmark: Benchmark, task: Task, seed: int = 0, *, store: Path | None = None
) -> Agent:
    """An agent by its spec "name option ...", with the benchmark's oracle at hand.

    Args:
        store: the folder that its episodes are recorded in, hidden from an agent that is isolated.

    Raises:
        UsageError: unknown name, or options the agent can't use.
    """
    wants_oracle = spec.split(maxsplit=1)[:1] == ["oracle"]
    oracle = benchmark.oracle(task) if wants_oracle else None
    seen = msgspec.structs.replace(task, gold={})
    request = AgentRequest(task=seen, seed=seed, oracle=oracle, benchmark=benchmark, store=store)
    return create_agent(spec, request)


def versions(browser: Browser | None) -> dict[str, str]:
    """What a record names so that figures can be traced to software."""
    ours = {"webbench-tui": _own_version(), "python": platform.python_version()}
    if browser is None:
        return {**ours, "browser": "none"}
    return {**ours, **browser.versions, "browser": browser.version}


@cache
def _own_version() -> str:
    return version("webbench-tui")
