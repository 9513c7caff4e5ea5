"""MiniWoB++ as a benchmark: environments and seeds, what a page tells, and the score that comes of it."""

import asyncio
import importlib.util
from pathlib import Path
from unittest.mock import ANY
from urllib.parse import quote

import pytest

from tests.benchmarks.miniwob.playing import BENCHMARK, played
from webbench.benchmarks.miniwob.benchmark import create
from webbench.benchmarks.miniwob.environments import known
from webbench.benchmarks.miniwob.evaluate import MiniWobEvaluator
from webbench.benchmarks.miniwob.plans.table import PARTLY, PLANS, WITHOUT
from webbench.benchmarks.miniwob.stage import ORIGIN, Ended, staged
from webbench.benchmarks.miniwob.tasks import Environments
from webbench.core.action.action import Click, ElementRef, Goto
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.errors import UsageError

HALF = {"done": True, "raw": 0.5, "reward": 0.4, "seconds": 2.0, "limit": 10.0}


def test_every_environment_of_the_package_is_listed_with_seeds_as_instances() -> None:
    entries = {entry.name: entry for entry in BENCHMARK.catalogue()}
    assert len(entries) == len(known()) == 133
    assert BENCHMARK.problems() == ()
    assert entries["click-test"].splits == ("test", "webgum")
    assert [task.id for task in BENCHMARK.tasks(names=["click-test"], instances=2)] == [
        "click-test#0",
        "click-test#1",
    ]
    (one,) = BENCHMARK.tasks(names=["click-test#4711"])
    assert (one.instance, one.data["seed"]) == (4711, 4711)
    with pytest.raises(UsageError) as error:
        BENCHMARK.tasks(names=["click-tests"])
    assert "click-test" in error.value.hint


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr("webbench.benchmarks.miniwob.environments.find_spec", lambda name: None)
    status = create().status()
    assert status.state == "needs data"
    assert "pip install 'webbench-tui[miniwob]'" in status.detail


def test_a_folder_without_pages_is_told(tmp_path: Path) -> None:
    assert create(tmp_path).status().state == "needs data"


@pytest.mark.parametrize(
    ("evidence", "values"),
    [
        (HALF, {"published": 0.5, "discounted": 0.4, "browsergym": 1.0}),
        ({**HALF, "raw": -1, "reward": -1}, {"published": 0.0, "discounted": 0.0, "browsergym": 0.0}),
        ({}, {"published": 0.0, "discounted": 0.0, "browsergym": 0.0}),
    ],
)
def test_rewards_are_checks_and_the_rule_set_says_which_counts(
    evidence: dict[str, object], values: dict[str, float]
) -> None:
    (task,) = BENCHMARK.tasks(names=["click-test#0"])
    score = MiniWobEvaluator().score(task, evidence)
    assert {one.rules: one.value for one in (score, *score.beside)} == values
    assert [check.name for check in score.checks] == ["raw reward", "discounted reward"]
    assert MiniWobEvaluator().score(task, {"raw": "much"}).status == "error"


def test_an_environment_has_a_plan_or_a_reason() -> None:
    assert set(PLANS) | set(WITHOUT) == set(known())
    assert not set(PLANS) & set(WITHOUT)
    assert set(PARTLY) < set(PLANS)
    (task,) = BENCHMARK.tasks(names=["count-sides#0"])
    with pytest.raises(UsageError, match="canvas"):
        BENCHMARK.oracle(task)


FEW = ("login-user#1", "click-tab-2#2", "drag-circle#1")


@pytest.mark.parametrize("id", FEW)
async def test_the_oracle_solves_it(id: str, environment: BrowserEnvironment) -> None:
    intent, evidence, score = await played(id, environment)
    assert intent
    assert (evidence["done"], evidence["starts"], score.value) == (True, 1, 1.0)


async def test_a_seed_asks_the_same_again(environment: BrowserEnvironment) -> None:
    asked = []
    for name in ("login-user#7", "login-user#7", "login-user#8"):
        (task,) = BENCHMARK.tasks(names=[name])
        async with staged(task, BENCHMARK.environments.folder) as stage:
            await environment.reset(stage.setup)
            asked.append(await stage.opened())
    assert asked[0] == asked[1] != asked[2]


async def test_only_the_pages_own_word_is_its_reward(environment: BrowserEnvironment) -> None:
    (task,) = BENCHMARK.tasks(names=["book-flight#3"])
    async with staged(task, BENCHMARK.environments.folder) as stage:
        await environment.reset(stage.setup)
        await stage.opened()
        said = quote('{"page":"miniwob/book-flight.html","raw":1,"reward":1,"seconds":1}')
        result = await environment.act(Goto(url=f"{ORIGIN}/told?what={said}"))
        assert "only the page itself tells its reward" in result.error
        assert (await environment.act(Goto(url=f"{ORIGIN}/miniwob/click-test.html"))).ok
        observation = await environment.observe()
        (button,) = [node for node in observation.nodes if node.role == "button"]
        assert (await environment.act(Click(target=ElementRef(id=button.id)))).ok
        assert stage.starts == 1
        assert stage.ended_by is None


IMPATIENT = """<!doctype html><script src="../core/core.js"></script>
<script>core.EPISODE_MAX_TIME = 300; var genProblem = () => {}; onload = () => core.startEpisode();</script>
<div id="query">Wait.</div>"""


async def test_a_page_gives_up_by_its_own_clock_only_where_that_is_set(
    tmp_path: Path, chromium: Browser
) -> None:
    assert BENCHMARK.data is not None
    for name, content in (
        ("core/core.js", (BENCHMARK.data / "core/core.js").read_text()),
        ("miniwob/click-test.html", IMPATIENT),
    ):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    patient, impatient = (Environments(tmp_path, clock=clock) for clock in (False, True))
    async with (
        staged(patient.task("click-test", 0), tmp_path) as waits,
        staged(impatient.task("click-test", 0), tmp_path) as gives_up,
    ):
        worlds = chromium.environment(), chromium.environment()
        for world, stage in zip(worlds, (waits, gives_up), strict=True):
            await world.reset(stage.setup)
            assert await stage.opened() == "Wait."
        async with asyncio.timeout(30):
            while not await gives_up.ended(await worlds[1].observe()):
                await asyncio.sleep(0.02)
        assert gives_up.ended_by == Ended(raw=-1, reward=-1, seconds=ANY, reason="timed out")
        assert await waits.ended(await worlds[0].observe()) == ""
        for world in worlds:
            await world.close()


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [name for name in PLANS if name not in PARTLY])
async def test_every_plan_solves_its_environment(
    name: str, seed: int, environment: BrowserEnvironment
) -> None:
    _, evidence, _ = await played(f"{name}#{seed}", environment)
    assert evidence["raw"] > 0
