"""What is odd about WebArena's task data: things to know before a number is believed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal

from webbench.benchmarks.webarena.live.functions import PREFIX, parse_call
from webbench.benchmarks.webarena.scoring.final_address import GOLD_IN_PRED, OR
from webbench.benchmarks.webarena.scoring.string_match import NOT_ACHIEVABLE
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.task import Task

Severity = Literal["note", "warning", "error"]
Finding = tuple[Severity, str]

SITES = ("shopping", "shopping_admin", "gitlab", "reddit", "map", "wikipedia", "homepage")
_TASK_KEYS = frozenset(
    (
        *("sites", "task_id", "require_login", "storage_state", "start_url", "geolocation", "intent"),
        *("intent_template", "intent_template_id", "instantiation_dict", "require_reset", "eval"),
    )
)
_EVAL_KEYS = frozenset(
    (
        *("eval_types", "reference_answers", "reference_url", "program_html", "string_note", "url_note"),
        *("reference_answer_raw_annotation", "annotation_note"),
    )
)
_NEEDED = {
    "string_match": "reference_answers",
    "url_match": "reference_url",
    "program_html": "program_html",
}
_SLOT = re.compile(r"\{\{\s*(.*?)\s*\}\}")


def task_problems(entry: JsonObject) -> Iterator[Finding]:
    """What is odd about one task, in no particular order."""
    for key in sorted(entry.keys() - _TASK_KEYS):
        yield "note", f'unknown key "{key}"'
    for site in _listed(entry.get("sites")):
        if site not in SITES:
            yield "warning", f'unknown site "{site}"'
    if entry.get("require_login") and not entry.get("storage_state"):
        yield "note", "it needs a login, but names no storage_state"
    yield from _template_problems(entry)
    gold: JsonObject = entry["eval"]
    for key in sorted(gold.keys() - _EVAL_KEYS):
        yield "note", f'unknown key "{key}" in eval'
    yield from _kind_problems(gold)
    yield from _answer_problems(gold)
    yield from _url_problems(gold)
    for number, target in enumerate(_listed(gold.get("program_html")), start=1):
        for severity, message in _target_problems(target):
            yield severity, f"page {number} of program_html: {message}"


def list_problems(tasks: Sequence[Task]) -> Iterator[Finding]:
    """What is odd about the tasks together."""
    wordings: dict[str, set[str]] = defaultdict(set)
    intents: dict[str, list[str]] = defaultdict(list)
    for task in tasks:
        wordings[task.template].add(str(task.data.get("intent_template", "")))
        intents[task.intent].append(task.name)
    for template, found in wordings.items():
        if len(found) > 1:
            yield "note", f"template {template} has {len(found)} wordings"
    for names in intents.values():
        if len(names) > 1:
            yield "note", f"tasks {', '.join(names)} have the same intent"
    if not tasks:
        yield "error", "there is no usable task"


def _template_problems(entry: JsonObject) -> Iterator[Finding]:
    values = entry.get("instantiation_dict")
    if not isinstance(values, dict):
        yield "warning", "instantiation_dict is no object"
        return
    slots = set(_SLOT.findall(str(entry.get("intent_template", ""))))
    for slot in sorted(slots - values.keys()):
        yield "note", f'slot "{slot}" of the template has no value'
    for name in sorted(values.keys() - slots):
        yield "note", f'value "{name}" has no slot in the template'
    for name, value in values.items():
        if not isinstance(value, str):
            yield "note", f'value "{name}" is no text but {value!r}'


def _kind_problems(gold: JsonObject) -> Iterator[Finding]:
    kinds = gold.get("eval_types")
    if not isinstance(kinds, list):
        yield "error", "eval_types is no list"
        return
    if not kinds:
        yield "warning", "eval_types is empty, so that every result passes as published"
    for kind in kinds:
        if not isinstance(kind, str) or kind not in _NEEDED:
            yield "error", f"the evaluator {kind!r} is unknown"
        elif not gold.get(_NEEDED[kind]):
            yield "error", f"{kind} has no {_NEEDED[kind]} to compare with"
    for kind, key in _NEEDED.items():
        if gold.get(key) and kind not in kinds and not _placeholder_pages(gold[key]):
            yield "note", f"{key} is given, but not compared"


def _placeholder_pages(value: Json) -> bool:
    """The older examples keep one empty target where there is none."""
    return isinstance(value, list) and all(isinstance(item, dict) and not item.get("url") for item in value)


def _answer_problems(gold: JsonObject) -> Iterator[Finding]:
    references = gold.get("reference_answers")
    if references is None:
        return
    if not isinstance(references, dict):
        yield "error", "reference_answers is no object (the shape of older examples)"
        return
    for approach, wanted in references.items():
        if approach not in ("exact_match", "must_include", "fuzzy_match"):
            yield "warning", f'reference_answers names "{approach}", which is not compared'
        for item in wanted if isinstance(wanted, list) else [wanted]:
            yield from _reference_problems(approach, item)
    if references.get("fuzzy_match") == NOT_ACHIEVABLE and not gold.get("string_note"):
        yield "note", "it can't be done, but string_note gives no reason to judge by"


def _reference_problems(approach: str, item: Json) -> Iterator[Finding]:
    if not isinstance(item, str):
        yield "error", f"a reference of {approach} is no text but {item!r}"
    elif OR in item:
        yield "warning", f"{approach} has {OR.strip()}, which is taken as it is written in answers"
    elif item != item.strip():
        yield "note", f"a reference of {approach} has outer blanks"


def _url_problems(gold: JsonObject) -> Iterator[Finding]:
    note = gold.get("url_note", GOLD_IN_PRED)
    if note != GOLD_IN_PRED:
        yield "error", f"the matching rule {note!r} of the address is unknown"
    reference = gold.get("reference_url")
    if reference and isinstance(reference, str) and "|AND|" in reference:
        yield "warning", "|AND| in reference_url is not understood"


def _target_problems(target: Json) -> Iterator[Finding]:
    if not isinstance(target, dict):
        yield "error", "it is no object"
        return
    required = target.get("required_contents")
    if not isinstance(required, dict) or not required.keys() & {"exact_match", "must_include"}:
        yield "warning", "required_contents has neither exact_match nor must_include"
    elif len(required) > 1:
        yield "warning", "only exact_match of required_contents is compared as published"
    for key in ("url", "locator"):
        text = target.get(key)
        if isinstance(text, str) and text.startswith(PREFIX):
            try:
                parse_call(text)
            except BadData as error:
                yield "error", f"{key}: {error}"


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
