"""Attempts at one task as a page: aligned columns, the pictures of a row and the checks side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.analysis.compare.comparison import Comparison, compare, ordered
from webbench.core.analysis.compare.milestones import reached_words
from webbench.core.analysis.compare.row_marks import FLAG_WORDS, RowKind
from webbench.core.analysis.compare.sentences import details, summary, sureness_words
from webbench.core.analysis.recorded.time_profile import seconds_words
from webbench.core.report.pages.decisive_rows import DecisiveQuestions, decisive_questions
from webbench.core.report.pages.episode_page import LONGEST_TITLE
from webbench.core.report.pages.labels_and_disputes import Said, what_people_said
from webbench.core.report.pages.report_pictures import Gallery, Shown
from webbench.core.report.pages.score_rows import (
    Badge,
    CheckRow,
    check_rows,
    score_badge,
    score_story,
    shortened,
)
from webbench.core.report.pages.standalone_page import fill, resource, self_contained
from webbench.core.report.pages.step_rows import StepReader, StepView
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.text.durations import duration_words
from webbench.core.trajectory import Trajectory

ROW_SIGNS: dict[RowKind, str] = {
    "same": "=",
    "parts": "1st ≠",
    "differs": "≠",
    "aside": "+",
    "meets": "= again",
}


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt, and what its course comes to; `said` of a disputed score, which stands beside."""

    name: str
    episode: str
    badge: Badge
    story: str
    said: Said
    steps: int
    wasted: int
    time: str
    spent: str
    ended: str


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """What an actor does in a row.

    Attributes:
        view: its step, None where it has none there.
        shown: the page that the step was done on; without a step the page that the actor is on meanwhile.
        flags: what the step is part of: a loop, a detour.
    """

    view: StepView | None
    shown: Shown | None
    flags: Sequence[str] = ()


class RowView(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the alignment.

    Attributes:
        sign: how its members compare.
        unequal: the same action had an effect for one and none for another.
        stop: a difference begins here.
    """

    number: int
    sign: str
    kind: RowKind
    unequal: bool
    stop: bool
    cells: Sequence[Cell]


class CheckSides(msgspec.Struct, frozen=True, kw_only=True):
    """One check of every attempt; None where an attempt's score has no such check."""

    first: CheckRow
    sides: Sequence[CheckRow | None]
    differs: bool


def comparison_page(
    store: Store, trajectories: Sequence[Trajectory], *, pictures: bool = True, small: bool = False
) -> tuple[str, list[str]]:
    """The page, and what of the records could not be read. Raises `UsageError` as `compare`."""
    found = compare(store, trajectories)
    records = ordered(trajectories)
    gallery = Gallery(small=small)
    views = [
        {view.index: view for view in StepReader(store, one, gallery if pictures else None).views()}
        for one in records
    ]
    unread = [problem for one in found.attempts for problem in one.problems]
    unread += [problem for side in views for view in side.values() for problem in view.unread]
    unread = list(dict.fromkeys(unread))
    rows = _rows(found, views)
    _forget_unshown(gallery, rows)
    body = fill(
        "comparison.html.jinja",
        intent=shortened(found.intent, LONGEST_TITLE) or found.task,
        benchmark=found.benchmark,
        task=found.task,
        columns=[
            _column(found, side, one, what_people_said(store, one.header)) for side, one in enumerate(records)
        ],
        summary=summary(found),
        details=[sureness_words(found), *details(found)],
        rows=rows,
        checks=check_sides([one.score for one in found.attempts]),
        reached=[
            (one.target, one.name, [reached_words(side) for side in one.reached]) for one in found.milestones
        ],
        phases=_phases(found),
        decided=list(_decided(store, found, records)),
        problems=unread,
        images=gallery.images,
    )
    style = resource("score.css") + resource("steps.css") + resource("comparison.css")
    title = f"{' · '.join(one.name for one in found.attempts)} · {found.benchmark} {found.task}"
    return self_contained(title, body, style=style, script=resource("steps.js")), unread


def _decided(store: Store, found: Comparison, records: Sequence[Trajectory]) -> Iterator[DecisiveQuestions]:
    """Of each attempt that failed; one that succeeded is laid beside it."""
    for side, (attempt, record) in enumerate(zip(found.attempts, records, strict=True)):
        rows: dict[int, int] = {}
        for number, row in enumerate(found.alignment.rows):
            place = row.places[side]
            if place is not None:
                rows.setdefault(attempt.steps[place], number)
        asked = decisive_questions(store, record, records, rows.get, attempt.name)
        if asked is not None:
            yield asked


def _rows(found: Comparison, views: Sequence[dict[int, StepView]]) -> list[RowView]:
    """The alignment's rows with the steps that stand in them."""
    sides = [_cells(found, side, steps) for side, steps in enumerate(views)]
    return [
        RowView(
            number=number,
            sign=ROW_SIGNS[marked.kind],
            kind=marked.kind,
            unequal=marked.unequal,
            stop=marked.stop,
            cells=[side[number] for side in sides],
        )
        for number, marked in enumerate(found.marks)
    ]


def _cells(found: Comparison, side: int, views: dict[int, StepView]) -> list[Cell]:
    """One actor's column, from the end: where it has no step it is on the page of its next one."""
    cells = []
    waiting = views[max(views)].after if views else None
    for row, marked in zip(reversed(found.alignment.rows), reversed(found.marks), strict=True):
        place = row.places[side]
        if place is None:
            cells.append(Cell(view=None, shown=waiting))
            continue
        view = views[found.attempts[side].steps[place]]
        flags = [FLAG_WORDS[flag] for flag in marked.flags[side] if flag != "invalid"]
        cells.append(Cell(view=view, shown=view.before, flags=flags))
        waiting = msgspec.structs.replace(view.before, marks=()) if view.before is not None else None
    return cells[::-1]


def check_sides(scores: Sequence[Score | None]) -> list[CheckSides]:
    """The checks of every score side by side, in the order in which the first that has one gives it."""
    sides = [_keyed(list(check_rows(score.checks))) if score is not None else {} for score in scores]
    keys = dict.fromkeys(key for side in sides for key in side)
    found = []
    for key in keys:
        rows = [side.get(key) for side in sides]
        first = next(row for row in rows if row is not None)
        values = {row.value if row is not None else None for row in rows}
        found.append(CheckSides(first=first, sides=rows, differs=len(values) > 1))
    return found


def _keyed(rows: Sequence[CheckRow]) -> dict[tuple[int, str, str, int], CheckRow]:
    """By depth, target and name; the last part tells those apart that are called alike."""
    keyed: dict[tuple[int, str, str, int], CheckRow] = {}
    for row in rows:
        again = 0
        while (row.depth, row.target, row.name, again) in keyed:
            again += 1
        keyed[row.depth, row.target, row.name, again] = row
    return keyed


def _forget_unshown(gallery: Gallery, rows: Sequence[RowView]) -> None:
    """Pictures that no row shows are left out of the page."""
    shown = {cell.shown.name for row in rows for cell in row.cells if cell.shown is not None}
    gallery.kept = {blob: one for blob, one in gallery.kept.items() if one[0] in shown}


def _column(found: Comparison, side: int, trajectory: Trajectory, said: Said) -> Column:
    attempt = found.attempts[side]
    return Column(
        name=attempt.name,
        episode=f"{attempt.run}/{attempt.episode}",
        badge=score_badge(attempt.score),
        story=score_story(attempt.score),
        said=said,
        steps=attempt.step_count,
        wasted=len(found.divergence.wasted[side]),
        time=duration_words(attempt.seconds),
        spent=seconds_words(attempt.spent),
        ended=trajectory.header.end_reason or "no end in the record",
    )


def _phases(found: Comparison) -> list[tuple[str, str, list[str]]]:
    """Rows and kind of each phase, and per actor its steps and time."""
    return [
        (
            f"{phase.first + 1}" if phase.first == phase.last else f"{phase.first + 1}-{phase.last + 1}",
            phase.kind,
            [
                f"{steps}" + ("" if seconds is None else f" in {seconds:.1f} s")
                for steps, seconds in zip(phase.steps, phase.seconds, strict=True)
            ],
        )
        for phase in found.phases
    ]
