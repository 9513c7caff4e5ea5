"""An environment made live: its process has begun it in its browser, which we join and act on.

After each action it is asked for its verdict, as its own `step` does it; the chat has what was said by then.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec

from webbench.benchmarks.browsergym.environment_process import PYTHONS, EnvironmentProcess, Silent
from webbench.benchmarks.browsergym.goal import cut, goal_pictures, goal_text
from webbench.benchmarks.browsergym.joined_browser import GymWorld, chromium_options, reached_browser
from webbench.benchmarks.browsergym.mends import Trouble, mend_of
from webbench.core.action.action import Action, Say, Stop
from webbench.core.agents.command.foreign_program import interpreter
from webbench.core.benchmark.benchmark import Stage
from webbench.core.browser.launch import Browser
from webbench.core.dialects.notations.browsergym_calls import INFEASIBLE
from webbench.core.environment import Environment, EnvironmentSetup, StepResult
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import DialogueTurn, Observation
from webbench.core.settings.load_settings import load_settings
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_clip

VALIDATE_SECONDS = 120.0
LONGEST_ROLE = 40
MOST_MESSAGES = 200
MOST_DISTURBED = 20


class _Said(msgspec.Struct, frozen=True):
    role: str
    text: str


class _Made(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to "make"."""

    goal: tuple[JsonObject, ...] = ()
    messages: tuple[_Said, ...] = ()
    url: str = ""


class _Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to "validate"."""

    reward: float
    done: bool
    infeasible: bool = False
    message: str = ""
    info: Json = None
    messages: tuple[_Said, ...] = ()
    disturbed: tuple[str, ...] = ()


class GymStage(Stage):
    """One environment with one seed.

    Attributes:
        asked: how often it was asked for its verdict.
        evidence: see `evaluate.Verdicts`.
    """

    def __init__(self, task: Task, process: EnvironmentProcess, made: _Made, browser: Browser) -> None:
        self.setup = EnvironmentSetup(
            joins=True, start_urls=(made.url or "about:blank",), search=load_settings().search_engine
        )
        self.environment = self._world = GymWorld(browser)
        self.pictures, lost = goal_pictures(made.goal)
        self.warnings: Sequence[str] = (lost,) if lost else ()
        self.asked = 0
        self.evidence: JsonObject = {"asked": 0}
        self._task = task
        self._process = process
        self._goal = goal_text(made.goal)
        self._given = len(made.messages)
        self._total = 0.0
        self._disturbed: list[str] = []
        self._over = ""

    async def opened(self) -> str:
        return self._goal

    async def acting(self, environment: Environment, action: Action) -> None:
        """What ends the episode is said, and judged, before it ends."""
        if isinstance(action, Stop):
            await self.ask(_said_by(action.answer))

    async def acted(self, environment: Environment, result: StepResult) -> None:
        said = result.action.text if isinstance(result.action, Say) else ""
        await self.ask([["assistant", said]] if said else [])

    async def ended(self, observation: Observation) -> str:
        return self._over

    async def ask(self, say: Sequence[Sequence[str]] = ()) -> None:
        """Have the environment judge the page as it stands. Never raises: what fails is told."""
        command: JsonObject = {
            "do": "validate",
            "active": self._world.active_target,
            "say": [[role, cut(text)] for role, text in say],
        }
        try:
            answer = await self._process.ask(command, VALIDATE_SECONDS)
            if "problem" in answer:
                raise EnvironmentDown(msgspec.convert(answer["problem"], Trouble).words)
            verdict = msgspec.convert(answer, _Verdict)
        except (WebbenchError, msgspec.ValidationError) as error:
            told = error.message if isinstance(error, WebbenchError) else f"it gave no verdict: {error}"
            self.evidence = {**self.evidence, "problem": f"the environment could not judge: {told}"}
            return
        self._take(verdict)

    def _take(self, verdict: _Verdict) -> None:
        self.asked += 1
        self._total += verdict.reward
        self._disturbed += [cut(one, 300) for one in verdict.disturbed]
        said = verdict.messages[self._given :]
        chat = [_Said(plain_clip(one.role, LONGEST_ROLE), cut(one.text)) for one in said[-MOST_MESSAGES:]]
        if len(said) > len(chat):
            chat.insert(0, _Said("left out", f"{len(said) - len(chat):,} earlier messages"))
        self._world.dialogue = tuple(
            DialogueTurn(index=index, speaker=one.role, text=one.text) for index, one in enumerate(chat)
        )
        self.evidence = {
            "asked": self.asked,
            "total": self._total,
            "last": verdict.reward,
            "done": verdict.done,
            "infeasible": verdict.infeasible,
            "message": cut(verdict.message),
            "info": verdict.info,
            "chat": [{"role": one.role, "text": one.text} for one in chat],
            "disturbed": self._disturbed[-MOST_DISTURBED:],
            "disturbances": len(self._disturbed),
        }
        if verdict.done:
            self._over = f"the environment ended the episode: reward {verdict.reward:g}"
        elif verdict.infeasible:
            self._over = "the actor reported that the task can't be done"


def _said_by(answer: str) -> list[list[str]]:
    """An answer as BrowserGym's chat has it; one that reports that a task can't be done has its own role."""
    if answer.startswith(INFEASIBLE.strip()):
        return [["infeasible", answer[len(INFEASIBLE) :].strip()]]
    return [["assistant", answer]] if answer else []


@asynccontextmanager
async def staged(task: Task, python: str, versions: dict[str, str]) -> AsyncIterator[GymStage]:
    """Begin the environment, join its browser, and end both. Raises `EnvironmentDown` with the mend.

    Args:
        versions: of the environment's software, for the record.
    """
    process = await EnvironmentProcess.start(python)
    try:
        made = await _made(process, task, python)
        browser = await reached_browser(process.folder, versions)
        try:
            yield GymStage(task, process, made, browser)
        finally:
            await browser.close()
    finally:
        await process.close()


async def _made(process: EnvironmentProcess, task: Task, python: str) -> _Made:
    command: JsonObject = {
        "do": "make",
        "id": task.data["id"],
        "module": task.data["module"],
        "seed": task.data["seed"],
        "chromium": chromium_options(load_settings()),
    }
    seconds = load_settings().browsergym.seconds
    try:
        answer = await process.ask(command, seconds)
        if "problem" in answer:
            trouble = msgspec.convert(answer["problem"], Trouble)
            told = f"{task.name} can't be begun: {trouble.words}"
            raise EnvironmentDown(told, mend_of(trouble, interpreter(python, PYTHONS)))
        return msgspec.convert(answer, _Made)
    except Silent as error:
        hint = "the setting browsergym.seconds gives it longer"
        raise EnvironmentDown(f"{task.name} can't be begun: {error.message}", hint) from error
    except msgspec.ValidationError as error:
        told = plain_clip(f"{task.name} can't be begun: it answered something else: {error}", 400)
        raise EnvironmentDown(told) from error
