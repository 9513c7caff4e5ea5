"""The evaluator with its live half: reading from an episode what its score needs.

Answer and address are read after every step. What pages hold, and what was exchanged with the sites, is read
at the end; pages in one beside the actor's tabs, whose own page is never navigated or changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.benchmarks.webarena.live.locate import read_pages
from webbench.benchmarks.webarena.scoring.evaluate import WebArenaEvaluator, kinds_of
from webbench.benchmarks.webarena.scoring.page_contents import PROBLEM
from webbench.benchmarks.webarena.scoring.rules import LIVE_RULE_SETS, PUBLISHED, VERIFIED
from webbench.benchmarks.webarena.sites import fill
from webbench.benchmarks.webarena.stage import WebArenaStage, is_verified
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import Environment
from webbench.core.errors import EnvironmentDown, UsageError, WebbenchError
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.score.rule_sets import unknown_rules
from webbench.core.score.score import Score, not_scored
from webbench.core.task import Task
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    from webbench.benchmarks.webarena.verified.evaluate import VerifiedEvaluator

AT_THE_END = "checked at the end"
READ_TIMEOUT = 5.0


class LiveEvaluator(WebArenaEvaluator):
    """Of both editions: a task of WebArena-Verified has evidence and rules of its own."""

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """See `WebArenaEvaluator` and `VerifiedEvaluator` for the evidence.

        Headers that hold credentials are left out of it. What pages, forms and answers hold is in it, and
        known passwords are replaced when it is recorded.
        """
        if not isinstance(stage, WebArenaStage):
            raise UsageError("WebArena's evaluator needs a stage of WebArena")
        evidence: JsonObject = {"sites": stage.addresses}
        try:
            evidence["url"] = await _address(environment)
        except WebbenchError as error:
            evidence["url_problem"] = error.message
        if is_verified(stage.task):
            return evidence | {"response": answer} | await _events(stage)
        evidence["answer"] = answer
        if "program_html" in (kinds_of(stage.task.gold) or ()):
            evidence |= await _pages(environment, stage)
        return evidence

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:
        return () if is_verified(task) else super().questions(task, evidence, rules)

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """A verified task is scored by its own rules, whatever rules the others are scored by."""
        if rules not in LIVE_RULE_SETS:
            return unknown_rules(rules, LIVE_RULE_SETS)
        if is_verified(task):
            return _verified().score(task, evidence, VERIFIED)
        if rules == VERIFIED:
            why = f"task {task.name} is none of WebArena-Verified, whose tasks alone these rules score"
            return not_scored(why, rules=rules)
        return super().score(task, evidence, rules)


def _verified() -> VerifiedEvaluator:
    from webbench.benchmarks.webarena.verified.evaluate import VerifiedEvaluator

    return VerifiedEvaluator()


async def _address(environment: Environment) -> str:
    try:
        async with time_limit(READ_TIMEOUT):
            return str(await environment.probe("() => location.href"))
    except TimeoutError as error:
        raise EnvironmentDown("the page did not tell its address") from error


async def _events(stage: WebArenaStage) -> JsonObject:
    from webbench.benchmarks.webarena.verified.episode_events import events_of

    if stage.setup.exchanges is None or not stage.thorough:
        return {"events_problem": AT_THE_END}
    return {"har_events": events_of(await stage.setup.exchanges.read(), stage.task)}


async def _pages(environment: Environment, stage: WebArenaStage) -> JsonObject:
    """The evidence on pages: what each target locates, or why nothing was read."""
    targets: Json = fill(stage.task.gold.get("program_html"), stage.addresses)
    if not isinstance(targets, list):
        return {}
    if not stage.thorough:
        return {"pages": [{PROBLEM: AT_THE_END} for _ in targets]}
    try:
        async with environment.second_page() as page:
            return await read_pages(page, targets, stage.ask_shop)
    except WebbenchError as error:
        return {"pages": [{PROBLEM: error.message} for _ in targets]}
