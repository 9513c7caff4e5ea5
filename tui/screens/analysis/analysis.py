"""Analysis: the figures of one or more runs, and the episodes behind each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.errors import WebbenchError
from webbench.core.statistics.figures import Analysis
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.screens.analysis.cluster_screen import ClustersScreen
from webbench.tui.screens.analysis.episodes import EpisodesBehind
from webbench.tui.screens.analysis.figure_rows import FigureRows
from webbench.tui.screens.analysis.section_list import FigureIndex
from webbench.tui.screens.breakpoints import breakpoints
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.text_rows import Entry
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.core.analysis.runs.whole_run import Analysed


class _LeftError(Exception):
    """Nobody waits for the analysis any more: it would only hold up the end of the program."""


class AnalysisScreen(Screen[None], ScreenOffers):
    """Figures to choose from beside the chosen one; in narrow terminals above it."""

    CSS_PATH = stylesheet("analysis")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("analysis")]
    HORIZONTAL_BREAKPOINTS = breakpoints(normal=120)
    AUTO_FOCUS = "FigureIndex"

    def __init__(self, store: Store, runs: Sequence[str]) -> None:
        super().__init__()
        self.store = store
        self.runs = tuple(runs)
        self.analysis: Analysis | None = None
        """The whole of it; None while something of it is still being worked out."""
        self._partial: Analysis | None = None

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the runs."""
        return dict.fromkeys(("run", "record"), " ".join(self.runs))

    def compose(self) -> ComposeResult:
        yield Static(Content(f"Analysis of {counted(len(self.runs), 'run')}"), id="analysis-title")
        with Container(id="columns"):
            yield FigureIndex()
            with Vertical(id="figure"):
                yield Static(Content(""), id="about")
                yield FigureRows()
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(FigureRows).empty_text = ""
        run_worker(self, self._analyse, exclusive=True)

    def action_reload(self) -> None:
        """Read the runs again, whatever is kept of them."""
        run_worker(self, partial(self._analyse, again=True), exclusive=True)

    async def _analyse(self, *, again: bool = False) -> None:
        from webbench.core.analysis.runs.kept_analysis import kept_analysis

        loop = asyncio.get_running_loop()

        def progress(done: int, of: int) -> None:
            if not self.is_attached:
                raise _LeftError
            if done % 20 == 0 or done == of:
                loop.call_soon_threadsafe(self._show_progress, done, of)

        def told(so_far: Analysed) -> None:
            loop.call_soon_threadsafe(self._show_so_far, so_far.analysis)

        self.analysis = None
        try:
            work = partial(kept_analysis, self.store, self.runs, progress=progress, told=told, again=again)
            found = await asyncio.to_thread(work)
        except WebbenchError as error:
            self.notify(plain_text(f"{error}", limit=400), severity="error", markup=False)
            self._say(f"{error}")
            return
        self.analysis = found.analysis
        self._show(found.analysis)

    def _show_progress(self, done: int, of: int) -> None:
        if self.is_attached and self.analysis is None:
            self._show_title(f"reading {done:,} of {counted(of, 'episode')}…")

    def _show_so_far(self, analysis: Analysis) -> None:
        """Counts, then intervals, while the steps are being read."""
        if self.is_attached and self.analysis is None:
            self._partial = analysis
            self._show_title("working out…")
            self.query_one(FigureIndex).sections = analysis.sections

    def _say(self, text: str) -> None:
        index = self.query_one(FigureIndex)
        index.empty_text = plain_text(text, limit=300)
        index.refresh()

    def _show_title(self, doing: str = "") -> None:
        analysis = self._partial
        parts = [f"Analysis of {counted(len(self.runs), 'run')}"]
        if analysis is not None:
            actors = "  ".join(f"{actor.letter} {actor.agent or actor.run}" for actor in analysis.actors)
            parts = ["Analysis", analysis.benchmark or "no benchmark", actors]
        title = " · ".join(filter(None, [*parts, doing]))
        self.query_one("#analysis-title", Static).update(Content(plain_text(title, limit=300)))

    def _show(self, analysis: Analysis) -> None:
        self._partial = analysis
        self._show_title()
        self.query_one(FigureIndex).sections = analysis.sections
        if analysis.problems:
            told = f"{counted(len(analysis.problems), 'problem')} in the records; `m` tells them"
            self.notify(told, severity="warning", markup=False)

    def on_figure_index_chosen(self, message: FigureIndex.Chosen) -> None:
        rows = self.query_one(FigureRows)
        if rows.section is not message.section:
            self.query_one("#about", Static).update(Content(plain_text(message.section.about, limit=600)))
            if rows.section is not None and rows.section.name == message.section.name and not message.opened:
                rows.renew(message.section)
                return
            rows.section = message.section
        rows.go_to(message.figure)
        if message.opened:
            rows.focus()

    def on_figure_rows_asked(self, message: FigureRows.Asked) -> None:
        if not message.episodes:
            self.notify("This row rests on no single episodes.", markup=False)
            return
        self.app.push_screen(EpisodesBehind(self.store, message.episodes))

    def on_descendant_focus(self) -> None:
        """Narrow terminals give the figure most of their lines while it is read."""
        self.set_class(self.query_one(FigureRows).has_focus, "-reading")

    def action_turn(self, figures: int) -> None:
        """The next figure, or the one before."""
        self.query_one(FigureIndex).turn(figures)

    def action_clusters(self) -> None:
        """Failures of these runs that are alike."""
        self.app.push_screen(ClustersScreen(self.store, self.runs))

    def action_methods(self) -> None:
        """How the figures came about, and what could not be read."""
        if self.analysis is None:
            self._say_that_it_works()
            return
        entries = [Entry("", sentence) for sentence in self.analysis.methods]
        entries += [Entry("problem", problem, "bad") for problem in self.analysis.problems]
        self.app.push_screen(ReadingScreen("How the figures came about", entries))

    @work
    async def action_report(self) -> None:
        """Write the analysis as one page."""
        if self.analysis is None:
            self._say_that_it_works()
            return
        question = "Write the report as one HTML page to:"
        file = await self.app.push_screen_wait(TextPrompt(question, value=f"{self.analysis.benchmark}.html"))
        if file:
            await self._written(file, partial(_write, self.analysis, Path(file)))

    @work
    async def action_appendix(self) -> None:
        """Write methods, tables and figures for a paper."""
        if self.analysis is None:
            self._say_that_it_works()
            return
        question = "Write methods, tables and figures for a paper into the folder:"
        name = f"{self.analysis.benchmark}-appendix"
        folder = await self.app.push_screen_wait(TextPrompt(question, value=name))
        reference = await self._reference() if folder else None
        if folder and reference is not None:
            self.notify("Drawing the figures…", markup=False)
            write = partial(_write_appendix, self.store, self.runs, Path(folder), reference)
            await self._written(folder, write)

    async def _reference(self) -> str | None:
        """The run whose way the others are held against, "" for a person's; None where it was left."""
        if self.analysis is None or len(self.runs) < 2:
            return ""
        runs = [(one.run, f"{one.letter}: {one.agent}, {one.run}") for one in self.analysis.actors]
        choices = [("", "a person's run, where there is one"), *runs]
        question = "Whose way are the others held against, where they part?"
        return await self.app.push_screen_wait(ChoicePrompt(question, choices))

    def _say_that_it_works(self) -> None:
        self.notify("Not all figures are there yet.", markup=False)

    async def _written(self, place: str, write: Callable[[], None]) -> None:
        """Write beside the screen, then tell where it is, or why it isn't."""
        try:
            await asyncio.to_thread(write)
        except WebbenchError as error:
            self.notify(plain_text(f"{error}", limit=400), severity="error", markup=False)
        else:
            self.notify(plain_text(f"{place} is written.", limit=300), markup=False)

    def action_back(self) -> None:
        """From the figure to the list of figures, then to where one came from."""
        if self.query_one(FigureRows).has_focus:
            self.query_one(FigureIndex).focus()
        else:
            self.dismiss(None)


def _write(analysis: Analysis, file: Path) -> None:
    from webbench.core.exchange.atomic_output import write_text
    from webbench.core.report.pages.runs_page import analysis_page

    write_text(file, analysis_page(analysis))


def _write_appendix(store: Store, runs: Sequence[str], folder: Path, reference: str) -> None:
    from webbench.core.report.paper.appendix import write_appendix

    write_appendix(store, runs, folder, reference=reference)
