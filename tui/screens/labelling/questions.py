"""What labelling asks in small dialogs: notes, evidence, confidence, taxonomy, disputes."""

from __future__ import annotations

from functools import partial

from textual.screen import Screen

from webbench.core.labels.label import Label
from webbench.core.people.labelling.worksheet import Sheet, Worksheet
from webbench.core.score.explanation import given_words
from webbench.tui.commands import shown_key
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.labelling.code_list import CodeList
from webbench.tui.screens.labelling.labelled_steps import LabelledSteps
from webbench.tui.screens.labelling.open_worksheet import OpenWorksheet
from webbench.tui.workers import run_worker

SURENESS = (
    ("1", "1 of 5: a guess"),
    ("2", "2 of 5: rather unsure"),
    ("3", "3 of 5: fairly sure"),
    ("4", "4 of 5: sure"),
    ("5", "5 of 5: certain"),
)


class LabelQuestions:
    """Asks about the label of the place under the cursor, or its episode, and has the answer written down."""

    def __init__(self, screen: Screen[None], worksheet: OpenWorksheet) -> None:
        self._screen = screen
        self._worksheet = worksheet

    @property
    def label(self) -> Label | None:
        """The label given to the place for the question at hand."""
        sheet, codes = self._worksheet.sheet, self._screen.query_one(CodeList)
        question, at = codes.question, codes.code
        if sheet is None or question is None:
            return None
        return sheet.label(self._step, question.name, at.name if at is not None else "")

    @property
    def _step(self) -> int | None:
        return self._screen.query_one(LabelledSteps).step

    def _labelled(self) -> tuple[Worksheet, Sheet, Label] | None:
        """What is asked about; where there is no label yet, that is told."""
        sheets, sheet, label = self._worksheet.sheets, self._worksheet.sheet, self.label
        if sheets is None or sheet is None or label is None:
            first = shown_key(self._screen.app, "labelling.code_1")
            self._worksheet.tell(f"Give a code first: {first} to 9.")
            return None
        return sheets, sheet, label

    def note(self) -> None:
        if (asked := self._labelled()) is None:
            return
        sheets, _, label = asked

        def given(text: str | None) -> None:
            if text is not None:
                self._worksheet.change(lambda: sheets.remark(label, note=text.strip()))

        self._screen.app.push_screen(TextPrompt("Why this code?", value=label.note), given)

    def evidence(self) -> None:
        if (asked := self._labelled()) is None:
            return
        sheets, sheet, label = asked
        last = sheet.place.last

        def given(text: str | None) -> None:
            if text is None:
                return
            if text.strip() and not text.strip().isdecimal():
                self._worksheet.tell(f"Steps are numbers from 0 to {last}.")
                return
            step = int(text) if text.strip() else None
            self._worksheet.change(lambda: sheets.remark(label, evidence=step))

        value = "" if label.evidence is None else str(label.evidence)
        prompt = TextPrompt(f"Which step shows it, 0 to {last}? Empty: none", value=value)
        self._screen.app.push_screen(prompt, given)

    def confidence(self) -> None:
        if (asked := self._labelled()) is None:
            return
        sheets, _, label = asked

        def given(value: str | None) -> None:
            if value is not None:
                self._worksheet.change(lambda: sheets.remark(label, confidence=int(value)))

        prompt = ChoicePrompt("How sure are you?", SURENESS, at=str(label.confidence))
        self._screen.app.push_screen(prompt, given)

    def take_back(self) -> None:
        if (asked := self._labelled()) is not None:
            sheets, _, label = asked
            self._worksheet.change(lambda: sheets.take_back(label))

    def taxonomy(self) -> None:
        if (sheets := self._worksheet.sheets) is None:
            return
        choices = [(one.name, f"{one.name}: {one.title}") for one in sheets.codebook.taxonomies.values()]

        def given(name: str | None) -> None:
            if name is not None:
                self._worksheet.change(lambda: sheets.choose(name))

        prompt = ChoicePrompt("Label by which taxonomy?", choices, at=sheets.taxonomy.name)
        self._screen.app.push_screen(prompt, given)

    def dispute(self) -> None:
        sheets, sheet = self._worksheet.sheets, self._worksheet.sheet
        if sheets is None or sheet is None:
            return
        if sheets.blind:
            shows = shown_key(self._screen.app, "labelling.blind")
            self._worksheet.tell(f"The score is hidden; {shows} shows it.")
        else:
            work = partial(self._ask_and_dispute, sheets, sheet)
            run_worker(self._screen, work, exclusive=True, group="dispute")

    async def _ask_and_dispute(self, sheets: Worksheet, sheet: Sheet) -> None:
        score = await self._ask_score(sheet.verdict.scored)
        if score is None:
            return
        step = self._step
        where = "" if step is None else f" Step {step} is kept as evidence."
        prompt = TextPrompt(f"Why is the verdict wrong?{where}")
        reason = await self._screen.app.push_screen_wait(prompt)
        if reason is not None:
            self._worksheet.change(lambda: sheets.dispute(score, reason.strip(), step))

    async def _ask_score(self, scored: float | None) -> float | None:
        """Asks until it is given a score, or left: keys meant for an answer must not label anything."""
        told = given_words(scored)
        question = f"The evaluator gave {told}. What should it be, 0 to 1?"
        value = "1" if scored is None or scored < 0.5 else "0"
        while True:
            text = await self._screen.app.push_screen_wait(TextPrompt(question, value=value))
            if text is None:
                return None
            try:
                score = float(text)
            except ValueError:
                score = -1.0
            if 0 <= score <= 1:
                return score
            question, value = f"A score is a number from 0 to 1. The evaluator gave {told}.", text
