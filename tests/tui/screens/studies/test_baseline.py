"""A session of a study on screen: blind, with a clock, confirmed, questions asked, nothing forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from textual.pilot import Pilot
from textual.widgets import OptionList

from tests.tui.recorded_page import HEADER, episode
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.engine.wire import messages
from webbench.core.people.studies.desk import Desk
from webbench.core.people.studies.study import Study
from webbench.core.score.score import Score, Status
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.help import HelpScreen
from webbench.tui.screens.dialogs.palette import UserActionProvider
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.studies.pause import BreakScreen
from webbench.tui.screens.studies.study_desk import BaselineScreen
from webbench.tui.screens.studies.timed_stepper import BaselineTaskScreen
from webbench.tui.widgets.lines.title_line import TitleLine

STUDY = Study(
    name="pilot",
    benchmark="demo",
    annotators=("ada",),
    tasks=("camp-mugs",),
    minutes_per_task=10,
    instructions="Take your time.",
)
SCORE = Score(status=Status.SCORED, value=0.25)


def shown(pilot: Pilot[None]) -> str:
    return "\n".join(str(strip.text) for strip in pilot.app.screen._compositor.render_strips())


@asynccontextmanager
async def session(root: Path) -> AsyncIterator[tuple[Pilot[None], SilentLink, Desk]]:
    link = SilentLink()
    with Desk(Store(root), STUDY, find_benchmark("demo"), "ada") as desk:
        app = WorkbenchApp(Opening(store=root, benchmark="demo", desk=desk), Settings(), link=link)
        async with app.run_test(size=(100, 30)) as pilot:
            await first_screen(pilot)
            yield pilot, link, desk


async def begin(pilot: Pilot[None], link: SilentLink, desk: Desk) -> messages.StartEpisode:
    await pilot.press("enter")
    await until(
        pilot, lambda: isinstance(pilot.app.screen, BaselineTaskScreen) or len(pilot.app.screen_stack) > 3
    )
    for event in episode():
        if isinstance(event, messages.EpisodeStarted):
            event = messages.EpisodeStarted(header=msgspec.structs.replace(HEADER, run=desk.run))
        link.happen(event)
    await pilot.pause()
    return next(intent for intent in reversed(link.sent) if isinstance(intent, messages.StartEpisode))


async def test_a_task_from_the_instructions_to_the_last_question(tmp_path: Path) -> None:
    async with session(tmp_path) as (pilot, link, desk):
        assert "Take your time." in shown(pilot)
        assert "10 minutes" in shown(pilot)
        start = await begin(pilot, link, desk)
        assert (start.run, start.live_score, start.agent) == (desk.run, False, "")
        assert "Put three Ember Camp Mugs" in shown(pilot)
        assert "Your task" in shown(pilot)
        assert "kind" not in shown(pilot)
        await pilot.press("escape")
        assert "of 10:00" in shown(pilot)

        await pilot.press("f9")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ChoicePrompt)
        ending = pilot.app.screen.query_one(OptionList).highlighted
        assert ending is not None
        assert pilot.app.screen.choices[ending][0] == "answer", "the cursor would tell what is scored"
        await pilot.press("escape")

        await pilot.press("f7")
        await pilot.pause()
        assert isinstance(pilot.app.screen, BreakScreen)
        assert "Camp Mug" not in shown(pilot)
        await pilot.press("enter", "1", "A", "ctrl+r")
        assert [type(one) for one in link.sent[-2:]] == [messages.PauseEpisode, messages.GoOn]

        await pilot.press("b", *"stop ", "left_square_bracket", *"42", "right_square_bracket", "enter")
        await pilot.pause()
        assert "End the task with the answer" in shown(pilot)
        assert not any(isinstance(one, messages.SendAction) for one in link.sent)
        await pilot.press("1")
        await pilot.pause()
        assert messages.SendAction(text="stop [42]") in link.sent

        header = msgspec.structs.replace(
            HEADER, run=desk.run, ended="now", end_reason="the actor stopped", score=SCORE
        )
        link.happen(messages.Scored(step=1, score=SCORE))
        link.happen(messages.EpisodeEnded(header=header))
        await until(pilot, lambda: "how difficult was it?" in shown(pilot))
        assert "0.25" not in shown(pilot)
        await pilot.press("enter", "2", "4", "x", "escape", "escape")
        await until(pilot, lambda: "how difficult was it?" in shown(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, BaselineScreen))
        work = desk.progress.works[0]
        assert (work.stage, work.difficulty, work.confidence, work.remark) == ("to rate", 2, 4, "x")
        await pilot.press("enter")
        await until(pilot, lambda: "Anything odd" in shown(pilot))
        await pilot.press("escape", "5", *"odd", "enter")
        await until(pilot, lambda: "is this what you mean?" in shown(pilot))
        assert all(told in shown(pilot) for told in ("2, easy", "5, certain", "remark: odd"))
        assert desk.progress.works[0].stage == "to rate"
        await pilot.press("enter")
        await until(pilot, lambda: "All your tasks are done" in shown(pilot))
        work = desk.progress.works[0]
        assert (work.stage, work.outcome, work.difficulty, work.confidence) == ("done", "submitted", 2, 5)
        assert work.remark == "odd"


async def test_a_session_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    async with session(tmp_path) as (pilot, link, desk):
        await begin(pilot, link, desk)
        desk.tick("camp-mugs", 83.0)
        kept = desk._log.path.read_bytes()
    desk._log.path.write_bytes(kept)

    async with session(tmp_path) as (pilot, link, desk):
        assert "goes on with task 1" in shown(pilot)
        await begin(pilot, link, desk)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, BaselineTaskScreen)
        assert pilot.app.screen.query_one(TitleLine).clock.seconds >= 83.0
        await pilot.press("f8", *"hopeless", "enter")
        await pilot.pause()
        assert messages.FinishEpisode(reason="gave up: hopeless") in link.sent
        await pilot.press("q", "1")
        await pilot.pause()
        assert isinstance(pilot.app.screen, BaselineScreen)
        assert desk.progress.works[0].stage == "open"


async def test_annotators_reach_no_commands_and_no_other_studies(tmp_path: Path) -> None:
    """What those tell of scores and of others' work would not be blind any more."""
    async with session(tmp_path) as (pilot, _link, _desk):
        at_desk = pilot.app.screen
        await pilot.press("exclamation_mark", "ampersand")
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        assert pilot.app.screen_stack[-2] is at_desk
        assert "Commands" not in shown(pilot)
        await pilot.press("escape")
        labels = [str(hit.prompt) async for hit in UserActionProvider(at_desk).discover()]
        assert any(label.startswith("Begin") for label in labels)
        assert not any("…" in label or label.startswith("Studies") for label in labels)
