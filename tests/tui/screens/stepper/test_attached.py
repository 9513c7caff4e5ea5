"""The stepper over an episode that another process plays: it shows what is recorded, and touches nothing."""

from __future__ import annotations

from pathlib import Path

from tests.core.engine.session.test_session import Sitting
from tests.core.runner.played_run import PlayedRun
from tests.tui.recorded_page import PAGE
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import until
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine
from webbench.core.engine.wire import messages
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, now
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.attached import AttachedScreen
from webbench.tui.screens.stepper.result import ResultScreen
from webbench.tui.widgets.lines.title_line import TitleLine
from webbench.tui.widgets.lists.conversation import LiveConversation
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

SPOKEN = catalogue.read_task("weblinx", "mugtrip", 0).task


def notices(app: WorkbenchApp) -> list[str]:
    return [notice.message for notice in app._notifications]


async def test_steps_show_as_they_are_recorded_and_nothing_is_sent(tmp_path: Path) -> None:
    played = PlayedRun(Store(tmp_path), planned=1)
    folder = tmp_path / played.run / played.begin(0)
    link = SilentLink()
    app = WorkbenchApp(Opening(store=tmp_path, attached=folder), Settings(), link=link)
    async with app.run_test(size=(120, 40)) as pilot:
        await first_screen(pilot)
        screen = app.screen
        assert isinstance(screen, AttachedScreen)
        await until(pilot, lambda: len(screen.state.steps) == 1)
        step = Step(index=1, at=now(), actor="agent", text="click [11]", reasoning="it is the button")
        played.open[0].write(step, observation=PAGE)
        await until(pilot, lambda: len(screen.state.steps) == 2)
        assert screen.query_one(AccessibilityTree).observation == PAGE
        assert screen.state.agent_running
        assert "P takes it over" in screen.query_one(TitleLine).progress
        assert "P takes it over" in screen.query_one(ActionBar).invitation, "nothing can be sent here"
        await pilot.press("b", *"go", "underscore", *"back", "enter")
        await until(pilot, lambda: any("only looked at" in one for one in notices(app)))
        await pilot.press("P", "1")
        await until(pilot, lambda: any("can't be taken over from here" in one for one in notices(app)))
        assert not screen.attachment.held
        played.end(0, 1.0)
        await until(pilot, lambda: isinstance(app.screen, ResultScreen))
        shown = app.screen
        await until(pilot, lambda: "1.000" in "".join(one.text for one in shown.query_one(TextRows).entries))
        await pilot.press("a")
        await until(pilot, lambda: any("can't be done here" in one for one in notices(app)))
        assert screen.state.ended
        await until(pilot, lambda: "q goes back" in screen.query_one(ActionBar).invitation)
        assert not [sent for sent in link.sent if type(sent).__name__ != "WarmUp"]
    assert [one.text for one in Store(tmp_path).load(folder).steps] == ["", "click [11]"]
    played.leave()


async def test_an_instructor_speaks_to_a_navigator_and_hears_the_answer(tmp_path: Path) -> None:
    start = messages.StartEpisode(benchmark="weblinx", task=SPOKEN, instructor="ann")
    async with Engine(Store(tmp_path), drain=False) as engine:
        navigator = Sitting(engine)
        await navigator.do(start)
        header = navigator.last(messages.EpisodeStarted).header
        folder = tmp_path / header.run / header.episode
        app = WorkbenchApp(Opening(store=tmp_path, attached=folder), Settings(), link=SilentLink())
        async with app.run_test(size=(120, 40)) as pilot:
            await first_screen(pilot)
            screen = app.screen
            assert isinstance(screen, AttachedScreen)
            talk = screen.query_one(LiveConversation)
            await until(pilot, lambda: talk.has_focus and len(screen.state.steps) == 1)
            assert "ann instructs, the navigator acts" in screen.query_one(TitleLine).progress
            earlier = len(talk.turns)
            await pilot.press("enter", *"Hello", "enter")
            await until(pilot, lambda: len(talk.turns) == earlier + 1)
            await navigator.do(messages.AddNote(text="navigator: Hi"))
            await until(pilot, lambda: len(talk.turns) == earlier + 2)
            await pilot.press("P")
            await until(pilot, lambda: any("only speaks" in one for one in notices(app)))
        said = [(turn.speaker, turn.text) for turn in talk.turns[earlier:]]
        assert said == [("instructor", "Hello"), ("navigator", "Hi")]
        assert navigator.session.episode is not None
        assert [step.note for step in navigator.session.episode.steps][1:] == [
            "instructor: Hello",
            "navigator: Hi",
        ]
        await navigator.session.close()
