"""Predicted steps: one row a step, with the person's step beside it or in Mind2Web's own records.

Two forms are read. Rows {task_id, step, gt_op, gt_value, pred_op, pred_value, element_correct, ...}, alone or
as the list `predictions` of an object, hold the person's step themselves, and only whether the element was
right; where Mind2Web's records have the task, theirs has to be the same. Rows {annotation_id, action_uid or
step, element, op, value} need Mind2Web's records: the element, given by its `backend_node_id`, is right where
the step's `pos_candidates` have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from webbench.benchmarks.webcanvas.mind2web.operation_match import operation_text
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.scoring.offline.offline_scorer import PredictionFile, Record

MOST_STEPS = 2_000
"""Of one task."""
NO_CANDIDATE = (
    "none of the step's elements was among the candidates: the published evaluation counts it wrong"
)
MISSING = "no prediction: the published evaluation counts the step wrong"


class PredictedStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a task.

    Attributes:
        number: in the task, from 1.
        element, wanted: in words, what was chosen and what the person acted on.
        element_right: None where nothing was predicted.
        operation, reference: operation with its value.
        marked: whether the file itself calls the step right, None where it doesn't say.
        why: what decides about the element, where it isn't plain.
    """

    number: int
    element: str = ""
    wanted: str = ""
    element_right: bool | None = None
    operation: str = ""
    reference: str = ""
    marked: bool | None = None
    why: str = ""

    @property
    def missing(self) -> bool:
        return self.element_right is None


class PredictedTask(msgspec.Struct, frozen=True, kw_only=True):
    """The steps of one task, missing ones among them."""

    name: str
    intent: str = ""
    website: str = ""
    domain: str = ""
    model: str = ""
    steps: tuple[PredictedStep, ...]


class ReferenceTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a person did, of Mind2Web's own record: per step the action's id, elements, operation, words."""

    name: str
    intent: str
    website: str
    domain: str
    actions: tuple[tuple[str, frozenset[str], str, str], ...]


def reference_task(row: JsonObject) -> ReferenceTask:
    """Raises `BadData` for what is no record of Mind2Web."""
    name, actions = row.get("annotation_id"), row.get("actions")
    if not isinstance(name, str) or not name or not isinstance(actions, list):
        raise BadData('it has no text "annotation_id" or no list "actions"')
    words = row.get("action_reprs")
    told = words if isinstance(words, list) and len(words) == len(actions) else [""] * len(actions)
    return ReferenceTask(
        name=name,
        intent=_text(row, "confirmed_task"),
        website=_text(row, "website"),
        domain=_text(row, "domain"),
        actions=tuple(
            _reference_action(one, str(repr_)) for one, repr_ in zip(actions[:MOST_STEPS], told, strict=False)
        ),
    )


def _reference_action(action: Json, words: str) -> tuple[str, frozenset[str], str, str]:
    operation = action.get("operation") if isinstance(action, dict) else None
    candidates = action.get("pos_candidates") if isinstance(action, dict) else None
    if not isinstance(action, dict) or not isinstance(operation, dict) or not isinstance(candidates, list):
        raise BadData('an action has no object "operation" or no list "pos_candidates"')
    elements = frozenset(str(one.get("backend_node_id")) for one in candidates if isinstance(one, dict))
    reference = operation_text(_text(operation, "op"), _text(operation, "value"))
    return _text(action, "action_uid"), elements, reference, words


def by_task(predictions: PredictionFile) -> PredictionFile:
    """A record {task, model, rows} per task and model, on the first line that has a row of it.

    What is no row of a task is told at its own line.
    """
    found: dict[tuple[str, str], Record] = {}
    problems = list(predictions.problems)
    for record in predictions.records:
        for row, model in _rows_of(record.data):
            try:
                name = _task_of(row)
            except BadData as error:
                problems.append(Problem(predictions.place(record), str(error), "error"))
                continue
            empty = Record(record.line, {"task": name, "model": model, "rows": []})
            found.setdefault((name, model), empty).data["rows"].append(row)
    return PredictionFile(predictions.name, tuple(found.values()), tuple(problems))


def _rows_of(data: JsonObject) -> list[tuple[JsonObject, str]]:
    """The rows of a record, with the model that is named: those of its list, else the record itself.

    What is no row is an empty one, so that it is told.
    """
    listed = data.get("predictions")
    if not isinstance(listed, list):
        return [(data, _text(data, "model"))]
    return [(row if isinstance(row, dict) else {}, _text(data, "model")) for row in listed]


def _task_of(row: JsonObject) -> str:
    """The task that a row is of. Raises `BadData` where it names none."""
    name = _text(row, "task_id") or _text(row, "annotation_id")
    if not name:
        raise BadData('it has neither "task_id" nor "annotation_id"')
    return name


def predicted_task(
    name: str, rows: Sequence[JsonObject], known: Mapping[str, ReferenceTask]
) -> PredictedTask:
    """The steps of a task in order, with a step for each number that no row has.

    Raises `BadData` for a row that can't be a step, two rows of one step, a task that isn't known where its
    rows don't hold the person's steps, and one whose rows hold others than the records.
    """
    reference, first = known.get(name), rows[0]
    if reference is None and not all("gt_op" in row for row in rows):
        raise BadData(f'the task "{name}" is not in Mind2Web\'s records', "name them with --tasks")
    found: dict[int, PredictedStep] = {}
    for row in rows:
        step = _own_step(row) if "gt_op" in row else _held_step(row, reference)
        _same_reference(step, reference)
        if step.number in found:
            raise BadData(f'two predictions of step {step.number} of "{name}"')
        found[step.number] = step
    count = max(found) if reference is None else len(reference.actions)
    return PredictedTask(
        name=name,
        intent=reference.intent if reference else _text(first, "task"),
        website=reference.website if reference else _text(first, "website"),
        domain=reference.domain if reference else _text(first, "domain"),
        steps=tuple(found.get(number) or _absent(number, reference) for number in range(1, count + 1)),
    )


def _same_reference(step: PredictedStep, reference: ReferenceTask | None) -> None:
    """Raises `BadData` where a row's own step of the person is not that of the records."""
    if reference is None:
        return
    known = reference.actions[step.number - 1][2] if step.number <= len(reference.actions) else None
    if known != step.reference:
        told = f'"{known}"' if known is not None else f"no such step: {len(reference.actions)} are all"
        raise BadData(f'step {step.number} is "{step.reference}" in its row, and the records have {told}')


def _absent(number: int, reference: ReferenceTask | None) -> PredictedStep:
    if reference is None or number > len(reference.actions):
        return PredictedStep(number=number, why=MISSING)
    _, _, operation, words = reference.actions[number - 1]
    return PredictedStep(number=number, wanted=words, reference=operation, why=MISSING)


def _own_step(row: JsonObject) -> PredictedStep:
    number, right = row.get("step"), row.get("element_correct")
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_STEPS:
        raise BadData('it has no number "step" from 1')
    if not isinstance(right, bool):
        raise BadData('"element_correct" says neither true nor false, and nothing else tells the element')
    marked = row.get("step_correct")
    place = row.get("pred_element_idx")
    return PredictedStep(
        number=number,
        element=f"candidate {place} <{_text(row, 'pred_element_tag')}>",
        wanted=_text(row, "action_repr").rpartition(" -> ")[0] or f"<{_text(row, 'gt_element_tag')}>",
        element_right=right,
        operation=operation_text(_text(row, "pred_op"), _text(row, "pred_value")),
        reference=operation_text(_text(row, "gt_op"), _text(row, "gt_value")),
        marked=marked if isinstance(marked, bool) else None,
        why="as the file marks it: it doesn't tell which element was chosen",
    )


def _held_step(row: JsonObject, reference: ReferenceTask | None) -> PredictedStep:
    assert reference is not None
    number = _number(row, reference)
    _, elements, operation, words = reference.actions[number - 1]
    element = row.get("element")
    chosen = str(element) if isinstance(element, str | int) and not isinstance(element, bool) else ""
    return PredictedStep(
        number=number,
        element=chosen,
        wanted=", ".join(sorted(elements)) or words,
        element_right=chosen in elements,
        operation=operation_text(_text(row, "op"), _text(row, "value")) if elements else "",
        reference=operation,
        why="" if elements else NO_CANDIDATE,
    )


def _number(row: JsonObject, reference: ReferenceTask) -> int:
    uid, number = _text(row, "action_uid"), row.get("step")
    if uid:
        at = next((place for place, one in enumerate(reference.actions, 1) if one[0] == uid), 0)
        if not at:
            raise BadData(f'the task has no action "{uid}"')
        return at
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(reference.actions):
        raise BadData(f'it has no "action_uid", and no number "step" from 1 to {len(reference.actions)}')
    return number


def _text(row: JsonObject, name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def shown_rows(evidence: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Rows that an imported episode keeps with its steps."""
    for one in evidence:
        row = one.get("row")
        if isinstance(row, dict) and "gt_op" in row:
            yield row
