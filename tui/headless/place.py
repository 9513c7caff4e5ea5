"""Where things are for this call: store, data folder, browser; flags first, then settings."""

from __future__ import annotations

from pathlib import Path

from webbench.core.browser.launch import LaunchOptions
from webbench.core.settings import load_settings
from webbench.core.store.store import Store


def store_folder(flag: Path | None) -> Path:
    """The store to use: the flag, else the setting."""
    return flag if flag is not None else load_settings().store_folder()


def open_store(flag: Path | None) -> Store:
    """The store, with the configured redaction."""
    return Store(store_folder(flag), load_settings().redaction())


def data_folder(benchmark: str, flag: Path | None) -> Path | None:
    """The data folder of a benchmark: the flag, else the setting, else None (its own default)."""
    return flag if flag is not None else load_settings().data_folder(benchmark)


def browser_options() -> LaunchOptions:
    """How to start the browser, by the settings."""
    return load_settings().launch_options()
