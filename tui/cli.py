"""The command line: parse, call core, print. Every command imports what it needs only when it runs.

Data goes to stdout, diagnostics to stderr. Exit codes: 0 ok · 1 findings, or something not scored ·
2 usage · 3 environment down (browser, site, display) · 4 bad data · 130 interrupted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webbench.core.errors import UsageError
from webbench.tui.cli_agents import add_commands as add_agent_commands
from webbench.tui.cli_baseline import add_commands as add_baseline_commands
from webbench.tui.cli_browser import choosing_browser
from webbench.tui.cli_data import data_commands
from webbench.tui.cli_episodes import add_commands as add_episode_commands
from webbench.tui.cli_exports import add_commands as add_export_commands
from webbench.tui.cli_labels import label_commands
from webbench.tui.cli_options import (
    RULE_SETS,
    Agent,
    AllowHosts,
    Approve,
    AsJson,
    BenchmarkName,
    Data,
    DialectName,
    GuardMode,
    LimitCost,
    LimitSeconds,
    LimitSteps,
    LimitTokens,
    RelevantHtml,
    Reset,
    Rules,
    Split,
    StorePath,
)
from webbench.tui.cli_plugins import add_commands as add_plugin_commands
from webbench.tui.cli_records import add_commands as add_record_commands
from webbench.tui.cli_run import add_commands as add_run_commands
from webbench.tui.cli_running import add_commands as add_running_commands
from webbench.tui.cli_webarena import webarena_commands
from webbench.tui.cli_webcanvas import webcanvas_commands
from webbench.tui.cli_weblinx import weblinx_commands
from webbench.tui.terminal import at_terminal

app = typer.Typer(
    name="webbench-tui",
    no_args_is_help=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Step through web-agent benchmark tasks, as a human or an agent, and see why each score is what "
    "it is. Without a command: the library of tasks.",
    epilog="Exit codes: 0 ok, 1 findings or something not scored, 2 usage, 3 environment down, "
    "4 bad data, 130 interrupted.",
)

app.add_typer(data_commands, name="data")
app.add_typer(label_commands, name="label")
app.add_typer(weblinx_commands, name="weblinx")
app.add_typer(webarena_commands, name="webarena")
app.add_typer(webcanvas_commands, name="webcanvas")
add_run_commands(app)
add_record_commands(app)
add_running_commands(app)
add_episode_commands(app)
add_export_commands(app)
add_baseline_commands(app)
add_plugin_commands(app)
add_agent_commands(app)


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    from webbench.tui.headless.about import version_text

    typer.echo(version_text())
    raise typer.Exit


def _for_every_command(command: object, values: dict[str, object]) -> dict[str, object]:
    """Options given before the name of a command, as defaults of that command and of those below it."""
    below: dict[str, object] = getattr(command, "commands", {})
    return values | {name: _for_every_command(each, values) for name, each in below.items()}


@app.callback()
def library(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Versions, then exit.")
    ] = False,
    store: StorePath = None,
) -> None:
    """Open the library of tasks."""
    if store is not None:
        context.default_map = _for_every_command(context.command, {"store": str(store)})
    if context.invoked_subcommand is None:
        if not at_terminal():
            raise UsageError("The library needs a terminal", "`webbench-tui --help` lists what works without")
        from webbench.tui.headless.screens import open_library

        open_library(store=store)


@app.command()
@choosing_browser
def demo(
    headless: Annotated[
        bool, typer.Option("--headless", help="Play the demo with the oracle and print the scores.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """What is bundled, fully offline: sites with state, and tasks of every benchmark on them.

    Without a terminal the oracle agent plays a few tasks of each.
    """
    if headless or as_json or not at_terminal():
        from webbench.tui.headless.demo import run_demo

        raise typer.Exit(run_demo(store=store, as_json=as_json))
    from webbench.tui.headless.screens import open_library

    open_library(store=store, benchmark="demo")


@app.command()
@choosing_browser
def step(
    benchmark: BenchmarkName = "",
    task: Annotated[str, typer.Argument(help="Task name, or name#instance.")] = "",
    instance: Annotated[int, typer.Option("--instance", min=0, help="Instance of the task, from 0.")] = 0,
    resume: Annotated[str, typer.Option("--resume", help="Episode to replay first, then go on live.")] = "",
    agent: Agent = "",
    dialect: DialectName = "",
    rules: Rules = "",
    relevant_html: RelevantHtml = None,
    reset: Reset = None,
    approve: Approve = "",
    guard: GuardMode = "",
    allow_host: AllowHosts = None,
    limit_steps: LimitSteps = 0,
    limit_seconds: LimitSeconds = 0,
    limit_tokens: LimitTokens = 0,
    limit_cost: LimitCost = 0,
    data: Data = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Step one task: in the stepper screen, or with one action per line on stdin.

    Without a terminal (or with --json) every line of stdin is an action; each is answered with its result,
    what there is to see and the score, as text, or with --json as one JSON line. A line that is no action
    changes nothing; the answer says where it goes wrong, why, and what to try. The end of stdin ends the
    episode.

    A line that begins with a colon is a command, answered in the same way:

    \b
    :note TEXT      keep a remark with the episode
    :preview ANSWER what it would score; nothing is recorded
    :agent SPEC     have an agent at hand; without SPEC: none
    :approve POLICY before which of its actions you are asked: always, changes, never
    :propose        ask it for an action
    :accept N       carry the proposal out, or its candidate number N
    :confirm N      the same for what the guard asks about
    :edit N ACTION  do this instead of candidate N (1 if not given), as a change of it
    :reject REASON  drop it; the agent is told the reason
    :step           let the agent take a step
    :run N          let the agent take N steps; without N: all
    :pause          stop it, also while it thinks
    :refresh        read the page again
    :score          score now, with the checks that wait for the end
    :end REASON     end the episode as not scored

    An action in place of :accept is kept as the person's, beside the proposal. With --agent it goes on by
    itself, and stops where --approve asks; without --approve to the end.
    """
    from webbench.core.episode_limits import Budget
    from webbench.tui.headless.stepping import StepRequest, step_lines

    request = StepRequest(
        benchmark=benchmark,
        task=task,
        instance=instance,
        resume=resume,
        agent=agent,
        dialect=dialect,
        rules=rules,
        relevant_html=relevant_html,
        reset=reset,
        approval=approve,
        guard=guard,
        hosts=tuple(allow_host or ()),
        budget=Budget(steps=limit_steps, seconds=limit_seconds, tokens=limit_tokens, cost=limit_cost),
        data=data,
        store=store,
    )
    if as_json or not at_terminal():
        raise typer.Exit(step_lines(request, as_json=as_json))
    from webbench.tui.headless.screens import open_stepper

    open_stepper(request)


@app.command()
def tasks(
    benchmark: Annotated[str, typer.Argument(help="Benchmark; all of them if not given.")] = "",
    split: Split = "",
    problems: Annotated[
        bool, typer.Option("--problems", help="What is wrong with the data, instead of the tasks.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List benchmarks with their state, or the tasks of one."""
    from webbench.tui.headless.catalogue import list_tasks

    raise typer.Exit(list_tasks(benchmark, split=split, data=data, problems=problems, as_json=as_json))


@app.command()
@choosing_browser
def observe(
    url: Annotated[str, typer.Argument(help="Address of a page, or a file.")],
    viewport: Annotated[bool, typer.Option("--viewport", help="Only what the viewport shows.")] = False,
    form: Annotated[str, typer.Option("--format", help="webarena, browsergym or json.")] = "webarena",
    screenshot: Annotated[
        Path | None, typer.Option("--screenshot", help="Save a picture (png, jpg, webp).")
    ] = None,
    marks: Annotated[bool, typer.Option("--marks", help="Draw the ids on the picture.")] = False,
    full_page: Annotated[bool, typer.Option("--full-page", help="Picture of the whole page.")] = False,
    repeat: Annotated[int, typer.Option("--repeat", min=1, help="Read so often; timings are medians.")] = 1,
    source: Annotated[str, typer.Option("--source", help="script (one round trip) or cdp.")] = "script",
    as_json: AsJson = False,
) -> None:
    """Read a page as an agent perceives it."""
    from webbench.tui.headless.observing import ObserveRequest, observe_page

    request = ObserveRequest(
        url=url,
        viewport_only=viewport,
        form=form,
        picture=screenshot,
        marks=marks,
        full_page=full_page,
        repeat=repeat,
        source=source,
    )
    raise typer.Exit(observe_page(request, as_json=as_json))


@app.command()
def runs(
    wanted: Annotated[
        str,
        typer.Argument(help="Episodes instead: 'benchmark:webarena actor:human status:scored words'."),
    ] = "",
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """List the runs in the store, or the episodes that match a filter."""
    from webbench.tui.headless.records import list_episodes, list_runs

    if wanted.strip():
        raise typer.Exit(list_episodes(wanted, store=store, as_json=as_json))
    raise typer.Exit(list_runs(store=store, as_json=as_json))


@app.command()
def score(
    what: Annotated[
        str, typer.Argument(help="Episode, or a unique prefix of it; with --predictions: a benchmark.")
    ],
    predictions: Annotated[
        str, typer.Option("--predictions", help="Score this file of predictions; - for stdin.")
    ] = "",
    tasks: Annotated[
        Path | None, typer.Option("--tasks", help="Tasks of the predictions, where not in the data folder.")
    ] = None,
    rules: Annotated[
        str,
        typer.Option("--rules", help=f"Rule set of the headline score: {RULE_SETS}; predictions: also both."),
    ] = "",
    judge: Annotated[
        str,
        typer.Option("--judge", help="Who decides where no rule can: none, human, model, or a model's name."),
    ] = "none",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="An episode also where it ended without a score.")
    ] = False,
    as_table: Annotated[
        bool, typer.Option("--table", help="A table of every item, and of every check of it.")
    ] = False,
    item: Annotated[
        list[str] | None,
        typer.Option("--item", help="Of the predictions only this item, with its checks; repeatable."),
    ] = None,
    data: Data = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Score again without a browser: a recorded episode, or a file of predictions.

    An EPISODE is scored from its evidence, beside the recorded score. Exit 1 when that gives no score; so
    for one that ended without (a time limit, a crash, abandoned), whose last evidence says nothing about
    an end.

    A BENCHMARK with --predictions FILE: JSON lines, a JSON list or one JSON object, - for stdin. Lines that
    can't be used are told with their number, and the rest is scored. --json has the headline figures at
    the top, then the groups, then every item with its checks and a judge's replies: put under "replies" of
    the item's line, they need no judge again. Exit 4 when a line was unusable, else 1 when something got
    no score (pending, not scored, error), else 0; an item that a rule of the evaluation leaves out is no
    failure (weblinx: turns that the published evaluation drops).

    A model as judge is reached at judge.url (any OpenAI-compatible endpoint) with the key in
    WEBBENCH_JUDGE_KEY or judge.key_file. Its replies are kept, so scoring again asks nothing.
    """
    if predictions:
        from webbench.tui.headless.scoring import OfflineRequest, score_predictions

        offline = OfflineRequest(
            benchmark=what,
            predictions=predictions,
            tasks=tasks,
            rules=rules,
            judge=judge,
            data=data,
            items=tuple(item or ()),
        )
        raise typer.Exit(score_predictions(offline, as_json=as_json, as_table=as_table))
    if tasks is not None:
        raise UsageError("--tasks belongs to --predictions", "an episode holds its own task")
    if item:
        raise UsageError("--item belongs to --predictions", "--table shows every check of an episode")
    from webbench.tui.headless.records import ScoreRequest, score_episode

    request = ScoreRequest(
        episode=what, rules=rules, judge=judge, data=data, store=store, anyway=anyway, as_table=as_table
    )
    raise typer.Exit(score_episode(request, as_json=as_json))


@app.command()
@choosing_browser
def doctor(store: StorePath = None, as_json: AsJson = False) -> None:
    """Check Python, Chromium, display, terminal, fonts, store and data; say how to mend each."""
    from webbench.tui.headless.about import run_doctor

    raise typer.Exit(run_doctor(store=store, as_json=as_json))


@app.command()
def config(as_json: AsJson = False) -> None:
    """Print the paths and every effective setting with its origin."""
    from webbench.tui.headless.about import print_config

    raise typer.Exit(print_config(as_json=as_json))
