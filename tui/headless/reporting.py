"""`report`: an episode, a comparison or runs as one self-contained page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.core.errors import UsageError
from webbench.core.store.store import Store
from webbench.tui.headless.output import print_json, print_line, say
from webbench.tui.headless.place import find_episode, open_store

SCHEMA_VERSION = 1
UNREADABLE = 4


class ReportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be reported: runs, or one episode, or several episodes of a task."""

    names: Sequence[str]
    html: Path
    store: Path | None = None
    pictures: bool = True
    force: bool = False
    seed: int = 0


class Reported(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was written, and what of the records could not be read for it."""

    kind: str
    page: str
    unread: Sequence[str] = ()


def report(request: ReportRequest, *, as_json: bool) -> int:
    """Write the page: 0, or 4 where part of a record could not be read.

    Raises:
        UsageError: no such run or episode, both kinds at once, episodes of different tasks, or a file that
            is there already.
        BadData: an episode that can't be read at all.
        EnvironmentDown: the page can't be written.
    """
    from webbench.core.exports.writing import write_text

    opened = open_store(request.store)
    made = _made(opened, request)
    write_text(request.html, made.page, force=request.force)
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "file": str(request.html),
                "kind": made.kind,
                "bytes": request.html.expanduser().stat().st_size,
                "unread": list(made.unread),
            }
        )
    else:
        size = request.html.expanduser().stat().st_size / 1e6
        print_line(f"{request.html}: a report of {made.kind}, {size:.1f} MB; open it in any browser")
        for problem in made.unread:
            say(problem)
    return UNREADABLE if made.unread else 0


def _made(store: Store, request: ReportRequest) -> Reported:
    known = {run.run for run in store.runs()}
    names = [name.rstrip("/") for name in request.names]
    runs = [name for name in names if name in known]
    if runs and len(runs) < len(names):
        other = next(name for name in names if name not in known)
        raise UsageError(f"{runs[0]} is a run, {other} is none", "report runs, or episodes, not both at once")
    if runs:
        return _of_runs(store, runs, request)
    return _of_episodes(store, names, request)


def _of_runs(store: Store, runs: Sequence[str], request: ReportRequest) -> Reported:
    """The whole analysis of one or more runs."""
    from webbench.core.report.runs import runs_page

    page, unread = runs_page(store, runs, seed=request.seed)
    kind = "a run" if len(runs) == 1 else f"{len(runs)} runs"
    return Reported(kind=kind, page=page, unread=unread)


def _of_episodes(store: Store, names: Sequence[str], request: ReportRequest) -> Reported:
    """One episode, or several side by side."""
    trajectories = [store.load(find_episode(store, name)) for name in names]
    if len(trajectories) > 1:
        from webbench.core.report.comparison import comparison_page

        page, unread = comparison_page(store, trajectories, pictures=request.pictures)
        return Reported(kind="a comparison", page=page, unread=unread)
    from webbench.core.report.episode import episode_page

    page, unread = episode_page(store, trajectories[0], pictures=request.pictures)
    return Reported(kind="an episode", page=page, unread=unread)
