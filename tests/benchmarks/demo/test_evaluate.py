"""Scoring recorded evidence, and collecting it."""

from __future__ import annotations

import copy
from typing import cast

import pytest

from tests.benchmarks.demo.sites import episode
from webbench.benchmarks.demo.benchmark import create
from webbench.core.environment import Environment
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Status

BENCHMARK = create()
TASKS = {task.id: task for task in BENCHMARK.tasks()}
FIELDS = {"sentiment": "Positive", "topic": "Quality", "problems": [], "quote": "", "certainty": "50"}


def evidence_at_start(task_id: str) -> JsonObject:
    task = TASKS[task_id]
    with episode(task.data["start"]) as visitor:
        page = {"path": task.data["open"][0], "query": "", "form": "", "fields": {}}
        return {"answer": "", "page": page, **visitor.state()}


@pytest.mark.parametrize("task_id", TASKS)
def test_untouched_start_scores_nothing(task_id: str) -> None:
    score = BENCHMARK.evaluator.score(TASKS[task_id], evidence_at_start(task_id))
    assert score.status is Status.SCORED
    assert score.value == 0
    assert score.metrics == {"success": 0}


def test_scoring_is_pure() -> None:
    evidence = evidence_at_start("camp-mugs")
    before = copy.deepcopy(evidence)
    first = BENCHMARK.evaluator.score(TASKS["camp-mugs"], evidence)
    assert BENCHMARK.evaluator.score(TASKS["camp-mugs"], evidence) == first
    assert evidence == before


def test_open_form_counts_until_something_is_sent() -> None:
    task, evidence = TASKS["review-sentiment#0"], evidence_at_start("review-sentiment#0")
    evidence["page"] |= {"form": "review-sentiment/0", "fields": FIELDS}
    assert BENCHMARK.evaluator.score(task, evidence).value == pytest.approx(2 / 6)
    evidence["annotation"]["submitted"] = {"review-sentiment/0": {**FIELDS, "topic": "Price"}}
    score = BENCHMARK.evaluator.score(task, evidence)
    assert {check.target: check.value for check in score.checks} == {
        "sentiment": 1, "topic": 0, "problems": 0, "quote": 0, "certainty": 0, "submitted": 1,
    }  # fmt: skip


def test_form_of_another_item_does_not_count() -> None:
    evidence = evidence_at_start("review-sentiment#0")
    evidence["page"] |= {"form": "review-sentiment/1", "fields": FIELDS}
    assert BENCHMARK.evaluator.score(TASKS["review-sentiment#0"], evidence).value == 0


@pytest.mark.parametrize("task_id", ["open-product", "receipt#0", "birthday-present"])
def test_unreadable_page_is_not_scored(task_id: str) -> None:
    evidence = evidence_at_start(task_id)
    del evidence["page"]
    evidence["page_problem"] = "the tab crashed"
    score = BENCHMARK.evaluator.score(TASKS[task_id], evidence)
    assert score.status is Status.NOT_SCORED
    assert score.value is None
    assert "the tab crashed" in score.reason


def test_changing_too_much_costs() -> None:
    task, evidence = TASKS["moved-house"], evidence_at_start("moved-house")
    evidence["shop"]["account"] |= {
        "street": "Hamngatan 12", "postcode": "411 14", "city": "Gothenburg",
        "phone": "+46 31 555 04 10", "newsletter": 0,
    }  # fmt: skip
    assert BENCHMARK.evaluator.score(task, evidence).value == 1
    evidence["shop"]["account"]["email"] = "else@where.example"
    assert BENCHMARK.evaluator.score(task, evidence).value == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    "evidence", [{}, {"shop": 1}, {"shop": {"cart": [{"product": "x"}]}}, {"shop": None}]
)
@pytest.mark.parametrize("task_id", ["camp-mugs", "birthday-present", "receipt#0", "open-product"])
def test_damaged_evidence_gives_a_reason_and_no_value(task_id: str, evidence: JsonObject) -> None:
    score = BENCHMARK.evaluator.score(TASKS[task_id], evidence)
    if score.status is not Status.SCORED:
        assert score.value is None
        assert score.reason
    else:
        assert score.value == 0


class Page:
    """An environment of which only `probe` is asked."""

    def __init__(self, answer: Json) -> None:
        self.answer = answer

    async def probe(self, script: str, argument: Json = None) -> Json:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


async def collected(task_id: str, answer: Json) -> JsonObject:
    async with BENCHMARK.stage(TASKS[task_id]) as stage:
        if isinstance(answer, dict):
            answer = {**answer, "path": stage.setup.start_urls[0].partition("/shop")[0] + answer["path"]}
            answer["path"] = answer["path"].removeprefix(stage.setup.passthrough[0].rstrip("/"))
        return await BENCHMARK.evaluator.collect(cast("Environment", Page(answer)), stage, "42")


async def test_collect_leaves_the_token_out() -> None:
    found = {"path": "/shop/product/skerry-enamel-kettle", "query": "", "form": "", "fields": {}}
    evidence = await collected("open-product", found)
    assert evidence["page"] == found
    assert evidence["answer"] == "42"
    assert BENCHMARK.evaluator.score(TASKS["open-product"], evidence).value == 1


async def test_collect_records_why_a_page_could_not_be_read() -> None:
    evidence = await collected("open-product", EnvironmentDown("the tab crashed"))
    assert "page" not in evidence
    assert evidence["page_problem"] == "the tab crashed"


async def test_collect_asks_the_page_only_where_a_task_needs_it() -> None:
    evidence = await collected("camp-mugs", AssertionError("not needed"))
    assert "page" not in evidence


async def test_stage_reaches_nothing_but_its_server() -> None:
    from webbench.core.environment import NetworkRequest

    async with BENCHMARK.stage(TASKS["open-product"]) as stage:
        assert stage.setup.request_filter is not None
        request = NetworkRequest("https://shop.example/", "GET", "document")
        assert (await stage.setup.request_filter(request)).decision == "abort"
        (prefix,) = stage.setup.passthrough
        assert prefix.startswith("http://127.0.0.1:")
        assert all(url.startswith(prefix) for url in stage.setup.start_urls)
