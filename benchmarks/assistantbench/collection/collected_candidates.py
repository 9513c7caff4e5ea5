"""Collected candidates: tasks that were collected and may not be used yet, in a file of their own.

A seed is a task that somebody recently had, a domain expert's among them; an expanded one was made of a seed
that was put as a template (section 3.2, figure 3). The file is a JSON list, one candidate each, with all that
was said of it; `saved_row` is what AssistantBench's task files have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from webbench.benchmarks.assistantbench.scoring.question import gold_lines
from webbench.benchmarks.assistantbench.tasks import LONGEST_ID, LONGEST_TEXT, MOST_PAGES
from webbench.benchmarks.common.task_file import changing, listed_tasks, write_tasks
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.labels.label import pseudonym
from webbench.core.score.score import digest
from webbench.core.text.nearest import suggestion
from webbench.core.trajectory import now

Kind = Literal["seed", "expanded", "expert"]
"""How it was collected, as table 3 groups tasks."""
MOST_ANSWERS = 5
"""Section 3.4: tasks with up to five answers."""
_ADDRESS = re.compile(r"https?://[^\s/]+\S*\Z")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}\Z")


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The seed that a task was made of: its name, the template, and what stands in the slots now."""

    seed: str
    template: str
    values: dict[str, str]


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What one person says of a candidate.

    Attributes:
        sha256: of question and answer as they were read.
        answers: by item of the checklist.
        notes: why an item doesn't hold.
        found: the answer that she found herself, "" = she didn't try.
    """

    by: str
    at: str
    sha256: str
    answers: dict[str, bool] = {}
    notes: dict[str, str] = {}
    found: str = ""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One collected task.

    Attributes:
        answer: one answer a line, as task files have it.
        pages: where it can be verified; `explanation`: how it is solved.
        minutes: that a person took for it.
        often: how often such a task comes up, in words.
        context: in which it came up.
        by: who shared or made it.
    """

    name: str
    kind: Kind
    question: str
    answer: str
    pages: tuple[str, ...]
    explanation: str
    minutes: float
    often: str = ""
    context: str = ""
    by: str
    at: str
    origin: Origin | None = None
    checks: tuple[Checked, ...] = ()

    @property
    def sha256(self) -> str:
        """Of what a check is of."""
        return digest([self.question, self.answer, list(self.pages), self.explanation])

    @property
    def answers(self) -> Sequence[Json]:
        return gold_lines(self.answer)


def candidate(
    *,
    name: str,
    kind: Kind,
    question: str,
    answers: Sequence[str],
    pages: Sequence[str],
    explanation: str,
    minutes: float,
    by: str,
    often: str = "",
    context: str = "",
    origin: Origin | None = None,
) -> Candidate:
    """A new one. Raises `UsageError` for what is missing or can't be, naming the field."""
    wanted = {"a question": question, "how it is solved": explanation, "an answer": "".join(answers)}
    for what, text in wanted.items():
        if not text.strip():
            raise UsageError(f"The task lacks {what}", "a collected task has all that the paper collected")
        if len(text) > LONGEST_TEXT:
            raise UsageError(f"{what} is longer than {LONGEST_TEXT:,} characters", "shorten it")
    if not _NAME.match(name) or len(name) > LONGEST_ID:
        raise UsageError(f'"{name}" is no name of a task', "use letters, digits, '.', '_' and '-'")
    wrong = next((page for page in pages if not _ADDRESS.match(page.strip())), None)
    if wrong is not None:
        raise UsageError(f'"{wrong}" is no web address', "name the pages that hold the answer: https://…")
    if not 1 <= len(pages) <= MOST_PAGES:
        raise UsageError(f"{len(pages)} pages are named", f"name 1 to {MOST_PAGES} that hold the answer")
    if not 0 < minutes < math.inf:
        raise UsageError("How many minutes does it take?", "tell with --minutes")
    return Candidate(
        name=name,
        kind=kind,
        question=question.strip(),
        answer="\n".join(text.strip() for text in answers if text.strip()),
        pages=tuple(page.strip() for page in pages),
        explanation=explanation.strip(),
        minutes=minutes,
        often=often.strip(),
        context=context.strip(),
        by=pseudonym(by),
        at=now(),
        origin=origin,
    )


def read_candidates(file: Path) -> list[Candidate]:
    """Those of a file, none where there is no file. Raises `BadData`."""
    try:
        return msgspec.convert(listed_tasks(file), list[Candidate])
    except msgspec.ValidationError as error:
        raise BadData(f"{file} holds something else than candidates: {error}", "name another file") from error


def keep_candidate(file: Path, one: Candidate) -> None:
    """Add it, or put it in the place of the one of its name, whose checks stay with it.

    Raises `UsageError` where somebody else wrote that one, `WebbenchError`.
    """
    with changing(file):
        known = read_candidates(file)
        earlier = next((other for other in known if other.name == one.name), None)
        if earlier is not None and earlier.by != one.by:
            raise UsageError(
                f"{earlier.by} wrote {one.name}", "only its author replaces it; give yours another name"
            )
        checks = earlier.checks if earlier is not None else ()
        _write(file, known, msgspec.structs.replace(one, checks=checks))


def change_candidate(file: Path, name: str, change: Callable[[Candidate], Candidate]) -> Candidate:
    """Change the one of this name as it is in the file now, which somebody else may have changed meanwhile.

    Raises `UsageError` for an unknown one, `WebbenchError`, and what `change` raises.
    """
    with changing(file):
        known = read_candidates(file)
        changed = change(named(known, name, file))
        _write(file, known, changed)
    return changed


def _write(file: Path, known: Sequence[Candidate], one: Candidate) -> None:
    others = [other for other in known if other.name != one.name]
    write_tasks(file, [msgspec.to_builtins(other) for other in (*others, one)])


def named(found: Sequence[Candidate], name: str, file: Path) -> Candidate:
    """Raises `UsageError` naming the nearest."""
    one = next((other for other in found if other.name == name), None)
    if one is None:
        raise UsageError(
            f'{file} holds no candidate "{name}"', suggestion(name, [other.name for other in found])
        )
    return one


def saved_row(one: Candidate, checked_by: Sequence[str]) -> JsonObject:
    """As a line of AssistantBench's task files, which `load_tasks` reads."""
    return {
        "id": one.name,
        "set": "collected",
        "task": one.question,
        "answer": one.answer,
        "gold_url": list[Json](one.pages),
        "explanation": one.explanation,
        "time_dependency": "Static",
        "collection": one.kind,
        "metadata": {"by": one.by, "minutes": one.minutes, "checked_by": list[Json](checked_by)},
    }
