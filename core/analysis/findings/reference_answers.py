"""Reference answers, from a task's gold data and from the checks of its score."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.json_types import Json
from webbench.core.score.score import Score, every_check
from webbench.core.task import Task

SHORTEST = 3
MOST = 20
LONGEST = 200

_TRIVIAL = frozenset({"n/a", "na", "none", "yes", "no", "true", "false", "unknown"})
_IMPOSSIBLE = frozenset({"n/a", "na", "not achievable", "unachievable", "impossible"})
_OTHER = ("annotation", "note", "url", "html", "type")


def references(task: Task, score: Score | None) -> tuple[str, ...]:
    """Strings an answer is compared with that can be looked for: not trivial, and not in the task's text."""
    found: dict[str, None] = {}
    intent = task.intent.casefold()
    for text in _texts(task, score):
        for line in text.split("\n"):
            words = " ".join(line.split())
            long_enough = len(words) >= SHORTEST or (words.isdecimal() and len(words) > 1)
            if not long_enough or len(words) > LONGEST or words.casefold() in _TRIVIAL:
                continue
            if words.casefold() not in intent:
                found[words] = None
    return tuple(found)[:MOST]


def is_impossible(task: Task, score: Score | None) -> bool:
    """Whether the reference itself says that it can't be done."""
    return any(" ".join(text.split()).casefold() in _IMPOSSIBLE for text in _texts(task, score))


def _texts(task: Task, score: Score | None) -> Iterator[str]:
    yield from _answers(task.gold)
    for check in every_check(score.checks) if score is not None else ():
        if check.target.startswith("answer") and not check.checks:
            yield from _strings(check.expected)


def _answers(gold: Json) -> Iterator[str]:
    """Texts below any key that speaks of an answer."""
    if isinstance(gold, dict):
        for key, value in gold.items():
            name = key.casefold()
            if any(word in name for word in _OTHER):
                continue
            yield from _strings(value) if "answer" in name else _answers(value)
    elif isinstance(gold, list):
        for value in gold:
            yield from _answers(value)


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"{value:g}"
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
