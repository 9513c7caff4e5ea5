"""The Trajectory screen over a recorded episode: scrubbing, both sides of a step, search, what is missing."""

from __future__ import annotations

from pathlib import Path

import msgspec
from textual.pilot import Pilot
from textual.widgets import ContentSwitcher

from tests.tui.recorded_page import NODES, PAGE, SCORE, TASK, picture
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest, until
from webbench.core.action.action import Click, ElementRef
from webbench.core.engine.wire import messages
from webbench.core.observation import Screenshot
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Seconds, Step
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.trajectory.episode_title import TrajectoryTitle
from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen
from webbench.tui.widgets.lines.time_strip import TimeStrip
from webbench.tui.widgets.lists.difference_list import DifferenceList
from webbench.tui.widgets.lists.messages_log import MessagesLog
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.widgets.picture.recorded_picture import RecordedPicture
from webbench.tui.widgets.score.score_tree import ScoreTree
from webbench.tui.widgets.tree.recorded_tree import NOT_RECORDED, RecordedTree

AT = "2026-01-01T00:00:00.000+00:00"
FULL = msgspec.structs.replace(
    PAGE, nodes=tuple(msgspec.structs.replace(one, name="Cart 1") if one.id == 5 else one for one in NODES)
)


def record(root: Path) -> Path:
    """Start, a click that fills the cart, and a step of which only the text was kept; its folder."""
    store = Store(root)
    run = store.start_run("demo", "robot", 1)
    header = EpisodeHeader(run="", episode="", task=TASK, actor="robot", dialect="webarena")
    recorder = store.recorder(run, header)
    shot = Screenshot(picture(), "png", 1280, 720)
    recorder.write(Step(index=0, at=AT, url=PAGE.url), observation=PAGE, screenshot=shot)
    clicked = Click(target=ElementRef(id=11, role="button", name="Add to cart"))
    recorder.write(
        Step(
            index=1,
            at=AT,
            actor="agent",
            text="click [11]",
            action=clicked,
            url=PAGE.url,
            reasoning="the mug goes into the cart",
            usage={"input_tokens": 1200, "cost": 0.25},
            seconds=Seconds(agent=2.0, environment=1.0),
            score=SCORE,
        ),
        observation=FULL,
        screenshot=shot,
    )
    recorder.write(
        Step(index=2, at=AT, actor="agent", text="click [99]", url=PAGE.url, seconds=Seconds(agent=1))
    )
    recorder.finish(SCORE, "it gave up")
    return root / run / recorder.header.episode


async def opened(pilot: Pilot[None], folder: Path) -> TrajectoryScreen:
    await first_screen(pilot)
    screen = TrajectoryScreen(Opening(store=folder.parent.parent), folder)
    await pilot.app.push_screen(screen)
    await until(pilot, lambda: bool(screen.query_one(RecordedTree).observation.nodes))
    return screen


async def test_one_scrubs_through_both_sides_of_every_step(tmp_path: Path) -> None:
    folder = record(tmp_path / "store")
    app = WorkbenchApp(Opening(store=tmp_path / "store", benchmark="demo"), Settings(), link=SilentLink())
    async with app.run_test(size=(160, 48)) as pilot:
        screen = await opened(pilot, folder)
        tree, shown = screen.query_one(RecordedTree), screen.query_one(RecordedPicture)
        assert (screen.scrubbing.place, tree.node and tree.node.id) == (1, 11), "it opens at the first action"
        assert (shown.mark.word, shown.mark.aim.node) == ("click", 11)
        assert [one.text for one in screen.query_one("#model", TextRows).entries][:2] == [
            "the mug goes into the cart",
            "1,200 tokens in · $0.2500",
        ]
        await pilot.press("b", "3")
        await at_rest(pilot)
        cart = tree.observation.node(5)
        assert cart is not None
        assert cart.name == "Cart 1"
        assert [row.text for row in screen.query_one(DifferenceList).rows] == ['name "Cart 0" → "Cart 1"']
        await pilot.press("right")
        await at_rest(pilot)
        assert screen.scrubbing.place == 2
        assert tree.empty_text == NOT_RECORDED
        assert screen.query_one(DifferenceList).empty_text.startswith("The pages were not recorded")
        await pilot.press("home", "t", "j")
        await at_rest(pilot)
        assert (screen.scrubbing.place, screen.query_one(TimeStrip).place) == (1, 1)


async def test_a_text_is_found_in_the_whole_episode_and_its_node_shown(tmp_path: Path) -> None:
    folder = record(tmp_path / "store")
    app = WorkbenchApp(Opening(store=tmp_path / "store", benchmark="demo"), Settings(), link=SilentLink())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, folder)
        await pilot.press("slash", *"cart 1", "enter")
        switcher = screen.query_one(ContentSwitcher)
        await until(pilot, lambda: switcher.current == "found" and not screen.scrubbing.before)
        await at_rest(pilot)
        assert (screen.scrubbing.place, screen.query_one(RecordedTree).node) == (1, FULL.node(5))
        await pilot.press("escape")
        await at_rest(pilot)
        assert app.screen is not screen


async def test_an_episode_without_pages_opens_at_its_steps(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = store.start_run("demo", "robot", 1)
    header = EpisodeHeader(run="", episode="", task=TASK, actor="robot", dialect="webarena")
    recorder = store.recorder(run, header)
    recorder.write(Step(index=0, at=AT))
    recorder.write(Step(index=1, at=AT, actor="agent", text="look around"))
    recorder.finish(None, "it gave up")
    app = WorkbenchApp(Opening(store=tmp_path, benchmark="demo"), Settings(), link=SilentLink())
    async with app.run_test(size=(80, 24)) as pilot:
        await first_screen(pilot)
        screen = TrajectoryScreen(app.opening, recorder.folder)
        await app.push_screen(screen)
        await until(pilot, lambda: screen.pane_in_front == "steps")
        await at_rest(pilot)
        assert screen.query_one("#steps").region
        assert not screen.query_one(RecordedTree).region
        await pilot.press("5")
        await at_rest(pilot)
        assert "No messages" in screen.query_one(MessagesLog).empty_text


async def test_a_fork_asks_who_goes_on_and_starts_from_the_page_that_is_shown(tmp_path: Path) -> None:
    folder = record(tmp_path / "store")
    link = SilentLink()
    app = WorkbenchApp(Opening(store=tmp_path / "store", benchmark="demo"), Settings(), link=link)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot, folder)
        await pilot.press("b", "F")
        await until(pilot, lambda: app.screen is not screen)
        await pilot.press(*"orac", "enter")
        await until(pilot, lambda: any(isinstance(intent, messages.StartEpisode) for intent in link.sent))
        starts = [intent for intent in link.sent if isinstance(intent, messages.StartEpisode)]
        assert [(one.resume, one.fork_step, one.agent) for one in starts] == [(str(folder), 1, "oracle")]


async def test_of_an_episode_without_steps_its_score_is_shown(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = store.start_run("demo", "robot", 1)
    header = EpisodeHeader(run="", episode="", task=TASK, actor="robot", dialect="webarena")
    recorder = store.recorder(run, header)
    recorder.finish(SCORE, "it gave up")
    app = WorkbenchApp(Opening(store=tmp_path, benchmark="demo"), Settings(), link=SilentLink())
    async with app.run_test(size=(80, 24)) as pilot:
        await first_screen(pilot)
        screen = TrajectoryScreen(app.opening, recorder.folder)
        await app.push_screen(screen)
        await until(pilot, lambda: screen.pane_in_front == "score")
        await at_rest(pilot)
        assert screen.query_one(ScoreTree).score == SCORE
        assert "no steps" in screen.query_one(TrajectoryTitle).render_line(0).text
        await pilot.press("3", "right", "b", "F", "e", "end")
        await at_rest(pilot)
        assert "No step" in screen.query_one(DifferenceList).empty_text
        assert app.screen is screen
