"""`config`: the settings with their origin, and one of them set or taken back in the user's own file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from webbench.core.agents.known_agents import ListedAgent
from webbench.core.errors import UsageError
from webbench.core.runner.plan.declared_options import Option
from webbench.core.settings.change_settings import Changed, set_value, unset_value
from webbench.core.settings.settings import is_secret, value_text
from webbench.tui.cli.options import AsJson, asking
from webbench.tui.cli.output import print_json, print_line, print_table, print_text, say
from webbench.tui.cli.place import settings_problems

SCHEMA_VERSION = 1
SettingName = Annotated[str, Option(argument=True, help="A setting by its name, such as viewport.width.")]


def config_show_command(as_json: AsJson = False) -> None:
    """Print the paths and every effective setting with its origin."""
    raise typer.Exit(print_config(as_json=as_json))


class NewValue(msgspec.Struct, frozen=True, kw_only=True):
    """What `config set` asks for."""

    name: SettingName
    value: Annotated[
        tuple[str, ...], Option(argument=True, help="Its value; of a list one word for each entry.")
    ]


@asking(NewValue)
def config_set_command(request: NewValue, as_json: AsJson = False) -> None:
    """Set a setting in your own settings file; the value is checked first, comments stay.

    What is open keeps the settings that it began with. Exit 1 where something stronger, such as a variable
    of the environment, keeps another value in effect.
    """
    name = request.name
    if is_secret(name):
        raise UsageError(
            f"{name} is no argument: others of this machine can read those",
            f"name a file that holds it as {name}_file, or write it into the settings file",
        )
    _check_names(name, " ".join(request.value))
    raise typer.Exit(_print_change(set_value(name, request.value, Path.cwd()), as_json=as_json))


def config_unset_command(name: SettingName, as_json: AsJson = False) -> None:
    """Take a setting back out of your own settings file, so that its default holds.

    Exit 1 where something stronger keeps another value in effect.
    """
    raise typer.Exit(_print_change(unset_value(name), as_json=as_json))


def _check_names(name: str, value: str) -> None:
    """Of keys and themes the screens know which there are. Raises `UsageError`."""
    if name.startswith("keys."):
        from webbench.tui.commands import unknown_key

        if problem := unknown_key(name.removeprefix("keys.")):
            raise UsageError(problem)
    if name == "theme":
        from webbench.core.text.nearest import suggestion
        from webbench.themes.install import known_themes

        if value not in (known := known_themes()):
            raise UsageError(f'There is no theme "{value}"', suggestion(value, known))


def _print_change(changed: Changed, *, as_json: bool) -> int:
    """0, or 1 where the setting has another value in effect."""
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, **msgspec.to_builtins(changed)})
    elif changed.is_set:
        done = "written into" if changed.written else "as it was in"
        print_text(f"{changed.name} = {value_text(changed.value)}, {done} {changed.file}")
    else:
        done = "no longer sets" if changed.written else "doesn't set"
        print_text(f"{changed.file} {done} {changed.name}")
    if changed.hidden:
        say(f"in effect: {value_text(changed.effective)}, from {changed.origin}, which is stronger")
    return int(changed.hidden)


def print_config(*, as_json: bool) -> int:
    """Paths, settings with their origin, presets of agents; exit code 1 when one of them is wrong."""
    from webbench.core.agents.known_agents import listed_agents
    from webbench.core.agents.presets import load_presets
    from webbench.core.settings import locations
    from webbench.core.settings.load_settings import load_settings

    settings, presets = load_settings(), load_presets()
    effective, problems = settings.effective(), [*settings_problems(), *presets.problems]
    listed = [one for one in listed_agents(presets) if one.kind == "preset"]
    paths: dict[str, Path | None] = {
        **locations.paths(),
        "project settings": locations.project_file(),
        "store": settings.store_folder(),
    }
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "paths": {name: str(path) if path else None for name, path in paths.items()},
                "settings": {name: {"value": value, "origin": origin} for name, value, origin in effective},
                "presets": listed,
                "refused": settings.refused,
                "problems": problems,
            }
        )
    else:
        print_table(("path", "where"), [(name, _place(path)) for name, path in paths.items()])
        print_line()
        rows = [(name, value_text(value), origin) for name, value, origin in effective]
        print_table(("setting", "value", "origin"), rows, flexible=(1,), whole=True)
        print_line()
        print_table(
            ("agent preset", "agent", "origin"), [(one.name, one.base, _origin(one)) for one in listed]
        )
        if settings.refused:
            print_line()
            refused = [
                (one.setting, value_text(one.value), f"{one.file}: {one.reason}") for one in settings.refused
            ]
            print_table(("not taken", "value", "file and reason"), refused, flexible=(1, 2), whole=True)
    for problem in problems:
        say(problem)
    return 1 if problems else 0


def _origin(preset: ListedAgent) -> str:
    return f"{preset.origin}, wins over {preset.hides}" if preset.hides else preset.origin


def _place(path: Path | None) -> str:
    if path is None:
        return "no webbench.toml here or above"
    return str(path) if path.exists() else f"{path} (not there yet)"
