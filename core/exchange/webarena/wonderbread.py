"""Wonderbread: how people did WebArena tasks, as they wrote it down; a table with a row a recording.

Columns: task_id (WebArena's), demo_name `<task id> @ <time>`, gt_ranking (1 is the best of the task's
recordings as people ranked them), sop (a title, then numbered steps). Source: Wornow et al. 2024, the data.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from webbench.core.exchange.account.source_shape import Shape
from webbench.core.exchange.account.tally import Tally
from webbench.core.exchange.episode_building import foreign_header, numbered
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.csv_rows import Row, has_columns, rows_of
from webbench.core.exchange.webarena.procedures import NUMBERED, Line, action_of_step, lines_of
from webbench.core.json_types import JsonObject
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = "webarena"
UNSCORED = "the source ranks the recordings of a task and does not say whether one succeeded"
IN_WORDS = "steps that tell no single action are kept as text"
_NAME = re.compile(r"^.* @ (\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-(\d\d)$")


class Wonderbread:
    name = "wonderbread"
    title = "Wonderbread's procedures that people wrote"
    looks_like = "a CSV of task_id, demo_name, gt_ranking, sop with numbered steps"

    def claim(self, place: Place) -> Claim | None:
        if has_columns(place, "task_id", "demo_name", "gt_ranking", "sop"):
            return Claim()
        if has_columns(place, "Task ID(s)", "Question Template", "Human Label"):
            return Claim("companion", "Wonderbread's questions about the recordings")
        return None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        """Reads the table twice: first how many recordings each task has."""
        ranked = Counter(row.get("task_id", "") for _, row in rows_of(place))
        for number, row in rows_of(place):
            if not row.get("task_id") or not row.get("sop", "").strip():
                place.tell(f"{place}, row {number}, lacks a task_id or a procedure")
                place.tally.count("episodes")
                place.tally.left("episodes", "rows without a task_id or a procedure")
                continue
            yield _episode(row, ranked[row["task_id"]], place)


def create() -> Wonderbread:
    """The entry point."""
    return Wonderbread()


def _episode(row: Row, ranked: int, place: Place) -> ImportedEpisode:
    title, lines = lines_of(row["sop"])
    _count(row, lines, place.tally)
    lost = place.tally.losses()
    header = foreign_header(
        Task(benchmark=BENCHMARK, name=row["task_id"], intent=title[0] if title else ""),
        "human",
        score=recorded_score(None, "", UNSCORED),
        settings=_settings(row, ranked),
    )
    recorded = _recorded_at(row.get("demo_name", ""))
    header = msgspec.structs.replace(header, started=recorded)
    place.tally.made("notes", "a title of several lines", int(len(title) > 1))
    start = ImportedStep(Step(index=0, at="", actor="operator", note="\n".join(title[1:])))
    steps = [start]
    for line in lines:
        action = action_of_step(line.text)
        if action is None:
            lost.lose("actions", IN_WORDS)
        step = Step(index=0, at="", text=line.text, action=action, note="\n".join(line.below))
        steps.append(ImportedStep(step))
    return ImportedEpisode(header, numbered(steps), lost)


def _count(row: Row, lines: list[Line], tally: Tally) -> None:
    """Numbered lines are steps; every line has to be found again, without its number."""
    tally.count("episodes")
    tally.read({name: cell for name, cell in row.items() if name != "sop"}, Shape({}))
    tally.count("times", bool(_recorded_at(row.get("demo_name", ""))))
    for line in row["sop"].splitlines():
        words = NUMBERED.sub("", line)
        tally.count("steps", words != line)
        tally.count("actions", words != line)
        tally.value("sop", words)
    tally.made("notes", "lines without a number stand in a note", sum(bool(line.below) for line in lines))


def _settings(row: Row, ranked: int) -> JsonObject:
    """Who it was (a pseudonym, one for each recording) and how people ranked it."""
    demo = row.get("demo_name", "")
    rank = row.get("gt_ranking", "")
    return {
        "annotator": "wonderbread-" + re.sub(r"[^0-9A-Za-z]+", "-", demo).strip("-"),
        "recording": demo,
        "rank": int(rank) if rank.isascii() and rank.isdecimal() and len(rank) < 6 else None,
        "ranked": ranked,
    }


def _recorded_at(demo: str) -> str:
    """The time in the recording's name; its zone isn't told, UTC is assumed."""
    found = _NAME.match(demo)
    return f"{found[1]}T{found[2]}:{found[3]}:{found[4]}.000+00:00" if found else ""
