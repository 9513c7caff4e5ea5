"""`run`: a plan, its progress, its table; and `run --resume`, which goes on by the plan."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from webbench.core.api.available import ready_benchmark
from webbench.core.api.batch_run import as_called, plan_to_resume, planned_batch, resumed_work
from webbench.core.benchmark.benchmark import Benchmark, needs_browser
from webbench.core.browser.starting.find_chromium import find_chromium
from webbench.core.engine.engine import Engine
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.runner.batch import Runner, Work
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.declared_options import declared, declared_field
from webbench.core.runner.plan.dry_run import Outline, outline_of, outline_words, visitor_options
from webbench.core.runner.plan.new_run import BatchRequest, new_run, plan_of, site_uses
from webbench.core.runner.plan.plan import selected
from webbench.core.runner.plan.planned_settings import in_effect
from webbench.core.runner.plan.run_request import ResumeRequest, RunRequest, run_words
from webbench.core.runner.player import INTERRUPTED, Player
from webbench.core.runner.sharing import pull
from webbench.core.runner.status.results import BatchReport
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.text.plural import counted
from webbench.tui.cli.browser_options import choosing_browser
from webbench.tui.cli.interrupts import ending_in_order
from webbench.tui.cli.options import AsJson, asking, was_given
from webbench.tui.cli.output import print_json, print_text, say
from webbench.tui.cli.place import (
    browser_options,
    guarded,
    open_store,
    report_settings,
    told_command,
    viewport,
)
from webbench.tui.cli.runs.player_choice import place_to_play
from webbench.tui.cli.runs.progress_line import Progress
from webbench.tui.cli.runs.report_text import print_report
from webbench.tui.finding_again import shell_command

EXIT_INTERRUPTED, EXIT_HALTED = 130, EnvironmentDown.exit_code


BROWSER_PLANNED = {
    "browser": "--browser",
    "browser_input": "--input",
    "locale": "--locale",
    "timezone": "--timezone",
    "region": "--region",
}
"""What else a run's plan holds than fields of the request: parameters and their flags."""


@choosing_browser
@asking(RunRequest, resume="retry", dry_run="store", detach="store")
def run_command(
    context: typer.Context,
    request: RunRequest,
    resume: Annotated[
        str, typer.Option("--resume", help=declared_field(ResumeRequest, "run").option.help)
    ] = "",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what would be played, or why it can't be; begin nothing."),
    ] = False,
    detach: Annotated[
        bool,
        typer.Option("--detach", help="Play it in a process of its own, which outlives this terminal."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run many episodes of one agent.

    The plan (tasks, instances, repetitions, order, seeds, agent, settings) is on disk before the first
    episode begins. Ctrl+C ends the episodes that are going on as not scored and prints the report; a second
    one leaves at once. However a run ended, --resume RUN goes on where it stopped: with what was not played
    yet, and with what was broken off. An episode that hangs or breaks is not scored, with the reason, and the
    others go on; one whose page crashed or whose browser ended is played again once, alone. --retry
    not-scored plays once more what has no score, at the end: it holds when the run is resumed, too, and given
    only then it plays those of an earlier time. Earlier attempts stay recorded, and only the last one counts.

    --limit-steps, -seconds, -tokens and -cost hold for each episode: at the first that is reached it ends,
    and what is there is scored. A limit given here goes before the setting of its name; 0 leaves it to that,
    so it lifts none. The plan keeps the limits that held when the run began: --resume goes on by them,
    whatever the settings say by then, and takes no others.

    With --engine ray the nodes record in the same --store where they share its file system, else each on its
    own disk and, when an episode has ended, at --share, from where it comes into --store here.

    With --detach it comes back when the run has begun, names the run and its process, and exits with 0; a run
    that can't be begun is told as without it. `stop RUN` ends such a run in order.

    Exit 0 when all were scored, 1 when some were not or --limit-run-cost was reached, 3 when it could not go
    on (browser, disk), 130 when it was interrupted.
    """
    from webbench.tui.cli.runs.detach import run_detached

    with guarded(request.guard, request.allow_hosts):
        if resume:
            resuming = _resuming(context, request, resume)
            if dry_run:
                hint = f"`webbench-tui status {resume}` says what is left"
                raise UsageError("--dry-run is for new runs", hint)
            go_on = run_detached if detach else resume_run
            raise typer.Exit(go_on(resuming, as_json=as_json))
        if not request.benchmark:
            raise UsageError("Which benchmark is to be run?", "`webbench-tui tasks` lists them")
        begin = outline_run if dry_run else run_detached if detach else run_tasks
        raise typer.Exit(begin(request, as_json=as_json))


def _resuming(context: typer.Context, request: RunRequest, resume: str) -> ResumeRequest:
    """What is asked for now; what isn't said is as planned.

    Raises `UsageError` for an option that the plan of a run holds.
    """
    free = {one.name for one in declared(ResumeRequest)}
    planned = {one.name: one.flag for one in declared(RunRequest) if one.name not in free} | BROWSER_PLANNED
    given = [flag for name, flag in planned.items() if was_given(context, name)]
    if given:
        raise UsageError(
            f"{', '.join(given)} can't be given with --resume: the run's plan says it",
            "leave it out, or begin a new run",
        )
    now = {one.name for one in declared(RunRequest) if one.name == "store" or was_given(context, one.name)}
    return ResumeRequest(run=resume, **{name: getattr(request, name) for name in now})


def run_tasks(request: RunRequest, *, as_json: bool) -> int:
    """Run, print, and return the exit code: see `exit_code`.

    Raises:
        UsageError: an unknown name, or nothing to run.
        BadData: the benchmark's data is missing.
        EnvironmentDown: no browser, or a store that can't be written.
    """
    report_settings()
    store = open_store(request.store)
    return _finish(begin_run(request, store, quiet=as_json), store, as_json=as_json)


def begin_run(
    request: RunRequest, store: Store, *, quiet: bool, begun: Callable[[str], None] = lambda _run: None
) -> BatchReport:
    """Play a new run to its end, or until it is interrupted. Raises as `run_tasks`.

    Args:
        quiet: no progress is shown.
        begun: called with the run's name before its first episode.
    """
    batch = planned_batch(request, store)

    async def work() -> BatchReport:
        place = place_to_play(store, batch.benchmark, request, workers=request.workers, size=viewport())
        async with place as begin:
            run = new_run(store, batch)
            begun(run)
            player = await begin(run)
            now = Work(agent=batch.agent, workers=request.workers, cost_limit=request.run_cost)
            progress = Progress(announced=None if quiet else store)
            return await work_at(store, run, batch.benchmark, batch.tasks, player, now, progress)

    return asyncio.run(work())


def outline_run(request: RunRequest, *, as_json: bool) -> int:
    """Print what the run would be; nothing is written. Raises as `run_tasks` before its first episode.

    A browser is looked for and not started; a cluster and a shared store aren't asked.
    """
    report_settings()
    outline = outline_for(request, open_store(request.store))
    if as_json:
        print_json(outline)
    else:
        for line in (*outline_words(outline), outline.command):
            print_text(line)
    return 0


def outline_for(request: RunRequest, store: Store) -> Outline:
    """The plan that `run` would write, in figures."""
    batch = planned_batch(request, store)
    require_browser(batch.benchmark, request)
    planned = plan_of(batch)
    uses = site_uses(planned, batch.benchmark, batch.tasks)
    words = [*run_words(request), *visitor_options(planned)]
    return outline_of(
        planned,
        uses,
        store=str(store.root),
        command=shell_command(words, store.root, load_settings().store_folder()),
    )


def require_browser(benchmark: Benchmark, request: RunRequest) -> None:
    if request.engine == "local" and needs_browser(benchmark):
        options = browser_options()
        if not (options.endpoint or options.executable):
            find_chromium()


def resume_run(request: ResumeRequest, *, as_json: bool) -> int:
    """Go on with a run where it stopped, print, and return the exit code: see `exit_code`.

    Raises:
        UsageError: no such run, or one without a plan, or of another benchmark.
        BadData: the benchmark's data is missing, or is not what the run was planned on.
        EnvironmentDown: another runner works at it, no browser, or a store that can't be written.
    """
    report_settings()
    store = open_store(request.store)
    return _finish(go_on_with(request, store, quiet=as_json), store, as_json=as_json)


def go_on_with(request: ResumeRequest, store: Store, *, quiet: bool) -> BatchReport:
    """Play what is left of a run. Raises as `resume_run`."""
    request = as_called(request, store)
    if request.share:
        pull(store, SharedStore(request.share), (request.run,))
    planned = plan_to_resume(request, store)
    chosen = resumed_work(request, planned)

    async def work(benchmark: Benchmark) -> BatchReport:
        tasks, size = selected(planned, benchmark), planned.viewport
        place = place_to_play(store, benchmark, request, workers=chosen.workers, size=size)
        async with place as begin:
            player = await begin(request.run)
            progress = Progress(announced=None if quiet else store)
            return await work_at(store, request.run, benchmark, tasks, player, chosen, progress)

    with in_effect(planned.settings):
        return asyncio.run(work(ready_benchmark(planned.benchmark, request.data)))


def _finish(report: BatchReport, store: Store, *, as_json: bool) -> int:
    if as_json:
        print_json(report)
    else:
        print_report(report)
    if report.state != "finished":
        left = f"{counted(report.left, 'episode')} of {report.planned} left"
        say(f"{report.state}: {left if report.reason == INTERRUPTED else f'{report.reason}; {left}'}")
        more = ["--limit-run-cost", "MORE"] if report.state == "limited" else []
        say(f"  `{told_command(['run', '--resume', report.run, *more], store)}` goes on")
    return exit_code(report)


def exit_code(report: BatchReport) -> int:
    """0 all scored · 1 something was not, or was left · 3 it could not go on · 130 interrupted."""
    if report.state == "interrupted":
        return EXIT_INTERRUPTED
    if report.state == "halted":
        return EXIT_HALTED
    return 0 if report.scored == report.planned else 1


async def play(engine: Engine, batch: BatchRequest, work: Work) -> BatchReport:
    """Begin a run in a started engine, and work at it."""
    run = new_run(engine.store, batch)
    player = LocalPlayer(engine, batch.benchmark)
    return await work_at(engine.store, run, batch.benchmark, batch.tasks, player, work, Progress())


async def work_at(
    store: Store,
    run: str,
    benchmark: Benchmark,
    tasks: Sequence[Task],
    player: Player,
    work: Work,
    progress: Progress,
) -> BatchReport:
    """Work at a run until it is done or interrupted, and show how far it is."""
    runner = Runner(store, run, benchmark, tasks, player, work, progress.notices)

    def leave() -> None:
        progress.tell("ending the episodes that are going on; Ctrl+C again leaves at once")
        runner.interrupt()

    with ending_in_order(leave):
        async with progress.shown():
            return await runner.run()
