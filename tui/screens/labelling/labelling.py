"""Labelling: the steps of an episode, the codes of a question, and all that speaks for one of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from webbench.core.errors import WebbenchError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import Label, pseudonym
from webbench.core.observation import Observation
from webbench.core.people.labelling.worksheet import LabellingOrder, Worksheet
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.secrets.redaction import configured_redaction
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings, shown_key
from webbench.tui.screens.breakpoints import breakpoints
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.going_back import go_back
from webbench.tui.screens.labelling.code_list import CodeList
from webbench.tui.screens.labelling.label_words import place_entries, title_text
from webbench.tui.screens.labelling.labelled_steps import LabelledSteps
from webbench.tui.screens.labelling.questions import LabellingAsks
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.widgets.tree.read_tree import ReadTree
from webbench.tui.workers import call_after_refresh, run_worker

NARROW_BELOW = 110
MOST_CODES = 15
MOST_CODES_NARROW = 9
PAGE_FROM = 36
"""Rows of the screen from which there is room for the page too."""
RESTING = 0.08
"""Seconds that the cursor rests on a step before its page is read."""
WHO = "Under which name do you label? A pseudonym; others see it, your real name is not needed."


class LabellingScreen(LabellingAsks):
    """Digits label the place under the cursor at once; everything is on disk before the next key.

    Args:
        order: what is to be labelled; where it names nobody, and the settings neither, the name is asked for.
    """

    CSS = """
    LabellingScreen {
        #labelling-title { height: 1; background: $panel; padding: 0 1; text-style: bold; text-wrap: nowrap; }
        #labelling-title { text-overflow: ellipsis; }
        #labelling-panes { height: 1fr; layout: grid; grid-size: 2 3; grid-rows: 12 1fr 0; }
        #labelling-panes { grid-columns: 2fr 3fr; }
        LabelledSteps { row-span: 3; }
        ReadTree { display: none; }
        &.-narrow #labelling-panes { grid-size: 1 3; grid-columns: 1fr; grid-rows: 5fr 11 4fr; }
        &.-narrow LabelledSteps { row-span: 1; }
    }
    """
    HORIZONTAL_BREAKPOINTS = breakpoints(NARROW_BELOW)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("labelling")]
    AUTO_FOCUS = "LabelledSteps"

    def __init__(self, store: Path, order: LabellingOrder) -> None:
        super().__init__()
        self._store = Store(store, configured_redaction(load_settings()))
        self._order = order
        self._question = 0

    def compose(self) -> ComposeResult:
        yield Static(Content("Labelling"), id="labelling-title")
        with Container(id="labelling-panes"):
            yield LabelledSteps()
            yield CodeList()
            yield TextRows()
            yield ReadTree()
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(TextRows).border_title = Content("What is known")
        run_worker(self, self._begin, exclusive=True, group="begin")

    async def _begin(self) -> None:
        """Ask who labels where nobody is named, then read the first episode in a thread."""
        settings = getattr(self.app, "settings", None)
        name = self._order.annotator or getattr(settings, "annotator", "")
        while not name:
            given = await self.app.push_screen_wait(TextPrompt(WHO, placeholder="for example: rater-1"))
            if given is None:
                self.action_back()
                return
            name = given.strip()
        try:
            self.sheets = await asyncio.to_thread(self._opened, name)
        except WebbenchError as error:
            self.tell(str(error), "error")
            self.query_one(LabelledSteps).empty_text = plain_text(str(error), limit=300)
            self.query_one(LabelledSteps).refresh()
            return
        for problem in self.sheets.codebook.problems:
            self.tell(problem, "warning")
        await self.read()
        if not self.left:
            self.query_one(LabelledSteps).go_to(self._order.step)

    def _opened(self, name: str) -> Worksheet:
        order = msgspec.structs.replace(self._order, annotator=pseudonym(name))
        return Worksheet(self._store, load_codebook(), order)

    async def read(self) -> None:
        """Show the episode at hand as it is now; suggestions are looked for in a thread."""
        if self.sheets is None:
            return
        try:
            self.sheet = await asyncio.to_thread(self.sheets.sheet)
        except WebbenchError as error:
            self.tell(str(error), "error")
            return
        if self.left:
            return
        self.query_one(LabelledSteps).sheet = self.sheet
        title = title_text(self.sheets, self.sheet)
        self.query_one("#labelling-title", Static).update(Content(title))
        self.show_place()

    # -- what is shown -------------------------------------------------------------------------

    @property
    def left(self) -> bool:
        """The screen is being taken down: what is read off the disk by then comes too late."""
        return not self.query(ReadTree)

    @property
    def step(self) -> int | None:
        return self.query_one(LabelledSteps).step

    @property
    def label(self) -> Label | None:
        """The label given to the place for the question at hand."""
        question = self.query_one(CodeList).question
        if self.sheet is None or question is None:
            return None
        return self.sheet.label(self.step, question.name)

    def show_place(self) -> None:
        """The question for the place under the cursor, and what is known of it."""
        sheets, sheet = self.sheets, self.sheet
        if sheets is None or sheet is None:
            return
        questions = sheets.taxonomy.asked(self.step)
        codes = self.query_one(CodeList)
        if not questions:
            codes.ask(None, "", 0, 0)
        else:
            self._question %= len(questions)
            question = questions[self._question]
            given = sheet.label(self.step, question.name)
            codes.ask(question, given.code if given else "", self._question + 1, len(questions))
        self._arrange(codes.row_count)
        detail = self.query_one(TextRows)
        detail.entries = place_entries(sheets, sheet, self.step, codes.code if codes.has_focus else None)
        where = "the episode" if self.step is None else f"step {self.step}"
        detail.border_subtitle = Content(where)
        self.refresh_bindings()

    def on_resize(self) -> None:
        call_after_refresh(self, self.show_place)

    def _arrange(self, codes: int) -> None:
        """As much room as the codes need; the page where there is room for it and one is recorded."""
        narrow = self.has_class("-narrow")
        height = min(codes, MOST_CODES_NARROW if narrow else MOST_CODES) + 2
        page = (
            self.sheet is not None and self.sheet.has_pages and not narrow and self.size.height >= PAGE_FROM
        )
        self.query_one(ReadTree).display = page
        rows = f"5fr {height} 4fr" if narrow else f"{height} 2fr 3fr" if page else f"{height} 1fr 0"
        self.query_one("#labelling-panes").styles.grid_rows = rows
        if page:
            run_worker(self, self._show_page, exclusive=True, group="page")

    async def _show_page(self) -> None:
        """The page that the step was done on, once the cursor rests on it."""
        sheets, step = self.sheets, self.step
        if sheets is None:
            return
        await asyncio.sleep(RESTING)
        observation = await asyncio.to_thread(sheets.page, step)
        if self.left:
            return
        tree = self.query_one(ReadTree)
        tree.empty_text = "No page is recorded here."
        tree.observation = observation or Observation()
        if step:
            words = await asyncio.to_thread(sheets.words, step)
            if self.left:
                return
            told = f"The page at step {step}: {plain_text(words, limit=200)}"
        else:
            told = "The last page" if step is None else "The first page"
        tree.border_title = Content(told)

    def on_labelled_steps_place_focused(self) -> None:
        self.show_place()

    def on_code_list_code_focused(self) -> None:
        self.show_place()

    def on_labelled_steps_place_activated(self) -> None:
        self.action_view()

    # -- labelling -----------------------------------------------------------------------------

    def action_code(self, digit: int) -> None:
        codes = self.query_one(CodeList)
        if not codes.choose(digit):
            self.tell(f"There is no code {digit} here.")

    def action_more_codes(self) -> None:
        self.query_one(CodeList).turn_digits()

    def on_code_list_code_chosen(self, message: CodeList.CodeChosen) -> None:
        if self.sheets is None:
            return
        sheets, step = self.sheets, self.step
        self.change(lambda: sheets.give(step, message.question, message.code))

    def action_question(self, by: int) -> None:
        questions = self.sheets.taxonomy.asked(self.step) if self.sheets else ()
        if len(questions) < 2:
            self.tell("This taxonomy asks one question here.")
            return
        self._question = (self._question + by) % len(questions)
        self.show_place()

    def action_mark(self, by: int) -> None:
        """To the next place with a suggestion or a label."""
        if self.sheet is None:
            return
        at = self.step if self.step is not None else -1
        marked = [step for step in self.sheet.marked_steps() if step is not None]
        after = [step for step in marked if (step > at if by > 0 else step < at)]
        if after:
            self.query_one(LabelledSteps).go_to(after[0] if by > 0 else after[-1])
        else:
            self.tell("No suggestion or label there." if marked else "Nothing is suggested in this episode.")

    def action_done(self) -> None:
        if self.sheets is None:
            return
        sheets = self.sheets

        def finish() -> None:
            if not sheets.finish():
                self.tell("Done with all of these episodes.")

        self.change(finish, moved=True)

    def action_reopen(self) -> None:
        if self.sheets is not None:
            self.change(self.sheets.reopen)

    def action_episode(self, by: int) -> None:
        sheets = self.sheets
        if sheets is None:
            return
        if not 0 <= sheets.at + by < len(sheets.places):
            self.tell("There is no other episode there.")
            return
        self.change(lambda: sheets.move(by), moved=True)

    def action_blind(self) -> None:
        """Hide, or show, the score and the suggestions that rest on it."""
        if self.sheets is not None:
            self.sheets.blind = not self.sheets.blind
            self.change(lambda: None)

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if id in ("labelling.note", "labelling.evidence", "labelling.confidence"):
            return self.label is not None
        if id == "labelling.next_question":
            return self.sheets is not None and len(self.sheets.taxonomy.asked(self.step)) > 1
        if id == "labelling.next_mark":
            return bool(self.sheet and self.sheet.marked_steps())
        return True

    def action_back(self) -> None:
        go_back(self)

    def at_start(self) -> None:
        self.query_one(LabelledSteps).go_to(None)

    def no_label(self) -> None:
        """Say that something belongs to a label, and there is none yet."""
        self.tell(f"Give a code first: {shown_key(self.app, 'labelling.code_1')} to 9.")
