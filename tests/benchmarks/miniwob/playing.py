"""A MiniWoB++ environment played by its oracle in the browser that tests share, without a record."""

from webbench.benchmarks.miniwob.benchmark import create
from webbench.core.action.action import Stop
from webbench.core.agent import AgentView, Carried, Proposal
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Score

BENCHMARK = create()


async def played(id: str, environment: BrowserEnvironment) -> tuple[str, JsonObject, Score]:
    """What the page asked for, the evidence at the end, and its score."""
    (task,) = BENCHMARK.tasks(names=[id])
    agent = BENCHMARK.oracle(task)
    carried = Carried()
    async with BENCHMARK.stage(task) as stage:
        await environment.reset(stage.setup)
        intent = await stage.opened()
        asked = type(task)(benchmark=task.benchmark, name=task.name, intent=intent)
        for step in range(BENCHMARK.step_limit):
            observation = await environment.observe()
            if await stage.ended(observation):
                break
            view = AgentView(task=asked, step=step, observation=observation, before=carried)
            proposal: Proposal = await agent.propose(view)
            assert proposal.action is not None
            if isinstance(proposal.action, Stop):
                raise AssertionError(proposal.reasoning)
            result = await environment.act(proposal.action)
            carried = Carried(proposal=proposal, error=result.error, output=result.output, action=step)
        evidence = await BENCHMARK.evaluator.collect(environment, stage, "")
    return intent, evidence, BENCHMARK.evaluator.score(task, evidence)
