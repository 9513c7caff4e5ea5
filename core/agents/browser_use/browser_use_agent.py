"""The agent browser-use, as it is, in the browser of the episode: `browser-use model=NAME python=PROGRAM`.

It joins the episode's browser over DevTools and acts there by itself. Each of its actions is told before it
is done: the guard and a person can stop it, and it is a step of ours, in our words where there are any. It
lives in a process of its own, with packages of its own.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from webbench.core.agent import AgentView, Done, Proposal
from webbench.core.agents.browser_use.told_actions import (
    Told,
    known_action,
    line_of,
    proposal_of,
    read_outcome,
    read_told,
)
from webbench.core.agents.command.command import CommandAgent, CommandOptions
from webbench.core.agents.command.foreign_program import interpreter
from webbench.core.agents.model.accepted_options import ModelOptions
from webbench.core.agents.model.ask_model import Asker
from webbench.core.agents.model.kind import AgentKind
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import ActionFailed, AgentFailed, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.own_python import INTERPRETER, foreign_command
from webbench.core.text.plain_text import plain_clip

NAME = "browser-use"
PROCESS = "webbench.core.agents.browser_use.driving_process"
REACH = "it drove the browser by itself, past what we do for an actor: it could read all that its pages hold"
MADE_ANEW = "browser-use was started in the middle of the episode: it remembers nothing of what was done"
UNKNOWN = "an action of browser-use is none of ours; its steps wait, and the reasoning names it: "


class BrowserUseOptions(ModelOptions, frozen=True, kw_only=True):
    """What stands after "browser-use"."""

    python: Annotated[
        str, Meta(description="The interpreter that has the package browser-use; empty: ours")
    ] = ""
    wait: Annotated[
        Annotated[float, Meta(gt=0, lt=86_400)], Meta(description="Seconds that it may take for one action")
    ] = 300.0
    vision: Annotated[
        Literal["yes", "no", "auto"], Meta(description="Whether its model is shown pictures, as use_vision")
    ] = "yes"
    max_actions: Annotated[
        Annotated[int, Meta(ge=1, le=50)], Meta(description="Actions of one step of its own, at most")
    ] = 5
    flash: Annotated[bool, Meta(description="Its flash mode: no thoughts, no plan")] = False
    schema: Annotated[
        bool, Meta(description="Hold the model to its schema; no: the schema stands in the prompt")
    ] = True


class BrowserUseAgent:
    """See the module; started at the first step."""

    def __init__(self, name: str, request: AgentRequest, options: BrowserUseOptions, asker: Asker) -> None:
        self.name = name
        self._options = options
        self._asker = asker
        self._view: AgentView | None = None
        self._unknown: list[str] = []
        self._begun = False
        program = foreign_command(options.python or INTERPRETER, PROCESS)
        self._inner = CommandAgent(
            msgspec.structs.replace(request, called=name),
            CommandOptions(
                program=program,
                called=NAME,
                timeout=options.wait,
                observation="text",
                identity=name,
                greeting=self._greeting,
            ),
        )
        self.reach = f"{self._inner.reach}; {REACH}"

    async def propose(self, view: AgentView) -> Proposal:
        """Its next action. Raises `AgentFailed` where it can't join a browser, ends, fails, or is silent."""
        if view.devtools is None:
            raise AgentFailed(
                "browser-use needs a browser of its own that it can join",
                "begin the episode with it (run --agent, step --agent); only a Chromium that Playwright "
                "starts here can be joined",
            )
        if not self._begun and view.history:
            view.notices.append(MADE_ANEW)
        self._begun, self._view = True, view
        why = view.rejected or view.last_error
        message = line_of("go on", why=why, last=view.last_step)
        told = await self._inner.exchange(view, message, self._read)
        action = known_action(told, view.observation)
        if action is None and told.name not in self._unknown:
            self._unknown.append(told.name)
            view.notices.append(UNKNOWN + plain_clip(told.name, 60))
        return proposal_of(told, action)

    async def carry_out(self) -> Done:
        """Have it do what it proposed last. Raises `ActionFailed`."""
        if self._view is None:
            raise ActionFailed("browser-use proposed nothing")
        try:
            return await self._inner.exchange(self._view, line_of("act"), read_outcome)
        except AgentFailed as error:
            raise ActionFailed(f"browser-use did not do it: {error.message}") from error

    async def close(self) -> None:
        """End its process; the browser is the episode's."""
        await self._inner.close()
        await self._asker.close()

    def _read(self, line: str) -> Told:
        return read_told(line, NAME, self._asker.client.endpoint.price)

    def _greeting(self, view: AgentView) -> JsonObject:
        """Where the browser is, and how its model is asked; the key goes through the pipe alone."""
        assert view.devtools is not None
        viewport = view.observation.viewport
        options, endpoint = self._options, self._asker.client.endpoint
        sampling = self._asker.sampling
        return {
            "browser": {"address": view.devtools.address, "target": view.devtools.target},
            "viewport": {
                "width": viewport.width,
                "height": viewport.height,
                "scale": viewport.device_pixel_ratio,
            },
            "files": str(view.devtools.files or ""),
            "model": {
                "name": endpoint.model,
                "url": endpoint.url,
                "key": self._asker.client.key,
                "timeout": endpoint.timeout,
                "retries": endpoint.retries,
                "sampling": {
                    "temperature": sampling.temperature,
                    "top_p": sampling.top_p,
                    "seed": sampling.seed,
                    "max_completion_tokens": sampling.max_tokens,
                },
                "schema": options.schema,
            },
            "vision": options.vision,
            "max_actions": options.max_actions,
            "flash": options.flash,
        }


def _made(name: str, request: AgentRequest, options: BrowserUseOptions, asker: Asker) -> BrowserUseAgent:
    """Raises `UsageError` for an interpreter that isn't there, and for options without an effect on it."""
    for word in ("stop", "stream", "prompts"):
        if getattr(options, word):
            told = f"The option {word} has no effect on browser-use"
            raise UsageError(told, "its prompts and calls are its own")
    python = options.python and interpreter(options.python, "name its interpreter")
    return BrowserUseAgent(name, request, msgspec.structs.replace(options, python=python), asker)


create = AgentKind(NAME, BrowserUseOptions, _made)
