"""What is told about the lines of a file of predictions: in which words, and in which order."""

from __future__ import annotations

from collections.abc import Iterable

from webbench.core.benchmark.benchmark import Problem
from webbench.core.score.score import Score


def failed_score(place: str, score: Score) -> Problem:
    """An item whose score is an error; its line itself was usable."""
    return Problem(place, f"the score is an error: {score.reason or 'no reason given'}")


def in_line_order(problems: Iterable[Problem], name: str) -> tuple[Problem, ...]:
    """Those of the file's lines by their number, then what concerns the whole file or the tasks.

    Args:
        name: of the file, as its lines' problems begin with it.
    """

    def order(problem: Problem) -> tuple[bool, int]:
        line = problem.where.removeprefix(f"{name}:")
        numbered = line != problem.where and line.isascii() and line.isdigit()
        return not numbered, int(line) if numbered else 0

    return tuple(sorted(problems, key=order))
