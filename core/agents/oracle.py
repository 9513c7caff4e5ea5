"""The agent that knows the answer: each benchmark brings its own."""

from __future__ import annotations

from webbench.core.agent import Agent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import UsageError


def create(request: AgentRequest) -> Agent:
    """The entry point. Raises `UsageError` where the benchmark has no oracle for the task."""
    if request.oracle is None:
        raise UsageError(
            f'The task "{request.task.id}" of {request.task.benchmark} has no oracle',
            "choose another agent: do-nothing, random, replay or command",
        )
    return request.oracle
