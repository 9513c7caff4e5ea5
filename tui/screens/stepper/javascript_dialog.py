"""A JavaScript dialog that holds the page: what it asks, and how it is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.screen import Screen

from webbench.core.action.action import Action, AnswerDialog
from webbench.core.observation import Dialog, Observation
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import shown_key
from webbench.tui.screens.stepper.live import LiveEpisode
from webbench.tui.widgets.fields.draft_slot import draft_words
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.picture.screenshot import ScreenshotView
from webbench.tui.widgets.tree.accessibility_tree import AccessibilityTree

LONGEST_MESSAGE = 400
ANSWERS = frozenset({"stepper.accept_dialog", "stepper.dismiss_dialog"})


class DialogAnswers:
    """Says which dialog is open and what it asks, and answers it.

    Args:
        send: how an action is sent.
        draft: how one is put into the action bar.
    """

    def __init__(
        self,
        screen: Screen[None],
        episode: LiveEpisode,
        *,
        send: Callable[[str], Awaitable[None]],
        draft: Callable[[Action], None],
    ) -> None:
        self._screen = screen
        self._episode = episode
        self._send = send
        self._draft = draft

    @property
    def open_dialog(self) -> Dialog | None:
        observation = self._episode.state.observation
        return observation.dialog if observation else None

    def show(self, observation: Observation) -> None:
        """Tree and picture say what the page waits for; call it before they get the observation."""
        tree = self._screen.query_one(AccessibilityTree)
        problem = plain_text(observation.problem, limit=LONGEST_MESSAGE)
        tree.empty_text = problem or AccessibilityTree.empty_text
        if observation.dialog is not None:
            tree.empty_text = self._question(observation.dialog)
            self._screen.query_one(ScreenshotView).clear(tree.empty_text)
        self._screen.query_one(KeyFooter).refresh()

    def _question(self, dialog: Dialog) -> str:
        """What the dialog asks, and the keys that answer it."""
        accepts, dismisses = (
            shown_key(self._screen.app, f"stepper.{answer}_dialog") for answer in ("accept", "dismiss")
        )
        message = plain_text(dialog.message, limit=LONGEST_MESSAGE)
        how = f"{accepts} accepts it"
        if dialog.kind == "prompt":
            how = f"{accepts} answers it, with a text"
        article = "An" if dialog.kind == "alert" else "A"
        return f'{article} {dialog.kind} dialog holds the page: "{message}" {how}, {dismisses} dismisses it.'

    async def accept(self) -> None:
        """A prompt is answered in the action bar, with its default to begin with; others at once."""
        dialog = self.open_dialog
        if dialog is not None and dialog.kind == "prompt":
            self._draft(AnswerDialog(accept=True, text=dialog.default))
        else:
            await self._answer(AnswerDialog(accept=True))

    async def dismiss(self) -> None:
        await self._answer(AnswerDialog(accept=False))

    async def _answer(self, answer: AnswerDialog) -> None:
        if self.open_dialog is None:
            self._screen.notify("The page has no dialog open.", markup=False)
            return
        await self._send(draft_words(self._episode.dialect, answer))
