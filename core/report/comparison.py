"""Attempts at one task as a page: aligned columns, the pictures of a row and the checks side by side."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.analysis.comparison import Comparison, compare, ordered
from webbench.core.analysis.comparison_text import details, summary
from webbench.core.analysis.marks import FLAG_WORDS, RowKind
from webbench.core.analysis.milestones import reached_words
from webbench.core.report.episode import LONGEST_TITLE, duration_words
from webbench.core.report.page import fill, resource, self_contained
from webbench.core.report.pictures import Gallery
from webbench.core.report.scores import Badge, CheckRow, check_rows, score_badge, score_story, shortened
from webbench.core.report.steps import StepReader, StepView, seconds_words
from webbench.core.score import Score
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

ROW_SIGNS: dict[RowKind, str] = {"same": "=", "parts": "1st ≠", "differs": "≠", "meets": "= again"}


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt, and what its course comes to."""

    name: str
    episode: str
    badge: Badge
    story: str
    steps: int
    wasted: int
    time: str
    spent: str
    ended: str


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A step in a row; `flags` say what it is part of: a loop, a detour."""

    view: StepView
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
    cells: Sequence[Cell | None]


class CheckSides(msgspec.Struct, frozen=True, kw_only=True):
    """One check of every attempt; None where an attempt's score has no such check."""

    first: CheckRow
    sides: Sequence[CheckRow | None]
    differs: bool


def comparison_page(
    store: Store, trajectories: Sequence[Trajectory], *, pictures: bool = True
) -> tuple[str, list[str]]:
    """The page, and what of the records could not be read. Raises `UsageError` as `compare`."""
    found = compare(store, trajectories)
    records = ordered(trajectories)
    gallery = Gallery()
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
        columns=[_column(found, side, one) for side, one in enumerate(records)],
        summary=summary(found),
        details=details(found),
        rows=rows,
        checks=check_sides([one.score for one in found.attempts]),
        reached=[
            (one.target, one.name, [reached_words(side) for side in one.reached]) for one in found.milestones
        ],
        phases=_phases(found),
        problems=unread,
        images=gallery.images,
    )
    style = resource("score.css") + resource("steps.css") + resource("comparison.css")
    title = f"{' · '.join(one.name for one in found.attempts)} · {found.benchmark} {found.task}"
    return self_contained(title, body, style=style, script=resource("steps.js")), unread


def _rows(found: Comparison, views: Sequence[dict[int, StepView]]) -> list[RowView]:
    """The alignment's rows with the steps that stand in them."""
    rows = []
    for number, (row, marked) in enumerate(zip(found.alignment.rows, found.marks, strict=True)):
        cells = [
            None
            if place is None
            else Cell(
                view=views[side][found.attempts[side].steps[place]],
                flags=[FLAG_WORDS[flag] for flag in marked.flags[side] if flag != "invalid"],
            )
            for side, place in enumerate(row.places)
        ]
        rows.append(
            RowView(
                number=number,
                sign=ROW_SIGNS[marked.kind],
                kind=marked.kind,
                unequal=marked.unequal,
                stop=marked.stop,
                cells=cells,
            )
        )
    return rows


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
    shown = {cell.view.before.name for row in rows for cell in row.cells if cell and cell.view.before}
    gallery.kept = {blob: one for blob, one in gallery.kept.items() if one[0] in shown}


def _column(found: Comparison, side: int, trajectory: Trajectory) -> Column:
    attempt = found.attempts[side]
    return Column(
        name=attempt.name,
        episode=f"{attempt.run}/{attempt.episode}",
        badge=score_badge(attempt.score),
        story=score_story(attempt.score),
        steps=len(attempt.steps),
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
