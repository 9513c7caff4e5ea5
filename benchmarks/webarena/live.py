"""Reading from a live episode what its score needs; scoring it is the pure evaluator's part.

Answer and address are read after every step. What pages hold is read at the end, in a page beside the
actor's tabs: going there takes seconds, and the actor's own page is never navigated or changed.
"""

from __future__ import annotations

import asyncio

from webbench.benchmarks.webarena.evaluate import WebArenaEvaluator, kinds_of
from webbench.benchmarks.webarena.locate import is_last, read_target
from webbench.benchmarks.webarena.page_contents import PROBLEM
from webbench.benchmarks.webarena.sites import fill
from webbench.benchmarks.webarena.stage import WebArenaStage
from webbench.core.environment import Environment, SecondPage
from webbench.core.errors import EnvironmentDown, UsageError, WebbenchError
from webbench.core.json_types import Json, JsonObject
from webbench.core.task import Stage

AT_THE_END = "checked at the end"
READ_TIMEOUT = 5.0


class LiveEvaluator(WebArenaEvaluator):
    """The evaluator with its live half."""

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """See `WebArenaEvaluator` for the evidence. Nothing of it is a secret."""
        if not isinstance(stage, WebArenaStage):
            raise UsageError("WebArena's evaluator needs a stage of WebArena")
        evidence: JsonObject = {"answer": answer, "sites": stage.addresses}
        try:
            evidence["url"] = await _address(environment)
        except WebbenchError as error:
            evidence["url_problem"] = error.message
        if "program_html" in (kinds_of(stage.task.gold) or ()):
            evidence |= await _pages(environment, stage)
        return evidence


async def _address(environment: Environment) -> str:
    try:
        return str(await asyncio.wait_for(environment.probe("() => location.href"), READ_TIMEOUT))
    except TimeoutError as error:
        raise EnvironmentDown("the page did not tell its address") from error


async def _pages(environment: Environment, stage: WebArenaStage) -> JsonObject:
    """The evidence on pages: what each target locates, or why nothing was read."""
    targets: Json = fill(stage.task.gold.get("program_html"), stage.addresses)
    if not isinstance(targets, list):
        return {}
    if not stage.thorough:
        return {"pages": [{PROBLEM: AT_THE_END} for _ in targets]}
    try:
        async with environment.second_page() as page:
            await page.mirror()
            pages = [await _read(page, target) for target in targets]
            return {"pages": pages, "url_after_pages": page.url}
    except WebbenchError as error:
        return {"pages": [{PROBLEM: error.message} for _ in targets]}


async def _read(page: SecondPage, target: Json) -> JsonObject:
    """What one target locates, or why that can't be told; the others are read all the same.

    Preparations are clicks that only the page's own scripts can answer, so the actor's address is opened
    anew for them; whatever else is read there is read from the copy of the actor's page.
    """
    try:
        if is_last(target) and target.get("prep_actions"):
            await page.goto(page.url)
        return await read_target(page, target, wait=0)
    except WebbenchError as error:
        return {PROBLEM: error.message}
