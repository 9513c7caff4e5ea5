"""Chosen targets: one screenshot with what the reference and others acted on where they first part."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.action.aim import Aim
from webbench.core.analysis.compare.compared_step import url_pattern
from webbench.core.analysis.compare.comparison import compare
from webbench.core.analysis.paper.paper_figure import (
    MarkedPicture,
    PaperFigure,
    Target,
    actor_names,
    no_figure,
)
from webbench.core.analysis.paper.persons_way import best_by_task, reference_run
from webbench.core.analysis.paper.read_steps import Steps
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.observation import Observation, Screenshot, Viewport
from webbench.core.statistics.figures import Column, Row, Table

TITLE = "Targets on one page"
COLUMNS = (
    *(Column("actor", "text"), Column("episode", "text"), Column("step"), Column("action", "text")),
    *(Column("x"), Column("y"), Column("width"), Column("height"), Column("marked", "text")),
)


class _Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What an actor did, and the page it was done on."""

    name: str
    episode: str
    step: int
    words: str
    aimed: Aim
    page: str
    view: Viewport
    picture: Screenshot | None


def targets_figure(runs: Sequence[RecordedRun], steps: Steps, named: str = "") -> PaperFigure:
    """Of the task on which most actors' targets can be marked; the first of several."""
    reference = reference_run(runs, named)
    if reference is None:
        return no_figure("targets", TITLE, "no run is a person's, and --reference names none")
    names = actor_names(runs)
    others = [best_by_task(run.episodes) for run in runs if run is not reference]
    best: PaperFigure | None = None
    most = 0
    for name, way in best_by_task(reference.episodes).items():
        beside = [found[name] for found in others if name in found]
        made = _of_task(steps, names, way, beside) if beside else None
        if made is not None and made[1] > most:
            best, most = made
            if most == len(runs):
                break
    if best is None:
        why = "no page has a picture on which the targets of the reference and of another are known"
        return no_figure("targets", TITLE, why)
    return best


def _of_task(
    steps: Steps, names: dict[str, str], way: Recorded, beside: Sequence[Recorded]
) -> tuple[PaperFigure, int] | None:
    """The figure and how many targets it has; None without the reference's and another's."""
    loaded = [trajectory for one in (way, *beside) if (trajectory := steps.load(one)) is not None]
    told = [trajectory for trajectory in loaded if any(step.acted for step in trajectory.steps)]
    if len(told) < 2 or (told[0].header.run, told[0].header.episode) != (way.run, way.episode):
        return None
    found = compare(steps.store, told)
    if found.divergence.first is None:
        return None
    episodes = {(one.header.run, one.header.episode): RecordedEpisode(steps.store, one) for one in told}
    chosen: list[_Chosen] = []
    for at, attempt in enumerate(found.attempts):
        place = next(
            (
                row.places[at]
                for row in found.alignment.rows[found.divergence.first :]
                if row.places[at] is not None
            ),
            None,
        )
        if place is not None:
            episode = episodes[attempt.run, attempt.episode]
            chosen += _chosen(episode, attempt.steps[place], names[attempt.run])
    theirs = next((one for one in chosen if one.episode == way.name), None)
    if theirs is None or theirs.picture is None or not theirs.aimed.known:
        return None
    ordered = [theirs, *(one for one in chosen if one is not theirs)]
    return _figure(way, ordered, theirs, theirs.picture, len(beside) + 1)


def _chosen(episode: RecordedEpisode, step: int, name: str) -> list[_Chosen]:
    place = episode.place_of(step)
    before = episode.before(place) if place is not None else None
    if place is None or before is None:
        return []
    frame = episode.frame(before)
    header = episode.trajectory.header
    seen = frame.observation or Observation()
    return [
        _Chosen(
            name=name,
            episode=f"{header.run}/{header.episode}",
            step=step,
            words=episode.words(place),
            aimed=episode.aim(place),
            page=url_pattern(frame.step.url),
            view=seen.viewport,
            picture=frame.screenshot,
        )
    ]


def _figure(
    way: Recorded, chosen: Sequence[_Chosen], theirs: _Chosen, picture: Screenshot, of: int
) -> tuple[PaperFigure, int] | None:
    rows, targets, left = [], [], {"actors without a step there": of - len(chosen)}
    for one in chosen:
        why = _unmarked(one, theirs)
        target = None if why else _target(one, theirs.view, picture)
        why = why or ("" if target is not None else "outside of the picture")
        if target is not None:
            targets.append(target)
        else:
            left[f"targets {why}"] = left.get(f"targets {why}", 0) + 1
        place = (target.x, target.y, target.width, target.height) if target else (None,) * 4
        rows.append(Row((one.name, one.episode, one.step, one.words, *place, why or "yes"), (one.episode,)))
    if len(targets) < 2 or targets[0].actor != theirs.name:
        return None
    figure = PaperFigure(
        name="targets",
        title=TITLE,
        caption=f"Task {way.task.id}: what each acted on where the ways first part, on the page as "
        f"{theirs.name} saw it; places in pixels of the picture.",
        plot=MarkedPicture(picture=picture, targets=tuple(targets)),
        table=Table(title=TITLE, columns=COLUMNS, rows=tuple(rows)),
        left_out=left,
    )
    return figure, len(targets)


def _unmarked(one: _Chosen, theirs: _Chosen) -> str:
    """Why a target isn't marked on the reference's page, "" where it can be."""
    if not one.aimed.known:
        return "of actions that point nowhere"
    if one.page != theirs.page:
        return "on another page"
    if (one.view.width, one.view.height) != (theirs.view.width, theirs.view.height):
        return "in a window of another size"
    return ""


def _target(one: _Chosen, view: Viewport, picture: Screenshot) -> Target | None:
    """In pixels of the picture, None where it lies outside."""
    if one.aimed.box is not None:
        x, y, width, height = one.aimed.box.x, one.aimed.box.y, one.aimed.box.width, one.aimed.box.height
    elif one.aimed.point is not None:
        (x, y), width, height = one.aimed.point, 0.0, 0.0
    else:
        return None
    left, top = picture.corner(view)
    x, y = x + one.view.scroll_x - view.scroll_x - left, y + one.view.scroll_y - view.scroll_y - top
    scale = picture.scale or 1.0
    if not (0 <= x + width / 2 <= picture.width / scale and 0 <= y + height / 2 <= picture.height / scale):
        return None
    return Target(
        actor=one.name, words=one.words, x=x * scale, y=y * scale, width=width * scale, height=height * scale
    )
