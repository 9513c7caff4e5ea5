"""Themes from the configuration folder: one TOML file each, colours by Textual's names."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

COLOURS = (
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "foreground",
    "background",
    "surface",
    "panel",
    "boost",
)
OTHERS = {"name": str, "dark": bool, "variables": dict}


def load_user_themes(folder: Path) -> tuple[list[Theme], list[str]]:
    """The themes in `folder`'s `*.toml` files, and one sentence for each file that is not a theme.

    A theme needs `primary`; its name is that of the file unless it gives one.
    """
    themes: list[Theme] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
        try:
            themes.append(_theme(path))
        except (OSError, ValueError) as error:
            problems.append(f"Theme {path}: {error}")
    return themes, problems


def _theme(path: Path) -> Theme:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"not readable as TOML: {error}") from error
    unknown = sorted(set(table) - {*COLOURS, *OTHERS})
    if unknown:
        known = ", ".join((*COLOURS, *OTHERS))
        raise ValueError(f'unknown key "{unknown[0]}"; a theme has {known}')
    for key, kind in OTHERS.items():
        if key in table and not isinstance(table[key], kind):
            raise ValueError(f'"{key}" must be {kind.__name__}')
    if "primary" not in table:
        raise ValueError('"primary" is missing: give it a colour such as "#5b9dd9"')
    for key in COLOURS:
        if key in table:
            _check_colour(key, table[key])
    variables: dict[str, Any] = table.get("variables", {})
    for key, value in variables.items():
        if not isinstance(value, str):
            raise ValueError(f'variable "{key}" must be text')
        if "style" not in key:
            _check_colour(key, value)
    return Theme(
        name=table.get("name") or path.stem,
        dark=table.get("dark", True),
        variables=variables,
        **{key: table[key] for key in COLOURS if key in table},
    )


def _check_colour(key: str, value: object) -> None:
    try:
        Color.parse(str(value).rsplit(" ", 1)[0] if str(value).endswith("%") else str(value))
    except ColorParseError as error:
        raise ValueError(f'"{key}" is no colour: {value!r}; write "#rrggbb" or a CSS name') from error
