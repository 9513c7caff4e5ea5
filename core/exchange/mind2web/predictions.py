"""Mind2Web step predictions: a file a model, {model, ..., predictions: [a step each]}.

A step has the task, what the person did (`action_repr`, `gt_*`), what the model chose among candidates
(`pred_*`), and what was right (`element_correct`, `op_correct`, `value_correct`, `step_correct`). Each task
becomes two episodes, the person's and the model's. The person's is in every model's file, and one attempt
(`ONE_ATTEMPT`): it is kept once, so that two files give three episodes a task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from webbench.core.action.action import ElementRef
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import (
    ONE_ATTEMPT,
    foreign_header,
    list_in,
    lose_action,
    numbered,
    object_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score, score_of_checks
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.mind2web.mind2web import (
    BENCHMARK,
    action_for,
    attributes_of,
    box_of,
    told,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.html_tree import role_of
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Check, Score
from webbench.core.task import Task
from webbench.core.trajectory import Step

MISSING_STEP = "a step whose target was not among the model's candidates: the file leaves it out"
WRONG_ELEMENTS = "names of wrongly chosen elements: the file tells their tag and their place among candidates"
EVALUATOR = "the predictions' own"
_PARTS = {"element": "element_correct", "operation": "op_correct", "value": "value_correct"}


SHAPE = Shape({"predictions": Frame()})
ROWS = Shape({"step_correct": "scores", "raw_response": "replies"})
"""Of a row, which is a step of the person's and one of the model's and is kept whole with the latter."""
NOTED = "which step of the data set it is stands in the step's note"


class Mind2WebPredictions:
    name = "mind2web-predictions"
    title = "Mind2Web step predictions"
    looks_like = (
        "a JSON object of model, total_steps, accuracy, predictions with gt_op, pred_op, step_correct"
    )

    def claim(self, place: Place) -> Claim | None:
        return Claim() if _is_file(place) else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        data = object_in(place)
        place.tally.read(data, SHAPE)
        model = text_of(data.get("model")) or place.path.stem
        for steps in _tasks(data, place):
            _count(steps, place.tally)
            yield _persons_episode(steps, place.tally)
            yield _models_episode(model, steps, data, place.tally)


def create() -> Mind2WebPredictions:
    """The entry point."""
    return Mind2WebPredictions()


def _is_file(place: Place) -> bool:
    return place.has_text('"predictions"', '"gt_op"', '"pred_op"')


def _tasks(data: JsonObject, place: Place) -> list[list[JsonObject]]:
    """The steps of each task, tasks in the order of their first step."""
    found: dict[str, list[JsonObject]] = {}
    for row in list_in(data, "predictions", place):
        if isinstance(row, dict):
            found.setdefault(text_of(row.get("task_id")), []).append(row)
    return list(found.values())


def _task(row: JsonObject) -> Task:
    return Task(
        benchmark=BENCHMARK,
        name=text_of(row.get("task_id")),
        intent=text_of(row.get("task")),
        site=text_of(row.get("website")),
        kind=text_of(row.get("domain")),
    )


def _count(rows: list[JsonObject], tally: Tally) -> None:
    """Each row is a step of a person and one of a model, which may have named no operation."""
    tally.count("episodes", 2)
    tally.count("steps", 2 * len(rows))
    tally.count("actions", len(rows) + sum(bool(row.get("pred_op")) for row in rows))
    tally.read(rows, ROWS)
    tally.made("notes", NOTED, 2 * len(rows))
    tally.made("scores", "the share of right steps", int(any("step_correct" in row for row in rows)))


def _persons_episode(rows: list[JsonObject], tally: Tally) -> ImportedEpisode:
    lost = _gaps(rows, tally)
    header = foreign_header(
        _task(rows[0]),
        "human",
        score=recorded_score(None, "", "a person's steps are what models are held to"),
        settings={ONE_ATTEMPT: text_of(rows[0].get("task_id"))},
    )
    return ImportedEpisode(header, numbered(_steps(rows, _persons_step)), lost)


def _models_episode(model: str, rows: list[JsonObject], data: JsonObject, tally: Tally) -> ImportedEpisode:
    lost = _gaps(rows, tally)
    if not all(row.get("element_correct") for row in rows):
        lost.append(WRONG_ELEMENTS)
    for row in rows:
        if row.get("pred_op") and _models_step(row).action is None:
            lose_action(lost, text_of(row.get("pred_op")))
    about = {name: value for name, value in data.items() if name != "predictions"}
    header = foreign_header(_task(rows[0]), model, score=_score(rows), settings={"file": about})
    return ImportedEpisode(header, numbered(_steps(rows, _models_step)), lost)


def _gaps(rows: list[JsonObject], tally: Tally) -> Lost:
    """Steps that are missing before, between or after those of the file can be told but for the last."""
    numbers = [number for row in rows if isinstance(number := row.get("step"), int)]
    lost = tally.losses()
    if numbers and len(set(numbers)) < max(numbers):
        lost.append(MISSING_STEP)
    if len(set(numbers)) < len(numbers):
        tally.notice("steps of a task that have the same number; all are kept")
    return lost


def _steps(rows: list[JsonObject], build: Callable[[JsonObject], Step]) -> Iterator[ImportedStep]:
    """All were asked for on the page of the person's step; a title says which, so that they can be paired."""
    pages = [f"page of {_place(row)}" for row in rows]
    yield ImportedStep(Step(index=0, at="", actor="operator", title=pages[0]))
    for row, left_on in zip(rows, [*pages[1:], ""], strict=True):
        yield ImportedStep(msgspec.structs.replace(build(row), title=left_on))


def _persons_target(row: JsonObject) -> ElementRef:
    attributes = attributes_of(text_of(row.get("gt_element_attrs")))
    found = told(text_of(row.get("action_repr")))
    target = found.target if found else ElementRef(role=role_of(text_of(row.get("gt_element_tag"))))
    return msgspec.structs.replace(target, box=box_of(attributes.get("bounding_box_rect", "")))


def _persons_step(row: JsonObject) -> Step:
    text = text_of(row.get("action_repr"))
    found = told(text)
    op = found.op if found else text_of(row.get("gt_op"))
    action = action_for(op, _persons_target(row), text_of(row.get("gt_value")))
    return Step(index=0, at="", actor="human", text=text, action=action, note=_place(row))


def _models_step(row: JsonObject) -> Step:
    place = row.get("pred_element_idx")
    number = place if isinstance(place, int) and place >= 0 else None
    target = ElementRef(id=number, role=role_of(text_of(row.get("pred_element_tag"))))
    if row.get("element_correct") is True:
        target = msgspec.structs.replace(_persons_target(row), id=number)
    reply = text_of(row.get("raw_response"))
    action = action_for(text_of(row.get("pred_op")), target, text_of(row.get("pred_value")))
    return Step(
        index=0,
        at="",
        actor="agent",
        text=" ".join(reply.split()),
        action=action,
        ok=action is not None,
        error="" if action is not None else "the reply names no operation",
        reply=reply,
        score=_step_score(row),
        evidence={"row": row},
        note=_place(row),
    )


def _place(row: JsonObject) -> str:
    return f"step {row.get('step')} of the data set"


def _step_score(row: JsonObject) -> Score | None:
    check = _check(row)
    if check is None or check.value is None:
        return None
    return score_of_checks(check.value, EVALUATOR, (check,))


def _check(row: JsonObject) -> Check | None:
    """Whether the step is the person's in element, operation and value, as the file marks it."""
    value = row.get("step_correct")
    if not isinstance(value, bool):
        return None
    marks = {name: mark for name, key in _PARTS.items() if isinstance(mark := row.get(key), bool)}
    parts = [f"{name} {'right' if mark else 'wrong'}" for name, mark in marks.items()]
    element = f"candidate {row.get('pred_element_idx')} <{row.get('pred_element_tag')}>"
    return Check(
        name="is the person's",
        target=f"step {row.get('step')}",
        actual=[element, row.get("pred_op"), row.get("pred_value")],
        expected=[
            text_of(row.get("action_repr")).rpartition(" -> ")[0],
            row.get("gt_op"),
            row.get("gt_value"),
        ],
        value=float(value),
        why=", ".join(parts),
    )


def _score(rows: list[JsonObject]) -> Score:
    """The share of steps that were right, as the file marks them: Mind2Web's step success rate."""
    checks = tuple(check for row in rows if (check := _check(row)) is not None)
    if not checks:
        return recorded_score(None, "", "the file marks no step")
    right = sum(check.value == 1 for check in checks)
    parts = {
        name: [row[key] for row in rows if isinstance(row.get(key), bool)] for name, key in _PARTS.items()
    }
    metrics = {f"{name}_accuracy": sum(found) / len(found) for name, found in parts.items() if found}
    return score_of_checks(
        right / len(checks),
        EVALUATOR,
        checks,
        combination=f"mean of {len(checks)} steps as recorded",
        metrics={**metrics, "task_success": float(right == len(checks))},
    )
