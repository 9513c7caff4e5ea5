"""The loop observe, propose, act, collect, score, without recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from webbench.benchmarks.demo.benchmark import create
from webbench.core.action.action import Stop
from webbench.core.agent import Agent, AgentView, Proposal
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Score
from webbench.core.task import Task

BENCHMARK = create()
TASKS = {task.id: task for task in BENCHMARK.tasks()}


@dataclass
class Played:
    scores: list[Score] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    evidence: JsonObject = field(default_factory=dict)
    ended: str = ""

    @property
    def values(self) -> Sequence[float | None]:
        return [score.value for score in self.scores]


async def play(task: Task, agent: Agent, environment: Environment) -> Played:
    """Until the agent stops, the page ends the episode, or the step limit."""
    played, proposal = Played(), Proposal()
    async with BENCHMARK.stage(task) as stage:
        await environment.reset(stage.setup)
        await _score(task, environment, stage, "", played)
        for step in range(BENCHMARK.step_limit):
            error = played.errors[-1] if played.errors else ""
            view = AgentView(
                task=task,
                step=step,
                observation=await environment.observe(),
                last_error=error,
                last_proposal=proposal,
            )
            proposal = await agent.propose(view)
            action = proposal.action
            assert action is not None
            answer = action.answer if isinstance(action, Stop) else ""
            if not isinstance(action, Stop):
                played.errors.append((await environment.act(action)).error)
            await _score(task, environment, stage, answer, played)
            played.ended = "stopped" if isinstance(action, Stop) else await stage.ended(view.observation)
            if played.ended:
                break
    return played


async def _score(task: Task, environment: Environment, stage: Stage, answer: str, played: Played) -> None:
    played.evidence = await BENCHMARK.evaluator.collect(environment, stage, answer)
    played.scores.append(BENCHMARK.evaluator.score(task, played.evidence))
