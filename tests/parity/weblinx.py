"""WebLINX' recorded functions, answered by our evaluator under the published rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from webbench.benchmarks.weblinx.demonstrations.demonstrations import flat_turns
from webbench.benchmarks.weblinx.demonstrations.reference import Turn, dropped
from webbench.benchmarks.weblinx.notation import output
from webbench.benchmarks.weblinx.pages.elements import PageElements, element_at, inferred_element
from webbench.benchmarks.weblinx.scoring import metrics
from webbench.benchmarks.weblinx.scoring.aggregate import Row, records, row_of, rows_of
from webbench.benchmarks.weblinx.scoring.predictions import predicted_action, recorded_turn
from webbench.benchmarks.weblinx.scoring.rules import PUBLISHED, TurnMetrics, measured_together, turn_metrics
from webbench.benchmarks.weblinx.turns.action import TurnAction, action_of
from webbench.benchmarks.weblinx.turns.intents import intent_of
from webbench.core.errors import BadData

Json = Any


def open_adapter() -> WebLinxAdapter:
    return WebLinxAdapter()


class WebLinxAdapter:
    def __init__(self) -> None:
        self._functions: dict[str, Callable[..., Json]] = {
            "intent_from_string": lambda text: intent_of(text),
            "intent_match": lambda pred_intent, ref_intent: (
                turn_metrics(TurnAction(pred_intent), [TurnAction(ref_intent)]).intent_match
            ),
            "metric_applicability": lambda pred_intent, ref_intent: metrics.applicable(
                pred_intent, ref_intent
            ),
            "iou": iou,
            "chrf": lambda pred, ref: metrics.text_chrf((pred, ref)),
            "chrf_action": lambda pred, ref: metrics.text_chrf(
                metrics.compared_texts(action_of(pred), action_of(ref))
            ),
            "urlf": lambda pred, ref: metrics.url_f(pred, ref),
            "exact_match": lambda pred, ref: metrics.exact_match(action_of(pred), action_of(ref)),
            "turn_score": turn_score,
            "future_turns": future,
            "parse_output": lambda raw: dict(zip(("intent", "args"), output.parse_output(raw), strict=True)),
            "format_arg_value": lambda value: output.format_value(value),
            "split_by_comma": lambda text, check_quotes: output.split_by_comma(text, quotes=check_quotes),
            "sanitize_args": lambda args: output.sanitised(args),
            "element_by_coords": lambda bboxes, x, y: element_at(bboxes, x, y),
            "infer_element": lambda intent, args, bboxes, xpaths: inferred_element(
                intent, args, PageElements(bboxes, xpaths)
            ),
            "validate_reference": validate_reference,
            "aggregate": aggregate,
            "aggregate_rows": lambda rows: {"records": _plain(records(rows_of(rows)))},
            "end_to_end": end_to_end,
        }

    def run(self, function: str, arguments: dict[str, Json]) -> Json:
        return self._functions[function](**arguments)

    def close(self) -> None: ...


def iou(pred_bbox: Json, ref_bbox: Json) -> Json:
    actions = [
        TurnAction("click", {}, None if box == "noelem" else {"bbox": box}) for box in (pred_bbox, ref_bbox)
    ]
    return metrics.element_iou(*actions)


def turn_score(pred: Json, ref: Json) -> Json:
    found = turn_metrics(action_of(pred), [action_of(ref)])
    return {
        "metrics": found.by_name(),
        "overall": found.overall,
        "overall_unconditional": found.unconditional,
    }


def future_turns(
    turns: Sequence[tuple[str, TurnAction, TurnAction]], count: int, rules: str = PUBLISHED
) -> list[TurnMetrics]:
    """Best score of each prediction over its own and the following references of its demonstration.

    Args:
        turns: (demonstration, predicted, reference) in order; another demonstration ends the search.
        count: how many references are looked at, 1 = the turn's own.

    Raises `BadData` as `turn_metrics`.
    """
    results: list[TurnMetrics] = []
    for place, (demonstration, predicted, _) in enumerate(turns):
        references: list[TurnAction] = []
        for name, _, wanted in turns[place : place + count]:
            if name != demonstration:
                break
            references.append(wanted)
        results.append(turn_metrics(predicted, references, rules))
    return results


def many_turn_metrics(
    turns: Sequence[tuple[TurnAction, TurnAction]], rules: str = PUBLISHED
) -> list[TurnMetrics | BadData]:
    """`turn_metrics` of many (predicted, reference), with their texts compared together.

    A turn that can't be scored gives its error and stops no other.
    """
    measure = measured_together((predicted, wanted, rules) for predicted, wanted in turns)
    results: list[TurnMetrics | BadData] = []
    for predicted, wanted in turns:
        try:
            results.append(turn_metrics(predicted, [wanted], rules, measure))
        except BadData as error:
            results.append(error)
    return results


def future(turns: list[Json], num_turns: int) -> Json:
    actions = [(turn["demo_name"], action_of(turn["pred"]), action_of(turn["ref"])) for turn in turns]
    return [
        _scored(turn["demo_name"], turn["turn_index"], predicted, wanted) | found.by_name()
        for turn, (_, predicted, wanted), found in zip(
            turns, actions, future_turns(actions, num_turns), strict=True
        )
    ]


def validate_reference(ref: Json, next_turn: Json) -> bool:
    action = None if ref is None else action_of(ref)
    following = Turn(type="browser", **next_turn) if next_turn else None
    return not dropped(action, following)


def aggregate(turns: list[Json]) -> Json:
    actions = [(action_of(turn["pred"]), action_of(turn["ref"])) for turn in turns]
    rows = [_row(predicted, wanted) for predicted, wanted in actions]
    return {"records": _plain(records(rows))}


def end_to_end(demo: dict[str, list[Json]], predictions: list[Json]) -> Json:
    demonstrations = {name: flat_turns(turns) for name, turns in demo.items()}
    turns = [recorded_turn(one["demo_name"], one["turn_index"], demonstrations) for one in predictions]
    pairs = [
        (turn, predicted_action(one["output_predicted"], turn.page))
        for one, turn in zip(predictions, turns, strict=True)
    ]
    kept = [(turn, predicted) for turn, predicted in pairs if not turn.dropped]
    scores = [
        _scored(turn.demo_name, turn.turn_index, predicted, turn.wanted)
        | turn_metrics(predicted, [turn.wanted]).by_name()
        for turn, predicted in kept
    ]
    return {"kept": [[turn.demo_name, turn.turn_index] for turn, _ in kept], "scores": scores}


def _scored(demo_name: str, turn_index: int, predicted: TurnAction, wanted: TurnAction) -> dict[str, Json]:
    return {
        "demo_name": demo_name,
        "turn_index": turn_index,
        "pred_intent": predicted.intent,
        "ref_intent": wanted.intent,
    }


def _row(predicted: TurnAction, wanted: TurnAction) -> Row:
    return row_of(str(wanted.intent), turn_metrics(predicted, [wanted]))


def _plain(found: Json) -> Json:
    return msgspec.to_builtins(found)
