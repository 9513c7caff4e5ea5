"""The stepper's side of a page that waits for the answer to a JavaScript dialog."""

from __future__ import annotations

from webbench.core.action import AnswerDialog
from webbench.core.observation import Dialog, Observation
from webbench.core.plain_text import plain_text
from webbench.tui.commands import shown_key
from webbench.tui.screens.stepper_actions import PersonActions
from webbench.tui.widgets.accessibility_tree import AccessibilityTree
from webbench.tui.widgets.draft_slot import draft_words
from webbench.tui.widgets.key_footer import KeyFooter
from webbench.tui.widgets.screenshot import ScreenshotView

LONGEST_MESSAGE = 400
ANSWERS = frozenset({"stepper.accept_dialog", "stepper.dismiss_dialog"})


class DialogAnswers(PersonActions):
    """Says which dialog is open and what it asks, and answers it."""

    @property
    def open_dialog(self) -> Dialog | None:
        return self.state.observation.dialog if self.state.observation else None

    def show_dialog(self, observation: Observation) -> None:
        """Tree and picture say what the page waits for; call it before they get the observation."""
        tree = self.query_one(AccessibilityTree)
        problem = plain_text(observation.problem, limit=LONGEST_MESSAGE)
        tree.empty_text = problem or AccessibilityTree.empty_text
        if observation.dialog is not None:
            tree.empty_text = self._words(observation.dialog)
            self.query_one(ScreenshotView).clear(tree.empty_text)
        self.query_one(KeyFooter).refresh()

    def _words(self, dialog: Dialog) -> str:
        accepts, dismisses = (
            shown_key(self.app, f"stepper.{answer}_dialog") for answer in ("accept", "dismiss")
        )
        message = plain_text(dialog.message, limit=LONGEST_MESSAGE)
        how = f"{accepts} accepts it"
        if dialog.kind == "prompt":
            how = f"{accepts} answers it, with a text"
        article = "An" if dialog.kind == "alert" else "A"
        return f'{article} {dialog.kind} dialog holds the page: "{message}" {how}, {dismisses} dismisses it.'

    async def action_accept_dialog(self) -> None:
        """A prompt is answered in the action bar, with its default to begin with; others at once."""
        dialog = self.open_dialog
        if dialog is not None and dialog.kind == "prompt":
            self.draft_action(AnswerDialog(accept=True, text=dialog.default))
        else:
            await self._answer(AnswerDialog(accept=True))

    async def action_dismiss_dialog(self) -> None:
        await self._answer(AnswerDialog(accept=False))

    async def _answer(self, answer: AnswerDialog) -> None:
        if self.open_dialog is None:
            self.notify("The page has no dialog open.", markup=False)
            return
        await self._send(draft_words(self.dialect, answer))
