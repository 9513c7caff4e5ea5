"""A demonstrated task: made of a recorded episode, tried on recordings, and only then written into a file.

The demonstration has to meet every check, and a near miss (an episode that comes close and is wrong) has to
fail one: checks that nothing fails say nothing. The episode of a second annotator, who was given the words
alone, shows that these can be understood. What the checks look at is the matter of a `TaskShape`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from webbench.benchmarks.common.task_file import changing, listed_tasks, write_tasks
from webbench.core.action.action import Action
from webbench.core.action.references import without_id
from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score, Status
from webbench.core.trajectory import Trajectory

_SLOT = re.compile(r"\{\{\s*([\w-]+)\s*\}\}")


class ListedCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One thing of a demonstration that can be checked.

    Attributes:
        pick: by what it is picked.
        looks_at: what the check reads.
        wanted: what the demonstration has there.
    """

    pick: str
    looks_at: str
    wanted: str
    why: str = ""


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """How a task is put: its name, the intent's template, what stands in the template's {{slots}}."""

    name: str
    template: str
    values: Mapping[str, str] = {}

    @property
    def intent(self) -> str:
        """Raises `UsageError` for no words, for slots without values, and for values without slots."""
        if not self.template.strip():
            raise UsageError("The task asks for nothing", "say what with --intent")
        slots = set(_SLOT.findall(self.template))
        if slots != set(self.values):
            odd = ", ".join(sorted(slots ^ set(self.values)))
            raise UsageError(
                f"The intent and the values differ in {odd}", "write {{name}}, and --value name=TEXT"
            )
        return _SLOT.sub(lambda slot: self.values[slot[1]], self.template)


class TaskShape(Protocol):
    """A benchmark's form of a task, and what its checks see of a recorded episode.

    Attributes:
        benchmark: whose form it is.
        key: the field of an entry that holds its name.
    """

    benchmark: str
    key: str

    def listed(self, shown: Trajectory) -> Sequence[ListedCheck]:
        """What can be checked, the most advisable first."""
        ...

    def entry(self, shown: Trajectory, wording: Wording, checks: Sequence[str]) -> JsonObject:
        """The task as its files have it. Raises `UsageError` for a name, words or checks that can't be."""
        ...

    def score(self, entry: JsonObject, shown: Trajectory) -> Score:
        """What an episode gets for the task, by its record."""
        ...

    def doubts(self, shown: Trajectory, checks: Sequence[str]) -> Iterator[str]:
        """What is to be known of checks that hold all the same."""
        ...


def performed(actions: Sequence[Action]) -> list[Json]:
    """Actions as a task file has them: elements by their fingerprints, without the ids of one page."""
    return [msgspec.to_builtins(without_id(action)) for action in actions]


def faults(
    shape: TaskShape,
    entry: JsonObject,
    demonstration: Trajectory,
    misses: Sequence[Trajectory],
    seconds: Sequence[Trajectory],
) -> Iterator[str]:
    """Why the task is not to be written: what recordings get that they shouldn't; nothing if it is sound."""
    for shown in (demonstration, *seconds):
        score = shape.score(entry, shown)
        if not meets(score):
            yield f"{_name(shown)} should meet every check and gets {score.headline()}"
    used = {_name(demonstration), *map(_name, misses)}
    for shown in seconds:
        if _name(shown) in used:
            yield f"{_name(shown)} is the demonstration or a near miss already, and no second annotator's"
    if not misses:
        yield "no near miss was tried: name an episode that comes close and is wrong with --near-miss"
    for shown in misses:
        score = shape.score(entry, shown)
        if score.value == 1:
            yield f"{_name(shown)} is wrong and meets every check all the same: pick another check"
        elif score.value is None and _at_most(score) == 1:
            told = score.reason or score.headline()
            yield f"whether {_name(shown)} fails, nobody knows: {told}; pick a check that rules decide"


def named_texts(flag: str, given: Sequence[str]) -> dict[str, str]:
    """What was written as NAME=TEXT. Raises `UsageError` for one that isn't, naming the flag."""
    parted = [one.partition("=") for one in given]
    odd = next((name for name, equals, _ in parted if not (name and equals)), None)
    if odd is not None:
        raise UsageError(f"{flag} {odd} gives no value", "write NAME=TEXT")
    return {name.strip(): text for name, _, text in parted}


def meets(score: Score) -> bool:
    """Whether every check is met, as far as rules decide."""
    return score.value == 1 or (score.status is Status.PENDING and _at_most(score) == 1)


def doubts(
    shape: TaskShape,
    checks: Sequence[str],
    demonstration: Trajectory,
    others: Sequence[Trajectory],
) -> Iterator[str]:
    """What is to be known of a task that is sound as far as recordings tell."""
    yield from shape.doubts(demonstration, checks)
    start = first_page(demonstration)
    for shown in others:
        if first_page(shown) != start:
            yield f"{_name(shown)} began at {first_page(shown) or 'no page'}, and not at {start}"


def asked(shown: Trajectory) -> str:
    """What the actor was asked to do, "" where it was only to show something."""
    task = shown.header.task
    only_shown = "start" in task.data and not task.gold and not task.data.get("judged")
    return "" if only_shown else task.intent


def first_page(shown: Trajectory) -> str:
    """The address at which an episode began, "" where it saw no page."""
    return next((step.url for step in shown.steps if step.url), "")


def write_task(file: Path, entry: JsonObject, key: str) -> None:
    """Add it to a file, or put it in the place of the one with its name. Raises `WebbenchError`.

    What annotators said of the one that is replaced stays, as `earlier`.
    """
    with changing(file):
        listed = listed_tasks(file)
        replaced = [one for one in listed if isinstance(one, dict) and _same(one, entry, key)]
        found = [one["annotation"] for one in replaced if isinstance(one.get("annotation"), dict)]
        said = [one for one in found if one != entry.get("annotation")]
        if said:
            before = [kept for one in said for kept in (*one.pop("earlier", ()), one)]
            entry = entry | {"annotation": {**(entry.get("annotation") or {}), "earlier": before}}
        write_tasks(file, [*(one for one in listed if one not in replaced), entry])


def written_task(file: Path, name: str, key: str) -> JsonObject:
    """The task of a file by its name. Raises `UsageError` where there is none, `BadData` for no task file."""
    return _named(listed_tasks(file), file, name, key)


def change_task(file: Path, name: str, key: str, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """Write a task of a file anew, made of what the file holds at that moment; gives what was written.

    What somebody else added since it was read first is part of it. Raises as `written_task` and `change`,
    and `WebbenchError` where the file can't be written.
    """
    with changing(file):
        listed = listed_tasks(file)
        before = _named(listed, file, name, key)
        after = change(before)
        write_tasks(file, [after if one is before else one for one in listed])
        return after


def _named(listed: Sequence[Json], file: Path, name: str, key: str) -> JsonObject:
    tasks = [one for one in listed if isinstance(one, dict)]
    found: JsonObject | None = next((one for one in tasks if str(one.get(key)) == name), None)
    if found is None:
        known = ", ".join(str(one.get(key)) for one in tasks[:5])
        raise UsageError(f'{file} holds no task "{name}"', f"it has {known}" if known else "")
    return found


def _same(one: JsonObject, entry: JsonObject, key: str) -> bool:
    return str(one.get(key)) == str(entry[key])


def _name(shown: Trajectory) -> str:
    return shown.header.episode


def _at_most(score: Score) -> float:
    """The highest value that the score can still come to; 1 where nothing bounds it."""
    if score.value is not None:
        return score.value
    return score.interval[1] if score.interval is not None else 1.0
