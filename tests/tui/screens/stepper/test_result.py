"""The result at the end of an episode, and the way to the next task."""

from __future__ import annotations

from pathlib import Path

import msgspec
from textual.pilot import Pilot

from tests.tui.recorded_page import HEADER, SCORE, TASK, episode
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.core.engine.process import catalogue_messages, messages
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.tui.app import WorkbenchApp
from webbench.tui.destinations import Stepper, TaskList, go_to
from webbench.tui.opening import Opening
from webbench.tui.screens.stepper.result import ResultScreen
from webbench.tui.screens.stepper.stepper import StepperScreen
from webbench.tui.widgets.lists.text_rows import TextRows

ENDED = msgspec.structs.replace(HEADER, end_reason="the actor stopped", steps=3, score=SCORE)
OTHER = msgspec.structs.replace(TASK, name="open-product")


async def end(pilot: Pilot[None], link: SilentLink) -> str:
    """End the episode that is open; what the result says."""
    for event in episode():
        link.happen(event)
    link.happen(messages.EpisodeEnded(header=ENDED))
    await until(pilot, lambda: isinstance(pilot.app.screen, ResultScreen))
    return "\n".join(f"{one.label}: {one.text}" for one in pilot.app.screen.query_one(TextRows).entries)


async def test_the_result_explains_and_next_goes_through_the_marked_tasks_to_the_last(tmp_path: Path) -> None:
    store = Store(tmp_path)
    best = store.recorder(
        store.start_run("demo", "oracle", 1), msgspec.structs.replace(HEADER, actor="oracle")
    )
    best.finish(msgspec.structs.replace(SCORE, value=1.0), "the actor stopped")
    store.close()
    link = SilentLink()
    opening = Opening(store=tmp_path, benchmark="demo")
    app = WorkbenchApp(opening, Settings(), link=link)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await first_screen(pilot)
        go_to(app.screen, Stepper(TASK, opening, TaskList((("camp-mugs", 0), ("open-product", 0)), True)))
        await until(pilot, lambda: isinstance(app.screen, StepperScreen))
        told = await end(pilot, link)
        assert "colour: 0.000  is 'moss', not 'cream'\n : actual \"moss\", expected \"cream\"" in told
        keys = app.screen.query_one(".ways").region
        assert keys.bottom < app.screen.size.height - 1
        assert keys.y <= app.screen.query_one(TextRows).region.y + len(told.splitlines()) + 3
        assert "product" not in told, "what passed is not explained"
        assert "best human: 0.333 in 2 steps, this episode" in told
        assert f"best agent: 1.000 in 0 steps, oracle, {best.folder.parent.name}/" in told
        await pilot.press("n")
        read = catalogue_messages.ReadTask(benchmark="demo", name="open-product", instance=0)
        await until(pilot, lambda: read in link.sent)
        link.happen(catalogue_messages.TaskRead(task=OTHER))
        await until(pilot, lambda: isinstance(link.sent[-1], messages.StartEpisode))
        await until(pilot, lambda: isinstance(app.screen, StepperScreen) and not app.screen.state.ended)
        await end(pilot, link)
        await pilot.press("n")
        await until(pilot, lambda: any("last of 2 marked" in one.message for one in app._notifications))
        await pilot.press("q")
        await until(pilot, lambda: len(app.screen_stack) == 2)
