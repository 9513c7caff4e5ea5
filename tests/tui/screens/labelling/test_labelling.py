"""The labelling screen by keyboard alone, adjudication, and disputes."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.core.engine.processes import descendants
from tests.tui.waiting import at_rest, until
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.queues import QueueOrder, make_queue
from webbench.core.people.labelling.worksheet import LabellingOrder, Worksheet
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.forms.command_form import CommandFormScreen
from webbench.tui.screens.labelling.adjudication import AdjudicationScreen
from webbench.tui.screens.labelling.labelled_steps import LabelledSteps
from webbench.tui.screens.labelling.labelling import LabellingScreen
from webbench.tui.widgets.lists.text_rows import TextRows


def recorded(root: Path, count: int = 2) -> tuple[tuple[str, str], ...]:
    """A run of episodes whose three actions are the same."""
    store = Store(root)
    run = store.start_run("webarena", "agent", count)
    for order in range(count):
        header = EpisodeHeader(
            run="",
            episode="",
            task=Task(benchmark="webarena", name=str(order), intent="Find [/] it"),
            actor="agent",
            dialect="",
            order=order,
        )
        recorder = store.recorder(run, header)
        for index in range(4):
            recorder.write(Step(index=index, at="", actor="agent", text="click [1]" if index else ""))
        recorder.finish(Score(status=Status.SCORED, value=0.0), "stopped")
    return tuple((one.run, one.episode) for one in store.episodes())


def labels(root: Path) -> dict[tuple[str, int | None], Label]:
    return {(one.annotator, one.step): one for one in ledger_of(Store(root)).book().labels}


async def ready(pilot: Pilot[None], kind: type = LabellingScreen) -> None:
    def shown() -> bool:
        return isinstance(pilot.app.screen, kind) and getattr(pilot.app.screen, "sheet", True) is not None

    await until(pilot, shown)
    await at_rest(pilot)


async def settled(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, and let what each writes be written and shown."""
    for key in keys:
        await pilot.press(key)
        await at_rest(pilot)


async def test_a_step_and_the_episode_are_labelled_without_a_mouse(tmp_path: Path) -> None:
    places = recorded(tmp_path)
    app = WorkbenchApp(Opening(store=tmp_path, labelling=LabellingOrder(places=places, annotator="ann")))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        screen = app.screen
        assert isinstance(screen, LabellingScreen)
        await settled(pilot, "n", "4")  # to the suggestion at step 3: repetition
        await settled(pilot, "c", "2", "w", *"odd", "enter", "e", "1", "enter")
        assert app.link.pid is None or not descendants(app.link.pid), "nobody asked for a browser"
        label = labels(tmp_path)["ann", 3]
        assert (label.code, label.confidence, label.note, label.evidence) == ("repetition", 2, "odd", 1)
        shown = [entry.text for entry in screen.query_one(TextRows).entries]
        assert any("went in a loop (steps 1 to 3)?" in text for text in shown)
        await settled(pilot, "g", "5")
        assert labels(tmp_path)["ann", None].code == "step-limit"
        await settled(pilot, "x")
        assert ("ann", None) not in labels(tmp_path)
        await pilot.press("1", "2", "3")  # faster than they are written: the last one holds
        await settled(pilot, "j")
        assert labels(tmp_path)["ann", None].code == "early-stop"
        await settled(pilot, "d")
        assert ledger_of(Store(tmp_path)).book().done == {(*places[0], "webarena", "ann")}
        assert screen.sheet is not None
        assert screen.sheet.place.episode == places[1][1]
        assert screen.query_one(LabelledSteps).step is None


async def test_a_queue_is_gone_on_with_from_the_screen(tmp_path: Path) -> None:
    places = recorded(tmp_path, 3)
    store = Store(tmp_path)
    made = QueueOrder(name="first", taxonomy="merged", annotators=("ann",), size=2, blind=True)
    queue = make_queue(store, made, store.episodes())
    app = WorkbenchApp(Opening(store=tmp_path, labelling=LabellingOrder(places=places, annotator="ann")))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        before = app.screen
        await settled(pilot, "u")
        await until(pilot, lambda: isinstance(app.screen, ChoicePrompt))
        assert isinstance(app.screen, ChoicePrompt)
        assert app.screen.choices == [
            ("first", "first: 0 of 2 done, 0.0 min"),
            ("", "Draw and deal another one…"),
        ]
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, CommandFormScreen))
        assert isinstance(app.screen, CommandFormScreen)
        assert app.screen.form.path == ("label", "queue")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is before)
        await settled(pilot, "u")
        await until(pilot, lambda: isinstance(app.screen, ChoicePrompt))
        await pilot.press("1")
        await until(pilot, lambda: app.screen is not before and isinstance(app.screen, LabellingScreen))
        await ready(pilot)
        screen = app.screen
        assert isinstance(screen, LabellingScreen)
        assert screen.sheets is not None
        assert (screen.sheets.places, screen.sheets.blind) == (queue.places("ann"), True)
        await settled(pilot, "d", "d")
    assert {place[:2] for place in ledger_of(store).book().done} == set(queue.places("ann"))


async def test_what_annotators_differ_on_is_decided_side_by_side(tmp_path: Path) -> None:
    (place,) = recorded(tmp_path, 1)
    sheets = Worksheet(Store(tmp_path), load_codebook(), LabellingOrder(places=(place,), annotator="ann"))
    sheets.give(1, *sheets.taxonomy.find("early-stop"))
    sheets.finish()
    app = WorkbenchApp(Opening(store=tmp_path, labelling=LabellingOrder(places=(place,), annotator="bert")))
    async with app.run_test(size=(120, 30)) as pilot:
        await ready(pilot)
        assert isinstance(app.screen, LabellingScreen)
        assert app.screen.sheet is not None
        assert app.screen.sheet.others == ()
        assert app.screen.sheet.hidden == "1 of others hidden until you are done"
        await settled(pilot, "j", "j", "4", "d", "a")
        await ready(pilot, AdjudicationScreen)
        sides = [side for side in app.screen.query(TextRows) if side.display]
        assert [side.entries[0].text for side in sides] == [
            "Early stop (early-stop)",
            "Repetition (repetition)",
        ]
        await settled(pilot, "4")
    settled_by = [one for one in ledger_of(Store(tmp_path)).book().labels if one.settles]
    assert [(one.code, one.settles, one.annotator) for one in settled_by] == [
        ("repetition", ("ann", "bert"), "bert")
    ]


@pytest.mark.thorough
async def test_a_score_is_disputed_and_ruled_on(tmp_path: Path) -> None:
    (place,) = recorded(tmp_path, 1)
    app = WorkbenchApp(Opening(store=tmp_path, labelling=LabellingOrder(places=(place,), annotator="ann")))
    async with app.run_test(size=(120, 30)) as pilot:
        await ready(pilot)
        await pilot.press("D")
        await pilot.pause()
        await pilot.press("2", "enter")
        await pilot.pause()
        assert "from 0 to 1" in str(app.screen.query_one(Static).render())
        await pilot.press("1", "enter")
        await pilot.pause()
        await pilot.press(*"fine", "enter")
        await at_rest(pilot)
        await settled(pilot, "g")
        shown = {entry.label: entry.text for entry in app.screen.query_one(TextRows).entries}
        assert shown["score"] == "as scored 0.000 · as corrected 1.000 (disputed by ann, not confirmed)"
        await settled(pilot, "Q", "a")
        await at_rest(pilot)
        (ruling,) = ledger_of(Store(tmp_path)).book().rulings
        assert (ruling.verdict, ruling.disputed_by) == ("accepted", "ann")
