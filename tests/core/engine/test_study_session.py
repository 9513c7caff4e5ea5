"""What the engine does for a study: its run, its limit, pauses, ends with a score, a person's own window."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.core.engine.session.test_session import TASK, Sitting, sitting
from webbench.core.action.action import Click, Stop
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.engine.wire import messages
from webbench.core.score.score import Status
from webbench.core.store.records.reader import read_run
from webbench.core.trajectory import IN_THE_WINDOW

pytestmark = pytest.mark.browser


async def begin(one: Sitting, **more: object) -> str:
    """A study's run with one planned task, and its episode begun."""
    run = one.store.start_run(benchmark="demo", agent="human", planned=1, task_ids=(TASK.id,))
    start = messages.StartEpisode(benchmark="demo", task=TASK, run=run, live_score=False)
    await one.do(msgspec.structs.replace(start, **more))
    return run


async def test_what_is_given_up_is_scored_as_it_is(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        run = await begin(one, step_limit=7, annotator="ada")
        assert not [event for event in one.events if isinstance(event, messages.Scored)]
        await one.do(messages.FinishEpisode(reason="gave up: no idea"))
        header = one.last(messages.EpisodeEnded).header
        assert (header.run, header.end_reason, header.settings["step_limit"]) == (run, "gave up: no idea", 7)
        assert header.settings["annotator"] == "ada"
        assert header.score is not None
        assert (header.score.status, header.score.value) == (Status.SCORED, 0.0)
        assert read_run(one.store.root / run).planned == 1


async def test_what_a_person_did_in_the_window_is_recorded(chromium: Browser, tmp_path: Path) -> None:
    async with sitting(tmp_path, chromium) as one:
        await begin(one)
        await one.do(messages.PauseEpisode(), messages.GoOn(), messages.Witness())
        assert one.last(messages.StepRecorded).step.index == 0
        environment = one.session.episode.environment if one.session.episode else None
        assert isinstance(environment, BrowserEnvironment)
        assert environment._tabs is not None
        assert environment._tabs.active is not None
        driven = environment._tabs.active.page
        assert isinstance(driven, PlaywrightPage)
        page = driven.page
        await page.click("text=Outdoor")
        await page.wait_for_load_state()
        await one.do(messages.Witness())
        step = one.last(messages.StepRecorded).step
        assert (step.index, step.text, step.actor, step.ok) == (1, 'click link "Outdoor"', "human", True)
        assert isinstance(step.action, Click)
        assert step.observation

        await page.goto("about:blank")
        await one.do(messages.Witness(), messages.Witness())
        step = one.last(messages.StepRecorded).step
        assert (step.index, step.text, step.action) == (2, IN_THE_WINDOW, None)
        await one.do(messages.SendAction(text="stop [done]"))
        assert isinstance(one.last(messages.StepRecorded).step.action, Stop)
        assert one.last(messages.EpisodeEnded).header.actor == "human"
