"""From a model's raw outputs and the recorded turns to pairs of actions: what is scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webbench.benchmarks.weblinx.action import TurnAction
from webbench.benchmarks.weblinx.elements import PageElements, inferred_element
from webbench.benchmarks.weblinx.output import parse_output, sanitised
from webbench.benchmarks.weblinx.reference import Turn, dropped, reference_action
from webbench.core.errors import BadData

Demonstrations = Mapping[str, Sequence[Turn]]


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a results file; `turn_index` is the turn's place in the demonstration, from 0."""

    demo_name: str
    turn_index: int
    output_predicted: str


class ScoredPair(msgspec.Struct, frozen=True, kw_only=True):
    """A prediction beside what the person did; `dropped` says why the turn takes no part, else ""."""

    demo_name: str
    turn_index: int
    predicted: TurnAction
    wanted: TurnAction
    dropped: str = ""


def demo_named(name: str, known: Mapping[str, object]) -> str:
    """The name as demonstrations have it: older results carry an author before the last underscore."""
    return name if name in known else name.rpartition("_")[2]


def predicted_action(raw: str, page: PageElements, *, quoted_text: bool = False) -> TurnAction:
    """The action in a raw output, with its element. Raises `BadData` as `parse_output` and `element_at`."""
    intent, args = parse_output(raw, quoted_text=quoted_text)
    clean = sanitised(args)
    return TurnAction(intent, clean, inferred_element(intent, clean, page))


def scored_pair(prediction: Prediction, demonstrations: Demonstrations) -> ScoredPair:
    """One prediction beside its turn.

    Raises `BadData` for an unknown demonstration or turn, and for what its parts can't use.
    """
    name = demo_named(prediction.demo_name, demonstrations)
    index = prediction.turn_index
    try:
        turns = demonstrations[name]
        turn = turns[index]
    except KeyError:
        raise BadData(f'there is no demonstration "{name}"') from None
    except IndexError:
        raise BadData(f"demonstration {name} has {len(turns)} turns, there is no turn {index}") from None
    page = turn.page()
    wanted = reference_action(turn, page)
    predicted = predicted_action(prediction.output_predicted, page)
    following = turns[index + 1] if index + 1 < len(turns) else None
    return ScoredPair(
        demo_name=name,
        turn_index=index,
        predicted=predicted,
        wanted=wanted,
        dropped=dropped(wanted, following),
    )
