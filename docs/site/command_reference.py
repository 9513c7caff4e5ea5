"""The reference of commands, made from the program's own declarations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from webbench.tui.cli.program import app

PROGRAM = "webbench-tui"


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its words, by name; groups are left out."""
    inside = getattr(command, "commands", None)
    if inside is None:
        yield path, command
        return
    for name in sorted(inside):
        yield from commands(inside[name], (*path, name))


def page() -> str:
    """The whole reference as Markdown."""
    told = list(commands(get_command(app)))
    index = "\n".join(
        f"| [`{' '.join(path)}`](#{'-'.join(path)}) | {_cell(_first_line(command))} |"
        for path, command in told
    )
    sections = "\n\n".join(_section(path, command) for path, command in told)
    return (
        "# Reference of commands\n\nMade from the program: what `--help` says, on one page. "
        "Exit codes and examples are in\n[commands without a screen](../commands.md).\n\n"
        f"| command | what it does |\n|---|---|\n{index}\n\n{sections}\n"
    )


def _section(path: tuple[str, ...], command: Any) -> str:
    words = " ".join(path)
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    usage = " ".join([PROGRAM, words, *map(_usage, arguments), *(["[OPTIONS]"] if options else [])])
    lines = [f"## {words}", "", f"```text\n{usage}\n```", "", _text(command.help or "")]
    if arguments:
        lines += [
            "",
            "| argument | |",
            "|---|---|",
            *(f"| `{_name(one)}` | {_cell(one.help)} |" for one in arguments),
        ]
    if options:
        lines += [
            "",
            "| option | |",
            "|---|---|",
            *(f"| {_flags(one)} | {_cell(one.help)}{_default(one)} |" for one in options),
        ]
    return "\n".join(lines)


def _name(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _usage(argument: Any) -> str:
    shown = _name(argument) + ("..." if argument.nargs == -1 else "")
    return shown if argument.required else f"[{shown}]"


def _flags(option: Any) -> str:
    flags = ", ".join(f"`{flag}`" for flag in (*option.opts, *option.secondary_opts))
    return flags if option.is_flag else f"{flags} `{option.metavar or option.display_type}`"


def _default(option: Any) -> str:
    value = option.default
    plain = isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
    return f" (default: `{value}`)" if plain and not option.is_flag else ""


def _first_line(command: Any) -> str:
    return str(command.help or "").strip().partition("\n")[0]


def _text(text: str) -> str:
    return text.replace("<", "&lt;").strip()


def _cell(text: str | None) -> str:
    return " ".join(_text(text or "").split()).replace("|", "\\|")
