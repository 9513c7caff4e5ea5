"""The command line: which commands there are, and where. A command's module is imported when it is called.

Data goes to stdout, diagnostics to stderr. Exit codes: 0 ok · 1 findings, or something not scored ·
2 usage · 3 environment down (browser, site, display) · 4 bad data · 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Annotated, Any, NamedTuple, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from webbench.core.errors import UsageError
from webbench.tui.cli.options import StorePath
from webbench.tui.terminal import at_terminal

PACKAGE = "webbench.tui.cli"


class Group(NamedTuple):
    """Commands below a name: its help, their modules, and which one the name alone stands for."""

    help: str
    modules: dict[str, str]
    default: str = ""


COMMANDS = {
    "run": ("runs.run", "Run many episodes of one agent."),
    "status": (
        "runs.status",
        "How a run stands, from another terminal or another machine with the same store.",
    ),
    "stop": (
        "runs.stop",
        "End a run as Ctrl+C does in its terminal: what is going on is not scored, "
        "and `run --resume` goes on.",
    ),
    "import": (
        "records.import_episodes",
        "Import recorded episodes of other tools; their format is detected from the files.",
    ),
    "compare": (
        "records.compare",
        "Align attempts at one task step by step: where they part, meet again, and go in circles.",
    ),
    "stats": (
        "records.stats",
        "Analyse runs: rates with intervals, who solves what, steps, templates, ways through pages, power.",
    ),
    "interventions": (
        "records.interventions",
        "Tell how often and where people stepped in while agents worked, and how much they changed.",
    ),
    "attach": (
        "runs.attach",
        "Look on at an episode of a running batch in the stepper, and take it over there if need be.",
    ),
    "push": ("runs.push_pull", "Copy runs to a shared store: what is not there yet."),
    "pull": (
        "runs.push_pull",
        "Copy runs from a shared store: what is not here yet, or had not ended when it was copied.",
    ),
    "show": (
        "records.show",
        "Show one recorded episode step by step, one step of it, or the episodes of a run.",
    ),
    "view": (
        "records.show",
        "Open a recorded episode on the Trajectory screen; without a terminal it is printed as by `show`.",
    ),
    "fork": (
        "stepping.step",
        "Reset the task, repeat a recorded episode up to a step, and go on live from there.",
    ),
    "export": ("records.export", "Write recorded episodes in another format, whole or not at all."),
    "report": (
        "records.report",
        "Write one self-contained HTML page: an episode to scrub through, attempts side by side, or runs.",
    ),
    "reindex": (
        "records.export",
        "Build the store's index anew from its folders, and tell what can't be read.",
    ),
    "baseline": ("people.baseline", "Collect and report human baselines."),
    "plugins": (
        "installation.plugins",
        "List what is plugged in, from where, and whether it works or why not.",
    ),
    "agents": (
        "installation.agents",
        "List agents and presets with where they are from; with a name, its options, prompts, "
        "and their origins.",
    ),
    "demo": (
        "installation.demo",
        "What is bundled, fully offline: sites with state, and tasks of every benchmark on them.",
    ),
    "step": ("stepping.step", "Step one task: in the stepper screen, or with one action per line on stdin."),
    "tasks": ("stepping.tasks", "List benchmarks with their state, or the tasks of one."),
    "observe": ("stepping.observe", "Read a page as an agent perceives it."),
    "runs": (
        "records.runs",
        "List the runs in the store, the episodes that match a filter, or those that are unfinished.",
    ),
    "score": (
        "records.score",
        "Score again without a browser: a recorded episode, or a file of predictions.",
    ),
    "doctor": (
        "installation.about",
        "Check Python, Chromium, display, terminal, fonts, store and data; say how to mend each.",
    ),
    "config": ("installation.about", "Print the paths and every effective setting with its origin."),
}
"""By name the module and the beginning of the help, in the order in which they are listed.

A module has `<name>_command`.
"""

GROUPS = {
    "data": Group(
        "Data sets: list, check and get them; tables.",
        {
            "list": "benchmarks.data_sets",
            "check": "benchmarks.data_sets",
            "get": "benchmarks.data_sets",
            "tables": "benchmarks.tables",
        },
    ),
    "label": Group(
        "Label episodes and steps by a taxonomy of errors, measure agreement, dispute scores. "
        "`label EPISODE --as NAME` opens the labelling screen; with --code it labels at once.",
        {
            "give": "people.label",
            "list": "people.label",
            "agreement": "people.agreement",
            "export": "people.export_labels",
            "taxonomies": "people.agreement",
            "suggest": "people.suggest",
            "settle": "people.label",
            "dispute": "people.dispute",
            "disputes": "people.dispute",
            "rule": "people.dispute",
        },
        default="give",
    ),
    "weblinx": Group("WebLINX: write demonstrations in its format.", {"export": "benchmarks.weblinx"}),
    "webarena": Group(
        "Sign in on WebArena's sites, or serve bundled ones.",
        {"login": "benchmarks.webarena", "serve": "benchmarks.webarena"},
    ),
    "webcanvas": Group(
        "Tasks with key nodes on live sites: check whether they still hold, record new ones.",
        {"check": "benchmarks.check_workflows", "record": "benchmarks.record_task"},
    ),
    "serve": Group("Let programs of others work with it.", {"mcp": "installation.serve_mcp"}),
}
"""Groups of commands, listed after them. A module has `<group>_<name>_command`."""


def _typer(**settings: Any) -> typer.Typer:
    """In plain text, tracebacks as Python writes them."""
    return typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, **settings)


def _function(module: str, name: str) -> Any:
    return getattr(import_module(f"{PACKAGE}.{module}"), f"{name}_command")


class GivingDefault(TyperGroup):
    """A group whose name alone stands for one of its commands: nothing else is called like a command."""

    default = ""

    # The class of the context that Typer's own groups take has no public name.
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


def _made(name: str) -> Any:
    """A command, or a group with all of its commands."""
    around = _typer(add_completion=False)
    if name in COMMANDS:
        around.command(name=name)(_function(COMMANDS[name][0], name))
        return get_command(around)
    group = GROUPS[name]
    inside = _typer(
        no_args_is_help=not group.default, help=group.help, cls=GivingDefault if group.default else TyperGroup
    )
    for below, module in group.modules.items():
        inside.command(name=below)(_function(module, f"{name}_{below}"))
    around.add_typer(inside, name=name)
    found: Any = get_command(around)
    made = found.commands[name]
    if group.default:
        made.default = group.default
    return made


class Imported(MutableMapping[str, Any]):
    """The commands by name, each made when it is asked for."""

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._found:
            if name not in COMMANDS and name not in GROUPS:
                raise KeyError(name)
            try:
                self._found[name] = _made(name)
            except KeyError as error:  # which would read as: there is no such command
                raise RuntimeError(f"the command {name} can't be loaded: {error!r}") from error
        return self._found[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*COMMANDS, *GROUPS])

    def __len__(self) -> int:
        return len(COMMANDS) + len(GROUPS)


class Commands(TyperGroup):
    """Lists the commands without importing them."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes | {"commands": Imported()})

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # of the contract
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        texts = {name: text for name, (_, text) in COMMANDS.items()}
        texts |= {name: group.help for name, group in GROUPS.items()}
        named = [typer.core.TyperCommand(name, help=text) for name, text in texts.items()]
        TyperGroup(commands=named).format_commands(ctx, formatter)


app = typer.Typer(
    name="webbench-tui",
    cls=Commands,
    no_args_is_help=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Step through web-agent benchmark tasks, as a human or an agent, and see why each score is what "
    "it is. Without a command: the library of tasks.",
    epilog="Exit codes: 0 ok, 1 findings or something not scored, 2 usage, 3 environment down, "
    "4 bad data, 130 interrupted.",
)


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    from webbench.tui.cli.installation.about import version_text

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
    called = context.invoked_subcommand
    if store is not None and called:
        command = cast("Commands", context.command).commands.get(called)
        context.default_map = {called: _for_every_command(command, {"store": str(store)})}
    if called is None:
        if not at_terminal():
            raise UsageError("The library needs a terminal", "`webbench-tui --help` lists what works without")
        from webbench.tui.cli.opening_screens import open_library

        open_library(store=store)
