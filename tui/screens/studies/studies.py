"""Studies: who does which tasks or labels which episodes, how far they are; joined, told and decided here."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.errors import UsageError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import pseudonym
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.queues import labelling_order, read_queue
from webbench.core.people.labelling.rater import undecided
from webbench.core.people.labelling.worksheet import LabellingOrder, Worksheet
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.themes.stylesheets import stylesheet
from webbench.tui.cli.listed_commands import EXIT_CODES
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import Adjudication, CommandForm, Labelling, go_to
from webbench.tui.screens.dialogs.open_coding import WHO
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.forms.running import run_in_terminal
from webbench.tui.screens.going_back import go_back
from webbench.tui.screens.studies.people_rows import (
    LABELS,
    TASKS,
    PersonTable,
    StudyRow,
    StudyTable,
    read_rows,
)
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.empty_state import EmptyState
from webbench.tui.widgets.lists.record_table import RecordTable
from webbench.tui.workbench import workbench
from webbench.tui.workers import read_or_tell, run_worker

NEW = (
    (TASKS, "People do tasks: a human baseline"),
    (LABELS, "People label recorded episodes"),
)


class StudiesScreen(Screen[None], ScreenOffers):
    """Studies above, the people of the one under the cursor below."""

    CSS_PATH = stylesheet("studies")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("studies")]
    AUTO_FOCUS = "StudyTable"

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store

    def compose(self) -> ComposeResult:
        yield Static(Content(f"Studies · {plain_text(str(self.store.root), limit=200)}"), id="studies-title")
        yield EmptyState(
            "No studies yet",
            "In a study people do the tasks of a benchmark, or label recorded episodes.",
            f"{shown_key(self.app, 'studies.new')} makes one, filled in as a form",
        )
        with Container(id="study-tables"):
            yield StudyTable()
            yield PersonTable()
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        """At first, and after somebody worked on one."""
        self.action_reload()

    def action_reload(self) -> None:
        run_worker(self, self._read, exclusive=True, group="read")

    async def _read(self) -> None:
        rows = await read_or_tell(self, partial(read_rows, self.store))
        if rows is not None:
            self.set_class(not rows, "-empty")
            self.query_one(StudyTable).records = rows
            self.query_one(KeyFooter).refresh()

    # -- what is chosen ------------------------------------------------------------------------

    @property
    def study(self) -> StudyRow | None:
        return self.query_one(StudyTable).record

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the study, or the queue's people and codes."""
        study = self.study
        if study is None:
            return {}
        if study.kind == TASKS:
            return {"study": study.name}
        return {"queue": study.name, "taxonomy": study.about}

    def on_record_table_focused(self, message: RecordTable.Focused) -> None:
        if isinstance(message.table, StudyTable):
            self.query_one(PersonTable).show(self.study)
            self.query_one(KeyFooter).refresh()

    def on_record_table_activated(self) -> None:
        self.action_join()

    def matters(self, id: str) -> bool:
        if self.has_class("-empty"):
            return id in ("studies.new", "studies.back", "app.help")
        if id == "studies.plan":
            return self.study is not None and self.study.kind == TASKS
        return id != "records.mark"

    @property
    def footer_titles(self) -> dict[str, str]:
        return {"records.open": "Join"}

    # -- joining -------------------------------------------------------------------------------

    def action_join(self) -> None:
        """Go on with one's part: as who is under the cursor, or as the settings say."""
        study = self.study
        if study is None or study.problem:
            self._tell(study.problem if study is not None else "There is no study here to join.")
            return
        people = self.query_one(PersonTable)
        names = [one.annotator for one in study.people]
        own = workbench(self).settings.annotator
        if people.has_focus and people.record is not None:
            who = people.record.annotator
        elif own in names or len(names) == 1:
            who = own if own in names else names[0]
        else:
            people.focus()
            self._tell("Who are you? Enter joins as the one under the cursor.")
            return
        if study.kind == TASKS:
            self._work(["baseline", "study", study.name, "--as", who, "--store", str(self.store.root)])
        else:
            run_worker(self, partial(self._label, study, who), group="join", exclusive=True)

    def _work(self, words: list[str]) -> None:
        """In this terminal and a process of its own, where nothing else of the store is to be seen."""
        try:
            with self.app.suspend():
                run_in_terminal(words, lambda code: f"Ended with {code}: {EXIT_CODES[code]}." if code else "")
        except SuspendNotSupported:
            self._tell("The screens can't be put aside here.")
        self.app.refresh()
        self.action_reload()

    async def _label(self, study: StudyRow, who: str) -> None:
        def order() -> LabellingOrder:
            return labelling_order(read_queue(self.store, study.name), who, ledger_of(self.store).book())

        found = await read_or_tell(self, order)
        if found is not None:
            go_to(self, Labelling(self.store.root, found))

    # -- what came of it -----------------------------------------------------------------------

    def _form(self, path: tuple[str, ...], filled: dict[str, str], *, begin: bool) -> None:
        go_to(self, CommandForm(path, self.store.root, self.at_hand, filled, begin))

    def action_results(self) -> None:
        """Rates, times and agreement so far, in the form of the command that tells them."""
        study = self.study
        if study is None:
            return
        if study.kind == TASKS:
            self._form(("baseline", "study"), {"study": study.name, "results": "yes"}, begin=True)
        else:
            people = " ".join(one.annotator for one in study.people)
            runs = " ".join(dict.fromkeys(run for run, _ in study.places))
            filled = {"taxonomy": study.about, "runs": runs, "between": people}
            self._form(("label", "agreement"), filled, begin=True)

    def action_plan(self) -> None:
        study = self.study
        if study is not None and study.kind == TASKS:
            self._form(("baseline", "study"), {"study": study.name, "plan": "yes"}, begin=True)

    def action_new(self) -> None:
        def chosen(kind: str | None) -> None:
            if kind is not None:
                self._form(("baseline", "new") if kind == TASKS else ("label", "queue"), {}, begin=False)

        self.app.push_screen(ChoicePrompt("What do people do in the new study?", NEW), chosen)

    # -- deciding ------------------------------------------------------------------------------

    def action_adjudicate(self) -> None:
        run_worker(self, self._adjudicate, group="adjudicate", exclusive=True)

    async def _adjudicate(self) -> None:
        """What people label differently in the study's episodes, one after the other."""
        study = self.study
        if study is None:
            return
        who: str | None = workbench(self).settings.annotator
        if not who:
            who = await self.app.push_screen_wait(TextPrompt(WHO))
        if not who:
            return
        sheets = await read_or_tell(self, partial(_open_cases, self.store, study, who))
        if sheets is not None:
            go_to(self, Adjudication(sheets))

    def _tell(self, text: str) -> None:
        self.notify(plain_text(text, limit=400), markup=False)

    def action_back(self) -> None:
        """From the people to the studies, then to where one came from."""
        if self.query_one(PersonTable).has_focus:
            self.query_one(StudyTable).focus()
        else:
            go_back(self)


def _open_cases(store: Store, study: StudyRow, who: str) -> Worksheet:
    """The study's episodes with a question that is still to be decided. Raises `UsageError` where none is."""
    taxonomy = study.about if study.kind == LABELS else ""
    found = undecided(ledger_of(store).book(), study.places, taxonomy)
    if not found:
        raise UsageError(
            f"Nothing of {study.name} waits for a decision",
            "where two people are done with an episode and differ, it does",
        )
    name, places = found[0]
    order = LabellingOrder(places=places, annotator=pseudonym(who), taxonomy=name)
    return Worksheet(store, load_codebook(written=ledger_of(store).codebooks), order)
