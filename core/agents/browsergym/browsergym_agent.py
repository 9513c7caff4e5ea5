"""The BrowserGym agent was written for BrowserGym or AgentLab: `browsergym MODULE:CLASS key=value ...`.

It lives in a process of its own that speaks the protocol of command agents. Its observations are made from
ours, its answers are read as BrowserGym's high-level actions, whatever the episode's own language.

A message to the user and a report that a task is infeasible end the episode as in BrowserGym's own tasks of
WebArena and AssistantBench. Their `validate` takes the last message for the answer, WebArena's a report
for the answer "N/A".
"""

from __future__ import annotations

import json
import shutil
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, cast

import msgspec

from webbench.core.action.action import Say, Stop
from webbench.core.agent import AgentView, Proposal
from webbench.core.agents.browsergym.refused_call import why_refused
from webbench.core.agents.command import isolation as surroundings
from webbench.core.agents.command.command import CommandAgent, CommandOptions
from webbench.core.agents.command.kept_state import ProgramState
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.benchmark.benchmark import hears_messages, unachievable_answer
from webbench.core.dialects.dialect import ParseError, find_dialect
from webbench.core.dialects.notations.browsergym_calls import INFEASIBLE
from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.own_python import INTERPRETER, foreign_command
from webbench.core.text.bounded_json import decode
from webbench.core.text.plain_text import plain_clip

NAME = "browsergym"
PROCESS = "webbench.core.agents.browsergym.agent_process"
DIALECT = "browsergym"
FLAGS = "flags: --timeout SECONDS --python PROGRAM --no-screenshot --say --isolate --env NAME"


class BrowserGymOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What stands after "browsergym".

    Attributes:
        agent: MODULE:NAME or FILE.py:NAME of a class, a function that makes one, or AgentLab's arguments.
        options: given to what makes it.
        python: the interpreter that has the agent's packages.
        timeout: seconds for one answer.
        screenshot: give it pictures.
        say: a message to the user is only said; else it is the answer and ends the episode, as it does in
            BrowserGym's tasks that ask for one. Where the task is a dialogue it is always only said.
        isolate, env: as for agents that are programs.
    """

    agent: str
    options: JsonObject = {}
    python: str = INTERPRETER
    timeout: float = 120.0
    screenshot: bool = True
    say: bool = False
    isolate: bool = False
    env: tuple[str, ...] = ()


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A message of the agent, as its chat has it."""

    role: Literal["assistant"]
    timestamp: float
    message: str


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """What the agent's process keeps; see `agent_process.Conversation.state`."""

    said: tuple[Said, ...] = ()
    elapsed: float = 0.0
    agent: Json = None


class BrowserGymState(ProgramState, frozen=True, kw_only=True):
    """The form in which it is recorded."""

    state: Held = Held()


class BrowserGymAgent:
    """See the module; started at the first step. A preset gives it its name."""

    def __init__(self, request: AgentRequest, options: BrowserGymOptions) -> None:
        self.name = request.called or NAME
        self._say = options.say or hears_messages(request.benchmark)
        self._infeasible = unachievable_answer(request.benchmark) if request.benchmark else ""
        self._dialect = find_dialect(DIALECT)
        self._last = Proposal()
        self._said = ""
        self._problem = ""
        verbs = [verb.form.partition("(")[0] for verb in self._dialect.verbs()]
        setup = json.dumps({"agent": options.agent, "options": options.options, "verbs": verbs})
        self._inner = CommandAgent(
            msgspec.structs.replace(request, called=self.name),
            CommandOptions(
                program=foreign_command(options.python, PROCESS, setup),
                called=options.agent,
                timeout=options.timeout,
                screenshot=options.screenshot,
                isolate=options.isolate,
                env=options.env,
                identity=options.agent if self.name == NAME else self.name,
                keeps=BrowserGymState,
            ),
        )
        self.reach = self._inner.reach

    async def propose(self, view: AgentView) -> Proposal:
        """Its next action. Raises `AgentFailed` where it ends, fails, or is silent for too long."""
        own = view.last_proposal is self._last
        seen = msgspec.structs.replace(
            view,
            dialect=DIALECT,
            last_action=self._said if own else self._worded(view),
            last_error=self._problem if own and self._problem else view.last_error,
        )
        answer = await self._inner.propose(seen)
        self._said = answer.text
        self._last = self._read(answer, dialogue=bool(view.observation.dialogue))
        return self._last

    async def close(self) -> None:
        """End its process."""
        await self._inner.close()

    def _read(self, answer: Proposal, *, dialogue: bool) -> Proposal:
        """The answer as an action, or why nothing of it is carried out."""
        self._problem = answer.malformed
        if answer.malformed:
            return answer
        action = answer.action or self._dialect.parse(answer.text)
        following = _following(answer)
        read = zip((*following, answer.text), (*map(self._dialect.parse, following), action), strict=True)
        for text, one in read:
            if isinstance(one, ParseError):
                told = why_refused(text)
                self._problem = told or f"not an action: {one.reason}; try {one.nearest}"
                return msgspec.structs.replace(answer, malformed=told or one.reason)
        assert not isinstance(action, ParseError)
        if isinstance(action, Stop) and action.answer.startswith(INFEASIBLE):
            reasons = (answer.reasoning, f"reported as {action.answer}")
            answer = msgspec.structs.replace(answer, reasoning="\n\n".join(filter(None, reasons)))
            action = action if self._infeasible == INFEASIBLE else Stop(answer=self._infeasible)
        if isinstance(action, Say) and not dialogue and not self._say:
            action = Stop(answer=action.text)
        return msgspec.structs.replace(answer, action=action, text="")

    def _worded(self, view: AgentView) -> str:
        """What somebody else did, in BrowserGym's words where it can be said in them."""
        if not view.last_action:
            return ""
        parsed = find_dialect(view.dialect).parse(view.last_action)
        return view.last_action if isinstance(parsed, ParseError) else self._dialect.format(parsed)


def _following(answer: Proposal) -> list[str]:
    """The other calls of the answer, which are carried out after this one; see `agent_process`."""
    try:
        given = decode(answer.reply)
    except ValueError:
        return []
    calls = given.get("following") if isinstance(given, dict) else None
    return [call for call in calls if isinstance(call, str)] if isinstance(calls, list) else []


def read_options(words: Sequence[str]) -> BrowserGymOptions:
    """Flags, the agent, then its options as name=value, values in JSON or as text. Raises `UsageError`."""
    rest = deque(words)
    given: dict[str, object] = {}
    while rest and rest[0].startswith("--"):
        flag = rest.popleft()
        if flag in ("--no-screenshot", "--say"):
            given["screenshot" if flag == "--no-screenshot" else "say"] = flag == "--say"
        elif flag == "--isolate":
            surroundings.require_isolation()
            given["isolate"] = True
        elif flag == "--env" and rest:
            given["env"] = (*cast("tuple[str, ...]", given.get("env", ())), rest.popleft())
        elif flag in ("--timeout", "--python") and rest:
            given[flag[2:]] = rest.popleft()
        else:
            raise UsageError(f'The agent "browsergym" has no flag "{plain_clip(flag, 40)}"', FLAGS)
    if not rest or ":" not in rest[0]:
        raise UsageError(
            'The agent "browsergym" needs an agent of yours',
            'write: "browsergym MODULE:CLASS name=value ..."',
        )
    name = rest.popleft()
    file = Path(name.rpartition(":")[0])
    if file.suffix == ".py" and not file.is_file():
        raise UsageError(f'There is no file "{plain_clip(str(file), 80)}" with an agent in it')
    options = dict(_option(word) for word in rest)
    try:
        found = msgspec.convert({**given, "agent": name, "options": options}, BrowserGymOptions, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f'The agent "browsergym" can\'t be made: {error}', FLAGS) from error
    if not 0 < found.timeout < 86_400:
        raise UsageError("--timeout wants seconds", FLAGS)
    if shutil.which(found.python) is None:
        raise UsageError(f'There is no Python "{plain_clip(found.python, 80)}"', "name its interpreter")
    return found


def _option(word: str) -> tuple[str, Json]:
    name, equals, value = word.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f'"{plain_clip(word, 40)}" is no option', "write name=value")
    try:
        return name, decode(value)
    except ValueError:
        return name, value


def create(request: AgentRequest) -> BrowserGymAgent:
    """The entry point. Options: see `read_options`."""
    return BrowserGymAgent(request, read_options(request.options))
