"""Commands over many episodes: run them, and see from elsewhere how far a run is."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from webbench.core.errors import UsageError
from webbench.tui.cli_browser import choosing_browser
from webbench.tui.cli_options import (
    Agent,
    AllowHosts,
    AsJson,
    Data,
    DialectName,
    GuardMode,
    LimitCost,
    LimitSeconds,
    LimitSteps,
    LimitTokens,
    OnlyTasks,
    RelevantHtml,
    Reset,
    Rules,
    ShareAddress,
    Split,
    StorePath,
    finite,
)

PLANNED = (
    *("agent", "split", "task", "instances", "repeat", "seed", "order", "limit_steps", "limit_seconds"),
    *("limit_tokens", "limit_cost", "hang", "site_safety", "pictures", "dialect", "rules", "relevant_html"),
    *("reset", "guard", "allow_host", "browser", "browser_input"),
)
"""Options that a run's plan holds, so that they can't be given again when it is resumed."""


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module into the program."""
    app.command(name="run")(choosing_browser(run_command))
    app.command(name="status")(status_command)
    app.command(name="stop")(stop_command)


def run_command(
    context: typer.Context,
    benchmark: Annotated[str, typer.Argument(help="Benchmark, e.g. demo; not needed with --resume.")] = "",
    agent: Agent = "oracle",
    split: Split = "",
    task: OnlyTasks = None,
    instances: Annotated[
        int | None, typer.Option("--instances", min=1, help="Only the first N of each task.")
    ] = None,
    repeat: Annotated[
        int, typer.Option("--repeat", min=1, help="Play every task so often, with seeds SEED, SEED+1, ...")
    ] = 1,
    order: Annotated[
        Literal["given", "random"],
        typer.Option("--order", help="Of the tasks; random: by the seed."),
    ] = "given",
    seed: Annotated[int, typer.Option("--seed", help="Seed of agents that draw lots.")] = 0,
    limit_steps: LimitSteps = 0,
    limit_seconds: LimitSeconds = 0,
    limit_tokens: LimitTokens = 0,
    limit_cost: LimitCost = 0,
    guard: GuardMode = "",
    allow_host: AllowHosts = None,
    limit_run_cost: Annotated[
        float,
        typer.Option(
            "--limit-run-cost",
            min=0,
            callback=finite,
            help="US dollars that the whole run may cost: then no further episode is begun, and those that "
            "are going on are played to their end. Holds when the run is resumed, too; 0 lifts it.",
        ),
    ] = 0.0,
    hang: Annotated[
        float,
        typer.Option(
            "--hang",
            min=1,
            callback=finite,
            help="Seconds without any progress after which an episode is ended as not scored.",
        ),
    ] = 600.0,
    workers: Annotated[
        int,
        typer.Option("--workers", min=1, help="Episodes at a time, in one browser."),
    ] = 1,
    resume: Annotated[
        str, typer.Option("--resume", help="Go on with this run where it stopped, by its own plan.")
    ] = "",
    retry: Annotated[
        Literal["", "not-scored"],
        typer.Option("--retry", help="not-scored: play what has no score once more, at the end."),
    ] = "",
    site_safety: Annotated[
        bool,
        typer.Option(
            help="Tasks that change a site that others share run alone on it, and after those they depend on."
        ),
    ] = True,
    pictures: Annotated[bool, typer.Option(help="Keep a screenshot of every step.")] = True,
    dialect: DialectName = "",
    rules: Rules = "",
    relevant_html: RelevantHtml = None,
    reset: Reset = None,
    engine: Annotated[
        Literal["local", "ray"],
        typer.Option("--engine", help="Play here, or on all nodes of a Ray cluster, each with a browser."),
    ] = "local",
    address: Annotated[
        str, typer.Option("--address", help="Of the Ray cluster; auto: this machine's.")
    ] = "auto",
    share: ShareAddress = "",
    data: Data = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what would be played, or why it can't be; begin nothing."),
    ] = False,
    detach: Annotated[
        bool,
        typer.Option("--detach", help="Play it in a process of its own, which outlives this terminal."),
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Run many episodes of one agent.

    The plan (tasks, instances, repetitions, order, seeds, agent, settings) is on disk before the first
    episode begins. Ctrl+C ends the episodes that are going on as not scored and prints the report; a second
    one leaves at once. However a run ended, --resume RUN goes on where it stopped: with what was not played
    yet, and with what was broken off. An episode that hangs, crashes or loses its browser is not scored, with
    the reason, and the others go on; --retry not-scored plays such episodes once more, at the end: it holds
    when the run is resumed, too, and given only then it plays those of an earlier time. Earlier attempts stay
    recorded, and only the last one counts.

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
    from webbench.core.episode_limits import Budget
    from webbench.tui.headless.batch import resume_run, run_tasks
    from webbench.tui.headless.detaching import run_detached
    from webbench.tui.headless.outlining import outline_run
    from webbench.tui.headless.place import watch
    from webbench.tui.headless.run_request import ResumeRequest, RunRequest, Where

    watch(guard, allow_host or ())
    where = Where(engine=engine, address=address, share=share, data=data)
    if resume:
        _require_unplanned(context)
        resuming = ResumeRequest(
            run=resume,
            benchmark=benchmark,
            workers=workers if _given(context, "workers") else None,
            retry=bool(retry),
            run_cost=limit_run_cost if _given(context, "limit_run_cost") else None,
            where=where,
            data=data,
            store=store,
        )
        if dry_run:
            raise UsageError("--dry-run is for new runs", f"`webbench-tui status {resume}` says what is left")
        go_on = run_detached if detach else resume_run
        raise typer.Exit(go_on(resuming, as_json=as_json))
    if not benchmark:
        raise UsageError("Which benchmark is to be run?", "`webbench-tui tasks` lists them")
    request = RunRequest(
        benchmark=benchmark,
        agent=agent,
        split=split,
        tasks=tuple(task or ()),
        instances=instances,
        workers=workers,
        repeats=repeat,
        order=order,
        seed=seed,
        budget=Budget(steps=limit_steps, seconds=limit_seconds, tokens=limit_tokens, cost=limit_cost),
        run_cost=limit_run_cost,
        hang_seconds=hang,
        retry=bool(retry),
        site_safety=site_safety,
        pictures=pictures,
        dialect=dialect,
        rules=rules,
        relevant_html=relevant_html,
        reset=reset,
        where=where,
        data=data,
        store=store,
    )
    begin = outline_run if dry_run else run_detached if detach else run_tasks
    raise typer.Exit(begin(request, as_json=as_json))


def status_command(
    run: Annotated[str, typer.Argument(help="Run; the newest one if not given.")] = "",
    watch: Annotated[
        bool, typer.Option("--watch", help="Show it anew every second until its runner leaves off.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """How a run stands, from another terminal or another machine with the same store.

    Exit 0 when it is running or finished, 1 when it stopped with something left to play or not scored.
    """
    from webbench.tui.headless.run_status import show_status

    raise typer.Exit(show_status(run, store=store, watch=watch, as_json=as_json))


def stop_command(
    run: Annotated[str, typer.Argument(help="Run; the one that is being played, if there is just one.")] = "",
    wait: Annotated[
        float,
        typer.Option("--wait", min=0, callback=finite, help="Seconds to wait until its runner has left."),
    ] = 60.0,
    now: Annotated[
        bool, typer.Option("--now", help="Leave at once, without ending the episodes that are going on.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """End a run as Ctrl+C does in its terminal: what is going on is not scored, and `run --resume` goes on.

    Only the process that works at the run is told, known by its number and its start, on this machine.

    Exit 0 when nobody works at the run any more, 1 when its runner hasn't left within --wait, 2 for an
    unknown run, 3 when its runner is on another machine or another user's.
    """
    from webbench.tui.headless.stopping import stop

    raise typer.Exit(stop(run, wait=wait, at_once=now, store=store, as_json=as_json))


def _given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _require_unplanned(context: typer.Context) -> None:
    """Raises `UsageError` for an option that the plan of a run holds."""
    given = [f"--{name.replace('_', '-')}" for name in PLANNED if _given(context, name)]
    if given:
        raise UsageError(
            f"{', '.join(given)} can't be given with --resume: the run's plan says it",
            "leave it out, or begin a new run",
        )
