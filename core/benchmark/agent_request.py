"""What an agent is made from: its task, its options, and the benchmark that the task is of."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import msgspec

from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.task import Task


class AgentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is made from.

    Attributes:
        options: the words after the agent's name on the command line, those of its preset first.
        called: the name it was asked for by, which may be that of a preset.
        benchmark: of the task, for agents that show a model other tasks as examples.
        store: the folder that is recorded in, which an isolated agent doesn't see; None where it isn't known.

    Example:
        >>> def create(request: wb.AgentRequest) -> wb.Agent:
        ...     return MyAgent(seed=request.seed, words=request.options)
    """

    task: Task
    seed: int = 0
    options: tuple[str, ...] = ()
    called: str = ""
    oracle: Agent | None = None
    benchmark: Benchmark | None = None
    store: Path | None = None


class AgentFactory(Protocol):
    """What an entry point of the group `webbench.agents` names."""

    def __call__(self, request: AgentRequest) -> Agent: ...
