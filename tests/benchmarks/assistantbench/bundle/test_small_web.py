"""Reference actions answer every question of the small web, a near-miss none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from urllib.parse import quote_plus, urljoin

import httpx
import pytest
from bs4 import BeautifulSoup

from webbench.benchmarks.assistantbench.bundle.bundle import bundle
from webbench.benchmarks.assistantbench.scoring.question import JSON, NUMBER, TEXT, TEXTS, read_gold
from webbench.benchmarks.sample_sites.server import DemoServer
from webbench.core.action.action import Action, Back, Click, FocusTab, Goto, Remember, Search, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.task import Task

BENCHMARK: Benchmark = find_benchmark("assistantbench")
TASKS = {task.name: task for task in BENCHMARK.tasks("small-web")}
WITH_TABS, WITH_THE_WAY_BACK = "gifts-of-coaches", "bun-at-the-museum"
ENGINE = "http://search.localhost/"
each_task = pytest.mark.parametrize("name", TASKS)


def test_every_kind_of_answer_is_asked_for() -> None:
    golds = [read_gold(task.gold["answer"].split("\n"), "published") for task in TASKS.values()]
    kinds = Counter(gold.kind for gold in golds)
    assert kinds.keys() == {NUMBER, TEXT, TEXTS, JSON}
    assert min(kinds.values()) >= 3
    assert {task.kind for task in TASKS.values()} == {"Medium", "Hard"}


class Reader:
    """Follows links by their names, in tabs, without a browser."""

    def __init__(self) -> None:
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(DemoServer([]).application()))
        self.tabs = [[ENGINE]]
        self.tab = 0
        self.read: set[str] = set()

    async def answer(self, actions: Sequence[Action]) -> str:
        for action in actions:
            match action:
                case Search(query=query):
                    self.tabs[self.tab].append(f"{ENGINE}?q={quote_plus(query)}")
                case Click():
                    await self._follow(action)
                case Back():
                    self.tabs[self.tab].pop()
                case FocusTab(index=index):
                    self.tab = index
                case Stop(answer=answer):
                    return answer
                case _:
                    assert isinstance(action, Remember), action
        raise AssertionError("it gives no answer")

    async def _follow(self, click: Click) -> None:
        here = self.tabs[self.tab][-1]
        page = BeautifulSoup((await self.client.get(here)).text, "html.parser")
        links = {link.get_text().strip(): str(link["href"]) for link in reversed(page.find_all("a"))}
        wanted = click.target.name
        name = wanted if wanted in links else next((one for one in links if one.startswith(wanted)), "")
        assert name, f"{here} has no link {wanted!r}"
        url = urljoin(here, links[name])
        self.read.add(url)
        if click.modifiers:
            self.tabs.append([])
            self.tab = len(self.tabs) - 1
        self.tabs[self.tab].append(url)


@each_task
async def test_its_reference_answers_it_from_two_pages_or_more(name: str) -> None:
    reader = Reader()
    answer = await reader.answer(bundle.reference(name))
    score = BENCHMARK.evaluator.score(TASKS[name], {"answer": answer})
    assert (answer, score.value) == (answer, 1.0)
    assert len(reader.read) >= 2


@each_task
async def test_its_near_miss_scores_nothing(name: str) -> None:
    answer = await Reader().answer(bundle.near_miss(name))
    score = BENCHMARK.evaluator.score(TASKS[name], {"answer": answer})
    assert (score.value, score.metrics["answered"]) == (0.0, 1.0)


async def played(task: Task, environment: BrowserEnvironment) -> str:
    """The oracle's answer in a browser."""
    agent, proposal = BENCHMARK.oracle(task), Proposal()
    async with BENCHMARK.stage(task) as stage:
        await environment.reset(stage.setup)
        for step in range(BENCHMARK.step_limit):
            observation = await environment.observe()
            view = AgentView(task=task, step=step, observation=observation, last_proposal=proposal)
            proposal = await agent.propose(view)
            assert proposal.action is not None
            if isinstance(proposal.action, Stop):
                return proposal.action.answer
            result = await environment.act(proposal.action)
            assert result.ok, f"{proposal.reasoning}: {result.error}"
    raise AssertionError("the oracle did not end")


@pytest.mark.parametrize("name", [WITH_TABS, WITH_THE_WAY_BACK])
async def test_the_oracle_plays_it_in_a_browser(name: str, environment: BrowserEnvironment) -> None:
    answer = await played(TASKS[name], environment)
    assert BENCHMARK.evaluator.score(TASKS[name], {"answer": answer}).value == 1.0


async def test_other_sites_are_out_of_reach(environment: BrowserEnvironment) -> None:
    async with BENCHMARK.stage(TASKS[WITH_TABS]) as stage:
        await environment.reset(stage.setup)
        result = await environment.act(Goto(url="http://elsewhere.localhost:9/"))
        assert "outside the bundled sites" in result.error
