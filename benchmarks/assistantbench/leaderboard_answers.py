"""Answers for AssistantBench's leaderboard: JSON lines `{"id", "answer"}` of the 181 test questions.

The leaderboard (the Space AssistantBench/leaderboard on Hugging Face, `app.py`) reads a line a question,
knows questions by their id, and scores by hidden answers. A question that was not answered has the answer "".
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from webbench.benchmarks.assistantbench.benchmark import create as create_benchmark
from webbench.benchmarks.common.submitted_attempts import (
    ONE_A_TASK,
    given_answer,
    known_tasks,
    one_a_task,
    tell_missing,
)
from webbench.core.errors import BadData
from webbench.core.exchange.export_format import Source
from webbench.core.settings.locations import benchmark_data
from webbench.core.store.records import codec
from webbench.core.task import Task
from webbench.core.text.bounded_json import decode

BENCHMARK, TEST = "assistantbench", "test"
QUESTIONS = 181
"""Of the test set."""


class LeaderboardAnswers:
    name = "assistantbench-submission"
    title = "answers to AssistantBench's hidden test set, as its leaderboard takes them"
    ending = ".jsonl"
    several = True
    places = ONE_A_TASK
    lacks = "everything but the answers"

    def write(self, source: Source, path: Path) -> None:
        known = known_tasks(create_benchmark(benchmark_data(BENCHMARK, None)), TEST)
        attempts = one_a_task(source, BENCHMARK, _unsent)
        order = [name for name in known if name in attempts] + [
            name for name in attempts if name not in known
        ]
        if not order:
            raise BadData(
                "no episode of AssistantBench's test set is among these",
                "`webbench-tui data get assistantbench-test`, then `run assistantbench --split test`",
            )
        with path.open("wb") as file:
            for name in order:
                answer = given_answer(attempts[name])
                source.told.rows += 1
                if answer is None:
                    source.told.lose("an answer: an episode ended without one and is written as unanswered")
                file.write(codec.encode({"id": name, "answer": answer or ""}) + b"\n")
        tell_missing(source, order, known, QUESTIONS, "test questions")
        require_answers(path)

    def count_written(self, path: Path) -> Mapping[str, int]:
        """Questions that are answered."""
        return {"episodes": require_answers(path)}


def create() -> LeaderboardAnswers:
    """The entry point."""
    return LeaderboardAnswers()


def require_answers(path: Path) -> int:
    """How many questions a file answers, read as the leaderboard reads it. Raises `BadData`."""
    ids: set[str] = set()
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            row = decode(line)
        except ValueError as error:
            raise BadData(f"{path}:{number} is no JSON: {error}") from error
        if not isinstance(row, dict) or not isinstance(row.get("id"), str) or "answer" not in row:
            raise BadData(f'{path}:{number} has no "id" and "answer"')
        if row["id"] in ids:
            raise BadData(f"{path}:{number} answers {row['id']} again")
        ids.add(row["id"])
    return len(ids)


def _unsent(task: Task) -> str:
    return (
        "" if task.split == TEST else "a question whose answer is public; the leaderboard takes the test set"
    )
