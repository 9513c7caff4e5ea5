"""Scoring a live episode: what is read, when, and that the actor's page doesn't notice."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.conftest import Site
from webbench.benchmarks.webarena.live.live_evaluator import AT_THE_END, LiveEvaluator
from webbench.benchmarks.webarena.stage import WebArenaStage, lasting_stage
from webbench.core.action.action import Click, ElementRef, Type
from webbench.core.browser.acting.settle import Patience
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Score, Status
from webbench.core.task import Task

FORM = """<title>Form</title><p id=state>fresh</p>
<label>Price <input name=price value=1></label> <select id=size><option>S<option>L</select>
<input type=checkbox id=agree> <textarea id=note>old</textarea>
<button onclick="document.querySelector('#state').textContent = 'clicked'">Go</button>
<button id=fold onclick="this.insertAdjacentHTML('afterend', '<b id=hidden>unfolded</b>')">More</button>
<script>document.body.dataset.loads = Number(document.body.dataset.loads || 0) + 1</script>"""
PRICE = "document.querySelector('[name=\"price\"').value"


def target(locator: str, wanted: str, url: str = "last", **more: Any) -> JsonObject:
    return {"url": url, "locator": locator, "required_contents": {"exact_match": wanted}, **more}


def task(*targets: JsonObject, kinds: tuple[str, ...] = ("program_html",), **gold: Any) -> Task:
    return Task(
        benchmark="webarena",
        name="1",
        split="test",
        data={"sites": ["shopping"], "start_url": "__SHOPPING__/"},
        gold={"eval_types": list(kinds), "program_html": list(targets), **gold},
    )


@asynccontextmanager
async def opened(
    environment: BrowserEnvironment, serve: Site, task: Task, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[WebArenaStage]:
    monkeypatch.setenv("SHOPPING", serve.url)
    async with lasting_stage(task) as stage:
        await environment.reset(stage.setup)
        yield stage


async def finished(environment: BrowserEnvironment, stage: WebArenaStage) -> tuple[JsonObject, Score]:
    """Evidence at the end, as a record would give it back, and its score."""
    stage.thorough = True
    evidence = json.loads(json.dumps(await LiveEvaluator().collect(environment, stage, "")))
    return evidence, LiveEvaluator().score(stage.task, evidence)


def located(evidence: JsonObject) -> list[str]:
    return [
        next(page[key] for key in ("located", "problem", "fault") if key in page)
        for page in evidence["pages"]
    ]


async def act(environment: BrowserEnvironment, role: str, name: str, text: str = "") -> None:
    node = next(n for n in (await environment.observe()).nodes if n.role == role and n.name == name)
    ref = ElementRef(id=node.id)
    assert (await environment.act(Type(target=ref, text=text) if text else Click(target=ref))).ok


async def test_what_the_actor_typed_is_read_without_touching_the_page(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(FORM)
    wanted = task(
        target(PRICE, "42"),
        target("document.querySelector('#state').outerText", "clicked"),
        target("document.querySelector('#note').textContent", "old"),
    )
    async with opened(environment, serve, wanted, monkeypatch) as stage:
        await act(environment, "textbox", "Price", "42")
        await act(environment, "button", "Go")
        asked = len(serve.asked)
        evidence, score = await finished(environment, stage)
        assert (located(evidence), score.value) == (["42", "clicked", "old"], 1.0)
        assert len(serve.asked) == asked
        state = "() => [document.body.dataset.loads, document.querySelector('[name=price]').value]"
        assert await environment.probe(state) == ["1", "42"]
        assert len((await environment.observe()).tabs) == 1


async def test_pages_wait_for_the_end(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(FORM)
    wanted = task(
        target(PRICE, "1"),
        target("document.querySelector('#p').outerText", "there", "__SHOPPING__/orders"),
        kinds=("url_match", "program_html"),
        reference_url="__SHOPPING__/orders",
    )
    serve("<p id=p>there", "/orders")
    async with opened(environment, serve, wanted, monkeypatch) as stage:
        early = await LiveEvaluator().collect(environment, stage, "")
        score = LiveEvaluator().score(stage.task, early)
        assert (score.status, score.reason) == (Status.NOT_SCORED, AT_THE_END)
        assert [check.value for check in score.checks] == [0.0, None]
        assert "/orders" not in serve.asked
        evidence, score = await finished(environment, stage)
        assert located(evidence) == ["1", "there"]
        assert evidence["url_after_pages"].endswith("/orders")
        assert [check.value for check in score.checks] == [0.0, 1.0]
        assert (await environment.observe()).url == serve.url


async def test_preparations_work_on_a_page_of_their_own(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(FORM)
    click = "document.querySelector('#fold').click()"
    unfolded = target("document.querySelector('#hidden').outerText", "unfolded", prep_actions=[click])
    async with opened(environment, serve, task(unfolded), monkeypatch) as stage:
        evidence, score = await finished(environment, stage)
        assert (located(evidence), score.value) == (["unfolded"], 1.0)
        assert await environment.probe("() => document.querySelector('#hidden')") is None


async def test_the_packaged_port_reads_later_targets_where_the_actor_is(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve("<p id=p>here")
    serve("<p id=p>there", "/b")
    text = "document.querySelector('#p').outerText"
    wanted = task(target(text, "there", "__SHOPPING__/b"), target(text, "here"))
    async with opened(environment, serve, wanted, monkeypatch) as stage:
        evidence, score = await finished(environment, stage)
        assert located(evidence) == ["there", "there"]
        assert {score.rules: score.value, **{s.rules: s.value for s in score.beside}} == {
            "published": 0.0,
            "paper": 0.0,
            "libwebarena": 1.0,
        }
        chosen = LiveEvaluator().score(stage.task, evidence, "libwebarena")
        assert (chosen.value, chosen.checks[0].clause[:5]) == (1.0, "pages")


async def test_targets_that_misbehave_harm_neither_the_others_nor_the_actor(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(FORM)
    serve("<script>alert('hello'); window.open('/')</script><p id=p>talkative", "/talkative")
    wanted = task(
        target("window.secret", ""),
        target(PRICE, "1", prep_actions=["fetch('/orders')"]),
        target("func:os_system('ls')", ""),
        target(PRICE, "1", "http://127.0.0.1:1/"),
        target("document.querySelector('#p').outerText", "talkative", "__SHOPPING__/talkative"),
        target("document.defaultView.eval('for (;;);')", ""),
        target(PRICE, "1"),
    )
    environment.patience = Patience(action=2)
    async with opened(environment, serve, wanted, monkeypatch) as stage:
        evidence, score = await finished(environment, stage)
        told = located(evidence)
        assert "neither JavaScript on the document" in told[0]
        assert "no JavaScript on the document" in told[1]
        assert "calls no known function" in told[2]
        assert "can't be opened" in told[3]
        assert told[4] == "talkative"
        assert "did not answer within" in told[5]
        below = [check.status for check in score.checks[0].checks]
        assert below == [
            *[Status.ERROR] * 3,
            Status.NOT_SCORED,
            Status.SCORED,
            Status.NOT_SCORED,
            Status.SCORED,
        ]
        assert score.status is Status.ERROR
        seen = await environment.observe()
        assert (seen.url, len(seen.tabs), seen.dialog) == (serve.url, 1, None)


async def test_a_page_that_is_gone_leaves_the_pages_unread(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve("<button onclick='setTimeout(() => alert(1))'>Ask</button>")
    async with opened(environment, serve, task(target(PRICE, "1")), monkeypatch) as stage:
        await act(environment, "button", "Ask")
        evidence, score = await finished(environment, stage)
        assert "a dialog holds the page up" in evidence["url_problem"] + located(evidence)[0]
        assert score.status is Status.NOT_SCORED
