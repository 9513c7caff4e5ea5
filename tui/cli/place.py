"""What this call works with: store, data folder, engine, options; flags first, then settings."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.api.defaults import (
    BOTH,
    browser_options,
    chosen_dialect,
    chosen_rules,
    data_folder,
    episode_options,
    guarded,
    open_concealing,
    open_engine,
    open_store,
    resets_first,
    store_folder,
    viewport,
)
from webbench.core.api.naming import agent_spec, find_episode, find_episodes
from webbench.core.people.labelling.labelled_episode import required_annotator
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.store import Store
from webbench.tui.cli.output import say

__all__ = [
    "BOTH",
    "agent_spec",
    "browser_options",
    "chosen_dialect",
    "chosen_rules",
    "data_folder",
    "episode_options",
    "find_episode",
    "find_episodes",
    "guarded",
    "open_concealing",
    "open_engine",
    "open_store",
    "report_settings",
    "resets_first",
    "settings_problems",
    "store_folder",
    "told_command",
    "viewport",
]


def report_settings() -> None:
    """Say on stderr which settings were left out, and why."""
    for problem in load_settings().problems:
        say(problem)


def settings_problems() -> list[str]:
    """What is wrong with the settings, with re-bound keys of actions that don't exist."""
    settings = load_settings()
    problems = list(settings.problems)
    if settings.keys:
        from webbench.tui.commands import unknown_key

        told = {f"keys.{name}": unknown_key(name) for name in settings.keys}
        problems += [f"{settings.origins[key]}: {problem}" for key, problem in told.items() if problem]
    return problems


def told_command(words: Sequence[str], store: Store) -> str:
    """`webbench-tui WORDS`, as one has to write it to get at this store."""
    from webbench.tui.finding_again import command_in_store

    return command_in_store(words, store.root, load_settings().store_folder())


def chosen_annotator(flag: str) -> str:
    """The flag, else the setting. Raises `UsageError` where neither names anybody."""
    return required_annotator(flag or load_settings().annotator)
