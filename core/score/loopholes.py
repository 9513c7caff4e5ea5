"""Known weaknesses of evaluators, shown beside the scores that rest on them.

A benchmark keeps the texts in `loopholes.json`, where they can be read and cited without reading code, and
a predicate for each, by id, in `loopholes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.score.score import Loophole, Score
from webbench.core.task import Task

FILE = "loopholes.json"

Condition = Callable[[Task, JsonObject, Score], bool]
"""Whether a weakness really holds for this score of this evidence. Never raises."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One weakness, as it stands in the file.

    Attributes:
        id: short name, unique in the benchmark: "substring-answer".
        benchmark: whose evaluator has it.
        condition: in words, when it holds for a score.
        text: one sentence for the reader of the score.
        source: where it was first described.
    """

    id: str
    benchmark: str
    condition: str
    text: str
    source: str


@cache
def load_loopholes(package: str) -> tuple[Entry, ...]:
    """The entries of a benchmark's package ("webbench.benchmarks.turkingbench"), in file order.

    Raises `BadData` where the file is missing, has another shape, or names an id twice.
    """
    from importlib.resources import files

    try:
        entries = msgspec.json.decode((files(package) / FILE).read_bytes(), type=tuple[Entry, ...])
    except (OSError, msgspec.DecodeError) as error:
        raise BadData(f"{FILE} of {package} can't be used: {error}") from error
    ids = [entry.id for entry in entries]
    doubled = next((one for one in ids if ids.count(one) > 1), "")
    if doubled:
        raise BadData(f'{FILE} of {package} names "{doubled}" twice')
    return entries


def loopholes_of(
    entries: Sequence[Entry],
    conditions: Mapping[str, Condition],
    task: Task,
    evidence: JsonObject,
    score: Score,
) -> tuple[Loophole, ...]:
    """The weaknesses that hold for this very score, in the order of `entries`.

    Raises `BadData` for an entry without a condition of its id.
    """
    held = [entry for entry in entries if _condition(entry, conditions)(task, evidence, score)]
    return tuple(Loophole(id=entry.id, text=entry.text, source=entry.source) for entry in held)


def _condition(entry: Entry, conditions: Mapping[str, Condition]) -> Condition:
    try:
        return conditions[entry.id]
    except KeyError:
        raise BadData(f'The loophole "{entry.id}" of {entry.benchmark} has no condition of this id') from None
