"""Gold labels as JSON that a trajectory can keep, and back to the values that votes are counted on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from webbench.benchmarks.turkingbench.batch import ANSWER_PREFIX, Batch
from webbench.benchmarks.turkingbench.columns import Cell
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

Label = Cell
"""A worker's answer; a blank one is a NaN, and two NaN are one label only if they are one object."""

_SHARED_BLANK = math.nan


def gold_of(batch: Batch, instance: int) -> JsonObject:
    """Everything the evaluator compares an instance with.

    Keys: `labels` (per field, in row order, null = left blank), `shared_blank` (fields whose blanks
    count as one label), `workers`, `rows` (0-based, of the table), and `problem` where the published
    code finds no rows for this instance.
    """
    rows = batch.instances[instance] if batch.input_columns else range(len(batch.rows))
    labels: dict[str, list[Json]] = {}
    shared: list[str] = []
    for name in batch.answer_names:
        column = batch.column(ANSWER_PREFIX + name)
        labels[name] = [_to_json(column.cells[row]) for row in rows]
        if column.shared_blank and None in labels[name]:
            shared.append(name)
    gold: JsonObject = {"labels": labels, "shared_blank": shared, "workers": len(rows), "rows": list(rows)}
    try:
        batch.answer_rows(instance)
    except BadData as error:
        gold["problem"] = error.message
    return gold


def labels_of(gold: Mapping[str, Json]) -> dict[str, list[Label]]:
    """The label values of every field, blanks as NaN. Raises `BadData` for gold of another shape."""
    labels, shared = gold.get("labels"), gold.get("shared_blank", ())
    if not isinstance(labels, dict):
        raise BadData("the task's gold data holds no labels", "it belongs to another benchmark or version")
    return {
        name: [_from_json(value, shared_blank=name in shared) for value in values]
        for name, values in labels.items()
    }


def blanks_as_text(labels: Sequence[Label], kind: str) -> list[Label]:
    """Radio buttons and checkboxes read a blank as the empty text, other fields keep it."""
    if kind not in ("radio", "checkbox"):
        return list(labels)
    return ["" if is_blank(label) else label for label in labels]


def is_blank(label: Label) -> bool:
    """Whether a worker left the field empty (an empty *text* is no blank in this sense)."""
    return label is None or (isinstance(label, float) and math.isnan(label))


def _to_json(cell: Cell) -> Json:
    if isinstance(cell, float) and math.isinf(cell):
        return {"$float": "inf" if cell > 0 else "-inf"}
    return cell


def _from_json(value: Json, *, shared_blank: bool) -> Label:
    if value is None:
        return _SHARED_BLANK if shared_blank else float("nan")
    if isinstance(value, dict):
        return float(value.get("$float", "nan"))
    if isinstance(value, str | int | float):
        return value
    return str(value)
