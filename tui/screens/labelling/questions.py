"""What labelling asks in small dialogs: notes, evidence, confidence, taxonomy, disputes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from textual.notifications import SeverityLevel
from textual.screen import Screen

from webbench.core.errors import WebbenchError
from webbench.core.labels.label import Label
from webbench.core.people.labelling.worksheet import Sheet, Worksheet
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import shown_key
from webbench.tui.destinations import Adjudication, Disputes, go_to, open_trajectory
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.workers import run_worker

SURENESS = (
    ("1", "1 of 5: a guess"),
    ("2", "2 of 5: rather unsure"),
    ("3", "3 of 5: fairly sure"),
    ("4", "4 of 5: sure"),
    ("5", "5 of 5: certain"),
)


class LabellingAsks(Screen[None]):
    """The part of the labelling screen that asks and writes down; the other part shows."""

    def __init__(self) -> None:
        super().__init__()
        self.sheets: Worksheet | None = None
        self.sheet: Sheet | None = None
        self._store: Store
        self._writing = asyncio.Lock()

    # What the other part gives

    @property
    def step(self) -> int | None:
        raise NotImplementedError

    @property
    def label(self) -> Label | None:
        raise NotImplementedError

    async def read(self) -> None:
        raise NotImplementedError

    def no_label(self) -> None:
        raise NotImplementedError

    # Writing down

    def change(self, write: Callable[[], object], *, moved: bool = False) -> None:
        """Write something down and show what is there now; `moved` where it is another episode.

        One after the other, in the order of the keys. What was meant for an episode that has been left
        meanwhile is not written into the next one.
        """
        sheets = self.sheets
        if sheets is None:
            return
        meant = sheets.at

        async def written() -> None:
            async with self._writing:
                if sheets.at != meant:
                    self.tell("That key came while the next episode was opened: press it again.")
                    return
                try:
                    await asyncio.to_thread(write)
                except WebbenchError as error:
                    self.tell(str(error), "error")
                await self.read()
                if moved:
                    self.at_start()

        run_worker(self, written, group="write")

    def at_start(self) -> None:
        raise NotImplementedError

    def tell(self, text: str, severity: SeverityLevel = "information") -> None:
        self.notify(plain_text(text, limit=600), severity=severity, markup=False, timeout=6)

    # Asking

    def action_note(self) -> None:
        label = self.label
        if label is None or self.sheets is None:
            self.no_label()
            return
        sheets = self.sheets

        def given(text: str | None) -> None:
            if text is not None:
                self.change(lambda: sheets.remark(label, note=text.strip()))

        self.app.push_screen(TextPrompt("Why this code?", value=label.note), given)

    def action_evidence(self) -> None:
        label = self.label
        if label is None or self.sheets is None or self.sheet is None:
            self.no_label()
            return
        sheets, last = self.sheets, self.sheet.place.last

        def given(text: str | None) -> None:
            if text is None:
                return
            if text.strip() and not text.strip().isdecimal():
                self.tell(f"Steps are numbers from 0 to {last}.")
                return
            step = int(text) if text.strip() else None
            self.change(lambda: sheets.remark(label, evidence=step))

        value = "" if label.evidence is None else str(label.evidence)
        self.app.push_screen(TextPrompt(f"Which step shows it, 0 to {last}? Empty: none", value=value), given)

    def action_confidence(self) -> None:
        label = self.label
        if label is None or self.sheets is None:
            self.no_label()
            return
        sheets = self.sheets

        def given(value: str | None) -> None:
            if value is not None:
                self.change(lambda: sheets.remark(label, confidence=int(value)))

        self.app.push_screen(ChoicePrompt("How sure are you?", SURENESS, at=str(label.confidence)), given)

    def action_take_back(self) -> None:
        label = self.label
        if label is None or self.sheets is None:
            self.no_label()
            return
        sheets = self.sheets
        self.change(lambda: sheets.take_back(label))

    def action_taxonomy(self) -> None:
        if self.sheets is None:
            return
        sheets = self.sheets
        choices = [(one.name, f"{one.name}: {one.title}") for one in sheets.codebook.taxonomies.values()]

        def given(name: str | None) -> None:
            if name is not None:
                self.change(lambda: sheets.choose(name))

        prompt = ChoicePrompt("Label by which taxonomy?", choices, at=sheets.taxonomy.name)
        self.app.push_screen(prompt, given)

    def action_dispute(self) -> None:
        if self.sheets is None or self.sheet is None:
            return
        if self.sheets.blind:
            self.tell(f"The score is hidden; {shown_key(self.app, 'labelling.blind')} shows it.")
        else:
            work = partial(self._ask_and_dispute, self.sheets, self.sheet)
            run_worker(self, work, exclusive=True, group="dispute")

    async def _ask_and_dispute(self, sheets: Worksheet, sheet: Sheet) -> None:
        score = await self._ask_score(sheet.verdict.scored)
        if score is None:
            return
        where = "" if self.step is None else f" Step {self.step} is kept as evidence."
        reason = await self.app.push_screen_wait(TextPrompt(f"Why is the verdict wrong?{where}"))
        if reason is not None:
            step = self.step
            self.change(lambda: sheets.dispute(score, reason.strip(), step))

    async def _ask_score(self, scored: float | None) -> float | None:
        """Asks until it is given a score, or left: keys meant for an answer must not label anything."""
        told = "no score" if scored is None else f"{scored:.3f}"
        question = f"The evaluator gave {told}. What should it be, 0 to 1?"
        value = "1" if scored is None or scored < 0.5 else "0"
        while True:
            text = await self.app.push_screen_wait(TextPrompt(question, value=value))
            if text is None:
                return None
            try:
                score = float(text)
            except ValueError:
                score = -1.0
            if 0 <= score <= 1:
                return score
            question, value = f"A score is a number from 0 to 1. The evaluator gave {told}.", text

    # Other screens

    def action_adjudicate(self) -> None:
        if self.sheets is None or self.sheet is None:
            return
        if not self.sheet.cases:
            self.tell("Nobody differs on this episode, or not everybody is done with it.")
            return
        go_to(self, Adjudication(self.sheets), then=self._back_again)

    def action_disputes(self) -> None:
        if self.sheets is None:
            return
        go_to(self, Disputes(self._store, self.sheets.rater.annotator), then=self._back_again)

    def action_view(self) -> None:
        if self.sheet is None:
            return
        open_trajectory(self, self._store.root / self.sheet.place.run / self.sheet.place.episode, self.step)

    def _back_again(self, _result: None) -> None:
        self.change(lambda: None)
