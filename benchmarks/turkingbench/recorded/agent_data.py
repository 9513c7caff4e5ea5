"""TurkingBench in the Agent Data Protocol: what workers answered, as trajectories or as rows.

`sample_std.json` holds trajectories whose clicks and texts were made from workers' answers; several workers
may have answered one instance. `sample_raw.json` holds the rows that they were made from: the columns of
batch.csv with the filled `Template`, `Task`, `_id` (`<task>__<instance>`) and `Answer`, a value by field.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.benchmarks.turkingbench.recorded.former_names import present_name
from webbench.benchmarks.turkingbench.scoring.fields import EXCLUDED_NAMES
from webbench.benchmarks.turkingbench.scoring.template_fields import template_fields
from webbench.core.action.action import Action, Check, ElementRef, Select, SetRange, Type
from webbench.core.action.words import action_words
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.agent_data.importer import episode_of, trajectories
from webbench.core.exchange.episode_building import foreign_header, numbered, text_of
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.json_list import objects
from webbench.core.json_types import JsonObject
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = "turkingbench"
GOLD = "the source gives no score: these answers are the ones that others are scored against"
_SITE = "turkingbench.github.io/tasks/"
_OF_WORKERS = frozenset({"Template", "Task", "_id", "Answer"})
_SEPARATOR = "|"
"""Between the values of one field."""


SHAPE = Shape({"": "episodes", "Template": "html", "Answer": Frame()})
"""Of a row; its answers are counted by hand, since a field may have several."""


class TurkingAgentData:
    name = "turkingbench-adp"
    title = "TurkingBench's answers of workers in the Agent Data Protocol"
    looks_like = (
        "a JSON list of Task, Template, _id, Answer, or of id, content, details with turkingbench tasks"
    )

    def claim(self, place: Place) -> Claim | None:
        return Claim() if _is_standard(place) or _is_raw(place) else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        if _is_raw(place):
            for row in objects(place):
                yield _of_row(row, place)
        else:
            for trajectory in trajectories(place):
                yield _of_worker(episode_of(trajectory, place))


def create() -> TurkingAgentData:
    """The entry point."""
    return TurkingAgentData()


def _is_standard(place: Place) -> bool:
    return place.has_text('"class_"', '"content"', _SITE)


def _is_raw(place: Place) -> bool:
    ends = place.head + place.tail
    return place.head.lstrip().startswith(b"[") and all(
        key in ends for key in (b'"Title"', b'"Keywords"', b'"_id"', b'"Answer"')
    )


def _of_worker(episode: ImportedEpisode) -> ImportedEpisode:
    """The same, done by a person."""
    header = episode.header
    task = msgspec.structs.replace(header.task, benchmark=BENCHMARK, name=present_name(header.task.name))
    episode.header = msgspec.structs.replace(
        header, task=task, actor="human", score=recorded_score(None, "", GOLD)
    )
    episode.steps = (
        msgspec.structs.replace(one, step=msgspec.structs.replace(one.step, actor=_person(one.step)))
        for one in episode.steps
    )
    return episode


def _person(step: Step) -> str:
    return "human" if step.index else step.actor


def _of_row(row: JsonObject, place: Place) -> ImportedEpisode:
    name, _, number = text_of(row.get("_id")).rpartition("__")
    template = text_of(row.get("Template"))
    answers = row["Answer"] if isinstance(row.get("Answer"), dict) else {}
    place.tally.read(row, SHAPE)
    lost = place.tally.losses()
    header = foreign_header(
        Task(
            benchmark=BENCHMARK,
            name=present_name(text_of(row.get("Task")) or name),
            instance=int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else None,
            intent=text_of(row.get("Title")),
            data={"inputs": {key: value for key, value in row.items() if key not in _OF_WORKERS}},
        ),
        "human",
        score=recorded_score(None, "", GOLD),
        settings={"id": text_of(row.get("_id")), "logged_name": text_of(row.get("Task"))},
    )
    return ImportedEpisode(header, numbered(_steps(answers, template, lost, place.tally)), lost)


def _steps(answers: JsonObject, template: str, lost: Lost, tally: Tally) -> Iterator[ImportedStep]:
    """The form, then a step for every value that a worker gave; in which order isn't recorded."""
    yield ImportedStep(Step(index=0, at="", actor="operator"), html=template)
    types = template_fields(template)
    for field, given in answers.items():
        checked = types.get(field) == "checkbox"
        count = len(text_of(given).split(_SEPARATOR)) if checked and given else int(bool(given))
        tally.count("steps", count)
        tally.count("actions", count)
        if field in EXCLUDED_NAMES:
            if count:
                lost.lose("steps", f"the field {field!r}, which the published evaluation leaves out", count)
                lost.lose("actions", f"the field {field!r}, which the published evaluation leaves out", count)
            continue
        for action in _actions(field, text_of(given), types.get(field, "")):
            yield ImportedStep(Step(index=0, at="", actor="human", text=action_words(action), action=action))
        if given and field not in types:
            lost.append(f"the type of the field {field!r}, which the template doesn't have; taken for a text")


def _actions(field: str, given: str, kind: str) -> Iterator[Action]:
    if not given:
        return
    if kind in ("checkbox", "radio"):
        for value in given.split(_SEPARATOR) if kind == "checkbox" else [given]:
            yield Check(target=ElementRef(field=field, option="" if value == "on" else value, role=kind))
    elif kind == "select":
        yield Select(target=ElementRef(field=field), options=tuple(given.split(_SEPARATOR)))
    elif kind == "range" and _is_number(given):
        yield SetRange(target=ElementRef(field=field, role="slider"), value=float(given))
    else:
        yield Type(target=ElementRef(field=field, role="textbox"), text=given)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).removeprefix("-").isdecimal() and text.isascii() and len(text) < 30
