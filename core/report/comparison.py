"""Attempts at one task as a page: aligned columns, the pictures of a row and the checks side by side."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.analysis.align import Row
from webbench.core.analysis.comparison import Attempt, Comparison, compare
from webbench.core.analysis.divergence import Divergence
from webbench.core.plural import counted
from webbench.core.report.episode import LONGEST_TITLE, duration_words
from webbench.core.report.page import fill, resource, self_contained
from webbench.core.report.pictures import Gallery
from webbench.core.report.scores import Badge, CheckRow, check_rows, score_badge, score_story, shortened
from webbench.core.report.steps import StepReader, StepView
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt, and what its course comes to."""

    actor: str
    episode: str
    badge: Badge
    story: str
    steps: int
    time: str
    ended: str
    counts: dict[str, int]
    """Loops, oscillations, actions without effect, wasted steps."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A step in a row; `flags` are the stretches it lies in."""

    view: StepView
    flags: Sequence[str] = ()


class RowView(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the alignment; `mark` and `kind` tell how its members compare."""

    number: int
    mark: str
    kind: str
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
    by_name = {(one.header.run, one.header.episode): one for one in trajectories}
    ordered = [by_name[attempt.run, attempt.episode] for attempt in found.attempts]
    gallery = Gallery()
    views = [
        {view.index: view for view in StepReader(store, one, gallery if pictures else None).views()}
        for one in ordered
    ]
    unread = list(dict.fromkeys(problem for one in found.attempts for problem in one.problems))
    unread += [problem for side in views for view in side.values() for problem in view.unread]
    task = ordered[0].header.task
    rows = row_views(found, views)
    _forget_unshown(gallery, rows)
    body = fill(
        "comparison.html.jinja",
        intent=shortened(task.intent, LONGEST_TITLE) or task.id,
        benchmark=found.benchmark,
        task=found.task,
        columns=[_column(found, side, one) for side, one in enumerate(ordered)],
        told=told(found),
        rows=rows,
        checks=check_sides([one.score for one in found.attempts]),
        problems=list(dict.fromkeys(unread)),
        images=gallery.images,
    )
    style = resource("score.css") + resource("steps.css") + resource("comparison.css")
    title = f"{' · '.join(one.actor for one in found.attempts)} · {found.benchmark} {found.task}"
    return self_contained(title, body, style=style, script=resource("steps.js")), unread


def row_views(found: Comparison, views: Sequence[dict[int, StepView]]) -> list[RowView]:
    """The alignment's rows with the steps that stand in them."""
    flags = [_flags(found.divergence, side) for side in range(len(found.attempts))]
    rows = []
    for number, row in enumerate(found.alignment.rows):
        cells = [
            None
            if place is None
            else Cell(view=views[side][found.attempts[side].steps[place]], flags=flags[side].get(place, ()))
            for side, place in enumerate(row.places)
        ]
        mark, kind = _mark(row, number, found.divergence)
        rows.append(RowView(number=number, mark=mark, kind=kind, cells=cells))
    return rows


def told(found: Comparison) -> list[str]:
    """What the alignment comes to, in sentences."""
    first = found.divergence.first
    if first is None:
        return ["Every step is the same."]
    sentences = [f"They part in row {first + 1} of {len(found.alignment.rows)}."]
    if found.divergence.reconvergences:
        rows = ", ".join(str(row + 1) for row in found.divergence.reconvergences)
        sentences.append(f"They do the same again in row {rows}.")
    for detour in found.divergence.detours:
        actor = found.attempts[detour.actor].actor
        sentences.append(
            f"{actor} makes a detour of {counted(detour.length, 'step')} in row {detour.first + 1}."
        )
    return sentences


def check_sides(scores: Sequence[object]) -> list[CheckSides]:
    """The checks of every score side by side, in the order in which the first that has one gives it."""
    from webbench.core.score import Score

    sides = [_keyed(list(check_rows(score.checks))) if isinstance(score, Score) else {} for score in scores]
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
    attempt: Attempt = found.attempts[side]
    stretches = found.divergence.stretches[side]
    counts = {
        name: sum(stretch.kind == kind for stretch in stretches)
        for kind, name in (("invalid", "no effect"), ("loop", "loops"), ("oscillation", "oscillations"))
    }
    return Column(
        actor=attempt.actor,
        episode=f"{attempt.run}/{attempt.episode}",
        badge=score_badge(attempt.score),
        story=score_story(attempt.score),
        steps=len(attempt.steps),
        time=duration_words(attempt.seconds),
        ended=trajectory.header.end_reason or "no end in the record",
        counts={**counts, "wasted steps": len(found.divergence.wasted[side])},
    )


def _flags(divergence: Divergence, side: int) -> dict[int, list[str]]:
    """By position, what stretches a step lies in; that it had no effect is told by the step itself."""
    flags: dict[int, list[str]] = {}
    for stretch in divergence.stretches[side]:
        if stretch.kind != "invalid":
            for place in range(stretch.first, stretch.last + 1):
                flags.setdefault(place, []).append(stretch.kind)
    return flags


def _mark(row: Row, number: int, divergence: Divergence) -> tuple[str, str]:
    if number == divergence.first:
        return "1st ≠", "first differs"
    if row.same:
        return "=", "same"
    return ("+" if row.alone else "≠"), "differs"
