"""Settings that say what a run measures: kept in its plan, and in effect again when it is resumed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from webbench.core.json_types import JsonObject
from webbench.core.settings.load_settings import NO_LINES, load_settings
from webbench.core.settings.settings import declarations

MEASURED = (
    *("browser.driver", "browser.input", "guard.actions", "guard.hosts", "guard.words", "guard.addresses"),
    *("search_engine", "ranking", "model.name"),
)
"""Names of settings. The size of pages, the rules and all limits have places of their own in a plan."""


def measured_settings() -> JsonObject:
    """Their values by name, as a plan keeps them."""
    settings = load_settings()
    values = {one.name: one.of(settings) for one in declarations() if one.name in MEASURED}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def take_effect(planned: JsonObject) -> None:
    """Let them hold for the rest of this call, whatever the settings here say."""
    variables = {one.name: one.variable for one in declarations() if one.name in MEASURED}
    for name, value in planned.items():
        if name in variables:
            text = "\n".join(map(str, value)) or NO_LINES if isinstance(value, list) else str(value)
            os.environ[variables[name]] = text


@contextmanager
def in_effect(planned: JsonObject) -> Iterator[None]:
    """Let them hold inside the block only, for a program that goes on with other things."""
    variables = [one.variable for one in declarations() if one.name in MEASURED]
    before = {name: os.environ.get(name) for name in variables}
    take_effect(planned)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
