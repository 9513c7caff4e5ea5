"""Solves every demo task through the page, as a careful person would."""

from __future__ import annotations

from webbench.benchmarks.demo.agents.plans import plan
from webbench.core.action.action import Click, ElementRef
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.reference import Reference, find
from webbench.core.task import Task

COOKIES = ElementRef(role="button", name="Only necessary")


class DemoOracle(Reference):
    """The plan of a task, and the cookie banner put away wherever it comes up."""

    def __init__(self, task: Task) -> None:
        super().__init__(plan(task))

    async def propose(self, view: AgentView) -> Proposal:
        banner = None if view.observation.dialog else find(view.observation, COOKIES)
        if banner is None:
            return await super().propose(view)
        self.note(view)
        return Proposal(action=Click(target=ElementRef(id=banner.id)))
