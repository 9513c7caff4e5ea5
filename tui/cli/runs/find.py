"""`find`: a text in everything that the store's episodes hold, by episode and step."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from webbench.core.analysis.find.find import (
    MOST_EPISODES,
    MOST_HITS,
    Found,
    FoundEpisode,
    find,
    kinds_of_texts,
)
from webbench.core.analysis.find.index_words import index_words, step_words
from webbench.core.analysis.find.indexed_texts import PLACES
from webbench.core.analysis.find.wanted_text import wanted_text
from webbench.core.errors import UsageError
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.index.filters import parse_filter
from webbench.core.text.plain_text import clip, plain_text
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, StorePath
from webbench.tui.cli.output import print_json, print_line, say, width
from webbench.tui.cli.place import open_store
from webbench.tui.cli.records.runs import episode_row

SCHEMA_VERSION = 1
TELL_EVERY = 2.0
"""Seconds between two words on how far the reading of new episodes is."""


def find_command(
    text: Annotated[
        str, typer.Argument(help='Words that stand in one text; "a phrase", wor*, AND, OR, NOT, parentheses.')
    ],
    wanted: Annotated[
        str, typer.Argument(help="Only in episodes of this filter: 'benchmark:webarena status:failed words'.")
    ] = "",
    within: Annotated[
        list[str] | None,
        typer.Option("--in", help=f"Only in these texts ({', '.join(PLACES)}); may be repeated."),
    ] = None,
    most: Annotated[
        int, typer.Option("--most", min=1, help="Episodes to list; the others are counted.")
    ] = MOST_EPISODES,
    each: Annotated[
        int, typer.Option("--each", min=1, help="Hits to list of each episode; the others are counted.")
    ] = MOST_HITS,
    screen: Annotated[bool, typer.Option("--screen", help="Show them on a screen.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Find a text in actions, reasoning, replies, pages, notes and labels of all episodes.

    Exit 1 when nothing is found, 4 when part of a record that may hold it could not be read.
    """
    if screen:
        if (most, each) != (MOST_EPISODES, MOST_HITS):
            raise UsageError("--most and --each are not for the screen", "leave them out, or --screen")
        open_found(text, wanted, tuple(within or ()), store=store)
        return
    progress = _Progress()
    found = find(
        open_store(store), text, wanted, within=within or (), most=most, most_hits=each, told=progress
    )
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "found": found})
    else:
        print_found(found)
    unread = found.index.problems or found.index.unread_labels
    raise typer.Exit(4 if unread else 0 if found.matching else 1)


def open_found(text: str, wanted: str, within: tuple[str, ...], *, store: Path | None) -> None:
    """What is found, on its screen. Raises `UsageError` as `find` does."""
    from webbench.tui.cli.opening_screens import run_screens
    from webbench.tui.opening import Opening

    wanted_text(text)
    parse_filter(wanted)
    kinds_of_texts(within)
    run_screens(Opening(store=open_store(store).root, find=(text, wanted, within)), load_settings())


def print_found(found: Found) -> None:
    """Each episode with its hits below it; what was left out, and what can't be found, on stderr."""
    for one in found.episodes:
        _print_episode(one)
    say(f"{counted(found.texts, 'text')} in {counted(found.matching, 'episode')}; read as {found.read_as}")
    if found.left_out:
        say(f"{counted(found.left_out, 'episode')} not listed: --most lists more")
    for line in index_words(found.index):
        say(line)


def _print_episode(found: FoundEpisode) -> None:
    one = found.episode
    _, state, score, _, _, _ = episode_row(one, disputed=False)
    facts = ", ".join(
        filter(None, (one.actor, str(state), f"score {score}" if one.value is not None else ""))
    )
    print_line(plain_text(f"{one.run}/{one.episode}  {facts}"))
    for hit in found.hits:
        print_line(clip(plain_text(f"  {step_words(hit):>11}  {hit.where:<9}  {hit.excerpt}"), width()))
    if found.left_out:
        print_line(f"  {'':>11}  and {counted(found.left_out, 'more hit')}: --each lists more")


class _Progress:
    """Tells on stderr how far the reading of new episodes is, where it takes long."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def __call__(self, read: int, wanting: int) -> None:
        if time.monotonic() - self._told >= TELL_EVERY:
            self._told = time.monotonic()
            say(f"{read:,} of {counted(wanting, 'new or changed episode')} read")
