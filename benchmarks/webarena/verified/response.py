"""The agent's response: task type, status and retrieved data against what the task expects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

import msgspec

from webbench.benchmarks.webarena.verified.canonical_urls import with_placeholders
from webbench.benchmarks.webarena.verified.compare import Difference, differences, told
from webbench.benchmarks.webarena.verified.values.results_schema import read_list
from webbench.benchmarks.webarena.verified.values.typed_values import read_value
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.text import bounded_json

NAME = "AgentResponseEvaluator"
FIELDS = ("task_type", "status", "retrieved_data")
OLD_NAMES = {"task_type": "performed_operation"}
"""What earlier editions called a field."""

_FENCED = re.compile(r"```(?:json)?\s*\n?(.*?)\n?```", re.DOTALL)


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What one evaluator says.

    Attributes:
        actual: as recorded; for events those that were compared.
        normalised, expected: `Value`s, lists and objects of them.
        differences: empty = everything is as expected.
        missing: why nothing could be compared, "" where it could.
    """

    name: str
    actual: Json = None
    normalised: Json = None
    expected: Json = None
    differences: tuple[Difference, ...] = ()
    missing: str = ""

    @property
    def holds(self) -> bool:
        return not self.differences


def judge_response(config: JsonObject, response: Json, bases: Mapping[str, str]) -> Verdict:
    """Raises `BadData` where the task itself can't be read."""
    expected = config.get("expected")
    if not isinstance(expected, dict):
        raise BadData("the task expects no response")
    schema = config.get("results_schema") or {}
    wanted = _read(expected, schema, bases, strict=True)
    given = object_of(response)
    retrieves = str(expected.get("task_type", "")).lower() == "retrieve"
    if isinstance(given, dict):
        given = _read(_known_fields(given), schema, bases, strict=False, retrieves=retrieves)
    found = differences(wanted, given, "agent_response", unseen=("retrieved_data",))
    if isinstance(given, dict) and retrieves:
        found += _of_data(wanted["retrieved_data"], given.get("retrieved_data"), bool(config.get("ordered")))
    return Verdict(name=NAME, actual=response, normalised=given, expected=wanted, differences=tuple(found))


def _of_data(wanted: Json, given: Json, ordered: bool) -> list[Difference]:
    if wanted is not None and given is None:
        message = f"Expected retrieved_data to be {told(wanted)}, but got None or empty"
        return [Difference("retrieved_data_missing_or_null", (message,))]
    return differences(wanted, given, "retrieved_data", ordered=ordered)


def _read(
    values: JsonObject, schema: JsonObject, bases: Mapping[str, str], *, strict: bool, retrieves: bool = True
) -> JsonObject:
    """Each given field in the form that is compared; of tasks that retrieve nothing, no data."""
    read: JsonObject = {}
    for name in FIELDS:
        if name not in values and not strict:
            continue
        value = values.get(name)
        if name == "retrieved_data":
            located = partial(with_placeholders, bases=bases)
            read[name] = read_list(value, schema, located, strict=strict) if retrieves else None
        else:
            read[name] = _word(value)
    return read


def _word(value: Json) -> Json:
    if isinstance(value, str):
        return read_value(value, "string") if value.strip() else None
    return value


def _known_fields(given: JsonObject) -> JsonObject:
    known = {name: given[name] for name in FIELDS if name in given}
    for name, old in OLD_NAMES.items():
        if name not in known and old in given:
            known[name] = given[old]
    return known


def object_of(response: Json) -> Json:
    """The response, read as JSON where it is a text, also within ``` fences; None for an empty one."""
    if not isinstance(response, str):
        return response or None
    fenced = _FENCED.search(response)
    text = (fenced[1] if fenced else response).strip()
    try:
        return bounded_json.decode(text) or None
    except ValueError:
        return text or None
