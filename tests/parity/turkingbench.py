"""TurkingBench's recorded functions, answered by our evaluator under the published rules."""

from __future__ import annotations

import asyncio
import csv
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.parity.browser import BrowserPage
from tests.parity.compare import NotHere
from tests.shared import MISSING, shared_folder
from webbench.benchmarks.turkingbench.batch import Batch, parse_batch, read_batch
from webbench.benchmarks.turkingbench.scoring.aggregate import table, task_averages
from webbench.benchmarks.turkingbench.scoring.field_score import field_verdict, text_likeness
from webbench.benchmarks.turkingbench.scoring.fields import READ_TYPES, Probing, read
from webbench.benchmarks.turkingbench.scoring.gold import Label, blanks_as_text, gold_of, labels_of
from webbench.benchmarks.turkingbench.scoring.instance import FieldReading, InstanceResult, score_fields
from webbench.benchmarks.turkingbench.scoring.normalise import canonical_number, clean_values, squeezed
from webbench.core.errors import BadData

CHECKED_FIRST = 40

Json = Any


def open_adapter() -> TurkingBenchAdapter:
    return TurkingBenchAdapter()


class TurkingBenchAdapter:
    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._page: BrowserPage | None = None
        self._functions: dict[str, Callable[..., Json]] = {
            "try_numeric": lambda value: canonical_number(value),
            "clean_values": lambda values: clean_values(values),
            "normalize_answer": lambda text: squeezed(text),
            "rouge_l": lambda pred, gold: text_likeness(pred, [gold])[0],
            "field_score": field_score,
            "instance_score": instance_score,
            "gold_labels": gold_labels,
            "csv_instance_score": csv_instance_score,
            "task_aggregate": task_aggregate,
            "task_table": self.task_table,
            "discover_fields": self.discover_fields,
        }

    def run(self, function: str, arguments: dict[str, Json]) -> Json:
        return self._functions[function](**arguments)

    def close(self) -> None:
        if self._page is not None:
            self._runner.run(self._page.close())
        self._runner.close()

    @cached_property
    def _report(self) -> dict[str, dict[str, str]]:
        with (self._data / "task_report.csv").open(encoding="utf-8-sig", newline="") as file:
            return {row["task"]: row for row in csv.DictReader(file)}

    @cached_property
    def _data(self) -> Path:
        folder = shared_folder()
        if folder is None:
            raise NotHere(MISSING)
        return folder / "data" / "turkingbench"

    def task_table(self, task: str) -> Json:
        """Facts about a whole table; of a trimmed one, those that trimming left."""
        path = self._data / "tasks" / task / "batch.csv"
        if not path.is_file():
            raise NotHere("a task that the data folder doesn't have")
        facts = table_facts(read_batch(path))
        report = self._report[task]
        if report["trimmed"] == "0":
            return facts
        if facts["instances"] < CHECKED_FIRST:
            raise NotHere(f"a table trimmed to fewer than {CHECKED_FIRST} instances")
        for name in ("rows", "instances"):
            if facts[name] != int(report[name]):
                raise BadData(f"{task}: {facts[name]} {name}, the trimmed file has {report[name]}")
            facts[name] = int(report[f"upstream_{name}"])
        return facts

    def discover_fields(
        self, html: str, answer_names: list[str] | None, script_before_reading: str | None
    ) -> Json:
        return self._runner.run(self._discover(html, answer_names, script_before_reading or ""))

    async def _discover(self, html: str, answer_names: list[str] | None, script: str) -> Json:
        if self._page is None:
            self._page = await BrowserPage.open()
        await self._page.show(html, script)
        return await published_reading(self._page, answer_names)


async def published_reading(environment: Probing, answer_names: list[str] | None) -> Json:
    """Fields and values as upstream's evaluator reports them, from the markup alone.

    Gives `fields` ({name, type, displayed}) and `values` ({name, values}), or `values_error` where
    upstream can't read them: two checked radio buttons of one name, or a type it doesn't know.
    Raises `BadData` where upstream finds no fields at all: one of all inputs has no name.
    """
    fields = (await read(environment, answer_names, published=True)).fields
    if any(not field.name for field in fields):
        raise BadData("an input has no name", "upstream reads pages without answer columns only if all have")
    reading: Json = {
        "fields": [{"name": field.name, "type": field.type, "displayed": field.displayed} for field in fields]
    }
    if any(field.type == "radio" and len(field.markup) > 1 for field in fields):
        return reading | {"values_error": "AssertionError"}
    if any(field.type not in READ_TYPES for field in fields):
        return reading | {"values_error": "Exception"}
    return reading | {
        "values": [{"name": field.name, "values": clean_values(list(field.markup))} for field in fields]
    }


def field_score(answers: list[Json], type: str, prediction: Json) -> Json:
    return field_verdict(answers, type, prediction).value


def instance_score(fields: list[Json], answers: dict[str, list[Label]]) -> Json:
    return _reported(_result(fields, answers))


def gold_labels(csv: str, instance_index: int, inputs: list[Json]) -> Json:
    batch = parse_batch(csv)
    return {"instances": len(batch.instances), "labels": _labels(batch, instance_index, inputs)}


def csv_instance_score(csv: str, instance_index: int, fields: list[Json]) -> Json:
    return instance_score(fields, _labels(parse_batch(csv), instance_index, fields))


def task_aggregate(tasks: dict[str, list[Json]]) -> Json:
    """Upstream's loop: hidden task names are skipped, and the last mean is printed under the last name."""
    averages = {
        name: task_averages([_result(**instance) for instance in instances], name)
        for name, instances in tasks.items()
        if not name.startswith(".")
    }
    if not averages:
        raise BadData("no task is left to average")
    last = list(averages.values())[-1]
    return {"mean_of_instances": {list(tasks)[-1]: last.mean_of_instances}, "table": table(averages)}


def table_facts(batch: Batch) -> Json:
    first = list(range(min(CHECKED_FIRST, len(batch.instances))))
    lost = [instance for instance in first if batch.blank_input(instance)]
    found = [len(batch.answer_rows(instance)) for instance in first if instance not in lost]
    return {
        "rows": len(batch.rows),
        "instances": len(batch.instances),
        "answer_columns": list(batch.answer_names),
        "checked_first": len(first),
        "labels_per_instance_histogram": {str(count): n for count, n in Counter(found).items()},
        "instances_without_rows": lost,
    }


def _labels(batch: Batch, instance: int, inputs: list[Json]) -> dict[str, list[Label]]:
    batch.answer_rows(instance)
    found = labels_of(gold_of(batch, instance))
    return {field["name"]: blanks_as_text(found.get(field["name"], []), field["type"]) for field in inputs}


def _result(fields: list[Json], answers: dict[str, list[Label]]) -> InstanceResult:
    readings = [
        FieldReading(
            name=field["name"],
            type=field["type"],
            values=tuple(field["values"]),
            displayed=field.get("displayed", True),
        )
        for field in fields
    ]
    return score_fields(readings, answers)


def _reported(result: InstanceResult) -> Json:
    if result.error:
        raise BadData(result.error)
    return {"score": result.score, "per_type": result.per_type}
