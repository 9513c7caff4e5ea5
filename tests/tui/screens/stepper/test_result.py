"""The result at the end of an episode, and the way to the next task."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from textual.containers import Vertical
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.recorded_page import HEADER, SCORE, TASK, episode
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from tests.tui.widgets.host import Host, text
from webbench.core.analysis.recorded.gold_trajectory import FILE, GoldTrajectory
from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import now
from webbench.tui.app import WorkbenchApp
from webbench.tui.commands import shown_key
from webbench.tui.destinations import Stepper, TaskList, go_to
from webbench.tui.opening import Opening
from webbench.tui.screens.stepper.result import ResultScreen
from webbench.tui.screens.stepper.stepper import StepperScreen
from webbench.tui.widgets.lists.text_rows import Entry, TextRows

ENDED = msgspec.structs.replace(HEADER, end_reason="the actor stopped", steps=3, score=SCORE)
OTHER = msgspec.structs.replace(TASK, name="open-product")


async def end(pilot: Pilot[None], link: SilentLink) -> str:
    """End the episode that is open; what the result says."""
    for event in episode():
        link.happen(event)
    link.happen(messages.EpisodeEnded(header=ENDED))
    await until(pilot, lambda: isinstance(pilot.app.screen, ResultScreen))
    await until(pilot, lambda: bool(pilot.app.screen.query_one(TextRows).entries))
    return "\n".join(f"{one.label}: {one.text}" for one in pilot.app.screen.query_one(TextRows).entries)


def ways(pilot: Pilot[None]) -> str:
    """What the keys of the result do."""
    shown = pilot.app.screen.query_one(".ways", Static).content
    return str(shown)


async def go_on(pilot: Pilot[None], link: SilentLink, task: Task) -> None:
    """To the next in the list, which is this one."""
    await pilot.press("n")
    instance = task.instance or 0
    read = catalogue_messages.ReadTask(benchmark="demo", name=task.name, instance=instance)
    await until(pilot, lambda: read in link.sent)
    link.happen(catalogue_messages.TaskRead(task=task))
    app = pilot.app
    await until(pilot, lambda: isinstance(link.sent[-1], messages.StartEpisode))
    await until(pilot, lambda: isinstance(app.screen, StepperScreen) and not app.screen.state.ended)


async def test_the_result_explains_and_next_goes_through_the_marked_tasks_to_the_last(tmp_path: Path) -> None:
    store = Store(tmp_path)
    best = store.recorder(
        store.start_run("demo", "oracle", 1), msgspec.structs.replace(HEADER, actor="oracle")
    )
    best.finish(msgspec.structs.replace(SCORE, value=1.0), "the actor stopped")
    gold = GoldTrajectory(
        benchmark="demo",
        task=TASK.id,
        run=best.folder.parent.name,
        episode=best.folder.name,
        by="ann",
        at=now(),
        note="as it is meant",
    )
    (tmp_path / FILE).write_bytes(msgspec.json.encode(gold) + b"\n")
    store.close()
    link = SilentLink()
    opening = Opening(store=tmp_path, benchmark="demo")
    app = WorkbenchApp(opening, Settings(), link=link)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await first_screen(pilot)
        tasks = TaskList((("camp-mugs", 0), ("open-product", 2)), marked=True)
        go_to(app.screen, Stepper(TASK, opening, tasks))
        await until(pilot, lambda: isinstance(app.screen, StepperScreen))
        told = await end(pilot, link)
        assert "colour: 0.000  is 'moss', not 'cream'\n : actual \"moss\", expected \"cream\"" in told
        keys = app.screen.query_one(".ways").region
        assert keys.bottom < app.screen.size.height - 1
        assert keys.y <= app.screen.query_one(TextRows).region.bottom + 2
        assert "product" not in told, "what passed is not explained"
        assert "best human: 0.333 in 2 steps, this episode" in told
        assert f"gold trajectory: {gold.name}, named by ann: as it is meant" in told
        assert f"best agent: 1.000 in 0 steps, oracle, {best.folder.parent.name}/" in told
        assert "next task, open-product, last of 2 marked" in ways(pilot)
        await go_on(pilot, link, OTHER)
        await end(pilot, link)
        assert "n next, instance 2 of 2" in ways(pilot)
        await go_on(pilot, link, msgspec.structs.replace(OTHER, instance=1))
        await end(pilot, link)
        assert app.screen.query_one(Vertical).border_title == (
            "Result: camp-mugs (instance 2 of 2, last of 2 marked)"
        )
        await pilot.press("n")
        await until(pilot, lambda: any("last of 2 marked" in one.message for one in app._notifications))
        await pilot.press("q")
        await until(pilot, lambda: len(app.screen_stack) == 2)


@pytest.mark.parametrize("width", [60, 80, 100])
async def test_no_line_ends_between_a_key_and_where_it_leads_to(width: int) -> None:
    ways = {"again": "again", "trajectory": "trajectory", "compare": "compare with the best, 1.000 by oracle"}
    ways |= {"label": "label", "back": "library", "close": "the page"}
    app = Host()
    async with app.run_test(size=(width, 24)) as pilot:
        app.push_screen(ResultScreen("Result", [Entry("score", "1.000")], ways, {}))
        await until(pilot, lambda: app.screen.query_one(".ways").size.width > 0)
        shown = [f"{shown_key(app.screen.app, f'result.{name}')} {words}" for name, words in ways.items()]
        await until(pilot, lambda: all(one in text(app) for one in shown))
