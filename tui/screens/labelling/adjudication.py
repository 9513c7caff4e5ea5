"""Adjudication: both labels side by side, a decision beside them; the originals stay."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.errors import WebbenchError
from webbench.core.labels.label import Label
from webbench.core.labels.taxonomy import Code, Question
from webbench.core.people.labelling.rater import Disagreement
from webbench.core.people.labelling.worksheet import Worksheet
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.commands import bindings
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import open_trajectory
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.labelling.code_list import CodeList
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.workers import run_worker

MOST_SIDES = 3
"""Annotators that stand side by side; the rest is in the list above."""


class CaseList(RowList):
    """The questions that annotators answered differently."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"case-list--decided", "case-list--open"}
    DEFAULT_CSS = """
    CaseList {
        & > .case-list--decided { color: $text-success; text-style: bold; }
        & > .case-list--open { color: $text-warning; }
    }
    """
    empty_text = "Nobody differs."

    class CaseFocused(Message):
        """The cursor came to rest on a case."""

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._cases: Sequence[Disagreement] = ()
        self._words: Mapping[int | None, str] = {}

    def show(self, cases: Sequence[Disagreement], words: Mapping[int | None, str]) -> None:
        """Show the cases, with the words of the steps that they are about."""
        self._cases, self._words = cases, words
        self.rows_changed()
        undecided = sum(case.settled is None for case in cases)
        self.border_title = Content("Where annotators differ")
        self.border_subtitle = Content(f"{counted(len(cases), 'question')}, {undecided} undecided")

    @property
    def case(self) -> Disagreement | None:
        return self._cases[self.cursor] if self.cursor < len(self._cases) else None

    @property
    def row_count(self) -> int:
        return len(self._cases)

    def row_line(self, row: int, width: int) -> Line:
        case = self._cases[row]
        line = Line(width)
        if case.settled is None:
            line.right(" undecided ", self.part("case-list--open"))
        else:
            decided = plain_text(f" {self.glyphs.selected} {case.settled.answer}", limit=60)
            line.right(f"{decided} ", self.part("case-list--decided"))
        place = "episode" if case.step is None else f"step {case.step}"
        line.add(f"{place:<9}", self.part("row-list--muted"))
        line.add(f"{plain_text(f'{case.question}.{case.about}' if case.about else case.question)}: ")
        said = (f"{who} {label.code if label else 'none'}" for who, label in case.labels.items())
        line.add(plain_text(" · ".join(said), limit=300))
        words = self._words.get(case.step, "")
        return line.add(f"  {plain_text(words, limit=300)}" if words else "", self.part("row-list--muted"))

    def row_focused(self, row: int) -> None:
        self.post_message(self.CaseFocused())


class AdjudicationScreen(Screen[None], ScreenOffers):
    """The cases of one episode; digits decide the one under the cursor."""

    CSS = """
    AdjudicationScreen {
        #adjudication-title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
        #adjudication-title { text-wrap: nowrap; text-overflow: ellipsis; }
        #adjudication { height: 1fr; layout: vertical; }
        CaseList { height: 1fr; }
        #sides { height: 2fr; }
        #sides TextRows { width: 1fr; height: 1fr; }
        CodeList { height: 2fr; max-height: 17; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("adjudication")]
    AUTO_FOCUS = "CaseList"

    def __init__(self, sheets: Worksheet) -> None:
        super().__init__()
        self._sheets = sheets

    def compose(self) -> ComposeResult:
        yield Static(Content("Adjudication"), id="adjudication-title")
        with Container(id="adjudication"):
            yield CaseList()
            with Horizontal(id="sides"):
                for _ in range(MOST_SIDES):
                    yield TextRows()
            yield CodeList()
        yield KeyFooter()

    async def on_mount(self) -> None:
        await self._read()

    async def _read(self) -> None:
        try:
            sheet = await asyncio.to_thread(self._sheets.sheet)
        except WebbenchError as error:
            self.notify(plain_text(str(error)), severity="error", markup=False)
            return
        intent = plain_text(sheet.trajectory.header.task.intent, limit=200)
        who = self._sheets.rater.annotator
        among = f"{self._sheets.at + 1} of {len(self._sheets.places)} · " * (len(self._sheets.places) > 1)
        title = f"Adjudication · {among}{who} decides by {self._sheets.taxonomy.name} · {intent}"
        self.query_one("#adjudication-title", Static).update(Content(title))
        words: dict[int | None, str] = {step.index: step.text for step in sheet.trajectory.steps}
        self.query_one(CaseList).show(sheet.cases, words)
        self._show()

    def _show(self) -> None:
        case = self.query_one(CaseList).case
        question = self._question(case)
        sides = list(self.query(TextRows))
        said = list(case.labels.items()) if case is not None else []
        for at, side in enumerate(sides):
            side.display = at < len(said)
            if at < len(said):
                who, label = said[at]
                side.border_title = Content(plain_text(who, limit=40))
                side.entries = _side(self._code(question, label), label)
        given = (case.settled.code,) if case is not None and case.settled is not None else ()
        self.query_one(CodeList).ask(question, given, 1, 1)

    def _question(self, case: Disagreement | None) -> Question | None:
        questions = self._sheets.taxonomy.questions
        return next((one for one in questions if case is not None and one.name == case.question), None)

    def _code(self, question: Question | None, label: Label | None) -> Code | None:
        if question is None or label is None:
            return None
        return next((code for code in question.codes if code.name == label.code), None)

    def on_case_list_case_focused(self) -> None:
        self._show()

    def on_code_list_code_chosen(self, message: CodeList.CodeChosen) -> None:
        case = self.query_one(CaseList).case
        if case is not None:
            note = case.settled.note if case.settled is not None else ""
            self._settle(case, message.code, note)

    def action_code(self, digit: int) -> None:
        if not self.query_one(CodeList).choose(digit):
            self.notify(f"There is no code {digit} here.", markup=False)

    def action_more_codes(self) -> None:
        self.query_one(CodeList).turn_digits()

    def action_no_label(self) -> None:
        """Decide that the place shall have no label."""
        case = self.query_one(CaseList).case
        if case is not None:
            self._settle(case, None, case.settled.note if case.settled is not None else "")

    def action_turn(self, episodes: int) -> None:
        """To another episode of those that were asked for."""

        async def turn() -> None:
            try:
                moved = await asyncio.to_thread(self._sheets.move, episodes)
            except WebbenchError as error:
                self.notify(plain_text(str(error)), severity="error", markup=False)
            else:
                if not moved:
                    self.notify("There is no further episode.", markup=False)
                await self._read()

        run_worker(self, turn, group="settle")

    def matters(self, id: str) -> bool:
        return id != "adjudication.next_episode" or len(self._sheets.places) > 1

    def action_view(self) -> None:
        """Open the step that the case is about."""
        case = self.query_one(CaseList).case
        if case is not None:
            folder = self._sheets.store.root.joinpath(*self._sheets.places[self._sheets.at])
            open_trajectory(self, folder, case.step)

    def action_note(self) -> None:
        case = self.query_one(CaseList).case
        settled = case.settled if case is not None else None
        code = self._code(self._question(case), settled)
        if case is None or settled is None:
            self.notify("Decide first, then say why.", markup=False)
            return

        def given(text: str | None) -> None:
            if text is not None:
                self._settle(case, code, text.strip())

        self.app.push_screen(TextPrompt("Why was it decided so?", value=settled.note), given)

    def _settle(self, case: Disagreement, code: Code | None, note: str) -> None:
        run, episode = self._sheets.places[self._sheets.at]

        async def settle() -> None:
            try:
                await asyncio.to_thread(self._sheets.rater.settle, run, episode, case, code, note)
            except WebbenchError as error:
                self.notify(plain_text(str(error)), severity="error", markup=False)
            await self._read()

        run_worker(self, settle, group="settle")

    def action_back(self) -> None:
        self.dismiss(None)


def _side(code: Code | None, label: Label | None) -> list[Entry]:
    if label is None:
        return [Entry("", "gave no label here", "muted")]
    entries = [Entry("code", label.code if code is None else f"{code.title} ({code.name})", "strong")]
    if code is not None:
        entries.append(Entry("means", code.definition, "muted"))
    if label.note:
        entries.append(Entry("note", label.note))
    if label.confidence is not None:
        entries.append(Entry("how sure", f"{label.confidence} of 5"))
    if label.evidence is not None:
        entries.append(Entry("evidence", f"step {label.evidence}"))
    return entries
