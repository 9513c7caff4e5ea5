"""From reading to a codebook by keyboard: new code, memo, in the words of the text, merged, printed."""

from __future__ import annotations

import json
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input
from typer.testing import CliRunner

from tests.tui.screens.labelling.test_labelling import ready, recorded, settled
from tests.tui.waiting import at_rest, until
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import Ledger, ledger_of
from webbench.core.people.labelling.coder import Coder
from webbench.core.people.labelling.worksheet import LabellingOrder
from webbench.core.store.store import Store
from webbench.core.text.plain_text import display_width
from webbench.tui.app import WorkbenchApp
from webbench.tui.cli.program import app as program
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.labelling.labelling import LabellingScreen
from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen
from webbench.tui.widgets.lists.step_list import StepList
from webbench.tui.widgets.lists.text_rows import TextRows


async def typed(pilot: Pilot[None], key: str, text: str) -> None:
    """Press a key that asks for a line, write it over what stands there, and let it be written down."""
    screen = pilot.app.screen
    await pilot.press(key)
    await ready(pilot, TextPrompt)
    if text:
        pilot.app.screen.query_one(Input).value = text
    await settled(pilot, "enter")
    await until(pilot, lambda: pilot.app.screen is screen)
    for group in ("coding", "write"):
        for worker in [one for one in pilot.app.workers if one.group == group]:
            await worker.wait()
    await at_rest(pilot)


async def test_from_reading_to_a_codebook(tmp_path: Path) -> None:
    places = recorded(tmp_path)
    app = WorkbenchApp(Opening(store=tmp_path, labelling=LabellingOrder(places=places, annotator="ann")))
    async with app.run_test(size=(120, 30)) as pilot:
        await ready(pilot)
        screen = app.screen
        assert isinstance(screen, LabellingScreen)
        await settled(pilot, "j", "j")
        await typed(pilot, "A", "Clicks blindly")
        assert screen.sheets is not None
        assert screen.sheets.taxonomy.name == "open"
        await typed(pilot, "W", "no reason is given")
        await typed(pilot, "V", "")  # the row under the cursor: the step
        await settled(pilot, "j", "1")  # the first code, for the next step
        shown = [(entry.label, entry.text) for entry in screen.query_one(TextRows).entries]
        assert ("yours", "Clicks blindly (code.clicks-blindly)") in shown
        assert screen.query_one(TextRows).quotable() == "click [1]"  # not our words about it
        await settled(pilot, "d")
    labels = {(one.step, one.code) for one in Ledger(tmp_path).book().labels}
    assert labels == {(1, "clicks-blindly"), (1, "click-1"), (2, "clicks-blindly")}
    (memo,) = Ledger(tmp_path).book().memos
    assert (memo.step, memo.text) == (1, "no reason is given")
    coder = Coder(Store(tmp_path), load_codebook(), "ann")
    (example,) = coder.versions.latest.questions[0].codes[1].examples
    assert (example.step, example.quote) == (1, "click [1]")
    coder.merge(["click-1"], "clicks-blindly")
    printed = CliRunner().invoke(program, ["label", "codebook", "--store", str(tmp_path), "--json"])
    (code,) = json.loads(printed.stdout)["codebook"]["codes"]
    assert (code["labels"], code["episodes"], len(code["code"]["examples"])) == (2, 1, 2)


async def test_a_code_is_found_on_a_trajectory_in_words_selected_with_the_mouse(tmp_path: Path) -> None:
    run, episode = recorded(tmp_path, 1)[0]
    app = WorkbenchApp(Opening(store=tmp_path, recorded=tmp_path / run / episode, recorded_step=2))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TrajectoryScreen) and app.screen.step is not None)
        await at_rest(pilot)
        steps = app.screen.query_one(StepList)
        row = next(at for at in range(steps.row_count) if "click [1]" in steps.row_text(at))
        start = display_width(steps.row_text(row).partition("click")[0])
        await pilot.hover(steps, offset=(start + 1, row + 1))
        await pilot.mouse_down(steps, offset=(start + 1, row + 1))
        await pilot.hover(steps, offset=(start + 5, row + 1))
        await pilot.mouse_up(steps, offset=(start + 5, row + 1))
        assert app.screen.get_selected_text() == "click"
        step = app.screen.step.index if isinstance(app.screen, TrajectoryScreen) and app.screen.step else None
        await pilot.press("V")
        for words in ("cleo", ""):  # who, then the words as they are
            await ready(pilot, TextPrompt)
            app.screen.query_one(Input).value = words or app.screen.query_one(Input).value
            await settled(pilot, "enter")
        await until(pilot, lambda: isinstance(app.screen, TrajectoryScreen))
        for worker in [one for one in app.workers if one.group == "coding"]:
            await worker.wait()
    (label,) = ledger_of(Store(tmp_path)).book().labels
    assert (label.code, label.step, label.note, label.annotator) == ("click", step, "click", "cleo")
