"""Which pages are walls, and which only look like one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Site
from webbench.benchmarks.common.blocked import LITTLE_TEXT, NOT_EXECUTABLE, PageSigns, blocked
from webbench.benchmarks.common.judged_stage import collected, live_site
from webbench.benchmarks.online_mind2web.scoring.evaluate import OnlineMind2WebEvaluator
from webbench.benchmarks.webvoyager.scoring.evaluate import WebVoyagerEvaluator
from webbench.core.action.action import Goto, Noop
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.score.score import Status
from webbench.core.task import Task

LONG = "An article about robots. " * 100


@pytest.mark.parametrize(
    ("signs", "wall"),
    [
        ({"status": 200, "title": "Shoes", "text": "Red shoes"}, ""),
        ({"status": 404, "title": "Not found"}, ""),
        ({"status": 403}, "refused"),
        ({"status": 429}, "too many requests"),
        ({"title": "Just a moment..."}, "captcha"),
        ({"text": "Please VERIFY you are human to go on."}, "captcha"),
        ({"text": LONG + "verify you are human"}, ""),
        ({"text": "Sign in", "selectors": ("#px-captcha",)}, "captcha"),
        ({"text": LONG, "selectors": ("#px-captcha",)}, ""),
        ({"title": "Access Denied"}, "access denied"),
        ({"text": LONG, "walls": ("#onetrust-consent-sdk",)}, "consent wall"),
        ({"title": "Before you continue to Search"}, "consent wall"),
    ],
)
def test_a_wall_is_told_by_status_title_or_little_else(signs: dict[str, Any], wall: str) -> None:
    assert len(LONG) > LITTLE_TEXT
    assert blocked(PageSigns(url="https://shop.example/", **signs)).partition(":")[0] == wall


async def test_a_wall_before_a_judged_site_is_told_and_ends_the_episode(
    environment: BrowserEnvironment, serve: Site
) -> None:
    serve.pages["/"] = b"<title>Just a moment...</title><a href=/in>In</a>"
    serve.pages["/in"] = b"<title>Shop</title>Welcome"
    async with live_site(serve.url, None) as stage:
        await environment.reset(stage.setup)
        task = Task(benchmark="webvoyager", name="Shop--0", intent="Buy a mug")
        for left in (2, 1, 0):
            result = await environment.act(Noop(seconds=0))
            await stage.acted(environment, result)
            assert bool(await stage.ended(await environment.observe())) == (left == 0)
        evidence = await collected(stage, environment, "There are none")
        score = WebVoyagerEvaluator().score(task, evidence)
        assert score.status is Status.NOT_SCORED
        assert score.reason.startswith(f"{NOT_EXECUTABLE}: captcha")
        assert OnlineMind2WebEvaluator().score(task, evidence).reason == score.reason
        await environment.act(Goto(url=f"{serve.url}in"))
        assert "wall" not in await collected(stage, environment, "")
