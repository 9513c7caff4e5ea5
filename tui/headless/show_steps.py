"""`show` with --step, --difference or --search: what the Trajectory screen shows, as text or JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.analysis.difference_text import SIGNS, counts_text, difference_rows
from webbench.core.analysis.observation_difference import ObservationDifference
from webbench.core.analysis.recorded_episode import RecordedEpisode
from webbench.core.analysis.time_profile import seconds_words
from webbench.core.errors import BadData, UsageError
from webbench.core.models.call_text import call_texts
from webbench.core.observation import Observation
from webbench.core.plural import counted
from webbench.core.provenance import provenance_words
from webbench.core.renderings import webarena_text
from webbench.core.spending import spent, spent_text
from webbench.tui.headless.output import print_json, print_line, print_table, print_text, say, wrapped
from webbench.tui.headless.place import find_episode, open_store

SCHEMA_VERSION = 1
NOT_RECORDED = "No page was recorded at this step."


class StepsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `show` that ask for a part of an episode."""

    episode: str
    step: int | None = None
    difference: bool = False
    search: str = ""
    screenshot: Path | None = None
    """File to save the picture of the step in."""
    store: Path | None = None


def show_steps(request: StepsRequest, *, as_json: bool) -> int:
    """Print what is asked for: 0, 1 where a search finds nothing, 4 where the record is damaged.

    Raises `UsageError` for an unknown episode or step.
    """
    opened = open_store(request.store)
    episode = RecordedEpisode(opened, opened.load(find_episode(opened, request.episode)))
    place = _place(episode, request.step)
    if request.screenshot is not None:
        _save_picture(episode, place, request.screenshot)
    if request.search:
        code = _search(episode, request.search, place, as_json=as_json)
    elif place is not None:
        code = _one(episode, place, difference=request.difference, as_json=as_json)
    else:
        code = _differences(episode, as_json=as_json)
    for problem in episode.trajectory.problems:
        say(problem)
    return 4 if episode.trajectory.problems else code


def _place(episode: RecordedEpisode, index: int | None) -> int | None:
    if index is None:
        return None
    place = episode.place_of(index)
    if place is None:
        last = episode.steps[-1].index if episode.steps else "none"
        raise UsageError(
            f"There is no step {index} in {episode.trajectory.header.episode}", f"its last step is {last}"
        )
    return place


def _save_picture(episode: RecordedEpisode, place: int | None, path: Path) -> None:
    """Write the picture as it was recorded.

    Raises `UsageError` where no step is named or the file can't be written, `BadData` without a picture.
    """
    if place is None:
        raise UsageError("A screenshot of which step?", "name it with --step")
    picture = episode.store.screenshot(episode.trajectory, episode.steps[place])
    if picture is None:
        raise BadData(f"No screenshot was recorded at step {episode.steps[place].index}")
    try:
        path.write_bytes(picture.data)
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}", "name another file") from error
    say(f"{path}: {picture.format}, {picture.width} x {picture.height}")


def _names(episode: RecordedEpisode) -> dict[str, object]:
    header = episode.trajectory.header
    return {"schema_version": SCHEMA_VERSION, "run": header.run, "episode": header.episode}


# -- a search --------------------------------------------------------------------------------------


def _search(episode: RecordedEpisode, query: str, place: int | None, *, as_json: bool) -> int:
    found = list(episode.search(query))
    if place is not None:
        found = [match for match in found if match.step == episode.steps[place].index]
    if as_json:
        print_json({**_names(episode), "search": query, "matches": found})
    else:
        rows = [(match.step, match.where, match.node or "", match.excerpt) for match in found]
        print_table(("step", "where", "node", "text"), rows, numbers=(0, 2), flexible=(3,))
        steps = len({match.step for match in found})
        print_text(f"\n{counted(len(found), 'place')} in {counted(steps, 'step')}")
    return 0 if found else 1


# -- differences -----------------------------------------------------------------------------------


def _differences(episode: RecordedEpisode, *, as_json: bool) -> int:
    """A line for every step."""
    places = range(len(episode.steps))
    if as_json:
        told = [
            {"step": episode.steps[place].index, "difference": episode.difference(place)} for place in places
        ]
        print_json({**_names(episode), "steps": told})
        return 0
    rows = []
    for place in places:
        found = episode.difference(place)
        counts = (len(found.added), len(found.removed), len(found.changed), found.moved, found.same)
        shown = counts if found.known else ("–",) * 5
        rows.append((episode.steps[place].index, episode.words(place), *shown))
    headers = ("step", "action", "added", "removed", "changed", "moved", "same")
    print_table(headers, rows, numbers=(0, 2, 3, 4, 5, 6), flexible=(1,))
    return 0


def _print_difference(difference: ObservationDifference) -> None:
    if not difference.known:
        print_text(
            "difference: unknown, the pages were not recorded on both sides of this step, or can't be read"
        )
        return
    print_text(f"difference: {counts_text(difference)}")
    for row in difference_rows(difference):
        print_text(f"  {SIGNS[row.kind]} {row.line}")


# -- one step --------------------------------------------------------------------------------------


def _one(episode: RecordedEpisode, place: int, *, difference: bool, as_json: bool) -> int:
    frame, step = episode.frame(place), episode.steps[place]
    before = episode.before(place)
    changed = episode.difference(place) if difference else None
    if as_json:
        told = {
            **_names(episode),
            "origin": episode.trajectory.header.origin,
            "step": step,
            "words": episode.words(place),
            "aim": episode.aim(place),
            "seen_before": None if before is None else episode.steps[before].index,
            "spent": spent(step.usage),
            "score": episode.score(place),
            "observation": frame.observation,
            "problems": frame.problems,
        }
        print_json({**told, "difference": changed} if difference else told)
    else:
        _print_step(episode, place)
        if changed is not None:
            _print_difference(changed)
        else:
            _print_page(frame.observation)
        for problem in frame.problems:
            say(problem)
    return 4 if frame.problems else 0


def _print_step(episode: RecordedEpisode, place: int) -> None:
    step, aimed = episode.steps[place], episode.aim(place)
    header = episode.trajectory.header
    print_text(f"{header.task.benchmark} · {header.task.id} · {header.actor} · {header.run}/{header.episode}")
    print_text(f"step {step.index} of {episode.steps[-1].index}: {episode.words(place)}")
    box, point = aimed.box, aimed.point
    facts = [
        ("sent", step.text),
        ("error", "" if step.ok else step.error or "no effect"),
        ("at", f"{box.x:.0f},{box.y:.0f} {box.width:.0f}x{box.height:.0f} px" if box else ""),
        ("at", f"{point[0]:.0f},{point[1]:.0f} px" if point else ""),
        ("found by", step.matched_by),
        ("note", step.note),
        ("output", step.output),
        ("decided", provenance_words(step.provenance)),
        ("proposed", step.proposed),
        ("reasoning", step.reasoning),
        ("reply", step.reply if step.reply != step.reasoning else ""),
        ("prompt", step.prompt),
        ("spent", spent_text(spent(step.usage))),
        ("seconds", seconds_words(step.seconds)),
        ("url", step.url),
    ]
    for label, text in facts:
        if text:
            print_line(wrapped(text, f"{label}: "))
    for heading, text in call_texts(step.calls):
        print_text(f"{heading}:\n{text}".replace("\n", "\n  "))
    score = episode.score(place)
    print_text(f"score: {score.headline() if score is not None else 'none was recorded at this step'}")


def _print_page(observation: Observation | None) -> None:
    print_line()
    if observation is None or not observation.nodes:
        print_text(observation.problem if observation is not None and observation.problem else NOT_RECORDED)
        return
    print_text(webarena_text(observation))
