"""A demonstration as something to be walked: which of its turns are predicted, and what stood on them.

Predicted are the navigator's utterances and the browser actions that take part in the evaluation. The
instructor's utterances and the rest (an element that nobody can name any more, a click that only prepared a
submit, ...) are history for the turns after them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.weblinx.demonstrations.reference import Turn, dropped, gold_of, reference_action
from webbench.benchmarks.weblinx.notation.grammar import written
from webbench.benchmarks.weblinx.notation.prediction import NAVIGATOR
from webbench.benchmarks.weblinx.turns.action import ID, TurnAction
from webbench.benchmarks.weblinx.turns.intents import ELEMENT_INTENTS, LOAD, SAY, SCROLL, UNKNOWN
from webbench.benchmarks.weblinx.turns.state import RecordedState
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.observation import DialogueTurn

_SAYS = ("aria-label", "title", "alt", "placeholder", "value", "name")


class CourseTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of a demonstration.

    Attributes:
        wanted: what was done; None where the record doesn't tell.
        left_out: why nobody predicts it, "" where somebody does.
        told: as the turns after it have it in their history.
        shown: the last state with a page that was recorded for this turn or one before it.
        shown_at: index of the turn which that state is of, -1 where there is none.
    """

    index: int
    turn: Turn
    wanted: TurnAction | None
    left_out: str
    told: DialogueTurn
    shown: RecordedState
    shown_at: int

    def gold(self) -> JsonObject:
        """What its prediction is compared with."""
        return gold_of(self.wanted or TurnAction(None), self.left_out)

    @property
    def answer(self) -> str:
        """What was done, in WebLINX's grammar: the element by its id."""
        return self.told.text if self.wanted is None else text_of(self.wanted)


class Course(msgspec.Struct, frozen=True):
    """All turns of a demonstration, and the indices of those that are predicted."""

    name: str
    turns: Sequence[CourseTurn]
    predicted: tuple[int, ...]

    def history(self, index: int) -> tuple[DialogueTurn, ...]:
        """What was said and done before the turn."""
        return tuple(turn.told for turn in self.turns[:index])


def course_of(name: str, turns: Sequence[Turn]) -> Course:
    """Reads the pages of all turns once. Raises `BadData` where nothing of it can be predicted."""
    found = course_turns(turns)
    predicted = tuple(turn.index for turn in found if not turn.left_out)
    if not predicted:
        reasons = "; ".join(dict.fromkeys(turn.left_out for turn in found)) or "it has no turn"
        raise BadData(f"demonstration {name} has no turn that can be predicted: {reasons[:300]}")
    return Course(name, found, predicted)


def course_turns(turns: Sequence[Turn]) -> list[CourseTurn]:
    """All turns, whether they are predicted or not. Reads their pages once; never raises."""
    found: list[CourseTurn] = []
    shown, shown_at = RecordedState(), -1
    for index, turn in enumerate(turns):
        state = turn.state()
        if state.shows:
            shown, shown_at = _without_answer(turn, state, shown), index
        following = turns[index + 1] if index + 1 < len(turns) else None
        found.append(_course_turn(index, turn, following, shown, shown_at))
    return found


def _without_answer(turn: Turn, state: RecordedState, before: RecordedState) -> RecordedState:
    """What is told of a `load` is told after it: its address is what has to be predicted."""
    is_load = turn.type == "browser" and turn.intent == LOAD
    return msgspec.structs.replace(state, url=before.url) if is_load else state


def _course_turn(
    index: int, turn: Turn, following: Turn | None, shown: RecordedState, shown_at: int
) -> CourseTurn:
    wanted: TurnAction | None = None
    try:
        wanted = reference_action(turn, turn.page())
        left_out = _never_predicted(turn, wanted) or dropped(wanted, following)
    except BadData as error:
        left_out = f"turn {index} can't be used: {error.message}"
    return CourseTurn(
        index=index,
        turn=turn,
        wanted=wanted,
        left_out=left_out,
        told=_dialogue_turn(index, turn, wanted),
        shown=shown,
        shown_at=shown_at,
    )


def _never_predicted(turn: Turn, wanted: TurnAction) -> str:
    if turn.type == "chat" and turn.speaker != NAVIGATOR:
        return "the instructor speaks"
    return f'there is no action "{turn.intent}"' if wanted.intent == UNKNOWN else ""


def _dialogue_turn(index: int, turn: Turn, wanted: TurnAction | None) -> DialogueTurn:
    seconds = turn.state().seconds
    if wanted is not None and wanted.intent == SAY:
        return DialogueTurn(
            index=index, speaker=str(turn.speaker), text=str(wanted.args["utterance"]), seconds=seconds
        )
    return DialogueTurn(
        index=index,
        speaker=NAVIGATOR,
        text=_done(turn, wanted),
        said=False,
        about=_about(turn),
        seconds=seconds,
    )


def _done(turn: Turn, wanted: TurnAction | None) -> str:
    """An action of the history; one whose element has no id is told by where the mouse was."""
    if wanted is None or not wanted.intent:
        return f"{turn.intent or turn.type}(…)"
    mouse = turn.state().mouse
    if wanted.intent in ELEMENT_INTENTS - {SCROLL} and "uid" not in _uid(wanted) and mouse is not None:
        return written(wanted.intent, {"x": mouse[0], "y": mouse[1], **wanted.args})
    return text_of(wanted)


def _about(turn: Turn) -> str:
    """The element in words: its tag, and what it says."""
    element = turn.element or {}
    attributes = element.get("attributes")
    known = attributes if isinstance(attributes, dict) else {}
    texts = (element.get("textContent"), *(known.get(name) for name in _SAYS))
    said = next((" ".join(text.split()) for text in texts if isinstance(text, str) and text.strip()), "")
    tag = str(element.get("tagName") or "").lower()[:20]
    return f'{tag} "{said[:60]}"' if tag and said else tag


def text_of(action: TurnAction) -> str:
    """A recorded action in WebLINX's grammar, its element by id."""
    return written(action.intent or "unknown", _uid(action) | action.args)


def _uid(action: TurnAction) -> JsonObject:
    attributes = (action.element or {}).get("attributes")
    identity = attributes.get(ID) if isinstance(attributes, dict) else None
    return {"uid": identity} if isinstance(identity, str) else {}
