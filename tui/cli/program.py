"""The command line: the listed commands as one program. A command's module is imported when it is called.

Data goes to stdout, diagnostics to stderr. Exit codes: 0 ok · 1 findings, or something not scored ·
2 usage · 3 environment down (browser, site, display) · 4 bad data · 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from webbench.core.errors import UsageError
from webbench.tui.cli.listed_commands import COMMANDS, EXIT_CODES, GROUPS, LISTED, made, plain_typer
from webbench.tui.cli.options import StorePath, for_typer
from webbench.tui.terminal import at_terminal


def _group(name: str) -> Any:
    asked = GROUPS[name]
    kind = GivingDefault if asked.default else Commands
    return get_group(plain_typer(name=name, help=asked.help, no_args_is_help=not asked.default, cls=kind))


def _made(group: str, name: str) -> Any:
    """A command of a group or, without one, of the program."""
    return made(group, name) if group or name in COMMANDS else _group(name)


class Imported(MutableMapping[str, Any]):
    """The commands of a group by name, each made when it is asked for."""

    def __init__(self, group: str) -> None:
        self._group = group
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._found:
            if name not in LISTED[self._group]:
                raise KeyError(name)
            try:
                self._found[name] = _made(self._group, name)
            except KeyError as error:  # which would read as: there is no such command
                raise RuntimeError(f"the command {name} can't be loaded: {error!r}") from error
        return self._found[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(LISTED[self._group])

    def __len__(self) -> int:
        return len(LISTED[self._group])


class Commands(TyperGroup):
    """Lists the commands, and completes their names, without importing them.

    The class of the context that Typer's own groups take has no public name.
    """

    def __init__(self, **attributes: Any) -> None:
        self.group = attributes["name"] if attributes["name"] in GROUPS else ""
        attributes["commands"] = Imported(self.group)
        super().__init__(**attributes)

    def list_commands(self, ctx: Any) -> list[str]:  # of the contract
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        self._named().format_commands(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        named = self._named()
        return named.shell_complete(type(ctx)(named), incomplete)

    def _named(self) -> TyperGroup:
        """The commands in name only."""
        texts = LISTED[self.group].items()
        return TyperGroup(commands=[TyperCommand(name, help=text) for name, text in texts])


class GivingDefault(Commands):
    """A group whose name alone stands for one of its commands: nothing else is called like a command."""

    @property
    def default(self) -> str:
        return GROUPS[self.group].default

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = args[0] in (*self.commands, "--help") if args else ctx.resilient_parsing  # to be completed
        if not named:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        if not incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        given = self.commands[self.default]
        return given.shell_complete(type(ctx)(given, parent=ctx), incomplete)


app = typer.Typer(
    name="webbench-tui",
    cls=Commands,
    no_args_is_help=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Step through web-agent benchmark tasks, as a human or an agent, and see why each score is what "
    "it is. Without a command: the library of tasks.",
    epilog="Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items()) + ".",
)


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    from webbench.tui.cli.installation.about import version_text

    typer.echo(version_text())
    raise typer.Exit


@app.callback()
@for_typer
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
        given: dict[str, object] = {"store": str(store)}
        below = GROUPS[called].commands if called in GROUPS else ()
        context.default_map = {called: given | dict.fromkeys(below, given)}
    if called is None:
        if not at_terminal():
            raise UsageError("The library needs a terminal", "`webbench-tui --help` lists what works without")
        from webbench.tui.cli.opening_screens import open_library

        open_library(store=store)
