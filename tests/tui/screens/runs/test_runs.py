"""The Runs screen over a store: runs newest first, the episodes of one, filter and marks."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.recorded_page import SCORE, TASK
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest, until
from tests.tui.widgets.host import Host, lines
from webbench.core.settings.settings import Settings
from webbench.core.store.index.summaries import RunSummary
from webbench.core.store.pools import pools
from webbench.core.store.records.recorder import STEPS
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.runs.runs import RunsScreen
from webbench.tui.widgets.lists.run_tables import EpisodeTable, RunTable


def record(store: Store, agent: str, tasks: int) -> str:
    """A run whose episodes each have a start and one action; the last one is left without an end."""
    run = store.start_run("demo", agent, tasks)
    for order in range(tasks):
        header = EpisodeHeader(run="", episode="", task=TASK, actor=agent, dialect="webarena", order=order)
        recorder = store.recorder(run, header)
        for index in range(2):
            recorder.write(Step(index=index, at="2026-01-01T00:00:00.000+00:00", text="click [11]"))
        if order < tasks - 1:
            recorder.finish(SCORE, "submitted")
        else:
            recorder.close()
    return run


def program(store: Path) -> WorkbenchApp:
    return WorkbenchApp(Opening(store=store, benchmark="demo"), Settings(), link=SilentLink())


async def showing(pilot: Pilot[None], shown: str) -> RunsScreen:
    """Wait until the Runs screen has read the episodes of a run."""

    def read() -> bool:
        table = pilot.app.screen.query_one(EpisodeTable)
        return shown in str(table.border_title) and not table.nothing_text.startswith("Choose")

    await until(pilot, lambda: isinstance(pilot.app.screen, RunsScreen) and read())
    screen = pilot.app.screen
    assert isinstance(screen, RunsScreen)
    return screen


async def test_runs_newest_first_with_their_episodes_filtered_and_marked(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    older, newer = record(store, "first", 3), record(store, "second", 2)
    app = program(store.root)
    async with app.run_test(size=(160, 48)) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        screen = await showing(pilot, newer)
        runs, episodes = screen.query_one(RunTable), screen.query_one(EpisodeTable)
        assert [run.run for run in runs.records] == [newer, older]
        assert [one.state for one in episodes.records] == ["ended", "interrupted"]
        await pilot.press("down")
        await showing(pilot, older)
        await pilot.press("enter", "slash", *"interrupted")
        assert [one.order for one in episodes.records] == [2]
        for query, left in (("status:interr", 1), ("actor:interr", 0)):
            episodes.set_filter(query)
            assert len(episodes.records) == left, "a column that is named is the only one looked into"
        episodes.set_filter("interrupted")
        await pilot.press("tab", "space", "escape")
        assert len(episodes.records) == 3
        assert [one.order for one in screen.chosen_episodes] == [2]
        assert "1 marked" in str(episodes.border_subtitle)
        await pilot.press("escape", "k")
        await showing(pilot, newer)
        assert [one.run for one in screen.chosen_episodes] == [older], "marks outlive a look at another run"
        await pilot.press("f")
        await at_rest(pilot)
        await pilot.press(*"actor:first", "enter")
        await showing(pilot, "actor:first")
        assert {one.run for one in episodes.records} == {older}


async def test_a_run_is_named_and_deleted_by_keys_and_both_are_taken_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    older, newer = record(store, "first", 1), record(store, "second", 1)
    app = program(store.root)
    async with app.run_test(size=(120, 40)) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        table = (await showing(pilot, newer)).query_one(RunTable)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, TextPrompt))
        await pilot.press(*"pilot", "enter")
        await until(pilot, lambda: [run.name for run in table.records] == ["pilot", ""])
        await showing(pilot, "Episodes of pilot")
        await pilot.press("D")
        await until(pilot, lambda: [run.run for run in table.records] == [older])
        assert (store.root / "bin" / newer).is_dir()
        (store.root / "odd" / "episode" / STEPS).mkdir(parents=True)  # which nobody can read
        await pilot.press("B")
        await until(pilot, lambda: isinstance(app.screen, ChoicePrompt))
        await pilot.press("escape")
        (store.root / "odd").rename(tmp_path / "odd")
        await until(pilot, lambda: isinstance(app.screen, RunsScreen))
        await pilot.press("U")
        await until(pilot, lambda: [run.name for run in table.records] == ["pilot", ""])
        await pilot.press("U")
        await until(pilot, lambda: [run.name for run in table.records] == ["", ""])


async def test_marked_runs_are_pooled_seen_as_one_dissolved_and_pooled_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    first, second = record(store, "agent", 1), record(store, "agent", 1)
    app = program(store.root)
    async with app.run_test(size=(120, 40)) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        table = (await showing(pilot, second)).query_one(RunTable)
        await pilot.press("space", "space", "m")
        await until(pilot, lambda: isinstance(app.screen, TextPrompt))
        await pilot.press(*"bo,th", "enter")
        await until(pilot, lambda: isinstance(app.screen, TextPrompt) and bool(app.screen.refused))
        again = app.screen
        assert isinstance(again, TextPrompt)
        await until(pilot, lambda: again.query_one(Input).has_focus)
        assert again.query_one(Input).value == "bo,th"
        await pilot.press("left", "left", "backspace", "enter")
        await until(pilot, lambda: set(table.pools) == {first, second})
        assert set(pools(store.root)["both"]) == {first, second}
        await pilot.press("u", "m")
        await until(pilot, lambda: isinstance(app.screen, ChoicePrompt))
        await pilot.press("enter", "4")
        await until(pilot, lambda: not table.pools)
        assert pools(store.root) == {}
        await pilot.press("U")
        await until(pilot, lambda: set(table.pools) == {first, second})
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, ChoicePrompt))
        await pilot.press("enter", "3")
        await until(pilot, lambda: len(table.marked) == 2)


async def test_an_empty_store_says_how_to_get_runs(tmp_path: Path) -> None:
    app = program(tmp_path / "none")
    async with app.run_test(size=(80, 24)) as pilot:
        await first_screen(pilot)
        await pilot.press("r")
        await until(pilot, lambda: app.screen.has_class("-empty"))
        assert not (tmp_path / "none").exists()


async def test_runs_of_like_agents_are_told_apart_on_a_narrow_terminal() -> None:
    models = ("anthropic_claude-3.7", "meta-llama_Llama-3.3")
    table = RunTable()
    table.records = [
        RunSummary(run=f"r-{model}", benchmark="webarena", agent=f"GenericAgent-{model}") for model in models
    ]
    app = Host(table)
    async with app.run_test(size=(80, 6)):
        for model, line in zip(models, lines(app)[2:4], strict=True):
            assert f"GenericAgent-{model[:8]}" in line
            assert "webarena" in line
