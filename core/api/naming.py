"""Naming episodes and agents: what a person writes becomes a folder of the store, a whole spec, or a list."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from webbench.core.errors import UsageError
from webbench.core.store.called_runs import episode_called, runs_meant
from webbench.core.store.store import Store
from webbench.core.text.nearest import nearest_names


def several(given: str | Iterable[str]) -> tuple[str, ...]:
    """The texts that are given. Where one is given alone it stands for itself, not for its letters."""
    return (given,) if isinstance(given, str) else tuple(given)


def agent_spec(spec: str, store: Store) -> str:
    """The spec with the name of a recorded episode in "replay EPISODE" turned into its folder."""
    try:
        words = shlex.split(spec)
    except ValueError:
        return spec
    if len(words) != 2 or words[0] != "replay" or Path(words[1]).expanduser().exists():
        return spec
    return shlex.join(["replay", str(find_episode(store, words[1]))])


def find_episodes(store: Store, names: Iterable[str]) -> list[Path]:
    """The folders of episodes by name, those of a run or a pool in their order; each once.

    Raises:
        UsageError: an unknown name, or a run without episodes.
    """
    found: list[Path] = []
    for name in names:
        runs = runs_meant(store, name)
        own = [store.root / one.run / one.episode for run in runs for one in store.episodes(run)]
        if runs and not own:
            raise UsageError(f"The run {name} has no episodes")
        found += own or [find_episode(store, name)]
    return list(dict.fromkeys(found))


def find_episode(store: Store, name: str) -> Path:
    """The folder of an episode: its name, the beginning of it, "run/episode", or a path.

    Raises:
        UsageError: none, or more than one, answers to the name; names the nearest ones.
    """
    try:
        return episode_called(store, name)
    except UsageError as error:
        if (runs := runs_meant(store, name)) and (own := store.episodes(runs[0])):
            told = f"{name} is {'a run' if len(runs) == 1 else f'a pool of {len(runs)} runs'}, no episode"
            raise UsageError(told, f"name one of its episodes, such as {own[0].episode}") from error
        last = name.rstrip("/").rpartition("/")[2]
        known = [summary.episode for summary in store.episodes()] + [run.run for run in store.runs()]
        near = [] if any(one.startswith(last) for one in known) else nearest_names(last, known)
        if not near:
            raise
        raise UsageError(error.message, f"did you mean {' or '.join(near)}?") from error
