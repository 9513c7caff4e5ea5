"""`agents`: what can stand after --agent, and what the options of one come down to."""

from __future__ import annotations

import contextlib
import shlex
import sys
from typing import Annotated

import msgspec
import typer

from webbench.core.agents.known_agents import (
    ListedAgent,
    listed_agents,
    listed_options,
    listed_prompts,
    short_title,
)
from webbench.core.agents.model.prompts import PlacedPrompt, copy_prompt
from webbench.core.agents.presets import load_presets
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.text.nearest import nearest_names
from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plain_text import plain_clip
from webbench.tui.cli.options import AsJson
from webbench.tui.cli.output import print_json, print_line, print_table, say, wrapped

SCHEMA_VERSION = 1


def agents_command(
    name: Annotated[str, typer.Argument(help="Show this one, with what its options come down to.")] = "",
    copy_prompts: Annotated[
        bool, typer.Option("--copy-prompts", help="Copy its built-in prompts to where yours replace them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List agents and presets with where they are from; with a name, its options, prompts, and their origins.

    A preset is an agent with options under a name of its own: a TOML file in the folder that `config` calls
    agent presets, beside the built-in ones. Exit 1 when one can't be used.

    A prompt is a text file. --copy-prompts puts a copy of each, to be changed, where it counts in place of
    the built-in one; what is there already stays as it is.
    """
    if copy_prompts:
        raise typer.Exit(copy_prompts_of(name, as_json=as_json))
    raise typer.Exit(list_agents(name, as_json=as_json))


def list_agents(name: str, *, as_json: bool) -> int:
    """All of them, or one with its options; exit code 1 where a preset or an agent can't be used.

    Raises `UsageError` for an unknown name.
    """
    presets = load_presets()
    with contextlib.redirect_stdout(sys.stderr):  # foreign agents are imported
        listed = listed_agents(presets)
    code = _one(name, listed, as_json=as_json) if name else _all(listed, presets.problems, as_json=as_json)
    for problem in presets.problems:
        say(problem)
    return code


def copy_prompts_of(name: str, *, as_json: bool) -> int:
    """Copy the built-in prompts of one agent or preset to where the user's own stand, and tell which.

    Raises `UsageError` where no agent is named, or it has none.
    """
    if not name:
        raise UsageError("No agent is named whose prompts are to be copied", "agents NAME --copy-prompts")
    prompts = listed_prompts(name)
    if not prompts:
        raise UsageError(f"{plain_clip(name, 60)} has no prompts to copy")
    copied = {prompt.own: copy_prompt(prompt.name) is not None for prompt in prompts}
    if as_json:
        rows = [{"file": file, "copied": new} for file, new in copied.items()]
        print_json({"schema_version": SCHEMA_VERSION, "prompts": rows})
        return 0
    for file, new in copied.items():
        print_line(f"{file}{'' if new else ': is there already, and stays as it is'}")
    return 0


def _all(listed: list[ListedAgent], problems: tuple[str, ...], *, as_json: bool) -> int:
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "agents": listed, "problems": problems})
    else:
        rows = [(one.name, _base(one), _where(one), one.problem or short_title(one.title)) for one in listed]
        print_table(("name", "agent", "origin", "what"), rows, flexible=(3, 2), optional=(1, 2), whole=True)
    return 1 if problems or any(one.problem for one in listed) else 0


def _one(name: str, listed: list[ListedAgent], *, as_json: bool) -> int:
    found = next((one for one in listed if one.name == name), None)
    if found is None:
        names = [one.name for one in listed]
        near = nearest_names(name, names) or names
        raise UsageError(f'There is no agent named "{plain_clip(name, 60)}"', f"there is {', '.join(near)}")
    options = [] if found.problem else listed_options(name)
    found, prompts = _with_prompts(found)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "agent": found, "options": options, "prompts": prompts})
        return 1 if found.problem else 0
    made_for = ", ".join(found.benchmarks)
    facts = (
        ("", found.title),
        ("follows", found.source),
        ("agent", _base(found) if options else shlex.join(filter(None, (_base(found), *found.words)))),
        ("made for", made_for),
        ("from", _where(found)),
        ("problem", found.problem),
    )
    print_line(found.name)
    for label, text in facts:
        if text:
            print_line(wrapped(text, f"  {label}: " if label else "  "))
    for paragraph in found.about.split("\n\n") if found.about else ():
        print_line()
        print_line(wrapped(" ".join(paragraph.split()), "  "))
    if options:
        print_line()
        rows = [(one.name, one.value or NO_VALUE, one.origin, one.description) for one in options]
        print_table(("option", "value", "origin", "what"), rows, flexible=(3, 1, 2), whole=True)
    _print_prompts(prompts)
    return 1 if found.problem else 0


def _with_prompts(found: ListedAgent) -> tuple[ListedAgent, list[PlacedPrompt]]:
    """The prompts, or that they can't be used."""
    try:
        return found, [] if found.problem else listed_prompts(found.name)
    except WebbenchError as error:
        return msgspec.structs.replace(found, problem=str(error)), []


def _print_prompts(prompts: list[PlacedPrompt]) -> None:
    for prompt in prompts:
        print_line()
        print_line(f"prompt {prompt.name}")
        print_line(wrapped(prompt.file, "  built-in: " if prompt.built_in else "  yours: "))
        if prompt.built_in:
            print_line(wrapped(prompt.own, "  to replace it (--copy-prompts): "))


def _base(one: ListedAgent) -> str:
    return one.base if one.kind == "preset" else ""


def _where(one: ListedAgent) -> str:
    origin = "built-in" if one.origin.startswith("webbench.") else one.origin
    return f"{origin}, wins over {one.hides}" if one.hides else origin
