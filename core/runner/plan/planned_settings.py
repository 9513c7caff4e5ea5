"""Settings that say what a run measures: kept in its plan, and in effect again when it is resumed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from webbench.core.json_types import JsonObject
from webbench.core.settings.load_settings import load_settings, overridden
from webbench.core.settings.settings import declarations

MEASURED = (
    *("browser.driver", "browser.input", "guard.actions", "guard.hosts", "guard.words", "guard.addresses"),
    *("search_engine", "search_api", "ranking", "ranker", "model.name"),
    *("browser.locale", "browser.timezone", "browser.region"),
)
"""Names of settings. The size of pages, the rules and all limits have places of their own in a plan."""


def measured_settings() -> JsonObject:
    """Their values by name, as a plan keeps them."""
    settings = load_settings()
    values = {one.name: one.of(settings) for one in declarations() if one.name in MEASURED}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


@contextmanager
def in_effect(planned: JsonObject) -> Iterator[None]:
    """Let them hold inside the block, whatever the settings here say."""
    with overridden({name: value for name, value in planned.items() if name in MEASURED}):
        yield
