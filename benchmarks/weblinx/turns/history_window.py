"""The part of a dialogue that is told with a turn: the history window of the paper's section 5.1."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.observation import DialogueTurn

PREVIOUS_TURNS = 5
UTTERANCES = 5
INSTRUCTOR = "instructor"


def window(dialogue: Sequence[DialogueTurn]) -> tuple[Sequence[DialogueTurn], Sequence[DialogueTurn]]:
    """The instructor's utterances before the latest turns, and these.

    Of more than five utterances, the first and the last four; of turns, whatever they are, the last five.
    """
    earlier = [turn for turn in dialogue[:-PREVIOUS_TURNS] if turn.said and turn.speaker == INSTRUCTOR]
    if len(earlier) > UTTERANCES:
        earlier = [earlier[0], *earlier[-(UTTERANCES - 1) :]]
    return earlier, dialogue[-PREVIOUS_TURNS:]


def clock(seconds: float | None) -> str:
    """Minutes and seconds as "mm:ss"; "00:00" where nothing tells."""
    minutes, rest = divmod(int(abs(seconds or 0)), 60)
    return f"{'-' if seconds and seconds <= -1 else ''}{minutes:02}:{rest:02}"
