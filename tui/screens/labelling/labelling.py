"""Labelling: the steps of an episode, the codes of a question, and all that speaks for one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.errors import WebbenchError
from webbench.core.labels.recoding import OPEN
from webbench.core.observation import Observation
from webbench.core.people.labelling.worksheet import LabellingOrder, Sheet, Worksheet
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.secrets.redaction import configured_redaction
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import Adjudication, Codes, Disputes, go_to, open_trajectory
from webbench.tui.screens.breakpoints import breakpoints
from webbench.tui.screens.dialogs.open_coding import WHO, OpenCoding
from webbench.tui.screens.dialogs.prompt import TextPrompt
from webbench.tui.screens.going_back import go_back
from webbench.tui.screens.labelling.asking_judge import AskingJudge
from webbench.tui.screens.labelling.code_list import CodeList
from webbench.tui.screens.labelling.label_words import place_entries, title_text
from webbench.tui.screens.labelling.labelled_steps import LabelledSteps
from webbench.tui.screens.labelling.open_worksheet import OpenWorksheet
from webbench.tui.screens.labelling.opening_queue import OpeningQueue
from webbench.tui.screens.labelling.questions import LabelQuestions
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.widgets.tree.read_tree import ReadTree
from webbench.tui.workbench import annotator_of
from webbench.tui.workers import call_after_refresh, run_worker

NARROW_BELOW = 110
MOST_CODES = 15
MOST_CODES_NARROW = 9
PAGE_FROM = 36
"""Rows of the screen from which there is room for the page too."""
RESTING = 0.08
"""Seconds that the cursor rests on a step before its page is read."""


class LabellingScreen(Screen[None], ScreenOffers):
    """Digits label the place under the cursor at once; everything is on disk before the next key.

    It owns the worksheet, which the questions share, and shows what is on it. Keys and messages arrive here.

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
        redacted = Store(store, configured_redaction(load_settings()))
        self.worksheet = OpenWorksheet(
            self, redacted, order, shown=self._show_episode, moved=lambda: self._go_to(None)
        )
        self.questions = LabelQuestions(self, self.worksheet)
        self.coding = OpenCoding(
            self,
            redacted,
            self._place,
            annotator=lambda: self.sheets.rater.annotator if self.sheets else "",
            codebook=lambda: self.sheets.codebook_name if self.sheets else OPEN,
            written=self._coded,
        )
        self.asking_judge = AskingJudge(self, self.worksheet)
        self.opening_queue = OpeningQueue(self, self.worksheet)
        self._question = 0

    @property
    def sheets(self) -> Worksheet | None:
        return self.worksheet.sheets

    @property
    def sheet(self) -> Sheet | None:
        return self.worksheet.sheet

    @property
    def step(self) -> int | None:
        """Index of the step under the cursor, None for the episode as a whole."""
        return self.query_one(LabelledSteps).step

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the episode, by which codes it is labelled, and by whom."""
        sheets = self.sheets
        if sheets is None:
            return {}
        episode = "/".join(sheets.places[sheets.at])
        labelled = {"annotator": sheets.rater.annotator, "taxonomy": sheets.taxonomy.name}
        return {"episode": episode, "record": episode, "codebook": sheets.codebook_name, **labelled}

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
        name = self.worksheet.order.annotator or annotator_of(self)
        while not name:
            given = await self.app.push_screen_wait(TextPrompt(WHO, placeholder="for example: rater-1"))
            if given is None:
                self.action_back()
                return
            name = given.strip()
        try:
            sheets = await self.worksheet.open(name)
        except WebbenchError as error:
            self.worksheet.tell(str(error), "error")
            self.query_one(LabelledSteps).empty_text = plain_text(str(error), limit=300)
            self.query_one(LabelledSteps).refresh()
            return
        for problem in sheets.codebook.problems:
            self.worksheet.tell(problem, "warning")
        await self.worksheet.read()
        if not self._left:
            self._go_to(self.worksheet.order.step)

    def _go_to(self, step: int | None) -> None:
        self.query_one(LabelledSteps).go_to(step)

    async def on_unmount(self) -> None:
        """However the screen is left, the time spent on the episode at hand is kept."""
        if self.sheets is not None:
            try:
                await asyncio.to_thread(self.sheets.leave)
            except WebbenchError as error:
                self.app.notify(plain_text(str(error), limit=400), severity="error", markup=False)

    # -- what is shown -------------------------------------------------------------------------

    @property
    def _left(self) -> bool:
        """The screen is being taken down: what is read off the disk by then comes too late."""
        return not self.query(ReadTree)

    def _show_episode(self) -> None:
        sheets, sheet = self.sheets, self.sheet
        if sheets is None or sheet is None or self._left:
            return
        self.query_one(LabelledSteps).sheet = sheet
        title = title_text(sheets, sheet)
        self.query_one("#labelling-title", Static).update(Content(title))
        self.show_place()

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
            given = [one.code for one in sheet.answers(self.step, question.name)]
            codes.ask(question, given, self._question + 1, len(questions))
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
        if self._left:
            return
        tree = self.query_one(ReadTree)
        tree.empty_text = "No page is recorded here."
        tree.observation = observation or Observation()
        if step:
            words = await asyncio.to_thread(sheets.words, step)
            if self._left:
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
            self.worksheet.tell(f"There is no code {digit} here.")

    def action_more_codes(self) -> None:
        self.query_one(CodeList).turn_digits()

    def on_code_list_code_chosen(self, message: CodeList.CodeChosen) -> None:
        if self.sheets is None:
            return
        sheets, step = self.sheets, self.step
        self.worksheet.change(lambda: sheets.give(step, message.question, message.code))

    def action_confirm(self) -> None:
        """Give the judges' verdict as one's own label."""
        self._answer_judges(lambda sheets, question: sheets.confirm(question))

    def action_ask_judge(self) -> None:
        self.asking_judge.begin()

    def action_reject(self) -> None:
        """Give the other answer in place of the judges'."""
        self._answer_judges(lambda sheets, question: sheets.reject(question))

    def _answer_judges(self, write: Callable[[Worksheet, str], bool]) -> None:
        sheets, sheet = self.sheets, self.sheet
        if sheets is None or sheet is None:
            return
        shown = self.query_one(CodeList).question
        asked = list(dict.fromkeys(one.question for one in sheet.verdicts if one.code))
        question = shown.name if shown is not None and shown.name in asked else asked[0] if asked else ""
        if not question:
            self.worksheet.tell("No judge has answered here; `webbench-tui judge ask` asks one.")
            return

        def written() -> None:
            if not write(sheets, question):
                self.worksheet.tell("Done with all of these episodes.")

        self.worksheet.change(written, moved=len(sheets.taxonomy.asked(None)) == 1)

    def action_question(self, by: int) -> None:
        questions = self.sheets.taxonomy.asked(self.step) if self.sheets else ()
        if len(questions) < 2:
            self.worksheet.tell("This taxonomy asks one question here.")
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
            self._go_to(after[0] if by > 0 else after[-1])
        else:
            self.worksheet.tell(
                "No suggestion or label there." if marked else "Nothing is suggested in this episode."
            )

    def action_done(self) -> None:
        if self.sheets is None:
            return
        sheets = self.sheets

        def finish() -> None:
            if not sheets.finish():
                self.worksheet.tell("Done with all of these episodes.")

        self.worksheet.change(finish, moved=True)

    def action_reopen(self) -> None:
        if self.sheets is not None:
            self.worksheet.change(self.sheets.reopen)

    def action_episode(self, by: int) -> None:
        sheets = self.sheets
        if sheets is None:
            return
        if not 0 <= sheets.at + by < len(sheets.places):
            self.worksheet.tell("There is no other episode there.")
            return
        self.worksheet.change(lambda: sheets.move(by), moved=True)

    def action_blind(self) -> None:
        """Hide, or show, the score and the suggestions that rest on it."""
        if self.sheets is not None:
            self.sheets.blind = not self.sheets.blind
            self.worksheet.change(lambda: None)

    # -- asking --------------------------------------------------------------------------------

    def action_note(self) -> None:
        self.questions.note()

    def action_evidence(self) -> None:
        self.questions.evidence()

    def action_confidence(self) -> None:
        self.questions.confidence()

    def action_take_back(self) -> None:
        self.questions.take_back()

    def action_taxonomy(self) -> None:
        self.questions.taxonomy()

    def action_dispute(self) -> None:
        self.questions.dispute()

    # -- finding codes -------------------------------------------------------------------------

    def action_new_code(self) -> None:
        self.coding.new_code()

    def action_in_vivo(self) -> None:
        self.coding.in_vivo()

    def action_memo(self) -> None:
        self.coding.memo()

    def _place(self) -> tuple[Path, int | None] | None:
        if self.sheet is None:
            return None
        return self.worksheet.store.root / self.sheet.place.run / self.sheet.place.episode, self.step

    def _coded(self, codebook: str) -> None:
        """Go on by the codebook that a code went into."""
        sheets = self.sheets
        if sheets is None:
            return
        if codebook and codebook != sheets.taxonomy.name:
            self._question = 0
        self.worksheet.change(lambda: sheets.choose(codebook) if codebook else None)

    # -- other screens -------------------------------------------------------------------------

    def action_adjudicate(self) -> None:
        if self.sheets is None or self.sheet is None:
            return
        if not self.sheet.cases:
            self.worksheet.tell("Nobody differs on this episode, or not everybody is done with it.")
            return
        go_to(self, Adjudication(self.sheets), then=self._back_again)

    def action_codebook(self) -> None:
        """The codebook at hand; what was changed there is labelled by from then on."""
        sheets = self.sheets
        if sheets is None:
            return

        def back(_result: None) -> None:
            self.worksheet.change(lambda: sheets.choose(sheets.taxonomy.name))

        name, who = sheets.taxonomy.name, sheets.rater.annotator
        go_to(self, Codes(self.worksheet.store, name, who), then=back)

    def action_queue(self) -> None:
        self.opening_queue.begin()

    def action_disputes(self) -> None:
        if self.sheets is not None:
            annotator = self.sheets.rater.annotator
            go_to(self, Disputes(self.worksheet.store, annotator), then=self._back_again)

    def action_view(self) -> None:
        if self.sheet is not None:
            place, root = self.sheet.place, self.worksheet.store.root
            open_trajectory(self, root / place.run / place.episode, self.step)

    def _back_again(self, _result: None) -> None:
        self.worksheet.change(lambda: None)

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if id in ("labelling.note", "labelling.evidence", "labelling.confidence"):
            return self.questions.label is not None
        if id == "labelling.next_question":
            return self.sheets is not None and len(self.sheets.taxonomy.asked(self.step)) > 1
        if id in ("labelling.confirm", "labelling.reject"):
            return bool(self.sheet and any(one.code for one in self.sheet.verdicts))
        if id == "labelling.next_mark":
            return bool(self.sheet and self.sheet.marked_steps())
        return True

    def action_back(self) -> None:
        go_back(self)
