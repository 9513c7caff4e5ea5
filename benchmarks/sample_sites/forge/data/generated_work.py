"""Issues, commits, files and merge requests written by rule from seeds/: the same ones every time."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from webbench.benchmarks.sample_sites.clock import NOW
from webbench.core.json_types import JsonObject

DAY = 86400
OLDEST_DAYS = 700
RESERVED_DAYS = 2
"""Nothing generated is younger, so that written threads come last."""


@dataclass
class Note:
    author: str
    body: str
    at: int


@dataclass
class Issue:
    title: str
    description: str
    author: str
    created: int
    assignee: str = ""
    milestone: str = ""
    state: str = "opened"
    labels: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


@dataclass
class MergeRequest:
    """A change of one file; `content` is what the file holds once it is merged."""

    title: str
    description: str
    author: str
    created: int
    source: str
    path: str
    content: str
    reviewer: str = ""
    state: str = "opened"
    notes: list[Note] = field(default_factory=list)


@dataclass
class Commit:
    author: str
    title: str
    at: int
    changes: list[tuple[str, int, int]]
    """Path, lines added, lines removed."""


def username(name: str) -> str:
    """ "lucia.navarro" of "Lucía Navarro"."""
    plain = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"\s+", ".", plain)


class ProjectWriter:
    """Everything that is generated for one project."""

    def __init__(self, project: JsonObject, team: list[str], phrases: JsonObject) -> None:
        """
        Args:
            project: its full_path and its parts.
            team: who works on it, busiest first.
            phrases: the contents of phrases.json.
        """
        self.project = project
        self.team = team
        self._phrases = phrases
        self._chance = random.Random(project["full_path"])
        self.versions = self._versions()

    def _versions(self) -> tuple[str, str]:
        major, minor = self._chance.randint(0, 4), self._chance.randint(1, 9)
        return (
            f"{major}.{minor}.{self._chance.randint(0, 6)}",
            f"{major}.{minor - 1}.{self._chance.randint(0, 6)}",
        )

    def _worker(self) -> str:
        weights = [2.0**-place for place in range(len(self.team))]
        return self._chance.choices(self.team, weights)[0]

    def _fill(self, pattern: str, part: str) -> str:
        filled = pattern.format(
            part=part,
            version=self.versions[0],
            older=self.versions[1],
            system=self._chance.choice(self._phrases["systems"]),
        )
        return filled[0].upper() + filled[1:]

    def _moment(self) -> int:
        span = (OLDEST_DAYS - RESERVED_DAYS) * DAY
        age: float = span * self._chance.random() ** 1.6
        return NOW - RESERVED_DAYS * DAY - round(age)

    def _after(self, moment: int) -> int:
        latest = NOW - RESERVED_DAYS * DAY
        return moment + round((latest - moment) * self._chance.random() ** 4)

    def issues(self, outsiders: list[str], milestones: list[str]) -> list[Issue]:
        """In the order of their creation, no title twice."""
        found: dict[str, Issue] = {}
        for _ in range(self._chance.randint(20, 34)):
            issue = self._issue(outsiders, milestones)
            found.setdefault(issue.title, issue)
        return sorted(found.values(), key=lambda issue: issue.created)

    def _issue(self, outsiders: list[str], milestones: list[str]) -> Issue:
        chance = self._chance
        kind, label = chance.choice(
            [("bugs", "bug")] * 4
            + [("features", "feature")] * 3
            + [("documents", "documentation"), ("questions", "question")]
        )
        part = chance.choice(self.project["parts"])
        pool = "details" if kind == "bugs" else "wishes"
        sentences = chance.sample(self._phrases[pool], chance.randint(1, 3))
        created = self._moment()
        labels = [label] + [
            name for name in ("good first issue", "help wanted", "regression") if chance.random() < 0.14
        ]
        return Issue(
            title=self._fill(chance.choice(self._phrases[kind]), part),
            description="\n\n".join(self._fill(sentence, part) for sentence in sentences),
            author=chance.choice(outsiders) if chance.random() < 0.6 else self._worker(),
            created=created,
            assignee=self._worker() if chance.random() < 0.45 else "",
            milestone=chance.choice(milestones) if milestones and chance.random() < 0.3 else "",
            state="closed" if chance.random() < 0.55 else "opened",
            labels=labels,
            notes=self._notes("notes", part, created, outsiders),
        )

    def _notes(self, pool: str, part: str, since: int, outsiders: list[str]) -> list[Note]:
        chance = self._chance
        texts = chance.sample(self._phrases[pool], min(5, round(chance.expovariate(0.45))))
        notes = [
            Note(
                chance.choice(outsiders) if chance.random() < 0.4 else self._worker(),
                self._fill(text, part),
                self._after(since),
            )
            for text in texts
        ]
        return sorted(notes, key=lambda note: note.at)

    def merge_requests(self, files: dict[str, str], outsiders: list[str]) -> list[MergeRequest]:
        """In the order of their creation; each appends a line to one of the texts."""
        chance = self._chance
        texts = [path for path in files if path.endswith(".md") and path != "CHANGELOG.md"]
        found: dict[str, MergeRequest] = {}
        for _ in range(chance.randint(5, 11)):
            part, created, path = chance.choice(self.project["parts"]), self._moment(), chance.choice(texts)
            title = self._fill(chance.choice(self._phrases["changes"]), part)
            found.setdefault(
                title,
                MergeRequest(
                    title=title,
                    description=self._fill(chance.choice(self._phrases["wishes"]), part),
                    author=chance.choice(outsiders) if chance.random() < 0.3 else self._worker(),
                    created=created,
                    source=re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-"),
                    path=path,
                    content=f"{files[path]}\n{self._fill('{part}: see the change log.', part)}\n",
                    reviewer=self._worker() if chance.random() < 0.6 else "",
                    state=chance.choices(("merged", "opened", "closed"), (6, 3, 1))[0],
                    notes=self._notes("reviews", part, created, outsiders),
                ),
            )
        return sorted(found.values(), key=lambda request: request.created)

    def commits(self, files: dict[str, str]) -> Iterator[Commit]:
        """Oldest first; every file is touched by the first one."""
        chance = self._chance
        moments = sorted(self._moment() for _ in range(chance.randint(50, 110)))
        started = moments[0] - DAY
        yield Commit(self.team[0], "First version", started, [(path, 12, 0) for path in files])
        for moment in moments:
            part = chance.choice(self.project["parts"])
            touched = chance.sample(sorted(files), chance.randint(1, 3))
            yield Commit(
                self._worker(),
                self._fill(chance.choice(self._phrases["commits"]), part),
                moment,
                [(path, chance.randint(1, 40), chance.randint(0, 20)) for path in touched],
            )
