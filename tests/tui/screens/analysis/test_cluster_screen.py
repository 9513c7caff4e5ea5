"""Clusters of failures on a screen: from the figures to a code that waits to be confirmed."""

from __future__ import annotations

from pathlib import Path

from tests.core.analysis.recorded_runs import Recording
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest, until
from webbench.core.analysis.rubrics.kept_verdicts import kept_verdicts
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.analysis.analysis import AnalysisScreen
from webbench.tui.screens.analysis.cluster_screen import ClustersScreen, ClusterTable
from webbench.tui.screens.analysis.episodes import EpisodesBehind
from webbench.tui.screens.dialogs.prompt import TextPrompt


async def test_a_cluster_becomes_a_code_that_waits_to_be_confirmed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = Recording(store, "one")
    login = ["http://shop.test/login/password/forgotten"] * 3
    filters = ["http://shop.test/filter/price/range"] * 3
    alike = {run.add(f"a{at}", 0.0, urls=login) for at in range(4)}
    for at in range(3):
        run.add(f"b{at}", 0.0, urls=filters)
    run.add("c", 1.0, urls=login)
    app = WorkbenchApp(Opening(store=tmp_path), Settings(annotator="ann"), link=SilentLink())

    async with app.run_test(size=(100, 30)) as pilot:
        await first_screen(pilot)
        await app.push_screen(AnalysisScreen(store, [run.run]))
        await pilot.press("c")
        await until(
            pilot, lambda: isinstance(app.screen, ClustersScreen) and len(app.screen.query(ClusterTable)) == 1
        )
        table = app.screen.query_one(ClusterTable)
        await until(pilot, lambda: bool(table.records))
        first = table.records[0]
        assert set(first.episodes) == alike
        assert "login" in first.words

        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, EpisodesBehind))
        await pilot.press("q", "A")
        await until(pilot, lambda: isinstance(app.screen, TextPrompt))
        await at_rest(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: bool(table.codes))
        assert table.codes[1] in table.render_line(1).text
    book = load_codebook(written=ledger_of(store).codebooks).taxonomy("open")
    waiting = kept_verdicts(store).of("open")
    assert {f"{one.run}/{one.episode}" for one in waiting} == alike
    assert [code.name for _, code in book.codes()] == [waiting[0].code]
    store.close()
