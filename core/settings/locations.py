"""Where files are kept: the platform's own folders (XDG on Linux)."""

from __future__ import annotations

import os
from pathlib import Path

APPLICATION = "webbench"
PROJECT_FILE = "webbench.toml"
CONFIG_VARIABLE = "WEBBENCH_CONFIG"


def _folder(kind: str) -> Path:
    import platformdirs

    return Path(getattr(platformdirs.PlatformDirs(APPLICATION, appauthor=False), f"user_{kind}_dir"))


def config_folder() -> Path:
    """Settings and themes."""
    return _folder("config")


def config_file() -> Path:
    """The user's settings; the environment variable `WEBBENCH_CONFIG` names another file."""
    named = os.environ.get(CONFIG_VARIABLE, "")
    return Path(named).expanduser().absolute() if named else config_folder() / "config.toml"


def themes_folder() -> Path:
    """The user's own themes."""
    return config_folder() / "themes"


def prompts_folder() -> Path:
    """The user's own wording of what judges and agents are asked."""
    return config_folder() / "prompts"


def presets_folder() -> Path:
    """The user's own presets of agents."""
    return config_folder() / "agents"


def taxonomies_folder() -> Path:
    """The user's own taxonomies of errors."""
    return config_folder() / "taxonomies"


def benchmark_data(benchmark: str, given: Path | None = None) -> Path | None:
    """`given`, else what `WEBBENCH_DATA_<BENCHMARK>` names, "~" resolved, else what `data get` downloaded.

    None where there is none of these. No shell takes a hyphen in a variable's name, so "_" stands for it.
    """
    named = os.environ.get(f"WEBBENCH_DATA_{benchmark.upper().replace('-', '_')}", "")
    chosen = given or (Path(named) if named else None)
    if chosen is not None:
        return chosen.expanduser()
    downloaded = data_sets_folder() / benchmark
    return downloaded if downloaded.is_dir() else None


def data_sets_folder() -> Path:
    """Downloaded data sets, one folder per benchmark."""
    return data_folder() / "data"


def data_folder() -> Path:
    """What must be kept."""
    return _folder("data")


def default_store() -> Path:
    """Where trajectories go when no setting says otherwise."""
    return data_folder() / "store"


def state_folder() -> Path:
    """What may be lost: histories, notes of the last session."""
    return _folder("state")


def log_folder() -> Path:
    """What the engine and the browser complain about."""
    return state_folder() / "logs"


def cache_folder() -> Path:
    """What can be made again."""
    return _folder("cache")


def project_file(start: Path | None = None) -> Path | None:
    """The nearest `webbench.toml` in a folder or one above it, None where there is none."""
    folder = (start or Path.cwd()).absolute()
    return next(
        (at / PROJECT_FILE for at in (folder, *folder.parents) if (at / PROJECT_FILE).is_file()), None
    )


def paths() -> dict[str, Path]:
    """Every place by what it holds."""
    return {
        "settings": config_file(),
        "themes": themes_folder(),
        "prompts": prompts_folder(),
        "agent presets": presets_folder(),
        "taxonomies": taxonomies_folder(),
        "store": default_store(),
        "data sets": data_sets_folder(),
        "logs": log_folder(),
        "state": state_folder(),
        "cache": cache_folder(),
    }
