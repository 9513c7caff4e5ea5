"""WebArena's recorded functions, answered by our evaluator under the published rules."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from functools import cached_property
from typing import Any

import msgspec

from tests.benchmarks.webarena.live_pages import LivePage, new_context
from tests.parity.compare import PENDING, NotHere
from tests.parity.id_actions import actions_equivalent, extract_action, parse_id_action
from tests.shared import MISSING, shared_folder
from webbench.benchmarks.webarena.live.locate import Located, locate
from webbench.benchmarks.webarena.scoring import page_contents
from webbench.benchmarks.webarena.scoring.evaluate import WebArenaEvaluator
from webbench.benchmarks.webarena.scoring.final_address import reddit_post_url
from webbench.benchmarks.webarena.scoring.reference_match import clean_answer, exact_match, must_include
from webbench.core.browser.launch import launch
from webbench.core.errors import BadData
from webbench.core.judge import REPLIES, Reply
from webbench.core.score.score import Check, Score, Status
from webbench.core.task import Task

Json = Any

CODE_STYLE = "the code-style action grammar is not part of this product"
MISSING_PAGE = "<html><body>not found</body></html>"


def open_adapter() -> WebArenaAdapter:
    return WebArenaAdapter()


class WebArenaAdapter:
    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._stack = contextlib.AsyncExitStack()
        self._context: Any = None
        self._html: dict[str, str] = {}
        self._functions: dict[str, Callable[..., Json]] = {
            "clean_answer": clean_answer,
            "exact_match": lambda ref, pred: exact_match(ref, pred),
            "must_include": lambda ref, pred, tokenize: must_include(ref, pred, tokenise=tokenize),
            "string_evaluator": string_evaluator,
            "string_evaluator_trajectory": string_evaluator_trajectory,
            "url_evaluator": url_evaluator,
            "reddit_post_url": reddit_post_url,
            "required_contents": lambda located, required_contents: contents_value(
                located, required_contents
            ),
            "html_content_evaluator": lambda **given: self._in_browser(**given, own_tabs=False),
            "html_content_evaluator_libwebarena": lambda **given: self._in_browser(**given, own_tabs=True),
            "combined_evaluator": lambda **given: self._in_browser(**given, own_tabs=False),
            "combined_evaluator_libwebarena": lambda **given: self._in_browser(**given, own_tabs=True),
            "parse_id_action": lambda action: msgspec.to_builtins(parse_id_action(action)),
            "action_equivalent": lambda a, b: actions_equivalent(parse_id_action(a), parse_id_action(b)),
            "extract_action": lambda response, url_map: extract_action(response, url_map),
        }

    def run(self, function: str, arguments: dict[str, Json]) -> Json:
        if function.startswith("parse_playwright") or function == "action_to_string":
            raise NotHere(CODE_STYLE)
        return self._functions[function](**arguments)

    def close(self) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.close()

    @cached_property
    def _pages(self) -> dict[str, str]:
        """The table that rows name "@pages"."""
        folder = shared_folder()
        if folder is None:
            raise NotHere(MISSING)
        with (folder / "parity" / "webarena.jsonl").open(encoding="utf-8") as lines:
            tables = [row["expected"] for row in map(json.loads, lines) if row["function"] == "@pages"]
        return dict(tables[0])

    def _in_browser(
        self,
        pages: Json,
        last_url: str,
        own_tabs: bool,
        program_html: Json = None,
        answer: str | None = None,
        eval: Json = None,
    ) -> Json:
        gold = eval if eval is not None else {"eval_types": ["program_html"], "program_html": program_html}
        html = self._pages if pages == "@pages" else pages
        evidence: dict[str, Json] = {"url": last_url, "answer": answer}
        if "program_html" in (gold.get("eval_types") or ()):
            located = self._runner.run(self._located(html, last_url, gold.get("program_html"), own_tabs))
            evidence |= msgspec.to_builtins(located)
        if own_tabs:
            evidence.pop("url_after_pages", None)
        return value_of(score(gold, evidence))

    async def _located(self, html: dict[str, str], last_url: str, targets: Json, own_tabs: bool) -> Located:
        self._html = html
        if self._context is None:
            browser = await self._stack.enter_async_context(launch())
            self._context = await new_context(browser)
            await self._context.route("**/*", self._answer)
        page = LivePage(await self._context.new_page())
        try:
            await page.goto(last_url)
            open_tab = page.beside if own_tabs else None
            return await locate(page, targets, open_tab=open_tab, wait=0)
        finally:
            await page.close()

    async def _answer(self, route: Any) -> None:
        known = self._html.get(route.request.url)
        await route.fulfill(
            status=404 if known is None else 200, body=known or MISSING_PAGE, content_type="text/html"
        )


def string_evaluator(reference_answers: Json, answer: Json, llm_reply: str | None = None) -> Json:
    gold = {"eval_types": ["string_match"], "reference_answers": reference_answers, "string_note": ""}
    evidence: dict[str, Json] = {"answer": answer}
    if llm_reply is not None:
        evidence[REPLIES] = {
            question.key: msgspec.to_builtins(Reply(text=llm_reply))
            for question in WebArenaEvaluator().questions(task(gold), evidence)
        }
    return value_of(score(gold, evidence))


def string_evaluator_trajectory(trajectory: list[Json], reference_answers: Json) -> Json:
    """An actor that did nothing gave no answer."""
    if not trajectory or not isinstance(trajectory[-1], dict):
        raise BadData("the trajectory doesn't end with an action, so there is no answer")
    return string_evaluator(reference_answers, trajectory[-1].get("answer"))


def url_evaluator(pred_url: str, reference_url: str, url_note: str | None) -> Json:
    noted = {} if url_note is None else {"url_note": url_note}
    gold = {"eval_types": ["url_match"], "reference_url": reference_url, **noted}
    return value_of(score(gold, {"url": pred_url}))


def contents_value(located: Json, required_contents: Json) -> Json:
    return check_value(page_contents.required_contents(located, required_contents))


def task(gold: dict[str, Json]) -> Task:
    return Task(benchmark="webarena", name="recorded", intent="a recorded task", gold=gold)


def score(gold: dict[str, Json], evidence: dict[str, Json]) -> Score:
    return WebArenaEvaluator().score(task(gold), evidence)


def value_of(found: Score) -> Json:
    """The score's value; a pending score is told as such, and one that failed raises."""
    if found.status is Status.PENDING:
        return PENDING
    if found.status is not Status.SCORED:
        raise BadData(found.reason)
    return found.value


def check_value(check: Check) -> Json:
    if check.status is not Status.SCORED:
        raise BadData(check.why)
    return check.value
