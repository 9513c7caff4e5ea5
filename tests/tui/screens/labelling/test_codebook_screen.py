"""A codebook is defined, renamed, merged, split, grouped and brought back by keyboard, each with a why."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.screens.labelling.test_labelling import ready, recorded, settled
from tests.tui.waiting import at_rest, until
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.coder import Coder
from webbench.core.people.labelling.labelled_episode import subject
from webbench.core.people.labelling.worksheet import LabellingOrder
from webbench.core.store.store import Store
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.labelling.codebook_screen import CodebookScreen
from webbench.tui.screens.labelling.codes_and_examples import CodebookList, ExampleList
from webbench.tui.screens.labelling.labelling import LabellingScreen
from webbench.tui.screens.labelling.recoding_questions import DefinitionForm
from webbench.tui.screens.trajectory.trajectory import TrajectoryScreen
from webbench.tui.widgets.lists.text_rows import TextRows


async def answered(pilot: Pilot[None], kind: type, *texts: str) -> None:
    """Give a dialog's fields these texts, each with Enter."""
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    for text in texts:
        field = pilot.app.screen.focused
        assert isinstance(field, Input)
        field.value = text
        await pilot.press("enter")
        await pilot.pause()
    await at_rest(pilot)


async def reached(pilot: Pilot[None], coder: Coder, version: int) -> None:
    """The codebook has this version, and it is shown."""
    await until(pilot, lambda: coder.versions.latest.version == version)
    await at_rest(pilot)


def coded(root: Path) -> tuple[Coder, tuple[tuple[str, str], ...]]:
    """Three codes of which one has an example and a label."""
    found = recorded(root, 1)
    store = Store(root)
    coder = Coder(store, load_codebook(), "ann")
    coder.add("No filter", place=(subject(store, root.joinpath(*found[0])), 2), quote="click [1]")
    coder.add("Skips the filter")
    coder.add("Haste")
    return coder, found


async def test_codes_are_changed_by_keyboard_each_with_a_why(tmp_path: Path) -> None:
    coder, found = coded(tmp_path)
    order = LabellingOrder(places=found, annotator="ann", taxonomy="open")
    app = WorkbenchApp(Opening(store=tmp_path, labelling=order))
    async with app.run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        await settled(pilot, "C")
        await until(pilot, lambda: app.screen.query_one(CodebookList).row_count == 3)
        screen = app.screen
        assert isinstance(screen, CodebookScreen)

        await pilot.press("e")
        await answered(
            pilot,
            DefinitionForm,
            *("No filter", "Goes on unfiltered", "there is one", "none needed", "misread"),
        )
        await answered(pilot, TextPrompt, "to tell it from haste")
        await reached(pilot, coder, 4)
        shown = {entry.label: entry.text for entry in screen.query_one(TextRows).entries}
        assert (shown["definition"], shown["when not"]) == ("Goes on unfiltered", "none needed")
        assert shown["implies"] == "cause.misread"
        assert shown["version 4"].endswith(": to tell it from haste")

        await settled(pilot, "j")
        below = {entry.label: entry.text for entry in screen.query_one(TextRows).entries}
        assert below["code"] != shown["code"], "what is said is of the code under the cursor"
        await settled(pilot, "m")
        assert isinstance(app.screen, ChoicePrompt)
        assert [value for value, _ in app.screen.choices] == ["code.no-filter", "code.haste"]
        await pilot.press("1")
        await answered(pilot, TextPrompt, "the same in the end")
        await reached(pilot, coder, 5)
        await settled(pilot, "g", "r")
        await answered(pilot, TextPrompt, "Ignores the filter")
        await answered(pilot, TextPrompt, "")
        await reached(pilot, coder, 6)
        await settled(pilot, "space", "space", "p")
        await answered(pilot, TextPrompt, "Narrowing down")
        await answered(pilot, TextPrompt, "one family")
        await reached(pilot, coder, 7)
        await settled(pilot, "W")
        await answered(pilot, TextPrompt, "looks like tiredness")
        await until(pilot, lambda: bool(ledger_of(Store(tmp_path)).book().memos))
        await at_rest(pilot)
        codes = {code.name: code.group for _, code in coder.versions.latest.codes()}
        assert codes == {"ignores-the-filter": "Narrowing down", "haste": "Narrowing down"}
        (memo,) = ledger_of(Store(tmp_path)).book().memos
        assert (memo.code, memo.text) == ("code.haste", "looks like tiredness")
        whys = [one.change.why for one in coder.versions.versions if one.change is not None]
        assert whys[3:] == ["to tell it from haste", "the same in the end", "", "one family"]

        await settled(pilot, "u", "escape")  # left: nothing is taken back
        assert coder.versions.latest.version == 7
        await settled(pilot, "u")
        await answered(pilot, TextPrompt, "too early")
        await reached(pilot, coder, 8)
        await settled(pilot, "g", "s")
        await answered(pilot, TextPrompt, "Not seen")
        await answered(pilot, TextPrompt, "")  # refused: one title is no split
        assert coder.versions.latest.version == 8
        await settled(pilot, "s")
        await answered(pilot, TextPrompt, "Not seen; Not set")
        await answered(pilot, TextPrompt, "two causes")
        await reached(pilot, coder, 9)
        told = [entry.text for entry in screen.query_one(TextRows).entries if "version" in entry.label]
        assert not any("added code.haste" in text for text in told)
        assert any("merged code.skips-the-filter into code.no-filter" in text for text in told)
        (code, *_) = coder.versions.latest.questions[0].codes
        assert code.split_into == ("not-seen", "not-set")

        screen.query_one(ExampleList).focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TrajectoryScreen) and app.screen.step is not None)
        assert isinstance(app.screen, TrajectoryScreen)
        assert app.screen.step is not None
        assert app.screen.step.index == 2
        await settled(pilot, "q", "q")
        await until(pilot, lambda: isinstance(app.screen, LabellingScreen))
        await at_rest(pilot)
        labelling = app.screen
        assert isinstance(labelling, LabellingScreen)
        assert labelling.sheets is not None
        assert labelling.sheets.taxonomy.version == 9


async def test_a_taxonomy_is_read_and_begins_a_codebook(tmp_path: Path) -> None:
    places = recorded(tmp_path, 1)
    order = LabellingOrder(places=places, annotator="ann", taxonomy="merged")
    app = WorkbenchApp(Opening(store=tmp_path, labelling=order))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await settled(pilot, "C")
        await until(pilot, lambda: app.screen.query_one(CodebookList).row_count > 3)
        screen = app.screen
        await settled(pilot, "r")
        await answered(pilot, TextPrompt, "Otherwise")  # refused: a taxonomy is changed in its file
        assert app.screen is screen
        assert ledger_of(Store(tmp_path)).codebooks.all() == {}
        await settled(pilot, "b")
        await answered(pilot, TextPrompt, "mine")
        await answered(pilot, TextPrompt, "for a study")
        await until(pilot, lambda: "mine" in ledger_of(Store(tmp_path)).codebooks.all())
        book = ledger_of(Store(tmp_path)).codebooks.of("mine")
        assert book is not None
        assert book.latest.change is not None
        assert book.latest.change.why == "for a study"
