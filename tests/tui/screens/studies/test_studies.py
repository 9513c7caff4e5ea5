"""The list of studies and queues: who is how far, joining, results and open cases by one key."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.cli.program import environment
from tests.tui.silent_engine import SilentLink, first_screen
from tests.tui.waiting import at_rest, until
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.queues import QueueOrder, make_queue
from webbench.core.people.labelling.rater import Rater, Remark, undecided
from webbench.core.people.studies.desk import Desk
from webbench.core.people.studies.known_studies import study_file
from webbench.core.people.studies.study import Study
from webbench.core.people.studies.written_study import study_text
from webbench.core.score.score import Score, Status
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.forms.command_form import CommandFormScreen
from webbench.tui.screens.forms.printed_lines import PrintedLines
from webbench.tui.screens.labelling.adjudication import AdjudicationScreen
from webbench.tui.screens.labelling.labelling import LabellingScreen
from webbench.tui.screens.studies import studies
from webbench.tui.screens.studies.people_rows import PersonTable, StudyTable
from webbench.tui.screens.studies.studies import StudiesScreen

STUDY = Study(name="pilot", benchmark="demo", annotators=("ada", "ben"), tasks=("camp-mugs", "receipt"))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """With a study that was begun, and a queue on whose one episode two people differ."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    store = Store(tmp_path / "store")
    run = store.start_run("demo", "team", 1)
    task = Task(benchmark="demo", name="hours", intent="When does the museum open?")
    recorder = store.recorder(run, EpisodeHeader(run="", episode="", task=task, actor="team", dialect=""))
    recorder.finish(Score(status=Status.SCORED, value=0.0), "stopped")
    (summary,) = store.episodes()
    order = QueueOrder(name="failures", taxonomy="merged", annotators=("cyd", "dan"), readings=2)
    make_queue(store, order, [summary])
    taxonomy = load_codebook().taxonomy("merged")
    question = next(one for one in taxonomy.asked(None) if len(one.codes) > 1)
    for who, code in zip(("cyd", "dan"), question.codes, strict=False):
        rater = Rater(ledger_of(store), taxonomy, who)
        rater.give(summary.run, summary.episode, None, question, code, Remark(), last=0)
        rater.finish(summary.run, summary.episode)
    study_file(store, "pilot").parent.mkdir()
    study_file(store, "pilot").write_text(study_text(STUDY, "pilot"))
    with Desk(store, STUDY, find_benchmark("demo"), "ada") as desk:
        desk.begin(desk.plan.assigned["ada"][0])
    return store


async def opened(pilot: Pilot[None]) -> StudiesScreen:
    await first_screen(pilot)
    await pilot.press("ampersand")
    await until(pilot, lambda: isinstance(pilot.app.screen, StudiesScreen))
    screen = pilot.app.screen
    assert isinstance(screen, StudiesScreen)
    await until(pilot, lambda: len(screen.query_one(StudyTable).records) == 2)
    await at_rest(pilot)
    return screen


async def test_who_is_how_far_and_what_came_of_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    joined: list[list[str]] = []
    monkeypatch.setattr(studies, "run_in_terminal", lambda words, _told: joined.append(words))
    app = WorkbenchApp(Opening(store=store.root, benchmark="demo"), Settings(), link=SilentLink())
    async with app.run_test(size=(100, 30)) as pilot:
        monkeypatch.setattr(app, "suspend", nullcontext)
        screen = await opened(pilot)
        study, queue = screen.query_one(StudyTable).records
        assert (study.progress, study.state, queue.progress, queue.state) == (
            "0 of 2",
            "going on",
            "2 of 2",
            "complete",
        )
        people = screen.query_one(PersonTable)
        assert [(one.annotator, one.begun) for one in people.records] == [("ada", 1), ("ben", 0)]

        await pilot.press("enter")
        assert screen.focused is people
        await pilot.press("down", "enter")
        assert joined == [["baseline", "study", "pilot", "--as", "ben", "--store", str(store.root)]]

        await pilot.press("escape", "r")
        await until(
            pilot,
            lambda: isinstance(app.screen, CommandFormScreen) and len(app.screen.query(PrintedLines)) == 1,
        )
        printed = app.screen.query_one(PrintedLines)
        await until(pilot, lambda: "ended with 1" in str(printed.border_subtitle))
        assert "pilot" in printed.text
        await pilot.press("q")
        await until(pilot, lambda: app.screen is screen)

        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, ChoicePrompt))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, CommandFormScreen))
        assert isinstance(app.screen, CommandFormScreen)
        assert app.screen.form.path == ("baseline", "new")


async def test_a_queue_is_labelled_and_decided(store: Store) -> None:
    app = WorkbenchApp(
        Opening(store=store.root, benchmark="demo"), Settings(annotator="dan"), link=SilentLink()
    )
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, LabellingScreen) and app.screen.sheet is not None)
        await pilot.press("q")
        await until(pilot, lambda: app.screen is screen)
        await at_rest(pilot)
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.screen, AdjudicationScreen))
        await pilot.press("1", "q")
        await until(pilot, lambda: app.screen is screen and not _open(store))
        await pilot.press("a")
        await until(pilot, lambda: any("waits for a decision" in note.message for note in app._notifications))


def _open(store: Store) -> bool:
    return bool(undecided(ledger_of(store).book(), {(one.run, one.episode) for one in store.episodes()}))
