"""The stepper's side of an answer that is being typed: what it would score."""

from __future__ import annotations

from textual.timer import Timer

from webbench.core.engine import messages
from webbench.core.score import Score, Status
from webbench.tui.screens.stepper_live import LiveEpisode
from webbench.tui.widgets.action_bar import ActionBar
from webbench.tui.widgets.score_rows import figure, status_words
from webbench.tui.widgets.score_tree import ScoreTree

PAUSE = 0.15
"""Seconds without a key press after which an answer is scored."""


class AnswerPreview(LiveEpisode):
    """Asks the engine what the typed answer is worth, and shows it in place of the score.

    The engine keeps quiet in episodes whose score stays hidden until the end.
    """

    _typed = ""
    _waiting: Timer | None = None

    def on_action_bar_answer_typed(self, message: ActionBar.AnswerTyped) -> None:
        self._typed = message.answer
        if self._waiting is not None:
            self._waiting.stop()
        if message.answer and not self.state.ended:
            self._waiting = self.set_timer(PAUSE, self._ask)
        else:
            self.query_one(ScoreTree).preview = None

    def _ask(self) -> None:
        self._send_soon(messages.PreviewAnswer(answer=self._typed))

    def show_preview(self, event: messages.AnswerPreviewed) -> None:
        """Show it, unless something else is typed by now."""
        if event.answer == self._typed:
            self.query_one(ScoreTree).preview = event.score
            self.query_one(ActionBar).show_preview(f"would score {_value(event.score)}")


def _value(score: Score) -> str:
    return figure(score.value) if score.status is Status.SCORED else status_words(score.status)
