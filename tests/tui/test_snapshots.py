"""How the screens look, in every theme and at the sizes that people have."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.recorded_page import TASK, episode
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest
from webbench.core.agent import Proposal
from webbench.core.benchmark.benchmark import BenchmarkStatus
from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS
from webbench.core.settings.settings import Settings
from webbench.core.task import Task, TaskEntry
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.widgets.lines.title_line import TitleLine

Compare = Callable[..., bool]
THEMES = ("dark", "light", "high-contrast", "colour-blind-safe")
ENTRIES = tuple(
    TaskEntry(
        benchmark="demo",
        name=f"task-{number:02}",
        intent=f"Do the thing number {number} and say that it is done.",
        split="shop" if number % 2 else "annotation",
        site="shop",
        kind="cart",
        instances=number if number % 3 == 0 and number else None,
    )
    for number in range(30)
)

RESULTS = {
    "task-00": catalogue_messages.TaskResults(best_human=1.0, best_agent=0.5, last=1.0, attempts=3),
    "task-03": catalogue_messages.TaskResults(best_agent=0.25, attempts=1),
}
FIRST = Task(benchmark="demo", name="task-00", intent=ENTRIES[0].intent, split="annotation", site="shop")


@pytest.fixture(autouse=True)
def two_benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures show these, whatever else is installed."""
    real = entry_points.load

    def load(group: str) -> dict[str, entry_points.Loader]:
        shown = ("demo", "turkingbench")
        return {name: one for name, one in real(group).items() if group != BENCHMARKS or name in shown}

    monkeypatch.setattr(entry_points, "load", load)


def app(theme: str, *, library: bool = False) -> WorkbenchApp:
    opening = Opening(store=Path("/nowhere"), task=None if library else TASK, benchmark="demo")
    return WorkbenchApp(opening, Settings(theme=theme), link=SilentLink())


def happening(events: list[messages.Event]) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def run(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app, WorkbenchApp)
        assert isinstance(pilot.app.link, SilentLink)
        await first_screen(pilot)
        for event in events:
            pilot.app.link.happen(event)
            await pilot.pause()
        await at_rest(pilot)
        for title in pilot.app.screen.query(TitleLine):
            title.start_clock(65)
            title.stop_clock()
        await at_rest(pilot)

    return run


def library_events() -> list[messages.Event]:
    ready = BenchmarkStatus("ready", "30 tasks")
    missing = BenchmarkStatus("needs data", "no data folder is set")
    return [
        catalogue_messages.TasksListed(benchmark="demo", title="Bundled demo", status=ready, entries=ENTRIES),
        catalogue_messages.TasksListed(benchmark="turkingbench", title="TurkingBench", status=missing),
        catalogue_messages.ResultsListed(benchmark="demo", results=RESULTS),
        catalogue_messages.TaskRead(task=FIRST),
    ]


IN_DARK = pytest.mark.parametrize(
    "theme", [pytest.param(theme, marks=() if theme == "dark" else pytest.mark.thorough) for theme in THEMES]
)
"""What the other themes make of a screen, the stepper shows for all of them."""


@pytest.mark.parametrize("theme", THEMES)
def test_stepper(snap_compare: Compare, theme: str) -> None:
    assert snap_compare(app(theme), terminal_size=(160, 48), run_before=happening(episode()))


@pytest.mark.parametrize("size", [(80, 24), pytest.param((120, 36), marks=pytest.mark.thorough), (220, 56)])
def test_stepper_sizes(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app("dark"), terminal_size=size, run_before=happening(episode()))


@IN_DARK
def test_library(snap_compare: Compare, theme: str) -> None:
    screen = app(theme, library=True)
    assert snap_compare(screen, terminal_size=(160, 48), run_before=happening(library_events()))


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_library_sizes(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app("dark", library=True), terminal_size=size, run_before=happening(library_events()))


@IN_DARK
def test_proposal(snap_compare: Compare, theme: str) -> None:
    proposal = Proposal(reasoning="The mug has to be in cream, and [/] is no markup.")
    events = [
        *episode(),
        messages.AgentChanged(name="oracle", running=False),
        messages.Proposed(proposal=proposal, text="check [8]"),
    ]
    assert snap_compare(app(theme), terminal_size=(120, 36), run_before=happening(events))


@pytest.mark.parametrize("size", [(160, 48), (80, 24)])
def test_help(snap_compare: Compare, size: tuple[int, int]) -> None:
    arrange = happening(episode())

    async def run(pilot: Pilot[None]) -> None:
        await arrange(pilot)
        await pilot.press("question_mark")
        await at_rest(pilot)

    assert snap_compare(app("dark"), terminal_size=size, run_before=run)
