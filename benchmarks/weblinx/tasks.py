"""Turns of demonstrations as tasks."""

from __future__ import annotations

from webbench.benchmarks.weblinx.demonstrations.demonstrations import Demonstrations
from webbench.benchmarks.weblinx.demonstrations.reference import gold_of
from webbench.benchmarks.weblinx.scoring.predictions import RecordedTurn
from webbench.core.task import Task


def task_of(turn: RecordedTurn, demonstrations: Demonstrations) -> Task:
    """A turn as a task: its name is the demonstration's, its instance the place of the turn from 0."""
    return Task(
        benchmark="weblinx",
        name=turn.demo_name,
        instance=turn.turn_index,
        split=demonstrations.splits_of(turn.demo_name)[0],
        kind=turn.wanted.intent or "",
        gold=gold_of(turn.wanted, turn.dropped),
    )
