"""From a model's raw outputs and the recorded turns to pairs of actions: what is scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.benchmarks.weblinx.demonstrations.reference import Turn, dropped, reference_action
from webbench.benchmarks.weblinx.notation.output import parse_output, sanitised
from webbench.benchmarks.weblinx.pages.elements import Page, inferred_element
from webbench.benchmarks.weblinx.turns.action import TurnAction
from webbench.core.errors import BadData

Demonstrations = Mapping[str, Sequence[Turn]]


class RecordedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What the person did on one turn; `dropped` says why the turn takes no part in the evaluation, or ""."""

    demo_name: str
    turn_index: int
    wanted: TurnAction
    page: Page
    dropped: str = ""


def demo_named(name: str, known: Mapping[str, object]) -> str:
    """The name as demonstrations have it: older results carry an author before the last underscore."""
    return name if name in known else name.rpartition("_")[2]


def predicted_action(raw: str, page: Page, *, quoted_text: bool = False) -> TurnAction:
    """The action in a raw output, with its element. Raises `BadData` as `parse_output` and `element_at`."""
    intent, args = parse_output(raw, quoted_text=quoted_text)
    clean = sanitised(args)
    return TurnAction(intent, clean, inferred_element(intent, clean, page))


def recorded_turn(name: str, index: int, demonstrations: Demonstrations) -> RecordedTurn:
    """One turn of a demonstration.

    Raises `BadData` for an unknown demonstration or turn, and for one that can't be used.
    """
    name = demo_named(name, demonstrations)
    if name not in demonstrations:
        raise BadData(f'there is no demonstration "{name}"')
    turns = demonstrations[name]
    if not -len(turns) <= index < len(turns):
        raise BadData(f"demonstration {name} has {len(turns)} turns, there is no turn {index}")
    page = turns[index].page()
    wanted = reference_action(turns[index], page)
    following = turns[index + 1] if index + 1 < len(turns) else None
    return RecordedTurn(
        demo_name=name,
        turn_index=index,
        wanted=wanted,
        page=page,
        dropped=dropped(wanted, following),
    )
