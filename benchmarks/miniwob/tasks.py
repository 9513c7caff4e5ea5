"""MiniWoB++ tasks: an environment and a seed. What is asked is drawn by the page, and read off it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from webbench.benchmarks.miniwob.environments import Environment, known, page_of
from webbench.core.benchmark.benchmark import Problem
from webbench.core.task import Task, TaskEntry

BENCHMARK = "miniwob"
SEEDS = 5
"""Instances of an environment where no other number is asked for; BrowserGym plays as many."""


class Environments:
    """Those of a folder of pages, in alphabetical order, flights last.

    Args:
        folder: holds `core`, `miniwob` and `flight`.
        clock: the page's own time limit ends an episode.
    """

    def __init__(self, folder: Path, *, clock: bool = False) -> None:
        self.folder = folder
        self.clock = clock

    @cached_property
    def found(self) -> dict[str, Environment]:
        """By name; only those whose page is there."""
        return {name: one for name, one in known().items() if (self.folder / page_of(name)).is_file()}

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        missing = [name for name in known() if name not in self.found]
        told = [Problem(str(self.folder / page_of(name)), "the page is missing", "error") for name in missing]
        others = sorted(page.stem for page in self.folder.glob("miniwob/*.html") if page.stem not in known())
        told += [
            Problem(str(self.folder / page_of(name)), "not of release 1.1: it is left out", "note")
            for name in others
        ]
        return tuple(told)

    @property
    def splits(self) -> tuple[str, ...]:
        """In order of first appearance."""
        return tuple(dict.fromkeys(part for one in self.found.values() for part in (one.split, *one.parts)))

    def entries(self) -> Sequence[TaskEntry]:
        """One for each environment."""
        return [
            TaskEntry(
                benchmark=BENCHMARK,
                name=name,
                split=one.split,
                site=name,
                kind=one.kind,
                template=name,
                instances=SEEDS,
                parts=one.parts,
            )
            for name, one in self.found.items()
        ]

    def task(self, name: str, seed: int) -> Task:
        """The instance of an environment that a seed draws."""
        one = self.found[name]
        return Task(
            benchmark=BENCHMARK,
            name=name,
            instance=seed,
            split=one.split,
            site=name,
            kind=one.kind,
            template=name,
            data={"page": page_of(name), "seed": seed, "clock": self.clock},
        )
