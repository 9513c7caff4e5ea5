"""The place that an address names: a project, and the visitor's role in it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A project as the visitor sees it; `role` is 0 for those who are no members."""

    project: sqlite3.Row
    role: int

    @property
    def id(self) -> int:
        return int(self.project["id"])

    @property
    def full_path(self) -> str:
        return f"{self.project['owner']}/{self.project['path']}"

    @property
    def path(self) -> str:
        """Its address within the site."""
        return f"/{self.full_path}"

    def may(self, role: int) -> bool:
        return self.role >= role
