"""Mind2Web step predictions: a file a model, {model, ..., predictions: [a step each]}.

A step has the task, what the person did (`action_repr`, `gt_*`), what the model chose among candidates
(`pred_*`), and what was right (`element_correct`, `op_correct`, `value_correct`, `step_correct`). Each task
becomes two episodes, the person's and the model's. The person's is in every model's file; it is taken from
the first one in a folder that has it, so that two files give three episodes a task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from webbench.core.action.action import ElementRef
from webbench.core.errors import BadData
from webbench.core.exchange.episode_building import foreign_header, list_in, numbered, object_in, text_of
from webbench.core.exchange.foreign_terms import recorded_score, score_of_checks
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.mind2web.mind2web import (
    BENCHMARK,
    action_for,
    attributes_of,
    box_of,
    role_of,
    told,
)
from webbench.core.exchange.place import Place
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Check, Score
from webbench.core.task import Task
from webbench.core.trajectory import Step

MOST_SIBLINGS = 20
"""Files beside one that are looked at for the same person's steps."""
MISSING_STEP = "a step whose target was not among the model's candidates: the file leaves it out"
WRONG_ELEMENTS = "names of wrongly chosen elements: the file tells their tag and their place among candidates"
EVALUATOR = "the predictions' own"
_PARTS = {"element": "element_correct", "operation": "op_correct", "value": "value_correct"}


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
        known = _known_before(place)
        model = text_of(data.get("model")) or place.path.stem
        for steps in _tasks(data, place):
            if _persons(steps) not in known:
                yield _persons_episode(steps)
            yield _models_episode(model, steps)


def create() -> Mind2WebPredictions:
    """The entry point."""
    return Mind2WebPredictions()


def _is_file(place: Place) -> bool:
    return place.has_text('"predictions"', '"gt_op"', '"pred_op"')


def _known_before(place: Place) -> set[tuple[str, ...]]:
    """The person's steps of tasks that files before this one in the folder have."""
    known: set[tuple[str, ...]] = set()
    earlier = sorted(name for name in place.parent.names if name < place.name and name.endswith(".json"))
    for name in earlier[:MOST_SIBLINGS]:
        other = place.parent / name
        if not _is_file(other):
            continue
        try:
            known.update(_persons(steps) for steps in _tasks(object_in(other), other))
        except BadData:  # told where that file is read itself
            continue
    return known


def _tasks(data: JsonObject, place: Place) -> list[list[JsonObject]]:
    """The steps of each task, tasks in the order of their first step."""
    found: dict[str, list[JsonObject]] = {}
    for row in list_in(data, "predictions", place):
        if isinstance(row, dict):
            found.setdefault(text_of(row.get("task_id")), []).append(row)
    return list(found.values())


def _persons(steps: list[JsonObject]) -> tuple[str, ...]:
    """What identifies the person's steps of a task."""
    told_steps = (f"{row.get('step')} {row.get('action_repr')}" for row in steps)
    return (text_of(steps[0].get("task_id")), *told_steps)


def _task(row: JsonObject) -> Task:
    return Task(
        benchmark=BENCHMARK,
        name=text_of(row.get("task_id")),
        intent=text_of(row.get("task")),
        site=text_of(row.get("website")),
        kind=text_of(row.get("domain")),
    )


def _persons_episode(rows: list[JsonObject]) -> ImportedEpisode:
    lost = _gaps(rows)
    header = foreign_header(
        _task(rows[0]),
        "human",
        score=recorded_score(None, "", "a person's steps are what models are held to"),
    )
    return ImportedEpisode(header, numbered(_steps(rows, _persons_step)), lost)


def _models_episode(model: str, rows: list[JsonObject]) -> ImportedEpisode:
    lost = _gaps(rows)
    if not all(row.get("element_correct") for row in rows):
        lost.append(WRONG_ELEMENTS)
    header = foreign_header(_task(rows[0]), model, score=_score(rows))
    return ImportedEpisode(header, numbered(_steps(rows, _models_step)), lost)


def _gaps(rows: list[JsonObject]) -> list[str]:
    """Steps that are missing before, between or after those of the file can be told but for the last."""
    numbers = [number for row in rows if isinstance(number := row.get("step"), int)]
    return [MISSING_STEP] if numbers and len(set(numbers)) < max(numbers) else []


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
