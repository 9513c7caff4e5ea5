"""The preview of an answer that is being typed: what it would score."""

from __future__ import annotations

from textual.screen import Screen
from textual.timer import Timer

from webbench.core.engine.wire import messages
from webbench.core.score.explanation import value_words
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.live import LiveEpisode
from webbench.tui.widgets.score.score_tree import ScoreTree

PAUSE = 0.15
"""Seconds without a key press after which an answer is scored."""


class AnswerPreview:
    """Asks the engine what the typed answer is worth, and shows it in place of the score.

    The engine keeps quiet in episodes whose score stays hidden until the end.
    """

    def __init__(self, screen: Screen[None], episode: LiveEpisode) -> None:
        self._screen = screen
        self._episode = episode
        self._typed = ""
        self._waiting: Timer | None = None

    def answer_typed(self, answer: str) -> None:
        self._typed = answer
        if self._waiting is not None:
            self._waiting.stop()
        if answer and not self._episode.state.ended:
            self._waiting = self._screen.set_timer(PAUSE, self._ask)
        else:
            self._screen.query_one(ScoreTree).preview = None

    def _ask(self) -> None:
        self._episode.send_soon(messages.PreviewAnswer(answer=self._typed))

    def show(self, event: messages.AnswerPreviewed) -> None:
        """Show it, unless something else is typed by now."""
        if event.answer == self._typed:
            self._screen.query_one(ScoreTree).preview = event.score
            self._screen.query_one(ActionBar).show_preview(
                f"would score {value_words(event.score.value, event.score.status)}"
            )
