"""Options of every command that opens a browser: which driver, where, and whose mouse and keyboard."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from webbench.core.settings.load_settings import checked_value, overridden
from webbench.core.settings.settings import declarations

OPTIONS: dict[str, tuple[str, object]] = {
    "browser": (
        "browser.driver",
        Annotated[
            Literal["playwright", "selenium", "firefox"] | None,
            typer.Option("--browser", help="What drives the browser; by default as the settings say."),
        ],
    ),
    "browser_endpoint": (
        "browser.endpoint",
        Annotated[
            str | None,
            typer.Option(
                "--browser-endpoint",
                help="A browser that runs elsewhere: address of its DevTools or of a Playwright server, "
                "with selenium of a Grid.",
            ),
        ],
    ),
    "browser_input": (
        "browser.input",
        Annotated[
            Literal["browser", "desktop"] | None,
            typer.Option(
                "--input", help="Mouse and keyboard: the browser's own events, or real ones on a display."
            ),
        ],
    ),
    "locale": (
        "browser.locale",
        Annotated[
            str | None,
            typer.Option("--locale", help="Language that pages are told, as de-DE; auto: the benchmark's."),
        ],
    ),
    "timezone": (
        "browser.timezone",
        Annotated[
            str | None,
            typer.Option("--timezone", help="Time zone of pages, as Europe/Berlin; auto: the benchmark's."),
        ],
    ),
    "region": (
        "browser.region",
        Annotated[
            str | None,
            typer.Option(
                "--region",
                help="Where pages are told to be: DE, Berlin or 'latitude, longitude'; auto: the "
                "benchmark's.",
            ),
        ],
    ),
}
"""By parameter: the setting that it overrides, and how it is declared."""


def _usual(setting: str, value: object) -> object:
    """A name in its usual spelling, anything else as it is. Raises `UsageError` for a name that is none."""
    checked = {one.name for one in declarations() if one.check is not None}
    if isinstance(value, str) and setting in checked:
        return checked_value(setting, (value,), Path.cwd())[1]
    return value


def choosing_browser(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options to a command, for which they count as settings."""

    @functools.wraps(command)
    def chosen(*arguments: Any, **options: Any) -> None:
        given = {setting: options.pop(name) for name, (setting, _) in OPTIONS.items()}
        with overridden({setting: _usual(setting, value) for setting, value in given.items()}):
            command(*arguments, **options)

    signature = inspect.signature(command, eval_str=True)
    more = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=declared)
        for name, (_, declared) in OPTIONS.items()
    ]
    before = [one for one in signature.parameters.values() if one.name not in ("store", "as_json")]
    last = [one for one in signature.parameters.values() if one.name in ("store", "as_json")]
    # Typer declares what `inspect.signature` tells, and that looks here before it looks at the parameters.
    vars(chosen)["__signature__"] = signature.replace(parameters=[*before, *more, *last])
    return chosen
