"""`show` and `view`: a recorded episode step by step, a part of it, or the episodes of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.recorded.changed_rows import SIGNS, counts_text, difference_rows
from webbench.core.analysis.recorded.episode_result import EpisodeResult, best_words, episode_result
from webbench.core.analysis.recorded.gold_trajectory import GoldTrajectories, gold_words
from webbench.core.analysis.recorded.known_solution import known_solution, solution_words
from webbench.core.analysis.recorded.observation_difference import ObservationDifference
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.time_profile import seconds_words, time_profile
from webbench.core.api.rescoring import unfinished_score
from webbench.core.errors import BadData, UsageError
from webbench.core.exchange.own.origins import origins_words, subagent_words
from webbench.core.labels.corrected_lists import corrected_runs
from webbench.core.labels.corrections import Verdict, corrected
from webbench.core.labels.ledger import ledger_of
from webbench.core.models.call_text import call_texts
from webbench.core.models.spending import spent, spent_text
from webbench.core.observation import Observation
from webbench.core.provenance import provenance_words
from webbench.core.renderings import webarena_text
from webbench.core.report.pages.opened_step import StepFileKind
from webbench.core.runner.status.board import look_at
from webbench.core.runner.status.status_words import NOT_IN_MEAN
from webbench.core.score.explanation import given_words, score_text, value_words
from webbench.core.score.score import Score, Status
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.called_runs import runs_meant
from webbench.core.store.index.summaries import RunSummary
from webbench.core.store.store import Store
from webbench.core.text.durations import start_words
from webbench.core.text.no_value import NO_VALUE, or_dash
from webbench.core.text.plural import counted
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Step, Trajectory, step_words
from webbench.tui.cli.options import (
    AsJson,
    EpisodeName,
    StorePath,
)
from webbench.tui.cli.output import (
    print_json,
    print_line,
    print_table,
    print_text,
    say,
    width,
    wrapped,
)
from webbench.tui.cli.place import find_episode, open_concealing, open_store
from webbench.tui.cli.records.runs import disputes_text, episode_row
from webbench.tui.terminal import at_terminal, copy_to_terminal, open_in_browser

SCHEMA_VERSION = 1


def show_command(
    name: Annotated[str, typer.Argument(help="Episode, a unique prefix of it, or a run; @NAME: a pool.")],
    step: Annotated[
        int | None, typer.Option("--step", min=0, help="This step alone, with the page it led to.")
    ] = None,
    difference: Annotated[
        bool,
        typer.Option("--difference", help="What the step changed on the page; of all steps, if no --step."),
    ] = False,
    search: Annotated[
        str, typer.Option("--search", help="Where this text stands in actions, reasoning, replies and pages.")
    ] = "",
    screenshot: Annotated[
        Path | None, typer.Option("--screenshot", help="Save the picture of the step in this file.")
    ] = None,
    html: Annotated[
        str, typer.Option("--html", help="The page's HTML at the step: `page`, or the id of a node.")
    ] = "",
    outside: Annotated[
        StepFileKind | None,
        typer.Option("--open", help="Open the step in a browser, or print its path where there is none."),
    ] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Show one recorded episode step by step, one step of it, or the episodes of a run.

    Exit 1 when --search finds nothing, 4 when part of the record could not be read.
    """
    if step is None and not difference and not search and screenshot is None and not html and outside is None:
        raise typer.Exit(show(name, store=store, as_json=as_json))
    if html:
        raise typer.Exit(show_html(name, step, html, store=store, as_json=as_json))
    if outside is not None:
        raise typer.Exit(open_step(name, step, outside, store=store, as_json=as_json))
    request = StepsRequest(
        episode=name, step=step, difference=difference, search=search, screenshot=screenshot, store=store
    )
    raise typer.Exit(show_steps(request, as_json=as_json))


def view_command(
    name: EpisodeName,
    step: Annotated[int | None, typer.Option("--step", min=0, help="Open it at this step.")] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Open a recorded episode on the Trajectory screen; without a terminal it is printed as by `show`."""
    if as_json or not at_terminal():
        show_command(name, step, store=store, as_json=as_json)
    open_trajectory(name, step=step, store=store)


def open_trajectory(episode: str, *, step: int | None, store: Path | None) -> None:
    """A recorded episode on its screen. Raises `UsageError` for an unknown one."""
    from webbench.tui.cli.opening_screens import run_screens
    from webbench.tui.cli.place import find_episode, open_store, store_folder
    from webbench.tui.opening import Opening

    folder = find_episode(open_store(store), episode)
    run_screens(Opening(store=store_folder(store), recorded=folder, recorded_step=step), load_settings())


def show(name: str, *, store: Path | None, as_json: bool) -> int:
    """An episode step by step, or the episodes of a run.

    Exit code 4 when part of the record could not be read.

    Raises:
        UsageError: no such episode or run.
    """
    opened = open_store(store)
    if runs := runs_meant(opened, name):
        known = {run.run: run for run in corrected_runs(opened)}
        return _show_runs([known[run] for run in runs], opened, as_json=as_json)
    folder = find_episode(opened, name)
    trajectory = opened.load(folder)
    score = trajectory.header.score
    scored = score.value if score is not None else None
    verdict = corrected(ledger_of(opened).book(), folder.parent.name, folder.name, scored)
    result = episode_result(opened, trajectory.header)
    ended = trajectory.header.ended
    solution = known_solution(trajectory.header.task, trajectory.steps) if ended else None
    task = trajectory.header.task
    gold, problem = GoldTrajectories(opened).told_of(task.benchmark, task.id) if ended else (None, "")
    if problem:
        say(problem)
    if as_json:
        told = {
            "trajectory": trajectory,
            "verdict": verdict,
            "result": result,
            "solution": solution,
            "gold": gold,
        }
        print_json({"schema_version": SCHEMA_VERSION, **told})
    else:
        _print_trajectory(trajectory)
        for label, words in solution_words(solution) if solution is not None else ():
            print_line(wrapped(words, f"{label}: "))
        for label, words in gold_words(gold):
            print_line(wrapped(words, f"{label}: "))
        _print_best(result, trajectory.header)
        if verdict.is_disputed:
            _print_verdict(verdict)
    for problem in trajectory.problems:
        say(problem)
    return 4 if trajectory.problems else 0


def _print_best(result: EpisodeResult, header: EpisodeHeader) -> None:
    """The best attempts at the same task, where there are any."""
    for who, best in (("human", result.best_human), ("agent", result.best_agent)):
        if best is not None:
            print_text(f"best {who}: {best_words(best, header)}")


def _print_verdict(verdict: Verdict) -> None:
    scored, corrected = map(given_words, (verdict.scored, verdict.corrected))
    print_text(f"as scored {scored}, as corrected {corrected} ({verdict.why})")
    for case in verdict.cases:
        step = "" if case.dispute.evidence is None else f", step {case.dispute.evidence}"
        print_text(f"  {case.state}: {case.dispute.annotator}: {case.dispute.reason}{step}")


def _show_runs(runs: Sequence[RunSummary], store: Store, *, as_json: bool) -> int:
    """One run, or those of a pool."""
    shown = [(run, look_at(store, run.run)[1]) for run in runs]
    if as_json:
        told = [{"run": run, "episodes": episodes} for run, episodes in shown]
        print_json({"schema_version": SCHEMA_VERSION, **(told[0] if len(told) == 1 else {"runs": told})})
    for run, episodes in shown if not as_json else ():
        print_text(f"{run.benchmark} · {run.agent} · {start_words(run.started)}")
        disputed = run.disputed > 0
        rows = [episode_row(episode, disputed=disputed) for episode in episodes]
        headers = ("episode", "state", "score", "corrected", "steps", "reason")
        print_table(headers, rows, numbers=(2, 3, 4), flexible=(5,))
        print_text(f"\nmean {value_words(run.mean_score)} over {run.scored} scored of {run.planned} planned")
        if run.mixed:
            print_text(f"{counted(run.mixed, 'episode')} {NOT_IN_MEAN}")
        if disputed:
            mean = value_words(run.as_corrected)
            print_text(f"as corrected {mean} over {run.corrected}: {disputes_text(run)}")
    troubled = any(run.problem or any(one.problem for one in episodes) for run, episodes in shown)
    return 4 if troubled else 0


def _print_trajectory(trajectory: Trajectory) -> None:
    header = trajectory.header
    told = (header.task.benchmark, header.task.id, header.actor, start_words(header.started))
    print_text(" · ".join(filter(None, told)))
    print_text(f"episode {header.run}/{header.episode}")
    if words := header.visitor.words:
        print_text(f"pages saw {words}")
    if (origin := header.origin) is not None:
        print_text(f"fork of {origin.run}/{origin.episode} at step {origin.step}")
    for words in filter(None, (origins_words(header), subagent_words(header))):
        print_line(wrapped(words))
    print_line(wrapped(header.task.intent, "intent: "))
    print_line()
    headers = ("step", "by", "action", "result", "score", "s")
    theirs = IMPORTED in header.settings
    rows = [_step_row(step, in_words=theirs) for step in trajectory.steps]
    print_table(headers, rows, numbers=(0, 4, 5), flexible=(2, 3), whole=True)
    for warning in header.warnings:
        print_text(f"\nat the start: {warning}")
    if header.agent_reach:
        print_line()
        print_line(wrapped(header.agent_reach, "answers: "))
    _print_profile(trajectory)
    print_text(f"\nended: {header.end_reason or 'no'}")
    if header.score is not None:
        print_score(header.score)
        return
    print_text(unfinished_score(header).headline())
    reached = _last_scored(trajectory)
    if reached is not None and reached.score is not None:
        print_text(f"at step {reached.index} it stood at {reached.score.headline()}")


def _print_profile(trajectory: Trajectory) -> None:
    """Where the time went and what models took, as far as that is recorded."""
    profile = time_profile(trajectory.steps)
    if profile.known:
        print_text(f"\ntime: {seconds_words(profile.total)}")
    if words := spent_text(profile.spent):
        print_text(f"spent: {words}")


def _last_scored(trajectory: Trajectory) -> Step | None:
    return next((step for step in reversed(trajectory.steps) if step.score), None)


def _step_row(step: Step, *, in_words: bool) -> tuple[object, ...]:
    """In words where the text is of a language that isn't ours: a mark's number tells nobody what it was."""
    result = step.note or step.error or ("ok" if step.ok else "no effect")
    value = step.score.value if step.score and step.score.status is Status.SCORED else None
    seconds = step.seconds.idle + step.seconds.agent + step.seconds.environment + step.seconds.scoring
    text = step_words(step) if in_words else step.text
    action = text or ("start" if step.index == 0 else "note" if step.note else "")
    return step.index, step.actor, action, result, or_dash(value), f"{seconds:.1f}" if seconds else NO_VALUE


def print_score(score: Score) -> None:
    print_text(score_text(score, width=min(width(), 120)))


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


def show_html(name: str, step: int | None, wanted: str, *, store: Path | None, as_json: bool) -> int:
    """Print the HTML of a node, or of the page, as the HTML pane shows it: 1 where the node isn't found.

    Raises `UsageError` for an unknown episode or step, or what is no node; `BadData` where none is recorded.
    """
    from webbench.core.renderings.outer_html import PageHtml

    opened = open_store(store)
    episode = RecordedEpisode(opened, opened.load(find_episode(opened, name)))
    place = _place(episode, step)
    if place is None:
        raise UsageError("The HTML of which step?", "name it with --step")
    if wanted != "page" and not (wanted.isascii() and wanted.isdecimal()):
        raise UsageError(f"{wanted} is no node", "give `page`, or the number of a node")
    html = opened.html(episode.trajectory, episode.steps[place])
    if not html:
        raise BadData(f"No HTML was recorded at step {episode.steps[place].index}")
    page = PageHtml(html)
    seen = episode.look(episode.steps[place])
    shown = page.page() if wanted == "page" or seen is None else page.node(seen, int(wanted))
    if as_json:
        print_json({**_names(episode), "html": shown})
    else:
        for line in shown.lines:
            print_text(line)
        say(shown.how)
    return 0 if shown.found or wanted == "page" else 1


def open_step(name: str, step: int | None, kind: StepFileKind, *, store: Path | None, as_json: bool) -> int:
    """Write a step as a file and open it; over ssh, or without a display, its path is printed and copied.

    Raises `UsageError` for an unknown episode or step, `BadData` where nothing of the kind is recorded.
    """
    from webbench.core.report.pages.opened_step import write_step_file

    opened = open_concealing(store)
    trajectory = opened.load(find_episode(opened, name))
    place = _place(RecordedEpisode(opened, trajectory), step)
    if place is None:
        raise UsageError("Open which step?", "name it with --step")
    written = write_step_file(opened, trajectory, place, kind)
    shows = open_in_browser(written.address)
    if as_json:
        print_json(
            {"schema_version": SCHEMA_VERSION, "opened": shows, **msgspec.to_builtins(written, enc_hook=str)}
        )
    else:
        print_line(str(written.file))
        if at_terminal() and not shows:
            copy_to_terminal(str(written.file))
    for problem in written.unread:
        say(problem)
    return 4 if written.unread else 0


def _names(episode: RecordedEpisode) -> dict[str, object]:
    header = episode.trajectory.header
    return {"schema_version": SCHEMA_VERSION, "run": header.run, "episode": header.episode}


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
        shown = counts if found.known else (NO_VALUE,) * 5
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
