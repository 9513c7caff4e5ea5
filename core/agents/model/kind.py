"""A kind of agent that asks a model: its options and how it is made, as one entry point."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic

from webbench.core.agent import Agent
from webbench.core.agents.model.accepted_options import ModelOptions, Options, read_model_options
from webbench.core.agents.model.ask_model import Asker, asker_for
from webbench.core.agents.model.prompts import ENDING
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import UsageError


class AgentKind(Generic[Options]):
    """An `AgentFactory` that tells its options; the first line of the module of `make` is its title.

    Args:
        name: of the entry point. An agent bears it, or the name of the preset that it was asked for by, and
            that of its model behind it, for records to tell apart: "webarena-direct (gpt-x)".
        options: struct below `ModelOptions`.
        make: makes the agent from its name, the request, the options, and what asks its model.
        benchmarks: whose tasks it is for; empty for any.
    """

    def __init__(
        self,
        name: str,
        options: type[Options],
        make: Callable[[str, AgentRequest, Options, Asker], Agent],
        benchmarks: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.options = options
        self.module = make.__module__
        self.benchmarks = benchmarks
        self._make = make

    def __call__(self, request: AgentRequest) -> Agent:
        """Raises `UsageError` for options that it hasn't, and as `asker_for` does."""
        called = request.called or self.name
        options = read_model_options(called, request.options, self.options)
        asker = asker_for(options, request)
        return self._make(f"{called} ({asker.client.endpoint.model})", request, options, asker)


def prompts_of(options: ModelOptions) -> Path | None:
    """The folder in which prompts are looked for first, None where none is named.

    Raises `UsageError` for one without a prompt: the built-in ones would be taken for those that were meant.
    """
    if not options.prompts:
        return None
    folder = Path(options.prompts).expanduser()
    if not folder.is_dir():
        raise UsageError(f"There is no folder of prompts {folder}", "the option prompts names one")
    if not any(folder.glob(f"*{ENDING}")):
        raise UsageError(f"The folder {folder} holds no prompt", f"a prompt is a file NAME{ENDING}")
    return folder
