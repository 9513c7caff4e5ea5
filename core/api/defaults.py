"""Defaults: what an argument leaves open is taken from the settings, then from the benchmark."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.observation import Viewport
from webbench.core.score.rule_sets import require_rules
from webbench.core.settings.load_settings import load_settings, overridden
from webbench.core.store.secrets.redaction import configured_redaction
from webbench.core.store.store import Store

if TYPE_CHECKING:
    from webbench.core.benchmark.benchmark import Benchmark
    from webbench.core.browser.launch import LaunchOptions
    from webbench.core.engine.engine import Engine
    from webbench.core.episode.limits import Budget
    from webbench.core.episode.options import EpisodeOptions


BOTH = "both"
"""In place of a rule set: all of them, side by side."""


def store_folder(given: Path | None) -> Path:
    """The folder of the store to use: the one given, else the setting."""
    return given.expanduser() if given is not None else load_settings().store_folder()


def open_store(given: Path | None) -> Store:
    """The store, with the configured redaction.

    Raises:
        UsageError: there is something else in its place.
    """
    folder = store_folder(given)
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"The store {folder} is no folder", "name another one with --store or WEBBENCH_STORE"
        )
    return Store(folder, configured_redaction(load_settings()))


def open_concealing(given: Path | None) -> Store:
    """The store for exports and reports, redacted as it is read. Raises as `open_store`."""
    from webbench.core.store.secrets.outgoing import ConcealingStore

    return ConcealingStore(open_store(given).root, configured_redaction(load_settings()))


def data_folder(benchmark: str, given: Path | None) -> Path | None:
    """The data folder of a benchmark: the one given, else the setting, else None (its own default)."""
    return given if given is not None else load_settings().data_folder(benchmark)


def browser_options() -> LaunchOptions:
    """How to start the browser, by the settings.

    Raises:
        EnvironmentDown: the settings name a Chromium that can't be run.
    """
    from webbench.core.browser.launch import INSTALL_HINT
    from webbench.core.browser.starting.configured import configured_launch

    settings = load_settings()
    options = configured_launch(settings)
    path = options.executable
    if path is not None and not (path.is_file() and os.access(path, os.X_OK)):
        origin = settings.origins.get("browser.executable", "the settings")
        raise EnvironmentDown(f"{origin} names {path}, which can't be run", INSTALL_HINT)
    return options


def chosen_rules(given: str, rule_sets: Sequence[str], benchmark: str) -> str:
    """The rule set of the headline: the one given, else the setting where the benchmark knows it.

    "both" is no rule set of its own: the headline's is as with none given, the others stand beside it.

    Raises:
        UsageError: the benchmark has no rule set of this name.
    """
    if given in ("", BOTH):
        setting = load_settings().rules
        return setting if setting in rule_sets else rule_sets[0]
    require_rules(given, rule_sets, benchmark)
    return given


def chosen_dialect(given: str) -> str:
    """The action language: the one given, else the setting, else "" (the benchmark's own)."""
    return given or load_settings().dialect


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
    """How an episode is run: the arguments, else the settings, else the benchmark's own limit.

    Raises:
        UsageError: the benchmark has no rule set of this name.
    """
    from webbench.core.episode.limits import Budget, with_limits
    from webbench.core.episode.options import EpisodeOptions

    settings = load_settings()
    options = EpisodeOptions(
        rules=chosen_rules(rules, benchmark.rule_sets, benchmark.name),
        live_score=live_score,
        pictures=pictures,
        relevant_html=settings.relevant_html if relevant_html is None else relevant_html,
    )
    return with_limits(options, benchmark, settings, budget or Budget())


def resets_first(given: bool | None) -> bool:
    """Whether changed sites are reset before a task: as given, else the setting."""
    return load_settings().reset_first if given is None else given


@contextmanager
def guarded(guard: str, hosts: Sequence[str]) -> Iterator[None]:
    """Have the guard of every engine inside the block as these flags say, where they say anything.

    Raises `UsageError` for a mode that is none, and `BadData` for rules or hosts that can't be read: every
    episode would fail with them.
    """
    from webbench.core.guards.guard import Guard, configured_guard

    if guard not in ("", "auto", "on", "off"):
        raise UsageError(f'The guard can\'t be "{guard}"', "one of auto, on, off")
    with overridden({"guard.actions": guard or None, "guard.hosts": tuple(hosts) or None}):
        Guard(configured_guard(load_settings().guard))
        yield
