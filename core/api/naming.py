"""Naming episodes and agents: what a person writes becomes a folder of the store, a whole spec, or a list."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from webbench.core.errors import UsageError
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
