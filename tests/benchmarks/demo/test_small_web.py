"""The small web in a browser: reference actions answer every question, a near-miss none."""

from __future__ import annotations

import pytest

from webbench.benchmarks.demo.bundles.assistantbench.bundle import bundle
from webbench.core import registry
from webbench.core.action import Stop
from webbench.core.agents.contract import AgentView, Proposal
from webbench.core.agents.reference import Reference
from webbench.core.browser.environment import BrowserEnvironment
from webbench.core.task import Benchmark, Task

BENCHMARK: Benchmark = registry.benchmark("assistantbench")
TASKS = {task.name: task for task in BENCHMARK.tasks("small-web")}
each_task = pytest.mark.parametrize("name", TASKS)


async def answered(task: Task, environment: BrowserEnvironment) -> tuple[str, set[str]]:
    """The reference's answer, and the pages it has been on beside the search engine's."""
    agent, pages, proposal = BENCHMARK.oracle(task), set[str](), Proposal()
    assert isinstance(agent, Reference)
    async with BENCHMARK.stage(task) as stage:
        await environment.reset(stage.setup)
        for step in range(BENCHMARK.step_limit):
            observation = await environment.observe()
            if not observation.url.startswith("http://search."):
                pages.add(observation.url)
            view = AgentView(task=task, step=step, observation=observation, last_proposal=proposal)
            proposal = await agent.propose(view)
            assert proposal.action is not None
            if isinstance(proposal.action, Stop):
                return proposal.action.answer, pages
            result = await environment.act(proposal.action)
            assert result.ok, f"{proposal.reasoning}: {result.error}"
    raise AssertionError("the reference did not end")


@each_task
async def test_its_reference_solves_it_on_several_pages(name: str, environment: BrowserEnvironment) -> None:
    answer, pages = await answered(TASKS[name], environment)
    score = BENCHMARK.evaluator.score(TASKS[name], {"answer": answer})
    assert (answer, score.value) == (answer, 1.0)
    assert len(pages) >= 2


@each_task
def test_its_near_miss_scores_nothing(name: str) -> None:
    *_, last = bundle.near_miss(name)
    assert isinstance(last, Stop)
    score = BENCHMARK.evaluator.score(TASKS[name], {"answer": last.answer})
    assert (score.value, score.metrics["answered"]) == (0.0, 1.0)
