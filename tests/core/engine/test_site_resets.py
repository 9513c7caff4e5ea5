"""Sites that outlive an episode: what is remembered of them, and how they are reset."""

from __future__ import annotations

import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Site
from webbench.core.action.action import Click, ElementRef
from webbench.core.benchmark.benchmark import Stage
from webbench.core.browser.launch import Browser
from webbench.core.engine.engine import Engine, EpisodeRequest
from webbench.core.engine.site_resets import reset_sites, site_at
from webbench.core.engine.wire import messages
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown
from webbench.core.score.score import not_scored
from webbench.core.store.changed_sites import FILE, ChangedSites
from webbench.core.store.store import Store
from webbench.core.task import Task

PAGE = "<form method=post action=/buy><button>Buy</button></form><a href='/buy?look'>Look</a>"


class FixedStage(Stage):
    def __init__(self, url: str) -> None:
        self.setup = EnvironmentSetup(start_urls=(url,))
        self.sites = {"SHOP": url.rstrip("/")}

    async def ended(self, observation: Any) -> str:
        return ""


class UnevenStage(FixedStage):
    """What there is to say of it is known once it is ready; the page shows a password."""

    secrets = ("Look",)

    async def ready(self) -> None:
        self.warnings = ("signed in on one site alone",)


class OneSite:
    """A benchmark of one task on a site that outlives it."""

    name, dialect, step_limit = "webarena", "webarena", 30

    def __init__(self, url: str, stage: type[FixedStage] = FixedStage) -> None:
        self.url = url
        self.of_stage = stage
        self.evaluator = self

    @asynccontextmanager
    async def stage(self, task: Task) -> AsyncIterator[FixedStage]:
        yield self.of_stage(self.url)

    async def collect(self, *_: Any) -> dict[str, Any]:
        return {}

    def questions(self, *_: Any) -> tuple[()]:
        return ()

    def score(self, *_: Any) -> Any:
        return not_scored("nothing is checked")


async def attempt(
    engine: Engine, url: str, link: str, stage: type[FixedStage] = FixedStage, **more: Any
) -> tuple[Any, list[str]]:
    """One episode that presses one thing; its header, and what was told."""
    events: list[messages.Event] = []
    run = engine.store.start_run(benchmark="one-site", agent="human", planned=1)
    task = Task(benchmark="one-site", name="buy")
    benchmark: Any = OneSite(url, stage)
    async with engine.episode(
        EpisodeRequest(benchmark=benchmark, task=task, run=run, **more), events.append
    ) as episode:
        await episode.start()
        node = next(node for node in episode.observation.nodes if node.name == link)
        await episode.act_on(Click(target=ElementRef(id=node.id)))
        await episode.finish("enough")
    return episode.header, [event.message for event in events if isinstance(event, messages.Trouble)]


@pytest.fixture
async def engine(chromium: Browser, tmp_path: Path) -> AsyncIterator[Engine]:
    async with Engine(Store(tmp_path / "store"), browser=chromium) as engine:
        yield engine


@pytest.mark.thorough
async def test_a_changed_site_is_remembered_and_warned_of_until_its_reset(
    engine: Engine, serve: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(PAGE)
    serve("bought", "/buy")
    header, told = await attempt(engine, serve.url, "Look")
    assert (header.warnings, told) == ((), [])
    assert not (engine.store.root / FILE).exists()
    first, _ = await attempt(engine, serve.url, "Buy")
    header, told = await attempt(engine, serve.url, "Look")
    assert (
        told
        == list(header.warnings)
        == [f"SHOP was changed once since it was first seen, and never reset (last by {first.episode})"]
    )
    recorded = engine.store.load(header.episode).header
    assert (recorded.warnings, recorded.concurrent) == (header.warnings, 0)
    mark = tmp_path / "reset"
    command = shlex.join([sys.executable, "-c", f"open({str(mark)!r}, 'a').write('x')"])
    monkeypatch.setenv("WEBBENCH_RESET_WEBARENA_SHOP", command)
    for _ in range(2):
        header, told = await attempt(engine, serve.url, "Look", reset=True)
        assert (header.warnings, told, mark.read_text()) == ((), [], "x")


async def test_a_stage_warns_and_names_what_no_record_may_hold(engine: Engine, serve: Site) -> None:
    serve(PAGE)
    serve("bought", "/buy")
    header, told = await attempt(engine, serve.url, "Look", UnevenStage)
    assert told == list(header.warnings) == ["signed in on one site alone"]
    folder = engine.store.root / header.run / header.episode
    steps = (folder / "steps.jsonl").read_text()
    assert "Look" not in steps
    assert "‹redacted›" in steps


async def test_resets_that_fail_say_why(tmp_path: Path, serve: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, sites = ChangedSites(tmp_path), {"SHOP": serve.url.rstrip("/")}
    with pytest.raises(EnvironmentDown, match=r"no command is set.*reset\.webarena\.SHOP"):
        await reset_sites("webarena", sites, memory, lambda _: None)
    monkeypatch.setenv("WEBBENCH_RESET_WEBARENA_SHOP", "sh -c 'echo no such container; exit 3'")
    with pytest.raises(EnvironmentDown, match="ended with 3: no such container"):
        await reset_sites("webarena", sites, memory, lambda _: None)
    assert memory.known() == {}


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://a.example:7780/admin/catalog", "ADMIN"),
        ("http://a.example:7780/cart", "SHOP"),
        ("http://a.example/cart", ""),
        ("http://[", ""),
    ],
)
def test_the_site_of_an_address(url: str, site: str) -> None:
    sites = {"ADMIN": "http://a.example:7780/admin", "SHOP": "http://a.example:7780"}
    assert site_at(url, sites) == site


def test_two_processes_forget_nothing_of_each_other(tmp_path: Path) -> None:
    first, second = ChangedSites(tmp_path), ChangedSites(tmp_path)
    first.note_change("SHOP", "http://a.example", "e1")
    second.note_change("SHOP", "http://a.example", "e2")
    first.note_change("FORUM", "http://b.example", "e1")
    second.note_reset("FORUM", "http://b.example")
    (shop,) = first.changed({"SHOP": "http://a.example", "FORUM": "http://b.example"})
    assert (shop.episodes, shop.last_episode) == (2, "e2")
