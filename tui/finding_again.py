"""The commands with which what was recorded is looked at again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from webbench.core.text.plain_text import plain_text

MOST_NAMED = 4


def going_on_command(episode: str, store: Path, usual_store: Path) -> str:
    """`webbench-tui step --resume EPISODE`, to be used as it stands."""
    return command_in_store(["step", "--resume", episode], store, usual_store)


def show_command(episode: str, store: Path, usual_store: Path) -> str:
    """`webbench-tui show EPISODE`, to be used as it stands."""
    return command_in_store(["show", episode], store, usual_store)


def command_in_store(words: Sequence[str], store: Path, usual_store: Path) -> str:
    """`webbench-tui WORDS`, with the store where it is not the one of the settings."""
    return plain_text(shell_command(words, store, usual_store), limit=400)


def shell_command(words: Sequence[str], store: Path, usual_store: Path) -> str:
    """The same as a shell reads it, with every character of it: to be made harmless before it is shown."""
    place = store_option(store, usual_store)
    return shlex.join(["webbench-tui", *words]) + (f" {place}" if place else "")


def store_option(store: Path, usual_store: Path) -> str:
    """`--store PATH` as a shell reads it, "" where it is the one of the settings."""
    return shlex.join(["--store", str(store)]) if store != usual_store else ""


def farewell(
    episodes: Sequence[str], store: Path, usual_store: Path, unfinished: Sequence[str] = ()
) -> Iterator[str]:
    """A line on each of the latest episodes of a sitting, how many there were besides, what is unfinished."""
    latest = list(dict.fromkeys(episodes))
    if not latest:
        return
    yield "Recorded, and shown again with:"
    for episode in latest[-MOST_NAMED:]:
        yield f"  {show_command(episode, store, usual_store)}"
    if len(latest) > MOST_NAMED:
        yield f"  and {len(latest) - MOST_NAMED} before: webbench-tui runs lists them all"
    left = [episode for episode in latest if episode in unfinished]
    if left:
        yield "Not finished, and gone on with:"
        for episode in left[-MOST_NAMED:]:
            yield f"  {going_on_command(episode, store, usual_store)}"
    if len(left) > MOST_NAMED:
        yield f"  and {len(left) - MOST_NAMED} before: webbench-tui runs --unfinished lists them all"
