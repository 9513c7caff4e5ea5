"""Options of every command that opens a browser: which driver, where, and whose mouse and keyboard."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

from webbench.core.settings.load_settings import overridden

OPTIONS: dict[str, tuple[str, object]] = {
    "browser": (
        "browser.driver",
        Annotated[
            Literal["playwright", "selenium"] | None,
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
}
"""By parameter: the setting that it overrides, and how it is declared."""


def choosing_browser(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options to a command, for which they count as settings."""

    @functools.wraps(command)
    def chosen(*arguments: Any, **options: Any) -> None:
        with overridden({setting: options.pop(name) for name, (setting, _) in OPTIONS.items()}):
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
