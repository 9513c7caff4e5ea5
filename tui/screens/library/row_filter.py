"""The filter of rows of a task table: by words, split, subset, and whether a task can be stepped."""

from __future__ import annotations

from dataclasses import dataclass

from webbench.core.task import TaskEntry


@dataclass(slots=True)
class TaskFilter:
    """What a row has to meet besides the words that are typed; empty = every row."""

    split: str = ""
    usable: bool = False
    subset: str = ""
    names: frozenset[str] = frozenset()
    """Of the tasks of the subset."""

    @property
    def told(self) -> list[str]:
        """In words, for the border."""
        return [
            *([f"split {self.split}"] if self.split else []),
            *([self.subset] if self.subset else []),
            *(["can be stepped"] if self.usable else []),
        ]

    def passes(self, entry: TaskEntry) -> bool:
        in_part = not self.split or self.split in entry.splits
        in_subset = not self.subset or entry.name in self.names
        return in_part and in_subset and not (self.usable and entry.problem)


def search_text(entry: TaskEntry) -> str:
    """What typed words are looked for in."""
    words = (entry.name, entry.intent, entry.site, entry.kind, entry.template, *entry.splits)
    return " ".join(words).casefold()
