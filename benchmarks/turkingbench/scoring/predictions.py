"""One prediction as evidence: `{"task", "instance", "fields": {name: value}}` and the template's field types.

A value is a text or number, a list of them (ticked options), null (left empty), or, where the template
doesn't tell the type, `{"type": "radio", "values": [...], "displayed": true}`.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from webbench.benchmarks.turkingbench.scoring.fields import READ_TYPES
from webbench.benchmarks.turkingbench.scoring.template_fields import HIDDEN
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.text.nearest import nearest_names

_SHOWN = 5
_KEYS = ("type", "values", "displayed")
_LISTED_KEYS = '"type", "values" and "displayed"'


class PredictedInstance(msgspec.Struct, frozen=True):
    """A line of the file, its shape checked."""

    task: str
    instance: int
    fields: dict[str, Json]

    @property
    def id(self) -> str:
        return f"{self.task}#{self.instance}"


class PredictedEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """What the evaluator is given.

    Attributes:
        evidence: {"fields": [...]} as it is read off a page.
        unanswered: fields of the template that the prediction doesn't name; they count as left empty.
        untyped: predicted fields whose type nobody tells.
    """

    evidence: JsonObject
    unanswered: tuple[str, ...] = ()
    untyped: tuple[str, ...] = ()


def read_prediction(data: JsonObject) -> PredictedInstance:
    """Raises `BadData` naming what is missing or of the wrong type. "task#3" may stand in for both."""
    name, instance = data.get("task"), data.get("instance")
    if not isinstance(name, str) or not name:
        raise BadData('"task" is missing or no text')
    if instance is None and "#" in name:
        name, _, number = name.rpartition("#")
        instance = int(number) if number.isascii() and number.isdigit() else None
    if not isinstance(instance, int) or isinstance(instance, bool) or instance < 0:
        raise BadData('"instance" is missing or no number from 0')
    fields = data.get("fields")
    if not isinstance(fields, dict):
        raise BadData('"fields" is missing or no object of values by field name')
    return PredictedInstance(name, instance, fields)


def predicted_evidence(
    prediction: PredictedInstance, answers: tuple[str, ...], types: Mapping[str, str]
) -> PredictedEvidence:
    """The fields of a page that holds exactly this prediction.

    Args:
        answers: names of the answer columns.
        types: of the template's fields.

    Raises `BadData` for names that are no answer column, and for a value that is none, naming the field:
    scored without it, the prediction would count as one that left the field empty.
    """
    unknown = tuple(name for name in prediction.fields if name not in answers)
    if unknown:
        raise BadData(f"there is no field {named(unknown, answers)}")
    readings: list[JsonObject] = []
    untyped: list[str] = []
    for name in answers:
        if name not in prediction.fields and name not in types:
            continue
        reading = _reading(name, prediction.fields.get(name), types.get(name, ""))
        if reading["type"]:
            readings.append(reading)
        else:
            untyped.append(name)
    return PredictedEvidence(
        evidence={"fields": readings},
        unanswered=tuple(
            name
            for name in answers
            if name in types and types[name] != HIDDEN and name not in prediction.fields
        ),
        untyped=tuple(untyped),
    )


def _reading(name: str, value: Json, kind: str) -> JsonObject:
    displayed: Json = kind != HIDDEN
    if isinstance(value, dict):
        _check_keys(name, value)
        kind, displayed = value.get("type", kind), value.get("displayed", displayed)
        value = value["values"]
        if not isinstance(kind, str) or not isinstance(displayed, bool):
            raise BadData(f'field "{name}": "type" has to be a text and "displayed" true or false')
        if kind not in READ_TYPES:
            raise BadData(f'field "{name}": there is no type "{kind}"')
    return {"name": name, "type": kind, "displayed": displayed, "values": _values(name, value, kind)}


def _check_keys(name: str, value: JsonObject) -> None:
    """Raises `BadData` for an object that holds something else than the reading of a field."""
    strange = tuple(key for key in value if key not in _KEYS)
    if strange:
        raise BadData(f'field "{name}": an object of {_LISTED_KEYS} has no {named(strange, _KEYS)}')
    if "values" not in value:
        raise BadData(f'field "{name}": the object has no "values" (null says that it was left empty)')


def _values(name: str, value: Json, kind: str) -> list[Json]:
    if value is None:
        return []
    if kind == "checkbox" and isinstance(value, str):
        return [option for option in value.split("|") if option]
    listed = value if isinstance(value, list) else [value]
    for one in listed:
        if isinstance(one, bool) or not isinstance(one, str | int | float):
            raise BadData(f'field "{name}": values are texts or numbers, or a list of them')
    return listed


def named(names: tuple[str, ...], known: tuple[str, ...] = ()) -> str:
    """The names in quotation marks, the nearest known one beside a single stranger."""
    listed = ", ".join(f'"{name}"' for name in names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    near = nearest_names(names[0], known, 1) if len(names) == 1 else []
    return f'{listed} (did you mean "{near[0]}"?)' if near else listed
