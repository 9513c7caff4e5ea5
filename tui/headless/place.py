"""What this call works with: store, data folder, engine, options; flags first, then settings."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.core.browser.launch import INSTALL_HINT, LaunchOptions
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.nearest import nearest_names
from webbench.core.observation import Viewport
from webbench.core.rule_sets import require_rules
from webbench.core.settings import load_settings
from webbench.core.store.store import Store
from webbench.tui.headless.output import say

if TYPE_CHECKING:
    from webbench.core.engine.engine import Engine
    from webbench.core.episode_limits import Budget
    from webbench.core.episode_options import EpisodeOptions
    from webbench.core.task import Benchmark


BOTH = "both"
"""In place of a rule set: all of them, side by side."""


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


def store_folder(flag: Path | None) -> Path:
    """The store to use: the flag, else the setting."""
    return flag.expanduser() if flag is not None else load_settings().store_folder()


def told_command(words: Sequence[str], store: Store) -> str:
    """`webbench-tui WORDS`, as one has to write it to get at this store."""
    from webbench.tui.finding_again import command_in_store

    return command_in_store(words, store.root, load_settings().store_folder())


def open_store(flag: Path | None) -> Store:
    """The store, with the configured redaction.

    Raises:
        UsageError: there is something else in its place.
    """
    folder = store_folder(flag)
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"The store {folder} is no folder", "name another one with --store or WEBBENCH_STORE"
        )
    return Store(folder, load_settings().redaction())


def open_concealing(flag: Path | None) -> Store:
    """The store for exports and reports, redacted as it is read. Raises as `open_store`."""
    from webbench.core.store.concealing import ConcealingStore

    return ConcealingStore(open_store(flag).root, load_settings().redaction())


def data_folder(benchmark: str, flag: Path | None) -> Path | None:
    """The data folder of a benchmark: the flag, else the setting, else None (its own default)."""
    return flag if flag is not None else load_settings().data_folder(benchmark)


def browser_options() -> LaunchOptions:
    """How to start the browser, by the settings.

    Raises:
        EnvironmentDown: the settings name a Chromium that can't be run.
    """
    settings = load_settings()
    options = settings.launch_options()
    path = options.executable
    if path is not None and not (path.is_file() and os.access(path, os.X_OK)):
        origin = settings.origins.get("browser.executable", "the settings")
        raise EnvironmentDown(f"{origin} names {path}, which can't be run", INSTALL_HINT)
    return options


def chosen_rules(flag: str, rule_sets: Sequence[str], benchmark: str) -> str:
    """The rule set of the headline: the flag, else the setting where the benchmark knows it.

    "both" is no rule set of its own: the headline's is as without the flag, the others stand beside it.

    Raises:
        UsageError: the benchmark has no rule set of the flag's name.
    """
    if flag in ("", BOTH):
        setting = load_settings().rules
        return setting if setting in rule_sets else rule_sets[0]
    require_rules(flag, rule_sets, benchmark)
    return flag


def chosen_dialect(flag: str) -> str:
    """The action language: the flag, else the setting, else "" (the benchmark's own)."""
    return flag or load_settings().dialect


def viewport() -> Viewport:
    """The size of the pages."""
    size = load_settings().viewport
    return Viewport(size.width, size.height)


def open_engine(store: Store, *, size: Viewport | None = None, drain: bool = True) -> Engine:
    """An engine, not yet started, with browser and page size by the settings; for `drain` see there.

    Args:
        size: of the pages instead of the settings'.

    Raises:
        EnvironmentDown: the settings name a Chromium that can't be run.
    """
    from webbench.core.engine.engine import Engine

    return Engine(store, browser_options(), viewport=size or viewport(), drain=drain)


def episode_options(
    benchmark: Benchmark,
    *,
    rules: str,
    live_score: bool = True,
    pictures: bool = True,
    relevant_html: bool | None = None,
    budget: Budget | None = None,
) -> EpisodeOptions:
    """How an episode is run: the flags, else the settings, else the benchmark's own limit.

    Raises:
        UsageError: the benchmark has no rule set of the flag's name.
    """
    from webbench.core.episode_limits import Budget, with_limits
    from webbench.core.episode_options import EpisodeOptions

    settings = load_settings()
    options = EpisodeOptions(
        rules=chosen_rules(rules, benchmark.rule_sets, benchmark.name),
        live_score=live_score,
        pictures=pictures,
        relevant_html=settings.relevant_html if relevant_html is None else relevant_html,
    )
    return with_limits(options, benchmark, settings, budget or Budget())


def watch(guard: str, hosts: Sequence[str]) -> None:
    """Have the guard of every engine of this program as these flags say, where they say anything.

    Raises `UsageError` for a mode that is none, and `BadData` for rules or hosts that can't be read: every
    episode would fail with them.
    """
    from webbench.core.guards.guard import Guard

    if guard not in ("", "auto", "on", "off"):
        raise UsageError(f'--guard can\'t be "{guard}"', "one of auto, on, off")
    if guard:
        os.environ["WEBBENCH_GUARD_ACTIONS"] = guard
    if hosts:
        os.environ["WEBBENCH_GUARD_HOSTS"] = "\n".join(hosts)
    Guard(load_settings().guard.options())


def resets_first(flag: bool | None) -> bool:
    """Whether changed sites are reset before a task: the flag, else the setting."""
    return load_settings().reset_first if flag is None else flag


def agent_spec(spec: str, store: Store) -> str:
    """The spec with the name of a recorded episode in "replay EPISODE" turned into its folder."""
    try:
        words = shlex.split(spec)
    except ValueError:
        return spec
    if len(words) != 2 or words[0] != "replay" or Path(words[1]).expanduser().exists():
        return spec
    return shlex.join(["replay", str(find_episode(store, words[1]))])


def find_episode(store: Store, name: str) -> Path:
    """The folder of an episode: its name, the beginning of it, "run/episode", or a path.

    Raises:
        UsageError: none, or more than one, answers to the name; names the nearest ones.
    """
    try:
        return store.find(name)
    except UsageError as error:
        last = name.rstrip("/").rpartition("/")[2]
        known = [summary.episode for summary in store.episodes()] + [run.run for run in store.runs()]
        near = [] if any(one.startswith(last) for one in known) else nearest_names(last, known)
        if not near:
            raise
        raise UsageError(error.message, f"did you mean {' or '.join(near)}?") from error
