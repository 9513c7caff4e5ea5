"""The loop of an episode without its record: propose, act with the stage's hooks, collect, score."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from webbench.benchmarks.webcanvas.scoring.evaluate import WebCanvasEvaluator
from webbench.core.action.action import Action, Goto, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.reference import Reference
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Score
from webbench.core.task import Task

MOST_TURNS = 40


@dataclass(frozen=True)
class Moment:
    """How an episode stands after a step; `action` is None at the start."""

    action: Action | None
    score: Score
    evidence: JsonObject
    ended: str = ""
    error: str = ""

    def why(self) -> list[str]:
        """What each key node says."""
        return [check.why for check in self.score.checks if check.target.startswith("key node")]


async def moments(
    task: Task, stage: Stage, environment: Environment, actions: Sequence[Action], *, fresh: bool = True
) -> AsyncIterator[Moment]:
    """Every moment from the start page to the end of the episode or of the actions.

    `fresh` opens a new context; without it the environment goes on in the one it has, which takes less time.
    """
    agent, proposal, error = Reference(actions), Proposal(), ""
    if fresh:
        await environment.reset(stage.setup)
    else:
        assert (await environment.act(Goto(url=stage.setup.start_urls[0]))).ok
    yield await _moment(None, task, stage, environment)
    for turn in range(MOST_TURNS):
        view = AgentView(
            task=task,
            step=turn,
            observation=await environment.observe(),
            last_error=error,
            last_proposal=proposal,
        )
        proposal = await agent.propose(view)
        action = proposal.action
        assert action is not None
        await stage.acting(environment, action)
        ended = "stopped"
        if not isinstance(action, Stop):
            result = await environment.act(action)
            error = result.error
            await stage.acted(environment, result)
            ended = await stage.ended(view.observation)
        yield await _moment(action, task, stage, environment, ended, error)
        if ended:
            return


async def _moment(
    action: Action | None,
    task: Task,
    stage: Stage,
    environment: Environment,
    ended: str = "",
    error: str = "",
) -> Moment:
    evaluator = WebCanvasEvaluator()
    answer = action.answer if isinstance(action, Stop) else ""
    evidence = await evaluator.collect(environment, stage, answer)
    return Moment(action, evaluator.score(task, evidence), evidence, ended, error)


async def last_moment(
    task: Task, stage: Stage, environment: Environment, actions: Sequence[Action], *, fresh: bool = True
) -> Moment:
    *_, last = [moment async for moment in moments(task, stage, environment, actions, fresh=fresh)]
    return last
